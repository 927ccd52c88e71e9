#include "tests/reference/replay.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/problem.h"
#include "solvers/spacetime/lamp_jump.h"

namespace pliant {
namespace {

class LampReplayOf : public testing::Test {
 protected:
  LampReplay Run(double step, const ReplayOptions& options = {}) {
    const LampJumpOptions jump = {.step = step};
    motion_ = SolveLampJump(problem_, jump);
    EXPECT_TRUE(motion_.summary().converged());
    return Replay(problem_, motion_.trajectory, options);
  }
  LampJumpProblem problem_;
  LampJumpMotion motion_;
};

TEST_F(LampReplayOf, AFoundJumpStaysWithThePlanAtTheOrderOfTheMesh) {
  const LampReplay coarse = Run(0.01), fine = Run(0.005);
  EXPECT_LT(fine.hinge_error, 5e-3);
  EXPECT_LT(fine.base_error, 2e-6);
  EXPECT_LT(fine.touchdown_gap, 2e-6);
  EXPECT_GT(std::log2(coarse.hinge_error / fine.hinge_error), 3.0);
  EXPECT_GT(std::log2(coarse.base_error / fine.base_error), 3.0);
  EXPECT_LT(fine.contact_lack, 0.5 * coarse.contact_lack);
}

TEST_F(LampReplayOf, AServoHoldsThePlanAndReportsItsEffort) {
  const ReplayOptions servo = {.servo_stiffness = 20.0, .servo_damping = 0.5};
  const LampReplay held = Run(0.01, servo);
  const LampReplay free = Run(0.01);
  EXPECT_EQ(free.servo_effort, 0.0);
  EXPECT_LT(held.hinge_error, 0.1 * free.hinge_error);
  EXPECT_GT(held.servo_effort, 0.0);
  EXPECT_LT(held.servo_effort, 1e-3 * motion_.summary().final_cost);
}

TEST_F(LampReplayOf, FramesAreThoseOfThePlan) {
  const LampReplay replay = Run(0.02);
  size_t nodes = 0;
  for (const LampPhase& phase : motion_.trajectory.phases) nodes += phase.nodes.size();
  ASSERT_EQ(replay.frames.size(), nodes);
  EXPECT_NEAR(replay.frames.back().time, StraightLine(problem_).duration(), 1e-12);
}

// A motion that is not physics does not stay.
TEST_F(LampReplayOf, AStraightLineIsNotPhysics) {
  const LampTrajectory line = StraightLine(problem_);
  const LampReplay replay = Replay(problem_, line);
  EXPECT_GT(replay.base_error, 0.05);
}

TEST_F(LampReplayOf, WrongOptionsAreNamed) {
  ReplayOptions options = {.max_step = 0.0};
  EXPECT_THROW(options.Validate(), BadInput);
  options = {};
  options.servo_damping = -1.0;
  EXPECT_THROW(options.Validate(), BadInput);
}

}  // namespace
}  // namespace pliant
