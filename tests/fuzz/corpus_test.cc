// Every file of the corpora ends as a run of its reader or as one line that says what is wrong with it: the seeds of the fuzzer,
// and what it once found.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "experiments/bundles/storage.h"
#include "tests/experiments/bundles/scratch.h"
#include "tests/fuzz/readers.h"
#include "tests/random_numbers.h"

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

// Bytes flipped, removed, repeated or exchanged, numbers made extreme: the same way in every run.
std::string Mutated(std::string bytes, RandomNumbers* random) {
  static const std::vector<std::string> kNumbers = {
      "0",   "-1",   "1e308", "-1e308", "1e-320", "nan",  "inf", "1e400", "0.5",
      "1e9", "-0.0", "true",  "[]",     "{}",     "\"\"", "2",   "1e-12", "100000"};
  const auto below = [random](size_t count) {
    return static_cast<size_t>(0.5 * (random->Number() + 1.0) * static_cast<double>(count));
  };
  const size_t changes = 1 + below(4);
  for (size_t change = 0; change < changes && !bytes.empty(); ++change) {
    const size_t at = below(bytes.size()), length = std::min(1 + below(24), bytes.size() - at);
    switch (below(6)) {
      case 0:
        bytes[at] = static_cast<char>(below(256));
        break;
      case 1:
        bytes.erase(at, length);
        break;
      case 2:
        bytes.insert(at, bytes.substr(at, length));
        break;
      case 3:
        std::swap(bytes[at], bytes[below(bytes.size())]);
        break;
      default: {  // the next number
        const size_t begin = bytes.find_first_of("0123456789", at);
        if (begin == std::string::npos) break;
        const size_t end = bytes.find_first_not_of("0123456789.eE", begin);
        bytes.replace(begin, std::min(end, bytes.size()) - begin, kNumbers[below(kNumbers.size())]);
      }
    }
  }
  return bytes;
}

// Of every seed PLIANT_MUTATIONS (100) of them.
TEST_P(Corpus, ChangedIsReadOrRefusedInOneLine) {
  const auto folder =
      std::filesystem::path(PLIANT_SOURCE_DIR) / "tests/fuzz/corpus" / GetParam().name;
  const char* asked = std::getenv("PLIANT_MUTATIONS");
  const int mutations = asked != nullptr ? std::atoi(asked) : 100;
  const ScratchFolder scratch;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string seed = ReadFile(entry.path());
    RandomNumbers random(2);
    for (int i = 0; i < mutations; ++i) {
      const std::string bytes = Mutated(seed, &random);
      std::string said;
      ASSERT_NO_THROW(said = ReadBytes(GetParam(), bytes, scratch.path()))
          << entry.path() << ", mutation " << i << "\n"
          << bytes;
      ASSERT_EQ(std::ranges::count(said, '\n'), 0) << said;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Readers, Corpus, testing::ValuesIn(FuzzedReaders()),
                         [](const auto& reader) {
                           std::string name(reader.param.name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace pliant
