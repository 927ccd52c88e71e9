#include "experiments/refinement/ladder_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "models/problem.h"
#include "tests/says.h"

namespace pliant {
namespace {

TEST(LadderChoice, ReplacesOnlyWhatItSays) {
  Experiment experiment;
  experiment.refine.levels = 4;
  experiment.refine.coarser = 1;
  experiment.refine.ratio = 3.0;
  const RefinePlan same = PlanOf(experiment, {});
  EXPECT_EQ(same.levels, 4);
  EXPECT_EQ(same.coarser, 1);
  EXPECT_EQ(same.ratio, 3.0);
  EXPECT_FALSE(same.joint);
  EXPECT_EQ(same.axes, experiment.refine.axes);
  const RefinePlan other = PlanOf(experiment, {{"resolution"}, true, 5, {}, 2.0});
  EXPECT_EQ(other.levels, 5);
  EXPECT_EQ(other.coarser, 1);
  EXPECT_EQ(other.ratio, 2.0);
  EXPECT_TRUE(other.joint);
  EXPECT_THAT(other.axes, testing::ElementsAre(RefinedAxis::kResolution));
}

TEST(LadderChoice, RefusesWhatIsNoLadder) {
  const auto said = [](const LadderChoice& choice) -> std::string {
    try {
      PlanOf(Experiment(), choice);
    } catch (const BadInput& bad) {
      return bad.what();
    }
    return "";
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(said({}), "");
  EXPECT_THAT(said({{"stp"}, false, {}, {}, {}}), Says({"no axis 'stp'", "did you mean 'step'"}));
  EXPECT_THAT(said({{}, false, 1, {}, {}}), Says({"1 levels", "use 2 to 32"}));
  EXPECT_THAT(said({{}, false, 33, {}, {}}), Says({"33 levels"}));
  EXPECT_THAT(said({{}, false, 3, 3, {}}), Says({"3 of 3 rungs", "one rung must be the file"}));
  EXPECT_THAT(said({{}, false, 3, -1, {}}), Says({"-1 of 3 rungs"}));
  EXPECT_THAT(said({{}, false, {}, {}, 1.0}), Says({"use 1.01 to 100"}));
  EXPECT_THAT(said({{}, false, {}, {}, nan}), Says({"use 1.01 to 100"}));
}

}  // namespace
}  // namespace pliant
