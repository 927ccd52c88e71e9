#include "solvers/spacetime/lamp_trajectory.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solvers/spacetime/lamp_jump.h"

namespace pliant {
namespace {

TEST(Hermite, ReproducesACubicAndItsDerivatives) {
  const auto x = [](double t) { return 1.0 - 2.0 * t + 3.0 * t * t - 4.0 * t * t * t; };
  const auto v = [](double t) { return -2.0 + 6.0 * t - 12.0 * t * t; };
  const auto a = [](double t) { return 6.0 - 24.0 * t; };
  const double t0 = 0.3, h = 0.4;
  const double node[4] = {x(t0), v(t0), x(t0 + h), v(t0 + h)};
  for (const double s : {0.0, 0.2, 0.5, 0.9, 1.0}) {
    const HermiteWeights w = HermiteAt(s, h);
    double value = 0.0, rate = 0.0, acceleration = 0.0;
    for (int i = 0; i < 4; ++i) {
      value += w.value[i] * node[i];
      rate += w.rate[i] * node[i];
      acceleration += w.acceleration[i] * node[i];
    }
    EXPECT_NEAR(value, x(t0 + s * h), 1e-14);
    EXPECT_NEAR(rate, v(t0 + s * h), 1e-13);
    EXPECT_NEAR(acceleration, a(t0 + s * h), 1e-12);
  }
}

TEST(Hermite, GaussPointsIntegrateACubicExactly) {
  // ∫₀¹ s³ ds with two points of weight ½.
  double sum = 0.0;
  for (const double s : kGaussPoints) sum += 0.5 * s * s * s;
  EXPECT_NEAR(sum, 0.25, 1e-15);
}

TEST(LampTrajectory, TorquesAreThoseOfInverseDynamicsAtGaussPoints) {
  LampJumpProblem problem;
  const LampJumpProgram program(problem, MeshOf(problem, 0.1));
  const LampTrajectory line = program.Unpack(program.Pack(StraightLine(problem)));
  const LampPhase& flight = line.phases[1];
  for (const double s : kGaussPoints) {
    const double time = flight.start + s * flight.step();
    EXPECT_LT((LampTrajectory::Torques(program.lamp(), flight, time) -
               line.At(program.lamp(), time).force.tail<3>())
                  .norm(),
              1e-11);
  }
}

TEST(LampTrajectory, PackingAMotionOfTheSameMeshKeepsIt) {
  LampJumpProblem problem = {.end_pose = {0.1, 0.5, 0.2}};
  for (const auto landing : {LampJumpProblem::Landing::kPlastic, LampJumpProblem::Landing::kSoft}) {
    problem.landing = landing;
    const LampJumpProgram program(problem, MeshOf(problem, 0.1));
    Eigen::VectorXd x(program.program().variables());
    for (int i = 0; i < x.size(); ++i) x[i] = std::sin(1.0 + 3.0 * i);
    EXPECT_LT((program.Pack(program.Unpack(x)) - x).norm(), 1e-12);
  }
}

TEST(LampTrajectory, StraightLineJoinsStartAndGoal) {
  const LampJumpProblem problem = {.end_pose = {0.1, 0.5, 0.2}, .distance = 0.7};
  const articulated_lamp::Lamp lamp(problem.lamp);
  const LampTrajectory line = StraightLine(problem);
  EXPECT_DOUBLE_EQ(line.duration(), 1.38);
  EXPECT_LT((line.At(lamp, 0.0).q.tail<3>() - problem.start_pose).norm(), 1e-15);
  const LampSample end = line.At(lamp, line.duration());
  EXPECT_LT((end.q.tail<3>() - problem.end_pose).norm(), 1e-15);
  EXPECT_DOUBLE_EQ(end.q[0], 0.7);
  EXPECT_NEAR(line.At(lamp, problem.stance_duration + 0.5 * problem.flight_duration).q[0], 0.35,
              1e-15);
}

// A stop is a stance between two flights, and what has passed is no part of a line on the way.
TEST(LampTrajectory, StraightLineGoesByTheStops) {
  LampJumpProblem problem = {.distance = 0.7};
  problem.stops = {
      {.distance = 0.3, .height = 0.1, .flight_duration = 0.2, .stance_duration = 0.4}};
  const articulated_lamp::Lamp lamp(problem.lamp);
  LampTrajectory line = StraightLine(problem);
  ASSERT_EQ(line.phases.size(), 5u);
  EXPECT_DOUBLE_EQ(line.duration(), 0.6 + 0.2 + 0.4 + 0.28 + 0.5);
  EXPECT_LT((line.At(lamp, 0.9).q.head<2>() - Eigen::Vector2d(0.3, 0.1)).norm(), 1e-15);
  EXPECT_EQ(line.At(lamp, 0.9).v.head<3>().norm(), 0.0);
  EXPECT_LT((line.At(lamp, 1.34).q.head<2>() - Eigen::Vector2d(0.5, 0.05)).norm(), 1e-15);
  EXPECT_EQ(line.PhaseAt(0.6), 1u);
  EXPECT_EQ(line.PhaseAt(1.0), 2u);
  EXPECT_EQ(line.PhaseAt(9.0), 4u);
  problem.begin = {2, 0.1, line.phases[2].nodes[0].q, line.phases[2].nodes[0].v};
  problem.SetDuration(2, 0.3);
  line = StraightLine(problem);
  ASSERT_EQ(line.phases.size(), 3u);
  EXPECT_EQ(line.phases[0].start, 0.0);
  EXPECT_EQ(line.phases[0].duration, 0.3);
  EXPECT_LT((line.At(lamp, 0.2).q.head<2>() - Eigen::Vector2d(0.3, 0.1)).norm(), 1e-15);
}

}  // namespace
}  // namespace pliant
