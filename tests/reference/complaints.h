// What bad input is said to be.

#ifndef PLIANT_TESTS_REFERENCE_COMPLAINTS_H_
#define PLIANT_TESTS_REFERENCE_COMPLAINTS_H_

#include <concepts>
#include <string>

#include "models/problem.h"

namespace pliant::reference {

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

}  // namespace pliant::reference

#endif  // PLIANT_TESTS_REFERENCE_COMPLAINTS_H_
