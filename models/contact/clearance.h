// Points, edges and faces against obstacles: how far apart, how deep, and when do they first touch?

#ifndef PLIANT_MODELS_CONTACT_CLEARANCE_H_
#define PLIANT_MODELS_CONTACT_CLEARANCE_H_

#include <Eigen/Core>
#include <optional>

#include "models/collision/continuous.h"
#include "models/scene/obstacle.h"

namespace pliant {

// The corners of a point, an edge or a face, as columns [m].
using PartCorners = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, 3>;

struct Clearance {
  // < 0: minus the depth of the deepest place of the part in the obstacle (of a solid: in the piece
  // where it is deepest), exactly. Otherwise the part is outside, at a distance that is not less.
  double distance;
  Eigen::Vector3d weights = Eigen::Vector3d::Zero();  // of the corners at that place, sum 1
};

// `origin` of the shape, m. Exact up to rounding: in a plane, at a corner; in a sphere or capsule,
// where the part is closest to the centre or axis; in a box or a piece of a solid, whose depth is
// that below the nearest of its planes, by the linear program
//   min over weights w of max over planes i of Σ w_j (n_i·x_j − o_i)
// for which planes are taken up until none is missing. O(planes).
Clearance ClearanceOf(const ObstacleShape& shape, const Eigen::Vector3d& origin,
                      const PartCorners& corners);

struct ObstacleImpact {
  double time = 0.0;  // in [0, 1]
  bool found = true;
};

// The first time at which the distance between a part, whose corners move straight from `start` to
// `end`, and an obstacle, whose origin moves straight, is `separation`. By conservative advancement
// [Mirtich 1996, Sec. 2.3]: the time advances by as much as the distance, the speed of the corners
// and the separating plane at the closest point allow.
//
// It misses no contact: the time is no later than the first contact, as long as the tolerance is well above
// rounding (1e-12 of the coordinates). False positives: where `found`, the distance at the time is
// at most separation + tolerance; otherwise the budget (of distances, a µs each) was spent.
std::optional<ObstacleImpact> FirstImpact(const ObstacleShape& shape, const PointMotion& origin,
                                          const PartCorners& start, const PartCorners& end,
                                          const ImpactOptions& options);

}  // namespace pliant

#endif  // PLIANT_MODELS_CONTACT_CLEARANCE_H_
