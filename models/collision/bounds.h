// Boxes along the axes.

#ifndef PLIANT_MODELS_COLLISION_BOUNDS_H_
#define PLIANT_MODELS_COLLISION_BOUNDS_H_

#include <Eigen/Core>
#include <algorithm>
#include <limits>

namespace pliant {

struct Bounds {
  Eigen::Vector3d lower, upper;  // m

  // Contains nothing; takes up what it is given.
  static Bounds Empty() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {Eigen::Vector3d::Constant(kInfinity), Eigen::Vector3d::Constant(-kInfinity)};
  }
  static Bounds Of(const Eigen::Vector3d& x, const Eigen::Vector3d& y) {
    return {x.cwiseMin(y), x.cwiseMax(y)};
  }
  void Take(const Eigen::Vector3d& x) {
    lower = lower.cwiseMin(x);
    upper = upper.cwiseMax(x);
  }
  void Take(const Bounds& other) {
    lower = lower.cwiseMin(other.lower);
    upper = upper.cwiseMax(other.upper);
  }
  void Widen(double by) {
    lower.array() -= by;
    upper.array() += by;
  }
  // Boxes that touch overlap. A box with a corner that is not a number overlaps nothing. All six
  // comparisons are made: three unpredictable branches cost more.
  bool Overlaps(const Bounds& other) const {
    return (lower[0] <= other.upper[0]) & (other.lower[0] <= upper[0]) &
           (lower[1] <= other.upper[1]) & (other.lower[1] <= upper[1]) &
           (lower[2] <= other.upper[2]) & (other.lower[2] <= upper[2]);
  }
  // Squared distance from a point to the box [m²]; 0 inside.
  double SquaredDistance(const Eigen::Vector3d& x) const {
    return (lower - x).cwiseMax(x - upper).cwiseMax(0.0).squaredNorm();
  }
};

}  // namespace pliant

#endif  // PLIANT_MODELS_COLLISION_BOUNDS_H_
