#include "solvers/dynamic_ffd/planned_modes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "models/scene/number_text.h"
#include "solvers/dynamic_ffd/jump_character.h"
#include "solvers/spacetime/interior_point.h"

namespace pliant::dynamic_ffd {

using Eigen::VectorXd;

namespace {

struct Servo {
  VectorXd C, D;  // of each mode; 0 where it does not act
};
Servo ServoOf(const DeformableCharacter& character, const ModeJumpOptions& keys) {
  Servo servo{VectorXd::Zero(character.size()), VectorXd::Zero(character.size())};
  const double omega = 2.0 * std::numbers::pi * keys.tracking_frequency;
  for (int k = 0; k < character.size(); ++k) {
    if (!character.acts[k]) continue;
    const double inertia = character.second(k + 1, k + 1).real();
    servo.C[k] = inertia * omega * omega;
    servo.D[k] = 2.0 * keys.tracking_damping_ratio * inertia * omega;
  }
  return servo;
}

// How far a plan leaves what it is held to at samples and nodes alone, over dense points of each interval.
struct Excess {
  double value = 0.0, time = 0.0;

  void Raise(double to, double at) {
    if (to > value) *this = {to, at};
  }
  std::string Text(const std::string& unit) const {
    return value > 0.0 ? ThreeDigits(value) + unit + ", at " + ThreeDigits(time) + " s" : "0";
  }
};
struct Excesses {
  Excess cone;    // N, of friction or of the moment by half the width
  Excess flight;  // N, of the force of the ground in the air
  Excess limits;  // of γ
};
Excesses BetweenSamples(const DeformableJumpProblem& problem, const DeformableMotion& motion) {
  constexpr int kDense = 20;
  const DeformableCharacter& character = problem.character;
  Excesses excesses;
  DeformableMotion::Sample sample;
  for (size_t p = 0; p < motion.phases.size(); ++p) {
    const DeformableMotion::Phase& phase = motion.phases[p];
    const int points = kDense * phase.intervals();
    for (int i = 0; i <= points; ++i) {
      const double time = phase.start + phase.duration * i / points;
      SampleOf(character, phase, time, &sample);
      const VectorXd& force = sample.force;
      const auto gamma = sample.q.tail(character.size());
      excesses.limits.Raise((character.lower - gamma).cwiseMax(gamma - character.upper).maxCoeff(),
                            time);
      if (p == 1) {
        excesses.flight.Raise(force.head<2>().norm(), time);
        continue;
      }
      const double moment = std::abs(force[2]) / character.half_width - force[1];
      excesses.cone.Raise(std::max(std::abs(force[0]) - problem.friction * force[1], moment), time);
    }
  }
  return excesses;
}

}  // namespace

PlannedModes::PlannedModes(const Scene& scene, const FfdPart& part, const VectorRef& q,
                           const VectorRef& v, const ModeJumpOptions& keys,
                           const DeformableJumpWatch& watch) {
  if (NeedsInteriorPoint(keys.method)) RequireInteriorPoint("plan_method");
  const Obstacle& ground = JumpGroundOf(scene);
  const JumpBase base = JumpBaseOf(part, q, ground);
  left_ = base.left;
  right_ = base.right;
  origin_ = base.middle;

  auto problem = std::make_shared<DeformableJumpProblem>();
  problem->character = JumpCharacterOf(scene, part, q, v, base, keys.acts);
  problem->start = problem->end = q.tail(part.body.modes());
  problem->distance = keys.distance;
  problem->friction = (1.0 - keys.friction_margin) * ground.friction;
  problem->duration = {keys.stance, keys.flight, keys.rest};
  problem->longest = {keys.longest_stance, keys.longest_flight, keys.longest_rest};
  problem->time_weight = keys.time_weight;
  DeformableJumpOptions options;
  options.strategy = keys.method;
  options.step = std::ldexp(keys.step, keys.refinements);
  options.meshes = meshes_ = {keys.refinements, kFurtherMeshes};
  options.watch = watch;
  plan_ = std::make_shared<const DeformableJumpPlan>(SolveDeformableJump(*problem, options));
  problem_ = std::move(problem);
  const Servo servo = ServoOf(problem_->character, keys);
  C_ = servo.C;
  D_ = servo.D;
  Place(0.0);
}

void PlannedModes::Place(double time) { plan_->motion.At(problem_->character, time, &sample_); }

double PlannedModes::Force(Eigen::Index mode, const VectorRef& gamma,
                           const VectorRef& gamma_dot) const {
  const Eigen::Index k = 3 + mode;
  return sample_.force[k] - C_[mode] * (gamma[mode] - sample_.q[k]) -
         D_[mode] * (gamma_dot[mode] - sample_.v[k]);
}

double PlannedModes::AddForces(const VectorRef& gamma, const VectorRef& gamma_dot,
                               MutableVectorRef Q) const {
  double power = 0.0;
  for (Eigen::Index mode = 0; mode < C_.size(); ++mode) {
    if (!problem_->character.acts[mode]) continue;
    const double force = Force(mode, gamma, gamma_dot);
    Q[mode] += force;
    power += force * gamma_dot[mode];
  }
  return power;
}

double PlannedModes::PowerAt(const VectorRef& gamma, const VectorRef& gamma_dot,
                             const VectorRef& other) const {
  double power = 0.0;
  for (Eigen::Index mode = 0; mode < C_.size(); ++mode) {
    if (problem_->character.acts[mode]) power += Force(mode, gamma, gamma_dot) * other[mode];
  }
  return power;
}

PlannedModes::Distance PlannedModes::From(double time, const FfdPart& part,
                                          const VectorRef& q) const {
  const DeformableMotion::Sample planned = plan_->motion.At(problem_->character, time);
  Eigen::Matrix3Xd x(3, part.body.points());
  part.body.Points(q, x);
  const Eigen::Vector2d base = 0.5 * (x.col(left_) + x.col(right_)).head<2>() - origin_;
  const int modes = part.body.modes();
  return {(q.tail(modes) - planned.q.tail(modes)).cwiseAbs().maxCoeff(),
          (base - planned.q.head<2>()).norm()};
}

FindingTable PlannedModes::Describe() const {
  const SpacetimeSummary& summary = plan_->summary();
  FindingTable table;
  table.title = kTitle;
  table.columns = {"quantity", "value"};
  table.rows.push_back({"cost J", Digits(summary.final_cost, 10)});
  for (const PlanLevel& level : plan_->levels) {
    table.rows.push_back({"cost J on a mesh of " + ThreeDigits(level.step) + " s",
                          Digits(level.summary.final_cost, 10)});
  }
  static constexpr std::array<const char*, 3> names = {"on the ground", "in the air",
                                                       "on the ground"};
  for (size_t p = 0; p < plan_->motion.phases.size(); ++p) {
    const DeformableMotion::Phase& phase = plan_->motion.phases[p];
    table.rows.push_back(
        {std::string("time ") + names[p] + ", from " + ThreeDigits(phase.start) + " s on [s]",
         ThreeDigits(phase.duration)});
  }
  table.rows.push_back({"found by", std::string(ToString(summary.method))});
  table.rows.push_back({"residual of stationarity", ThreeDigits(summary.residuals.stationarity)});
  table.rows.push_back({"worst scaled violation", ThreeDigits(summary.violation)});
  for (const SpacetimeSummary::Violation& kind : summary.kinds)
    table.rows.push_back({"of it " + kind.name, ThreeDigits(kind.scaled)});
  const Excesses between = BetweenSamples(*problem_, plan_->motion);
  table.rows.push_back({"beyond the friction cone between samples", between.cone.Text(" N")});
  table.rows.push_back(
      {"force of the ground in the air between samples", between.flight.Text(" N")});
  table.rows.push_back({"beyond limits of modes between nodes", between.limits.Text("")});
  table.rows.push_back(
      {"share of the momentum of the flight that comes from nowhere between samples",
       ThreeDigits(plan_->momentum_defect())});
  table.rows.push_back({"outer iterations", std::to_string(summary.outer_iterations)});
  table.rows.push_back({"inner iterations", std::to_string(summary.inner_iterations)});
  table.remark = plan_->Message();
  return table;
}

}  // namespace pliant::dynamic_ffd
