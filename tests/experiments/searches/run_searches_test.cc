// Whole searches, from the file to the folder they leave.

#include "experiments/searches/run_searches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "experiments/bundles/bundle.h"
#include "experiments/bundles/reproduce.h"
#include "experiments/searches/search_record.h"
#include "experiments/searches/sunk_motions.h"
#include "tests/experiments/searches/history_text.h"
#include "tests/experiments/searches/throwing.h"
#include "tests/experiments/shipped_file.h"

namespace pliant {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using Outcome = SearchesResult::Outcome;

std::string With(const std::string& change, const std::string& instead) {
  std::string text = kThrow;
  const size_t at = text.find(change);
  EXPECT_NE(at, std::string::npos) << change;
  return text.replace(at, change.size(), instead);
}

TEST(ControllerProblem, ScoresTheMotionOfItsNumbers) {
  const ScratchFolder folder;
  const auto problem = Throwing(folder).Problem();
  for (const double drift : {0.0, 1.0, 2.5}) {
    const MotionScore score = problem->Evaluate(Eigen::VectorXd::Constant(1, drift));
    EXPECT_NEAR(score.terms[0], 0.2 * (1.0 + drift), 1e-14);
    EXPECT_NEAR(score.terms[1], 1.0, 1e-14);
    EXPECT_NEAR(score.cost, 1.0 / (0.2 * (1.0 + drift)), 1e-12);
    EXPECT_EQ(score.violation, 0.0);
  }
  const MotionScore backwards = problem->Evaluate(Eigen::VectorXd::Constant(1, -1.5));
  EXPECT_EQ(backwards.cost, 1e6);
  EXPECT_EQ(backwards.violation, 1.0);
  EXPECT_EQ(problem->Evaluate(Eigen::VectorXd::Constant(1, 1.0)).cost,
            1.0 / problem->Evaluate(Eigen::VectorXd::Constant(1, 1.0)).terms[0]);
}

TEST(ControllerProblem, MeasuresAlongTheWayWhatTheCostAsksFor) {
  const ScratchFolder folder;
  const auto sum = Throwing(folder, With("function = \"1/distance\"",
                                         "function = \"weighted-sum\"\nweights = {height = -1.0}"));
  const auto problem = sum.Problem();
  const MotionScore score = problem->Evaluate(Eigen::VectorXd::Constant(1, 0.0));
  // Thrown up at 2 m/s under 10 m/s²: 0.2 m at 0.2 s, the highest of the frames.
  EXPECT_NEAR(score.terms[4], 0.2, 1e-12);
  EXPECT_NEAR(score.cost, -0.2, 1e-12);
  EXPECT_NEAR(score.terms[5], 1.0, 1e-12);
  EXPECT_FALSE(MakeRecord(sum, *problem).has_conditions);
  const SearchPlan quotient = Throwing(folder);
  EXPECT_TRUE(MakeRecord(quotient, *quotient.Problem()).has_conditions);
}

// The rope of the scene begins on the floor, and nothing stops it there: ½ g t² = 0.2 m, of a length of 0.3 m.
TEST(RunSearches, SaysThatTheBestMotionOfEachSearchLiesInAnObstacle) {
  const ScratchFolder folder;
  const SearchPlan plan = Throwing(folder);
  const SearchesResult result = RunSearches(plan, folder / "runs", 1, false, {});
  const SearchRecord record = ReadSearchRecord(result.folder);
  ASSERT_EQ(record.searches.size(), 2u);
  for (const RecordedSearch& search : record.searches) {
    ASSERT_TRUE(search.best_sunk);
    EXPECT_NEAR(*search.best_sunk, 0.2, 1e-12);
  }
  const Bundle best = Bundle::Open(result.folder / "best", TestBackends());
  ASSERT_TRUE(best.outcome().sunk);
  EXPECT_EQ(best.outcome().sunk->body, "rope");
  std::vector<Bundle> motions;
  motions.push_back(Bundle::Open(result.folder / "start", TestBackends()));
  motions.push_back(Bundle::Open(result.folder / "best", TestBackends()));
  const std::vector<std::string> warnings = WarningsOfSunkMotions(record, motions);
  ASSERT_EQ(warnings.size(), 3u);
  EXPECT_THAT(warnings[0],
              testing::StartsWith(
                  "start: body 'rope' is 0.2 m deep in obstacle 'floor' at 0.2 s, 66.7 % of"));
  EXPECT_THAT(warnings[1], testing::StartsWith("best: body 'rope' is 0.2 m deep"));
  EXPECT_THAT(
      warnings[2],
      HasSubstr("the best motions of 2 of 2 searches lie in an obstacle or a body, by up to 0.2 m: "
                "annealing (seed 7), annealing (seed 8); to keep a search out of it, add "
                "[[optimize.cost.limit]] with of = \"penetration\""));
}

// Bounds of a jump that the stops of the lamp prevent, by parameter, bound and limits.
TEST(SearchPlan, WarnsOfBoundsThatTheStopsOfTheBodyPrevent) {
  const auto warnings_with = [](const std::vector<std::string>& changes) {
    return ReadSearchPlan(ReadExperiment(ShippedFile("lamp-jump-parametrisations"), changes))
        .warnings;
  };
  // The lower bound is beyond the stops of two hinges, the upper one of the base hinge and the head hinge.
  const std::vector<std::string> warnings = warnings_with({});
  ASSERT_EQ(warnings.size(), 6u);
  EXPECT_EQ(warnings[3],
            "[[optimize.vary]] control.pose.crouch.targets, at its upper bound of 1.5: pose "
            "'crouch' has the base hinge at 1.5 rad, beyond its limits -0.873 to 0.873 rad; pose "
            "'crouch' has the head hinge at 1.5 rad, beyond its limits -0.785 to 0.785 rad");
  EXPECT_THAT(warnings[5], HasSubstr("control.pose.tuck.targets, at its upper bound of 1.5: "));
  std::vector<std::string> within;
  for (const char* entry : {"1", "3", "5"}) {
    const std::string key = std::string("optimize.vary[") + entry + "].";
    within.push_back(key + "numbers=\"control.pose." +
                     (entry[0] == '1'   ? "crouch"
                      : entry[0] == '3' ? "push"
                                        : "tuck") +
                     ".targets.base hinge\"");
    within.push_back(key + "upper=0.87");
  }
  EXPECT_TRUE(warnings_with(within).empty());
  within.emplace_back("optimize.vary[3].upper=0.9");
  EXPECT_EQ(warnings_with(within),
            std::vector<std::string>{
                "[[optimize.vary]] control.pose.push.targets.base hinge, at its upper bound of "
                "0.9: pose 'push' has the base hinge at 0.9 rad, beyond its limits -0.873 to "
                "0.873 rad"});
}

TEST(ControllerProblem, ADivergedRunIsAFailedTrial) {
  const ScratchFolder folder;
  const auto problem =
      Throwing(folder, With("drift = 0.5", "drift = 0.5\ndiverges_at = 7")).Problem();
  const MotionScore score = problem->Evaluate(Eigen::VectorXd::Constant(1, 1.0));
  EXPECT_EQ(score.failure, "diverged at step 7: height");
  const auto spoilt =
      Throwing(folder, With("drift = 0.5", "drift = 0.5\nspoils_points_at = 3")).Problem();
  EXPECT_THAT(spoilt->Evaluate(Eigen::VectorXd::Constant(1, 1.0)).failure,
              HasSubstr("no longer has a finite position"));
}

// A motion that was cut off is not judged by where it was then.
TEST(ControllerProblem, ARunThatExceedsItsBudgetIsAFailedTrial) {
  const SearchPlan gait = ReadSearchPlan(
      ReadExperiment(PLIANT_SOURCE_DIR "/experiments/faloutsos-1995/faloutsos-bounding-speed.toml",
                     {"run.max_wall_seconds=1e-9"}));
  const auto problem = gait.Problem();
  EXPECT_THAT(problem->Evaluate(problem->numbers().start).failure,
              HasSubstr("max_wall_seconds exceeded at step 1"));
}

// A simulation that takes other numbers as it is scores as one translated for them, whatever was
// tried before, a trial that is refused among others.
TEST(ControllerProblem, ATrialDoesNotDependOnThoseBefore) {
  const SearchPlan gait = ReadSearchPlan(
      ReadExperiment(PLIANT_SOURCE_DIR "/experiments/faloutsos-1995/faloutsos-bounding-speed.toml",
                     {"run.duration=0.5", "run.record_every=0.1"}));
  const auto problem = gait.Problem();
  const MotionNumbers& numbers = problem->numbers();
  const Eigen::VectorXd width = numbers.upper - numbers.lower;
  std::set<double> costs;
  int refused = 0;
  for (const double fraction : {0.3, 0.45, 1.5, 0.6, 0.3}) {
    Eigen::VectorXd x = numbers.lower + fraction * width;
    x[1] = numbers.start[1];
    const MotionScore score = problem->Evaluate(x), fresh = gait.Problem()->Evaluate(x);
    EXPECT_EQ(score.cost, fresh.cost);
    EXPECT_EQ(score.failure, fresh.failure);
    EXPECT_EQ(score.violation, fresh.violation);
    if (score.failure.empty()) {
      EXPECT_THAT(score.terms, testing::Pointwise(testing::NanSensitiveDoubleEq(), fresh.terms));
      costs.insert(score.terms[0]);
    } else {
      EXPECT_THAT(score.failure, HasSubstr("outside its limits"));
      ++refused;
    }
  }
  EXPECT_EQ(costs.size(), 3u);
  EXPECT_EQ(refused, 1);
}

TEST(SearchPlan, FindsTheFarthestThrowAndLeavesItAsABundle) {
  const ScratchFolder folder;
  const SearchPlan plan = Throwing(folder);
  const SearchesResult result = RunSearches(plan, folder / "runs", 1, false, {});
  EXPECT_EQ(result.outcome, Outcome::kCompleted);
  EXPECT_EQ(result.folder, folder / "runs" / "fall" / "optimize");
  EXPECT_THAT(
      NamesIn(result.folder),
      testing::ElementsAre("best", "history.csv", "optimization.json", "optimize.toml", "start"));
  ASSERT_TRUE(result.best);
  const Trial& best = result.histories[result.best->search].trials[result.best->trial];
  EXPECT_GT(best.numbers[0], 2.8);
  ASSERT_EQ(result.histories.size(), 2u);
  for (const SearchHistory& history : result.histories) EXPECT_EQ(history.trials.size(), 40u);

  const Bundle bundle = Bundle::Open(result.folder / "best", TestBackends());
  EXPECT_EQ(bundle.label(), "best");
  EXPECT_EQ(bundle.frame_count(), 6u);  // as the experiment records, not as trials do
  const auto x = bundle.Column("centre_x_m");
  // The scene has two bodies: measured is the first, thrown at 1 m/s, of 4.5 kg beside 1 kg at
  // rest.
  const double moved = *x.back() - *x.front();
  EXPECT_NEAR(moved, 0.2 * (4.5 / 5.5 + best.numbers[0]), 1e-12);
  EXPECT_EQ(Reproduce(bundle)->verdict, Reproduction::Verdict::kIdentical);
  const Bundle start = Bundle::Open(result.folder / "start", TestBackends());
  EXPECT_EQ(std::get<double>(start.experiment().backends[0].parameters.at("drift")), 0.5);
}

// The other backend of the file is run as it is, and judged by the same cost.
TEST(SearchPlan, OfEqualBestsTheFirstIsTheBest) {
  const ScratchFolder folder;
  std::string text = With("drift = 0.5", "drift = -1.8");  // backwards: all cost the same
  text.replace(text.find("upper = 3.0"), 11, "upper = -1.5");
  const SearchesResult result = RunSearches(Throwing(folder, text), folder / "runs", 1, false, {});
  ASSERT_TRUE(result.best);
  EXPECT_EQ(result.best->search, 0u);
  EXPECT_EQ(result.best->trial, 0u);
}

TEST(SearchPlan, JudgesOthersByTheSameCost) {
  const ScratchFolder folder;
  std::string text = With("[optimize]",
                          "[backends.far]\nformulation = 'falling'\ndrift = 2.5\n"
                          "[backends.broken]\nformulation = 'falling'\n"
                          "diverges_at = 7\n[optimize]\nbackend = \"throw\"\n"
                          "against = [\"far\", \"broken\"]");
  const SearchPlan plan = Throwing(folder, text);
  const SearchesResult result = RunSearches(plan, folder / "runs", 1, false, {});
  ASSERT_EQ(result.others.size(), 2u);
  EXPECT_EQ(result.others[0].label, "far");
  EXPECT_EQ(result.others[0].score.cost,
            plan.Problem()->Evaluate(Eigen::VectorXd::Constant(1, 2.5)).cost);
  EXPECT_EQ(result.others[0].score.failure, "");
  EXPECT_EQ(result.others[1].score.failure, "diverged at step 7: height");
  EXPECT_EQ(Bundle::Open(result.folder / "far", TestBackends()).label(), "far");
}

TEST(SearchPlan, IsTheSameForAnyNumberOfThreads) {
  const ScratchFolder folder;
  const SearchPlan plan = Throwing(folder, With("restarts = 2", "restarts = 5"));
  std::string first;
  for (const int threads : {1, 2, 3}) {
    const SearchesResult result = RunSearches(plan, folder / "runs", threads, false, {});
    const std::string history = HistoryWithoutSeconds(result.folder);
    if (first.empty()) first = history;
    EXPECT_EQ(history, first) << threads;
  }
  EXPECT_GT(std::count(first.begin(), first.end(), '\n'), 200);
}

TEST(SearchPlan, ResumesBitForBit) {
  const ScratchFolder folder;
  const SearchPlan plan = Throwing(folder);
  RunSearches(plan, folder / "whole", 1, false, {});
  std::stop_source stop;
  SearchesHooks hooks = {.stop = stop.get_token()};
  int trials = 0;
  hooks.on_trial = [&](size_t, const Trial&) {
    if (++trials == 55) stop.request_stop();
  };
  const SearchesResult part = RunSearches(plan, folder / "parts", 1, false, hooks);
  EXPECT_EQ(part.outcome, Outcome::kCancelled);
  ASSERT_TRUE(part.best);
  EXPECT_TRUE(std::filesystem::exists(part.folder / "best" / "manifest.json"));
  EXPECT_EQ(ReadSearchRecord(part.folder).outcome, "cancelled");

  int rest = 0;
  SearchesHooks counting;
  counting.on_trial = [&rest](size_t, const Trial&) { ++rest; };
  const SearchesResult whole = RunSearches(plan, folder / "parts", 2, true, counting);
  EXPECT_EQ(rest, 80 - 55);
  EXPECT_EQ(whole.outcome, Outcome::kCompleted);
  EXPECT_EQ(HistoryWithoutSeconds(whole.folder),
            HistoryWithoutSeconds(folder / "whole" / "fall" / "optimize"));
}

TEST(SearchPlan, ResumesWithMoreTrials) {
  const ScratchFolder folder;
  RunSearches(Throwing(folder), folder / "parts", 1, false, {});
  const SearchPlan longer = Throwing(folder, With("trials = 40", "trials = 60"));
  const SearchesResult more = RunSearches(longer, folder / "parts", 1, true, {});
  const SearchesResult once = RunSearches(longer, folder / "once", 1, false, {});
  EXPECT_EQ(HistoryWithoutSeconds(more.folder), HistoryWithoutSeconds(once.folder));
}

TEST(SearchPlan, DoesNotResumeAnotherSearch) {
  const ScratchFolder folder;
  const auto resume = [&](const std::string& text) {
    return [&folder, text] { RunSearches(Throwing(folder, text), folder / "runs", 1, true, {}); };
  };
  EXPECT_THAT(resume(kThrow), ThrowsMessage<FileError>(HasSubstr("nothing to resume")));
  RunSearches(Throwing(folder), folder / "runs", 1, false, {});
  EXPECT_THAT(resume(With("upper = 3.0", "upper = 4.0")),
              ThrowsMessage<FileError>(HasSubstr("another search")));
  EXPECT_THAT(resume(With("1/distance", "energy/distance").replace(0, 0, "")),
              ThrowsMessage<FileError>(HasSubstr("does not measure the energy")));
  // Linear cooling depends on the number of trials: the first trial that differs is told.
  const std::string linear = std::string(kThrow) +
                             "[optimize.methods.annealing]\ncooling = 'linear'\n" +
                             "initial_temperature = 5.0\n";
  RunSearches(Throwing(folder, linear), folder / "runs", 1, false, {});
  EXPECT_NO_THROW(resume(linear)());
  std::string longer = linear;
  longer.replace(longer.find("trials = 40"), 11, "trials = 400");
  EXPECT_THAT(resume(longer), ThrowsMessage<FileError>(HasSubstr("another search")));
}

TEST(SearchPlan, TheResolvedFileMakesTheSameSearch) {
  const ScratchFolder folder;
  const SearchesResult first = RunSearches(Throwing(folder), folder / "runs", 1, false, {});
  const SearchPlan again =
      ReadSearchPlan(ReadExperiment(first.folder / "optimize.toml", {}, TestBackends()));
  const SearchesResult second = RunSearches(again, folder / "again", 1, false, {});
  EXPECT_EQ(HistoryWithoutSeconds(first.folder), HistoryWithoutSeconds(second.folder));
  EXPECT_EQ(ReadFile(first.folder / "optimize.toml"), ReadFile(second.folder / "optimize.toml"));
}

TEST(SearchPlan, SearchesByEveryMethodOfTheFileWithTheSameBudget) {
  const ScratchFolder folder;
  const SearchPlan plan = Throwing(folder, std::string(kThrow) + R"(
[optimize.methods.slow]
method = "annealing"
step_size = 0.001
[optimize.methods.random-search]
)");
  ASSERT_EQ(plan.searches.size(), 4u);
  EXPECT_EQ(plan.searches[0].label, "slow");
  EXPECT_EQ(plan.searches[0].seed, 7u);  // that of [run]
  EXPECT_EQ(plan.searches[1].seed, 8u);
  EXPECT_EQ(plan.searches[2].method->name(), "random-search");
  const SearchesResult result = RunSearches(plan, folder / "runs", 2, false, {});
  EXPECT_LT(std::abs(result.histories[0].trials[1].numbers[0] - 0.5), 0.05);
  EXPECT_GE(result.best->search, 2u);
  const SearchRecord record = ReadSearchRecord(result.folder);
  EXPECT_EQ(record.searches[3].method, "random-search");
  EXPECT_EQ(record.searches[3].seed, 8u);
}

// The annealing that ships anneals: from a start that falls short of its goal, and is penalised, it has a temperature that
// falls, and accepts worse motions by chance. At T = 0 it would be a descent.
TEST(SearchPlan, TheAnnealingOfAJumpHasATemperature) {
  const ScratchFolder folder;
  const SearchPlan plan = ReadSearchPlan(ReadExperiment(
      ShippedFile("lamp-jump-search"),
      {"optimize.trials=250", "optimize.restarts=2", "optimize.against=[]"}, Backends()));
  const SearchesResult result = RunSearches(plan, folder / "runs", 1, false, {});
  const SearchRecord record = ReadSearchRecord(result.folder);
  int annealed = 0;
  for (size_t s = 0; s < record.searches.size(); ++s) {
    if (record.searches[s].method != "annealing") continue;
    ++annealed;
    const std::vector<Trial>& trials = record.histories[s].trials;
    ASSERT_GT(trials[0].score.violation, 0.0);
    int by_chance = 0;
    for (size_t t = 20; t < trials.size(); ++t) {
      ASSERT_TRUE(trials[t].temperature) << t;
      EXPECT_GT(*trials[t].temperature, 0.0) << t;
      by_chance += trials[t].decision == Decision::kByChance ? 1 : 0;
    }
    EXPECT_LT(*trials.back().temperature, *trials[20].temperature);
    EXPECT_GE(by_chance, 5) << "search " << s + 1;
  }
  EXPECT_EQ(annealed, 2);
}

TEST(SearchPlan, FailsWhenEveryTrialDoesAndSaysWhy) {
  const ScratchFolder folder;
  const SearchPlan plan = Throwing(folder, With("drift = 0.5", "drift = 0.5\ndiverges_at = 7"));
  const SearchesResult result = RunSearches(plan, folder / "runs", 1, false, {});
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_FALSE(result.best);
  EXPECT_FALSE(std::filesystem::exists(result.folder / "best"));
  EXPECT_EQ(Bundle::Open(result.folder / "start", TestBackends()).outcome().kind,
            OutcomeKind::kDiverged);
  EXPECT_THAT(ReadFile(result.folder / "optimization.json"),
              HasSubstr("\"why\": \"diverged at step 7: height\""));
}

TEST(SearchPlan, StoppedBeforeTheFirstTrialLeavesAnOlderFolderAsItIs) {
  const ScratchFolder folder;
  const SearchPlan plan = Throwing(folder);
  const SearchesResult first = RunSearches(plan, folder / "runs", 1, false, {});
  const std::string before = ReadFile(first.folder / "optimization.json");
  std::stop_source stop;
  stop.request_stop();
  const SearchesHooks hooks = {.stop = stop.get_token()};
  const SearchesResult result = RunSearches(plan, folder / "runs", 1, false, hooks);
  EXPECT_EQ(result.outcome, Outcome::kCancelled);
  EXPECT_TRUE(result.folder.empty());
  EXPECT_EQ(ReadFile(first.folder / "optimization.json"), before);
}

}  // namespace
}  // namespace pliant
