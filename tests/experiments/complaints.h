// What the tests of bad files share: what was said, the place of a text, and a complaint at a
// place.

#ifndef PLIANT_TESTS_EXPERIMENTS_COMPLAINTS_H_
#define PLIANT_TESTS_EXPERIMENTS_COMPLAINTS_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "experiments/files/experiment.h"

namespace pliant {

// What `read` says about a file; "" when it finds nothing wrong.
template <typename Read>
std::string FileErrorOf(Read&& read) {
  try {
    read();
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

// "line:column", counted from 1, of the first occurrence of `text` at or after the index `from`.
inline std::string PlaceOfText(const std::string& whole, const std::string& text, size_t from = 0) {
  const size_t at = whole.find(text, from);
  if (at == std::string::npos) {
    ADD_FAILURE() << "no '" << text << "' in the file";
    return "";
  }
  const auto line = 1 + std::count(whole.begin(), whole.begin() + static_cast<long>(at), '\n');
  const size_t newline = at == 0 ? std::string::npos : whole.rfind('\n', at - 1);
  const size_t column = newline == std::string::npos ? at + 1 : at - newline;
  return std::to_string(line) + ":" + std::to_string(column);
}

// Its line alone: for tests that name the key whose value is complained about.
inline std::string LineOfText(const std::string& whole, const std::string& text) {
  const std::string place = PlaceOfText(whole, text);
  return place.substr(0, place.find(':'));
}

// `error` is one line that starts with "file:place:", a line or line:column, and says all the
// words.
template <typename Words>
void ExpectComplaint(const std::string& error, const std::string& file, const std::string& place,
                     const Words& says) {
  EXPECT_THAT(error, testing::StartsWith(file + ":" + place + ":"));
  for (const auto& words : says) EXPECT_THAT(error, testing::HasSubstr(words));
  EXPECT_THAT(error, testing::Not(testing::HasSubstr("\n")));
}

}  // namespace pliant

#endif  // PLIANT_TESTS_EXPERIMENTS_COMPLAINTS_H_
