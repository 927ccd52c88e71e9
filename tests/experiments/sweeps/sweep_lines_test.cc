// Power laws fitted to the lines of a sweep.

#include "experiments/sweeps/sweep_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/experiments/sweeps/sweeps.h"

namespace pliant {
namespace {

TEST(PowerLaws, OfAPowerAreExact) {
  const auto law = FitPowerLaw({{0.1, 0.2, 0.4, 1.6}, {0.03, 0.12, 0.48, 7.68}});
  ASSERT_TRUE(law);
  EXPECT_NEAR(law->exponent, 2.0, 1e-13);
  EXPECT_NEAR(law->factor, 3.0, 1e-12);
  EXPECT_NEAR(law->error, 0.0, 1e-13);
  EXPECT_EQ(law->points, 4);
}

// numpy.polyfit of the logarithms, and the covariance of its residuals.
TEST(PowerLaws, AreThoseOfLeastSquares) {
  const auto law = FitPowerLaw({{1.0, 2.0, 4.0, 8.0}, {1.0, 3.0, 17.0, 60.0}});
  ASSERT_TRUE(law);
  EXPECT_NEAR(law->exponent, 2.0223172127354743, 1e-12);
  EXPECT_NEAR(law->factor, 0.9083707556039136, 1e-12);
  EXPECT_NEAR(law->error, 0.11909709298652395, 1e-12);
  EXPECT_EQ(ExponentText(*law), "2.02 ± 0.12");
}

TEST(PowerLaws, LeaveOutWhatHasNoLogarithmAndNeedThreePlaces) {
  EXPECT_FALSE(FitPowerLaw({{1.0, 2.0}, {1.0, 2.0}}));
  EXPECT_FALSE(FitPowerLaw({{1.0, 1.0, 2.0}, {1.0, 1.5, 2.0}}));
  const auto law = FitPowerLaw({{0.0, 1.0, 2.0, 4.0, 5.0, 6.0}, {1.0, 1.0, 2.0, 4.0, 0.0, NAN}});
  ASSERT_TRUE(law);
  EXPECT_EQ(law->points, 3);
  EXPECT_NEAR(law->exponent, 1.0, 1e-13);
}

// The sag of a beam is below 0 everywhere: its magnitude has a slope, what changes sign has none.
TEST(PowerLaws, AreOfTheMagnitudeOfWhatIsNegative) {
  const LineValues sag = {{0.1, 0.2, 0.4, 1.6}, {-0.03, -0.12, -0.48, -7.68}};
  const auto law = FitPowerLaw(sag);
  ASSERT_TRUE(law);
  EXPECT_NEAR(law->exponent, 2.0, 1e-13);
  EXPECT_NEAR(law->factor, -3.0, 1e-12);
  EXPECT_TRUE(IsNegative(sag));
  EXPECT_EQ(WhyNoPowerLaw(sag), "");
  const LineValues both = {{1.0, 2.0, 4.0, 5.0}, {1.0, 2.0, 4.0, -1.0}};
  EXPECT_FALSE(FitPowerLaw(both));
  EXPECT_FALSE(IsNegative(both));
  EXPECT_EQ(WhyNoPowerLaw(both), "its values change sign");
  EXPECT_EQ(WhyNoPowerLaw({{1.0, 2.0}, {1.0, 2.0}}), "it has fewer than three different places");
}

// Within the error of the reference nothing is told, not even a sign.
TEST(PowerLaws, LeaveOutWhatIsWithinTheBand) {
  LineValues values = {{1.0, 2.0, 4.0, 8.0}, {0.1, -4.0, -16.0, -64.0}, {0.2, 0.2, 0.2, 0.2}};
  const auto law = FitPowerLaw(values);
  ASSERT_TRUE(law);
  EXPECT_EQ(law->points, 3);
  EXPECT_NEAR(law->exponent, 2.0, 1e-13);
  EXPECT_NEAR(law->factor, -1.0, 1e-12);
  values.band.assign(4, 0.05);
  EXPECT_EQ(WhyNoPowerLaw(values), "its values change sign");
}

// c hᵖ + floor, at steps of a usual study: an error that has come to the straight lines between records.
LineValues OnAFloor(double power, double floor) {
  LineValues values;
  for (const double h : {1.0, 2.0, 2.5, 5.0, 10.0}) {
    values.x.push_back(h);
    values.y.push_back(std::pow(h, power) + floor);
  }
  return values;
}

TEST(PowerLaws, OfAnErrorThatHasComeToAFloorAreNone) {
  // Measured: the period of a pendulum from the times at which it passes the middle.
  const LineValues period = {{1.0, 2.0, 2.5, 5.0, 10.0}, {3.38e-8, 3.39e-8, 3.4e-8, 3.7e-8, 9e-8}};
  EXPECT_FALSE(FitPowerLaw(period));
  // numpy.polyfit of the logarithms of the lower and of the upper three
  EXPECT_EQ(WhyNoPowerLaw(period),
            "its points do not lie on a line: the slope goes from 0.01 to 0.70");
  for (const double power : {1.0, 2.0, 4.0}) {
    EXPECT_FALSE(FitPowerLaw(OnAFloor(power, std::pow(4.0, power)))) << power;
    const auto clean = FitPowerLaw(OnAFloor(power, 1e-3));
    ASSERT_TRUE(clean) << power;
    EXPECT_NEAR(clean->exponent, power, 2e-3);
  }
}

// Scatter about a line is no bend: it is in the standard error.
TEST(PowerLaws, OfScatteredPointsHaveAnError) {
  LineValues values;
  for (int i = 0; i < 8; ++i) {
    values.x.push_back(std::exp2(i));
    values.y.push_back(std::pow(values.x.back(), 2.0) * (i % 2 == 0 ? 1.3 : 0.7));
  }
  const auto law = FitPowerLaw(values);
  ASSERT_TRUE(law) << WhyNoPowerLaw(values);
  EXPECT_NEAR(law->exponent, 2.0, 2.0 * law->error);
}

TEST(PowerLaws, LeaveOutWhatIsCrossed) {
  LineValues values = {{1.0, 2.0, 4.0, 8.0}, {3.0, 12.0, 48.0, 1e3}};
  values.crossed = {false, false, false, true};
  const auto law = FitPowerLaw(values);
  ASSERT_TRUE(law);
  EXPECT_NEAR(law->exponent, 2.0, 1e-12);
  EXPECT_EQ(law->points, 3);
  values.crossed[0] = true;
  EXPECT_EQ(WhyNoPowerLaw(values), "it has fewer than three different places that are not crossed");
}

// The drift of a falling sheet moves its centre in proportion.
TEST(SweepSlopes, AreOfLinesWithTwoLogarithmicAxes) {
  const ScratchFolder folder;
  const auto slopes = [&](const std::string& scale, const std::string& of_curve) {
    const Sweep sweep =
        FallingSweep(folder, Falling("a") + Falling("b"),
                     Vary("backends.a.drift", "values = [1, 2, 4]\nlabel = 'error'\n" + scale) +
                         "[[sweep.curve]]\nfigure = 'edge_strain_max'\n" + of_curve);
    SweepTable table;
    table.table.columns = FiguresOf(sweep.base);
    for (size_t point = 0; point < sweep.points.size(); ++point) {
      for (const char* label : {"a", "b"}) {
        const double x = std::exp2(static_cast<double>(point));
        const double y = label[0] == 'a' ? 0.1 * x * x * x : -x;
        ComparisonRow row{label, "falling", {}, {}, {}};
        for (const SeriesColumn& column : table.table.columns) {
          row.values.push_back(column.name == "edge_strain_max" ? std::optional<double>(y)
                                                                : std::nullopt);
        }
        table.points.push_back(point);
        table.table.rows.push_back(row);
      }
    }
    return TableOfSlopes(sweep, table).rows;
  };
  const std::string log = "scale = 'logarithmic'\n";
  const auto rows = slopes(log, log);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_THAT(rows[0], testing::ElementsAre("edge_strain_max", "error", "a", "3.00 ± 0.00", "3"));
  EXPECT_THAT(rows[1], testing::ElementsAre("|edge_strain_max|", "error", "b", "1.00 ± 0.00", "3"));
  // 0.1 x³ and −x, from 0, and from −0.5 in parts of it.
  const auto differences = slopes(log, log + "difference = 'absolute'\nreference = 0\n");
  ASSERT_EQ(differences.size(), 2u);
  EXPECT_EQ(differences[0][0], "|edge_strain_max − reference|");
  EXPECT_EQ(differences[1][3], "1.00 ± 0.00");
  const auto relative = slopes(log, log + "difference = 'relative'\nreference = -0.5\n");
  ASSERT_EQ(relative.size(), 2u);
  // 0.1 x³ + 0.5 does not lie on a line: ln(1.3/0.6)/ln 2 = 1.12, ln(6.9/1.3)/ln 2 = 2.41.
  EXPECT_THAT(relative[0],
              testing::ElementsAre("|(edge_strain_max − reference)/reference|", "error", "a",
                                   "none: its points do not lie on a line: the slope goes from "
                                   "1.12 to 2.41",
                                   ""));
  EXPECT_EQ(relative[1][0], "|(edge_strain_max − reference)/reference|");
  EXPECT_EQ(relative[1][2], "b");
  EXPECT_TRUE(slopes("", log).empty());
  EXPECT_TRUE(slopes(log, "").empty());
}

TEST(SweepSlopes, AreAskedForByTheScaleOfTheCurve) {
  SweepPlan plan;
  plan.vary = {{.key = "run.step", .logarithmic = true, .values = {{0.1, {}}, {0.2, {}}}}};
  plan.curves = {{.figure = "sag_min_m"}, {.figure = "drift", .logarithmic = true}};
  const std::vector<std::string> mends = MendsOfNoSlopes(plan);
  ASSERT_EQ(mends.size(), 1u);
  EXPECT_NE(mends[0].find("no slopes of sag_min_m"), std::string::npos);
  plan.vary[0].logarithmic = false;
  EXPECT_TRUE(MendsOfNoSlopes(plan).empty());
}

}  // namespace
}  // namespace pliant
