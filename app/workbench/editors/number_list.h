// A few numbers of an experiment that belong together and are edited together: one for each level,
// share, mode, servo or link. What a drag may do to them is said here, without a window.

#ifndef PLIANT_APP_WORKBENCH_EDITORS_NUMBER_LIST_H_
#define PLIANT_APP_WORKBENCH_EDITORS_NUMBER_LIST_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "experiments/files/document.h"
#include "solvers/parameters.h"

namespace pliant {

struct NumberList {
  enum class Look { kCurve, kBars };

  std::string title, unit, meaning;
  Look look = Look::kCurve;
  bool is_whole = false;            // shares: their sum is one
  std::vector<std::string> labels;  // of the places: level, mode, servo, link
  std::vector<Range> ranges;        // of each place
  std::vector<double> values;       // row after row (stages), each with a value for each place
  std::vector<size_t> sizes;        // other numbers of values it may have: 1 is "all alike"

  // Where it stands in the experiment's tree, and what to put there.
  std::vector<std::string> path;
  std::function<FileValue(const std::vector<double>& values)> write;
};

struct NumberMove {
  std::vector<double> values;
  std::string told;  // why it is not what was asked for; empty when it is
};

// Value `place` of the list moved to `to`: kept within its range; the other shares of a whole give
// way in proportion, or alike where there is nothing in them.
NumberMove Moved(const NumberList& list, size_t place, double to);

// With another number of values: 1 ↔ one for each place; shares that go are given to the last.
std::vector<double> Resized(const NumberList& list, size_t size);

// The axis that a list is drawn on.
struct NumberScale {
  double lower = 0.0, upper = 1.0;
  bool infinite = false;  // is there ∞ above it?
  double grain = 0.01;    // what drags are rounded to
};
NumberScale ScaleOf(const NumberList& list);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_EDITORS_NUMBER_LIST_H_
