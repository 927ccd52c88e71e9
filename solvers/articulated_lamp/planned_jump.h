// A jump found by spacetime optimisation, replayed by a lamp of the simulation: the planned
// torques, and a servo that keeps the hinges at the planned angles,
//
//   τ = τ_plan + C (φ_plan − φ) + D (φ̇_plan − φ̇) .
//
// Nothing keeps the base on the plan. After the end of the plan the servo keeps its last pose.

#ifndef PLIANT_SOLVERS_ARTICULATED_LAMP_PLANNED_JUMP_H_
#define PLIANT_SOLVERS_ARTICULATED_LAMP_PLANNED_JUMP_H_

#include <memory>

#include "solvers/articulated_lamp/lamp_stepper.h"
#include "solvers/parameters.h"
#include "solvers/spacetime/jump_problem.h"
#include "solvers/spacetime/lamp_jump.h"
#include "solvers/spacetime/plan_record.h"

namespace pliant::articulated_lamp {

struct JumpPlanOptions {
  double distance = 0.3;                           // m
  double stance = 0.6, flight = 0.28, rest = 0.5;  // s
  // s; where one is more than the time above, the best between the two.
  double longest_stance = 0.0, longest_flight = 0.0, longest_rest = 0.0;
  LampJumpProblem::Landing landing = LampJumpProblem::Landing::kPlastic;
  double acceleration_weight = MotionCost{}.acceleration;  // ε
  LampTranscription transcription = LampTranscription::kHermite;
  SpacetimeStrategy method = SpacetimeStrategy::kEither;
  double step = 0.01;   // s, of the finest mesh, > 0
  int refinements = 1;  // from coarser ones, ≥ 0
  // What the plan keeps from the limits of the hinges [rad] and, as a share, from the friction cone.
  double limit_margin = 0.0, friction_margin = 0.0;
  double stiffness = 40.0;  // C [N·m/rad], ≥ 0
  double damping = 1.0;     // D [N·m·s/rad], ≥ 0

  void Bind(ParameterBinder& b);
};

class PlannedJump {
 public:
  // Plans the jump of `problem` from `start`; times, landing, cost and
  // torque limit of the problem are overwritten. Throws BadInput for
  // invalid options; summary() says whether there is a plan. `guess`: the
  // initial motion; a straight line if null. `watch` is called for each
  // iteration.
  PlannedJump(LampJumpProblem problem, const LampVector& start, double torque_limit,
              const JumpPlanOptions& options, const LampTrajectory* guess = nullptr,
              const LampJumpWatch& watch = {});
  ~PlannedJump();
  PlannedJump(PlannedJump&&) noexcept;

  // A motion that violates nothing; it need not be an optimum.
  bool found() const { return summary().converged() || summary().feasible; }
  const SpacetimeSummary& summary() const;
  const LampJumpMotion& motion() const;
  PlanRecord Record() const;  // found() is true
  double duration() const;    // s

  // How far the plan leaves the limits of `lamp` and the friction cone between the places where it
  // is held to them: over kDense points of each interval, 0 where it does not.
  struct Excess {
    double hinge = 0.0;       // rad
    double hinge_time = 0.0;  // s
    double cone = 0.0;        // N, of friction or of the moment by the half width
    double cone_time = 0.0;   // s
  };
  static constexpr int kDense = 20;
  Excess BetweenNodes(const Lamp& lamp) const;

  // The largest torque of the plan, of all Gauss points.
  struct Peak {
    int hinge = 0;
    double torque = 0.0;  // N·m, with sign
    double time = 0.0;    // s
  };
  Peak LargestTorque(const Lamp& lamp) const;

  // Of the plan at `time`, in the world; the last pose, at rest, after its end.
  struct State {
    LampVector q, v;
  };
  State At(const Lamp& lamp, double time) const;
  // Planned torques in the middle of a step, without the servo [N·m].
  LampAngles PlannedTorques(const Lamp& lamp, double begin, double step) const;
  // Torques of a step from `begin`, planned and servo, cut off at `limit` [N·m]; the servo's are
  // those at `share` of the step: 1 its end, ½ its middle.
  HingeTorques Torques(const Lamp& lamp, double begin, double step, double limit,
                       const LampVector& q, const LampVector& v, double share = 1.0) const;

 private:
  LampJumpProblem problem_;
  std::unique_ptr<const LampJumpMotion> motion_;
  Eigen::Vector2d start_;            // m, where the middle of the base was
  std::array<double, 2> frictions_;  // μ where it jumps and where it lands
  JumpPlanOptions options_;
};

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_SOLVERS_ARTICULATED_LAMP_PLANNED_JUMP_H_
