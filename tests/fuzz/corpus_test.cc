// Every file of the corpora ends as a run of its reader or as one line that says what is wrong with it: the seeds of the fuzzer,
// and what it once found.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "experiments/bundles/storage.h"
#include "tests/experiments/bundles/scratch.h"
#include "tests/fuzz/readers.h"

namespace pliant {
namespace {

class Corpus : public testing::TestWithParam<FuzzedReader> {};

TEST_P(Corpus, IsReadOrRefusedInOneLine) {
  const auto folder =
      std::filesystem::path(PLIANT_SOURCE_DIR) / "tests/fuzz/corpus" / GetParam().name;
  const ScratchFolder scratch;
  int seeds = 0, read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path());
    std::string said;
    ASSERT_NO_THROW(said = ReadBytes(GetParam(), ReadFile(entry.path()), scratch.path()));
    EXPECT_EQ(std::ranges::count(said, '\n'), 0) << said;
    if (entry.path().filename().string().starts_with("seed")) {
      ++seeds;
      read += said.empty() ? 1 : 0;
      EXPECT_EQ(said, "");
    }
  }
  EXPECT_GT(seeds, 0);
  EXPECT_EQ(read, seeds);
}

INSTANTIATE_TEST_SUITE_P(Readers, Corpus, testing::ValuesIn(FuzzedReaders()),
                         [](const auto& reader) {
                           std::string name(reader.param.name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace pliant
