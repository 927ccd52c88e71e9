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
  // The impulse of the present step so far [kg m], and the force of the last step [N] for a warm
  // start.
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();
  Eigen::Vector3d force = Eigen::Vector3d::Zero();

  bool nail() const { return to < 0; }
};

// The holds of a scene, nails before attachments. Each holds points of the scene itself, not of a
// coarser level.
std::vector<Hold> HoldsOf(const Scene& scene);

// Position of `at` minus position of `at_to` [m].
Eigen::Vector3d Reach(const PointMover& mover, const Hold& hold);

// Corrects the gap once; does nothing while the hold is off.
void Relax(PointMover& mover, Hold* hold);

// Pulls both sides by ±impulse [kg m] and adds it to that of the step.
void Pull(PointMover& mover, const Eigen::Vector3d& impulse, Hold* hold);

// Adds the impulses that the active ones of `holds` gave their points in the step [kg m] to
// `impulses`, 3×n over the scene.
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
