// The cubic that joins two states of a point: the path of a point that chases another, or that
// moves to the beginning of a path [Witkin & Welch 1990, Sec. 4].

#ifndef PLIANT_MODELS_GEOMETRY_CUBIC_SEGMENT_H_
#define PLIANT_MODELS_GEOMETRY_CUBIC_SEGMENT_H_

#include <Eigen/Core>

#include "models/geometry/path.h"

namespace pliant {

struct CubicSegment {
  double begin = 0.0;  // s
  // x(t) = Σ terms.col(i) (t − begin)^i [m].
  Eigen::Matrix<double, 3, 4> terms = Eigen::Matrix<double, 3, 4>::Zero();

  // From x0, v0 at `begin` to x1, v1 at `end` > begin. At `begin` its acceleration is
  // [6 (x₁ − x₀) − (4 v₀ + 2 v₁) τ]/τ², τ = end − begin.
  static CubicSegment Join(double begin, const Eigen::Vector3d& x0, const Eigen::Vector3d& v0,
                           double end, const Eigen::Vector3d& x1, const Eigen::Vector3d& v1);

  PathPoint At(double time) const;  // also outside begin … end
};

}  // namespace pliant

#endif  // PLIANT_MODELS_GEOMETRY_CUBIC_SEGMENT_H_
