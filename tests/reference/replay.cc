#include "tests/reference/replay.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "models/problem.h"

namespace pliant {
namespace {

using articulated_lamp::LampVector;

class Player {
 public:
  Player(const LampJumpProblem& problem, const LampTrajectory& plan, const ReplayOptions& options)
      : problem_(problem), lamp_(problem.lamp, problem.gravity), plan_(plan), options_(options) {}

  LampReplay Run() {
    q_ = plan_.phases.front().nodes.front().q;
    v_ = plan_.phases.front().nodes.front().v;
    for (size_t p = 0; p < plan_.phases.size(); ++p) {
      const LampPhase& phase = plan_.phases[p];
      if (p > 0 && phase.contact == LampContact::kStance) TouchDown();
      Compare(phase.start, phase.nodes.front());
      const int substeps = static_cast<int>(std::ceil(phase.step() / options_.max_step));
      const double h = phase.step() / substeps;
      for (int i = 0; i < phase.intervals(); ++i) {
        for (int k = 0; k < substeps; ++k) {
          Step(phase, phase.start + i * phase.step() + k * h, h);
        }
        Compare(phase.start + (i + 1) * phase.step(), phase.nodes[i + 1]);
      }
    }
    return std::move(replay_);
  }

 private:
  void TouchDown() {
    for (const Eigen::Vector2d& end : ContactPoints(lamp_, q_)) {
      replay_.touchdown_gap =
          std::max(replay_.touchdown_gap, std::abs(end.y() - problem_.end_height));
    }
    const articulated_lamp::Impact impact = PlasticImpact(lamp_, q_, v_);
    v_.setZero();
    v_.tail<3>() = impact.rates;
  }

  void Compare(double time, const LampNode& node) {
    replay_.frames.push_back({time, q_, v_});
    const LampVector error = q_ - node.q;
    replay_.hinge_error = std::max(replay_.hinge_error, error.tail<3>().cwiseAbs().maxCoeff());
    replay_.base_error = std::max(replay_.base_error, error.head<2>().norm());
  }

  // q̈ in the phase, at `time` inside the plan's interval that a step of RK4 is in. Adds the effort
  // of the servo and the missing floor force, both weighted.
  LampVector Acceleration(const LampPhase& phase, double time, const LampVector& q,
                          const LampVector& v, double weight) {
    articulated_lamp::LampAngles torques = LampTrajectory::Torques(lamp_, phase, time);
    if (options_.servo_stiffness > 0.0 || options_.servo_damping > 0.0) {
      const LampSample plan = LampTrajectory::At(lamp_, phase, time);
      const articulated_lamp::LampAngles servo = options_.servo_stiffness * (plan.q - q).tail<3>() +
                                                 options_.servo_damping * (plan.v - v).tail<3>();
      replay_.servo_effort += weight * servo.squaredNorm();
      torques += servo;
    }
    LampVector acceleration = LampVector::Zero();
    if (phase.contact == LampContact::kFlight) {
      LampVector force = LampVector::Zero();
      force.tail<3>() = torques;
      return ForwardDynamics(lamp_, q, v, force);
    }
    if (phase.contact == LampContact::kSlide) return Sliding(q, v, torques, weight);
    const articulated_lamp::StanceMotion motion = StanceDynamics(lamp_, q, v.tail<3>(), torques);
    acceleration.tail<3>() = motion.acceleration;
    const double w = lamp_.parameters().half_width;
    const Eigen::Vector3d& floor = motion.contact;
    const double friction = phase.start > 0.0 && problem_.landing_friction
                                ? *problem_.landing_friction
                                : problem_.friction;
    const double needed = std::max(std::abs(floor[0]) / friction, std::abs(floor[2]) / w);
    replay_.contact_lack += weight * std::max(0.0, needed - floor[1]);
    return acceleration;
  }

  // M q̈ + h = (N n − μ N t; M_c; τ) with the base on the slope, q̈_base = s̈ (t; 0): six equations
  // for s̈, φ̈, N, M_c.
  LampVector Sliding(const LampVector& q, const LampVector& v,
                     const articulated_lamp::LampAngles& torques, double weight) {
    const double cosine = std::cos(problem_.in_run->slope), sine = std::sin(problem_.in_run->slope);
    const double friction = problem_.in_run->friction;
    const articulated_lamp::LampMatrix mass = MassMatrix(lamp_, q);
    articulated_lamp::LampMatrix system = articulated_lamp::LampMatrix::Zero();
    system.col(0) = cosine * mass.col(0) - sine * mass.col(1);
    system.middleCols<3>(1) = mass.rightCols<3>();
    system(0, 4) = -(sine - friction * cosine);
    system(1, 4) = -(cosine + friction * sine);
    system(2, 5) = -1.0;
    LampVector right = -InverseDynamics(lamp_, q, v, LampVector::Zero());
    right.tail<3>() += torques;
    const LampVector solved = system.partialPivLu().solve(right);
    const double needed = std::abs(solved[5]) / lamp_.parameters().half_width;
    replay_.contact_lack += weight * std::max(0.0, needed - solved[4]);
    LampVector acceleration;
    acceleration << solved[0] * cosine, -solved[0] * sine, 0.0, solved.segment<3>(1);
    return acceleration;
  }

  // Classical Runge–Kutta. Stages at the end of an interval still belong to it, as the torques may
  // jump there.
  void Step(const LampPhase& phase, double time, double h) {
    constexpr double kNode[4] = {0.0, 0.5, 0.5, 1.0};
    constexpr double kWeight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    const double inside = 1e-9 * h;
    LampVector sum_q = q_, sum_v = v_;
    LampVector rate_q = LampVector::Zero(), rate_v = LampVector::Zero();
    for (int stage = 0; stage < 4; ++stage) {
      const LampVector q = q_ + kNode[stage] * h * rate_q;
      const LampVector v = v_ + kNode[stage] * h * rate_v;
      const double at = std::clamp(time + kNode[stage] * h, time + inside, time + h - inside);
      rate_q = v;
      rate_v = Acceleration(phase, at, q, v, kWeight[stage] * h);
      sum_q += kWeight[stage] * h * rate_q;
      sum_v += kWeight[stage] * h * rate_v;
    }
    q_ = sum_q;
    v_ = sum_v;
  }

  const LampJumpProblem& problem_;
  const articulated_lamp::Lamp lamp_;
  const LampTrajectory& plan_;
  const ReplayOptions& options_;
  LampVector q_, v_;
  LampReplay replay_;
};

}  // namespace

void ReplayOptions::Validate() const {
  if (!(max_step > 0.0)) throw BadInput({"max_step", "max_step must be positive", ""});
  if (!(servo_stiffness >= 0.0)) {
    throw BadInput({"servo_stiffness", "servo_stiffness must not be negative", ""});
  }
  if (!(servo_damping >= 0.0)) {
    throw BadInput({"servo_damping", "servo_damping must not be negative", ""});
  }
}

LampReplay Replay(const LampJumpProblem& problem, const LampTrajectory& plan,
                  const ReplayOptions& options) {
  options.Validate();
  return Player(problem, plan, options).Run();
}

}  // namespace pliant
