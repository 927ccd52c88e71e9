// The record of a plan says what the plan is: checked by the laws that the plan obeys.

#include "solvers/spacetime/plan_record.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

PlanRecord RecordFor(const LampJumpProblem& problem, LampTranscription transcription) {
  LampJumpOptions options;
  options.transcription = transcription;
  options.meshes.refinements = 1;
  const LampJumpMotion motion = SolveLampJump(problem, options);
  EXPECT_TRUE(motion.summary().converged());
  return RecordOf(problem, transcription, motion);
}

class RecordOfAPlan : public testing::TestWithParam<LampTranscription> {};

TEST_P(RecordOfAPlan, ItsSamplesAreTheCost) {
  LampJumpProblem problem;
  problem.longest_flight = 0.4;
  const PlanRecord plan = RecordFor(problem, GetParam());
  double torques = 0.0, spins = 0.0, span = 0.0;
  for (const LampJumpProgram::Sample& sample : plan.samples) {
    torques += sample.span * sample.motion.force.tail<3>().squaredNorm();
    spins += sample.span * sample.motion.acceleration.tail<3>().squaredNorm();
    span += sample.span;
  }
  EXPECT_NEAR(span, plan.motion.duration(), 1e-12);
  EXPECT_NEAR(torques + problem.cost.acceleration * spins, plan.cost, 1e-10 * plan.cost);
  EXPECT_NEAR(plan.cost_terms.at(0).value, torques, 1e-10 * plan.cost);
}

TEST_P(RecordOfAPlan, ForcesAreThoseThatThePhaseAllows) {
  const LampJumpProblem problem;
  const PlanRecord plan = RecordFor(problem, GetParam());
  double last = -1.0;
  for (const LampJumpProgram::Sample& sample : plan.samples) {
    EXPECT_GE(sample.time, last);
    last = sample.time;
    const LampPhase& phase = plan.motion.phases.at(sample.phase);
    EXPECT_GE(sample.time, phase.start - 1e-12);
    EXPECT_LE(sample.time, phase.start + phase.duration + 1e-12);
    const Eigen::Vector3d floor = sample.motion.force.head<3>();
    if (phase.contact == LampContact::kFlight) {
      EXPECT_LT(floor.norm(), 1e-7);
    } else {
      EXPECT_LE(std::abs(floor[0]), problem.friction * floor[1] + 1e-7);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Transcriptions, RecordOfAPlan,
                         testing::Values(LampTranscription::kHermite,
                                         LampTranscription::kTrapezoidal,
                                         LampTranscription::kFiniteDifferences));

TEST(RecordOfAJump, ConstraintsAreAllOfTheProgramAndStretchWithItsTimes) {
  LampJumpProblem problem;
  problem.longest_flight = 0.4;
  const PlanRecord plan = RecordFor(problem, LampTranscription::kHermite);
  const double takeoff = plan.motion.phases[1].start;
  const double touchdown = plan.motion.phases[2].start;
  EXPECT_NE(touchdown - takeoff, 0.5 * (problem.flight_duration + problem.longest_flight));
  double last = 0.0, worst = 0.0;
  int impacts = 0;
  for (const PlanRecord::Constraint& row : plan.constraints) {
    last = std::max(last, row.time);
    EXPECT_EQ(row.name == "force in flight" && (row.time < takeoff || row.time > touchdown), false);
    const bool equality = row.kind == RowKind::kEquality;
    const double lack = equality ? std::abs(row.value) : std::max(0.0, -row.value);
    worst = std::max(worst, row.scale * lack);
    if (!equality) {
      EXPECT_GE(row.multiplier, 0.0);
    }
    if (row.name != "impact of hinges") continue;
    ++impacts;
    EXPECT_NEAR(row.time, touchdown, 1e-12);
  }
  EXPECT_EQ(impacts, 3);
  EXPECT_NEAR(last, plan.motion.duration(), 1e-12);
  EXPECT_EQ(worst, plan.residuals.feasibility);
}

TEST(RecordOfAJump, IterationsAreThoseOfAllMeshes) {
  const PlanRecord plan = RecordFor({}, LampTranscription::kHermite);
  ASSERT_FALSE(plan.iterations.empty());
  EXPECT_EQ(plan.iterations.front().mesh_step, 0.02);
  EXPECT_EQ(plan.iterations.back().mesh_step, 0.01);
  EXPECT_EQ(plan.iterations.back().result.cost, plan.cost);
  EXPECT_EQ(plan.mesh_step, 0.01);
}

}  // namespace
}  // namespace pliant
