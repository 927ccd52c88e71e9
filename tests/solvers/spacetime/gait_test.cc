// Jumps that end as they begin, and what work costs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "solvers/spacetime/lamp_jump.h"
#include "tests/reference/complaints.h"
#include "tests/reference/replay.h"
#include "tests/solvers/spacetime/on_mesh.h"

namespace pliant {
namespace {

using articulated_lamp::Lamp;
using articulated_lamp::LampAngles;

// 0.6 s on the ground, its middle in the middle of that time.
LampJumpProblem Gait() {
  LampJumpProblem problem = {.distance = 0.3};
  problem.stance_duration = problem.landing_duration = 0.3;
  problem.loop = true;
  return problem;
}

LampJumpMotion Solve(const LampJumpProblem& problem, double step = 0.02, int refinements = 0) {
  LampJumpOptions options = OnMesh(step);
  options.meshes.refinements = refinements;
  LampJumpMotion motion = SolveLampJump(problem, options);
  EXPECT_TRUE(motion.summary().converged()) << motion.summary().FullReport();
  return motion;
}

double CostOf(const LampJumpMotion& motion, const std::string& name) {
  for (const SpacetimeSummary::CostTerm& term : motion.summary().costs) {
    if (term.name == name) return term.value;
  }
  ADD_FAILURE() << name;
  return 0.0;
}

TEST(GaitPlan, EndsAsItBegins) {
  const LampJumpMotion motion = Solve(Gait());
  const LampNode &first = motion.trajectory.phases.front().nodes.front(),
                 &last = motion.trajectory.phases.back().nodes.back();
  EXPECT_EQ((last.q - first.q).tail<3>().norm(), 0.0);
  EXPECT_EQ((last.v - first.v).norm(), 0.0);
  EXPECT_EQ((last.q - first.q).head<3>(), Eigen::Vector3d(0.3, 0.0, 0.0));
  EXPECT_GT(first.v.tail<3>().norm(), 0.3);  // it does not stop
  // Elsewhere than where its first guess stands.
  EXPECT_GT((first.q.tail<3>() - Gait().start_pose).norm(), 0.1);
}

// The planned torques alone, in an integration of their own.
TEST(GaitPlan, ObeysTheLawsOfMotion) {
  std::vector<double> off;
  for (const int refinements : {1, 2, 3}) {
    off.push_back(Replay(Gait(), Solve(Gait(), 0.02, refinements).trajectory).base_error);
  }
  EXPECT_LT(off.back(), 1e-4) << off[0] << " " << off[1];
  EXPECT_GT(std::log2(off[0] / off[1]), 2.5);
  EXPECT_GT(std::log2(off[1] / off[2]), 2.5);
}

// A jump from rest to rest is a loop, too, and not the best one; two laps in one are a loop of two hops.
TEST(GaitPlan, CostsNoMoreThanOtherLoops) {
  LampJumpProblem jump = Gait();
  jump.loop = false;
  const double lap = Solve(Gait()).summary().final_cost;
  EXPECT_LT(lap, 0.9 * Solve(jump).summary().final_cost);
  LampJumpProblem twice = Gait();
  twice.distance = 0.6;
  twice.stops = {{.distance = 0.3, .stance_duration = 0.6}};
  EXPECT_NEAR(Solve(twice).summary().final_cost, 2.0 * lap, 1e-4 * lap);
}

// Whoever hops from rest to rest comes the nearer to the gait, the more hops there are: the turnpike. The lap between the middles of the two
// stances in the middle of 2 n + 1 hops is compared with the gait, pose by pose.
TEST(GaitPlan, IsWhatTheMiddleOfManyHopsComesTo) {
  const LampJumpMotion gait = Solve(Gait());
  const Lamp lamp(Gait().lamp);
  std::vector<double> off;
  for (const int hops : {1, 3, 5}) {
    LampJumpProblem problem = Gait();
    problem.loop = false;
    problem.distance = 0.3 * hops;
    for (int i = 1; i < hops; ++i) {
      problem.stops.push_back({.distance = 0.3 * i, .stance_duration = 0.6});
    }
    const LampJumpMotion motion = Solve(problem);
    const double lap = gait.trajectory.duration(), begin = (hops - 1) / 2 * lap;
    double worst = 0.0;
    for (double t = 0.005; t < lap; t += 0.01) {
      const auto poses = motion.trajectory.At(lamp, begin + t).q - gait.trajectory.At(lamp, t).q;
      worst = std::max(worst, poses.tail<3>().cwiseAbs().maxCoeff());
    }
    off.push_back(worst);
  }
  EXPECT_GT(off[0], 0.1);
  EXPECT_LT(off[1], 0.3 * off[0]);
  EXPECT_LT(off[2], 0.3 * off[1]) << off[0] << " " << off[1];
}

TEST(GaitPlan, IsForLevelGround) {
  LampJumpProblem step = Gait();
  step.end_height = 0.1;
  reference::ExpectBadInput("loop", {"ground of one height"}, [&] { step.Validate(); });
  LampJumpProblem ice = Gait();
  ice.landing_friction = 0.1;
  reference::ExpectBadInput("loop", {"ground of one height and friction"}, [&] { ice.Validate(); });
}

// r² of a power by its formula, and r by differences.
TEST(WorkCost, RootsOfPowersAreSmoothThroughZero) {
  for (const double power : {-300.0, -1.0, -0.03, 0.0, 1e-9, 0.2, 50.0}) {
    const double p0 = 0.1;
    const PowerRoot root = RootOf(power, p0);
    EXPECT_NEAR(root.value * root.value, std::sqrt(power * power + p0 * p0) - p0,
                1e-12 * (1.0 + std::abs(power)));
    EXPECT_LE(std::abs(power) - root.value * root.value, p0);
    EXPECT_EQ(std::signbit(root.value), std::signbit(power));
    const double d = 1e-5;
    EXPECT_NEAR(root.slope, (RootOf(power + d, p0).value - RootOf(power - d, p0).value) / (2 * d),
                1e-7);
  }
}

// J* of the weight π has the work, rounded, as its slope: the envelope theorem. And the more a joule costs, the fewer there are.
TEST(WorkCost, IsTheSlopeOfTheBestCost) {
  LampJumpProblem problem = {.distance = 0.3};
  const auto solve = [&](double weight) {
    problem.cost.work = weight;
    return SolveLampJump(problem, {});
  };
  double before = 1e9;
  for (const double weight : {0.1, 0.5, 2.0}) {
    const double d = 0.02 * weight;
    const LampJumpMotion here = solve(weight), more = solve(weight + d), less = solve(weight - d);
    ASSERT_TRUE(here.summary().converged() && more.summary().converged() &&
                less.summary().converged());
    const double work = CostOf(here, "hinge work") / weight;
    EXPECT_NEAR((more.summary().final_cost - less.summary().final_cost) / (2 * d), work,
                1e-3 * work)
        << weight;
    EXPECT_LT(work, before);
    before = work;
  }
}

}  // namespace
}  // namespace pliant
