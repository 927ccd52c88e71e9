// Every reader of a file that somebody else may have written, as a function of bytes: what the fuzzer feeds, and what replays
// its corpus. A reader ends by itself or throws one of the errors that the program reports in one line; anything else is a
// finding.

#ifndef PLIANT_TESTS_FUZZ_READERS_H_
#define PLIANT_TESTS_FUZZ_READERS_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

struct FuzzedReader {
  std::string_view name;  // that of its folder in corpus/
  // Reads `input`, a file in `folder`, in which it may write others.
  void (*read)(const std::filesystem::path& input, const std::filesystem::path& folder);
};

const std::vector<FuzzedReader>& FuzzedReaders();

// Writes `bytes` to a file in `folder` and reads it. Returns what the reader says of it: "" where it finds nothing wrong. Throws
// what is no error of a file.
std::string ReadBytes(const FuzzedReader& reader, std::string_view bytes,
                      const std::filesystem::path& folder);

}  // namespace pliant

#endif  // PLIANT_TESTS_FUZZ_READERS_H_
