// Errors against the size of a rung: their scale, their limit, and the slopes they are compared with.

#include "app/plots/refinement_plots.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace pliant {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

// A figure that is 3 + 8 h² on rungs of these sizes h: its limit is 3, its largest value 11.
Refinement OfSecondOrder() {
  Refinement refinement;
  refinement.axis = "step";
  refinement.sizes = {1.0, 0.5, 0.25, 0.125};
  refinement.figures = {{"edge_strain_max", "1", "largest strain"}};
  RefinedRun run;
  run.label = run.backend = "a";
  for (const double h : refinement.sizes) {
    run.outcomes.emplace_back();
    run.rows.emplace_back();
    run.figures.push_back({3.0 + 8.0 * h * h});
  }
  refinement.runs = {run};
  return refinement;
}

const Plot& ErrorPlot(const std::vector<Plot>& plots) {
  return *std::ranges::find(plots, "error-step-a", &Plot::key);
}

TEST(RefinementPlots, ShowTheDistanceFromTheLimitDividedByTheLargestValue) {
  const std::vector<Plot> plots = RefinementPlots(OfSecondOrder());
  ASSERT_THAT(plots, SizeIs(1));
  const std::vector<PlottedCurve>& curves = ErrorPlot(plots).panels.at(0).curves;
  ASSERT_THAT(curves, SizeIs(4)) << "the figure and three slopes";
  EXPECT_THAT(curves[0].x, ElementsAre(0.125, 0.25, 0.5, 1.0));
  for (size_t i = 0; i < curves[0].x.size(); ++i) {
    EXPECT_NEAR(curves[0].y[i], 8.0 * curves[0].x[i] * curves[0].x[i] / 11.0, 1e-12);
  }
}

// What an author measures stands before what every run has, and of all backends in one plot.
TEST(RefinementPlots, WhatProbesMeasureComesFirst) {
  Refinement refinement = OfSecondOrder();
  refinement.figures.push_back({"sag_m", "m", "at the end: sag"});
  refinement.probe_figures = {"sag_m"};
  for (auto& of_rung : refinement.runs[0].figures) of_rung.push_back(of_rung[0]);
  refinement.runs.push_back(refinement.runs[0]);
  refinement.runs[1].label = "b";
  const std::vector<Plot> plots = RefinementPlots(refinement);
  ASSERT_THAT(plots, SizeIs(3));
  EXPECT_EQ(plots[0].key, "error-step");
  const std::vector<PlottedCurve>& of_all = plots[0].panels.at(0).curves;
  ASSERT_THAT(of_all, SizeIs(2 + 3));
  EXPECT_THAT(of_all[0].name, ::testing::StartsWith("a, sag"));
  EXPECT_THAT(of_all[1].name, ::testing::StartsWith("b, sag"));
  const std::vector<PlottedCurve>& of_one = ErrorPlot(plots).panels.at(0).curves;
  ASSERT_THAT(of_one, SizeIs(2 + 3));
  EXPECT_THAT(of_one[0].name, ::testing::StartsWith("sag"));
  // Of those that are chosen no others are drawn.
  const std::vector<Plot> chosen = RefinementPlots(refinement, {"strain"});
  EXPECT_THAT(ErrorPlot(chosen).panels.at(0).curves, SizeIs(1 + 3));
}

// From corner to corner a triangle rises as an error of its order does.
TEST(RefinementPlots, TrianglesHaveTheSlopesTheyAreNamedAfter) {
  const std::vector<Plot> plots = RefinementPlots(OfSecondOrder());
  const std::vector<PlottedCurve>& curves = ErrorPlot(plots).panels.at(0).curves;
  ASSERT_THAT(curves, SizeIs(4));
  const double least = *std::ranges::min_element(curves[0].y);
  for (const auto& [index, order] : {std::pair{1, 1}, {2, 2}, {3, 4}}) {
    const PlottedCurve& triangle = curves[index];
    EXPECT_EQ(triangle.name, "slope " + std::to_string(order));
    const double left = *std::ranges::min_element(triangle.x),
                 right = *std::ranges::max_element(triangle.x);
    const double bottom = *std::ranges::min_element(triangle.y),
                 top = *std::ranges::max_element(triangle.y);
    EXPECT_NEAR(std::log(top / bottom) / std::log(right / left), order, 1e-12);
    EXPECT_EQ(right, 1.0);
    EXPECT_LT(bottom, least) << "below the errors";
    EXPECT_EQ(triangle.y.front(), bottom);
    EXPECT_EQ(triangle.x.front(), left);
    // The upper side: from the corner on the left to the top on the right.
    EXPECT_EQ(triangle.x.at(2), right);
    EXPECT_EQ(triangle.y.at(2), top);
  }
}

}  // namespace
}  // namespace pliant
