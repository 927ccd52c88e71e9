// Searches and judgements of a backend that runs a variant of the scene.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/bundles/reproduce.h"
#include "experiments/searches/judged_motions.h"
#include "tests/experiments/searches/throwing.h"

namespace pliant {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// "b" is searched, in a scene whose sheet is thrown at 3 m/s, has more points and no rope beside it.
std::string Search(const std::string& cost, const std::string& more = "") {
  return R"(
[backends.a]
formulation = 'falling'
[backends.b]
formulation = 'falling'
drift = 0.5
unset = ['scene.body.rope']
[backends.b.scene.body.net]
velocity = [3.0, 2.0, 0.0]
points = [5, 3]
[[probe]]
name = 'rise'
measure = 'displacement'
component = 'y'
of = {body = 'net'}
[[probe]]
name = 'rope'
measure = 'position'
component = 'y'
of = {body = 'rope'}
[optimize]
trials = 20
backend = 'b'
)" + more +
         R"(
[optimize.cost]
)" + cost +
         R"(
[[optimize.vary]]
numbers = 'drift'
lower = -2.0
upper = 3.0
)";
}
constexpr char kFar[] = "function = '1/distance'\n";
constexpr char kRise[] =
    "function = 'weighted-sum'\nweights = {distance = -1, probe = {rise_min_m = 1}}\n";

TEST(SearchOfAVariant, ScoresTheMotionInTheSceneOfItsBackend) {
  const ScratchFolder folder;
  const SearchPlan plan = Throwing(folder, Search(kFar));
  for (const double drift : {0.0, 2.5}) {
    const MotionScore score = plan.Problem()->Evaluate(Eigen::VectorXd::Constant(1, drift));
    EXPECT_NEAR(score.cost, 1.0 / (0.2 * (3.0 + drift)), 1e-12);
  }
}

TEST(SearchOfAVariant, LeavesBundlesOfTheVariantThatReproduceAndResumes) {
  const ScratchFolder folder;
  const SearchPlan plan = Throwing(folder, Search(kRise));
  const SearchesResult result = RunSearches(plan, folder / "runs", 1, false, {});
  ASSERT_TRUE(result.best);
  for (const std::string motion : {"start", "best"}) {
    const Bundle bundle = Bundle::Open(result.folder / motion, TestBackends());
    EXPECT_EQ(bundle.experiment().scene->PointCount(), 15);
    EXPECT_EQ(bundle.experiment().probes.size(), 1u);
    EXPECT_THAT(bundle.experiment().backends[0].variant,
                testing::Contains("without scene.body.rope"));
    EXPECT_EQ(Reproduce(bundle)->verdict, Reproduction::Verdict::kIdentical);
  }
  // The file that it leaves is the same search, which resumes where this one ended.
  SearchPlan longer = ReadSearchPlan(
      ReadExperiment(result.folder / "optimize.toml", {"optimize.trials=25"}, TestBackends()));
  const SearchesResult resumed = RunSearches(longer, folder / "runs", 1, true, {});
  ASSERT_EQ(resumed.histories.size(), 1u);
  EXPECT_EQ(resumed.histories[0].trials.size(), 25u);
  for (size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(resumed.histories[0].trials[i].numbers, result.histories[0].trials[i].numbers);
  }
}

TEST(SearchOfAVariant, ItsMotionHasTheCostOfItsTrialWhenJudged) {
  const ScratchFolder folder;
  const SearchPlan plan = Throwing(folder, Search(kRise));
  const SearchesResult result = RunSearches(plan, folder / "runs", 1, false, {});
  ASSERT_TRUE(result.best);
  const Trial& best = result.histories[result.best->search].trials[result.best->trial];
  const JudgingCost by = ReadJudgingCost(plan.experiment);
  const MotionScore judged = JudgeMotion(Bundle::Open(result.folder / "best", TestBackends()), by);
  EXPECT_EQ(judged.failure, "");
  EXPECT_EQ(judged.cost, best.score.cost);
  // The sheet of the experiment's scene has other points: a probe of these cannot be measured in it.
  const BackendRun shared = RunTestBackend(plan.experiment, 0, folder / "shared");
  EXPECT_THAT(JudgeMotion(Bundle::Open(shared.bundle, TestBackends()), by).failure,
              HasSubstr("body 'net' has 9 points"));
}

TEST(SearchOfAVariant, WhatItCannotMeasureIsOneLineAtTheWeight) {
  const ScratchFolder folder;
  const std::string cost = "function = 'weighted-sum'\nweights = {probe = {rope_min_m = 1}}\n";
  const std::string text = Search(cost);
  const std::string error = ThrowingError(folder, text);
  const std::string place = PlaceOfText(ReadFile(folder / "fall.toml"), "1}}");
  ExpectComplaint(error, (folder / "fall.toml").string(), place,
                  std::vector<std::string>{"the backend 'b' does not measure 'rope_min_m'",
                                           "without scene.body.rope"});
  // And is judged no better.
  EXPECT_THAT(FileErrorOf([&] { ReadJudgingCost(FallingExperiment(folder, text)); }),
              HasSubstr("the backend 'b' does not measure 'rope_min_m'"));
}

TEST(SearchOfAVariant, TheBodyIsOneOfItsScene) {
  const ScratchFolder folder;
  EXPECT_THAT(ThrowingError(folder, Search(kFar, "body = 'rope'\n")),
              HasSubstr("the scene has no body 'rope'"));
}

TEST(SearchOfAVariant, BackendsOfAnotherSceneAreNoMatchForIt) {
  const ScratchFolder folder;
  EXPECT_THAT(ThrowingError(folder, Search(kFar, "against = ['a']\n")),
              AllOf(HasSubstr("'a'"), HasSubstr("pliant judge"), Not(HasSubstr("\n"))));
}

// Searches vary parameters of the formulation: a key of the scene is refused, whoever sets it.
TEST(SearchOfAVariant, NumbersOfTheSceneAreRefusedInOneLine) {
  for (const std::string numbers : {"scene.body.net.velocity", "scene.gravity", "scene", "unset"}) {
    const ScratchFolder folder;
    std::string text = Search(kFar);
    text.replace(text.find("'drift'"), 7, "'" + numbers + "'");
    const std::string error = ThrowingError(folder, text);
    EXPECT_THAT(error, AllOf(HasSubstr("fall.toml:"), HasSubstr("parameter"),
                             HasSubstr("of the formulation"), Not(HasSubstr("\n"))))
        << numbers;
  }
}

}  // namespace
}  // namespace pliant
