// What is left of an optimal jump is the optimal jump from there [Bellman 1957].

#include "solvers/spacetime/remaining_jump.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solvers/spacetime/lamp_jump.h"
#include "tests/solvers/spacetime/on_mesh.h"

namespace pliant {
namespace {

using articulated_lamp::Lamp;

// When the phase at `time` began [s].
double BeganAt(const LampTrajectory& motion, double time) {
  return motion.phases[motion.PhaseAt(time)].start;
}

// J of the plan from `time` on, summed over its samples.
double CostFrom(const LampJumpMotion& motion, const LampJumpProblem& problem, double time) {
  double cost = 0.0;
  for (const LampJumpProgram::Sample& sample : motion.program->Samples(motion.unknowns)) {
    if (sample.time < time) continue;
    cost += sample.span *
            (problem.cost.torque * sample.motion.force.tail<3>().squaredNorm() +
             problem.cost.acceleration * sample.motion.acceleration.tail<3>().squaredNorm());
  }
  return cost;
}

TEST(RemainingJump, TheRestOfAPlanIsThePlanOfTheRest) {
  const LampJumpProblem problem;
  const LampJumpMotion motion = SolveLampJump(problem, OnMesh(0.02));
  ASSERT_TRUE(motion.summary().converged());
  const Lamp lamp(problem.lamp, problem.gravity);
  const LampTrajectory& plan = motion.trajectory;
  for (const auto& [phase, node] : {std::pair<size_t, size_t>{0, 7}, {0, 20}, {1, 3}, {1, 8}}) {
    const LampPhase& now = plan.phases[phase];
    const double time = now.start + static_cast<double>(node) * now.step();
    const auto left = RemainingAt(problem, plan, now.start, time, now.nodes[node], 0.02);
    ASSERT_TRUE(left);
    EXPECT_EQ(left->guess.phases.size(), 3 - phase);
    const LampJumpMotion again = SolveLampJump(left->problem, OnMesh(0.02), &left->guess);
    ASSERT_TRUE(again.summary().converged()) << again.summary().message;
    const double cost = CostFrom(motion, problem, time);
    EXPECT_NEAR(again.summary().final_cost, cost, 2e-5 * cost) << time;
    const LampTrajectory whole = Continue(plan, time, again.trajectory);
    ASSERT_EQ(whole.phases.size(), 3u);
    EXPECT_NEAR(whole.duration(), plan.duration(), 1e-12);
    for (double t = time; t < plan.duration(); t += 0.013) {
      EXPECT_LT((whole.At(lamp, t).q - plan.At(lamp, t).q).norm(), 2e-3) << t;
    }
    // From another guess, too: a straight line knows nothing of the plan.
    if (phase == 1) continue;
    const LampJumpMotion afresh = SolveLampJump(left->problem, OnMesh(0.02));
    ASSERT_TRUE(afresh.summary().converged());
    EXPECT_NEAR(afresh.summary().final_cost, cost, 1e-3 * cost);
  }
}

// Another state has another plan, which begins there and ends where the plan did.
TEST(RemainingJump, BeginsWhereTheLampHasComeTo) {
  const LampJumpProblem problem;
  const Lamp lamp(problem.lamp, problem.gravity);
  const LampJumpMotion motion = SolveLampJump(problem, OnMesh(0.02));
  for (const double time : {0.31, 0.707}) {
    LampSample sample = motion.trajectory.At(lamp, time);
    LampNode state{sample.q, sample.v};
    state.q.tail<3>() += Eigen::Vector3d(0.01, -0.02, 0.03);
    state.v.tail<3>() += Eigen::Vector3d(-0.1, 0.1, 0.2);
    const auto left = RemainingAt(problem, motion.trajectory, BeganAt(motion.trajectory, time),
                                  time, state, 0.02);
    ASSERT_TRUE(left);
    const LampJumpMotion again = SolveLampJump(left->problem, OnMesh(0.02), &left->guess);
    ASSERT_TRUE(again.summary().converged()) << again.summary().message;
    const LampTrajectory whole = Continue(motion.trajectory, time, again.trajectory);
    EXPECT_LT((whole.At(lamp, time).q - state.q).norm(), 1e-12);
    EXPECT_LT((whole.At(lamp, time).v - state.v).norm(), 1e-12);
    const LampSample end = whole.At(lamp, whole.duration());
    EXPECT_NEAR(end.q[0], problem.distance, 1e-12);
    EXPECT_LT((end.q.tail<3>() - problem.end_pose).norm(), 1e-12);
    EXPECT_LT(end.v.norm(), 1e-12);
  }
}

// The multipliers of a plan are those of its rest [Bellman 1957]: on the plan a tenth of the steps is enough, beside it fewer, to
// the same optimum. (Ten times as far away it takes as many or more.)
TEST(RemainingJump, BeginsWithTheMultipliersOfThePlan) {
  const LampJumpProblem problem;
  const Lamp lamp(problem.lamp, problem.gravity);
  const LampJumpMotion motion = SolveLampJump(problem, OnMesh(0.02));
  ASSERT_TRUE(motion.summary().converged());
  for (const double off : {0.0, 1e-3}) {
    for (const double time : {0.14, 0.4, 0.7}) {
      const LampSample sample = motion.trajectory.At(lamp, time);
      LampNode state{sample.q, sample.v};
      state.q.tail<3>() += off * Eigen::Vector3d(1.0, -2.0, 3.0);
      state.v.tail<3>() += off * Eigen::Vector3d(-10.0, 10.0, 20.0);
      const auto left = RemainingAt(problem, motion.trajectory, BeganAt(motion.trajectory, time),
                                    time, state, 0.02);
      ASSERT_TRUE(left);
      const LampJumpMotion cold = SolveLampJump(left->problem, OnMesh(0.02), &left->guess);
      const LampJumpOnTheWay way{motion, time};
      const LampJumpMotion warm = SolveLampJump(left->problem, OnMesh(0.02), &left->guess, &way);
      ASSERT_TRUE(cold.summary().converged() && warm.summary().converged());
      EXPECT_NEAR(warm.summary().final_cost, cold.summary().final_cost,
                  1e-4 * cold.summary().final_cost);
      EXPECT_LT(warm.summary().inner_iterations * (off > 0.0 ? 1 : 10),
                cold.summary().inner_iterations)
          << "off by " << off << " at " << time << " s";
    }
  }
}

TEST(RemainingJump, IsNothingOnceItHasLandedOrHardlyAnyTimeIsLeft) {
  const LampJumpProblem problem;
  const LampTrajectory line = StraightLine(problem);
  const LampNode state = line.phases[0].nodes[0];
  const auto at = [&](double time) {
    return RemainingAt(problem, line, BeganAt(line, time), time, state, 0.05).has_value();
  };
  EXPECT_TRUE(at(0.0));
  EXPECT_TRUE(at(0.54));
  EXPECT_FALSE(at(0.56));
  EXPECT_TRUE(at(0.61));
  EXPECT_FALSE(at(0.84));
  EXPECT_FALSE(at(1.0));
  LampJumpProblem ski = problem;
  ski.in_run = {0.3, 1.0, 0.1};
  EXPECT_FALSE(RemainingAt(ski, StraightLine(ski), 0.0, 0.3, state, 0.05));
}

}  // namespace
}  // namespace pliant
