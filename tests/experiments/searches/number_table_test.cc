// The numbers that a search found, with their bounds.

#include "experiments/searches/number_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/experiments/searches/made_searches.h"

namespace pliant {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

SearchRecord Found() {
  SearchRecord record;
  AddSearch(&record, "a", {9.0, 4.0});
  record.numbers = {"x", "y", "z"};
  record.lower = {0.0, -1.0, 0.0};
  record.upper = {1.0, 1.0, 1.0};
  record.histories[0].trials[0].numbers = Eigen::Vector3d(0.5, 0.25, 0.5);
  record.histories[0].trials[1].numbers = Eigen::Vector3d(1.0, -1.0, 0.123456789);
  return record;
}

TEST(TableOfNumbers, SaysWhereItBeganWhatItFoundAndWhichBoundItTouches) {
  const FindingTable table = TableOfNumbers(Found());
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_THAT(table.rows[0], ElementsAre("x", "0.5", "1", "0", "1", "upper"));
  EXPECT_THAT(table.rows[1], ElementsAre("y", "0.25", "-1", "-1", "1", "lower"));
  EXPECT_THAT(table.rows[2], ElementsAre("z", "0.5", "0.12346", "0", "1", ""));
  EXPECT_THAT(table.remark, HasSubstr("Beyond a bound"));
}

TEST(TableOfNumbers, NoNumberAtABoundNoBoundsAndNoMotion) {
  SearchRecord record = Found();
  record.histories[0].trials[1].numbers = Eigen::Vector3d(0.9, 0.0, 0.1);
  EXPECT_THAT(TableOfNumbers(record).remark, Not(HasSubstr("Beyond a bound")));
  record.lower.clear();
  record.upper.clear();
  EXPECT_THAT(TableOfNumbers(record).rows[0], ElementsAre("x", "0.5", "0.9", "–", "–", ""));
  SearchRecord none;
  AddSearch(&none, "a", {INFINITY});
  none.numbers = {"x"};
  EXPECT_TRUE(TableOfNumbers(none).rows.empty());
}

}  // namespace
}  // namespace pliant
