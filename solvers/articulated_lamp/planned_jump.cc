#include "solvers/articulated_lamp/planned_jump.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solvers/spacetime/interior_point.h"
#include "solvers/spacetime/methods.h"
#include "solvers/spacetime/transcription_words.h"

namespace pliant::articulated_lamp {

void JumpPlanOptions::Bind(ParameterBinder& b) {
  b.Real("jump_distance", &distance, "m", {}, "distance of the jump along x");
  b.Real("jump_stance", &stance, "s", MoreThan(0.0),
         "time on the ground before the jump, or on the slope of a ski jump");
  b.Real("jump_flight", &flight, "s", MoreThan(0.0), "time in the air");
  b.Real("jump_rest", &rest, "s", MoreThan(0.0), "time between landing and rest");
  const auto longest = [&b](const std::string& name, double* field) {
    b.Real(name + "_longest", field, "s", AtLeast(0.0),
           "if it exceeds " + name +
               ", the time is free between the two and the plan finds the cheapest one");
  };
  longest("jump_stance", &longest_stance);
  longest("jump_flight", &longest_flight);
  longest("jump_rest", &longest_rest);
  b.Choice(
      "jump_landing", &landing,
      {{"plastic", LampJumpProblem::Landing::kPlastic}, {"soft", LampJumpProblem::Landing::kSoft}},
      "the base stops at once on landing, or arrives with zero velocity");
  b.Real("acceleration_weight", &acceleration_weight, "N2 m2 s4", MoreThan(0.0),
         "ε of the cost, the integral of Σ τ² + ε Σ φ̈²");
  b.Choice("plan_transcription", &transcription, TranscriptionWords(),
           "how motion and physics are discretised on the mesh: cubics with physics at "
           "two Gauss points of each interval, the trapezoidal rule, or differences of positions");
  b.Choice("plan_method", &method, StrategyWords(),
           "how the plan is searched for: by an augmented Lagrangian; by an interior-point method; "
           "by the second where "
           "the first does not converge; or by both, of which the cheaper plan counts. The "
           "interior-point method "
           "needs Ipopt");
  b.Real("plan_step", &step, "s", MoreThan(0.0), "interval of the finest mesh");
  b.Integer("plan_refinements", &refinements, "1", Between(0, 10),
            "how often the mesh is halved; each solve starts from the coarser plan");
  b.Real("plan_limit_margin", &limit_margin, "rad", AtLeast(0.0),
         "angle by which the plan stays away from the limits of the hinges, so that the stops do "
         "not touch them between the nodes");
  b.Real("plan_friction_margin", &friction_margin, "1", Between(0.0, 0.99),
         "share of the friction that the plan does not use");
  b.Real("tracking_stiffness", &stiffness, "N m/rad", AtLeast(0.0),
         "stiffness C of the servo that keeps the hinges on the plan");
  b.Real("tracking_damping", &damping, "N m s/rad", AtLeast(0.0), "damping D of that servo");
}

PlannedJump::PlannedJump(LampJumpProblem problem, const LampVector& start, double torque_limit,
                         const JumpPlanOptions& options, const LampTrajectory* guess,
                         const LampJumpWatch& watch)
    : start_(start.head<2>()), options_(options) {
  problem.stance_duration = options.stance;
  problem.flight_duration = options.flight;
  problem.landing_duration = options.rest;
  problem.longest_stance = options.longest_stance;
  problem.longest_flight = options.longest_flight;
  problem.longest_landing = options.longest_rest;
  problem.landing = options.landing;
  problem.cost.acceleration = options.acceleration_weight;
  if (std::isfinite(torque_limit)) problem.torque_limit = torque_limit;
  for (AngleLimits& limits : problem.lamp.hinge_limits) {
    limits.lower += options.limit_margin;
    limits.upper -= options.limit_margin;
  }
  frictions_ = {problem.friction, problem.landing_friction.value_or(problem.friction)};
  problem.friction *= 1.0 - options.friction_margin;
  if (problem.landing_friction) *problem.landing_friction *= 1.0 - options.friction_margin;
  if (NeedsInteriorPoint(options.method)) RequireInteriorPoint("plan_method");
  LampJumpOptions mesh;
  mesh.strategy = options.method;
  mesh.transcription = options.transcription;
  mesh.step = std::ldexp(options.step, options.refinements);
  mesh.refinements = options.refinements;
  mesh.watch = watch;
  motion_ = std::make_unique<const LampJumpMotion>(SolveLampJump(problem, mesh, guess));
  problem_ = std::move(problem);
}

PlannedJump::~PlannedJump() = default;
PlannedJump::PlannedJump(PlannedJump&&) noexcept = default;

const SpacetimeSummary& PlannedJump::summary() const { return motion_->summary(); }
const LampJumpMotion& PlannedJump::motion() const { return *motion_; }

PlanRecord PlannedJump::Record() const {
  PlanRecord record = RecordOf(problem_, options_.transcription, *motion_);
  record.origin = start_;
  return record;
}

double PlannedJump::duration() const { return motion_->trajectory.duration(); }

PlannedJump::Excess PlannedJump::BetweenNodes(const Lamp& lamp) const {
  Excess excess;
  const double w = lamp.parameters().half_width;
  for (const LampPhase& phase : motion_->trajectory.phases) {
    for (int i = 0; i < kDense * phase.intervals(); ++i) {
      const double time = phase.start + (i + 0.5) / kDense * phase.step();
      const LampSample sample = LampTrajectory::At(lamp, phase, time);
      for (int j = 0; j < kLampHinges; ++j) {
        const AngleLimits& limits = lamp.parameters().hinge_limits[j];
        const double angle = sample.q[3 + j];
        const double beyond = std::max(limits.lower - angle, angle - limits.upper);
        if (beyond > excess.hinge) excess.hinge = beyond, excess.hinge_time = time;
      }
      if (phase.contact != LampContact::kStance) continue;
      const Eigen::Vector3d floor = StanceDynamics(lamp, sample.q, sample.v.tail<3>(),
                                                   LampTrajectory::Torques(lamp, phase, time))
                                        .contact;
      const double friction = frictions_[phase.start > 0.0 ? 1 : 0];
      const double beyond =
          std::max(std::abs(floor[0]) - friction * floor[1], std::abs(floor[2]) / w - floor[1]);
      if (beyond > excess.cone) excess.cone = beyond, excess.cone_time = time;
    }
  }
  return excess;
}

PlannedJump::Peak PlannedJump::LargestTorque(const Lamp& lamp) const {
  Peak peak;
  for (const LampPhase& phase : motion_->trajectory.phases) {
    for (int i = 0; i < phase.intervals(); ++i) {
      for (const double s : kGaussPoints) {
        const double time = phase.start + (i + s) * phase.step();
        const LampAngles torques = LampTrajectory::Torques(lamp, phase, time);
        for (int j = 0; j < kLampHinges; ++j) {
          if (std::abs(torques[j]) > std::abs(peak.torque)) peak = {j, torques[j], time};
        }
      }
    }
  }
  return peak;
}

PlannedJump::State PlannedJump::At(const Lamp& lamp, double time) const {
  const LampTrajectory& plan = motion_->trajectory;
  const LampSample sample = plan.At(lamp, std::min(time, plan.duration()));
  State state{sample.q, sample.v};
  if (time >= plan.duration()) state.v.setZero();
  state.q.head<2>() += start_;
  return state;
}

LampAngles PlannedJump::PlannedTorques(const Lamp& lamp, double begin, double step) const {
  const LampTrajectory& plan = motion_->trajectory;
  const double time = begin + 0.5 * step;
  if (time >= plan.duration()) {
    LampVector rest = LampVector::Zero();
    return InverseDynamics(lamp, At(lamp, time).q, rest, rest).tail<3>();
  }
  size_t phase = 0;
  while (phase + 1 < plan.phases.size() && time >= plan.phases[phase + 1].start) ++phase;
  return LampTrajectory::Torques(lamp, plan.phases[phase], time);
}

HingeTorques PlannedJump::Torques(const Lamp& lamp, double begin, double step, double limit,
                                  const LampVector& q, const LampVector& v, double share) const {
  const double ahead = share * step;
  const State then = At(lamp, begin + ahead);
  const LampAngles rates = v.tail<3>();
  const LampAngles wanted = PlannedTorques(lamp, begin, step) +
                            options_.stiffness * ((then.q - q).tail<3>() - ahead * rates) +
                            options_.damping * (then.v.tail<3>() - rates);
  HingeTorques torques;
  for (int i = 0; i < kLampHinges; ++i) {
    torques.start[i] = std::clamp(wanted[i], -limit, limit);
    if (torques.start[i] != wanted[i]) continue;
    torques.resistance[i] = share * (ahead * options_.stiffness + options_.damping);
  }
  return torques;
}

}  // namespace pliant::articulated_lamp
