// Matchers for what a text must contain.

#ifndef PLIANT_TESTS_SAYS_H_
#define PLIANT_TESTS_SAYS_H_

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/says.h"

namespace pliant {

// All of these words, in any order.
inline testing::Matcher<std::string> Says(const std::vector<std::string>& words) {
  std::vector<testing::Matcher<std::string>> each;
  for (const std::string& word : words) each.push_back(testing::HasSubstr(word));
  return testing::AllOfArray(each);
}

}  // namespace pliant

#endif  // PLIANT_TESTS_SAYS_H_
