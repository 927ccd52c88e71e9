#include "solvers/spacetime/free_flight.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/scene/problem.h"

namespace pliant {
namespace {

double CostAt(LampJumpProblem problem, double flight) {
  problem.flight_duration = flight;
  const LampJumpMotion motion = SolveLampJump(problem, {});
  return motion.summary().converged() ? motion.summary().final_cost : INFINITY;
}

TEST(FreeFlight, FindsTheTimeInTheAirThatCostsLeast) {
  const LampJumpProblem problem;  // 0.3 m
  const FreeFlight found = SolveFreeFlight(problem, {0.2, 0.4, 0.01}, {});
  ASSERT_TRUE(found.motion.summary().converged());
  EXPECT_DOUBLE_EQ(found.motion.trajectory.phases[1].duration, found.duration);
  EXPECT_GT(found.duration, 0.22);
  EXPECT_LT(found.duration, 0.38);
  const double cost = found.motion.summary().final_cost;
  for (const double off : {-0.04, 0.04}) EXPECT_LT(cost, CostAt(problem, found.duration + off));
  EXPECT_LE(cost, CostAt(problem, 0.28) * (1.0 + 1e-3));
  EXPECT_GE(found.jumps, 7);
  EXPECT_GT(found.evaluations, found.motion.summary().evaluations);
}

TEST(FreeFlight, GoesToTheEndOfItsRangeWhereThatIsBest) {
  const FreeFlight found = SolveFreeFlight({}, {0.33, 0.43, 0.02}, {});
  ASSERT_TRUE(found.motion.summary().converged());
  EXPECT_LT(found.duration, 0.36);
}

TEST(FreeFlight, WithoutAnyJumpItSaysWhy) {
  LampJumpProblem problem;
  problem.start_pose[1] = 2.0;  // beyond its limit, whatever the time
  const FreeFlight found = SolveFreeFlight(problem, {0.2, 0.4, 0.1}, {});
  EXPECT_EQ(found.motion.summary().termination, SpacetimeTermination::kInfeasible);
  EXPECT_EQ(found.motion.summary().worst.name, "limit of hinge 2");
}

TEST(FreeFlight, StretchingKeepsTheWayAndScalesTheRates) {
  LampJumpProblem problem;
  const LampTrajectory line = StraightLine(problem);
  problem.flight_duration *= 2.0;
  const LampTrajectory slow = Stretched(line, problem);
  EXPECT_DOUBLE_EQ(slow.duration(), problem.duration());
  EXPECT_DOUBLE_EQ(slow.phases[2].start, problem.stance_duration + problem.flight_duration);
  const Lamp lamp(problem.lamp);
  const LampSample before = LampTrajectory::At(lamp, line.phases[1], 0.6 + 0.3 * 0.28);
  const LampSample after = LampTrajectory::At(lamp, slow.phases[1], 0.6 + 0.3 * 0.56);
  EXPECT_LT((before.q - after.q).norm(), 1e-12);
  EXPECT_LT((before.v - 2.0 * after.v).norm(), 1e-12);
}

TEST(FreeFlight, WrongOptionsAreNamed) {
  const auto refused = [](const FreeFlightOptions& options, const std::string& where) {
    try {
      SolveFreeFlight({}, options, {});
      FAIL() << where;
    } catch (const BadInput& bad) {
      EXPECT_EQ(bad.problem().where, where);
    }
  };
  refused({0.0, 0.4, 0.01}, "shortest");
  refused({0.3, 0.3, 0.01}, "longest");
  refused({0.2, 0.4, 0.0}, "tolerance");
}

}  // namespace
}  // namespace pliant
