// Contact with obstacles as displacement constraints: a point found inside an obstacle after the
// free motion of a step is displaced out of it, along with the sweeps that close the joints.
//
//   normal     n·(x − goal) ≥ 0 at the end of the step, by impulses P_n ≥ 0
//   bounce     a point that comes faster than this step's own forces would make it is sent to where
//              it stood plus e h |u_n|, u_n its approach speed: its velocity then becomes e |u_n|.
//              So is a point of a rigid piece that the corrections of the step push in: with e = 1 and
//              no friction the impulses of all that hit in one step then do no work, whichever hit
//   friction   x slides by no more than Coulomb allows: the impulse towards sticking is bounded by
//              |P_t| ≤ μ P_n
//
// The source counts contact among the external forces of its first step and scales the force on a
// segment that hits the floor by a "bounce" factor [Palazzi 1993, App. C, Fig. C.9], without saying
// which force. Here the factor scales the speed. Impulses are summed over the sweeps, so that a
// later sweep may take back what an earlier one pushed too far. The obstacle stands in for its
// tangent plane at the nearest point, once per step; friction is not in the source.

#ifndef PLIANT_SOLVERS_CONTACT_DISPLACEMENT_H_
#define PLIANT_SOLVERS_CONTACT_DISPLACEMENT_H_

#include <Eigen/Core>
#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "models/contact/surface_cells.h"
#include "models/scene/scene.h"
#include "solvers/contact/obstacles_meet.h"
#include "solvers/holds/point_mover.h"

namespace pliant {

// One point, or one place on an edge or a face, at one obstacle during one step.
struct Contact {
  int point = 0;           // of the scene; of a place, the first of its points
  int obstacle = 0;        // index
  WeightedPoint at;        // points of the scene
  WeightedPoint where;     // points of the level that is swept
  Eigen::Vector3d normal;  // outward
  double friction = 0.0;   // μ
  // The displacement from where the point would arrive: along the normal, out of the obstacle;
  // along the surface, back to where the point touched it before [m].
  Eigen::Vector3d way;
  Eigen::Vector3d goal;  // of the weighted point
  // Of a rigid piece, how much farther out it is sent once it is found behind the goal, if it comes at the speed of a hit and
  // the free motion leaves it outside [m].
  double rebound = 0.0;
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();  // displacement impulse P so far [kg m]
  double accuracy = 0.0;  // of a rigid piece: AccuracyOf() [m]; 0: the tolerance of the sweeps
};

// The data of a step about the points before it moves them.
struct PointsInMotion {
  const Eigen::Matrix3Xd& positions;                 // 3×n [m]
  const Eigen::Matrix3Xd& velocities;                // 3×n [m/s]
  std::function<Eigen::Vector3d(int)> acceleration;  // of a point by its own forces [m/s²]
};

// A point at rest against its own forces a approaches with h a/2 to h a, by the velocity update;
// only what comes faster than that hits.
inline constexpr double kHitOverRest = 2.0;

// The tolerance of sweeps is a length, and may exceed by far what a step moves. Contacts of rigid pieces are swept until one
// more correction would displace them by less than these parts of what they change in the step: of (1 + e) h |u_n| where
// they hit, of h² |a| where their own forces press or pull them along the surface; but to no less than rounding can tell.
inline constexpr double kHitAccuracy = 1e-3, kRestAccuracy = 1e-2;
// That length [m], of a contact whose own forces accelerate it by |a| [m/s²] and whose speed a hit changes by (1 + e) |u_n|
// [m/s], 0: no hit; 0 where it has neither. `rounding` [m]: RoundingOf().
inline double AccuracyOf(double step, double acceleration, double change, double rounding) {
  const double asked =
      std::max(kRestAccuracy * step * step * acceleration, kHitAccuracy * step * change);
  return asked > 0.0 ? std::max(asked, rounding) : 0.0;
}
// What corrections of points at these positions (3×n) can be off by, after many sweeps [m].
inline double RoundingOf(const Eigen::Matrix3Xd& positions) {
  return 1e4 * std::numeric_limits<double>::epsilon() * positions.cwiseAbs().maxCoeff();
}

// Corrections move a point about as far as the free motion did; contacts within this many times the
// largest free displacement are watched.
inline constexpr double kContactMargin = 2.0;

class ContactFinder {
 public:
  // `rigid`: by body, whether it is rigid as a whole.
  ContactFinder(std::shared_ptr<const Scene> scene, double bounce, ObstaclesMeet meet,
                const std::vector<bool>& rigid);

  // Appends a contact for each point of `arrived` (3×n, where the points get to at time + step if
  // nothing stops them) that is inside an obstacle or nearer than `margin` [m] to its surface.
  // O(points · obstacles).
  void Find(double time, double step, const PointsInMotion& start, const Eigen::Matrix3Xd& arrived,
            double margin, std::vector<Contact>* contacts) const;
  // Likewise for the places of edges and faces that are deepest, where they meet obstacles. The plane
  // is the one that supports the edge or face.
  void FindPlaces(double time, double step, const PointsInMotion& start,
                  const Eigen::Matrix3Xd& arrived, double margin, std::vector<Contact>* contacts);

 private:
  // Where the obstacle is before and after the step, and what comes near it.
  struct Approach {
    const Obstacle& obstacle;
    int number;
    Eigen::Vector3d before, carried;  // m
    double step;                      // s
    double rounding;                  // m
  };
  Contact Meet(const Approach& approach, const WeightedPoint& at, const Eigen::Vector3d& normal,
               double distance, const PointsInMotion& start, const Eigen::Matrix3Xd& arrived) const;

  std::shared_ptr<const Scene> scene_;
  double bounce_;
  double Rounding(const Eigen::Matrix3Xd& arrived) const;  // 0 where it counts for nothing [m]
  std::vector<bool> rigid_;                                // by point
  bool any_rigid_ = false;
  std::unique_ptr<SurfaceCells> cells_;  // null: points alone
  std::vector<SurfacePlace> places_;     // scratch
};

// The data of a contact between two objects.
struct PressedPair {
  const Eigen::Matrix3d& mobility;  // by which an impulse displaces one against the other [1/kg]
  double largest_mobility;          // at least that in any direction; used where there is friction
  const Eigen::Vector3d& normal;
  double friction;  // μ
};
// The impulse P [kg m] after one relaxation, `old` before, of a contact that is `way` [m] away from
// its goal: normal, then friction.
Eigen::Vector3d ContactImpulse(const PressedPair& pair, const Eigen::Vector3d& way,
                               const Eigen::Vector3d& old);

// Adds the impulse of a contact to those of the points of the scene (3×n [kg m]).
void AddImpulse(const Contact& contact, Eigen::Matrix3Xd* impulses);

// Relaxes a contact once.
void Relax(PointMover& mover, Contact* contact);

// The violation of the contact: the depth behind its goal [m].
double Violation(const PointMover& mover, const Contact& contact);

// Would one more correction displace it by no more than its accuracy?
bool IsResolved(const PointMover& mover, const Contact& contact);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_DISPLACEMENT_H_
