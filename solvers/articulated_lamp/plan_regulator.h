// Feedback that keeps a lamp on a planned jump, base included: the time-varying linear regulator of the motion about the plan.
//
//   τ = τ_plan(t) − K(t) (δq; δq̇),    K = Bᵀ S,
//
// minimises, to first order in the deviation (δq, δq̇) from the plan, ∫ Σ δτ² + w_φ Σ δφ² + w_φ̇ Σ δφ̇² dt until the end of time, where δφ are
// the hinges and the tilt of the base, and its position counts as an angle in the air, divided by a length. S follows Riccati's equation
// (solvers/control/riccati.h) backwards through the phases of the plan:
//
//   rest, flight, stance   the linear motion of the phase's own coordinates y, δq = N y: the hinges where the base stands, the way down
//                          the slope with them where it slides, all six in the air. Of W M N ÿ + … = W (0; τ), where W removes the
//                          forces of the ground,
//                            W M N δÿ + W ∂f/∂q̇ N δẏ + W ∂f/∂q N δy = W (0; δτ),  f(q, q̇, q̈) the inverse dynamics
//                          A base that stands beside its planned place stays there until the next flight, so x is a state of a
//                          stance, too, and K answers to it
//   after the plan         the stationary S of the last pose; of a loop the S with which it begins
//   touchdown              δx⁺ = Ξ δx⁻ with the derivative D of the plastic impact and the saltation [Kong 2024, Eq. 4]: who comes down earlier
//                          has flown for less time,   Ξ = D + (ẋ⁺ − D ẋ⁻) ∇g / (∇g·ẋ⁻),  g the height of the base
//   takeoff                the same coordinates; from a slope, where it is a place and not a time, with the saltation
//
// so S⁻ = Ξᵀ S⁺ Ξ. The base lands flat in the plan; that one end of it may touch first is left out.
//
// For a single hinge of inertia I without gravity K is the servo K_φ = √w_φ, K_φ̇ = √(w_φ̇ + 2 I √w_φ): with w_φ = C² and w_φ̇ = D² the stiffness of
// the servo of planned_jump.h, and damping enough for it.

#ifndef PLIANT_SOLVERS_ARTICULATED_LAMP_PLAN_REGULATOR_H_
#define PLIANT_SOLVERS_ARTICULATED_LAMP_PLAN_REGULATOR_H_

#include <Eigen/Core>
#include <vector>

#include "solvers/control/riccati.h"
#include "solvers/spacetime/jump_problem.h"
#include "solvers/spacetime/lamp_trajectory.h"
#include "solvers/spacetime/plan_record.h"

namespace pliant::articulated_lamp {

struct RegulatorWeights {
  double angle = 1600.0;  // w_φ [N² m²/rad²], > 0
  double rate = 1.0;      // w_φ̇ [N² m² s²/rad²], ≥ 0
  double length = 0.3;    // m, > 0: a position that is off by this counts as an angle off by 1 rad
};

// The coordinates of a phase and its equations of motion.
struct PhaseCoordinates {
  Eigen::MatrixXd basis;  // N, 6×k, orthonormal columns
  Eigen::MatrixXd test;   // W, k×6
};
PhaseCoordinates CoordinatesOf(const LampJumpProblem& problem, LampContact contact);

// Of x = (y, ẏ) about a sample of the plan, with the torques of the hinges as the input.
LinearSystem LinearMotion(const Lamp& lamp, const PhaseCoordinates& coordinates,
                          const LampSample& sample);

// Ξ of the touchdown, 6×12: (δφ, δφ̇) after it from (δq, δq̇) before, about the last sample of the flight and the first after it.
Eigen::MatrixXd TouchdownMap(const Lamp& lamp, const LampSample& before, const LampSample& after);
// Of the takeoff: (δq, δq̇) after it from (δy, δẏ) before. From a slope it happens at its end, else when the plan says.
Eigen::MatrixXd TakeoffMap(const PhaseCoordinates& coordinates, bool from_slope,
                           const LampSample& before, const LampSample& after);

class PlanRegulator {
 public:
  using Gains = Eigen::Matrix<double, kLampHinges, 2 * kLampDof>;

  // `plan` is a solution of `problem`; steps of at most `step` seconds. K is of second order in the step.
  PlanRegulator(const LampJumpProblem& problem, const LampTrajectory& plan,
                const RegulatorWeights& weights, double step = 0.00025);

  // K [N·m/m, N·m/rad, N·m·s/m, N·m·s/rad] in a phase of the plan, its first or last value before or after it: linear between the steps.
  const Gains& AtEnd() const { return phases_.back().gains.back(); }
  Gains At(size_t phase, double time) const;
  // K at all steps of all phases, as At() reads it.
  PlanRecord::Feedback Record() const;
  // S at the beginning of a phase, of its own coordinates (y, ẏ), or (y, ẏ, x) where the base stands.
  const Eigen::MatrixXd& CostToGo(size_t phase) const { return phases_[phase].first; }

 private:
  struct Phase {
    double start, step;        // s
    std::vector<Gains> gains;  // at its steps, ends included
    Eigen::MatrixXd first;     // S
  };
  // S at the end of a plan, at rest in its last pose.
  static Eigen::MatrixXd AtRest(const Lamp& lamp, const LampJumpProblem& problem,
                                const LampTrajectory& plan, const RegulatorWeights& weights);
  // Backwards through all phases, from S at the end.
  void Pass(const Lamp& lamp, const LampJumpProblem& problem, const LampTrajectory& plan,
            double step, Eigen::MatrixXd s);

  RegulatorWeights weights_;
  std::vector<Phase> phases_;
};

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_SOLVERS_ARTICULATED_LAMP_PLAN_REGULATOR_H_
