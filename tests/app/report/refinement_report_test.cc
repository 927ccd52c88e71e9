// The limits of a ladder on its page.

#include "app/report/refinement_report.h"

#include <gmock/gmock.h>

#include <cmath>

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// 4.47712345 + h² 10⁻⁵ at the sizes 1, ½, ¼, ⅛.
Refinement Ladder() {
  Refinement refinement;
  refinement.axis = "step";
  refinement.figures = {{"sag_m", "m", "sag"}};
  RefinedRun& run = refinement.runs.emplace_back();
  run.label = run.backend = "dynamic-ffd";
  for (int rung = 0; rung < 4; ++rung) {
    refinement.sizes.push_back(std::pow(0.5, rung));
    run.outcomes.push_back({.kind = OutcomeKind::kCompleted});
    run.bundles.emplace_back();
    run.rows.emplace_back();
    run.figures.push_back({4.47712345 + 1e-5 * std::pow(0.25, rung)});
  }
  return refinement;
}

TEST(RefinementReport, ShowsAsManyDigitsAsTheBandAsksForAndTheTrendAsTheTerminalDoes) {
  const std::string page = LimitSection(Ladder()).markup();
  EXPECT_THAT(page, HasSubstr("4.47712345</td>"));  // the limit, ± 2e-7
  EXPECT_THAT(page, HasSubstr("4.47713345</td>"));  // the file's
  EXPECT_THAT(page, HasSubstr("monotone, asymptotic"));
  EXPECT_THAT(page, Not(HasSubstr("4.477</td>")));
  EXPECT_THAT(RefinementText(Ladder()), HasSubstr("4.47713345"));
}

}  // namespace
}  // namespace pliant
