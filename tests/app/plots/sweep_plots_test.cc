// The curves of a sweep, from the rows of its table.

#include "app/plots/sweep_plots.h"

#include <gmock/gmock.h>

#include "app/plots/comparison_plots.h"
#include "tests/experiments/sweeps/sweeps.h"

namespace pliant {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsNan;
using ::testing::SizeIs;

constexpr char kStrain[] = "[[sweep.curve]]\nfigure = 'edge_strain_max'\nscale = 'logarithmic'\n";

// A row for each backend at each point, of which edge_strain_max is 1, 2, 3, …
SweepTable CountingTable(const Sweep& sweep) {
  SweepTable table;
  table.table.columns = FiguresOf(sweep.base);
  for (size_t point = 0; point < sweep.points.size(); ++point) {
    for (const BackendChoice& choice : sweep.base.backends) {
      ComparisonRow row{choice.label, choice.backend->info().name, {}, {}, {}};
      for (const SeriesColumn& column : table.table.columns) {
        row.values.push_back(column.name == "edge_strain_max"
                                 ? std::optional<double>(table.points.size() + 1)
                                 : std::nullopt);
      }
      table.points.push_back(point);
      table.table.rows.push_back(row);
    }
  }
  return table;
}

std::vector<std::string> NamesOf(const Plot& plot) {
  std::vector<std::string> names;
  for (const PlottedCurve& curve : plot.panels.at(0).curves) names.push_back(curve.name);
  return names;
}

TEST(SweepPlots, HaveALineForEachBackendAgainstTheFirstNumberInItsOrder) {
  const ScratchFolder folder;
  const Sweep sweep = FallingSweep(
      folder, Falling("a") + Falling("b"),
      "[sweep]\ncombine = 'zip'\n" + Vary("backends.a.kinematic", "values = [true, false]") +
          Vary("backends.a.drift",
               "values = [3, 0.5]\nscale = 'logarithmic'\nlabel = 'error'\n"
               "unit = 'm/s'") +
          kStrain);
  const std::vector<Plot> plots = SweepPlots(sweep, CountingTable(sweep));
  ASSERT_THAT(plots, SizeIs(1));
  const Plot& plot = plots[0];
  EXPECT_EQ(plot.key, "sweep-edge_strain_max");
  EXPECT_EQ(plot.x.label, "error");
  EXPECT_EQ(plot.x.unit, "m/s");
  EXPECT_TRUE(plot.x.logarithmic);
  EXPECT_TRUE(plot.mark_values);
  EXPECT_TRUE(plot.panels.at(0).y.logarithmic);
  EXPECT_THAT(NamesOf(plot), ElementsAre("a", "b"));
  EXPECT_THAT(plot.panels[0].curves[0].x, ElementsAre(0.5, 3.0));
  EXPECT_THAT(plot.panels[0].curves[0].y, ElementsAre(3.0, 1.0));
  EXPECT_THAT(plot.panels[0].curves[1].y, ElementsAre(4.0, 2.0));
}

TEST(SweepPlots, AGridHasALineForEachCombinationOfTheOtherKeys) {
  const ScratchFolder folder;
  const Sweep sweep = FallingSweep(
      folder, Falling("a") + Falling("b"),
      Vary("backends.a.drift", "values = [1, 2]") + Vary("run.seed", "values = [5, 7]") + kStrain);
  const Plot plot = SweepPlots(sweep, CountingTable(sweep)).at(0);
  EXPECT_THAT(NamesOf(plot),
              ElementsAre("a, seed = 5", "a, seed = 7", "b, seed = 5", "b, seed = 7"));
  EXPECT_FALSE(plot.x.logarithmic);
  EXPECT_THAT(plot.panels[0].curves[1].y, ElementsAre(3.0, 7.0));
  EXPECT_THAT(plot.panels[0].curves[2].y, ElementsAre(2.0, 6.0));
}

TEST(SweepPlots, RunsThatDivergedAreAGapAndTold) {
  const ScratchFolder folder;
  const Sweep sweep = FallingSweep(folder, Falling("a"),
                                   Vary("backends.a.drift", "values = [1, 2, 3, 4]") + kStrain);
  SweepTable table = CountingTable(sweep);
  table.table.rows[1].outcome.kind = OutcomeKind::kDiverged;
  table.table.rows[2].outcome.kind = OutcomeKind::kNotConverged;  // went on to its end
  table.table.rows[3].outcome.kind = OutcomeKind::kCancelled;
  const Plot plot = SweepPlots(sweep, table).at(0);
  EXPECT_THAT(plot.panels[0].curves[0].y, ElementsAre(1.0, IsNan(), 3.0, IsNan()));
  EXPECT_THAT(NotesOf(plot), Contains(HasSubstr("diverged: a at 2.")));
  EXPECT_THAT(NotesOf(plot), Contains(HasSubstr("cancelled: a at 4.")));
}

// What is known otherwise lies across the lines, from the first value of the key to the last.
TEST(SweepPlots, DrawAReferenceValueAcrossTheLines) {
  const ScratchFolder folder;
  const auto plot_with = [&](const std::string& more) {
    const Sweep sweep = FallingSweep(
        folder, Falling("a"), Vary("backends.a.drift", "values = [4, 1, 2]") + kStrain + more);
    return SweepPlots(sweep, CountingTable(sweep)).at(0);
  };
  const Sweep of_depth =
      FallingSweep(folder, Falling("a"),
                   Vary("backends.a.drift", "values = [4, 1, 2]") +
                       "[[sweep.curve]]\nfigure = 'penetration_max_m'\nreference = 2.5\n"
                       "reference_name = 'closed form'\n");
  const Plot plot = plot_with("reference = 2.5\nreference_name = 'closed form'\n");
  EXPECT_THAT(NamesOf(plot), ElementsAre("a", "closed form: 2.5"));
  const PlottedCurve& known = plot.panels[0].curves[1];
  EXPECT_THAT(known.x, ElementsAre(1.0, 4.0));
  EXPECT_THAT(known.y, ElementsAre(2.5, 2.5));
  EXPECT_EQ(known.style.marker, Marker::kNone);
  EXPECT_THAT(NamesOf(plot_with("")), ElementsAre("a"));
  EXPECT_THAT(NamesOf(SweepPlots(of_depth, CountingTable(of_depth)).at(0)),
              ElementsAre("a", "closed form: 2.5 m"));
  // On the logarithmic axis its magnitude, and a note that says so.
  const Plot below = plot_with("reference = -2.5\n");
  EXPECT_THAT(below.panels[0].curves[1].y, ElementsAre(2.5, 2.5));
  EXPECT_THAT(below.notes,
              Contains(HasSubstr("by its magnitude, because it is below 0: reference")));
}

// The reference of each point, as far as it has one.
void GiveReference(const std::string& name, const std::vector<FigureLimit>& values,
                   SweepTable* table) {
  for (size_t point = 0; point < values.size(); ++point) {
    table->references[point] = {name, {{"edge_strain_max", values[point]}}, ""};
  }
}

TEST(SweepPlots, DrawTheReferenceBelowTheRunsInItsBand) {
  const ScratchFolder folder;
  const Sweep sweep = FallingSweep(folder, Falling("a"),
                                   Vary("backends.a.drift", "values = [4, 1, 2]") +
                                       "[[sweep.curve]]\nfigure = 'edge_strain_max'\n");
  SweepTable table = CountingTable(sweep);
  GiveReference("yardstick", {{2.0, 0.5}, {2.0, 0.5}, {2.0, 0.5}}, &table);
  const Plot plot = SweepPlots(sweep, table).at(0);
  ASSERT_THAT(NamesOf(plot), ElementsAre("error of the yardstick", "yardstick", "a"));
  const std::vector<PlottedCurve>& curves = plot.panels[0].curves;
  EXPECT_THAT(curves[0].base, ElementsAre(1.5, 1.5, 1.5));
  EXPECT_THAT(curves[0].y, ElementsAre(1.0, 1.0, 1.0));
  EXPECT_THAT(curves[1].x, ElementsAre(1.0, 2.0, 4.0));
  EXPECT_THAT(curves[1].y, ElementsAre(2.0, 2.0, 2.0));
  EXPECT_EQ(curves[1].style.colour, kYardstickColour);
  EXPECT_EQ(curves[1].style.marker, Marker::kNone);
  EXPECT_LT(curves[1].style.width, curves[2].style.width);
  // A reference that is known at some points only has a gap; one without a band is a line alone.
  table.references.clear();
  GiveReference("measured.csv", {{2.0, 0.0}}, &table);
  table.references[1] = {"measured.csv", {}, "it is of 0 to 0.1 s, the runs are of 0 to 0.2 s"};
  const Plot partly = SweepPlots(sweep, table).at(0);
  EXPECT_THAT(NamesOf(partly), ElementsAre("measured.csv", "a"));
  EXPECT_THAT(partly.notes, Contains("No line of measured.csv: it is of 0 to 0.1 s, the runs are "
                                     "of 0 to 0.2 s."));
}

TEST(SweepPlots, ALogarithmicAxisSaysTheBandOfTheReference) {
  const ScratchFolder folder;
  const Sweep sweep =
      FallingSweep(folder, Falling("a"), Vary("backends.a.drift", "values = [1, 2]") + kStrain);
  SweepTable table = CountingTable(sweep);
  GiveReference("yardstick", {{-2.0, 0.5}, {-2.0, 0.25}}, &table);
  const Plot plot = SweepPlots(sweep, table).at(0);
  EXPECT_THAT(NamesOf(plot), ElementsAre("yardstick", "a"));
  EXPECT_THAT(plot.panels[0].curves[0].y, ElementsAre(2.0, 2.0));
  EXPECT_THAT(
      plot.notes,
      Contains("A logarithmic axis does not show the band of the yardstick: ± 0.5 at most."));
}

// A grid whose other key changes the scene has a reference for each of its values.
TEST(SweepPlots, AGridHasOneReferenceUnlessTheOtherKeysChangeIt) {
  const ScratchFolder folder;
  const Sweep sweep = FallingSweep(
      folder, Falling("a") + Falling("b"),
      Vary("backends.a.drift", "values = [1, 2]") + Vary("run.seed", "values = [5, 7]") + kStrain);
  SweepTable table = CountingTable(sweep);
  GiveReference("yardstick", {{2.0, 0.0}, {2.0, 0.0}, {2.0, 0.0}, {2.0, 0.0}}, &table);
  EXPECT_EQ(NamesOf(SweepPlots(sweep, table).at(0))[0], "yardstick");
  EXPECT_EQ(NamesOf(SweepPlots(sweep, table).at(0))[1], "a, seed = 5");
  GiveReference("yardstick", {{2.0, 0.0}, {3.0, 0.0}, {2.0, 0.0}, {3.0, 0.0}}, &table);
  const Plot plot = SweepPlots(sweep, table).at(0);
  EXPECT_EQ(NamesOf(plot)[0], "yardstick, seed = 5");
  EXPECT_EQ(NamesOf(plot)[1], "yardstick, seed = 7");
  EXPECT_THAT(plot.panels[0].curves[1].y, ElementsAre(3.0, 3.0));
  EXPECT_NE(plot.panels[0].curves[0].style.dash, plot.panels[0].curves[1].style.dash);
}

TEST(SweepPlots, ARunThatIsTheReferenceIsThinAndGrey) {
  const ScratchFolder folder;
  FallingExperiment(folder, Falling("a") + Falling("b"), "reference = 'b'\n");
  WriteFile(folder / "fall.toml",
            ReadFile(folder / "fall.toml") + Vary("backends.a.drift", "values = [1, 2]") + kStrain);
  const Sweep sweep = ReadSweep(folder / "fall.toml", {}, {}, TestBackends());
  SweepTable table = CountingTable(sweep);
  GiveReference("b", {{2.0, 0.0}, {2.0, 0.0}}, &table);
  const Plot plot = SweepPlots(sweep, table).at(0);
  EXPECT_THAT(NamesOf(plot), ElementsAre("a", "b"));
  EXPECT_EQ(plot.panels[0].curves[1].style.colour, kYardstickColour);
  EXPECT_FALSE(plot.panels[0].curves[0].style.colour == kYardstickColour);
  EXPECT_THAT(plot.notes, Contains("The reference, thin and grey: b."));
}

// 1, 2, 3, … at 1, 2, 4, 8: the fitted power is drawn beside its line.
TEST(SweepPlots, DrawTheFittedSlopeWhereBothAxesAreLogarithmic) {
  const ScratchFolder folder;
  const Sweep sweep = FallingSweep(
      folder, Falling("a"),
      Vary("backends.a.drift", "values = [1, 2, 4, 8]\nscale = 'logarithmic'") + kStrain);
  const Plot plot = SweepPlots(sweep, CountingTable(sweep)).at(0);
  // numpy.polyfit: 0.6585 and its standard error 0.0941
  ASSERT_THAT(NamesOf(plot), ElementsAre("", "a: slope 0.66 ± 0.09"))
      << "the fit lies behind, without a name";
  const PlottedCurve& fit = plot.panels[0].curves[0];
  EXPECT_THAT(fit.x, ElementsAre(1.0, 8.0));
  EXPECT_NEAR(fit.y[1] / fit.y[0], std::pow(8.0, 0.65849625), 1e-6);
  EXPECT_EQ(fit.style.marker, Marker::kNone);
  EXPECT_FALSE(fit.style.colour == plot.panels[0].curves[1].style.colour);
  EXPECT_LT(fit.style.width, plot.panels[0].curves[1].style.width);
}

// A run that gained energy is drawn, with a cross, and tells no slope.
TEST(SweepPlots, NoSlopeCountsWhatIsCrossed) {
  const ScratchFolder folder;
  const Sweep sweep = FallingSweep(
      folder, Falling("a"),
      Vary("backends.a.drift", "values = [1, 2, 4, 8]\nscale = 'logarithmic'") + kStrain);
  SweepTable table = CountingTable(sweep);
  table.table.rows[3].outcome.kind = OutcomeKind::kGainedEnergy;
  const std::vector<double> values = {1.0, 2.0, 4.2, 100.0};
  for (size_t row = 0; row < values.size(); ++row) {
    for (auto& value : table.table.rows[row].values) {
      if (value) value = values[row];
    }
  }
  const Plot plot = SweepPlots(sweep, table).at(0);
  // numpy.polyfit of the logarithms of the first three
  EXPECT_THAT(NamesOf(plot), ElementsAre("", "a: slope 1.04 ± 0.02"));
  EXPECT_THAT(plot.notes, Contains("No slope counts what is crossed."));
}

// In black and white a curve is known by its dash and its mark.
TEST(SweepPlots, NoTwoLinesHaveTheSameDashAndMark) {
  const ScratchFolder folder;
  std::string backends;
  for (const char* label : {"a", "b", "c", "d", "e", "f", "g", "h"}) backends += Falling(label);
  const Sweep sweep =
      FallingSweep(folder, backends, Vary("backends.a.drift", "values = [1, 2]") + kStrain);
  const Plot plot = SweepPlots(sweep, CountingTable(sweep)).at(0);
  std::set<std::pair<Dash, Marker>> looks;
  for (const PlottedCurve& curve : plot.panels[0].curves) {
    EXPECT_NE(curve.style.marker, Marker::kNone);
    EXPECT_TRUE(looks.emplace(curve.style.dash, curve.style.marker).second) << curve.name;
  }
  EXPECT_EQ(looks.size(), 8u);
}

TEST(SweepPlots, RunsThatEndedBadlyAreCrossedAndTold) {
  const ScratchFolder folder;
  const Sweep sweep = FallingSweep(folder, Falling("a"),
                                   Vary("backends.a.drift", "values = [1, 2, 3, 4]") + kStrain);
  SweepTable table = CountingTable(sweep);
  table.table.rows[1].outcome.kind = OutcomeKind::kGainedEnergy;
  table.table.rows[2].outcome.kind = OutcomeKind::kTurnedInsideOut;
  table.table.rows[3].outcome.kind = OutcomeKind::kDiverged;
  const Plot plot = SweepPlots(sweep, table).at(0);
  EXPECT_THAT(plot.panels[0].curves[0].y, ElementsAre(1.0, 2.0, 3.0, IsNan()));
  EXPECT_THAT(plot.panels[0].curves[0].crossed, ElementsAre(1u, 2u));
  EXPECT_THAT(plot.notes, Contains("Crossed because gained energy: a at 2."));
  EXPECT_THAT(plot.notes, Contains("Crossed because turned inside out: a at 3."));
}

// Of a sag, which is below 0, the magnitude is drawn and fitted; what changes sign has no slope, and a reason.
TEST(SweepPlots, FitTheMagnitudeOfWhatIsNegativeAndSayWhyThereIsNoSlope) {
  const ScratchFolder folder;
  const auto plot_of = [&](const std::vector<double>& values, const std::string& curve) {
    const Sweep sweep = FallingSweep(
        folder, Falling("a"),
        Vary("backends.a.drift", "values = [1, 2, 4, 8]\nscale = 'logarithmic'") + curve);
    SweepTable table = CountingTable(sweep);
    for (size_t row = 0; row < values.size(); ++row) {
      for (auto& value : table.table.rows[row].values) {
        if (value) value = values[row];
      }
    }
    return SweepPlots(sweep, table).at(0);
  };
  const Plot sag = plot_of({-3.0, -6.0, -12.0, -24.0}, kStrain);
  EXPECT_THAT(NamesOf(sag), ElementsAre("", "a: slope 1.00 ± 0.00"));
  EXPECT_THAT(sag.panels[0].curves[1].y, ElementsAre(3.0, 6.0, 12.0, 24.0));
  EXPECT_NEAR(sag.panels[0].curves[0].y[1], 24.0, 1e-12);
  EXPECT_EQ(sag.panels[0].y.label, "|edge strain max|");
  EXPECT_THAT(sag.notes, Contains("Drawn by its magnitude, because it is below 0: a."));

  const Plot both = plot_of({-3.0, 6.0, 12.0, 24.0}, kStrain);
  EXPECT_THAT(NamesOf(both), ElementsAre("a"));
  EXPECT_EQ(both.panels[0].y.label, "edge strain max");
  EXPECT_THAT(both.notes, Contains("No slope of a: its values change sign."));

  // Nobody asked for slopes: the figure does not speak of them (MendsOfNoSlopes).
  const Plot linear =
      plot_of({-3.0, -6.0, -12.0, -24.0}, "[[sweep.curve]]\nfigure = 'edge_strain_max'\n");
  EXPECT_THAT(linear.panels[0].curves[0].y, ElementsAre(-3.0, -6.0, -12.0, -24.0));
  EXPECT_THAT(linear.notes, IsEmpty());
}

// A sweep over 1, 2, 4, 8 of a backend whose figure has these values, and a curve with these keys.
Plot PlotOf(const std::vector<double>& values, const std::string& curve,
            const std::vector<FigureLimit>& reference = {}) {
  const ScratchFolder folder;
  FallingExperiment(folder, Falling("a"), reference.empty() ? "" : "reference = 'yardstick'\n");
  WriteFile(folder / "fall.toml",
            ReadFile(folder / "fall.toml") +
                Vary("backends.a.drift", "values = [1, 2, 4, 8]\nscale = 'logarithmic'") +
                "[[sweep.curve]]\nfigure = 'edge_strain_max'\n" + curve);
  const Sweep sweep = ReadSweep(folder / "fall.toml", {}, {}, TestBackends());
  SweepTable table = CountingTable(sweep);
  for (size_t row = 0; row < values.size(); ++row) {
    for (auto& value : table.table.rows[row].values) {
      if (value) value = values[row];
    }
  }
  GiveReference("yardstick", reference, &table);
  return SweepPlots(sweep, table).at(0);
}

TEST(SweepPlots, DrawTheErrorAgainstAKnownValueWithItsSlope) {
  const Plot plot = PlotOf({2.1, 2.4, 3.6, 8.4},
                           "reference = 2\nreference_name = 'closed form'\n"
                           "difference = 'absolute'\nscale = 'logarithmic'\n");
  EXPECT_EQ(plot.key, "sweep-edge_strain_max-difference");
  EXPECT_EQ(plot.panels[0].y.label, "|edge strain max − reference|");
  EXPECT_THAT(NamesOf(plot), ElementsAre("", "a: slope 2.00 ± 0.00"));
  EXPECT_THAT(plot.panels[0].curves[1].y,
              testing::Pointwise(testing::DoubleNear(1e-12), {0.1, 0.4, 1.6, 6.4}));
  EXPECT_THAT(NotesOf(plot), ElementsAre("The reference: closed form, 2."));
}

// What is below the reference has its sign on a linear axis, and is a magnitude on a logarithmic one.
TEST(SweepPlots, DrawDifferencesOfBothSignsAndRelativeOnes) {
  const std::string less = "reference = -2\ndifference = 'absolute'\n";
  const Plot linear = PlotOf({-1.0, -2.0, -3.0, -2.0}, less);
  EXPECT_THAT(linear.panels[0].curves[0].y, ElementsAre(1.0, 0.0, -1.0, 0.0));
  EXPECT_EQ(linear.panels[0].y.label, "edge strain max − reference");
  EXPECT_TRUE(linear.zero_line);
  const Plot logarithmic = PlotOf({-1.0, -2.0, -3.0, -2.5}, less + "scale = 'logarithmic'\n");
  EXPECT_THAT(logarithmic.panels[0].curves[0].y, ElementsAre(1.0, 0.0, 1.0, 0.5));
  EXPECT_THAT(NotesOf(logarithmic), Contains("No slope of a: its values change sign."));
  EXPECT_THAT(NotesOf(logarithmic),
              Contains("Gaps where the value is 0 or less (logarithmic axis): a."));
  const Plot relative =
      PlotOf({-1.0, -2.0, -3.0, -4.0}, "reference = -2\ndifference = 'relative'\n");
  EXPECT_THAT(relative.panels[0].curves[0].y, ElementsAre(-0.5, 0.0, 0.5, 1.0));
  EXPECT_EQ(relative.panels[0].y.unit, "1");
  EXPECT_EQ(relative.panels[0].y.label, "(edge strain max − reference)/reference");
}

// Within the error of the yardstick nothing can be told: it is grey, and such values have no say in the slope.
TEST(SweepPlots, ShadeTheErrorOfTheReferenceOfADifference) {
  const std::vector<FigureLimit> yardstick(4, {-4.0, 0.2});
  const std::string log = "scale = 'logarithmic'\n";
  const Plot plot = PlotOf({-3.9, -3.6, -2.4, 2.4}, "difference = 'absolute'\n" + log, yardstick);
  ASSERT_THAT(NamesOf(plot), ElementsAre("error of the yardstick", "", "a: slope 2.00 ± 0.00"));
  const PlottedCurve& area = plot.panels[0].curves[0];
  EXPECT_THAT(area.base, ElementsAre(0.0, 0.0, 0.0, 0.0));
  EXPECT_THAT(area.y, ElementsAre(0.2, 0.2, 0.2, 0.2));
  EXPECT_THAT(plot.notes,
              Contains("Within the error of the reference, so that no slope counts it: a at 1."));
  EXPECT_THAT(plot.notes, Contains("The reference: yardstick."));
  const Plot relative = PlotOf({-3.9, -3.6, -2.4, 2.4}, "difference = 'relative'\n", yardstick);
  ASSERT_THAT(NamesOf(relative), ElementsAre("error of the yardstick", "a"));
  EXPECT_THAT(relative.panels[0].curves[0].base, ElementsAre(-0.05, -0.05, -0.05, -0.05));
  EXPECT_THAT(relative.panels[0].curves[0].y, ElementsAre(0.1, 0.1, 0.1, 0.1));
}

TEST(SweepPlots, ARunThatIsTheReferenceHasNoDifference) {
  const ScratchFolder folder;
  FallingExperiment(folder, Falling("a") + Falling("b"), "reference = 'b'\n");
  WriteFile(folder / "fall.toml",
            ReadFile(folder / "fall.toml") + Vary("backends.a.drift", "values = [1, 2]") +
                "[[sweep.curve]]\nfigure = 'edge_strain_max'\ndifference = 'absolute'\n" +
                "[[sweep.curve]]\nfigure = 'edge_strain_max'\ndifference = 'absolute'\n");
  const Sweep sweep = ReadSweep(folder / "fall.toml", {}, {}, TestBackends());
  SweepTable table = CountingTable(sweep);
  GiveReference("b", {{2.0, 0.0}, {2.5, 0.0}}, &table);
  const std::vector<Plot> plots = SweepPlots(sweep, table);
  EXPECT_THAT(NamesOf(plots.at(0)), ElementsAre("a"));
  EXPECT_THAT(plots[0].panels[0].curves[0].y, ElementsAre(-1.0, 0.5));
  EXPECT_THAT(plots[0].notes, ElementsAre("The reference: b."));
  EXPECT_EQ(plots.at(1).key, plots[0].key + "-2") << "each is a file";
  table.references.clear();
  EXPECT_THAT(SweepPlots(sweep, table).at(0).notes,
              ElementsAre("The reference does not define edge_strain_max."));
}

TEST(SweepPlots, HaveTheRangesThatTheFileGives) {
  const Plot plot = PlotOf({1.0, 2.0, 4.0, 9.5},
                           "scale = 'logarithmic'\nreference = 3\nx_range = [2, 5]\n"
                           "y_range = [1, 10]\n");
  EXPECT_EQ(RangeOfX(plot), (AxisRange{2.0, 5.0}));
  EXPECT_EQ(RangesOfY(plot).at(0), (AxisRange{1.0, 10.0}));
  const std::vector<PlottedCurve>& curves = plot.panels[0].curves;
  for (const PlottedCurve& curve : curves)
    EXPECT_THAT(curve.x, ElementsAre(2.0, 4.0)) << curve.name;
  EXPECT_THAT(curves[1].name, HasSubstr("slope 1.07")) << "of all runs";  // numpy.polyfit
  EXPECT_THAT(NotesOf(plot), Contains("Beyond the x axis: a at 1, 8."));
  const Plot low = PlotOf({1.0, 2.0, 4.0, 100.0}, "y_range = [0, 10]\n");
  EXPECT_THAT(NotesOf(low), Contains("Outside the plotted range: a reaches 100."));
}

// Of what is measured value by value a logarithmic axis is as long as that, and not to the next powers of ten.
TEST(SweepPlots, HaveLogarithmicAxesAsLongAsTheirValues) {
  const Plot plot = PlotOf({3.0, 4.0, 5.0, 6.0}, "scale = 'logarithmic'\n");
  for (const auto& [range, least, most] :
       {std::tuple(RangeOfX(plot), 1.0, 8.0), {RangesOfY(plot).at(0), 3.0, 6.0}}) {
    EXPECT_LT(range.lower, least);
    EXPECT_GT(range.lower, 0.8 * least);
    EXPECT_GT(range.upper, most);
    EXPECT_LT(range.upper, 1.25 * most);
  }
  // The period of a pendulum to 0.05 % does not fill the axis.
  const AxisRange even =
      RangesOfY(PlotOf({1.7950, 1.7951, 1.7952, 1.7954}, "scale = 'logarithmic'\n")).at(0);
  EXPECT_GT(even.upper, 1.9 * even.lower);
}

TEST(SweepPlots, NeedANumberToBeDrawnAgainst) {
  const ScratchFolder folder;
  const Sweep sweep = FallingSweep(
      folder, Falling("a"), Vary("backends.a.kinematic", "values = [true, false]") + kStrain);
  EXPECT_THAT(SweepPlots(sweep, CountingTable(sweep)), IsEmpty());
}

TEST(Plot, ALogarithmicAxisOfXHasWholeDecades) {
  Plot plot;
  plot.x.logarithmic = true;
  plot.panels = {{"", {}, {{"a", "a", {}, {-1.0, 0.0, 2e-3, 0.5}, {1, 1, 1, 1}, false}}}};
  const AxisRange range = RangeOfX(plot);
  EXPECT_LE(range.lower, 1e-3);
  EXPECT_GT(range.lower, 0.5e-3);
  EXPECT_GE(range.upper, 1.0);
  EXPECT_LT(range.upper, 2.0);
}

}  // namespace
}  // namespace pliant
