#include "app/plots/claim_bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pliant {
namespace {

Claim ClaimOf(const std::string& figure, double lower, double upper) {
  Claim claim;
  claim.text = figure;
  claim.of = "a";
  claim.figure = figure;
  claim.lower = lower;
  claim.upper = upper;
  return claim;
}

const SeriesColumn kDepth{"penetration_m", "m", "depth"};

Panel PanelOf() {
  Panel panel{"", {"penetration", "m"}, {}};
  panel.curves.push_back({"a", "a", {}, {0.0, 1.0, 2.0}, {0.0, 0.02, 0.01}});
  return panel;
}

TEST(ClaimBounds, OfTheLargestValueReachAcrossAllTimes) {
  Panel panel = PanelOf();
  EXPECT_TRUE(
      AddClaimBounds({ClaimOf("penetration_max_m", -INFINITY, 0.03)}, kDepth, &panel).empty());
  ASSERT_EQ(panel.curves.size(), 2u);
  EXPECT_THAT(panel.curves[1].x, testing::ElementsAre(0.0, 2.0));
  EXPECT_THAT(panel.curves[1].y, testing::ElementsAre(0.03, 0.03));
}

TEST(ClaimBounds, AtATimeStandBesideIt) {
  Claim claim = ClaimOf("penetration_m", 0.005, 0.015);
  claim.at = 2.0;
  Panel panel = PanelOf();
  AddClaimBounds({claim}, kDepth, &panel);
  ASSERT_EQ(panel.curves.size(), 3u);
  EXPECT_NEAR(panel.curves[1].x.front(), 1.94, 1e-12);
  EXPECT_EQ(panel.curves[1].x.back(), 2.0);
  EXPECT_EQ(panel.curves[1].y.front(), 0.005);
  EXPECT_EQ(panel.curves[2].y.front(), 0.015);
}

TEST(ClaimBounds, OfOtherFiguresBackendsInRatioAndEnsemblesAreNotDrawn) {
  Claim ratio = ClaimOf("penetration_max_m", 0.0, 0.03), many = ratio, other = ratio;
  ratio.ratio_to = "b";
  many.over = Ensemble{};
  other.figure = "edge_strain_max";
  EXPECT_TRUE(ClaimsOn({ratio, many, other}, kDepth).empty());
}

TEST(ClaimBounds, FarAwayAreSaidAndLeftOut) {
  Panel panel = PanelOf();
  const auto left_out =
      AddClaimBounds({ClaimOf("penetration_max_m", -INFINITY, 5.0)}, kDepth, &panel);
  EXPECT_EQ(panel.curves.size(), 1u);
  EXPECT_THAT(left_out, testing::ElementsAre(testing::HasSubstr("penetration_max_m")));
}

}  // namespace
}  // namespace pliant
