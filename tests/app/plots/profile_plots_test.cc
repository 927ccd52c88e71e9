// The stairs of profiles pass through the shares that are counted.

#include "app/plots/profile_plots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/experiments/searches/made_searches.h"

namespace pliant {
namespace {

using testing::ElementsAre;

// With τ = 0.1 the target is 10 + 0.1 (110 − 10) = 20 in both: `a` is solved after 2 trials in one problem, `b` after 3 in one and
// after 2 in the other.
Profiles OfTwoProblems() {
  SearchedProblem one{"one", {}}, other{"other", {}};
  AddSearch(&one.record, "a", {110, 20, 10});
  AddSearch(&one.record, "b", {110, 30, 12});
  AddSearch(&other.record, "a", {110, 90, 80});
  AddSearch(&other.record, "b", {110, 10, 12});
  return ProfilesOf({one, other}, 0.1);
}

TEST(ProfilePlots, AreTheStairsOfBothProfiles) {
  const std::vector<Plot> plots = ProfilePlots(OfTwoProblems());
  ASSERT_EQ(plots.size(), 2u);
  EXPECT_EQ(plots[0].key, "performance-profile");
  EXPECT_TRUE(plots[0].x.logarithmic);
  ASSERT_EQ(plots[0].panels[0].curves.size(), 2u);
  const PlottedCurve &a = plots[0].panels[0].curves[0], &b = plots[0].panels[0].curves[1];
  EXPECT_EQ(a.name, "a");
  EXPECT_THAT(a.x, ElementsAre(1.0, 10.0));  // quickest where it solves the problem at all
  EXPECT_THAT(a.y, ElementsAre(0.5, 0.5));
  EXPECT_THAT(b.x, ElementsAre(1.0, 1.5, 1.5, 10.0));
  EXPECT_THAT(b.y, ElementsAre(0.5, 0.5, 1.0, 1.0));
  const PlottedCurve& solved = plots[1].panels[0].curves[1];
  EXPECT_EQ(plots[1].key, "data-profile");
  EXPECT_THAT(solved.x, ElementsAre(1.0, 2.0, 2.0, 3.0, 3.0, 10.0));
  EXPECT_THAT(solved.y, ElementsAre(0.0, 0.0, 0.5, 0.5, 1.0, 1.0));
}

// Methods beyond the colours that there are differ from those of the same colour by the width of their lines.
TEST(ProfilePlots, EveryMethodHasALineOfItsOwn) {
  SearchedProblem problem{"one", {}};
  for (int m = 0; m < 11; ++m) AddSearch(&problem.record, "m" + std::to_string(m), {110, 10});
  const std::vector<Plot> plots = ProfilePlots(ProfilesOf({problem}, 0.1));
  const std::vector<PlottedCurve>& curves = plots[0].panels[0].curves;
  for (size_t i = 0; i < curves.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const LineStyle &one = curves[i].style, &other = curves[j].style;
      EXPECT_FALSE(one.colour == other.colour && one.dash == other.dash &&
                   one.width == other.width);
    }
  }
}

}  // namespace
}  // namespace pliant
