// Random numbers that are the same everywhere: the generator is one the standard defines to the
// bit, and the maps from its bits to numbers are our own, because those of the standard library are
// left open.

#ifndef PLIANT_SOLVERS_SEARCH_RANDOM_STREAM_H_
#define PLIANT_SOLVERS_SEARCH_RANDOM_STREAM_H_

#include <cstdint>
#include <random>

namespace pliant {

class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed) : generator_(seed) {}

  double Uniform();       // in [0, 1), 53 random bits
  double Normal();        // mean 0, variance 1; two Uniform() each [Box & Muller 1958]
  int Below(int number);  // in {0, …, number − 1}, number ≥ 1

 private:
  std::mt19937_64 generator_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SEARCH_RANDOM_STREAM_H_
