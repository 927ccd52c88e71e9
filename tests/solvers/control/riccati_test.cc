// Riccati's equation: closed forms, the limit of long times, and the order where matrices vary.

#include "solvers/control/riccati.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <vector>

namespace pliant {
namespace {

using Eigen::MatrixXd;

MatrixXd Number(double value) { return MatrixXd::Constant(1, 1, value); }

// ẋ = a x + b u: (s − s₊)/(s − s₋) decays with 2 ω backwards, b² s± = a ± ω, ω² = a² + b² q.
TEST(Riccati, OfOneNumberIsItsClosedForm) {
  for (const double a : {-1.3, 0.0, 2.0}) {
    const double b = 1.7, q = 0.6, end = 3.0, omega = std::sqrt(a * a + b * b * q);
    const double above = (a + omega) / (b * b), below = (a - omega) / (b * b);
    MatrixXd s = Number(end);
    double time = 0.0;
    for (const double step : {0.01, 0.5, 1.5, 0.2}) {
      s = RiccatiBefore({Number(a), Number(b)}, Number(q), s, step);
      time += step;
      const double ratio = (end - above) / (end - below) * std::exp(-2.0 * omega * time);
      EXPECT_NEAR(s(0, 0), (above - ratio * below) / (1.0 - ratio), 1e-12);
    }
    EXPECT_NEAR(StationaryRiccati({Number(a), Number(b)}, Number(q)).value()(0, 0), above, 1e-12);
  }
}

// A hinge of inertia 1/b on an unstable pendulum: ẍ = g x + b u.
//   K₁ = (g + √(g² + b² q₁))/b,   K₂ = √(q₂ + 2 K₁/b)
TEST(Riccati, OfAPendulumIsItsClosedForm) {
  const double q1 = 1600.0, q2 = 1.0;
  for (const double g : {0.0, 20.0}) {
    for (const double b : {3.0, 300.0}) {
      MatrixXd a(2, 2), q = MatrixXd::Zero(2, 2);
      a << 0, 1, g, 0;
      q(0, 0) = q1;
      q(1, 1) = q2;
      const LinearSystem system = {a, Eigen::Vector2d(0.0, b)};
      const double k1 = (g + std::sqrt(g * g + b * b * q1)) / b;
      const double k2 = std::sqrt(q2 + 2.0 * k1 / b);
      const MatrixXd stays = StationaryRiccati(system, q).value();
      EXPECT_NEAR((system.b.transpose() * stays)(0), k1, 1e-9 * k1);
      EXPECT_NEAR((system.b.transpose() * stays)(1), k2, 1e-9 * k2);
      MatrixXd s = MatrixXd::Zero(2, 2);  // nothing at the end
      for (int i = 0; i < 1000; ++i) s = RiccatiBefore(system, q, s, 0.005);
      EXPECT_LT((s - stays).norm(), 1e-9 * stays.norm());
    }
  }
}

// A mass of 1 whose two closed modes coincide, (s + 1)²: eigenvectors of H do not span its stable subspace.
TEST(Riccati, OfModesThatCoincideIsItsClosedForm) {
  MatrixXd a = MatrixXd::Zero(2, 2), q = MatrixXd::Identity(2, 2), closed(2, 2);
  a(0, 1) = 1.0;
  q(1, 1) = 2.0;
  closed << 2, 1, 1, 2;
  const auto stays = StationaryRiccati({a, Eigen::Vector2d(0.0, 1.0)}, q);
  ASSERT_TRUE(stays);
  EXPECT_LT((*stays - closed).norm(), 1e-12);
}

// No S stays where an unstable mode has no input, a mode that does not decay has no cost, or a number is not finite.
TEST(Riccati, OfWhatCannotBeHeldHasNoStationarySolution) {
  EXPECT_FALSE(StationaryRiccati({Number(2.0), Number(0.0)}, Number(1.0)));
  EXPECT_FALSE(StationaryRiccati({Number(0.0), Number(1.0)}, Number(0.0)));
  EXPECT_FALSE(StationaryRiccati({Number(std::nan("")), Number(1.0)}, Number(1.0)));
  MatrixXd swings = MatrixXd::Zero(2, 2);  // without damping, and without a cost
  swings(0, 1) = 1.0;
  swings(1, 0) = -4.0;
  EXPECT_FALSE(
      StationaryRiccati({swings, Eigen::Vector2d(0.0, 1.0)}, MatrixXd(MatrixXd::Zero(2, 2))));
  // Two pendulums, of which one has no motor.
  MatrixXd two = MatrixXd::Zero(4, 4);
  two.topRightCorner(2, 2).setIdentity();
  two.bottomLeftCorner(2, 2) << 9, 0, 0, 16;
  const MatrixXd b = Eigen::Vector4d(0, 0, 1, 0);
  EXPECT_FALSE(StationaryRiccati({two, b}, MatrixXd(MatrixXd::Identity(4, 4))));
}

MatrixXd Varying(double time) {
  MatrixXd a(3, 3);
  a << 0.1, 1.0, std::sin(3.0 * time), -0.4, 0.3 * std::cos(time), 0.5, 0.2, -1.0, 0.7 * time;
  return a;
}

// S at 0, of 1 at time 1, by `steps` steps from the middles; the oracle is Runge–Kutta of order 4.
TEST(Riccati, IsOfSecondOrderWhereMatricesVary) {
  MatrixXd b(3, 2), q = MatrixXd::Identity(3, 3);
  b << 0, 1, 2, 0, 0.5, 0.5;
  q(0, 0) = 4.0;
  const auto slope = [&](double time, const MatrixXd& s) -> MatrixXd {  // −Ṡ
    const MatrixXd a = Varying(time);
    return a.transpose() * s + s * a - s * b * b.transpose() * s + q;
  };
  MatrixXd exact = MatrixXd::Identity(3, 3);
  constexpr int kFine = 4000;
  const double h = 1.0 / kFine;
  for (int i = kFine; i > 0; --i) {
    const double t = i * h;
    const MatrixXd k1 = slope(t, exact), k2 = slope(t - 0.5 * h, exact + 0.5 * h * k1);
    const MatrixXd k3 = slope(t - 0.5 * h, exact + 0.5 * h * k2), k4 = slope(t - h, exact + h * k3);
    exact += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  std::vector<double> errors;
  for (const int steps : {10, 20, 40}) {
    MatrixXd s = MatrixXd::Identity(3, 3);
    for (int i = steps; i > 0; --i) {
      s = RiccatiBefore({Varying((i - 0.5) / steps), b}, q, s, 1.0 / steps);
    }
    errors.push_back((s - exact).norm() / exact.norm());
  }
  EXPECT_LT(errors[2], 1e-3);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.1);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.05);
}

}  // namespace
}  // namespace pliant
