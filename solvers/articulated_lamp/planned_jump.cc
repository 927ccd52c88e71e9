#include "solvers/articulated_lamp/planned_jump.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solvers/spacetime/interior_point.h"
#include "solvers/spacetime/methods.h"
#include "solvers/spacetime/remaining_jump.h"

namespace pliant::articulated_lamp {
namespace {

constexpr double kShortest = 3.0;  // intervals of a phase that are planned again
constexpr double kLevel = 1e-5;    // m: heights this close are the same

// A gait goes on where it has come to as it began.
void MakeLevel(LampJumpProblem* problem) {
  const bool same = std::abs(problem->end_height) <= kLevel && !problem->in_run &&
                    problem->landing_friction.value_or(problem->friction) == problem->friction;
  if (!same) {
    throw BadInput({"jump_loop",
                    "a gait needs ground of the same height and friction at its start and at "
                    "jump_distance",
                    "plan a jump without jump_loop"});
  }
  problem->end_height = 0.0;
}

}  // namespace

PlannedJump::PlannedJump(LampJumpProblem problem, const LampVector& start, double torque_limit,
                         const JumpPlanOptions& options, const LampTrajectory* guess,
                         const JumpStartsWatch& watch)
    : start_(start.head<2>()), options_(options) {
  problem.stance_duration = options.stance;
  problem.flight_duration = options.flight;
  problem.landing_duration = options.rest;
  problem.longest_stance = options.longest_stance;
  problem.longest_flight = options.longest_flight;
  problem.longest_landing = options.longest_rest;
  problem.landing = options.landing;
  for (LampJumpProblem::Stop& stop : problem.stops) {
    stop.flight_duration = options.flight;
    stop.longest_flight = options.longest_flight;
    stop.stance_duration = options.between;
    stop.longest_stance = options.longest_between;
  }
  problem.beam_clearance = options.clearance;
  problem.loop = options.loop;
  if (options.loop) {
    MakeLevel(&problem);
  } else if (options.end_pose.size() == kLampHinges) {
    problem.end_pose = LampAngles::Map(options.end_pose.data());
  } else if (!options.end_pose.empty()) {
    throw BadInput(
        {"jump_end_pose", "jump_end_pose needs one angle for each of the three hinges", ""});
  }
  problem.cost.acceleration = options.acceleration_weight;
  problem.cost.torque = options.torque_weight;
  problem.cost.work = options.work_weight;
  problem.cost.rounded_power = options.rounded_power;
  problem.cost.time = options.time_weight;
  if (std::isfinite(torque_limit)) problem.torque_limit = torque_limit;
  if (options.head_factor != 1.0) {
    problem.lamp = problem.lamp.WithHeadMass(options.head_factor * problem.lamp.links.back().mass);
  }
  for (AngleLimits& limits : problem.lamp.hinge_limits) {
    limits.lower += options.limit_margin;
    limits.upper -= options.limit_margin;
  }
  for (const LampJumpProblem::Phase& phase : problem.Phases()) frictions_.push_back(phase.friction);
  problem.friction *= 1.0 - options.friction_margin;
  if (problem.landing_friction) *problem.landing_friction *= 1.0 - options.friction_margin;
  for (LampJumpProblem::Stop& stop : problem.stops) {
    if (stop.friction) *stop.friction *= 1.0 - options.friction_margin;
  }
  if (NeedsInteriorPoint(options.method)) RequireInteriorPoint("plan_method");
  const bool regulated = options.tracking == PlanTracking::kRegulator;
  if (regulated && !(options.stiffness > 0.0)) {
    throw BadInput({"tracking_stiffness", "tracking = \"lqr\" needs a weight of angles",
                    "tracking_stiffness must be more than 0"});
  }
  LampJumpOptions mesh;
  mesh.strategy = options.method;
  mesh.transcription = options.transcription;
  mesh.step = std::ldexp(options.step, options.refinements);
  mesh.meshes = meshes();
  best_ = std::make_shared<const BestOfStarts>(SolveFromStarts(
      problem, mesh, {.starts = options.starts, .threads = options.threads, .watch = watch},
      guess));
  problem_ = std::move(problem);
  lamp_.emplace(problem_.lamp, problem_.gravity);
  if (found()) course_ = FirstCourse();
  if (regulated && found()) {
    MakeRegulator();
  }
}

PlannedJump::Course PlannedJump::FirstCourse() const {
  return {motion().trajectory, {best_, &best_->motion}, 0.0};
}

void PlannedJump::MakeRegulator() {
  const RegulatorWeights weights = {options_.stiffness * options_.stiffness,
                                    options_.damping * options_.damping,
                                    problem_.lamp.links[1].length};
  regulator_.emplace(problem_, course_.motion, weights);
}

PlannedJump::~PlannedJump() = default;
PlannedJump::PlannedJump(PlannedJump&&) noexcept = default;

const SpacetimeSummary& PlannedJump::summary() const { return motion().summary(); }
const LampJumpMotion& PlannedJump::motion() const { return best_->motion; }
const BestOfStarts& PlannedJump::starts() const { return *best_; }

PlanRecord PlannedJump::Record() const {
  PlanRecord record = RecordOf(problem_, options_.transcription, motion());
  record.origin = start_;
  record.start = best_->from;
  record.starts = best_->starts;
  if (regulator_) record.feedback = regulator_->Record();
  return record;
}

double PlannedJump::duration() const { return course_.motion.duration(); }

double PlannedJump::NextPlan() const {
  const bool more = static_cast<int>(replans_.size()) < most_replans();
  return more ? options_.replan_every * static_cast<double>(replans_.size() + 1)
              : std::numeric_limits<double>::infinity();
}

int PlannedJump::most_replans() const {
  if (!(options_.replan_every > 0.0) || loops()) return 0;
  const double landing = motion().trajectory.phases.back().start;
  return static_cast<int>(std::ceil(landing / options_.replan_every)) - 1;
}

int PlannedJump::replans_found() const {
  return static_cast<int>(std::ranges::count(replanned_, true));
}

void PlannedJump::PlanAgain(double time, const LampVector& q, const LampVector& v, int ends) {
  const bool flying = LampJumpProblem::IsFlight(course_.motion.PhaseAt(time));
  Replan replan{time, {q, v}, ends == (flying ? 0 : 2)};
  replan.from.q.head<2>() -= start_;
  Apply(replan);
}

void PlannedJump::Apply(const Replan& replan) {
  std::optional<RemainingJump> jump;
  if (replan.planned) {
    const size_t phase = course_.motion.PhaseAt(replan.time);
    jump = RemainingAt(problem_, course_.motion, motion().trajectory.phases[phase].start,
                       replan.time, replan.from, kShortest * options_.step);
  }
  bool found = false;
  if (jump) {
    LampJumpOptions mesh;
    mesh.strategy = options_.method == SpacetimeStrategy::kEither
                        ? SpacetimeStrategy::kAugmentedLagrangian
                        : options_.method;
    mesh.transcription = options_.transcription;
    mesh.step = options_.step;
    const LampJumpOnTheWay last{*course_.last, replan.time - course_.since};
    auto plan = std::make_shared<const LampJumpMotion>(
        SolveLampJump(jump->problem, mesh, &jump->guess, &last));
    found = plan->found();
    if (found) {
      LampTrajectory motion = Continue(course_.motion, replan.time, plan->trajectory);
      course_ = {std::move(motion), std::move(plan), replan.time};
    }
  }
  replans_.push_back(replan);
  continued_.push_back(course_);
  replanned_.push_back(found);
  if (found && regulator_) MakeRegulator();
}

void PlannedJump::Restore(const std::vector<Replan>& replans) {
  const auto same = [](const Replan& a, const Replan& b) {
    return a.time == b.time && a.from.q == b.from.q && a.from.v == b.from.v &&
           a.planned == b.planned;
  };
  const auto common =
      static_cast<size_t>(std::ranges::mismatch(replans_, replans, same).in1 - replans_.begin());
  if (common < replans_.size()) {
    replans_.resize(common);
    continued_.resize(common);
    replanned_.resize(common);
    course_ = common > 0 ? continued_.back() : FirstCourse();
    if (regulator_) MakeRegulator();
  }
  for (size_t i = common; i < replans.size(); ++i) Apply(replans[i]);
}

PlannedJump::Excess PlannedJump::BetweenNodes(const Lamp& lamp) const {
  Excess excess;
  const double w = lamp.parameters().half_width;
  const std::vector<LampPhase>& phases = motion().trajectory.phases;
  for (size_t p = 0; p < phases.size(); ++p) {
    const LampPhase& phase = phases[p];
    for (int i = 0; i < kDense * phase.intervals(); ++i) {
      const double time = phase.start + (i + 0.5) / kDense * phase.step();
      const LampSample sample = LampTrajectory::At(*lamp_, phase, time);
      for (int j = 0; j < kLampHinges; ++j) {
        const AngleLimits& limits = lamp.parameters().hinge_limits[j];
        const double angle = sample.q[3 + j];
        const double beyond = std::max(limits.lower - angle, angle - limits.upper);
        if (beyond > excess.hinge) excess.hinge = beyond, excess.hinge_time = time;
      }
      const auto links = LinkStates<double>(*lamp_, sample.q, sample.v);
      for (const LampJumpProblem::Beam& beam : problem_.beams) {
        for (int j = 1; j < kLampLinks; ++j) {
          const Eigen::Vector2d end = links[j].origin + lamp.link(j).length * links[j].direction;
          if (end.x() < beam.left || end.x() > beam.right) continue;
          const double beyond = end.y() + problem_.beam_clearance - beam.bottom;
          if (beyond > excess.beam) excess.beam = beyond, excess.beam_time = time;
        }
      }
      if (phase.contact != LampContact::kStance) continue;
      const Eigen::Vector3d floor = StanceDynamics(*lamp_, sample.q, sample.v.tail<3>(),
                                                   LampTrajectory::Torques(*lamp_, phase, time))
                                        .contact;
      const double beyond = std::max(std::abs(floor[0]) - frictions_[p] * floor[1],
                                     std::abs(floor[2]) / w - floor[1]);
      if (beyond > excess.cone) excess.cone = beyond, excess.cone_time = time;
    }
  }
  return excess;
}

PlannedJump::Peak PlannedJump::LargestTorque() const {
  Peak peak;
  for (const LampPhase& phase : motion().trajectory.phases) {
    for (int i = 0; i < phase.intervals(); ++i) {
      for (const double s : kGaussPoints) {
        const double time = phase.start + (i + s) * phase.step();
        const LampAngles torques = LampTrajectory::Torques(*lamp_, phase, time);
        for (int j = 0; j < kLampHinges; ++j) {
          if (std::abs(torques[j]) > std::abs(peak.torque)) peak = {j, torques[j], time};
        }
      }
    }
  }
  return peak;
}

double PlannedJump::Work() const {
  double work = 0.0;
  for (const LampPhase& phase : motion().trajectory.phases) {
    const double step = phase.step() / kDense;
    for (int i = 0; i < kDense * phase.intervals(); ++i) {
      const double time = phase.start + (i + 0.5) * step;
      const LampAngles rates = LampTrajectory::NodeAt(phase, time).v.tail<3>();
      const LampAngles torques = LampTrajectory::Torques(*lamp_, phase, time);
      work += step * torques.cwiseProduct(rates).cwiseAbs().sum();
    }
  }
  return work;
}

std::optional<double> PlannedJump::CostOfTransport() const {
  const double weighed = lamp_->mass() * lamp_->gravity() * std::abs(problem_.distance);
  return weighed > 0.0 ? std::optional(Work() / weighed) : std::nullopt;
}

PlannedJump::Lap PlannedJump::LapAt(double time) const {
  if (!loops()) return {time, Eigen::Vector2d::Zero()};
  const double lap = std::floor(time / duration());
  return {time - lap * duration(), {lap * problem_.distance, 0.0}};
}

PlannedJump::State PlannedJump::At(double time) const {
  const LampTrajectory& plan = course_.motion;
  const Lap lap = LapAt(time);
  const LampSample sample = plan.At(*lamp_, std::min(lap.time, plan.duration()));
  State state{sample.q, sample.v};
  if (lap.time >= plan.duration() && !loops()) state.v.setZero();
  state.q.head<2>() += start_ + lap.shift;
  return state;
}

LampAngles PlannedJump::PlannedTorques(double begin, double step) const {
  const LampTrajectory& plan = course_.motion;
  const double time = LapAt(begin).time + 0.5 * step;
  if (time >= plan.duration() && !loops()) {
    LampVector rest = LampVector::Zero();
    return InverseDynamics(*lamp_, At(time).q, rest, rest).tail<3>();
  }
  return LampTrajectory::Torques(*lamp_, plan.phases[plan.PhaseAt(time)], time);
}

HingeTorques PlannedJump::Torques(double begin, double step, double limit, const LampVector& q,
                                  const LampVector& v, int ends, double share) const {
  HingeTorques wanted;
  if (regulator_) {
    const Lap lap = LapAt(begin);
    LampVector here = q;
    here.head<2>() -= lap.shift;
    wanted = Regulated(lap.time, step, here, v, ends, share);
  } else {
    const double ahead = share * step;
    const State then = At(begin + ahead);
    const LampAngles rates = v.tail<3>();
    wanted.start = PlannedTorques(begin, step) +
                   options_.stiffness * ((then.q - q).tail<3>() - ahead * rates) +
                   options_.damping * (then.v.tail<3>() - rates);
    wanted.resistance.setConstant(share * (ahead * options_.stiffness + options_.damping));
  }
  HingeTorques torques;
  for (int i = 0; i < kLampHinges; ++i) {
    torques.start[i] = std::clamp(wanted.start[i], -limit, limit);
    if (torques.start[i] == wanted.start[i]) torques.resistance[i] = wanted.resistance[i];
  }
  return torques;
}

PlannedJump::Followed PlannedJump::PhaseOf(double time, int ends) const {
  const std::vector<LampPhase>&phases = course_.motion.phases, &first = motion().trajectory.phases;
  for (size_t flight = 1; flight + 1 < phases.size(); flight += 2) {
    if (time < phases[flight].start) return {flight - 1, true};
    const size_t stance = flight + 1;
    const bool is_goal = stance + 1 == phases.size() && !loops();
    const double rest = is_goal ? std::numeric_limits<double>::infinity() : first[stance].duration;
    const double near = 0.5 * std::min(first[flight].duration, rest);
    if (std::abs(time - phases[stance].start) < near) {
      return {ends > 0 ? stance : flight, ends != 1};
    }
    if (time < phases[stance].start) return {flight, true};
  }
  return {phases.size() - 1, true};
}

PlannedJump::State PlannedJump::Continued(size_t phase, double time) const {
  const LampPhase& of = course_.motion.phases[phase];
  const double within = std::clamp(time, of.start, of.start + of.duration), beyond = time - within;
  LampSample sample = LampTrajectory::At(*lamp_, of, within);
  if (beyond != 0.0) {
    sample.q += beyond * sample.v + 0.5 * beyond * beyond * sample.acceleration;
    sample.v += beyond * sample.acceleration;
  }
  sample.q.head<2>() += start_;
  return {sample.q, sample.v};
}

// The deviation at `share` of the step is that at its beginning, carried on with its rates. The own rate of each hinge yields within the step, as
// that of a servo does, while the rate of the plan changes: so the law is consistent, whatever the step.
HingeTorques PlannedJump::Regulated(double begin, double step, const LampVector& q,
                                    const LampVector& v, int ends, double share) const {
  const double ahead = share * step, time = begin + ahead;
  const auto [phase, applies] = PhaseOf(time, ends);
  const bool over = begin >= duration() && !loops();
  const State now = over ? At(begin) : Continued(phase, begin);
  const State then = over ? now : Continued(phase, time);
  const PlanRegulator::Gains gains = over ? regulator_->AtEnd() : regulator_->At(phase, time);
  Deviation off = Deviation::Zero();
  off.tail<kLampDof>() = v - now.v;
  off.head<kLampDof>() = q - now.q + ahead * off.tail<kLampDof>();
  HingeTorques torques;
  torques.start =
      (over ? PlannedTorques(begin, step)
            : LampTrajectory::Torques(*lamp_, course_.motion.phases[phase], begin + 0.5 * step)) -
      applies * gains * off;
  for (int i = 0; i < kLampHinges; ++i) {
    const double own =
        applies * std::max(0.0, ahead * gains(i, 3 + i) + gains(i, kLampDof + 3 + i));
    torques.start[i] += own * (then.v - now.v)[3 + i];
    torques.resistance[i] = share * own;
  }
  return torques;
}

}  // namespace pliant::articulated_lamp
