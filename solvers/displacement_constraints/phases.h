// The phases of a step, for display [Palazzi 1993, Figs. 3.2, 3.10, 4.2].

#ifndef PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_PHASES_H_
#define PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_PHASES_H_

#include <Eigen/Core>
#include <functional>

#include "solvers/displacement_constraints/segment_system.h"
#include "solvers/projection/rigid_pieces.h"

namespace pliant::displacement_constraints {

// In the order of a step; each on every participating level, forces from the finest level to the
// coarsest, the others from the coarsest to the finest.
enum class StepPhase {
  kForces,        // the forces on the level's points are known, restricted from the next finer one
  kProlongation,  // the level has followed the next coarser one; not on the coarsest
  kDynamics,      // every segment has moved freely
  kSweep,         // one sweep of corrections has been made
  kVelocities,    // the velocities include the displacements
};

// Valid during the call only.
struct PhaseView {
  StepPhase phase;
  int level;   // 0 is the finest
  int sweeps;  // made on this level so far
  double gap;  // after dynamics and sweeps: the largest misfit of a joint, nail or contact [m]
  const SegmentSystem& segments;  // as they are, apart where they do not meet
  const RigidPieces& rigid;       // those of level 0
  // 3×n, on the points but for gravity [N]: of these, filtered, the level feels its fraction.
  const Eigen::Matrix3Xd& forces;
};

using PhaseWatcher = std::function<void(const PhaseView&)>;

}  // namespace pliant::displacement_constraints

#endif  // PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_PHASES_H_
