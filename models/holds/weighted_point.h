// A point given as the weighted mean of up to four others: a point of the material as a coarser
// level sees it, by the corners of its cell and their bilinear weights (sum 1), or a single point.

#ifndef PLIANT_MODELS_HOLDS_WEIGHTED_POINT_H_
#define PLIANT_MODELS_HOLDS_WEIGHTED_POINT_H_

#include <array>

namespace pliant {

struct WeightedPoint {
  int count = 0;
  std::array<int, 4> point{};
  std::array<double, 4> weight{};

  static WeightedPoint Of(int point) { return {1, {point}, {1.0}}; }
};

}  // namespace pliant

#endif  // PLIANT_MODELS_HOLDS_WEIGHTED_POINT_H_
