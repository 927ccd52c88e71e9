// A list of numbers of an experiment that are edited together: one per level, share, mode, servo or
// link. The rules of a drag, without a window.

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
  bool is_whole = false;            // shares whose sum is one
  std::vector<std::string> labels;  // of the columns: level, mode, servo, link
  std::vector<Range> ranges;        // of each column
  std::vector<double> values;       // row by row (stages), one value per column
  std::vector<size_t> sizes;        // possible numbers of values; 1: one value for all columns

  // The path of the list in the tree of the experiment, and the value to write there.
  std::vector<std::string> path;
  std::function<FileValue(const std::vector<double>& values)> write;
};

struct NumberMove {
  std::vector<double> values;
  std::string why;  // why the values differ from the request; else empty
};

// Moves value `place` of the list to `to` within its range. Other shares of a whole are scaled in
// proportion, or set equal where they are all zero.
NumberMove Moved(const NumberList& list, size_t place, double to);

// The values of the list when their number changes to `size`: one for all columns, or one per
// column. When shares are dropped, the last remaining one takes over their sum.
std::vector<double> Resized(const NumberList& list, size_t size);

// The axis of the drawing of a list.
struct NumberScale {
  double lower = 0.0, upper = 1.0;
  bool infinite = false;  // does the axis end with ∞?
  double grain = 0.01;    // drags are rounded to multiples of it
};
NumberScale ScaleOf(const NumberList& list);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_EDITORS_NUMBER_LIST_H_
