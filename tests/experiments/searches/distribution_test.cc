// What many seeds say of a method.

#include "experiments/searches/distribution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "experiments/searches/method_tables.h"
#include "tests/experiments/searches/made_searches.h"

namespace pliant {
namespace {

using testing::ElementsAre;

TEST(Quantiles, LieBetweenNeighboursInProportion) {
  EXPECT_EQ(Quantile({3.0, 1.0, 2.0}, 0.5), 2.0);
  EXPECT_EQ(Quantile({4.0, 1.0, 2.0, 3.0}, 0.25), 1.75);
  EXPECT_EQ(Quantile({4.0, 1.0, 2.0, 3.0}, 1.0), 4.0);
  EXPECT_EQ(Quantile({7.0}, 0.3), 7.0);
  EXPECT_EQ(Quantile({1.0, INFINITY}, 0.5), INFINITY);
  EXPECT_EQ(Quantile({1.0, INFINITY, INFINITY}, 0.75), INFINITY);
}

TEST(MethodDistributions, CountSuccessesAndTakeTheBestOfEachSearch) {
  SearchRecord record;
  AddSearch(&record, "a", {9.0, 4.0, 6.0});
  AddSearch(&record, "b", {1.0});
  AddSearch(&record, "a", {8.0, 2.0});
  AddSearch(&record, "a", {7.0}, 0.5);  // its best breaks a condition
  AddSearch(&record, "a", {INFINITY});  // not one motion
  AddSearch(&record, "c", {});          // not one trial
  const std::vector<MethodDistribution> methods = Distributions(record);
  ASSERT_EQ(methods.size(), 2u);
  EXPECT_EQ(methods[0].label, "a");
  EXPECT_EQ(methods[0].searches, 4);
  EXPECT_EQ(methods[0].succeeded, 2);
  EXPECT_EQ(methods[0].success_rate(), 0.5);
  EXPECT_EQ(methods[0].best, 2.0);
  EXPECT_EQ(methods[0].lower_quartile, 3.5);
  EXPECT_EQ(methods[0].median, 5.5);
  EXPECT_EQ(methods[0].worst, INFINITY);
  EXPECT_EQ(methods[0].median_trials, 1.5);
  EXPECT_EQ(methods[0].median_seconds, 0.375);
  EXPECT_EQ(methods[1].searches, 1);
  EXPECT_EQ(methods[1].median, 1.0);
}

// Three of five searches had found a motion when the user stopped them all: nobody is told "3 of 3".
TEST(MethodDistributions, SayHowManySearchesWereCutShort) {
  SearchRecord record;
  for (int i = 0; i < 5; ++i)
    AddSearch(&record, "a", i < 3 ? std::vector{4.0} : std::vector<double>{});
  AddSearch(&record, "b", {1.0, 2.0});
  for (int i = 1; i < 5; ++i) record.histories[static_cast<size_t>(i)].cancelled = true;
  const std::vector<MethodDistribution> methods = Distributions(record);
  EXPECT_EQ(methods[0].planned, 5);
  EXPECT_EQ(methods[0].searches, 3);
  EXPECT_EQ(methods[0].cut_short, 4);
  EXPECT_EQ(SuccessText(methods[0]), "3 of 5; 2 stopped early, 2 not begun");
  EXPECT_EQ(SuccessText(methods[1]), "1 of 1");
  EXPECT_TRUE(HasSeveralSeeds(record));
  EXPECT_THAT(MethodsNotBegun(record), ElementsAre());
}

// A method whose searches were stopped before their first trial is named, too.
TEST(MethodDistributions, NameTheMethodsThatNeverBegan) {
  SearchRecord record;
  AddSearch(&record, "a", {4.0});
  AddSearch(&record, "b", {});
  EXPECT_THAT(MethodsNotBegun(record), ElementsAre("b"));
  EXPECT_FALSE(HasSeveralSeeds(record));
  AddSearch(&record, "b", {});
  EXPECT_THAT(MethodsNotBegun(record), ElementsAre("b"));
  EXPECT_TRUE(HasSeveralSeeds(record));
  const FindingTable table = TableOfQuartiles(record);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_THAT(std::vector(table.rows[1].begin(), table.rows[1].begin() + 3),
              ElementsAre("b", "not begun", "–"));
}

// "4 of 4 succeeded" of a sum that asks for nothing says that each search found a motion, and no more.
TEST(MethodDistributions, AWeightedSumHasNothingToSucceedIn) {
  SearchRecord record;
  AddSearch(&record, "a", {4.0});
  EXPECT_EQ(TableOfQuartiles(record).columns[1], "succeeded");
  record.has_conditions = false;
  EXPECT_EQ(TableOfQuartiles(record).columns[1], "found a motion");
}

TEST(CostBands, FollowTheBestSoFar) {
  SearchRecord record;
  AddSearch(&record, "a", {9.0, 4.0, 6.0});
  AddSearch(&record, "a", {INFINITY, 2.0});
  const CostBand trials = BandByTrials(record, "a");
  EXPECT_THAT(trials.at, ElementsAre(1, 2));  // the shortest has two
  EXPECT_THAT(trials.median, ElementsAre(INFINITY, 3.0));
  EXPECT_THAT(trials.lower_quartile, ElementsAre(INFINITY, 2.5));
  const CostBand seconds = BandBySeconds(record, "a");
  EXPECT_THAT(seconds.at, ElementsAre(0.25, 0.5, 0.5, 0.75));
  EXPECT_EQ(seconds.median.back(), 3.0);
  EXPECT_EQ(seconds.median.front(), INFINITY);
  EXPECT_TRUE(BandByTrials(record, "b").at.empty());
}

}  // namespace
}  // namespace pliant
