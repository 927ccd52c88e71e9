// Nails and attachments as displacement constraints: one point is held at a place, or to a point of
// another body. As between endpoints, but with the weighted points of a level, and for a nail with
// a partner of infinite mass.

#ifndef PLIANT_SOLVERS_HOLDS_HOLD_H_
#define PLIANT_SOLVERS_HOLDS_HOLD_H_

#include <Eigen/Core>
#include <vector>

#include "models/holds/weighted_point.h"
#include "models/scene/forces.h"
#include "models/scene/scene.h"
#include "solvers/holds/point_mover.h"

namespace pliant {

struct Hold {
  int index = 0;                                   // of the nail or attachment in the scene
  int point = 0;                                   // of the scene, held …
  int to = -1;                                     // … to this point; −1 for a nail
  WeightedPoint at, at_to;                         // as seen from the level
  bool on = true;                                  // in the present step
  Eigen::Vector3d goal = Eigen::Vector3d::Zero();  // target of `at` minus position of `at_to` [m]
  // Of the present step, so far [kg m]; and the force of the last one [N], for a warm start.
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();
  Eigen::Vector3d force = Eigen::Vector3d::Zero();

  bool nail() const { return to < 0; }
};

// Those of a scene, nails before attachments, each on the points of the scene themselves.
std::vector<Hold> HoldsOf(const Scene& scene);

// Position of `at` minus position of `at_to` [m].
Eigen::Vector3d Reach(const PointMover& mover, const Hold& hold);

// One correction of the gap; none while it is off.
void Relax(PointMover& mover, Hold* hold);

// Pulls both sides by ±impulse [kg m] and adds it to that of the step.
void Pull(PointMover& mover, const Eigen::Vector3d& impulse, Hold* hold);

// Adds what those of `holds` that are on gave their points in the step [kg m] to 3×n `impulses`
// over the scene.
void AddHoldImpulses(const std::vector<Hold>& holds, MutablePointsRef impulses);

// The impulses of holds, for sweeps that are no part of the motion.
class HeldImpulses {
 public:
  void Keep(const std::vector<Hold>& holds);
  void PutBack(std::vector<Hold>* holds) const;

 private:
  std::vector<Eigen::Vector3d> impulses_;
};

// Distance from the target [m]; 0 while it is off.
double Misfit(const PointMover& mover, const Hold& hold);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_HOLDS_HOLD_H_
