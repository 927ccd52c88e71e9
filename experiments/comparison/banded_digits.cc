#include "experiments/comparison/banded_digits.h"

#include <algorithm>
#include <cmath>

namespace pliant {

int DigitsWithin(double value, double band, int least) {
  constexpr int kMost = 15;
  const double size = std::abs(value);
  if (!(band > 0.0 && std::isfinite(band) && size > band && std::isfinite(size))) return least;
  const double shown = std::floor(std::log10(size)) - std::floor(std::log10(band)) + 2.0;
  return std::clamp(static_cast<int>(shown), least, kMost);
}

}  // namespace pliant
