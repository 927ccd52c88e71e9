// One task in several engines: two sheets of n × n cells, 2 n² faces each, wave above one another, and their
// waves move from step to step. Which faces of the one have places in common with which of the other?
//
// A step gives every engine the new positions of all points, which it may use to bring the hierarchy it made before
// up to date. The answer, the number of pairs, has to be that of all others: a pair shares
// a place where an edge of one face crosses the other.

#ifndef PLIANT_BENCH_PEERS_WAVES_H_
#define PLIANT_BENCH_PEERS_WAVES_H_

#include <Eigen/Core>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pliant {

struct WavingSheet {
  std::vector<std::array<int, 3>> faces;
  Eigen::Matrix3Xd x;  // m
};

// Of 1 m, waving about z = height; `phase` moves the waves.
WavingSheet MakeWavingSheet(int cells);
void Wave(double phase, double height, double amplitude, WavingSheet* sheet);

class PairFinder {
 public:
  virtual ~PairFinder() = default;
  // One step: the number of pairs of faces of the two sheets that cross.
  virtual long Count(const WavingSheet& below, const WavingSheet& above) = 0;
};

struct PairEngine {
  std::string name;
  std::function<std::unique_ptr<PairFinder>(const WavingSheet& below, const WavingSheet& above)>
      make;
};
// Each source of an engine adds its own before main.
std::vector<PairEngine>& PairEngines();
struct RegisterPairEngine {
  explicit RegisterPairEngine(PairEngine engine) { PairEngines().push_back(std::move(engine)); }
};

}  // namespace pliant

#endif  // PLIANT_BENCH_PEERS_WAVES_H_
