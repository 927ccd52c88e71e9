// Methods over several problems: success with its interval, performance and data profiles, counted by hand.

#include "experiments/searches/profiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/experiments/searches/made_searches.h"
#include "tests/reference/complaints.h"

namespace pliant {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Both start at 110; with τ = 0.1 the target of `steep` is 10 + 0.1 (110 − 10) = 20, that of `flat` 60 + 0.1 (110 − 60) = 65.
std::vector<SearchedProblem> TwoProblems() {
  SearchedProblem steep{"steep", {}}, flat{"flat", {}};
  AddSearch(&steep.record, "a", {110, 20, 10});       // after 2
  AddSearch(&steep.record, "a", {110, 50, 21});       // never
  AddSearch(&steep.record, "b", {110, 30, 12});       // after 3
  AddSearch(&steep.record, "b", {110, 25, 19});       // after 3
  AddSearch(&flat.record, "a", {110, 100, 90});       // never
  AddSearch(&flat.record, "a", {110, INFINITY, 70});  // never
  AddSearch(&flat.record, "b", {110, 60, 61});        // after 2
  AddSearch(&flat.record, "b", {110, 99, 66});        // never
  return {steep, flat};
}

TEST(Profiles, CountWhatEachMethodSolves) {
  const Profiles profiles = ProfilesOf(TwoProblems(), 0.1);
  EXPECT_THAT(profiles.least, ElementsAre(10.0, 60.0));
  EXPECT_THAT(profiles.targets, ElementsAre(20.0, 65.0));
  ASSERT_EQ(profiles.methods.size(), 2u);
  const MethodProfile &a = profiles.methods[0], &b = profiles.methods[1];
  EXPECT_EQ(a.label, "a");
  EXPECT_EQ(a.searches, 4);
  EXPECT_EQ(a.solved, 1);
  EXPECT_EQ(a.problems, 1);
  EXPECT_THAT(a.solved_in, ElementsAre(1, 0));
  EXPECT_THAT(a.expected, ElementsAre(5.0, INFINITY));  // 2 and 3 trials for one success
  EXPECT_THAT(b.expected, ElementsAre(3.0, 5.0));       // 3 + 3 for two, 2 + 3 for one
  EXPECT_THAT(a.ratios, ElementsAre(5.0 / 3.0, INFINITY));
  EXPECT_THAT(b.ratios, ElementsAre(1.0, 1.0));
  EXPECT_THAT(b.trials, ElementsAre(2.0, 3.0, 3.0));
  // [Wilson 1927]: the roots of (p̂ − p)² = z² p (1 − p)/n for p̂ = 1/4 and 3/4, n = 4.
  for (const auto& [method, rate] : {std::pair(a, 0.25), std::pair(b, 0.75)}) {
    for (const double p : {method.rate.lower, method.rate.upper}) {
      EXPECT_NEAR(std::pow(rate - p, 2), std::pow(1.959963984540054, 2) * p * (1.0 - p) / 4.0,
                  1e-12);
    }
    EXPECT_LT(method.rate.lower, rate);
    EXPECT_GT(method.rate.upper, rate);
  }
  EXPECT_THAT(profiles.remarks, ElementsAre());
}

TEST(Profiles, AreStepFunctions) {
  const Profiles profiles = ProfilesOf(TwoProblems(), 0.1);
  const MethodProfile &a = profiles.methods[0], &b = profiles.methods[1];
  EXPECT_EQ(a.Performance(1.6), 0.0);
  EXPECT_EQ(a.Performance(1.7), 0.5);
  EXPECT_EQ(a.Performance(1e9), 0.5);
  EXPECT_EQ(b.Performance(1.0), 1.0);
  EXPECT_EQ(b.Solved(1.0), 0.0);
  EXPECT_EQ(b.Solved(2.0), 0.25);
  EXPECT_EQ(b.Solved(3.0), 0.75);
  EXPECT_EQ(CsvOfProfiles(profiles),
            "profile,method,at,share\nperformance,a,1.6666666666666667,0.5\nperformance,b,1,1\n"
            "data,a,2,0.25\ndata,b,2,0.25\ndata,b,3,0.75\n");
}

// A motion that violates a condition solves nothing, however cheap it is.
TEST(Profiles, PenalisedMotionsSolveNothing) {
  std::vector<SearchedProblem> problems = TwoProblems();
  AddSearch(&problems[0].record, "a", {110, 1, 2}, 0.5);
  AddSearch(&problems[0].record, "b", {110, 10});
  const Profiles profiles = ProfilesOf(problems, 0.1);
  EXPECT_EQ(profiles.least[0], 10.0);
  EXPECT_EQ(profiles.methods[0].solved, 1);
  EXPECT_EQ(profiles.methods[0].searches, 5);
  EXPECT_THAT(profiles.remarks, ElementsAre("steep: searches made 2 to 3 trials"));
}

TEST(Profiles, TablesSayTheSame) {
  const std::vector<FindingTable> tables = TablesOfProfiles(ProfilesOf(TwoProblems(), 0.1));
  ASSERT_EQ(tables.size(), 4u);
  EXPECT_THAT(tables[0].rows[1], ElementsAre("b", "3 of 4", "30 % to 95 %", "2 of 2", "2"));
  EXPECT_THAT(tables[1].rows[0],
              ElementsAre("a", "0 %", "0 %", "50 %", "50 %", "50 %", "50 %", "50 %"));
  EXPECT_THAT(tables[2].columns, ElementsAre("method", "10"));
  EXPECT_THAT(tables[2].rows[1], ElementsAre("b", "75 %"));
  EXPECT_THAT(tables[3].rows[1], ElementsAre("flat", "60", "65", "– (0)", "5 (1)"));
}

TEST(Profiles, RefuseWhatHasNoMeaning) {
  std::vector<SearchedProblem> problems = TwoProblems();
  problems.push_back({"other", {}});
  AddSearch(&problems[2].record, "a", {110, 10});
  const auto complaint = [&] { return reference::ComplaintOf([&] { ProfilesOf(problems, 0.1); }); };
  EXPECT_THAT(complaint(), HasSubstr("other was not searched by 'b'"));
  AddSearch(&problems[2].record, "b", {110, 10});
  AddSearch(&problems[2].record, "c", {110, 10});
  EXPECT_THAT(complaint(), HasSubstr("steep was not searched by 'c'"));
  problems[2].record = {};
  AddSearch(&problems[2].record, "a", {110, 10}, 1.0);
  AddSearch(&problems[2].record, "b", {110, 10}, 1.0);
  EXPECT_THAT(complaint(), HasSubstr("other: no search found a motion without a violation"));
  problems[2].record = {};
  AddSearch(&problems[2].record, "a", {INFINITY, 10});
  AddSearch(&problems[2].record, "b", {INFINITY, 10});
  EXPECT_THAT(complaint(), HasSubstr("other: the start has no cost"));
}

}  // namespace
}  // namespace pliant
