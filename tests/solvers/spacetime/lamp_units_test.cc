// A lamp of another size, and the same lamp in other units, are planned as the one that the program is scaled for.

#include "solvers/spacetime/lamp_units.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solvers/spacetime/lamp_jump.h"
#include "solvers/spacetime/plan_record.h"

namespace pliant {
namespace {

constexpr PlanUnits kOther = {2.6, 0.37, 1.9};  // m, kg, s

// The same problem, in numbers of other units.
LampJumpProblem Renamed(const LampJumpProblem& problem) {
  return InUnits(problem, {1.0 / kOther.length, 1.0 / kOther.mass, 1.0 / kOther.time});
}

LampJumpOptions Coarse(double step) {
  LampJumpOptions options;
  options.step = step;
  return options;
}

TEST(PlanUnits, OfTheLampOfTheSourceAreSi) {
  EXPECT_TRUE(UnitsOf(LampJumpProblem()).are_si());
  LampJumpProblem heavy;
  heavy.lamp = heavy.lamp.WithHeadMass(1.3);
  EXPECT_TRUE(UnitsOf(heavy).are_si());
  const PlanUnits units = UnitsOf(Renamed({}));
  EXPECT_NEAR(units.length, kOther.length, 1e-15 * kOther.length);
  EXPECT_NEAR(units.mass, kOther.mass, 1e-15 * kOther.mass);
  EXPECT_NEAR(units.time, kOther.time, 1e-15 * kOther.time);
  EXPECT_NEAR(units.Of("N·m·s") * units.Of("N·m·s") / units.time, units.cost(),
              1e-12 * units.cost());
}

class OtherUnits : public testing::TestWithParam<LampJumpProblem> {};

TEST_P(OtherUnits, HaveTheSamePlan) {
  const LampJumpProblem& problem = GetParam();
  const LampJumpMotion motion = SolveLampJump(problem, Coarse(0.05));
  const LampJumpProblem renamed = Renamed(problem);
  const LampJumpMotion other = SolveLampJump(renamed, Coarse(0.05 * kOther.time));
  ASSERT_TRUE(motion.summary().converged() && other.summary().converged());
  const double cost = motion.summary().final_cost;
  EXPECT_NEAR(other.summary().final_cost, cost * kOther.cost(), 1e-10 * cost * kOther.cost());
  EXPECT_NEAR(other.trajectory.duration(), kOther.time * motion.trajectory.duration(), 1e-8);
  const LampTrajectory back = InUnits(other.trajectory, kOther);
  for (size_t p = 0; p < back.phases.size(); ++p) {
    for (size_t i = 0; i < back.phases[p].nodes.size(); ++i) {
      const LampNode &a = motion.trajectory.phases[p].nodes[i], &b = back.phases[p].nodes[i];
      // Numbers are rounded otherwise in these units, and the iterations magnify that.
      EXPECT_LT((a.q - b.q).norm(), 1e-5);
      EXPECT_LT((a.v - b.v).norm(), 1e-4);
    }
  }
}

// The rows, multipliers and samples that are recorded are those of the program in SI, made from the problem itself: its first-order
// conditions hold with them.
TEST_P(OtherUnits, AreNotThoseOfTheRecord) {
  const LampJumpProblem renamed = Renamed(GetParam());
  const double step = 0.05 * kOther.time;
  const LampJumpMotion motion = SolveLampJump(renamed, Coarse(step));
  ASSERT_TRUE(motion.summary().converged());
  const PlanRecord record = RecordOf(renamed, LampTranscription::kHermite, motion);
  const LampJumpProgram in_si(renamed, MeshOf(renamed, step));
  const SpacetimeProgram& program = in_si.program();
  const Eigen::VectorXd x = in_si.Pack(record.motion);
  Eigen::VectorXd values, multipliers = Eigen::VectorXd::Zero(program.rows());
  program.Evaluate(x, &values);
  size_t next = 0;
  for (int row = 0; row < program.rows(); ++row) {
    const RowGroup& group = program.group(row);
    if (group.kind == RowKind::kCost) continue;
    const PlanRecord::Constraint& recorded = record.constraints.at(next++);
    EXPECT_EQ(recorded.name, group.name);
    const double size = std::max(1.0, std::abs(recorded.value));
    EXPECT_NEAR(recorded.value, values[row], 1e-7 * size) << group.name;
    EXPECT_NEAR(recorded.time, in_si.RowTime(x, row), 1e-9) << group.name;
    multipliers[row] = recorded.multiplier;
  }
  EXPECT_EQ(next, record.constraints.size());
  EXPECT_NEAR(program.Cost(values), record.cost, 1e-9 * record.cost);
  EXPECT_LT(ResidualsAt(program, x, multipliers).stationarity, 2e-3);
  EXPECT_GT(ResidualsAt(program, x, -multipliers).stationarity, 0.1);
  const std::vector<LampJumpProgram::Sample> samples = in_si.Samples(x);
  ASSERT_EQ(samples.size(), record.samples.size());
  for (size_t i = 0; i < samples.size(); ++i) {
    const LampSample &a = samples[i].motion, &b = record.samples[i].motion;
    EXPECT_NEAR(samples[i].time, record.samples[i].time, 1e-9);
    EXPECT_NEAR(samples[i].span, record.samples[i].span, 1e-9);
    EXPECT_LT((a.force - b.force).norm(), 1e-6 * (1.0 + a.force.norm()));
    EXPECT_LT((a.acceleration - b.acceleration).norm(), 1e-6 * (1.0 + a.acceleration.norm()));
  }
}

LampJumpProblem Limited() {
  LampJumpProblem problem;
  problem.torque_limit = 30.0;
  problem.end_height = 0.05;
  problem.longest_flight = 0.4;
  return problem;
}

LampJumpProblem WorkingGait() {
  LampJumpProblem problem;
  problem.loop = true;
  problem.stance_duration = problem.landing_duration = 0.3;
  problem.cost.work = 0.5;
  return problem;
}

INSTANTIATE_TEST_SUITE_P(Jumps, OtherUnits,
                         testing::Values(LampJumpProblem(), Limited(), WorkingGait()),
                         [](const auto& jump) {
                           if (jump.param.loop) return "Gait";
                           return jump.param.torque_limit ? "Limited" : "Plain";
                         });

}  // namespace
}  // namespace pliant
