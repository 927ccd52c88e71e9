// Jumps that are more than a jump from floor to floor, durations that are free, and what the
// transcriptions of the same jump have in common.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models/problem.h"
#include "solvers/spacetime/lamp_jump.h"
#include "tests/reference/complaints.h"
#include "tests/reference/replay.h"

namespace pliant {
namespace {

using articulated_lamp::Lamp;

using Rise = LampJumpProblem::Rise;
constexpr double kFar = std::numeric_limits<double>::infinity();

// Lowest height of the underside of the base above the ground, on the way of the flight between x
// of `left` and `right`, where the ground is at `height`.
double LowestOver(const LampTrajectory& motion, const Lamp& lamp, double left, double right,
                  double height) {
  double lowest = kFar;
  const LampPhase& flight = motion.phases[1];
  for (int i = 0; i <= 500; ++i) {
    const double time = flight.start + flight.duration * i / 500.0;
    const articulated_lamp::LampVector q = LampTrajectory::At(lamp, flight, time).q;
    for (int k = -10; k <= 10; ++k) {
      const double along = 0.1 * lamp.parameters().half_width * k;
      const double x = q[0] + along * std::cos(q[2]);
      if (x < left || x > right) continue;
      lowest = std::min(lowest, q[1] - along * std::sin(q[2]) - height);
    }
  }
  return lowest;
}

TEST(LampStep, TheBaseGoesRoundTheEdgeAndLandsOnTop) {
  LampJumpProblem problem = {.distance = 0.5,
                             .end_height = 0.1,
                             .rises = {Rise{"step", 0.3, kFar, 0.1}},
                             .flight_duration = 0.4};
  const LampJumpOptions options = {.meshes = {.refinements = 1}};
  const LampJumpMotion motion = SolveLampJump(problem, options);
  ASSERT_TRUE(motion.summary().converged()) << motion.summary().FullReport();
  EXPECT_EQ(motion.trajectory.phases[1].nodes.back().q[1], 0.1);
  EXPECT_EQ(motion.trajectory.phases[2].nodes.back().q[1], 0.1);
  const Lamp lamp(problem.lamp);
  EXPECT_GT(LowestOver(motion.trajectory, lamp, 0.3, kFar, 0.1), -2e-3);
  const LampReplay replay = Replay(problem, motion.trajectory);
  EXPECT_LT(replay.touchdown_gap, 1e-3);
  EXPECT_LT(replay.base_error, 1e-3);
  // It costs more than the same jump on the level.
  problem.rises.clear();
  problem.end_height = 0.0;
  EXPECT_GT(motion.summary().final_cost, SolveLampJump(problem, {}).summary().final_cost);
}

TEST(LampHurdle, TheBaseFliesOverWhatItWouldHit) {
  LampJumpProblem problem = {.distance = 0.6, .flight_duration = 0.44};
  const Lamp lamp(problem.lamp);
  const double height = 0.2, left = 0.28, right = 0.32;
  const LampJumpOptions options = {.meshes = {.refinements = 1}};
  const LampJumpMotion low = SolveLampJump(problem, options);
  ASSERT_TRUE(low.summary().converged());
  EXPECT_LT(LowestOver(low.trajectory, lamp, left, right, height), -0.02);
  problem.rises = {Rise{"hurdle", left, right, height}};
  const LampJumpMotion high = SolveLampJump(problem, options);
  ASSERT_TRUE(high.summary().converged()) << high.summary().FullReport();
  EXPECT_GT(LowestOver(high.trajectory, lamp, left, right, height), -1e-3);
  EXPECT_GT(high.summary().final_cost, low.summary().final_cost);
}

LampJumpProblem SkiJump() {
  LampJumpProblem problem;
  const double slope = 0.35, length = 0.6, edge = (length + 0.1) * std::cos(slope);
  problem.in_run = {slope, length, 0.05};
  problem.stance_duration = 0.45;
  problem.longest_stance = 0.9;
  problem.flight_duration = 0.2;
  problem.longest_flight = 0.5;
  problem.end_height = problem.floor_height = -0.3 - (length + 0.1) * std::sin(slope);
  problem.distance = edge + 0.7;
  problem.rises = {Rise{"ramp", -kFar, edge, 0.0, -std::tan(slope)}};
  return problem;
}

TEST(LampSkiJump, SlidesDownTheSlopeAndFliesOnWithItsSpeed) {
  const LampJumpProblem problem = SkiJump();
  const LampJumpMotion motion = SolveLampJump(problem, {});
  ASSERT_TRUE(motion.summary().converged()) << motion.summary().FullReport();
  const LampPhase& slide = motion.trajectory.phases[0];
  const LampPhase& flight = motion.trajectory.phases[1];
  ASSERT_EQ(slide.contact, LampContact::kSlide);
  for (const LampNode& node : slide.nodes) {
    EXPECT_NEAR(node.q[1], -std::tan(0.35) * node.q[0], 1e-12);
    EXPECT_GE(node.v[0], 0.0);  // downhill all the way: friction has the right sign
  }
  EXPECT_NEAR(slide.nodes.back().q[0], 0.6 * std::cos(0.35), 1e-12);
  EXPECT_EQ((flight.nodes.front().v - slide.nodes.back().v).norm(), 0.0);
  EXPECT_GT(flight.nodes.front().v[0], 1.0);
  EXPECT_EQ(flight.nodes.back().q[1], problem.end_height);
}

// Coulomb friction of a base that slides, and nothing else along the slope.
TEST(LampSkiJump, TheSlopeRubsByItsFriction) {
  const LampJumpProblem problem = SkiJump();
  const LampJumpMotion motion = SolveLampJump(problem, {});
  const Lamp lamp(problem.lamp);
  const LampPhase& slide = motion.trajectory.phases[0];
  for (int i = 0; i < slide.intervals(); ++i) {
    const LampSample sample =
        LampTrajectory::At(lamp, slide, slide.start + (i + kGaussPoints[0]) * slide.step());
    const Eigen::Vector2d force = sample.force.head<2>();
    const double normal = force.dot(Eigen::Vector2d(std::sin(0.35), std::cos(0.35)));
    const double uphill = force.dot(Eigen::Vector2d(-std::cos(0.35), std::sin(0.35)));
    EXPECT_NEAR(uphill, 0.05 * normal, 1e-6);
    EXPECT_GE(normal, -1e-7);
  }
}

TEST(LampSkiJump, TheFoundMotionIsPhysics) {
  const LampJumpProblem problem = SkiJump();
  const LampJumpOptions options = {.step = 0.01};
  const LampJumpMotion motion = SolveLampJump(problem, options);
  ASSERT_TRUE(motion.summary().converged());
  const LampReplay replay = Replay(problem, motion.trajectory);
  EXPECT_LT(replay.base_error, 1e-3);
  EXPECT_LT(replay.touchdown_gap, 1e-3);
  // Nothing holds it up where it has landed: half a second of that lets any error grow.
  const ReplayOptions servo = {.servo_stiffness = 20.0, .servo_damping = 0.5};
  const LampReplay held = Replay(problem, motion.trajectory, servo);
  EXPECT_LT(held.hinge_error, 0.02);
  EXPECT_LT(held.servo_effort, 1e-3 * motion.summary().final_cost);
}

double CostAt(LampJumpProblem problem, double stance, double flight, double rest) {
  problem.stance_duration = stance;
  problem.flight_duration = flight;
  problem.landing_duration = rest;
  problem.longest_stance = problem.longest_flight = problem.longest_landing = 0.0;
  const LampJumpMotion motion = SolveLampJump(problem, {});
  return motion.summary().converged() ? motion.summary().final_cost : INFINITY;
}

TEST(FreeDurations, AreThoseThatCostLeast) {
  const LampJumpProblem problem = {.flight_duration = 0.2, .longest_flight = 0.4};
  const LampJumpMotion motion = SolveLampJump(problem, {});
  ASSERT_TRUE(motion.summary().converged()) << motion.summary().FullReport();
  const auto& phases = motion.trajectory.phases;
  EXPECT_NEAR(phases[1].duration, 0.285, 0.01);
  EXPECT_DOUBLE_EQ(phases[0].duration, 0.6);
  EXPECT_DOUBLE_EQ(phases[2].start, 0.6 + phases[1].duration);
  const double best = motion.summary().final_cost;
  for (const double off : {-0.04, 0.04}) {
    EXPECT_LT(best, 0.99 * CostAt(problem, 0.6, phases[1].duration + off, 0.5));
  }
  EXPECT_NEAR(best, CostAt(problem, 0.6, phases[1].duration, 0.5), 0.005 * best);
}

TEST(FreeDurations, OfTheGroundAreFreeToo) {
  LampJumpProblem problem;
  problem.stance_duration = problem.landing_duration = 0.2;
  problem.longest_stance = problem.longest_landing = 1.2;
  const LampJumpMotion motion = SolveLampJump(problem, {});
  ASSERT_TRUE(motion.summary().converged()) << motion.summary().FullReport();
  const double stance = motion.trajectory.phases[0].duration;
  const double rest = motion.trajectory.phases[2].duration;
  const double best = motion.summary().final_cost;
  EXPECT_GT(stance, 0.25);
  EXPECT_LT(stance, 1.15);
  EXPECT_LT(best, 0.997 * CostAt(problem, stance + 0.25, 0.28, rest));
  EXPECT_LT(best, 0.997 * CostAt(problem, stance - 0.25, 0.28, rest));
  EXPECT_LT(best, 0.997 * CostAt(problem, stance, 0.28, rest - 0.15));
}

TEST(FreeDurations, GoToTheEndOfTheirRangeWhereThatIsBest) {
  const LampJumpProblem problem = {.flight_duration = 0.33, .longest_flight = 0.43};
  const LampJumpMotion motion = SolveLampJump(problem, {});
  ASSERT_TRUE(motion.summary().converged());
  EXPECT_NEAR(motion.trajectory.phases[1].duration, 0.33, 1e-6);
}

TEST(FreeDurations, AGuessOfOtherDurationsIsStretched) {
  LampJumpProblem problem;
  const LampTrajectory line = StraightLine(problem);
  problem.flight_duration *= 2.0;
  const LampJumpProgram program(problem, MeshOf(problem, 0.05));
  const LampTrajectory slow = program.Unpack(program.Pack(line));
  EXPECT_DOUBLE_EQ(slow.duration(), StraightLine(problem).duration());
  const Lamp& lamp = program.lamp();
  const LampSample before = LampTrajectory::At(lamp, line.phases[1], 0.6 + 0.5 * 0.28);
  const LampSample after = LampTrajectory::At(lamp, slow.phases[1], 0.6 + 0.5 * 0.56);
  EXPECT_LT((before.q - after.q).norm(), 1e-12);
  EXPECT_NEAR(before.v[0], 2.0 * after.v[0], 1e-12);
}

class LampTranscriptions : public testing::TestWithParam<LampTranscription> {};
std::string NameOf(const testing::TestParamInfo<LampTranscription>& info) {
  switch (info.param) {
    case LampTranscription::kHermite:
      return "Hermite";
    case LampTranscription::kTrapezoidal:
      return "Trapezoidal";
    case LampTranscription::kFiniteDifferences:
      return "FiniteDifferences";
  }
  return "";
}
INSTANTIATE_TEST_SUITE_P(All, LampTranscriptions,
                         testing::Values(LampTranscription::kHermite,
                                         LampTranscription::kTrapezoidal,
                                         LampTranscription::kFiniteDifferences),
                         NameOf);

// 9.1303 is where all three go, from 0.02 s to 0.0025 s and by extrapolation.
TEST_P(LampTranscriptions, GoToTheSameJump) {
  const LampJumpOptions options = {.meshes = {.refinements = 3}, .transcription = GetParam()};
  const LampJumpMotion motion = SolveLampJump({}, options);
  ASSERT_EQ(motion.levels.size(), 4u);
  ASSERT_TRUE(motion.summary().converged()) << motion.summary().FullReport();
  EXPECT_NEAR(*motion.extrapolated_cost, 9.1303, 0.002);
  EXPECT_GT(*motion.observed_order, 1.8);
  // How far the coarse mesh cheats tells them apart.
  const double coarse = motion.levels[0].summary.final_cost;
  const double lacks[] = {0.01, 0.2, 0.4};
  const double lack = 1.0 - coarse / 9.1303;
  EXPECT_GT(lack, 0.5 * lacks[static_cast<int>(GetParam())]);
  EXPECT_LT(lack, 1.0 * lacks[static_cast<int>(GetParam())]);
}

// On this mesh the inner problem has many kinks near its minimum: whole solves are refused, and the
// multipliers must not run away while the trust region shrinks.
TEST(LampTranscriptions, TheTrapezoidalJumpOf60CentimetresGoesToTheFinestMesh) {
  const LampJumpProblem problem = {.distance = 0.6, .flight_duration = 0.36};
  const LampJumpOptions options = {.meshes = {.refinements = 3},
                                   .transcription = LampTranscription::kTrapezoidal};
  const LampJumpMotion motion = SolveLampJump(problem, options);
  ASSERT_EQ(motion.levels.size(), 4u);
  ASSERT_TRUE(motion.summary().converged()) << motion.summary().FullReport();
  EXPECT_LT(motion.summary().violation, 1e-8);
  // There are two optima, at 20.332 and 20.355: the coarse mesh, where J is 11.3, decides which.
  const double cost = motion.summary().final_cost;
  EXPECT_LT(std::min(std::abs(cost - 20.332), std::abs(cost - 20.355)), 1e-3) << cost;
  EXPECT_LT(motion.summary().residuals.stationarity, 1e-4);
  EXPECT_LT(motion.summary().outer_iterations, 100);  // and not by the robust schedule
}

TEST(LampJumpProblem, WrongInputIsNamed) {
  const auto refused = [](const LampJumpProblem& problem, const std::string& where) {
    reference::ExpectBadInput(where, [&] { problem.Validate(); });
  };
  LampJumpProblem p = {.rises = {Rise{"box", 0.5, 0.4, 0.1}}};
  refused(p, "rises");
  p = {};
  p.in_run = {0.0, 0.5, 0.0};
  refused(p, "in_run.slope");
  p = {};
  p.in_run = {0.3, 0.0, 0.0};
  refused(p, "in_run.length");
  p = {};
  p.in_run = {0.3, 0.5, -0.1};
  refused(p, "in_run.friction");
  p = {};
  p.landing_friction = 0.0;
  refused(p, "landing_friction");
  p = {};
  p.longest_stance = -1.0;
  refused(p, "longest_stance");
}

}  // namespace
}  // namespace pliant
