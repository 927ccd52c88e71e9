#include "solvers/integration/second_order.h"

#include <cmath>
#include <limits>

namespace pliant {
namespace {

void Accumulate(WorkByClass* work, double weight, const WorkByClass& power) {
  for (int c = 0; c < kWorkClasses; ++c) work->values[c] += weight * power.values[c];
}

// Has the iterate stopped moving, against its own size and that of the step?
bool Settled(const Eigen::VectorXd& change, const Eigen::VectorXd& value, double tolerance) {
  return change.norm() <= tolerance * value.norm() + std::numeric_limits<double>::min();
}

}  // namespace

// Both roots of z² − (2 − h c − h² ω²) z + (1 − h c) lie in the unit circle while h² ω² + 2 h c
// < 4.
double StableEulerStep(double stiffness, double damping) {
  const double denominator = damping + std::sqrt(damping * damping + 4.0 * stiffness);
  return denominator > 0.0 ? 4.0 / denominator : std::numeric_limits<double>::infinity();
}

void IntegratorOptions::Bind(ParameterBinder& binder) {
  binder.Choice("integrator", &scheme,
                {{"semi-implicit-euler", Scheme::kSemiImplicitEuler},
                 {"rk4", Scheme::kRungeKutta4},
                 {"implicit-midpoint", Scheme::kImplicitMidpoint}},
                "time integration scheme");
  binder.Real("midpoint_tolerance", &tolerance, "1", MoreThan(0.0),
              "relative change at which the implicit midpoint iteration stops");
  binder.Integer("midpoint_iterations", &max_iterations, "1", AtLeast(1),
                 "most iterations of an implicit midpoint step");
}

StepOutcome Integrator::Step(SecondOrderSystem& system, double t, double h, Eigen::VectorXd* q,
                             Eigen::VectorXd* v, WorkByClass* work) {
  switch (options_.scheme) {
    case Scheme::kSemiImplicitEuler:
      return SemiImplicitEuler(system, t, h, q, v, work);
    case Scheme::kRungeKutta4:
      return RungeKutta4(system, t, h, q, v, work);
    case Scheme::kImplicitMidpoint:
      return ImplicitMidpoint(system, t, h, q, v, work);
  }
  return {};
}

StepOutcome Integrator::SemiImplicitEuler(SecondOrderSystem& system, double t, double h,
                                          Eigen::VectorXd* q, Eigen::VectorXd* v,
                                          WorkByClass* work) {
  WorkByClass power;
  system.Rates(t, *q, *v, &rate_v_, &power);
  ++evaluations_;
  Accumulate(work, h, power);
  v->noalias() += h * rate_v_;
  system.ConfigurationRate(*q, *v, &rate_q_);
  q->noalias() += h * rate_q_;
  system.Project(q);
  return {};
}

StepOutcome Integrator::RungeKutta4(SecondOrderSystem& system, double t, double h,
                                    Eigen::VectorXd* q, Eigen::VectorXd* v, WorkByClass* work) {
  constexpr double kNode[4] = {0.0, 0.5, 0.5, 1.0};
  constexpr double kWeight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
  stage_q_ = *q;
  stage_v_ = *v;
  sum_q_ = *q;
  sum_v_ = *v;
  for (int stage = 0; stage < 4; ++stage) {
    if (stage > 0) {
      stage_q_ = *q + (kNode[stage] * h) * rate_q_;
      stage_v_ = *v + (kNode[stage] * h) * rate_v_;
    }
    WorkByClass power;
    system.Rates(t + kNode[stage] * h, stage_q_, stage_v_, &rate_v_, &power);
    ++evaluations_;
    system.ConfigurationRate(stage_q_, stage_v_, &rate_q_);
    sum_q_ += (kWeight[stage] * h) * rate_q_;
    sum_v_ += (kWeight[stage] * h) * rate_v_;
    Accumulate(work, kWeight[stage] * h, power);
  }
  *q = sum_q_;
  *v = sum_v_;
  system.Project(q);
  return {};
}

StepOutcome Integrator::ImplicitMidpoint(SecondOrderSystem& system, double t, double h,
                                         Eigen::VectorXd* q, Eigen::VectorXd* v,
                                         WorkByClass* work) {
  // stage = midpoint (q + q⁺)/2, (v + v⁺)/2; sum = its next iterate.
  stage_q_ = *q;
  stage_v_ = *v;
  WorkByClass power;
  bool settled = false;
  for (int iteration = 0; iteration < options_.max_iterations && !settled; ++iteration) {
    power = {};
    system.Rates(t + 0.5 * h, stage_q_, stage_v_, &rate_v_, &power);
    ++evaluations_;
    system.ConfigurationRate(stage_q_, stage_v_, &rate_q_);
    sum_q_ = *q + (0.5 * h) * rate_q_;
    sum_v_ = *v + (0.5 * h) * rate_v_;
    stage_q_ -= sum_q_;
    stage_v_ -= sum_v_;
    settled = Settled(stage_q_, sum_q_, options_.tolerance) &&
              Settled(stage_v_, sum_v_, options_.tolerance);
    stage_q_ = sum_q_;
    stage_v_ = sum_v_;
  }
  *q = 2.0 * stage_q_ - *q;
  *v = 2.0 * stage_v_ - *v;
  system.Project(q);
  Accumulate(work, h, power);
  if (!settled) return {StepOutcome::Kind::kNotConverged, "implicit midpoint iteration"};
  return {};
}

}  // namespace pliant
