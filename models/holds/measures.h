// The measures of sliders and limits of a scene, with their gradients: the places that a slider
// admits, and the lengths and angles that limits keep in range.

#ifndef PLIANT_MODELS_HOLDS_MEASURES_H_
#define PLIANT_MODELS_HOLDS_MEASURES_H_

#include <Eigen/Core>
#include <array>

#include "models/scene/scene.h"

namespace pliant {

// The admitted place of a slider that is nearest to a point, and the directions barred there: the
// first `count` columns of `barred`, which are orthonormal. Nothing is barred within a ball.
struct Admitted {
  Eigen::Vector3d nearest;  // m
  int count = 0;
  Eigen::Matrix3d barred;
};
// A line bars two directions, a plane and a surface one; a curve two, but three at its corners and
// ends, so that a point past the end moves back to it. Obstacles are at their positions at `time`
// [s]. O(corners) for a curve.
Admitted Admit(const Scene& scene, const Slider& slider, double time, const Eigen::Vector3d& x);

// A length [m] or angle [rad] of up to four points, and its gradient by each of them; `lever` turns
// it into metres: 1 for a length, the shortest arm [m] for an angle.
struct PointMeasure {
  double value = 0.0;
  double lever = 1.0;
  std::array<Eigen::Vector3d, 4> gradient;
};

// |b − a|. Where they coincide the gradient is along some direction.
PointMeasure LengthBetween(const Eigen::Vector3d& a, const Eigen::Vector3d& b);
// At b between the lines to a and c, in [0, π]. Folded or in line it could open to any side; the
// gradient then is to some side, in z = 0 when the points are.
PointMeasure AngleAt(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c);
// About the line from b to c, of d against a, in (−π, π], right-handed. Zero gradient when a or d
// is on the line.
PointMeasure TwistAbout(const Eigen::Vector3d& a, const Eigen::Vector3d& b,
                        const Eigen::Vector3d& c, const Eigen::Vector3d& d);

}  // namespace pliant

#endif  // PLIANT_MODELS_HOLDS_MEASURES_H_
