// Continuous collision detection: when do parts that move straight over a step first touch?
//
//   point and face    F(t, u, v) = p(t) − (1−u−v) a(t) − u b(t) − v c(t),  u, v ≥ 0, u + v ≤ 1
//   edge and edge     F(t, u, v) = (1−u) a(t) + u b(t) − (1−v) c(t) − v d(t),  u, v ∈ [0, 1]
//   point and edge    F(t, u)    = p(t) − (1−u) a(t) − u b(t),  u ∈ [0, 1]
//
// with t ∈ [0, 1] over the step. They touch where F = 0. Boxes of (t, u, v) are halved, and dropped where the box around the values of F at their corners, which contains all
// values in between because F is linear in each of t, u and v, does not reach 0: bisection with an
// inclusion function [Wang et al. 2021, Sec. 4]. The half that is nearer to contact comes first, and
// what is later than a contact that is known is cut off.
//
// What holds:
//   no miss          The box of values is widened by a bound on the rounding of F. Where the parts
//                    touch, or no coordinate of F exceeds `separation`, at some time, there is an
//                    impact, and its `time` is no later than the first such time.
//   false positives  An impact with `found` has a time, `contact`, and a place where no coordinate
//                    of F exceeds separation + tolerance (and the bound on rounding, 4e-15 of the
//                    largest coordinate). One without `found` says only that the budget was spent
//                    before contact after its time could be ruled out.
// `time` is before `contact` by the tolerance, counted in the motion, unless they touch along a line
// or in a plane, where it may be before it by more: no effort is spent on telling these times apart.
// Parts without length or area, parallel edges and motion within a plane need no case of their own.

#ifndef PLIANT_MODELS_COLLISION_CONTINUOUS_H_
#define PLIANT_MODELS_COLLISION_CONTINUOUS_H_

#include <Eigen/Core>
#include <array>
#include <optional>

namespace pliant {

// A point that moves straight over a step.
struct PointMotion {
  Eigen::Vector3d start, end;  // m

  Eigen::Vector3d At(double t) const { return (1.0 - t) * start + t * end; }
};

struct ImpactOptions {
  double separation = 0.0;  // m, ≥ 0, along each axis: what comes this near counts as touching
  double tolerance = 1e-6;  // m, > 0: largest error of the place along each axis
  int budget = 1 << 16;     // boxes; each costs about 30 ns
};

struct Impact {
  double time = 0.0;        // in [0, 1]: until then they do not touch
  double contact = 0.0;     // in [0, 1], ≥ time: by then they do, to the tolerance
  double u = 0.0, v = 0.0;  // the place, as above; v = 0 for a point and an edge
  bool found = true;
};

// Without allocation. Coordinates are finite.
std::optional<Impact> FirstImpact(const PointMotion& point, const std::array<PointMotion, 3>& face,
                                  const ImpactOptions& options);
std::optional<Impact> FirstImpact(const std::array<PointMotion, 2>& a,
                                  const std::array<PointMotion, 2>& b,
                                  const ImpactOptions& options);
std::optional<Impact> FirstImpact(const PointMotion& point, const std::array<PointMotion, 2>& edge,
                                  const ImpactOptions& options);

}  // namespace pliant

#endif  // PLIANT_MODELS_COLLISION_CONTINUOUS_H_
