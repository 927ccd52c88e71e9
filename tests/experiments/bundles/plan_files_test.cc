// The files of a plan; tests/audit/audit_plan.py computes again what they say.

#include "experiments/bundles/plan_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "experiments/bundles/csv.h"
#include "experiments/bundles/plan_poses.h"
#include "experiments/bundles/storage.h"
#include "solvers/articulated_lamp/hinge_control.h"
#include "tests/experiments/bundles/scratch.h"

namespace pliant {
namespace {

using ::testing::StartsWith;

class PlanFiles : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    LampJumpProblem problem;
    problem.torque_limit = 7.0;
    const LampJumpMotion motion = SolveLampJump(problem, {});
    ASSERT_TRUE(motion.summary().converged());
    plan_ = new PlanRecord(RecordOf(problem, LampTranscription::kHermite, motion));
    plan_->origin = {0.7, 0.1};
  }
  static void TearDownTestSuite() { delete plan_; }
  static PlanRecord* plan_;
  ScratchFolder scratch_;
};
PlanRecord* PlanFiles::plan_ = nullptr;

TEST_F(PlanFiles, NumbersKeepAllTheirDigits) {
  WritePlan(scratch_.path(), *plan_);
  const auto json = nlohmann::json::parse(ReadFile(scratch_ / kPlanFile));
  EXPECT_EQ(json.at("cost_N2_m2_s").get<double>(), plan_->cost);
  EXPECT_EQ(json.at("origin_m").at(1).get<double>(), 0.1);
  EXPECT_EQ(json.at("problem").at("torque_limit_N_m").get<double>(), 7.0);
  const auto& phases = json.at("phases");
  ASSERT_EQ(phases.size(), 3U);
  EXPECT_EQ(phases[1].at("contact"), "flight");
  const LampNode& node = plan_->motion.phases[1].nodes[3];
  EXPECT_EQ(phases[1].at("nodes").at(3).at("q_dot").at(4).get<double>(), node.v[4]);
  size_t samples = 0;
  for (const auto& phase : phases) samples += phase.at("samples").size();
  EXPECT_EQ(samples, plan_->samples.size());
  const CsvTable table = ReadCsv(scratch_ / kPlanNodesFile);
  EXPECT_THAT(table.names, testing::ElementsAre("time_s", "phase", "x_m", "y_m", "base_angle_rad",
                                                "base_hinge_rad", "mid_hinge_rad", "head_hinge_rad",
                                                "x_rate_m_s", "y_rate_m_s", "base_rate_rad_s",
                                                "base_hinge_rate_rad_s", "mid_hinge_rate_rad_s",
                                                "head_hinge_rate_rad_s"));
  const size_t before = plan_->motion.phases[0].nodes.size();
  EXPECT_EQ(table.rows.at(before + 3).at(12), node.v[4]);
  EXPECT_EQ(ReadCsv(scratch_ / kPlanSamplesFile).rows.size(), plan_->samples.size());
}

TEST_F(PlanFiles, EveryConstraintIsThereWithItsMultiplier) {
  WritePlan(scratch_.path(), *plan_);
  const auto json = nlohmann::json::parse(ReadFile(scratch_ / kPlanFile));
  size_t rows = 0;
  bool limit_acts = false;
  for (const auto& kind : json.at("constraints")) {
    const size_t size = kind.at("value").size();
    for (const char* key : {"time_s", "multiplier", "scale"}) EXPECT_EQ(kind.at(key).size(), size);
    rows += size;
    if (kind.at("name") != "torque limit") continue;
    for (const auto& multiplier : kind.at("multiplier")) limit_acts |= multiplier > 1e-3;
  }
  EXPECT_EQ(rows, plan_->constraints.size());
  EXPECT_TRUE(limit_acts);
}

TEST_F(PlanFiles, EqualPlansLeaveEqualBytes) {
  for (const char* folder : {"a", "b"}) {
    CreateFolder(scratch_ / folder);
    WritePlan(scratch_ / folder, *plan_);
  }
  EXPECT_EQ(NamesIn(scratch_ / "a"),
            (std::set<std::string>{kPlanFile, kPlanArraysFile, kPlanNodesFile, kPlanSamplesFile,
                                   kPlanIterationsFile, kPlanPosesFile}));
  for (const std::string& name : NamesIn(scratch_ / "a")) {
    EXPECT_EQ(ReadFile(scratch_ / "a" / name), ReadFile(scratch_ / "b" / name)) << name;
  }
}

// Knots of all phases at most kMostApart apart, up to the end of the plan, where the lamp rests.
TEST_F(PlanFiles, ThePosesAreKnotsOfThePlan) {
  const ControlTable poses = PosesOf(*plan_);
  double time = 0.0;
  size_t borders = 0;
  for (const ControlTable::Entry& pose : poses.poses) {
    if (pose.is_final) continue;
    EXPECT_LE(*pose.duration, kMostApart + 1e-12);
    time += *pose.duration;
    for (const LampPhase& phase : plan_->motion.phases) {
      borders += std::abs(time - phase.start - phase.duration) < 1e-9 ? 1 : 0;
    }
  }
  EXPECT_NEAR(time, plan_->motion.duration(), 1e-12);
  EXPECT_EQ(borders, plan_->motion.phases.size());
  const ControlTable::Entry& end = poses.poses.back();
  EXPECT_TRUE(end.is_final);
  for (int i = 0; i < articulated_lamp::kLampHinges; ++i) {
    EXPECT_NEAR(end.targets.at(std::string(articulated_lamp::kHingeNames[i])),
                plan_->problem.end_pose[i], 1e-9);
  }
}

TEST_F(PlanFiles, IterationsSayTheirStage) {
  WritePlan(scratch_.path(), *plan_);
  EXPECT_THAT(ReadFile(scratch_ / kPlanIterationsFile),
              StartsWith("stage,mesh_step_s,penalty,inner_iterations,cost_N2_m2_s,violation,radius,"
                         "wall_time_s\nfast,0.02,0.1,"));
}

TEST_F(PlanFiles, ThePlanNamesTheMethodThatFoundIt) {
  PlanRecord other = *plan_;
  other.method = SpacetimeMethod::kInteriorPoint;
  for (const auto& [plan, word] :
       {std::pair(plan_, "augmented-lagrangian"), std::pair(&other, "interior-point")}) {
    WritePlan(scratch_.path(), *plan);
    EXPECT_EQ(nlohmann::json::parse(ReadFile(scratch_ / kPlanFile)).at("method"), word);
  }
}

// With one start the file has no word of it, with several it says how each ended.
TEST_F(PlanFiles, SeveralStartsAreListed) {
  WritePlan(scratch_.path(), *plan_);
  EXPECT_FALSE(nlohmann::json::parse(ReadFile(scratch_ / kPlanFile)).contains("starts"));
  PlanRecord several = *plan_;
  several.start = 1;
  several.starts = {{0.02, SpacetimeTermination::kNoConvergence, SpacetimeMethod::kInteriorPoint,
                     false, 12.5, 0.25, 0.125},
                    {0.01, SpacetimeTermination::kConvergence,
                     SpacetimeMethod::kAugmentedLagrangian, true, several.cost, 1e-9, 1e-4}};
  WritePlan(scratch_.path(), several);
  const auto json = nlohmann::json::parse(ReadFile(scratch_ / kPlanFile));
  EXPECT_EQ(json.at("start"), 1);
  ASSERT_EQ(json.at("starts").size(), 2u);
  const auto& first = json.at("starts")[0];
  EXPECT_EQ(first.at("ended"), "did not converge: not found");
  EXPECT_EQ(first.at("method"), "interior-point");
  EXPECT_EQ(first.at("mesh_step_s"), 0.02);
  EXPECT_EQ(first.at("feasible"), false);
  EXPECT_EQ(first.at("cost_N2_m2_s"), 12.5);
  EXPECT_EQ(first.at("violation"), 0.25);
  EXPECT_EQ(first.at("momentum_defect"), 0.125);
  EXPECT_EQ(json.at("starts")[1].at("ended"), "converged");
  EXPECT_EQ(json.at("starts")[1].at("cost_N2_m2_s").get<double>(), several.cost);
}

TEST_F(PlanFiles, AFullDiskIsNoticed) {
  const FullDisk full(4096);
  EXPECT_THROW(WritePlan(scratch_.path(), *plan_), StorageError);
}

}  // namespace
}  // namespace pliant
