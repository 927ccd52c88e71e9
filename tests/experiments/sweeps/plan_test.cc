// What [sweep] says, and what it may not say.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/experiments/complaints.h"
#include "tests/experiments/sweeps/sweeps.h"
#include "tests/says.h"

namespace pliant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

std::vector<std::string> NamesOf(const Sweep& sweep) {
  std::vector<std::string> names;
  for (const SweepPoint& point : sweep.points) names.push_back(point.name);
  return names;
}

std::vector<double> NumbersOf(const Sweep& sweep) {
  std::vector<double> numbers;
  for (const FileValue& value : sweep.plan().vary.at(0).values) {
    numbers.push_back(std::get<double>(value.data));
  }
  return numbers;
}

TEST(SweepPlan, AGridHasEveryValueWithEveryOtherAndTheLastKeyChangesFastest) {
  const ScratchFolder folder;
  const Sweep sweep = FallingSweep(
      folder, Falling("a"),
      Vary("run.step", "values = [0.01, 0.02]") + Vary("backends.a.drift", "values = [0, 0.5, 2]"));
  EXPECT_THAT(NamesOf(sweep),
              ElementsAre("step=0.01_drift=0", "step=0.01_drift=0.5", "step=0.01_drift=2",
                          "step=0.02_drift=0", "step=0.02_drift=0.5", "step=0.02_drift=2"));
  const Experiment& fifth = sweep.points[4].experiment;
  EXPECT_EQ(fifth.plan.step, 0.02);
  EXPECT_EQ(fifth.backends[0].step, 0.02);
  EXPECT_EQ(std::get<double>(fifth.backends[0].parameters.at("drift")), 0.5);
  EXPECT_EQ(sweep.base.plan.step, 0.01);
  EXPECT_FALSE(sweep.base.backends[0].parameters.contains("drift"));
}

TEST(SweepPlan, ZippedKeysChangeTogether) {
  const ScratchFolder folder;
  const Sweep sweep =
      FallingSweep(folder, Falling("a"),
                   "[sweep]\ncombine = 'zip'\n" + Vary("run.step", "values = [0.01, 0.02]") +
                       Vary("run.seed", "values = [3, 9]"));
  EXPECT_THAT(NamesOf(sweep), ElementsAre("step=0.01_seed=3", "step=0.02_seed=9"));
  EXPECT_EQ(sweep.points[1].experiment.plan.seed, 9u);
}

TEST(SweepPlan, ARangeHasBothEndsExactlyAndEqualStepsOrRatios) {
  const ScratchFolder folder;
  EXPECT_THAT(NumbersOf(FallingSweep(folder, Falling("a"),
                                     Vary("backends.a.drift", "from = 0.1\nto = 0.3\ncount = 5"))),
              ElementsAre(0.1, testing::DoubleEq(0.15), testing::DoubleEq(0.2),
                          testing::DoubleEq(0.25), 0.3));
  EXPECT_THAT(NumbersOf(FallingSweep(folder, Falling("a"),
                                     Vary("backends.a.drift",
                                          "from = 0.3\nto = 3e4\ncount = 6\n"
                                          "scale = 'logarithmic'"))),
              ElementsAre(0.3, testing::DoubleEq(3.0), testing::DoubleEq(30.0),
                          testing::DoubleEq(300.0), testing::DoubleEq(3000.0), 3e4));
}

TEST(SweepPlan, AStepIsTheNearestThatDividesTheTimeBetweenRecords) {
  const ScratchFolder folder;
  const Sweep sweep =
      FallingSweep(folder, Falling("a"),
                   Vary("run.step", "from = 1e-3\nto = 1e-2\ncount = 4\nscale = 'logarithmic'"));
  const RunPlan& run = sweep.base.plan;
  ASSERT_EQ(NumbersOf(sweep).size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    const double step = NumbersOf(sweep)[i],
                 asked = 1e-3 * std::pow(10.0, static_cast<double>(i) / 3.0);
    const double steps = run.record_every / step;
    EXPECT_NEAR(steps, std::round(steps), 1e-9 * steps);
    EXPECT_LE(std::abs(steps - run.record_every / asked), 0.5 * (1.0 + 1e-9)) << "not the nearest";
    const SweepPoint& point = sweep.points[i];
    EXPECT_EQ(point.experiment.plan.step, step);
    EXPECT_EQ(std::get<double>(point.values[0].data), step);  // the table has it
    EXPECT_EQ(point.experiment.description.find("is the step nearest to") != std::string::npos,
              std::abs(step - asked) > 1e-12 * asked)
        << point.experiment.description;
  }
  EXPECT_THAT(sweep.notes,
              ElementsAre("run.step: 0.00215443 s becomes 0.00210526 s, 0.00464159 s becomes "
                          "0.00444444 s: each is the nearest step that divides the time between "
                          "records"));
}

TEST(SweepPlan, TwoStepsThatBecomeOneAreToldBeforeAnythingRuns) {
  const ScratchFolder folder;
  EXPECT_THAT(FileErrorOf([&] {
                FallingSweep(folder, Falling("a"),
                             Vary("run.step", "values = [0.001001, 0.001002]"));
              }),
              Says({"0.001001 s and 0.001002 s both become", "leave one out"}));
}

TEST(SweepPlan, StepsAreNotTouchedWhereTheTimesOfTheRunAreVaried) {
  const ScratchFolder folder;
  EXPECT_THAT(FileErrorOf([&] {
                FallingSweep(
                    folder, Falling("a"),
                    Vary("run.step", "values = [0.0103]") + Vary("run.duration", "values = [0.4]"));
              }),
              HasSubstr("is not a whole number of steps of 0.0103 s"));
}

TEST(SweepPlan, ARangeOfWholeNumbersStaysWholeForKeysThatCount) {
  const ScratchFolder folder;
  const Sweep sweep = FallingSweep(folder, Falling("a"),
                                   Vary("backends.a.diverges_at", "from = 9\nto = 1\ncount = 3"));
  EXPECT_THAT(NamesOf(sweep), ElementsAre("diverges_at=9", "diverges_at=5", "diverges_at=1"));
  EXPECT_EQ(
      std::get<std::int64_t>(sweep.points[1].experiment.backends[0].parameters.at("diverges_at")),
      5);
}

TEST(SweepPlan, ScenesAreVariedAsWellAndWhatIsNoNameIsNumbered) {
  const ScratchFolder folder;
  const Sweep sweep = FallingSweep(folder, Falling("a"),
                                   Vary("scene.gravity", "values = [[0, -10, 0], [0, -1, 0]]") +
                                       Vary("scene.obstacle.floor.friction", "values = [0.25]") +
                                       Vary("backends.a.kinematic", "values = [true, false]"));
  EXPECT_THAT(NamesOf(sweep), ElementsAre("gravity=value-1_friction=0.25_kinematic=true",
                                          "gravity=value-1_friction=0.25_kinematic=false",
                                          "gravity=value-2_friction=0.25_kinematic=true",
                                          "gravity=value-2_friction=0.25_kinematic=false"));
  const Scene& last = *sweep.points[3].experiment.scene;
  EXPECT_EQ(last.gravity.y(), -1.0);
  EXPECT_EQ(last.obstacles[0].friction, 0.25);
}

TEST(SweepPlan, KeysThatEndAlikeAreToldApart) {
  const ScratchFolder folder;
  const Sweep sweep =
      FallingSweep(folder, Falling("a") + Falling("b"),
                   Vary("backends.a.drift", "values = [1]") +
                       Vary("backends.b.drift", "values = [2]") + Vary("run.seed", "values = [3]"));
  EXPECT_THAT(NamesOf(sweep), ElementsAre("a.drift=1_b.drift=2_seed=3"));
}

TEST(SweepPlan, OverridesAndBackendsOfTheCommandLineHoldAtEveryPoint) {
  const ScratchFolder folder;
  FallingSweep(folder, Falling("a") + Falling("b"),
               Vary("run.step", "from = 0.005\nto = 0.02\ncount = 2"));
  const Sweep sweep = ReadSweep(folder / "fall.toml", {"run.seed=11", "sweep.vary.0.to=0.01"},
                                {"b"}, TestBackends());
  EXPECT_THAT(NamesOf(sweep), ElementsAre("step=0.005", "step=0.01"));
  for (const SweepPoint& point : sweep.points) {
    EXPECT_EQ(point.experiment.plan.seed, 11u);
    ASSERT_EQ(point.experiment.backends.size(), 1u);
    EXPECT_EQ(point.experiment.backends[0].label, "b");
  }
}

TEST(SweepPlan, OtherCommandsReadTheExperimentAsItStands) {
  const ScratchFolder folder;
  const Experiment plain = FallingExperiment(folder, Falling("a"));
  const Sweep sweep =
      FallingSweep(folder, Falling("a"), Vary("run.step", "values = [0.005, 0.02]"));
  EXPECT_EQ(sweep.base.Resolved(0), plain.Resolved(0));
  EXPECT_THAT(sweep.points[0].experiment.Resolved(0), Not(HasSubstr("sweep")));
}

TEST(SweepPlan, AnExperimentWithoutOneIsRefused) {
  const ScratchFolder folder;
  EXPECT_THAT([&] { FallingSweep(folder, Falling("a"), ""); },
              ThrowsMessage<FileError>(HasSubstr("no [sweep]")));
}

TEST(SweepPlan, WhatIsWrongAtOnePointIsToldWithItsName) {
  const ScratchFolder folder;
  EXPECT_THAT(
      [&] { FallingSweep(folder, Falling("a"), Vary("run.step", "values = [0.01, 0.09]")); },
      ThrowsMessage<FileError>(testing::AllOf(
          HasSubstr("fall.toml:5:12: duration = 0.2 s is not a whole number of steps of 0.09 s"),
          testing::EndsWith("; at the point step=0.09"))));
}

TEST(SweepPlan, ADistanceToTheReferenceHasNoDifferenceFromIt) {
  const ScratchFolder folder;
  FallingExperiment(folder, Falling("a") + Falling("b"), "reference = 'b'\n");
  WriteFile(folder / "fall.toml", ReadFile(folder / "fall.toml") +
                                      Vary("backends.a.drift", "values = [1, 2]") +
                                      "[[sweep.curve]]\nfigure = 'distance_to_reference_max_m'\n"
                                      "difference = 'absolute'\n");
  EXPECT_THAT(FileErrorOf([&] { ReadSweep(folder / "fall.toml", {}, {}, TestBackends()); }),
              Says({"measured from the reference of the experiment already", "leave"}));
}

// A [sweep] with a slip, the text in it at which the message must point, and what it must say.
struct SweepSlip {
  std::string sweep;
  std::string at;
  std::vector<std::string> says;
};
SweepSlip Wrong(std::string sweep, std::string at, std::vector<std::string> says) {
  return {std::move(sweep), std::move(at), std::move(says)};
}

void PrintTo(const SweepSlip& slip, std::ostream* out) { *out << slip.sweep; }

class SweepMistake : public testing::TestWithParam<SweepSlip> {};

TEST_P(SweepMistake, IsToldAtItsPlaceInOneLine) {
  const SweepSlip& slip = GetParam();
  const ScratchFolder folder;
  const std::string error = FileErrorOf([&] {
    RequireTranslatable(FallingSweep(folder, Falling("a") + Falling("other"), slip.sweep));
  });
  const std::string text = ReadFile(folder / "fall.toml");
  ExpectComplaint(error, (folder / "fall.toml").string(),
                  PlaceOfText(text, slip.at, text.size() - slip.sweep.size()), slip.says);
}

// A sweep of two steps and a curve with these keys.
std::string Curve(const std::string& more, const std::string& of_key = "") {
  return Vary("run.step", "values = [0.01, 0.02]\n" + of_key) +
         "[[sweep.curve]]\nfigure = 'edge_strain_max'\n" + more + "\n";
}

INSTANTIATE_TEST_SUITE_P(
    Sweep, SweepMistake,
    testing::Values(
        Wrong(Vary("run.stepp", "values = [1]"), "'run.stepp'",
              {"unknown key 'stepp' in [run]", "did you mean 'step'?", "stepp=1"}),
        Wrong(Vary("backends.a.drifft", "values = [1]"), "'backends.a", {"mean 'drift'?"}),
        Wrong(Vary("backends.othe.drift", "values = [1]"), "'backends",
              {"no backend 'othe'", "mean 'other'?"}),
        Wrong(Vary("scene.obstacle.flor.friction", "values = [1]"), "'scene",
              {"no element 'flor'", "mean 'floor'?"}),
        Wrong(Vary("rum.step", "values = [1]"), "'rum", {"cannot be varied", "mean 'run'?"}),
        Wrong(Vary("name", "values = ['x']"), "'name'", {"cannot be varied"}),
        Wrong(Vary("step", "values = [0.1]"), "'step'",
              {"'step' cannot be varied", "'step' belongs to [run]", "such as run.step"}),
        Wrong(Vary("backends", "values = [1]"), "'backends'", {"is a table"}),
        Wrong(Vary("run..step", "values = [1]"), "'run..", {"part of the key is empty"}),
        Wrong(Vary("run.step", "values = []"), "[]", {"empty"}),
        Wrong(Vary("run.step", "values = 0.1"), "0.1", {"a number", "expected list"}),
        Wrong(Vary("run.step", "values = ['slow']"), "'slow'",
              {"'step' is a text", "expected number", "step=slow"}),
        Wrong(Vary("run.step", "values = [0.01, 'slow']"), "'slow'",
              {"value 2 of 'run.step', \"slow\", is a text where the first, 0.01, is a number",
               "expected number, as 0.5"}),
        // The text is the mistake, wherever it stands.
        Wrong(Vary("run.step", "values = ['0.01', 0.02]"), "'0.01'",
              {"value 2 of 'run.step', 0.02, is a number where the first, \"0.01\", is a text",
               "write 0.01 without quotes"}),
        Wrong(Vary("name", "values = ['a', true]"), "true",
              {"value 2 of 'name', true, is true or false where the first, \"a\", is a text",
               "write all values of a key as one kind"}),
        Wrong(Vary("run.seed", "values = [1, 1.0]"), "1.0", {"twice"}),
        Wrong("[sweep]\ncombine = 'zip'\n" + Vary("run.seed", "values = [4, 4, 4.0]") +
                  Vary("run.step", "values = [0.01, 0.02, 0.01]"),
              "4.0", {"twice"}),
        Wrong(Vary("run.step", ""), "[[sweep.vary]]", {"no values", "from, to and count"}),
        Wrong(Vary("run.step", "from = 1\nto = 2"), "[[sweep.vary]]", {"no values"}),
        Wrong(Vary("run.step", "from = 1\nto = 2\ncount = 0"), "0", {"'count' is 0", "at least 2"}),
        Wrong(Vary("run.step", "from = 1\nto = 2\ncount = 2.5"), "2.5",
              {"'count' is a number", "expected whole number"}),
        Wrong(Vary("run.step", "from = 1\nto = 2\ncount = 1000000"), "1000000", {"more than"}),
        Wrong(Vary("run.step", "from = 'a'\nto = 2\ncount = 3"), "'a'", {"'from' is a text"}),
        Wrong(Vary("run.step", "from = 2\nto = 2\ncount = 3"), "2\ncount", {"same as 'from'"}),
        Wrong(Vary("run.step", "from = 0\nto = 2\ncount = 3\nscale = 'logarithmic'"), "0\n",
              {"logarithmic", "above 0"}),
        Wrong(Vary("run.step", "values = [1]\ncount = 3"), "count", {"both 'values' and"}),
        Wrong(Vary("run.step", "vaules = [1]"), "vaules", {"did you mean 'values'?"}),
        Wrong("[sweep]\ncombine = 'gird'\n" + Vary("run.step", "values = [1]"), "'gird'",
              {"did you mean 'grid'?"}),
        Wrong("[sweep]\n", "[sweep]", {"lacks the key 'vary'"}),
        Wrong(Vary("run.seed", "values = [1]") + Vary("run.seed", "values = [2]"),
              "'run.seed'\nvalues = [2]", {"already varied"}),
        Wrong("[sweep]\ncombine = 'zip'\n" + Vary("run.seed", "values = [1]") +
                  Vary("run.step", "values = [0.01, 0.02]"),
              "'run.step'", {"2 values where 'run.seed' has 1"}),
        Wrong(Vary("run.seed", "from = 1\nto = 1000\ncount = 1000") +
                  Vary("run.step", "from = 1\nto = 1000\ncount = 1000"),
              "[[sweep.vary]]", {"grid has more than"}),
        Wrong(Vary("run.seed", "values = [1]") + "[[sweep.curve]]\nfigure = 'edge_strain_mx'\n",
              "'edge_strain_mx'", {"no headline figure", "mean 'edge_strain_max'?"}),
        Wrong(Vary("run.seed", "values = [1]") +
                  "[[sweep.curve]]\nfigure = 'distance_to_reference_max_m'\n",
              "'distance", {"no headline figure"}),
        Wrong(Curve("difference = 'relativ'"), "'relativ'", {"did you mean 'relative'?"}),
        Wrong(Curve("difference = 'absolute'"), "'absolute'",
              {"no reference that 'edge_strain_max' differs from", "give reference ="}),
        Wrong(Curve("difference = 'relative'\nreference = 0"), "0\n",
              {"'reference' is 0", "difference = \"absolute\""}),
        Wrong(Curve("x_range = [2, 1]"), "[2, 1]", {"'x_range' is [2, 1]", "lower end first"}),
        Wrong(Curve("y_range = [1, 1]"), "[1, 1]", {"'y_range' is [1, 1]", "lower end first"}),
        Wrong(Curve("y_range = [0, 1]\nscale = 'logarithmic'"), "[0, 1]",
              {"'y_range' begins at 0", "above 0"}),
        Wrong(Curve("x_range = [-1, 1]", "scale = 'logarithmic'"), "[-1, 1]",
              {"'x_range' begins at -1", "above 0"}),
        Wrong(Curve("x_range = [1, 2, 3]"), "[1, 2, 3]", {"3 entries", "must have 2"})));

}  // namespace
}  // namespace pliant
