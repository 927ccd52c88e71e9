// What bad input is said to be.

#ifndef PLIANT_TESTS_REFERENCE_COMPLAINTS_H_
#define PLIANT_TESTS_REFERENCE_COMPLAINTS_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <concepts>
#include <string>
#include <vector>

#include "models/problem.h"

namespace pliant::reference {

// The test fails when there is nothing to complain about.
Problem ProblemOf(const std::invocable auto& act) {
  try {
    act();
  } catch (const BadInput& bad) {
    return bad.problem();
  }
  ADD_FAILURE() << "accepted";
  return {};
}
// Empty when there is nothing to complain about.
std::string ComplaintOf(const std::invocable auto& act) {
  try {
    act();
  } catch (const BadInput& bad) {
    return bad.what();
  }
  return "";
}
// With its place before it: "modes: no such file".
std::string PlacedComplaintOf(const std::invocable auto& act) {
  try {
    act();
  } catch (const BadInput& bad) {
    return bad.problem().where + ": " + bad.what();
  }
  return "";
}

// Where a check was called. std::source_location would say it, but not with the Clang 14 of the sanitizers.
struct Caller {
  const char* file = __builtin_FILE();
  int line = __builtin_LINE();
};

// It is bad input of this place, wherever it is if that is empty, and said in all these words.
void ExpectBadInput(const std::string& where, const std::vector<std::string>& words,
                    const std::invocable auto& act, const Caller& caller = {}) {
  const testing::ScopedTrace trace(caller.file, caller.line, "");
  const Problem problem = ProblemOf(act);
  EXPECT_EQ(problem.where, where.empty() ? problem.where : where);
  EXPECT_FALSE(problem.what.empty());
  const std::string complaint = problem.where + ": " + problem.what + "; " + problem.mend;
  for (const std::string& word : words) EXPECT_THAT(complaint, testing::HasSubstr(word));
}
void ExpectBadInput(const std::string& where, const std::invocable auto& act,
                    const Caller& caller = {}) {
  ExpectBadInput(where, {}, act, caller);
}

}  // namespace pliant::reference

#endif  // PLIANT_TESTS_REFERENCE_COMPLAINTS_H_
