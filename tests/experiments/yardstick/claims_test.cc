// A claim about a distance to the yardstick is one about the distance to the solution, which is known up to the
// yardstick's own error.

#include <gtest/gtest.h>

#include "experiments/claims/verify.h"

namespace pliant {
namespace {

constexpr char kRms[] = "distance_to_reference_rms_m";

// Two backends at distances 4 and 2 m on each of three rungs, and a yardstick that may be off by half a metre.
Refinement MadeRefinement(bool to_yardstick = true) {
  Refinement refinement{"step", {1.0, 0.5, 0.25}, 0, {}, {{kRms, "m", ""}}, {}, {}};
  if (to_yardstick) refinement.figures.push_back({"yardstick_error_rms_m", "m", ""});
  for (const auto& [label, distance] : {std::pair("far", 4.0), std::pair("near", 2.0)}) {
    RefinedRun& run = refinement.runs.emplace_back();
    run.label = label;
    run.length_scale = 1.0;
    run.outcomes.resize(3);
    run.figures.assign(3, {distance});
    if (!to_yardstick) continue;
    for (auto& figures : run.figures) figures.emplace_back(0.5);
  }
  return refinement;
}

Claim Of(const std::string& label) {
  Claim claim;
  claim.figure = kRms;
  claim.of = label;
  return claim;
}

Verdict VerdictOf(const Claim& claim, const Refinement& refinement = MadeRefinement()) {
  return VerifyClaims({claim}, refinement)[0].verdict;
}

TEST(ClaimOfADistanceToTheYardstick, HasABandThatIsWiderByItsError) {
  Claim claim = Of("far");
  claim.lower = 3.49;
  EXPECT_EQ(VerdictOf(claim), Verdict::kHolds);
  claim.lower = 3.51;
  EXPECT_EQ(VerdictOf(claim), Verdict::kCannotBeToldApart);
  claim.lower = 4.51;
  EXPECT_EQ(VerdictOf(claim), Verdict::kFails);
  claim.lower = 3.99;
  EXPECT_EQ(VerdictOf(claim, MadeRefinement(false)), Verdict::kHolds);  // another reference
}

TEST(ClaimOfADistanceToTheYardstick, OfADifferenceAddsBothErrors) {
  Claim claim = Of("far");
  claim.difference_to = "near";
  claim.lower = 0.99;
  EXPECT_EQ(VerdictOf(claim), Verdict::kHolds);
  claim.lower = 1.01;
  EXPECT_EQ(VerdictOf(claim), Verdict::kCannotBeToldApart);
}

TEST(ClaimOfADistanceToTheYardstick, OfAnOrderWeighsTheErrorOfTheOtherByItsFactor) {
  Claim claim = Of("near");  // 2 − 4 f ± (½ + ½ f) < 0 for f > 5/7
  claim.less_than = LessThan{"far", 0.72};
  EXPECT_EQ(VerdictOf(claim), Verdict::kHolds);
  claim.less_than = LessThan{"far", 0.71};
  EXPECT_EQ(VerdictOf(claim), Verdict::kCannotBeToldApart);
}

TEST(ClaimOfADistanceToTheYardstick, OfARatioIsAsWideAsTheWorstOfBoth) {
  Claim claim = Of("far");
  claim.ratio_to = "near";  // at most 4.5 / 1.5
  claim.upper = 3.01;
  EXPECT_EQ(VerdictOf(claim), Verdict::kHolds);
  claim.upper = 2.99;
  EXPECT_EQ(VerdictOf(claim), Verdict::kCannotBeToldApart);
  Refinement within = MadeRefinement();  // of its own error
  for (auto& figures : within.runs[1].figures) figures[0] = 0.4;
  claim.upper = 1e9;
  EXPECT_EQ(VerdictOf(claim, within), Verdict::kCannotBeToldApart);
}

TEST(ClaimOfADistanceToTheYardstick, IsNotDecidedByAnotherScene) {
  Refinement other = MadeRefinement();
  other.yardstick_of_other_scene = true;
  Claim claim = Of("far");
  claim.lower = 0.0;
  const VerifiedClaim verified = VerifyClaims({claim}, other)[0];
  EXPECT_EQ(verified.verdict, Verdict::kCannotBeToldApart);
  EXPECT_NE(verified.why.find("is not known"), std::string::npos);
}

}  // namespace
}  // namespace pliant
