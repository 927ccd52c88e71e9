// Jumps with stops on the way, and what time costs.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "solvers/spacetime/lamp_jump.h"
#include "solvers/spacetime/remaining_jump.h"
#include "tests/reference/replay.h"
#include "tests/solvers/spacetime/on_mesh.h"

namespace pliant {
namespace {

using articulated_lamp::Lamp;

LampJumpProblem TwoHops() {
  LampJumpProblem problem = {.distance = 0.6};
  problem.stops = {{.distance = 0.3}};
  return problem;
}

double CostOf(const LampJumpProblem& problem, double step = 0.02) {
  const LampJumpMotion motion = SolveLampJump(problem, OnMesh(step));
  EXPECT_TRUE(motion.summary().converged()) << motion.summary().FullReport();
  return motion.summary().final_cost;
}

TEST(Hops, LandAtTheirStopsAndStayThere) {
  LampJumpProblem problem = TwoHops();
  problem.end_height = 0.05;
  problem.rises = {{"step", 0.45, 2.0, 0.05}};
  problem.flight_duration = 0.32;
  const LampJumpMotion motion = SolveLampJump(problem, OnMesh(0.02));
  ASSERT_TRUE(motion.summary().converged()) << motion.summary().FullReport();
  const auto& phases = motion.trajectory.phases;
  ASSERT_EQ(phases.size(), 5u);
  for (const LampNode& node : phases[2].nodes) {
    EXPECT_LT((node.q.head<3>() - Eigen::Vector3d(0.3, 0.0, 0.0)).norm(), 1e-15);
    EXPECT_EQ(node.v.head<3>().norm(), 0.0);
  }
  for (const LampNode& node : phases[4].nodes) {
    EXPECT_LT((node.q.head<3>() - Eigen::Vector3d(0.6, 0.05, 0.0)).norm(), 1e-15);
  }
  const LampNode& end = phases[4].nodes.back();
  EXPECT_LT((end.q.tail<3>() - problem.end_pose).norm(), 1e-15);
  EXPECT_EQ(end.v.norm(), 0.0);
}

// The planned torques alone, in an integration of their own: the motion is that of the plan, with the order of its mesh. What is off at the
// first landing grows until the second one, as nothing corrects it.
TEST(Hops, ObeyTheLawsOfMotion) {
  std::vector<double> off;
  for (const double step : {0.01, 0.005, 0.0025}) {
    LampJumpOptions options = OnMesh(0.02);
    options.meshes.refinements = static_cast<int>(std::lround(std::log2(0.02 / step)));
    const LampJumpMotion motion = SolveLampJump(TwoHops(), options);
    ASSERT_TRUE(motion.summary().converged()) << motion.summary().FullReport();
    off.push_back(Replay(TwoHops(), motion.trajectory).base_error);
  }
  EXPECT_LT(off.back(), 1e-4) << off[0] << " " << off[1];
  EXPECT_GT(std::log2(off[0] / off[1]), 2.5);
  EXPECT_GT(std::log2(off[1] / off[2]), 2.5);
}

// Two jumps with a rest between them are one way to hop twice, and not the best one. The nodes of the meshes are the same.
TEST(Hops, CostLessThanJumpsWithARestBetween) {
  LampJumpProblem hops = TwoHops();
  hops.stops[0].stance_duration = 0.5 + 0.6;
  LampJumpProblem jump = {.distance = 0.3};
  EXPECT_LT(CostOf(hops), 0.999 * 2.0 * CostOf(jump));
  // On a stop of 3 s the lamp has time to rest: another 0.6 s change the cost by less than a twentieth.
  hops.stops[0].stance_duration = 3.0;
  const double slow = CostOf(hops);
  hops.stops[0].stance_duration = 3.6;
  EXPECT_NEAR(CostOf(hops), slow, 0.05 * slow);
}

// What is left of hops is planned as they were [Bellman 1957], on a stop and in the air after it, too.
TEST(Hops, TheRestOfThemIsThePlanOfTheRest) {
  const LampJumpProblem problem = TwoHops();
  const LampJumpMotion motion = SolveLampJump(problem, OnMesh(0.02));
  ASSERT_TRUE(motion.summary().converged());
  const Lamp lamp(problem.lamp, problem.gravity);
  const LampTrajectory& plan = motion.trajectory;
  for (const auto& [phase, node] :
       {std::pair<size_t, size_t>{0, 11}, {1, 4}, {2, 0}, {2, 9}, {3, 5}}) {
    const LampPhase& now = plan.phases[phase];
    const double time = now.start + static_cast<double>(node) * now.step();
    const auto left = RemainingAt(problem, plan, now.start, time, now.nodes[node], 0.02);
    ASSERT_TRUE(left);
    EXPECT_EQ(left->guess.phases.size(), 5 - phase);
    const LampJumpOnTheWay way{motion, time};
    const LampJumpMotion again = SolveLampJump(left->problem, OnMesh(0.02), &left->guess, &way);
    ASSERT_TRUE(again.summary().converged()) << again.summary().message;
    const LampTrajectory whole = Continue(plan, time, again.trajectory);
    ASSERT_EQ(whole.phases.size(), 5u);
    EXPECT_NEAR(whole.duration(), plan.duration(), 1e-12);
    for (double t = time; t < plan.duration(); t += 0.013) {
      EXPECT_LT((whole.At(lamp, t).q - plan.At(lamp, t).q).norm(), 3e-3) << t << " from " << time;
    }
  }
  EXPECT_FALSE(RemainingAt(problem, plan, plan.phases[4].start, plan.phases[4].start + 0.1,
                           plan.phases[4].nodes[0], 0.02));
}

// In other units it is the same problem.
TEST(Hops, AreTheSameForALampOfAnotherSize) {
  LampJumpProblem problem = TwoHops();
  problem.stops[0].longest_stance = 0.7;
  problem.cost.time = 2.0;
  const LampJumpMotion known = SolveLampJump(problem, OnMesh(0.02));
  ASSERT_TRUE(known.summary().converged());
  const PlanUnits units = {2.0, 3.0, std::sqrt(2.0)};
  const PlanUnits back = {1.0 / units.length, 1.0 / units.mass, 1.0 / units.time};
  const LampJumpProblem large = InUnits(problem, back);
  EXPECT_NEAR(large.stops[0].distance, 0.6, 1e-12);
  EXPECT_NEAR(large.stops[0].longest_stance, 0.7 * units.time, 1e-12);
  const LampJumpMotion scaled = SolveLampJump(large, OnMesh(0.02 * units.time));
  ASSERT_TRUE(scaled.summary().converged());
  EXPECT_NEAR(scaled.summary().final_cost, known.summary().final_cost * units.cost(),
              1e-6 * scaled.summary().final_cost);
}

// J* of the weight w has the time as its slope: the envelope theorem.
TEST(TimeCost, IsTheSlopeOfTheBestCost) {
  LampJumpProblem problem = {.stance_duration = 0.3, .landing_duration = 0.3};
  problem.longest_stance = problem.longest_landing = 1.0;
  problem.longest_flight = 0.5;
  const auto solve = [&](double weight) {
    problem.cost.time = weight;
    LampJumpMotion motion = SolveLampJump(problem, {});
    EXPECT_TRUE(motion.summary().converged()) << motion.summary().FullReport();
    return motion;
  };
  double before = 10.0;
  for (const double weight : {0.5, 2.0, 5.0}) {
    const double d = 0.05 * weight;
    const LampJumpMotion here = solve(weight);
    const double slope =
        (solve(weight + d).summary().final_cost - solve(weight - d).summary().final_cost) / (2 * d);
    const double time = here.trajectory.duration();
    EXPECT_NEAR(slope, time, 2e-3 * time) << weight;
    EXPECT_LT(time, before);  // the more a second costs, the quicker
    before = time;
    double of_time = 0.0;
    for (const SpacetimeSummary::CostTerm& term : here.summary().costs) {
      if (term.name == "time") of_time = term.value;
    }
    EXPECT_NEAR(of_time, weight * time, 1e-9 * of_time);
  }
}

}  // namespace
}  // namespace pliant
