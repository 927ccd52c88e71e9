// A jump found by spacetime optimisation, replayed by a lamp of the simulation: the planned
// torques, and a servo that keeps the hinges at the planned angles,
//
//   τ = τ_plan + C (φ_plan − φ) + D (φ̇_plan − φ̇) ,
//
// where nothing keeps the base on the plan; or the regulator of the plan (plan_regulator.h), which turns the hinges away from the plan where that
// brings the base back to it,
//
//   τ = τ_plan − K(t) (q − q_plan; q̇ − q̇_plan) .
//
// After the end of the plan both keep its last pose; a loop begins again, as far on as it has come. The touchdown of the regulator is that of the lamp: where the base stands before the plan
// has landed, and where it flies longer, the motion of that phase of the plan is carried on with its acceleration [Rijnen 2015],
// since to follow rates that jump at another time would cost large torques; while one end of the base is down and the other is not, for
// some milliseconds, neither phase is near, and the planned torques act alone.

#ifndef PLIANT_SOLVERS_ARTICULATED_LAMP_PLANNED_JUMP_H_
#define PLIANT_SOLVERS_ARTICULATED_LAMP_PLANNED_JUMP_H_

#include <memory>
#include <optional>
#include <vector>

#include "solvers/articulated_lamp/lamp_stepper.h"
#include "solvers/articulated_lamp/plan_regulator.h"
#include "solvers/parameters.h"
#include "solvers/spacetime/jump_problem.h"
#include "solvers/spacetime/jump_starts.h"
#include "solvers/spacetime/lamp_jump.h"
#include "solvers/spacetime/plan_record.h"

namespace pliant::articulated_lamp {

// Where the lamp had come to when it planned again.
struct Replan {
  double time;    // s
  LampNode from;  // in the coordinates of the plan
  bool planned;   // false where contact was not that of the plan
};

enum class PlanTracking { kServo, kRegulator };

struct JumpPlanOptions {
  double distance = 0.3;         // m
  std::vector<double> stops;     // m: where it lands on the way, as `distance`
  std::vector<double> end_pose;  // rad; as at the start where it is empty
  bool loop = false;
  double stance = 0.6, flight = 0.28, rest = 0.5;  // s
  double between = 0.5;                            // s, on each stop
  double clearance = 0.0;                          // m, below beams, ≥ 0
  // s; where one is more than the time above, the best between the two.
  double longest_stance = 0.0, longest_flight = 0.0, longest_rest = 0.0, longest_between = 0.0;
  LampJumpProblem::Landing landing = LampJumpProblem::Landing::kPlastic;
  double acceleration_weight = MotionCost{}.acceleration;  // ε
  double torque_weight = MotionCost{}.torque;              // κ, ≥ 0
  double work_weight = 0.0;                                // π [N m s], ≥ 0
  double rounded_power = MotionCost{}.rounded_power;       // P₀ [W], > 0
  double time_weight = 0.0;                                // w [N² m²], ≥ 0
  LampTranscription transcription = LampTranscription::kHermite;
  SpacetimeStrategy method = SpacetimeStrategy::kEither;
  double step = 0.01;   // s, of the finest mesh, > 0
  int refinements = 1;  // from coarser ones, ≥ 0
  int starts = 1;       // initial guesses, of which the cheapest plan counts (jump_starts.h), ≥ 1
  int threads = 1;      // that share them, ≥ 1
  // What the plan keeps from the limits of the hinges [rad] and, as a share, from the friction cone.
  double limit_margin = 0.0, friction_margin = 0.0;
  double head_factor = 1.0;   // mass of the head in the plan, divided by that in the scene, > 0
  double replan_every = 0.0;  // s, ≥ 0; 0: never
  PlanTracking tracking = PlanTracking::kServo;
  // The regulator weights angles by C² and rates by D², which makes it as stiff.
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
  // iteration of each start.
  PlannedJump(LampJumpProblem problem, const LampVector& start, double torque_limit,
              const JumpPlanOptions& options, const LampTrajectory* guess = nullptr,
              const JumpStartsWatch& watch = {});
  ~PlannedJump();
  PlannedJump(PlannedJump&&) noexcept;

  bool found() const { return motion().found(); }
  const SpacetimeSummary& summary() const;
  const LampJumpMotion& motion() const;
  PlanMeshes meshes() const { return {options_.refinements, kFurtherMeshes}; }
  const BestOfStarts& starts() const;  // of which the motion is the best
  PlanRecord Record() const;           // found() is true
  double duration() const;             // s
  bool loops() const { return problem_.loop; }
  bool has_beams() const { return !problem_.beams.empty(); }

  // Receding horizon: plans what is left of the jump (solvers/spacetime/remaining_jump.h) from the motion at `time`, starting from the plan so
  // far, on its mesh. The plan is replaced where one is found. Nothing once the lamp has landed at its goal, and where contact is not that of
  // the plan.
  void PlanAgain(double time, const LampVector& q, const LampVector& v, int ends);
  // When the next one is due, at the earliest [s]; infinite where plans are not made again.
  double NextPlan() const;
  // Those that were tried, and how many of them found a plan. Planning the same ones again gives the same plan.
  const std::vector<Replan>& replans() const { return replans_; }
  int replans_found() const;
  void Restore(const std::vector<Replan>& replans);
  int most_replans() const;

  // How far the plan leaves the limits of the hinges of `lamp`, the friction cone and its clearance below beams between the places where it
  // is held to them: over kDense points of each interval, 0 where it does not.
  struct Excess {
    double hinge = 0.0;       // rad
    double hinge_time = 0.0;  // s
    double cone = 0.0;        // N, of friction or of the moment by the half width
    double cone_time = 0.0;   // s
    double beam = 0.0;        // m, into the clearance below a beam
    double beam_time = 0.0;   // s
  };
  static constexpr int kDense = 20;
  Excess BetweenNodes(const Lamp& lamp) const;

  // The largest torque of the plan, of all Gauss points.
  struct Peak {
    int hinge = 0;
    double torque = 0.0;  // N·m, with sign
    double time = 0.0;    // s
  };
  Peak LargestTorque() const;
  // ∫ Σ |τ φ̇| dt of the plan [J].
  double Work() const;
  // Work() by the weight of the lamp and the distance [1]; none without weight or distance.
  std::optional<double> CostOfTransport() const;

  // Of the plan at `time`, in the world; after its end the last pose, at rest, or the next lap of the loop.
  struct State {
    LampVector q, v;
  };
  State At(double time) const;
  // Planned torques in the middle of a step, without those that track [N·m].
  LampAngles PlannedTorques(double begin, double step) const;
  // Torques of a step from `begin`, planned and tracking, cut off at `limit` [N·m]; those that track are
  // those at `share` of the step: 1 its end, ½ its middle. `ends` of the base touch the ground.
  HingeTorques Torques(double begin, double step, double limit, const LampVector& q,
                       const LampVector& v, int ends, double share = 1.0) const;

 private:
  using Deviation = Eigen::Matrix<double, 2 * kLampDof, 1>;  // deviation (δq, δq̇)
  // The phase of the plan that the regulator follows when `ends` of the base touch the ground; `applies`: the lamp is near it.
  struct Followed {
    size_t phase;
    bool applies;
  };
  // Where a time is in the laps of a loop, in the first one without.
  struct Lap {
    double time;            // s, since it began
    Eigen::Vector2d shift;  // m, of the base since the first one
  };
  Lap LapAt(double time) const;
  Followed PhaseOf(double time, int ends) const;
  State Continued(size_t phase, double time) const;  // its motion at any time
  HingeTorques Regulated(double begin, double step, const LampVector& q, const LampVector& v,
                         int ends, double share) const;

  void MakeRegulator();  // of course_
  // Plans as it says, and keeps it and what came out.
  void Apply(const Replan& replan);

  LampJumpProblem problem_;
  std::optional<Lamp> lamp_;  // that the plan reckons with
  std::shared_ptr<const BestOfStarts> best_;
  Eigen::Vector2d start_;          // m, where the middle of the base was
  std::vector<double> frictions_;  // μ of the scene, of each phase
  std::optional<PlanRegulator> regulator_;
  JumpPlanOptions options_;
  // What is followed now, in the times of the first plan, and the last plan of which that is: where it is due again, its multipliers
  // are those to begin with.
  struct Course {
    LampTrajectory motion;
    std::shared_ptr<const LampJumpMotion> last;
    double since = 0.0;  // s, when the last one began
  };
  Course FirstCourse() const;
  Course course_;
  // Plans made on the way, and what came out of each.
  std::vector<Replan> replans_;
  std::vector<Course> continued_;  // course_ after each
  std::vector<bool> replanned_;    // whether it found a plan
};

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_SOLVERS_ARTICULATED_LAMP_PLANNED_JUMP_H_
