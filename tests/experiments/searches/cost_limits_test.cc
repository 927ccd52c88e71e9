// Limits of a cost: what a motion must keep, whatever the function that is made small.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/comparison/comparison.h"
#include "experiments/searches/judged_motions.h"
#include "experiments/searches/motion_cost.h"
#include "tests/experiments/searches/throwing.h"

namespace pliant {
namespace {

using testing::HasSubstr;
using Form = MotionCostFunction::Form;

MotionMeasures SunkMotion(double distance, double penetration) {
  MotionMeasures measures;
  measures[Measure::kDistance] = distance;
  measures[Measure::kPenetration] = penetration;
  measures.figures["toe_min_m"] = -0.4;
  return measures;
}

MotionCostFunction Limited(std::vector<MotionCostFunction::Limit> limits) {
  MotionCostFunction cost;
  cost.penalty = 1e3;
  cost.limits = std::move(limits);
  return cost;
}

TEST(CostLimits, AddThePenaltyForEachUnitBeyond) {
  const MotionCostFunction cost = Limited({{"penetration", {}, 0.01}});
  const MotionScore deep = ScoreMotion(cost, SunkMotion(4.0, 0.03));
  EXPECT_DOUBLE_EQ(deep.cost, 0.25 + 1e3 * 0.02);
  EXPECT_DOUBLE_EQ(deep.violation, 0.02);
  EXPECT_EQ(deep.worst, "penetration is above its limit");
  const MotionScore kept = ScoreMotion(cost, SunkMotion(4.0, 0.01));
  EXPECT_EQ(kept.cost, 0.25);
  EXPECT_EQ(kept.violation, 0.0);
  EXPECT_EQ(kept.worst, "");
}

TEST(CostLimits, AddUpAndTheWorstIsNamed) {
  const MotionCostFunction cost =
      Limited({{"penetration", {}, 0.01}, {"toe_min_m", 0.1, 2.0}, {"distance", 1.0, {}}});
  const MotionScore score = ScoreMotion(cost, SunkMotion(4.0, 0.03));
  EXPECT_DOUBLE_EQ(score.cost, 0.25 + 1e3 * (0.02 + 0.5));
  EXPECT_DOUBLE_EQ(score.violation, 0.5);
  EXPECT_EQ(score.worst, "toe_min_m is below its limit");
  // A motion that is penalised by its function pays for its limits as well: less beyond is better there, too.
  EXPECT_DOUBLE_EQ(ScoreMotion(cost, SunkMotion(-1.0, 0.0)).cost, 1e3 * (1.0 + 0.5 + 2.0));
  // The figure of the limit is recorded behind the measures.
  const std::vector<std::string> terms = TermsOf(cost);
  ASSERT_EQ(terms.size(), score.terms.size());
  EXPECT_EQ(terms.back(), "toe_min_m");
  EXPECT_EQ(score.terms.back(), -0.4);
}

TEST(CostLimits, OfWhatIsNotDefinedMakeAFailure) {
  MotionMeasures measures = SunkMotion(4.0, 0.0);
  EXPECT_EQ(ScoreMotion(Limited({{"height", 0.0, {}}}), measures).failure, "height is not defined");
  EXPECT_EQ(ScoreMotion(Limited({{"hit_s", 0.0, {}}}), measures).failure, "hit_s is not defined");
}

std::string ThrowWith(const std::string& cost) {
  std::string text = kThrow;
  return text.replace(text.find("function = \"1/distance\"\n"), 24, cost);
}

// The rope begins on the floor and falls through it: ½ g t² = 0.2 m at the end.
TEST(CostLimits, ATrialAndItsBundleHaveThePenetrationOfTheWholeMotion) {
  const ScratchFolder folder;
  const SearchPlan plan = Throwing(
      folder, ThrowWith("function = \"weighted-sum\"\nweights = {end_height = 1.0}\npenalty = 100\n"
                        "limit = [{of = \"penetration\", most = 0.05}]\n") +
                  "[optimize.methods.annealing]\n");
  Experiment experiment = plan.experiment;
  SearchPlan of_rope = plan;
  of_rope.body = 1;
  const MotionScore trial = of_rope.Problem()->Evaluate(Eigen::VectorXd::Constant(1, 0.0));
  EXPECT_NEAR(trial.cost, -0.2 + 100.0 * 0.15, 1e-11);
  JudgingCost by = ReadJudgingCost(experiment);
  by.body = "rope";
  const Bundle bundle = FallingBundle(folder);
  EXPECT_NEAR(JudgeMotion(bundle, by).cost, trial.cost, 1e-11);
  EXPECT_TRUE(MakeRecord(plan, *plan.Problem()).has_conditions);  // though it is a sum
}

// The sheet goes 0.2 (1 + drift) along; what is asked for is the longest way within 0.5 m.
TEST(CostLimits, TheBestMotionOfASearchKeepsThem) {
  const ScratchFolder folder;
  const SearchPlan plan =
      Throwing(folder, ThrowWith("function = \"weighted-sum\"\nweights = {distance = -1.0}\n"
                                 "limit = [{of = \"distance\", most = 0.5}]\n"));
  const SearchesResult result = RunSearches(plan, folder / "runs", 1, false, {});
  ASSERT_TRUE(result.best);
  const MotionScore& best = result.histories[result.best->search].trials[result.best->trial].score;
  EXPECT_EQ(best.violation, 0.0);
  EXPECT_LE(best.terms[0], 0.5);
  EXPECT_GT(best.terms[0], 0.45);
  int beyond = 0;
  for (const SearchHistory& history : result.histories) {
    for (const Trial& trial : history.trials) {
      EXPECT_EQ(trial.score.violation > 0.0, trial.score.terms[0] > 0.5);
      beyond += trial.score.violation > 0.0 ? 1 : 0;
    }
  }
  EXPECT_GT(beyond, 0);
}

TEST(CostLimits, MistakesAreSaidAtTheirPlace) {
  const ScratchFolder folder;
  const auto error = [&](const std::string& limit) {
    return ThrowingError(folder, ThrowWith("function = \"1/distance\"\nlimit = [" + limit + "]\n"));
  };
  EXPECT_THAT(error("{of = \"penetration\"}"),
              HasSubstr("the limit of 'penetration' has no number; add least = …, most = …"));
  EXPECT_THAT(error("{of = \"penetration\", least = 2, most = 1.5}"),
              HasSubstr("least = 2 is more than most = 1.5"));
  EXPECT_THAT(error("{of = \"penetratoin\", most = 0}"),
              HasSubstr("no probe has a figure 'penetratoin', and it is no measure; did you mean "
                        "'penetration'?"));
  EXPECT_THAT(error("{of = \"energy\", most = 0}"),
              HasSubstr("falling does not measure the energy of a motion"));
  EXPECT_THAT(ThrowingError(folder, ThrowWith("function = \"1/distance\"\npenalty = 0\n"
                                              "limit = [{of = \"distance\", most = 1}]\n")),
              HasSubstr("penalty must be more than 0, not 0"));
}

}  // namespace
}  // namespace pliant
