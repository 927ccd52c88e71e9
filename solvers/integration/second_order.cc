#include "solvers/integration/second_order.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace pliant {
namespace {

// True if the iterate has converged, relative to its own size and to that of the step.
bool Settled(const Eigen::VectorXd& change, const Eigen::VectorXd& value, double tolerance) {
  return change.norm() <= tolerance * value.norm() + std::numeric_limits<double>::min();
}

// True if Runge–Kutta 4 keeps ẋ = s x from growing at z = h s.
bool RungeKuttaIsStable(std::complex<double> z) {
  return std::abs(1.0 + z * (1.0 + z * (0.5 + z * (1.0 / 6.0 + z / 24.0)))) <= 1.0;
}

}  // namespace

// Both roots of z² − (2 − h c − h² ω²) z + (1 − h c) lie in the unit circle while h² ω² + 2 h c
// < 4.
double StableEulerStep(double stiffness, double damping) {
  const double denominator = damping + std::sqrt(damping * damping + 4.0 * stiffness);
  return denominator > 0.0 ? 4.0 / denominator : std::numeric_limits<double>::infinity();
}

double LargestStableStep(const IntegratorOptions& options, double stiffness, double damping) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (options.scheme == Scheme::kSemiImplicitEuler) return StableEulerStep(stiffness, damping);
  // The faster of the roots of s² + damping s + stiffness.
  const std::complex<double> half(0.5 * damping, 0.0);
  const std::complex<double> fastest = -half - std::sqrt(half * half - stiffness);
  const double rate = std::abs(fastest);
  if (rate == 0.0 || options.scheme == Scheme::kBogackiShampine) return kInfinity;
  if (options.scheme == Scheme::kImplicitMidpoint) {
    return 2.0 / rate * std::pow(options.tolerance, 1.0 / options.max_iterations);
  }
  // The boundary of the region of stability is between 2.5 and 3 from the origin wherever Re s ≤ 0.
  double stable = 2.5 / rate, unstable = 3.0 / rate;
  while (unstable - stable > 1e-12 * unstable) {
    const double middle = 0.5 * (stable + unstable);
    (RungeKuttaIsStable(middle * fastest) ? stable : unstable) = middle;
  }
  return stable;
}

std::string_view NameOf(Scheme scheme) {
  switch (scheme) {
    case Scheme::kSemiImplicitEuler:
      return "semi-implicit Euler";
    case Scheme::kRungeKutta4:
      return "Runge–Kutta 4";
    case Scheme::kImplicitMidpoint:
      return "the iteration of the implicit midpoint rule";
    case Scheme::kBogackiShampine:
      return "Bogacki–Shampine";
  }
  return "";
}

void IntegratorOptions::Bind(ParameterBinder& binder) {
  binder.Choice("integrator", &scheme,
                {{"semi-implicit-euler", Scheme::kSemiImplicitEuler},
                 {"rk4", Scheme::kRungeKutta4},
                 {"implicit-midpoint", Scheme::kImplicitMidpoint},
                 {"bogacki-shampine", Scheme::kBogackiShampine}},
                "time integration scheme; bogacki-shampine chooses its substeps");
  const auto scheme_is = [this](Scheme wanted) {
    return [this, wanted](const Scene&) { return scheme == wanted; };
  };
  binder.OnlyWhen("integrator = implicit-midpoint", scheme_is(Scheme::kImplicitMidpoint), [&] {
    binder.Real("midpoint_tolerance", &tolerance, "1", MoreThan(0.0),
                "relative change at which the iteration of the implicit midpoint rule stops");
    binder.Integer("midpoint_iterations", &max_iterations, "1", AtLeast(1),
                   "maximum number of iterations of an implicit midpoint step");
  });
  binder.OnlyWhen("integrator = bogacki-shampine", scheme_is(Scheme::kBogackiShampine), [&] {
    binder.Real("relative_tolerance", &relative_tolerance, "1", AtLeast(0.0),
                "error of a bogacki-shampine substep relative to the size of each coordinate");
    binder.Real("absolute_tolerance", &absolute_tolerance, "1", MoreThan(0.0),
                "absolute error of a bogacki-shampine substep in the units of each coordinate");
    binder.Real(
        "smallest_substep", &smallest_substep, "s", MoreThan(0.0),
        "shortest substep of bogacki-shampine; a step that needs a shorter one has not converged");
  });
}

StepOutcome Integrator::Step(SecondOrderSystem& system, double t, double h, Eigen::VectorXd* q,
                             Eigen::VectorXd* v, Exchange* work) {
  // The end of the step is t + h within two roundings.
  last_moment_ = t + h - 4.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), h);
  switch (options_.scheme) {
    case Scheme::kSemiImplicitEuler:
      return SemiImplicitEuler(system, t, h, q, v, work);
    case Scheme::kRungeKutta4:
      return RungeKutta4(system, t, h, q, v, work);
    case Scheme::kImplicitMidpoint:
      return ImplicitMidpoint(system, t, h, q, v, work);
    case Scheme::kBogackiShampine:
      return BogackiShampine(system, t, h, q, v, work);
  }
  return {};
}

StepOutcome Integrator::SemiImplicitEuler(SecondOrderSystem& system, double t, double h,
                                          Eigen::VectorXd* q, Eigen::VectorXd* v, Exchange* work) {
  Exchange power;
  system.Rates(t, *q, *v, &rate_v_, &power);
  ++evaluations_;
  stage_v_.noalias() = (0.5 * h) * rate_v_;
  system.AddPowerAt(t, *q, *v, stage_v_, &power);
  work->Add(h, power);
  v->noalias() += h * rate_v_;
  system.ConfigurationRate(*q, *v, &rate_q_);
  q->noalias() += h * rate_q_;
  system.Project(q);
  return {};
}

StepOutcome Integrator::RungeKutta4(SecondOrderSystem& system, double t, double h,
                                    Eigen::VectorXd* q, Eigen::VectorXd* v, Exchange* work) {
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
    Exchange power;
    system.Rates(Within(t + kNode[stage] * h), stage_q_, stage_v_, &rate_v_, &power);
    ++evaluations_;
    system.ConfigurationRate(stage_q_, stage_v_, &rate_q_);
    sum_q_ += (kWeight[stage] * h) * rate_q_;
    sum_v_ += (kWeight[stage] * h) * rate_v_;
    work->Add(kWeight[stage] * h, power);
  }
  *q = sum_q_;
  *v = sum_v_;
  system.Project(q);
  return {};
}

StepOutcome Integrator::ImplicitMidpoint(SecondOrderSystem& system, double t, double h,
                                         Eigen::VectorXd* q, Eigen::VectorXd* v, Exchange* work) {
  // stage = midpoint (q + q⁺)/2, (v + v⁺)/2; sum = its next iterate.
  stage_q_ = *q;
  stage_v_ = *v;
  Exchange power;
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
  work->Add(h, power);
  if (!settled) return {StepOutcome::Kind::kNotConverged, "implicit midpoint iteration"};
  return {};
}

double Integrator::TrySubstep(SecondOrderSystem& system, double t, double h,
                              const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
  // Stage s is at t + c_s h, from the stage before alone; the last is at the result (its weights
  // are those of the result), and serves the next substep as its first.
  constexpr double kNode[4] = {0.0, 0.5, 0.75, 1.0};
  constexpr double kWeight[4] = {2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0, 0.0};
  constexpr double kError[4] = {2.0 / 9.0 - 7.0 / 24.0, 1.0 / 3.0 - 0.25, 4.0 / 9.0 - 1.0 / 3.0,
                                -0.125};  // third order less second
  auto evaluate = [&](int s) {
    stages_[s].power = {};
    system.Rates(Within(t + kNode[s] * h), stage_q_, stage_v_, &stages_[s].v_dot,
                 &stages_[s].power);
    system.ConfigurationRate(stage_q_, stage_v_, &stages_[s].q_dot);
    ++evaluations_;
  };
  for (int s = 1; s < 3; ++s) {
    stage_q_ = q + (kNode[s] * h) * stages_[s - 1].q_dot;
    stage_v_ = v + (kNode[s] * h) * stages_[s - 1].v_dot;
    evaluate(s);
  }
  stage_q_ = q;
  stage_v_ = v;
  trial_work_ = {};
  for (int s = 0; s < 3; ++s) {
    stage_q_ += (kWeight[s] * h) * stages_[s].q_dot;
    stage_v_ += (kWeight[s] * h) * stages_[s].v_dot;
    trial_work_.Add(kWeight[s] * h, stages_[s].power);
  }
  system.Project(&stage_q_);
  evaluate(3);
  sum_q_.setZero(q.size());
  sum_v_.setZero(v.size());
  for (int s = 0; s < 4; ++s) {
    sum_q_ += (kError[s] * h) * stages_[s].q_dot;
    sum_v_ += (kError[s] * h) * stages_[s].v_dot;
  }
  auto largest = [this](const Eigen::VectorXd& error, const Eigen::VectorXd& before,
                        const Eigen::VectorXd& after) {
    double worst = 0.0;
    for (Eigen::Index i = 0; i < error.size(); ++i) {
      const double size = std::max(std::abs(before[i]), std::abs(after[i]));
      const double ratio =
          std::abs(error[i]) / (options_.absolute_tolerance + options_.relative_tolerance * size);
      if (!(ratio <= worst)) worst = ratio;  // keeps NaN
    }
    return worst;
  };
  const double of_q = largest(sum_q_, q, stage_q_), of_v = largest(sum_v_, v, stage_v_);
  return of_q > of_v ? of_q : of_v;
}

StepOutcome Integrator::BogackiShampine(SecondOrderSystem& system, double t, double h,
                                        Eigen::VectorXd* q, Eigen::VectorXd* v, Exchange* work) {
  if (substep_ <= 0.0) substep_ = h;
  bool converged = true;
  stages_[0].power = {};
  system.Rates(t, *q, *v, &stages_[0].v_dot, &stages_[0].power);
  system.ConfigurationRate(*q, *v, &stages_[0].q_dot);
  ++evaluations_;
  double done = 0.0;
  while (done < h) {
    const double remaining = h - done;
    double trial = substep_;
    bool last = false;
    if (trial >= remaining) {
      trial = remaining;
      last = true;
    } else if (2.0 * trial > remaining) {
      trial = 0.5 * remaining;  // else a sliver would be left
    }
    const bool smallest = trial <= options_.smallest_substep;
    const double error = TrySubstep(system, t + done, trial, *q, *v);
    if (!(error <= 1.0) && !smallest) {
      const double factor = std::isfinite(error) ? std::max(0.2, 0.9 / std::cbrt(error)) : 0.2;
      substep_ = std::max(options_.smallest_substep, factor * trial);
      continue;
    }
    if (!(error <= 1.0)) converged = false;
    *q = stage_q_;
    *v = stage_v_;
    std::swap(stages_[0], stages_[3]);
    work->Add(1.0, trial_work_);
    if (!std::isfinite(error)) break;  // for the caller to find
    done = last ? h : done + trial;
    // A substep shortened by the end of the step does not shorten the next one.
    const double next =
        error > 0.0 ? std::clamp(0.9 / std::cbrt(error), 0.2, 5.0) * trial : 5.0 * trial;
    substep_ = trial < substep_ ? std::max(substep_, next) : next;
    substep_ = std::max(substep_, options_.smallest_substep);
  }
  if (!converged) {
    return {StepOutcome::Kind::kNotConverged, "substep of the adaptive scheme at its smallest"};
  }
  return {};
}

}  // namespace pliant
