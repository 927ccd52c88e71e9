#include "experiments/comparison/comparison_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "experiments/bundles/csv.h"
#include "experiments/comparison/distance.h"
#include "tests/experiments/bundles.h"

namespace pliant {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Optional;
using ::testing::ThrowsMessage;

// Runs all backends and opens their bundles.
std::vector<Bundle> RunAll(const ScratchFolder& folder, const std::string& backends,
                           const std::string& head = "") {
  const Experiment experiment = FallingExperiment(folder, backends, head);
  std::vector<Bundle> bundles;
  for (const BackendRun& run : RunComparison(experiment, folder / "runs", {})) {
    bundles.push_back(Bundle::Open(run.bundle, TestBackends()));
  }
  return bundles;
}

std::optional<double> ValueOf(const ComparisonTable& table, size_t row, const std::string& name) {
  for (size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].name == name) return table.rows[row].values.at(c);
  }
  ADD_FAILURE() << "no column " << name;
  return std::nullopt;
}

TEST(ComparisonTable, HasARowForEachBackendAndKeepsNotDefinedApartFromZero) {
  const ScratchFolder folder;
  const auto bundles = RunAll(folder, Falling("exact") + Falling("blind", "kinematic = true") +
                                          Falling("refused", "refuses = true"));
  const ComparisonTable table = CompareBundles(bundles, "");
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0].label, "exact");
  EXPECT_EQ(table.rows[0].backend, "falling");
  EXPECT_EQ(table.rows[2].outcome.kind, OutcomeKind::kUnsupported);
  EXPECT_EQ(table.rows[1].bundle, folder / "runs" / "fall" / "blind");
  for (const ComparisonRow& row : table.rows) {
    EXPECT_EQ(row.values.size(), table.columns.size());
  }
  EXPECT_THAT(ValueOf(table, 0, "residual_energy_max_J"), Optional(DoubleNear(0.0, 1e-12)));
  EXPECT_FALSE(ValueOf(table, 1, "residual_energy_max_J"));
  EXPECT_THAT(ValueOf(table, 1, "iterations_total"), Optional(20.0));
  EXPECT_FALSE(ValueOf(table, 2, "iterations_total"));
  EXPECT_FALSE(ValueOf(table, 0, "condition_number_max"));
  EXPECT_THAT(ValueOf(table, 0, "fall_max_s"), Optional(DoubleNear(0.2, 1e-15)));
  EXPECT_THAT(table.problems, IsEmpty());
  for (const SeriesColumn& column : table.columns) {
    EXPECT_NE(column.meaning, "") << column.name;
    EXPECT_THAT(column.name, Not(HasSubstr("distance"))) << "without a reference";
  }
}

TEST(ComparisonTable, MeasuresTheDistanceToTheReference) {
  const ScratchFolder folder;
  const auto bundles =
      RunAll(folder, Falling("exact") + Falling("off", "drift = 0.5"), "reference = 'exact'");
  const ComparisonTable table = CompareBundles(bundles, ReferenceOf(bundles));
  EXPECT_THAT(table.problems, IsEmpty());
  EXPECT_THAT(ValueOf(table, 0, "distance_to_reference_rms_m"), Optional(0.0));
  // Every point is off by 0.5 m/s · 0.2 s at the end.
  EXPECT_THAT(ValueOf(table, 1, "distance_to_reference_rms_m"), Optional(DoubleNear(0.1, 1e-14)));
  EXPECT_THAT(ValueOf(table, 1, "distance_to_reference_max_m"), Optional(DoubleNear(0.1, 1e-14)));
  // All of it is a shift.
  EXPECT_THAT(ValueOf(table, 1, "distance_to_reference_shape_m"), Optional(DoubleNear(0.0, 1e-13)));
  EXPECT_THAT(ValueOf(table, 1, "distance_to_reference_placement_m"),
              Optional(DoubleNear(0.1, 1e-13)));
}

TEST(ComparisonTable, StepsMayDifferWhereRecordedTimesAgree) {
  const ScratchFolder folder;
  const auto bundles =
      RunAll(folder, Falling("exact") + Falling("fine", "step = 0.0005\ndrift = 0.5"),
             "reference='exact'");
  const ComparisonTable table = CompareBundles(bundles, "exact");
  EXPECT_THAT(table.problems, IsEmpty());
  EXPECT_THAT(ValueOf(table, 1, "distance_to_reference_max_m"), Optional(DoubleNear(0.1, 1e-12)));
}

TEST(ComparisonTable, OfADivergedRunMeasuresUpToItsEnd) {
  const ScratchFolder folder;
  const auto bundles =
      RunAll(folder, Falling("exact") + Falling("wild", "drift = 0.5\ndiverges_at = 11"));
  const ComparisonTable table = CompareBundles(bundles, "exact");
  EXPECT_THAT(table.problems, IsEmpty());
  // The last common time is 0.08 s; the last good state, at 0.1 s, has no partner.
  EXPECT_THAT(ValueOf(table, 1, "distance_to_reference_max_m"), Optional(DoubleNear(0.04, 1e-14)));
  EXPECT_THAT(MeasureDistance(bundles[1], bundles[0]).times,
              ElementsAre(0.0, DoubleNear(0.04, 1e-14), DoubleNear(0.08, 1e-14)));
}

// A comparison must not pass because what it compares with is not there.
TEST(ComparisonTable, AReferenceThatIsNotThereIsAProblem) {
  const ScratchFolder folder;
  auto bundles = RunAll(folder, Falling("exact") + Falling("off"), "reference = 'exact'");
  ComparisonTable table = CompareBundles(bundles, "exakt");
  EXPECT_THAT(table.problems, ElementsAre("no bundle of the reference 'exakt'; did you mean "
                                          "'exact'?"));
  EXPECT_FALSE(ValueOf(table, 1, "distance_to_reference_rms_m"));
  EXPECT_THAT(TableText(table), HasSubstr("problem: no bundle of the reference 'exakt'"));

  bundles.erase(bundles.begin());
  EXPECT_EQ(ReferenceOf(bundles), "exact");
  EXPECT_EQ(CompareBundles(bundles, ReferenceOf(bundles)).problems.size(), 1u);
}

TEST(ComparisonTable, TwoBundlesOfTheReferenceAreAProblem) {
  const ScratchFolder folder;
  auto bundles = RunAll(folder, Falling("exact") + Falling("off"));
  bundles.push_back(Bundle::Open(bundles[0].path(), TestBackends()));
  EXPECT_THAT(CompareBundles(bundles, "exact").problems,
              ElementsAre(HasSubstr("more than one bundle of the reference 'exact'")));
}

TEST(ComparisonTable, AReferenceThatWasRefusedOrDivergedIsAProblem) {
  for (const auto& [mishap, why] :
       {std::pair("refuses = true", "the reference run has no frames; its outcome is unsupported"),
        std::pair("diverges_at = 9", "the reference run has no frame at 0.12 s")}) {
    const ScratchFolder folder;
    const auto bundles = RunAll(folder, Falling("bad", mishap) + Falling("good"));
    const ComparisonTable table = CompareBundles(bundles, "bad");
    EXPECT_THAT(table.problems, ElementsAre(HasSubstr(why)));
    EXPECT_THAT(table.problems, ElementsAre(HasSubstr("no distance of good to bad")));
    EXPECT_FALSE(ValueOf(table, 1, "distance_to_reference_rms_m"));
  }
}

TEST(MeasureDistance, FramesWithoutPartnersAreErrors) {
  const ScratchFolder folder;
  const Bundle whole = FallingBundle(folder);
  WriteFile(folder / "short.toml", [&] {
    std::string text = ReadFile(folder / "fall.toml");
    text.replace(text.find("duration = 0.2"), 14, "duration = 0.12");
    return text;
  }());
  const Experiment experiment = ReadExperiment(folder / "short.toml", {}, TestBackends());
  const Bundle part =
      Bundle::Open(RunTestBackend(experiment, 0, folder / "short").bundle, TestBackends());
  EXPECT_THAT([&] { MeasureDistance(part, whole); },
              ThrowsMessage<BadInput>(HasSubstr("the run has no frame at 0.16 s")));
  EXPECT_THAT([&] { MeasureDistance(whole, part); },
              ThrowsMessage<BadInput>(HasSubstr("the reference run has no frame at 0.16 s")));
}

TEST(MeasureDistance, AnotherNumberOfPointsIsAnError) {
  const ScratchFolder folder;
  const Bundle net = FallingBundle(folder);
  const Experiment experiment =
      ReadExperiment(folder / "fall.toml", {"scene.body.rope.points=5"}, TestBackends());
  const Bundle other =
      Bundle::Open(RunTestBackend(experiment, 0, folder / "other").bundle, TestBackends());
  EXPECT_THAT([&] { MeasureDistance(net, other); },
              ThrowsMessage<BadInput>(HasSubstr("different numbers of points")));
}

// The table of the tests below, made by hand.
ComparisonTable SmallTable() {
  ComparisonTable table = {
      .columns = {{"residual_energy_max_J", "J", ""}, {"gain_max", "1", ""}, {"never", "1", ""}}};
  table.rows.resize(2);
  table.rows[0] = {"größe", "dynamic-ffd", {}, "", {0.123456, std::nullopt, std::nullopt}};
  table.rows[1] = {"b", "kinematic-response", {}, "", {std::nullopt, INFINITY, std::nullopt}};
  table.rows[1].outcome.kind = OutcomeKind::kDiverged;
  table.rows[1].outcome.reason = "diverged at step 3: speed, \"all\" of it";
  return table;
}

TEST(ComparisonTable, AsTextIsAlignedAndShowsWhatIsNotDefined) {
  EXPECT_EQ(TableText(SmallTable()),
            "                           größe         b\n"
            "outcome                completed  diverged\n"
            "residual_energy_max_J     0.1235         –\n"
            "gain_max                       –       inf\n"
            "b: diverged at step 3: speed, \"all\" of it\n");
}

TEST(ComparisonTable, AsCsvKeepsEveryDigitAndEmptyCells) {
  EXPECT_EQ(
      TableCsv(SmallTable()),
      "label,backend,outcome,reason,residual_energy_max_J,gain_max,never\n"
      "größe,dynamic-ffd,completed,,0.123456,,\n"
      "b,kinematic-response,diverged,\"diverged at step 3: speed, \"\"all\"\" of it\",,inf,\n");
}

TEST(ComparisonTable, AppendedRowsStandUnderTheColumnsOfTheirName) {
  ComparisonTable table, more;
  table.columns = {{"a_m", "m", ""}, {"b_s", "s", ""}};
  table.rows = {{"first", "falling", {}, {}, {1.0, 2.0}}};
  more.columns = {{"c_J", "J", ""}, {"b_s", "s", ""}};
  more.rows = {{"second", "falling", {}, {}, {3.0, 4.0}}};
  more.problems = {"one"};
  Append(more, &table);
  ASSERT_EQ(table.columns.size(), 3u);
  EXPECT_EQ(table.columns[2].name, "c_J");
  using Values = std::vector<std::optional<double>>;
  EXPECT_EQ(table.rows[0].values, (Values{1.0, 2.0, std::nullopt}));
  EXPECT_EQ(table.rows[1].values, (Values{std::nullopt, 4.0, 3.0}));
  EXPECT_EQ(table.problems, std::vector<std::string>{"one"});
}

}  // namespace
}  // namespace pliant
