// The lamp in flight, integrated: what must stay, stays.

#include <gtest/gtest.h>

#include <cmath>

#include "models/articulated_lamp/dynamics.h"
#include "tests/models/articulated_lamp/random_state.h"

namespace pliant::articulated_lamp {
namespace {

struct Flight {
  LampVector q, v;
  double work = 0.0;  // of the hinge torques [J]
};

// Torques that swing, the same for every step size.
LampVector Torques(double t) {
  LampVector force = LampVector::Zero();
  force.tail<3>() << 0.4 * std::sin(9.0 * t), -0.3 * std::cos(7.0 * t), 0.2;
  return force;
}

// Classical Runge–Kutta, the work as one more unknown.
Flight Fly(const Lamp& lamp, Flight state, double duration, int steps) {
  const double h = duration / steps;
  const double node[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1 / 6., 1 / 3., 1 / 3., 1 / 6.};
  for (int i = 0; i < steps; ++i) {
    Flight sum = state;
    LampVector rate_q = LampVector::Zero(), rate_v = LampVector::Zero();
    for (int stage = 0; stage < 4; ++stage) {
      const LampVector q = state.q + node[stage] * h * rate_q;
      const LampVector v = state.v + node[stage] * h * rate_v;
      const LampVector force = Torques((i + node[stage]) * h);
      rate_q = v;
      rate_v = ForwardDynamics(lamp, q, v, force);
      sum.q += weight[stage] * h * rate_q;
      sum.v += weight[stage] * h * rate_v;
      sum.work += weight[stage] * h * force.dot(v);
    }
    state = sum;
  }
  return state;
}

class LampFlight : public testing::Test {
 protected:
  Lamp lamp_{LampParameters{}};
  std::mt19937 generator_{kLampSeed};
  Flight start_{RandomLampVector(generator_, 0.8), RandomLampVector(generator_, 2.0)};
  static constexpr double kDuration = 0.4;
};

TEST_F(LampFlight, CentreOfMassFliesAParabola) {
  const Flight end = Fly(lamp_, start_, kDuration, 400);
  const Eigen::Vector2d expected =
      CentreOfMass(lamp_, start_.q) +
      kDuration / lamp_.mass() * Momentum(lamp_, start_.q, start_.v).linear -
      Eigen::Vector2d(0.0, 0.5 * 9.81 * kDuration * kDuration);
  EXPECT_LT((CentreOfMass(lamp_, end.q) - expected).norm(), 1e-9);
}

TEST_F(LampFlight, HingeTorquesKeepAngularMomentum) {
  const Flight end = Fly(lamp_, start_, kDuration, 400);
  EXPECT_NEAR(Momentum(lamp_, end.q, end.v).angular, Momentum(lamp_, start_.q, start_.v).angular,
              1e-9);
}

TEST_F(LampFlight, WorkOfTheTorquesIsTheGainOfEnergy) {
  const auto energy = [&](const Flight& f) {
    return KineticEnergy<double>(lamp_, f.q, f.v) + GravitationalEnergy<double>(lamp_, f.q);
  };
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const Flight end = Fly(lamp_, start_, kDuration, 50 << i);
    error[i] = std::abs(energy(end) - energy(start_) - end.work);
  }
  EXPECT_LT(error[1], 1e-5);
  EXPECT_GT(std::log2(error[0] / error[1]), 3.5);
}

}  // namespace
}  // namespace pliant::articulated_lamp
