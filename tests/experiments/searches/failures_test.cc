// Reasons for which trials failed, counted.

#include "experiments/searches/failures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pliant {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

SearchRecord RecordOfFailures(const std::vector<std::string>& failures) {
  SearchRecord record;
  record.histories.resize(2);
  for (size_t i = 0; i < failures.size(); ++i) {
    record.histories[i % 2].trials.emplace_back().score.failure = failures[i];
  }
  return record;
}

TEST(TableOfFailures, HasTheMostFrequentFirst) {
  const FindingTable table =
      TableOfFailures(RecordOfFailures({"refused", "", "diverged at step 2", "diverged at step 17",
                                        "refused", "diverged at step 2"}));
  EXPECT_THAT(table.rows,
              ElementsAre(ElementsAre("3", "diverged at step 2"), ElementsAre("2", "refused")));
  EXPECT_EQ(table.remark, "Reasons that differ in their numbers are one, with the first's.");
}

TEST(TableOfFailures, IsEmptyWhereNoneFailedAndCountsTheRest) {
  EXPECT_THAT(TableOfFailures(RecordOfFailures({"", ""})).rows, IsEmpty());
  const FindingTable many =
      TableOfFailures(RecordOfFailures({"a", "b", "c", "d", "e", "f", "g", "g"}));
  EXPECT_EQ(many.rows.size(), 5u);
  EXPECT_EQ(many.rows[0][1], "g");
  EXPECT_EQ(many.remark, "2 more reasons are in optimization.json.");
}

}  // namespace
}  // namespace pliant
