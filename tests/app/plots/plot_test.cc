// From a column of numbers to a line on paper: gaps, borders, ranges, units, decimation, colours.

#include "app/plots/plot.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>

namespace pliant {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

PlottedCurve CurveWith(std::vector<double> y, const std::string& run = "a") {
  PlottedCurve curve;
  curve.name = curve.run = run;
  for (size_t i = 0; i < y.size(); ++i) curve.x.push_back(static_cast<double>(i));
  curve.y = std::move(y);
  return curve;
}

Plot PlotWith(std::vector<PlottedCurve> curves, bool logarithmic = false) {
  Plot plot = {.x = {"time", "s", false}};
  plot.panels.push_back({"", {"height", "m", logarithmic}, std::move(curves)});
  return plot;
}

TEST(VisibleStretches, GapsSeparateAndAreNotBridged) {
  const auto stretches = VisibleStretches(CurveWith({1, 2, kNan, 3, 4}), {0, 10}, false);
  ASSERT_EQ(stretches.size(), 2U);
  EXPECT_THAT(stretches[0].x, ElementsAre(0, 1));
  EXPECT_THAT(stretches[1].x, ElementsAre(3, 4));
  EXPECT_THAT(stretches[1].y, ElementsAre(3, 4));
}

TEST(VisibleStretches, ZeroIsAValue) {
  const auto stretches = VisibleStretches(CurveWith({1, 0, 1}), {0, 1}, false);
  ASSERT_EQ(stretches.size(), 1U);
  EXPECT_THAT(stretches[0].y, ElementsAre(1, 0, 1));
}

TEST(VisibleStretches, InfinityIsNotDefined) {
  const auto stretches =
      VisibleStretches(CurveWith({1, kInfinity, 2, 2, -kInfinity}), {0, 9}, false);
  ASSERT_EQ(stretches.size(), 2U);
  EXPECT_THAT(stretches[0].x, ElementsAre(0));
  EXPECT_THAT(stretches[1].x, ElementsAre(2, 3));
}

TEST(VisibleStretches, LogarithmicAxisHasNoPlaceForZeroAndBelow) {
  const auto stretches = VisibleStretches(CurveWith({1, 0, 2, 3, -1, 4}), {0.1, 10}, true);
  ASSERT_EQ(stretches.size(), 3U);
  EXPECT_THAT(stretches[0].x, ElementsAre(0));
  EXPECT_THAT(stretches[1].x, ElementsAre(2, 3));
  EXPECT_THAT(stretches[2].x, ElementsAre(5));
}

TEST(VisibleStretches, LonePointsStay) {
  const auto stretches = VisibleStretches(CurveWith({kNan, 5, kNan}), {0, 10}, false);
  ASSERT_EQ(stretches.size(), 1U);
  EXPECT_THAT(stretches[0].x, ElementsAre(1));
  EXPECT_THAT(VisibleStretches(CurveWith({5}), {0, 10}, false), testing::SizeIs(1));
  EXPECT_THAT(VisibleStretches(CurveWith({50}), {0, 10}, false), IsEmpty());
}

TEST(VisibleStretches, NothingDefinedIsNothingDrawn) {
  EXPECT_THAT(VisibleStretches(CurveWith({kNan, kNan}), {0, 1}, false), IsEmpty());
  EXPECT_THAT(VisibleStretches(CurveWith({}), {0, 1}, false), IsEmpty());
}

TEST(VisibleStretches, LinesAreCutAtTheBorder) {
  // Up through the top, down through it and through the bottom in one go, back in.
  const auto stretches = VisibleStretches(CurveWith({0, 4, -4, 0}), {-1, 2}, false);
  ASSERT_EQ(stretches.size(), 3U);
  EXPECT_THAT(stretches[0].x, ElementsAre(0, 0.5));
  EXPECT_THAT(stretches[0].y, ElementsAre(0, 2));
  EXPECT_THAT(stretches[1].x, ElementsAre(1.25, 1.625));
  EXPECT_THAT(stretches[1].y, ElementsAre(2, -1));
  EXPECT_THAT(stretches[2].x, ElementsAre(2.75, 3));
  EXPECT_THAT(stretches[2].y, ElementsAre(-1, 0));
}

TEST(VisibleStretches, LinesAreStraightInLogarithmsWhereTheAxisIs) {
  const auto stretches = VisibleStretches(CurveWith({1, 1e4}), {1, 100}, true);
  ASSERT_EQ(stretches.size(), 1U);
  EXPECT_NEAR(stretches[0].x[1], 0.5, 1e-12);  // half the decades
  EXPECT_EQ(stretches[0].y[1], 100);
}

TEST(Decimate, KeepsFirstLastLowestAndHighestOfEachPixelColumn) {
  constexpr unsigned kSeed = 7;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937 random(kSeed);
  constexpr int kPoints = 20000, kColumns = 100;
  Polyline line;
  for (int i = 0; i < kPoints; ++i) {
    line.x.push_back(i);
    line.y.push_back(static_cast<double>(random() % 100000));
  }
  const AxisRange range{0, kPoints};
  const Polyline kept = Decimate(line, range, kColumns);
  EXPECT_LE(kept.x.size(), 4U * kColumns);
  EXPECT_TRUE(std::is_sorted(kept.x.begin(), kept.x.end()));

  struct Column {
    double first, last, lowest, highest;
    bool operator==(const Column&) const = default;
  };
  auto columns_of = [&](const Polyline& l) {
    std::map<int, Column> columns;
    for (size_t i = 0; i < l.x.size(); ++i) {
      const int c = static_cast<int>(l.x[i] * kColumns / kPoints);
      const auto [at, fresh] = columns.try_emplace(c, Column{l.y[i], l.y[i], l.y[i], l.y[i]});
      at->second.last = l.y[i];
      at->second.lowest = std::min(at->second.lowest, l.y[i]);
      at->second.highest = std::max(at->second.highest, l.y[i]);
    }
    return columns;
  };
  EXPECT_EQ(columns_of(kept), columns_of(line));
}

TEST(Decimate, LeavesAShortLineAsItIs) {
  const Polyline line{{0, 1, 2, 3}, {5, 4, 6, 5}};
  const Polyline kept = Decimate(line, {0, 3}, 500);
  EXPECT_EQ(kept.x, line.x);
  EXPECT_EQ(kept.y, line.y);
}

// Against the extremes of each column, found one column at a time on the segments of the line.
TEST(BarsOf, CoverTheLineWithItsExtremesAndNoHole) {
  constexpr unsigned kSeed = 11;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937 random(kSeed);
  Polyline line;
  double x = 10.25;
  while (x < 90.0) {  // some columns have several points, some none
    line.x.push_back(x);
    line.y.push_back(static_cast<double>(random() % 1000) / 10.0);
    x += static_cast<double>(random() % 300) / 100.0 + 0.01;
  }
  for (const bool dashed : {false, true}) {
    const std::vector<ColumnBar> bars =
        BarsOf(line, dashed ? std::vector<double>{7, 3} : std::vector<double>{});
    ASSERT_EQ(bars.front().column, 10);
    ASSERT_EQ(bars.back().column, static_cast<int>(line.x.back()));
    for (size_t b = 0; b < bars.size(); ++b) {
      const double left = bars[b].column, right = left + 1.0;
      EXPECT_EQ(bars[b].column, 10 + static_cast<int>(b));
      double low = kInfinity, high = -kInfinity;
      for (size_t i = 0; i + 1 < line.x.size(); ++i) {
        const double begin = std::max(line.x[i], left), end = std::min(line.x[i + 1], right);
        if (begin > end) continue;
        for (const double at : {begin, end}) {
          const double share = (at - line.x[i]) / (line.x[i + 1] - line.x[i]);
          const double y = line.y[i] + share * (line.y[i + 1] - line.y[i]);
          low = std::min(low, y);
          high = std::max(high, y);
        }
      }
      EXPECT_NEAR(bars[b].low, low, 1e-9) << left;
      EXPECT_NEAR(bars[b].high, high, 1e-9) << left;
      if (b == 0) continue;
      EXPECT_LE(bars[b].low, bars[b - 1].high + 1e-9) << left;
      EXPECT_GE(bars[b].high, bars[b - 1].low - 1e-9) << left;
    }
  }
}

TEST(BarsOf, DashesAreAsLongAsAlongTheLine) {
  Polyline level, steep;
  for (int i = 0; i <= 400; ++i) {
    level.x.push_back(0.25 * i);
    level.y.push_back(5.0);
    steep.x.push_back(0.25 * i);
    steep.y.push_back(0.75 * i);
  }
  auto gaps_of = [](const std::vector<ColumnBar>& bars) {
    std::vector<int> lengths = {0};  // of dashes and gaps in turn, in columns
    for (size_t i = 0; i < bars.size(); ++i) {
      if (i > 0 && bars[i].gap != bars[i - 1].gap) lengths.push_back(0);
      ++lengths.back();
    }
    return lengths;
  };
  const std::vector<int> on_level = gaps_of(BarsOf(level, {7, 3}));
  ASSERT_GT(on_level.size(), 10u);
  EXPECT_EQ(std::vector<int>(on_level.begin(), on_level.begin() + 4),
            (std::vector<int>{7, 3, 7, 3}));
  EXPECT_FALSE(BarsOf(level, {7, 3}).front().gap);
  // sqrt(1 + 3²) px of line in each column.
  const std::vector<int> on_steep = gaps_of(BarsOf(steep, {31.7, 9.5}));
  EXPECT_EQ(std::vector<int>(on_steep.begin() + 2, on_steep.begin() + 6),
            (std::vector<int>{10, 3, 10, 3}));
  for (const ColumnBar& bar : BarsOf(level, {})) EXPECT_FALSE(bar.gap);
}

TEST(Ranges, AreNeverEmpty) {
  for (const bool logarithmic : {false, true}) {
    for (const std::vector<double>& y :
         {std::vector<double>{}, {0}, {3}, {3, 3, 3}, {-2}, {1e-300}, {kNan}, {kInfinity, 1}}) {
      const Plot plot = PlotWith({CurveWith(y)}, logarithmic);
      const AxisRange range = RangesOfY(plot).at(0), x = RangeOfX(plot);
      EXPECT_LT(range.lower, range.upper);
      EXPECT_LT(x.lower, x.upper);
      EXPECT_TRUE(std::isfinite(range.lower) && std::isfinite(range.upper));
      EXPECT_TRUE(!logarithmic || range.lower > 0);
      for (const double value : y) {
        if (!std::isfinite(value) || (logarithmic && value <= 0)) continue;
        EXPECT_LE(range.lower, value);
        EXPECT_GE(range.upper, value);
      }
    }
  }
}

TEST(Ranges, HoldBothEdgesOfABand) {
  PlottedCurve band = CurveWith({4.0, 6.0});
  band.base = {-2.0, -3.0};
  const AxisRange range = RangesOfY(PlotWith({band})).at(0);
  EXPECT_LE(range.lower, -3.0);
  EXPECT_GE(range.upper, 3.0);
}

TEST(Ranges, QuantitiesThatCannotBeNegativeStandOnZero) {
  EXPECT_EQ(RangesOfY(PlotWith({CurveWith({0.2, 1, 3})})).at(0).lower, 0);
  // High above zero, the axis shows the change instead.
  EXPECT_GT(RangesOfY(PlotWith({CurveWith({100, 101, 103})})).at(0).lower, 90);
}

TEST(Ranges, SignedQuantitiesShowWhereZeroIs) {
  Plot plot = PlotWith({CurveWith({5, 6})});
  plot.zero_line = true;
  EXPECT_LT(RangesOfY(plot).at(0).lower, 0);
}

TEST(Ranges, RoundOffIsNotBlownUpToTheWholeAxis) {
  const AxisRange range = RangesOfY(PlotWith({CurveWith({100, 100 + 1e-12})})).at(0);
  EXPECT_GT(range.upper - range.lower, 1);
}

TEST(Ranges, ADivergedCurveDoesNotSquashTheOthers) {
  PlottedCurve wild = CurveWith({0, 1, 2, 1e12}, "wild");
  wild.diverged = true;
  const AxisRange range = RangesOfY(PlotWith({CurveWith({0, 1, 2, 3}), wild})).at(0);
  EXPECT_LT(range.upper, 10);
  EXPECT_GT(range.upper, 3);
  // The same values in a run that did not diverge are its result, and shown.
  wild.diverged = false;
  EXPECT_GT(RangesOfY(PlotWith({CurveWith({0, 1, 2, 3}), wild})).at(0).upper, 1e12);
}

TEST(Notes, NameCurvesThatHideEachOther) {
  const PlottedCurve a = CurveWith({1, 2, 3}, "a"), b = CurveWith({1, 2.0001, 3}, "b");
  const PlottedCurve c = CurveWith({1, 2.1, 3}, "c"), d = CurveWith({1, 2.1, 3}, "d");
  EXPECT_THAT(NotesOf(PlotWith({a, b, c, d})), ElementsAre("Curves that coincide: a, b; c, d."));
  EXPECT_THAT(NotesOf(PlotWith({a, c})), IsEmpty());
  EXPECT_THAT(NotesOf(PlotWith({CurveWith({1, kNan, 3}, "a"), CurveWith({1, 2, 3}, "b")})),
              IsEmpty());
  EXPECT_THAT(NotesOf(PlotWith({CurveWith({0, 0, 0}, "a"), CurveWith({0, 0, 0}, "b")})), IsEmpty())
      << "what does not move hides nothing";
  // 1 % apart: one line on an axis of five decades, two on one of a quarter.
  const PlottedCurve wide = CurveWith({1e-3, 1, 1e2}, "wide");
  EXPECT_THAT(NotesOf(PlotWith({wide, CurveWith({1.01e-3, 1.01, 1.01e2}, "near")}, true)),
              ElementsAre("Curves that coincide: wide, near."));
  EXPECT_THAT(NotesOf(PlotWith({CurveWith({1, 1.2}, "e"), CurveWith({1.01, 1.212}, "f")})),
              IsEmpty());
}

TEST(Ranges, AFewRoundingErrorsDoNotStretchALogarithmicAxis) {
  std::vector<double> gaps(40, 2e-4);
  gaps[0] = 1e-16;
  Plot plot = PlotWith({CurveWith(gaps)}, true);
  EXPECT_GT(RangesOfY(plot).at(0).lower, 1e-5);
  EXPECT_THAT(NotesOf(plot), IsEmpty()) << "rounding differences produce no note";
  plot.mark_values = true;
  EXPECT_LT(RangesOfY(plot).at(0).lower, 1e-16) << "each is a result";
  std::fill(gaps.begin(), gaps.begin() + 10, 1e-16);
  EXPECT_LT(RangesOfY(PlotWith({CurveWith(gaps)}, true)).at(0).lower, 1e-16) << "no longer few";
}

TEST(Ranges, AFirstRecordStandsAtTheBeginOfTheAxis) {
  Plot plot = PlotWith({CurveWith({5})});
  plot.panels[0].curves[0].x = {0.25};
  plot.least_x = 0.5;
  EXPECT_EQ(RangeOfX(plot), (AxisRange{0.25, 0.75}));
  plot.panels[0].curves[0].x = {0.25, 0.5};
  plot.panels[0].curves[0].y = {5, 6};
  EXPECT_EQ(RangeOfX(plot), (AxisRange{0.25, 0.75}));
  plot.panels[0].curves[0].x = {0.25, 2.0};
  EXPECT_EQ(RangeOfX(plot), (AxisRange{0.25, 2.0})) << "what there is needs more";
  plot.panels[0].curves.clear();
  EXPECT_EQ(RangeOfX(plot), (AxisRange{0.0, 0.5}));
}

TEST(Ranges, ALogarithmicTimeAxisEndsWithItsValues) {
  Plot plot = PlotWith({CurveWith({1, 2, 3})});
  plot.panels[0].curves[0].x = {1, 20, 200};
  plot.x.logarithmic = true;
  EXPECT_GT(RangeOfX(plot).lower, 0.8);
  EXPECT_LT(RangeOfX(plot).upper, 250);
  plot.panels[0].curves[0].x = {20, 30, 40};
  EXPECT_LE(RangeOfX(plot).lower, 10) << "a decade has a tick at least";
}

TEST(Ranges, PanelsShareOneWhereAsked) {
  Plot plot = PlotWith({CurveWith({0, 1})});
  plot.panels.push_back({"", {"height", "m", false}, {CurveWith({0, 50})}});
  EXPECT_NE(RangesOfY(plot)[0], RangesOfY(plot)[1]);
  plot.common_y = true;
  EXPECT_EQ(RangesOfY(plot)[0], RangesOfY(plot)[1]);
  EXPECT_GT(RangesOfY(plot)[0].upper, 50);
}

TEST(ScaleFor, ReadsAsAnEngineerWritesIt) {
  EXPECT_EQ(ScaleFor({0, 2.5}, "J").unit, "J");
  EXPECT_EQ(ScaleFor({0, 0.0025}, "J").unit, "mJ");
  EXPECT_DOUBLE_EQ(ScaleFor({0, 0.0025}, "J").factor, 1e3);
  EXPECT_EQ(ScaleFor({-3e-5, 1e-6}, "s").unit, "µs");
  EXPECT_EQ(ScaleFor({0, 3e7}, "J").unit, "MJ");
  EXPECT_EQ(ScaleFor({0, 3e7}, "s").unit, "10⁶ s");
  EXPECT_EQ(ScaleFor({0, 2e-5}, "kg m/s").unit, "10⁻⁶ kg m/s");
  EXPECT_DOUBLE_EQ(ScaleFor({0, 2e-5}, "kg m/s").factor, 1e6);
  EXPECT_EQ(ScaleFor({0, 2e-5}, "1").unit, "10⁻⁶");
  EXPECT_EQ(ScaleFor({0, 1}, "1").unit, "");
  EXPECT_EQ(ScaleFor({0, 0.004}, "1").unit, "");
  EXPECT_EQ(ScaleFor({0, 0}, "m").unit, "m");
  EXPECT_EQ(ScaleFor({0, 2e-5}, "m²").unit, "10⁻⁶ m²") << "µm² would be 10⁻¹² m²";
}

TEST(Notes, NameWhatIsNotDefined) {
  const Plot plot =
      PlotWith({CurveWith({1, 2}, "a"), CurveWith({kNan, kNan}, "b"), CurveWith({}, "c")});
  EXPECT_THAT(NotesOf(plot), ElementsAre("Not defined for b, c."));
  EXPECT_THAT(NotesOf(PlotWith({CurveWith({1, kNan}, "a")})), IsEmpty()) << "its gap is seen";
}

TEST(Notes, NameThePanelWhereOnlySomethingInItIsNotDefined) {
  Plot plot = PlotWith({CurveWith({1}), CurveWith({kNan})});
  plot.panels[0].title = "run one";
  plot.panels[0].curves[1].name = "elastic";
  plot.panels.push_back(plot.panels[0]);
  plot.panels[1].title = "run two";
  plot.panels[1].curves[0].y = {kNan};
  EXPECT_THAT(NotesOf(plot),
              ElementsAre("run one: elastic not defined.", "run two: nothing is defined."));
}

TEST(Notes, TellZeroFromNotDefinedOnALogarithmicAxis) {
  const Plot plot =
      PlotWith({CurveWith({0, 0}, "a"), CurveWith({1, 0}, "b"), CurveWith({kNan}, "c")}, true);
  EXPECT_THAT(NotesOf(plot), ElementsAre("Not defined for c.", HasSubstr("Exactly 0 throughout"),
                                         HasSubstr("Gaps where the value is 0 or less")));
  EXPECT_THAT(NotesOf(plot)[1], HasSubstr("cannot show: a."));
  EXPECT_THAT(NotesOf(plot)[2], HasSubstr(": b."));
}

// A few values far below all others leave a logarithmic axis. Rounding is no result.
TEST(Notes, TellWhatLeavesTheRangeUnlessItIsRounding) {
  const auto notes = [](double first, double others, const std::string& unit,
                        double of_other_panel = 0.0, const std::string& its_unit = "m") {
    std::vector<double> values(40, others);
    values[0] = first;
    Plot plot = PlotWith({CurveWith(values)}, true);
    plot.panels[0].y.unit = unit;
    if (of_other_panel > 0.0) {
      plot.panels.push_back({"", {"other", its_unit, true}, {CurveWith({of_other_panel})}});
    }
    return NotesOf(plot);
  };
  EXPECT_THAT(notes(1e-9, 1e-2, "m"), ElementsAre("Outside the plotted range: a reaches 1e-09 m."));
  EXPECT_THAT(notes(1e-15, 1e-2, "m"), IsEmpty());
  EXPECT_THAT(notes(1e-15, 1e-8, "m"), SizeIs(1)) << "seven digits below";
  EXPECT_THAT(notes(1e-15, 1e-8, "m", 1e2), IsEmpty()) << "beside what the other panel shows";
  EXPECT_THAT(notes(1e-15, 1e-8, "m", 1e2, "J"), SizeIs(1)) << "another unit says nothing";
  EXPECT_THAT(notes(1e-15, 1e-8, "1"), IsEmpty()) << "a strain is a length over a length";
  EXPECT_THAT(notes(1e-10, 1e-5, "1"), SizeIs(1));
}

TEST(Notes, SayWhereARunDivergedAndWhatItReached) {
  PlottedCurve wild = CurveWith({0, 1, 2, -1e12}, "wild");
  wild.diverged = true;
  EXPECT_THAT(
      NotesOf(PlotWith({CurveWith({0, 1, 2, 3}), wild})),
      ElementsAre("× diverged: wild at 3 s.", "Outside the plotted range: wild reaches -1e+12 m."));
}

// A curve may be defined for a part of its run only, as the distance to a reference run is.
TEST(Notes, ARunDivergesAtItsEndWhereverItsCurveEnds) {
  PlottedCurve curve = CurveWith({1, 2, kNan}, "wild");
  curve.diverged = true;
  EXPECT_THAT(NotesOf(PlotWith({curve})), ElementsAre("× diverged: wild at 2 s."));
}

TEST(StackAreas, StandUponEachOtherFromZeroBothWays) {
  PlottedCurve a, b, c;
  a.y = {1.0, -2.0, 3.0, NAN};
  b.y = {4.0, -1.0, -1.0, 2.0};
  c.y = {NAN, 5.0, 2.0, 1.0};
  StackAreas({&a, &b, &c});
  EXPECT_THAT(a.base, ElementsAre(0.0, 0.0, 0.0, 0.0));
  EXPECT_THAT(b.base, ElementsAre(1.0, -2.0, 0.0, 0.0));
  EXPECT_THAT(c.base, ElementsAre(5.0, 0.0, 3.0, 2.0));
}

// Steps of a hundredth of the range, of which every tenth stays; ends and gaps do.
TEST(Thin, LeavesOutWhatComesTooNearToWhatStays) {
  PlottedCurve path;
  for (int i = 0; i <= 100; ++i) {
    path.t.push_back(i);
    path.x.push_back(i < 50 ? 2.0 * i : 2.0 * (100 - i));  // there and back
    path.y.push_back(i == 70 ? NAN : 0.0);
  }
  const PlottedCurve thin = Thin(path, {0.0, 200.0}, {-1.0, 1.0}, 0.0999);
  EXPECT_EQ(thin.t.front(), 0.0);
  EXPECT_EQ(thin.t.back(), 100.0);
  EXPECT_THAT(thin.t, ElementsAre(0, 10, 20, 30, 40, 50, 60, 69, 70, 71, 81, 91, 100));
  for (size_t i = 0; i < thin.t.size(); ++i) {
    EXPECT_EQ(thin.x[i], path.x[static_cast<size_t>(thin.t[i])]);
  }
  EXPECT_TRUE(std::isnan(thin.y[8]));
}

}  // namespace
}  // namespace pliant
