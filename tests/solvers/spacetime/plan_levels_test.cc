#include "solvers/spacetime/plan_levels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/problem.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;

constexpr double kHonest = 0.5 * kMostMomentumDefect, kTooFast = 2.0 * kMostMomentumDefect;

PlanLevel Level(double step, SpacetimeTermination termination, bool feasible, double defect) {
  PlanLevel level;
  level.step = step;
  level.summary.termination = termination;
  level.summary.feasible = feasible;
  level.summary.message = "ended";
  level.momentum_defect = defect;
  return level;
}
PlanLevel Optimum(double step, double defect) {
  return Level(step, SpacetimeTermination::kConvergence, true, defect);
}
PlanLevel Motion(double step, double defect) {
  return Level(step, SpacetimeTermination::kNoConvergence, true, defect);
}
PlanLevel Nothing(double step) {
  return Level(step, SpacetimeTermination::kNoConvergence, false, 0.0);
}

TEST(PlanLevels, OfAFinerMeshCountsWhereItIsNoWorse) {
  const std::vector<PlanLevel> from_worst = {Nothing(0.02), Motion(0.02, kTooFast),
                                             Optimum(0.02, kTooFast), Motion(0.02, kHonest),
                                             Optimum(0.02, kHonest)};
  for (size_t coarse = 0; coarse < from_worst.size(); ++coarse) {
    for (size_t fine = 0; fine < from_worst.size(); ++fine) {
      PlanLevels levels;
      ASSERT_TRUE(levels.Add(from_worst[coarse]));
      EXPECT_EQ(levels.Add(from_worst[fine]), fine >= coarse) << coarse << " " << fine;
      EXPECT_EQ(levels.level, fine >= coarse ? 1u : 0u);
    }
  }
}

TEST(PlanLevels, GoOnBeyondWhatWasAskedWhileTheMotionIsTooFast) {
  const PlanMeshes meshes = {.refinements = 1, .further = 2};
  const auto searched = [&](double defect_of_last) {
    PlanLevels levels;
    int number = 0;
    for (double step = 0.02; levels.GoesOn(meshes, 100); step *= 0.5, ++number)
      levels.Add(Optimum(step, number == 3 ? defect_of_last : kTooFast));
    return levels;
  };
  EXPECT_EQ(searched(kHonest).levels.size(), 4u);
  EXPECT_TRUE(searched(kHonest).found());
  EXPECT_EQ(searched(kTooFast).levels.size(), 4u);
  EXPECT_FALSE(searched(kTooFast).found());

  PlanLevels levels;
  levels.Add(Optimum(0.02, kHonest));
  EXPECT_TRUE(levels.GoesOn(meshes, 100));
  levels.Add(Optimum(0.01, kHonest));
  EXPECT_FALSE(levels.GoesOn(meshes, 100));

  PlanLevels fast;
  fast.Add(Optimum(0.02, kTooFast));
  fast.Add(Optimum(0.01, kTooFast));
  EXPECT_TRUE(fast.GoesOn(meshes, 5000));
  EXPECT_FALSE(fast.GoesOn(meshes, 5001));
}

TEST(PlanLevels, EndWithTheFirstThatIsWorse) {
  PlanLevels levels;
  levels.Add(Nothing(0.02));
  EXPECT_FALSE(levels.GoesOn({.refinements = 3}, 100));
  levels = {};
  levels.Add(Optimum(0.02, kHonest));
  levels.Add(Optimum(0.01, kTooFast));
  EXPECT_FALSE(levels.GoesOn({.refinements = 3, .further = 2}, 100));
}

TEST(PlanLevels, SayWhichMeshIsThatOfThePlan) {
  const auto warnings = [](const std::vector<PlanLevel>& all, int refinements) {
    PlanLevels levels;
    for (const PlanLevel& level : all) levels.Add(level);
    std::vector<std::string> said;
    levels.Warn({refinements, 2}, &said);
    std::string text;
    for (const std::string& warning : said) text += warning + "\n";
    return text;
  };
  EXPECT_EQ(warnings({Optimum(0.02, kTooFast), Optimum(0.01, kHonest)}, 1), "");
  EXPECT_EQ(warnings({Optimum(0.02, kTooFast), Optimum(0.01, kHonest)}, 0),
            "the plan is that of the mesh of 0.01 s: on 0.02 s 2 % of the momentum of a flight "
            "came from nowhere\n");
  EXPECT_EQ(warnings({Optimum(0.02, kHonest), Nothing(0.01)}, 1),
            "the plan is that of the mesh of 0.02 s: on 0.01 s it ended\n");
  EXPECT_THAT(warnings({Optimum(0.02, kHonest), Optimum(0.01, kTooFast)}, 1),
              HasSubstr("on 0.01 s the motion found is too fast for its mesh"));
  EXPECT_THAT(warnings({Motion(0.02, kHonest)}, 0), HasSubstr("no optimum"));
}

}  // namespace
}  // namespace pliant
