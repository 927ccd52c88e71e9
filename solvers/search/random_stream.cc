#include "solvers/search/random_stream.h"

#include <cmath>
#include <numbers>

namespace pliant {

double RandomStream::Uniform() { return static_cast<double>(generator_() >> 11) * 0x1p-53; }

double RandomStream::Normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - Uniform()));  // of a number in (0, 1]
  return radius * std::cos(2.0 * std::numbers::pi * Uniform());
}

int RandomStream::Below(int number) { return static_cast<int>(Uniform() * number); }

}  // namespace pliant
