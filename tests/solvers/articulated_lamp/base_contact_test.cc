#include "solvers/articulated_lamp/base_contact.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <random>

#include "models/articulated_lamp/dynamics.h"
#include "tests/models/articulated_lamp/random_state.h"

namespace pliant::articulated_lamp {
namespace {

using Eigen::Vector3d;

// What the base of a lamp is and does on a level floor: flat on it, or on one end.
BaseContactProblem RandomProblem(std::mt19937& generator, bool both_touch) {
  const Lamp lamp{LampParameters{}};
  const auto up_to = [&](double size) { return size * (2.0 * (generator() / 4294967296.0) - 1.0); };
  LampVector q = RandomLampVector(generator, 0.8);
  q[2] = both_touch ? 0.0 : up_to(0.4);
  BaseContactProblem problem = {.response = MassMatrix(lamp, q).inverse().topLeftCorner<3, 3>(),
                                .velocity = Vector3d(up_to(2.0), up_to(2.0), up_to(8.0))};
  const double w = lamp.parameters().half_width;
  for (int i = 0; i < 2; ++i) {
    const double side = i == 0 ? -w : w;
    const Eigen::Vector2d arm(side * std::cos(q[2]), -side * std::sin(q[2]));
    problem.normal[i] = Vector3d(0, 1, -arm.x());
    problem.tangent[i] = Vector3d(1, 0, arm.y());
    problem.least_speed[i] = both_touch ? 0.0 : (arm.y() < 0.0 ? up_to(1.0) : -100.0);
  }
  problem.friction = 0.3 + std::abs(up_to(0.7));
  return problem;
}

// The conditions of the header, on whatever impulse comes out: its parts are recovered from it.
void ExpectSolves(const BaseContactProblem& p, const Vector3d& impulse) {
  const Vector3d after = p.velocity + p.response * impulse;
  // impulse = N₀ n₀ + N₁ n₁ + T t: with one plane the tangential part is its x, and the rest are
  // two equations for N. T acts at the points that press, which the moment must agree with.
  const double tangential = impulse.x(), sum = impulse.y();
  ASSERT_GE(sum, -1e-12);
  EXPECT_LE(std::abs(tangential), p.friction * sum * (1 + 1e-9) + 1e-12);
  double slip = 0.0;
  bool fits = false;
  for (const double share : {0.0, 0.5, 1.0}) {  // T at point 0, in the middle, at point 1
    const Vector3d t = (1.0 - share) * p.tangent[0] + share * p.tangent[1];
    const double moment = impulse.z() - tangential * t.z();  // = N₀ n₀z + N₁ n₁z
    const double second = (moment - sum * p.normal[0].z()) / (p.normal[1].z() - p.normal[0].z());
    const double first = sum - second;
    if (first < -1e-9 || second < -1e-9) continue;
    if (share == 0.0 && second > 1e-9) continue;
    if (share == 1.0 && first > 1e-9) continue;
    const double u0 = p.normal[0].dot(after) - p.least_speed[0];
    const double u1 = p.normal[1].dot(after) - p.least_speed[1];
    if (u0 < -1e-9 || u1 < -1e-9) continue;
    if (first * u0 > 1e-8 || second * u1 > 1e-8) continue;
    slip = t.dot(after);
    fits = true;
    if (std::abs(tangential) < p.friction * sum * (1 - 1e-6)) {
      EXPECT_NEAR(slip, 0.0, 1e-9);
    } else if (std::abs(slip) > 1e-9) {
      EXPECT_LT(tangential * slip, 1e-12);
    }
    break;
  }
  EXPECT_TRUE(fits) << "impulse " << impulse.transpose() << " after " << after.transpose();
}

TEST(BaseContact, KeepsToTheLawsOfContact) {
  std::mt19937 generator(kLampSeed);
  int touched = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const BaseContactProblem problem = RandomProblem(generator, trial % 2 == 0);
    const Vector3d impulse = SolveBaseContact(problem);
    if (impulse.norm() > 0.0) ++touched;
    ExpectSolves(problem, impulse);
  }
  EXPECT_GT(touched, 500);
}

TEST(BaseContact, DoesNothingToABaseThatLeaves) {
  std::mt19937 generator(kLampSeed);
  BaseContactProblem problem = RandomProblem(generator, true);
  problem.velocity = Vector3d(1.0, 0.5, 0.0);
  EXPECT_EQ(SolveBaseContact(problem), Vector3d::Zero());
}

TEST(BaseContact, TakesEnergyWhereNothingBounces) {
  std::mt19937 generator(kLampSeed + 1);
  for (int trial = 0; trial < 500; ++trial) {
    BaseContactProblem problem = RandomProblem(generator, false);
    problem.least_speed = {0.0, 0.0};
    const Vector3d impulse = SolveBaseContact(problem);
    const double work = impulse.dot(problem.velocity + 0.5 * problem.response * impulse);
    EXPECT_LE(work, 1e-12);
  }
}

}  // namespace
}  // namespace pliant::articulated_lamp
