// What many seeds say of methods: trials to a target, pairs by ranks.

#include "experiments/searches/method_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/experiments/searches/made_searches.h"

namespace pliant {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A trial a second.
void AddFound(SearchRecord* record, const std::string& label, const std::vector<double>& costs) {
  AddSearch(record, label, costs, 0.0, 1.0);
}

// Method a reaches 4 after 2, 3 and no trials, b after 1 and 1.
SearchRecord TwoMethodsFound() {
  SearchRecord record;
  AddFound(&record, "a", {9.0, 4.0, 6.0});
  AddFound(&record, "a", {INFINITY, 7.0, 3.0});
  AddFound(&record, "a", {8.0, 5.0, 5.5, 6.0});
  AddFound(&record, "b", {2.0, 1.0});
  AddFound(&record, "b", {1.5});
  return record;
}

TEST(TrialsToTarget, CountsThoseUpToTheFirstSuccessAndAllOfTheOthers) {
  const std::vector<TrialsToTarget> trials = TrialsTo(4.0, TwoMethodsFound());
  ASSERT_EQ(trials.size(), 2u);
  EXPECT_EQ(trials[0].label, "a");
  EXPECT_EQ(trials[0].reached, 2);
  EXPECT_EQ(trials[0].searches, 3);
  EXPECT_EQ(trials[0].median, 3.0);
  EXPECT_EQ(trials[0].expected, (2.0 + 3.0 + 4.0) / 2.0);
  EXPECT_EQ(trials[1].expected, 1.0);
  const std::vector<TrialsToTarget> none = TrialsTo(0.5, TwoMethodsFound());
  EXPECT_EQ(none[0].reached, 0);
  EXPECT_EQ(none[0].expected, INFINITY);
  EXPECT_EQ(none[0].median, INFINITY);
}

TEST(TrialsToTarget, TheTargetIsTheLargestMedian) {
  EXPECT_EQ(TargetOf(TwoMethodsFound()), 4.0);
  SearchRecord without;
  AddFound(&without, "a", {INFINITY});
  EXPECT_EQ(TargetOf(without), std::nullopt);
}

TEST(MethodPairs, CompareTheBestCostsOfAllSeeds) {
  const std::vector<MethodPair> pairs = MethodPairs(TwoMethodsFound());
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].first, "a");
  EXPECT_EQ(pairs[0].second, "b");
  EXPECT_EQ(pairs[0].test.better, 0.0);
  EXPECT_NEAR(pairs[0].test.p, 0.2, 1e-12);  // 2 of the 10 orders
  EXPECT_EQ(pairs[0].adjusted_p, pairs[0].test.p);
}

// Holm: the smallest p times the number of pairs, the next times one less, and none below the one before.
TEST(MethodPairs, AdjustForTheirNumber) {
  SearchRecord record;
  for (int i = 0; i < 6; ++i) {
    AddFound(&record, "a", {1.0 + 0.01 * i});
    AddFound(&record, "b", {2.0 + 0.01 * i});
    AddFound(&record, "c", {2.005 + 0.01 * i});
  }
  const std::vector<MethodPair> pairs = MethodPairs(record);
  ASSERT_EQ(pairs.size(), 3u);
  const double least = 2.0 / 924.0;  // of the orders of 6 and 6
  EXPECT_NEAR(pairs[0].test.p, least, 1e-12);
  EXPECT_NEAR(pairs[0].adjusted_p, 3.0 * least, 1e-12);
  EXPECT_NEAR(pairs[1].adjusted_p, 3.0 * least, 1e-12);
  EXPECT_EQ(pairs[2].adjusted_p, pairs[2].test.p);
  EXPECT_GT(pairs[2].test.p, 0.3);
}

TEST(MethodTables, SayWhatIsShownAndWhatIsNot) {
  const std::vector<FindingTable> tables = TablesOfMethods(TwoMethodsFound());
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_THAT(tables[0].rows[0], ElementsAre("a", "2 of 3", "3", "4.5"));
  EXPECT_THAT(tables[0].remark, HasSubstr("a cost of 4, the largest of the methods"));
  EXPECT_THAT(tables[1].rows[0],
              ElementsAre("a", "b", "0 %", testing::_, "0.2", "0.2", "no difference is shown"));
  EXPECT_EQ(TableOfQuartiles(TwoMethodsFound()).rows.size(), 2u);
  SearchRecord single;
  AddFound(&single, "a", {1.0});
  AddFound(&single, "b", {2.0});
  EXPECT_TRUE(TablesOfMethods(single).empty());
}

}  // namespace
}  // namespace pliant
