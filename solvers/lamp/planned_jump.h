// A jump found by spacetime optimisation, replayed by a lamp of the simulation: the planned
// torques, and a servo that holds the hinges to the planned angles,
//
//   τ = τ_plan + C (φ_plan − φ) + D (φ̇_plan − φ̇) .
//
// Nothing holds the base to the plan. When the plan is over the servo keeps its last pose.

#ifndef PLIANT_SOLVERS_LAMP_PLANNED_JUMP_H_
#define PLIANT_SOLVERS_LAMP_PLANNED_JUMP_H_

#include <memory>

#include "solvers/lamp/lamp_stepper.h"
#include "solvers/motion_problem.h"
#include "solvers/parameters.h"
#include "solvers/spacetime/solve.h"

namespace pliant {

struct JumpPlanOptions {
  double distance = 0.3;                           // m
  double stance = 0.6, flight = 0.28, rest = 0.5;  // s
  double longest_flight = 0.0;  // s; where it is more than `flight`, the best between them
  LampJumpProblem::Landing landing = LampJumpProblem::Landing::kPlastic;
  double acceleration_weight = MotionCost{}.acceleration;  // ε
  double step = 0.01;                                      // s, of the finest mesh, > 0
  int refinements = 1;                                     // from coarser ones, ≥ 0
  double stiffness = 40.0;                                 // C [N·m/rad], ≥ 0
  double damping = 1.0;                                    // D [N·m·s/rad], ≥ 0

  void Bind(ParameterBinder& b);
};

class PlannedJump {
 public:
  // Plans a jump of this lamp from rest at `start`, whose base stands flat, over level ground of
  // friction μ > 0, back to the pose it started in. Throws BadInput for options wrong in
  // themselves; whether there is a plan says summary().
  PlannedJump(const Lamp& lamp, const LampVector& start, double friction, double torque_limit,
              const JumpPlanOptions& options);
  ~PlannedJump();
  PlannedJump(PlannedJump&&) noexcept;

  bool found() const { return summary().converged(); }
  const SpacetimeSummary& summary() const;
  double duration() const;  // s
  double flight() const;    // s, in the air

  // The largest torque of the plan, of all Gauss points.
  struct Peak {
    int hinge = 0;
    double torque = 0.0;  // N·m, with sign
    double time = 0.0;    // s
  };
  Peak LargestTorque(const Lamp& lamp) const;

  // Of the plan at `time`, with x from where the lamp started; the last pose, at rest, after its
  // end.
  struct State {
    LampVector q, v;
  };
  State At(const Lamp& lamp, double time) const;
  // Planned torques in the middle of a step, without the servo [N·m].
  LampAngles PlannedTorques(const Lamp& lamp, double begin, double step) const;
  // Torques of a step from `begin`, planned and servo, cut off at `limit` [N·m].
  HingeTorques Torques(const Lamp& lamp, double begin, double step, double limit,
                       const LampVector& q, const LampVector& v) const;

 private:
  struct Motion;  // of solvers/spacetime
  std::unique_ptr<const Motion> motion_;
  double start_x_;
  JumpPlanOptions options_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_LAMP_PLANNED_JUMP_H_
