// Motions of bundles by the costs of other files: the numbers of a search again, closed forms, and what is refused.

#include "experiments/searches/judged_motions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "experiments/bundles/storage.h"
#include "experiments/comparison/comparison.h"
#include "tests/experiments/searches/throwing.h"
#include "tests/experiments/shipped_file.h"

namespace pliant {
namespace {

using testing::HasSubstr;

// The file that asks, not the one that was run: a sum of these weights of the sheet's motion.
JudgingCost Weighing(const std::string& weights, const std::string& more = "",
                     const std::string& probes = "") {
  const ScratchFolder folder;
  return ReadJudgingCost(FallingExperiment(
      folder, "[backends.a]\nformulation = 'falling'\n[optimize]\ntrials = 1\n" + more +
                  "[optimize.cost]\nfunction = 'weighted-sum'\nweights = " + weights +
                  "\n[[optimize.vary]]\nnumbers = 'drift'\nlower = 0.0\nupper = 1.0\n" + probes));
}

TEST(JudgedMotions, AMotionOfASearchHasTheCostOfItsTrialToTheLastBit) {
  for (const std::string cost : {"function = \"1/distance\"",
                                 "function = \"weighted-sum\"\nweights = {height = -1.0, "
                                 "uprightness = 0.3, distance = 2}"}) {
    const ScratchFolder folder;
    std::string text = kThrow;
    text.replace(text.find("function = \"1/distance\""), 23, cost);
    const SearchPlan plan = Throwing(folder, text);
    const SearchesResult result = RunSearches(plan, folder / "runs", 1, false, {});
    ASSERT_TRUE(result.best);
    const Trial& best = result.histories[result.best->search].trials[result.best->trial];
    const MotionScore judged = JudgeMotion(Bundle::Open(result.folder / "best", TestBackends()),
                                           ReadJudgingCost(plan.experiment));
    EXPECT_EQ(judged.failure, "");
    EXPECT_EQ(judged.cost, best.score.cost);
    EXPECT_THAT(judged.terms,
                testing::Pointwise(testing::NanSensitiveDoubleEq(), best.score.terms));
  }
}

// Thrown up at 2 m/s under 10 m/s², the sheet rises by 2 t − 5 t² and goes 0.2 (1 + drift) along.
TEST(JudgedMotions, EveryCostHasANumberOfItsOwn) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder, "drift = 0.5");
  EXPECT_NEAR(JudgeMotion(bundle, Weighing("{distance = 2.0}")).cost, 0.6, 1e-12);
  EXPECT_NEAR(JudgeMotion(bundle, Weighing("{height = -1.0}")).cost, -0.2, 1e-12);
  // The other body starts at rest and ends 0.2 m lower.
  EXPECT_NEAR(JudgeMotion(bundle, Weighing("{end_height = 1.0}", "body = 'rope'\n")).cost, -0.2,
              1e-12);
}

TEST(JudgedMotions, ProbesOfTheFileThatAsksMeasureTheMotion) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder);  // whose experiment has no probe
  const std::string probe =
      "[[probe]]\nname = 'rise'\nmeasure = 'displacement'\ncomponent = 'y'\n"
      "of = {body = 'net'}\n";
  const JudgingCost by = Weighing("{probe = {rise_min_m = 1, rise_max_m = 10}}", "", probe);
  // Records at 0, 0.04, … 0.2 s; the highest is at the last.
  EXPECT_NEAR(JudgeMotion(bundle, by).cost, 10.0 * 0.2, 1e-12);
}

TEST(JudgedMotions, WhatAMotionLacksIsSaidInOneLine) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder);
  JudgingCost by = Weighing("{distance = 1.0}");
  by.cost.weights[static_cast<size_t>(Measure::kEnergy)] = 1.0;
  EXPECT_EQ(JudgeMotion(bundle, by).failure, "falling does not measure the energy of a motion");
  by = Weighing("{distance = 1.0}");
  by.body = "horse";
  EXPECT_EQ(JudgeMotion(bundle, by).failure, "its scene has no body 'horse'");
  by = Weighing("{net_energy = 1.0}");
  EXPECT_EQ(JudgeMotion(bundle, by).failure, "net_energy is not defined");
  const std::string probe =
      "[[probe]]\nname = 'way'\nmeasure = 'displacement'\nof = {body = 'net'}\n";
  by = Weighing("{probe = {way_max_m = 1}}", "", probe);
  Scene other = *by.scene;
  other.bodies[0].name = "horse";
  by.scene = std::make_shared<Scene>(other);
  EXPECT_EQ(JudgeMotion(bundle, by).failure,
            "its scene has no body 'horse', which probe 'way' measures");
  other.bodies[0].name = "rope";
  by.scene = std::make_shared<Scene>(other);
  EXPECT_EQ(JudgeMotion(bundle, by).failure,
            "its body 'rope' has 4 points, that of probe 'way' has 9");
}

TEST(JudgedMotions, ARunThatDidNotReachItsEndHasNoCost) {
  const ScratchFolder folder;
  const JudgingCost by = Weighing("{distance = 1.0}");
  EXPECT_EQ(JudgeMotion(FallingBundle(folder, "diverges_at = 7"), by).failure,
            "diverged at step 7: height");
  EXPECT_THAT(JudgeMotion(FallingBundle(folder, "refuses = true", "b"), by).failure,
              HasSubstr("too heavy"));
}

TEST(JudgedMotions, AMotionThatAnObstacleDoesNotCarryHasARemark) {
  JudgedMotion sunk{"a", "falling", 1.0, "body 'rope' is 0.2 m deep", {MotionScore()}};
  const JudgedMotion kept{"b", "falling", 1.0, "", {MotionScore()}};
  EXPECT_EQ(RemarksOn({"far"}, {sunk, kept}),
            std::vector<std::string>{"a: body 'rope' is 0.2 m deep"});
  EXPECT_THAT(CsvOfJudgements({"far"}, {sunk, kept}), HasSubstr(",body 'rope' is 0.2 m deep\n"));
  sunk.scores[0].failure = "no mode";
  EXPECT_THAT(CsvOfJudgements({"far"}, {sunk}),
              HasSubstr(",body 'rope' is 0.2 m deep; far: no mode\n"));
}

TEST(JudgedMotions, AFileWithoutACostIsRefusedAtItsPlace) {
  const ScratchFolder folder;
  EXPECT_THAT(FileErrorOf([&] { ReadJudgingCost(FallingExperiment(folder, Falling("a"))); }),
              HasSubstr("the file has no [optimize] table"));
}

// Energies of single modes are in no bundle: the steps are made again.
TEST(JudgedMotions, EnergiesOfSingleModesComeFromTheStepsMadeAgain) {
  const ScratchFolder folder;
  const Experiment gait = ReadExperiment(
      ShippedFile("faloutsos-bounding-upright"),
      {"run.duration=0.2", "run.record_every=0.1",
       "optimize.cost.weights={energy_of = {\"horizontal bend\" = 1.0}, net_energy = 1.0}"});
  const SearchPlan plan = ReadSearchPlan(gait);
  const BackendRun run = RunIntoBundle(gait, 0, TranslateFor(gait, 0), folder.path(), {});
  const MotionScore judged = JudgeMotion(Bundle::Open(run.bundle), ReadJudgingCost(gait));
  const Translation translation = TranslateFor(gait, 0);
  const MotionScore scored = ScoreRun(gait, 0, plan.cost, translation.simulation.get());
  EXPECT_EQ(judged.failure, "");
  EXPECT_EQ(judged.cost, scored.cost);
  EXPECT_GT(std::abs(judged.cost), 1e-3);
}

// A pendulum whose tip meets a floor, without probes.
constexpr char kTappingPendulum[] = R"(
title = "A pendulum that taps the floor"
[run]
duration = 0.6
step = 0.001
record_every = 0.02
[scene]
name = "tapping"
dimension = 2
[[scene.body]]
name = "rod"
shape = "chain"
from = [0, 0]
to = [0, -1]
points = 2
mass = 1.0
rotation = 0.5
[[scene.nail]]
name = "hook"
body = "rod"
point = "start"
[[scene.obstacle]]
name = "floor"
shape = "plane"
normal = [0, 1]
position = [0, -0.9]
[backends.linear-deformation]
integrator = "rk4"
damping = 0.0
)";

constexpr char kWeighed[] = R"(
[optimize]
trials = 1
[optimize.cost]
function = "weighted-sum"
weights = {probe = {pull_impulse_N_s = 1.0, tap_N_s = 10.0, knock_max_N = 0.01}}
[[optimize.vary]]
numbers = "damping"
lower = 0.0
upper = 1.0
[[probe]]
name = "pull"
measure = "reaction"
component = "y"
of = {body = "rod", point = "start"}
[[probe]]
name = "tap"
measure = "contact-impulse"
component = "y"
of = {body = "rod"}
from = "floor"
[[probe]]
name = "knock"
measure = "contact-force"
of = {body = "rod", point = "end"}
)";

// Forces of holds and of contact are in no bundle either: of a run without probes the number of a trial with them.
TEST(JudgedMotions, ForcesOfProbesComeFromTheStepsMadeAgain) {
  const ScratchFolder folder;
  WriteFile(folder / "plain.toml", kTappingPendulum);
  WriteFile(folder / "asks.toml", std::string(kTappingPendulum) + kWeighed);
  const Experiment plain = ReadExperiment(folder / "plain.toml"),
                   asks = ReadExperiment(folder / "asks.toml");
  const BackendRun run =
      RunIntoBundle(plain, 0, TranslateFor(plain, 0), folder.path() / "runs", {});
  const MotionScore judged = JudgeMotion(Bundle::Open(run.bundle), ReadJudgingCost(asks));
  const Translation translation = TranslateFor(asks, 0);
  const MotionScore scored =
      ScoreRun(asks, 0, ReadSearchPlan(asks).cost, translation.simulation.get());
  EXPECT_EQ(judged.failure, "");
  EXPECT_EQ(judged.cost, scored.cost);
  EXPECT_THAT(judged.terms, testing::Pointwise(testing::NanSensitiveDoubleEq(), scored.terms));
  const std::vector<std::string> names = TermsOf(ReadSearchPlan(asks).cost);
  for (const char* figure : {"pull_impulse_N_s", "tap_N_s", "knock_max_N"}) {
    const auto term = std::ranges::find(names, figure);
    ASSERT_NE(term, names.end()) << figure;
    EXPECT_GT(std::abs(judged.terms[static_cast<size_t>(term - names.begin())]), 0.1) << figure;
  }
  // Where the scene of the motion lacks what touches, it is said.
  JudgingCost by = ReadJudgingCost(asks);
  by.probes[1].from->name = "wall";
  EXPECT_THAT(JudgeMotion(Bundle::Open(run.bundle), by).failure,
              HasSubstr("the scene has no obstacle or body 'wall'"));
}

JudgedMotion Motion(const std::string& name, const std::vector<double>& costs) {
  JudgedMotion motion{name, "falling", 0.5, {}};
  for (const double cost : costs) {
    MotionScore& score = motion.scores.emplace_back();
    score.cost = cost;
    if (std::isfinite(cost)) continue;
    score.failure = "went, then came back";
  }
  return motion;
}

TEST(JudgementTables, MarkTheLeastThatIsNotPenalised) {
  std::vector<JudgedMotion> motions = {Motion("a", {3.0, 1.0}), Motion("b", {2.0, INFINITY}),
                                       Motion("c", {1.0, 4.0})};
  motions[2].scores[0].violation = 1.0;
  motions[2].scores[0].worst = "distance is not positive";
  const FindingTable table = TableOfJudgements({"far", "cheap"}, motions);
  EXPECT_THAT(table.columns,
              testing::ElementsAre("motion", "backend", "duration [s]", "far", "cheap"));
  EXPECT_THAT(table.rows[0], testing::ElementsAre("a", "falling", "0.5", "3", "1 ←"));
  EXPECT_THAT(table.rows[1], testing::ElementsAre("b", "falling", "0.5", "2 ←", "–"));
  EXPECT_THAT(table.rows[2], testing::ElementsAre("c", "falling", "0.5", "1 *", "4"));
  EXPECT_THAT(RemarksOn({"far", "cheap"}, motions),
              testing::ElementsAre("b by cheap: went, then came back",
                                   "c by far: penalised: distance is not positive"));
  // Many with one remark are one line.
  std::vector<JudgedMotion> many(5, motions[2]);
  for (size_t i = 0; i < many.size(); ++i) many[i].name = "m" + std::to_string(i);
  EXPECT_THAT(
      RemarksOn({"far", "cheap"}, many),
      testing::ElementsAre("m0, m1, m2 and 2 more by far: penalised: distance is not positive"));
  EXPECT_EQ(CsvOfJudgements({"far", "cheap"}, motions),
            "motion,backend,duration_s,far,cheap,remarks\n"
            "a,falling,0.5,3,1,\n"
            "b,falling,0.5,2,,\"cheap: went, then came back\"\n"
            "c,falling,0.5,1,4,far: penalised: distance is not positive\n");
}

}  // namespace
}  // namespace pliant
