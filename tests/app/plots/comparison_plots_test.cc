// Which plots a comparison has, from the columns of its runs.

#include "app/plots/comparison_plots.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "app/plots/plot_rules.h"

namespace pliant {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A run of three rows in which every column is 1 and the time counts, save those in `columns`.
RunSeries RunWith(const std::string& label,
                  const std::map<std::string, std::optional<double>>& columns,
                  const BackendInfo& info = {}) {
  RunSeries run;
  run.label = run.backend = label;
  run.columns = SeriesColumns(info);
  run.extras = info.extras.size();
  for (int i = 0; i < 3; ++i) {
    SeriesRow row;
    for (const SeriesColumn& column : run.columns) {
      const auto at = columns.find(column.name);
      row.push_back(at == columns.end() ? std::optional(1.0) : at->second);
    }
    row[0] = i;
    run.rows.push_back(row);
  }
  return run;
}

const Plot& Find(const std::vector<Plot>& plots, const std::string& key) {
  for (const Plot& plot : plots) {
    if (plot.key == key) return plot;
  }
  throw std::runtime_error("no plot " + key);
}

TEST(ComparisonPlots, HaveAFigureForEveryClaimOfAComparison) {
  RunSeries run = RunWith("dynamic-ffd", {});
  AddColumn(&run, ReferenceDistanceColumns()[0], {0.0, 0.1, 0.2});
  std::vector<std::string> keys;
  for (const Plot& plot : ComparisonPlots({run})) {
    keys.push_back(plot.key);
    EXPECT_FALSE(plot.title.empty());
    EXPECT_FALSE(plot.reading.empty());
    EXPECT_TRUE(HasValues(plot)) << plot.key;
  }
  EXPECT_THAT(
      keys, ElementsAre("energy-by-kind", "total-energy", "residual-energy", "made-energy",
                        "numerical-energy", "work-by-class", "momentum", "spin",
                        "momentum-residual", "angular-momentum-residual", "constraint-error",
                        "penetration", "body-depth", "self-crossings", "body-crossings", "strain",
                        "extent", "cells", "reference-distance", "condition-number", "step-time"));
}

// Columns of the pairs of a scene with a floor and a wall.
BackendInfo WithContactForces() {
  return {.extras = {{"contact_force.ball.floor_N", "N", "of ball.floor"},
                     {"contact_force.ball.wall_N", "N", "of ball.wall"},
                     {"friction_work.ball.floor_J", "J", "of ball.floor"}}};
}

TEST(ComparisonPlots, ContactForcesHaveAPanelForEachPairThatTouchesAndACurveForEachRun) {
  const std::vector<Plot> plots = ComparisonPlots(
      {RunWith("dynamic-ffd", {{"contact_force.ball.wall_N", 0.0}}, WithContactForces()),
       RunWith("kinematic-response", {}),
       RunWith("position-based",
               {{"contact_force.ball.floor_N", 3.0}, {"contact_force.ball.wall_N", 0.0}},
               WithContactForces())});
  const Plot& plot = Find(plots, "contact-force");
  ASSERT_THAT(plot.panels, SizeIs(1));
  EXPECT_EQ(plot.panels[0].y.label, "contact force of ball.floor");
  EXPECT_EQ(plot.panels[0].y.unit, "N");
  ASSERT_THAT(plot.panels[0].curves, SizeIs(2));
  EXPECT_EQ(plot.panels[0].curves[0].name, "dynamic-ffd");
  EXPECT_THAT(plot.panels[0].curves[0].y, ElementsAre(1.0, 1.0, 1.0));
  EXPECT_EQ(plot.panels[0].curves[1].name, "position-based");
  EXPECT_THAT(plot.panels[0].curves[1].y, ElementsAre(3.0, 3.0, 3.0));
  EXPECT_THAT(plot.notes,
              ElementsAre("0 in every record: ball.wall.", "Not defined for kinematic-response."));
}

TEST(ComparisonPlots, WithoutATouchThereIsNoFigureOfForces) {
  const std::vector<Plot> plots = ComparisonPlots(
      {RunWith("dynamic-ffd",
               {{"contact_force.ball.floor_N", 0.0}, {"contact_force.ball.wall_N", std::nullopt}},
               WithContactForces())});
  EXPECT_TRUE(std::ranges::none_of(plots, [](const Plot& p) { return p.key == "contact-force"; }));
}

TEST(ComparisonPlots, EveryColumnOfTheTableExists) {
  // A renamed column would silently lose its plot.
  const std::vector<Plot> plots = ComparisonPlots({RunWith("dynamic-ffd", {})});
  EXPECT_THAT(Find(plots, "energy-by-kind").panels.at(0).curves, SizeIs(7));
  EXPECT_THAT(Find(plots, "work-by-class").panels.at(0).curves, SizeIs(8));
  EXPECT_THAT(Find(plots, "momentum").panels, SizeIs(3));
  EXPECT_THAT(Find(plots, "spin").panels, SizeIs(3));
  EXPECT_THAT(Find(plots, "strain").panels, SizeIs(2));
  for (const Plot& plot : plots) {
    for (const Panel& panel : plot.panels) {
      for (const PlottedCurve& curve : panel.curves) EXPECT_THAT(curve.y, SizeIs(3)) << plot.key;
    }
  }
}

// A reader tells the parts of a panel by colour and dash alone.
TEST(ComparisonPlots, NoTwoPartsOfAPanelLookTheSame) {
  for (const PlotRule& rule : PlotRules()) {
    if (!rule.panel_per_run) continue;
    std::set<std::pair<std::string, Dash>> looks;
    for (size_t part = 0; part < rule.parts.size(); ++part) {
      if (rule.parts[part].label == std::string("total")) continue;  // black, and heavier
      const LineStyle style = StyleOfPart(static_cast<int>(part));
      EXPECT_TRUE(looks.emplace(ToHex(style.colour), style.dash).second)
          << rule.key << ": " << rule.parts[part].label;
    }
  }
}

TEST(ComparisonPlots, StrainsFarApartAreSeenOnALogarithmicAxis) {
  const auto logarithmic = [](double a, double b) {
    const std::vector<Plot> plots = ComparisonPlots(
        {RunWith("a", {{"edge_strain_max", a}}), RunWith("b", {{"edge_strain_max", b}})});
    const std::vector<Panel>& panels = Find(plots, "strain").panels;
    EXPECT_EQ(panels.at(0).y.logarithmic, panels.at(1).y.logarithmic) << "both or none";
    return panels.at(0).y.logarithmic;
  };
  EXPECT_TRUE(logarithmic(0.5, 0.005));
  EXPECT_FALSE(logarithmic(0.5, 0.05));
  EXPECT_FALSE(logarithmic(0.5, 0.0)) << "has no place there";
  EXPECT_FALSE(logarithmic(0.5, 1e-15)) << "rounding";
  RunSeries early = RunWith("a", {{"edge_strain_max", 0.5}});
  const auto strain = static_cast<size_t>(
      std::find_if(early.columns.begin(), early.columns.end(),
                   [](const SeriesColumn& c) { return c.name == "edge_strain_max"; }) -
      early.columns.begin());
  early.rows[0][strain] = 1e-16;
  const std::vector<Plot> plots =
      ComparisonPlots({early, RunWith("b", {{"edge_strain_max", 0.005}})});
  EXPECT_GT(RangesOfY(Find(plots, "strain")).at(0).lower, 1e-7) << "rounding at the start";
}

TEST(ComparisonPlots, WhatIsNotDefinedIsNotZero) {
  const auto plots =
      ComparisonPlots({RunWith("dynamic-ffd", {}),
                       RunWith("kinematic-response", {{"total_energy_J", std::nullopt}})});
  const Plot& plot = Find(plots, "total-energy");
  ASSERT_THAT(plot.panels.at(0).curves, SizeIs(2));
  for (const double y : plot.panels[0].curves[1].y) EXPECT_TRUE(std::isnan(y));
  EXPECT_THAT(NotesOf(plot), Contains("Not defined for kinematic-response."));
}

TEST(ComparisonPlots, UnitsComeFromTheColumns) {
  const auto plots = ComparisonPlots({RunWith("dynamic-ffd", {})});
  EXPECT_EQ(Find(plots, "energy-by-kind").panels[0].y.unit, "J");
  EXPECT_EQ(Find(plots, "spin").panels[0].y.unit, "kg m²/s");
  EXPECT_EQ(Find(plots, "step-time").panels[0].y.unit, "s");
}

TEST(ComparisonPlots, RefusedScenesHaveNoCurve) {
  RunSeries refused = RunWith("linear-deformation", {});
  refused.rows.clear();
  const auto plots = ComparisonPlots({refused, RunWith("kinematic-response", {})});
  const Plot& plot = Find(plots, "total-energy");
  ASSERT_THAT(plot.panels[0].curves, SizeIs(1));
  EXPECT_EQ(plot.panels[0].curves[0].name, "kinematic-response");
  EXPECT_EQ(plot.panels[0].curves[0].style.colour, StylesOfRuns({"kinematic-response"})[0].colour);
  EXPECT_THAT(ComparisonPlots({refused}), SizeIs(0)) << "no run, no axes";
}

TEST(ComparisonPlots, ComponentsOfRoundOffAreNamedAndLeftOut) {
  const auto plots = ComparisonPlots(
      {RunWith("dynamic-ffd", {{"momentum_y_kg_m_s", 1e-15}, {"momentum_z_kg_m_s", 0.0}}),
       RunWith("kinematic-response",
               {{"momentum_z_kg_m_s", std::nullopt}, {"momentum_y_kg_m_s", std::nullopt}})});
  EXPECT_THAT(Find(plots, "momentum").panels, SizeIs(1));
  EXPECT_THAT(Find(plots, "momentum").notes,
              ElementsAre("0 up to rounding in every run: momentum y, momentum z."));
  // One run that moves along an axis keeps the axis for all.
  const auto moving = ComparisonPlots(
      {RunWith("dynamic-ffd", {{"momentum_z_kg_m_s", 0.0}}), RunWith("kinematic-response", {})});
  EXPECT_THAT(Find(moving, "momentum").panels, SizeIs(3));
}

TEST(ComparisonPlots, RunsThatDefineNoPartHaveNoPanel) {
  std::map<std::string, std::optional<double>> none;
  for (const char* kind :
       {"kinetic", "gravitational", "elastic", "spring", "contact", "constraint", "total"}) {
    none[std::string(kind) + "_energy_J"] = std::nullopt;
  }
  const auto plots =
      ComparisonPlots({RunWith("dynamic-ffd", {}), RunWith("kinematic-response", none)});
  const Plot& plot = Find(plots, "energy-by-kind");
  ASSERT_THAT(plot.panels, SizeIs(1));
  EXPECT_EQ(plot.panels[0].title, "dynamic-ffd");
  EXPECT_THAT(plot.notes, ElementsAre("Not defined for kinematic-response."));
  EXPECT_FALSE(
      HasValues(Find(ComparisonPlots({RunWith("kinematic-response", none)}), "energy-by-kind")));
}

TEST(ComparisonPlots, PartsThatAreZeroOrUndefinedInAllRunsLeaveTheLegend) {
  const std::map<std::string, std::optional<double>> columns = {{"gravitational_energy_J", 0.0},
                                                                {"elastic_energy_J", std::nullopt}};
  const auto plots = ComparisonPlots({RunWith("dynamic-ffd", columns)});
  const Plot& plot = Find(plots, "energy-by-kind");
  std::vector<std::string> names;
  for (const PlottedCurve& curve : plot.panels.at(0).curves) names.push_back(curve.name);
  EXPECT_THAT(names, ElementsAre("total", "kinetic", "spring", "contact", "constraint springs"));
  EXPECT_THAT(plot.notes, ElementsAre(HasSubstr("gravitational"), HasSubstr("elastic")));
}

TEST(ComparisonPlots, ConditionNumbersSayOfWhichMatrix) {
  const BackendInfo info = {.condition_of = "the constraint matrix"};
  const auto plots = ComparisonPlots({RunWith("linear-deformation", {}, info)});
  EXPECT_EQ(Find(plots, "condition-number").panels[0].curves[0].name,
            "linear-deformation: of the constraint matrix");
}

TEST(ComparisonPlots, QuantitiesOfOneFormulationHaveAPanelEach) {
  const BackendInfo info = {.extras = {{"largest_gain", "1", "how much the surface moves"},
                                       {"drift_rate_m_s", "m/s", "how fast"}}};
  const auto plots =
      ComparisonPlots({RunWith("dynamic-ffd", {}),
                       RunWith("kinematic-response", {{"drift_rate_m_s", std::nullopt}}, info)});
  const Plot& plot = Find(plots, "own-quantities");
  ASSERT_THAT(plot.panels, SizeIs(1));
  EXPECT_EQ(plot.panels[0].title, "largest gain");
  EXPECT_THAT(plot.notes, ElementsAre("largest gain: how much the surface moves.",
                                      "Not defined for kinematic-response: drift rate."));
}

TEST(ComparisonPlots, QuantitiesThatTwoFormulationsCallTheSameAreNamedAfterThem) {
  const BackendInfo one = {.name = "a", .extras = {{"gain", "1", "of the surface"}}};
  const BackendInfo two = {.name = "b", .extras = {{"gain", "1", "of the joints"}}};
  const auto plots = ComparisonPlots({RunWith("a", {}, one), RunWith("b", {}, two)});
  const Plot& plot = Find(plots, "own-quantities");
  ASSERT_THAT(plot.panels, SizeIs(2));
  EXPECT_EQ(plot.panels[0].title, "gain, a");
  EXPECT_EQ(plot.panels[1].title, "gain, b");
  EXPECT_THAT(plot.notes, ElementsAre("gain, a: of the surface.", "gain, b: of the joints."));
}

TEST(ComparisonPlots, RunsThatLackTheSameQuantitiesAreNamedOnce) {
  const BackendInfo info = {
      .extras = {{"gain", "1", "gain"}, {"drift_m", "m", "drift"}, {"pull_N", "N", "pull"}}};
  const std::map<std::string, std::optional<double>> none = {{"drift_m", std::nullopt},
                                                             {"pull_N", std::nullopt}};
  RunSeries soft = RunWith("kinematic-response", none, info), stiff = soft;
  RunSeries riding = RunWith("kinematic-response", {{"pull_N", std::nullopt}}, info);
  soft.label = "soft";
  stiff.label = "stiff";
  riding.label = "riding";
  const auto plots = ComparisonPlots({soft, riding, stiff});
  EXPECT_THAT(
      Find(plots, "own-quantities").notes,
      ElementsAre("gain: gain.", "drift: drift.", "Not defined for soft, stiff: drift, pull.",
                  "Not defined for riding: pull."));
}

TEST(AddColumn, StandsBeforeTheExtrasAndFillsMissingRows) {
  const BackendInfo info = {.extras = {{"gain", "1", "gain"}}};
  RunSeries run = RunWith("kinematic-response", {{"gain", 7.0}}, info);
  AddColumn(&run, ReferenceDistanceColumns()[0], {0.5});
  ASSERT_EQ(run.columns.back().name, "gain");
  EXPECT_EQ(run.columns[run.columns.size() - 2].name, "reference_distance_m");
  EXPECT_THAT(run.rows[0].back(), testing::Optional(7.0));
  EXPECT_THAT(run.rows[0][run.columns.size() - 2], testing::Optional(0.5));
  EXPECT_EQ(run.rows[1][run.columns.size() - 2], std::nullopt);
}

// A weight that falls by 1, 2 m under 9 N: from its lowest 18, 9 and 0 J.
TEST(ComparisonPlots, KindsOfEnergyStandUponEachOtherWhenAskedFor) {
  RunSeries run = RunWith("dynamic-ffd", {{"kinetic_energy_J", 4.0},
                                          {"elastic_energy_J", 2.0},
                                          {"spring_energy_J", std::nullopt},
                                          {"contact_energy_J", std::nullopt},
                                          {"constraint_energy_J", std::nullopt},
                                          {"residual_energy_J", -0.5}});
  for (size_t c = 0; c < run.columns.size(); ++c) {
    if (run.columns[c].name != "gravitational_energy_J") continue;
    for (size_t i = 0; i < 3; ++i) run.rows[i][c] = 100.0 - 9.0 * static_cast<double>(i);
  }
  for (const Plot& plot : ComparisonPlots({run})) EXPECT_NE(plot.key, "energy-stack");
  const auto plots = ComparisonPlots({run}, PlotSet::kAll);
  const Plot& stack = Find(plots, "energy-stack");
  ASSERT_EQ(stack.panels.size(), 1u);
  const std::vector<PlottedCurve>& curves = stack.panels[0].curves;
  std::vector<std::string> names;
  for (const PlottedCurve& curve : curves) names.push_back(curve.name);
  EXPECT_THAT(names,
              ElementsAre("kinetic", "gravitational, above its minimum", "elastic", "residual"));
  EXPECT_THAT(curves[1].y, ElementsAre(18.0, 9.0, 0.0));
  EXPECT_THAT(curves[0].base, ElementsAre(0.0, 0.0, 0.0));
  EXPECT_THAT(curves[1].base, ElementsAre(4.0, 4.0, 4.0));
  EXPECT_THAT(curves[2].base, ElementsAre(22.0, 13.0, 4.0));
  EXPECT_TRUE(curves[3].base.empty());
  const AxisRange range = RangesOfY(stack).front();
  EXPECT_GT(range.upper, 24.0);
  EXPECT_LT(range.upper, 27.0);
  EXPECT_LT(range.lower, -0.5);
}

TEST(PlotsWithAYardstick, HaveItBelowTheRunsInTheBandOfItsError) {
  const YardstickSeries yardstick{RunWith("yardstick", {{"edge_strain_max", 2.0}}),
                                  {{"edge_strain_max", {0.0, 0.25, 0.5}},
                                   {"constraint_error_m", {0.0, 0.25, 0.5}},
                                   {"reference_distance_m", {0.0, 0.5, 1.0}}}};
  RunSeries run = RunWith("dynamic-ffd", {});
  AddColumn(&run, ReferenceDistanceColumns()[0], {0.0, 2.0, 4.0});
  const auto plots = ComparisonPlots({run}, PlotSet::kReport, &yardstick);
  const std::vector<PlottedCurve>& strain = Find(plots, "strain").panels[0].curves;
  ASSERT_THAT(strain, SizeIs(3));
  EXPECT_EQ(strain[0].name, "error of the yardstick");
  EXPECT_THAT(strain[0].base, ElementsAre(2.0, 1.75, 1.5));
  EXPECT_THAT(strain[0].y, ElementsAre(0.0, 0.5, 1.0));
  EXPECT_EQ(strain[1].name, "yardstick");
  EXPECT_THAT(strain[1].y, ElementsAre(2.0, 2.0, 2.0));
  EXPECT_LT(strain[1].style.width, strain[2].style.width);
  EXPECT_THAT(NotesOf(Find(plots, "strain")), IsEmpty()) << "no band is outside its panel";
  // A distance to the yardstick has no curve of it: what lies in the band is no distance.
  const std::vector<PlottedCurve>& distance = Find(plots, "reference-distance").panels[0].curves;
  ASSERT_THAT(distance, SizeIs(2));
  EXPECT_THAT(distance[0].base, ElementsAre(0.0, 0.0, 0.0));
  EXPECT_THAT(distance[0].y, ElementsAre(0.0, 0.5, 1.0));
  // On a logarithmic axis it is a line.
  RunSeries far = RunWith("linear-deformation", {});
  AddColumn(&far, ReferenceDistanceColumns()[0], {0.0, 200.0, 400.0});
  const auto apart = ComparisonPlots({run, far}, PlotSet::kReport, &yardstick);
  const Panel& wide = Find(apart, "reference-distance").panels[0];
  EXPECT_TRUE(wide.y.logarithmic);
  EXPECT_THAT(wide.curves[0].base, IsEmpty());
  EXPECT_THAT(wide.curves[0].y, ElementsAre(testing::IsNan(), 0.5, 1.0));
  // A logarithmic axis has no place below 0 for a band.
  const std::vector<PlottedCurve>& gap = Find(plots, "constraint-error").panels[0].curves;
  ASSERT_THAT(gap, SizeIs(2));
  EXPECT_EQ(gap[0].name, "yardstick");
  EXPECT_THAT(Find(plots, "extent").panels[0].curves, SizeIs(1)) << "no error is known";
  EXPECT_THAT(Find(plots, "energy-by-kind").panels, SizeIs(1));
}

}  // namespace
}  // namespace pliant
