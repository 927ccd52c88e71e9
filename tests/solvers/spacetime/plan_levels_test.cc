#include "solvers/spacetime/plan_levels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

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

// The levels of a search whose motions have these defects.
PlanLevels Searched(const std::vector<double>& defects, const PlanMeshes& meshes) {
  PlanLevels levels;
  for (double step = 0.02; levels.GoesOn(meshes, 100); step *= 0.5)
    levels.Add(Optimum(step, defects.at(levels.levels.size())));
  return levels;
}

TEST(PlanLevels, GoOnBeyondWhatWasAskedWhileTheMotionIsTooFast) {
  const PlanMeshes meshes = {.refinements = 1, .further = 2};
  const auto in_share = [](double factor) { return factor * kMostMomentumDefect; };
  // To a plan, at once where there is one, and no further than was allowed.
  const PlanLevels late =
      Searched({in_share(50), in_share(12), in_share(3), in_share(0.7)}, meshes);
  EXPECT_EQ(late.levels.size(), 4u);
  EXPECT_TRUE(late.found());
  EXPECT_EQ(Searched({in_share(0.5), in_share(0.1)}, meshes).levels.size(), 2u);
  EXPECT_EQ(Searched({in_share(12), in_share(3), in_share(0.7)}, meshes).levels.size(), 3u);
  const PlanLevels never =
      Searched({in_share(1000), in_share(200), in_share(40), in_share(8)}, meshes);
  EXPECT_EQ(never.levels.size(), 4u);
  EXPECT_FALSE(never.found());
}

TEST(PlanLevels, DoNotGoOnBeyondWhatWasAskedWhereThatDoesNotHelp) {
  const double defect = 8.0 * kMostMomentumDefect;
  const PlanMeshes asked = {.refinements = 1, .further = 2}, one = {.refinements = 0, .further = 2};
  EXPECT_EQ(Searched({defect, 0.35 * defect}, asked).levels.size(), 2u);
  EXPECT_EQ(Searched({defect, 0.35 * defect}, one).levels.size(), 2u);
  EXPECT_EQ(Searched({defect, 0.32 * defect, 0.0}, one).levels.size(), 3u);

  PlanLevels fast;
  fast.Add(Optimum(0.02, defect));
  EXPECT_TRUE(fast.GoesOn(one, 5000));
  EXPECT_FALSE(fast.GoesOn(one, 5001));
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
