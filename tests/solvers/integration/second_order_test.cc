#include "solvers/integration/second_order.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace pliant {
namespace {

// A pendulum of unit length and mass under g = 9.81 with damping c: nonlinear, with energy
// E = ½ v² − g cos q and damping work of power −c v².
class Pendulum : public SecondOrderSystem {
 public:
  explicit Pendulum(double damping) : damping_(damping) {}
  void Rates(double, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd* a,
             Exchange* power) override {
    a->resize(1);
    (*a)[0] = -9.81 * std::sin(q[0]) - damping_ * v[0];
    (*power)[WorkClass::kDamping] = -damping_ * v[0] * v[0];
  }
  void AddPowerAt(double, const Eigen::VectorXd&, const Eigen::VectorXd& v,
                  const Eigen::VectorXd& other, Exchange* power) override {
    (*power)[WorkClass::kDamping] -= damping_ * v[0] * other[0];
  }
  static double Energy(const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    return 0.5 * v[0] * v[0] - 9.81 * std::cos(q[0]);
  }

 private:
  double damping_;
};

struct Result {
  double angle;
  double residual;  // ΔE − W
};

Result Swing(const IntegratorOptions& options, double damping, double h) {
  Integrator integrator(options);
  Pendulum pendulum(damping);
  Eigen::VectorXd q = Eigen::VectorXd::Constant(1, 1.0), v = Eigen::VectorXd::Zero(1);
  Exchange work;
  const double start = Pendulum::Energy(q, v);
  const auto steps = std::lround(1.0 / h);
  for (long i = 0; i < steps; ++i) {
    const double t = static_cast<double>(i) * h;
    EXPECT_EQ(integrator.Step(pendulum, t, h, &q, &v, &work).kind, StepOutcome::Kind::kAdvanced);
  }
  return {q[0], Pendulum::Energy(q, v) - start - work.TotalWork()};
}

// The adaptive scheme asks nothing of its substeps: each step is one.
Result Swing(Scheme scheme, double damping, double h) {
  const IntegratorOptions options = {
      .scheme = scheme, .tolerance = 1e-14, .absolute_tolerance = 1e9};
  return Swing(options, damping, h);
}

struct Case {
  Scheme scheme;
  int order;
};

class SecondOrder : public testing::TestWithParam<Case> {};

TEST_P(SecondOrder, ConvergesAtItsOrder) {
  const auto [scheme, order] = GetParam();
  const double exact = Swing(Scheme::kRungeKutta4, 0.5, 1.0 / 4096).angle;
  const double coarse = std::abs(Swing(scheme, 0.5, 1.0 / 64).angle - exact);
  const double fine = std::abs(Swing(scheme, 0.5, 1.0 / 128).angle - exact);
  EXPECT_NEAR(std::log2(coarse / fine), order, 0.25);
}

TEST_P(SecondOrder, LedgerClosesAtTheOrderOfTheMotion) {
  const auto [scheme, order] = GetParam();
  const double coarse = std::abs(Swing(scheme, 0.5, 1.0 / 64).residual);
  const double fine = std::abs(Swing(scheme, 0.5, 1.0 / 128).residual);
  EXPECT_NEAR(std::log2(coarse / fine), order, 0.35);
}

INSTANTIATE_TEST_SUITE_P(Schemes, SecondOrder,
                         testing::Values(Case{Scheme::kSemiImplicitEuler, 1},
                                         Case{Scheme::kRungeKutta4, 4},
                                         Case{Scheme::kImplicitMidpoint, 2},
                                         Case{Scheme::kBogackiShampine, 3}),
                         [](const auto& info) {
                           return info.param.order == 1   ? "SemiImplicitEuler"
                                  : info.param.order == 4 ? "RungeKutta4"
                                  : info.param.order == 3 ? "BogackiShampine"
                                                          : "ImplicitMidpoint";
                         });

// A particle driven by a force that depends on time alone: a = cos 3t, so that stages taken at the
// wrong times cost the scheme its order. Its power is a v.
class Driven : public SecondOrderSystem {
 public:
  void Rates(double t, const Eigen::VectorXd&, const Eigen::VectorXd& v, Eigen::VectorXd* a,
             Exchange* power) override {
    *a = Eigen::VectorXd::Constant(1, std::cos(3.0 * t));
    (*power)[WorkClass::kForce] = (*a)[0] * v[0];
  }
};

TEST_P(SecondOrder, EvaluatesForcesAtTheTimesOfItsStages) {
  const auto [scheme, order] = GetParam();
  auto error = [scheme = scheme](double h) {
    IntegratorOptions options = {.scheme = scheme};
    options.absolute_tolerance = 1e9;  // each step is one substep
    Integrator integrator(options);
    Driven particle;
    Eigen::VectorXd q = Eigen::VectorXd::Zero(1), v = q;
    Exchange work;
    const auto steps = std::lround(1.0 / h);
    for (long i = 0; i < steps; ++i) {
      integrator.Step(particle, static_cast<double>(i) * h, h, &q, &v, &work);
    }
    return std::abs(q[0] - (1.0 - std::cos(3.0)) / 9.0);
  };
  EXPECT_NEAR(std::log2(error(1.0 / 32) / error(1.0 / 64)), order, 0.25);
}

// The differences printed in [Faloutsos 1995, Eqs. 4.22–4.23], called explicit Euler, with q̈ taken
// at step n−1: q_n = 2 q_{n−1} − q_{n−2} + h² q̈_{n−1}, started by q_{−1} = q_0 − h q̇_0.
TEST(SemiImplicitEuler, IsTheDifferenceSchemeOfTheSource) {
  Integrator integrator({});
  Pendulum pendulum(0.0);
  Eigen::VectorXd q = Eigen::VectorXd::Constant(1, 1.0), v = Eigen::VectorXd::Constant(1, 0.7);
  Exchange work;
  const double h = 0.01;
  double before = q[0] - h * v[0], now = q[0];
  for (int i = 0; i < 300; ++i) {
    integrator.Step(pendulum, i * h, h, &q, &v, &work);
    const double next = 2.0 * now - before - h * h * 9.81 * std::sin(now);
    before = now;
    now = next;
    ASSERT_NEAR(q[0], now, 1e-11) << "step " << i;
  }
}

TEST(StableEulerStep, IsWhereADampedOscillatorBeginsToGrow) {
  EXPECT_DOUBLE_EQ(StableEulerStep(25.0, 0.0), 2.0 / 5.0);
  EXPECT_DOUBLE_EQ(StableEulerStep(0.0, 4.0), 2.0 / 4.0);
  EXPECT_TRUE(std::isinf(StableEulerStep(0.0, 0.0)));
  auto stays = [](double stiffness, double damping, double h) {
    double x = 1.0, v = 0.0;
    for (int i = 0; i < 5000; ++i) {
      v -= h * (stiffness * x + damping * v);
      x += h * v;
    }
    return std::abs(x) < 10.0;
  };
  for (double damping : {0.5, 10.0, 80.0}) {
    const double limit = StableEulerStep(100.0, damping);
    EXPECT_TRUE(stays(100.0, damping, 0.99 * limit)) << damping;
    EXPECT_FALSE(stays(100.0, damping, 1.01 * limit)) << damping;
  }
}

// A harmonic oscillator: its energy is quadratic.
class Oscillator : public SecondOrderSystem {
 public:
  void Rates(double, const Eigen::VectorXd& q, const Eigen::VectorXd&, Eigen::VectorXd* a,
             Exchange*) override {
    *a = -4.0 * q;
  }
};

// ẍ = −stiffness x − damping ẋ.
class DampedOscillator : public SecondOrderSystem {
 public:
  DampedOscillator(double stiffness, double damping) : stiffness_(stiffness), damping_(damping) {}
  void Rates(double, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd* a,
             Exchange*) override {
    *a = -stiffness_ * q - damping_ * v;
  }

 private:
  double stiffness_, damping_;
};

// What a scheme does with 300 steps of an oscillator: does it stay bounded, and converge?
bool CopesWith(const IntegratorOptions& options, double stiffness, double damping, double h) {
  Integrator integrator(options);
  DampedOscillator oscillator(stiffness, damping);
  Eigen::VectorXd q = Eigen::VectorXd::Constant(1, 1.0), v = Eigen::VectorXd::Zero(1);
  Exchange work;
  for (int i = 0; i < 300; ++i) {
    const StepOutcome outcome = integrator.Step(oscillator, h * i, h, &q, &v, &work);
    if (outcome.kind != StepOutcome::Kind::kAdvanced) return false;
    if (!(std::abs(q[0]) < 20.0)) return false;
  }
  return true;
}

TEST(LargestStableStep, IsWhereEachSchemeFails) {
  for (const Scheme scheme :
       {Scheme::kSemiImplicitEuler, Scheme::kRungeKutta4, Scheme::kImplicitMidpoint}) {
    for (const auto& [stiffness, damping] :
         {std::pair(100.0, 0.0), std::pair(100.0, 6.0), std::pair(100.0, 60.0)}) {
      const IntegratorOptions options{.scheme = scheme};
      const double limit = LargestStableStep(options, stiffness, damping);
      // The iteration needs some turns before its changes fall at its rate.
      const double safe = scheme == Scheme::kImplicitMidpoint ? 0.75 : 0.9;
      EXPECT_TRUE(CopesWith(options, stiffness, damping, safe * limit))
          << NameOf(scheme) << damping;
      EXPECT_FALSE(CopesWith(options, stiffness, damping, 1.1 * limit))
          << NameOf(scheme) << damping;
    }
  }
  EXPECT_NEAR(LargestStableStep({.scheme = Scheme::kRungeKutta4}, 100.0, 0.0), 0.28284, 1e-4);
  EXPECT_TRUE(std::isinf(LargestStableStep({.scheme = Scheme::kRungeKutta4}, 0.0, 0.0)));
  EXPECT_TRUE(std::isinf(LargestStableStep({.scheme = Scheme::kBogackiShampine}, 1e8, 0.0)));
}

TEST(ImplicitMidpoint, ConservesQuadraticEnergy) {
  const IntegratorOptions options = {.scheme = Scheme::kImplicitMidpoint, .tolerance = 1e-15};
  Integrator integrator(options);
  Oscillator oscillator;
  Eigen::VectorXd q = Eigen::VectorXd::Constant(1, 1.0), v = Eigen::VectorXd::Zero(1);
  Exchange work;
  for (int i = 0; i < 1000; ++i) integrator.Step(oscillator, 0.1 * i, 0.1, &q, &v, &work);
  EXPECT_NEAR(0.5 * v[0] * v[0] + 2.0 * q[0] * q[0], 2.0, 1e-12);
}

TEST(ImplicitMidpoint, SaysWhenItDoesNotConverge) {
  const IntegratorOptions options = {.scheme = Scheme::kImplicitMidpoint};
  Integrator integrator(options);
  Oscillator oscillator;
  Eigen::VectorXd q = Eigen::VectorXd::Constant(1, 1.0), v = Eigen::VectorXd::Zero(1);
  Exchange work;
  const StepOutcome outcome = integrator.Step(oscillator, 0.0, 2.0, &q, &v, &work);
  EXPECT_EQ(outcome.kind, StepOutcome::Kind::kNotConverged);
  EXPECT_FALSE(outcome.quantity.empty());
}

IntegratorOptions Adaptive(double tolerance) {
  return {.scheme = Scheme::kBogackiShampine,
          .relative_tolerance = tolerance,
          .absolute_tolerance = tolerance};
}

TEST(BogackiShampine, MeetsItsToleranceWhateverTheStep) {
  const double exact = Swing(Scheme::kRungeKutta4, 0.5, 1.0 / 4096).angle;
  for (double tolerance : {1e-4, 1e-6, 1e-8}) {
    for (double h : {1.0, 0.1}) {
      // The errors of some ten to hundreds of substeps, each below the tolerance, add up.
      const Result swung = Swing(Adaptive(tolerance), 0.5, h);
      EXPECT_LT(std::abs(swung.angle - exact), 20.0 * tolerance) << tolerance << " " << h;
      EXPECT_LT(std::abs(swung.residual), 200.0 * tolerance) << tolerance << " " << h;
    }
  }
  // And does not do much more than it must.
  EXPECT_GT(std::abs(Swing(Adaptive(1e-4), 0.5, 1.0).angle - exact), 1e-7);
}

// Free flight, then from x = 0 on a stiff spring: what one step length cannot fit.
class Wall : public SecondOrderSystem {
 public:
  void Rates(double, const Eigen::VectorXd& q, const Eigen::VectorXd&, Eigen::VectorXd* a,
             Exchange*) override {
    *a = Eigen::VectorXd::Constant(1, q[0] < 0.0 ? -1e6 * q[0] : 0.0);
  }
};

TEST(BogackiShampine, ShortensItsSubstepsOnlyWhereItMust) {
  Integrator integrator(Adaptive(1e-6));
  Wall wall;
  Eigen::VectorXd q = Eigen::VectorXd::Constant(1, 1.0), v = Eigen::VectorXd::Constant(1, -1.0);
  Exchange work;
  integrator.Step(wall, 0.0, 0.9, &q, &v, &work);
  EXPECT_LT(integrator.evaluations(), 20);  // nothing happens
  integrator.Step(wall, 0.9, 1.1, &q, &v, &work);
  // Half a period of the spring, π/1000 s, in it.
  EXPECT_NEAR(v[0], 1.0, 1e-3);
  EXPECT_NEAR(q[0], 1.0 - 3.14159e-3, 1e-4);
  EXPECT_LT(integrator.evaluations(), 1500);  // 2 s at the step of the spring would be 6000
}

TEST(BogackiShampine, ContinuesBitForBitFromItsSubstep) {
  Pendulum pendulum(0.5);
  Integrator one(Adaptive(1e-7)), other(Adaptive(1e-7)), forgetful(Adaptive(1e-7));
  Eigen::VectorXd q = Eigen::VectorXd::Constant(1, 1.0), v = Eigen::VectorXd::Zero(1);
  Exchange work;
  for (int i = 0; i < 5; ++i) one.Step(pendulum, 0.1 * i, 0.1, &q, &v, &work);
  EXPECT_GT(one.substep(), 0.0);
  other.set_substep(one.substep());
  Eigen::VectorXd q2 = q, v2 = v, q3 = q, v3 = v;
  Exchange work2 = work, work3 = work;
  one.Step(pendulum, 0.5, 0.1, &q, &v, &work);
  other.Step(pendulum, 0.5, 0.1, &q2, &v2, &work2);
  forgetful.Step(pendulum, 0.5, 0.1, &q3, &v3, &work3);
  EXPECT_EQ(q, q2);
  EXPECT_EQ(v, v2);
  EXPECT_EQ(work.Numbers(), work2.Numbers());
  EXPECT_NE(q, q3);  // the substep does matter
}

TEST(BogackiShampine, SaysWhenASubstepWouldHaveToBeTooSmall) {
  IntegratorOptions options = Adaptive(1e-9);
  options.smallest_substep = 0.02;
  Integrator integrator(options);
  Pendulum pendulum(0.5);
  Eigen::VectorXd q = Eigen::VectorXd::Constant(1, 1.0), v = Eigen::VectorXd::Zero(1);
  Exchange work;
  const StepOutcome outcome = integrator.Step(pendulum, 0.0, 0.5, &q, &v, &work);
  EXPECT_EQ(outcome.kind, StepOutcome::Kind::kNotConverged);
  EXPECT_EQ(outcome.quantity, "substep of the adaptive scheme at its smallest");
  // It went on at the smallest, to the end of the step.
  EXPECT_NEAR(Pendulum::Energy(q, v) + 9.81 * std::cos(1.0) - work.TotalWork(), 0.0, 1e-3);
  EXPECT_GE(integrator.evaluations(), 3 * 25);
  EXPECT_LT(integrator.evaluations(), 3 * 60);
}

// What is no number ends the step, and is for the caller to find.
class Nowhere : public SecondOrderSystem {
 public:
  void Rates(double, const Eigen::VectorXd& q, const Eigen::VectorXd&, Eigen::VectorXd* a,
             Exchange*) override {
    *a = q / 0.0 * 0.0;
  }
};

TEST(BogackiShampine, EndsWhereThereAreNoNumbers) {
  IntegratorOptions options = Adaptive(1e-6);
  options.smallest_substep = 1e-3;
  Integrator integrator(options);
  Nowhere nowhere;
  Eigen::VectorXd q = Eigen::VectorXd::Constant(1, 1.0), v = Eigen::VectorXd::Zero(1);
  Exchange work;
  integrator.Step(nowhere, 0.0, 0.1, &q, &v, &work);
  EXPECT_TRUE(std::isnan(v[0]));
}

}  // namespace
}  // namespace pliant
