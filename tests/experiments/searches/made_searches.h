// Searches that were never made, with the costs that a test wants.

#ifndef PLIANT_TESTS_EXPERIMENTS_SEARCHES_MADE_SEARCHES_H_
#define PLIANT_TESTS_EXPERIMENTS_SEARCHES_MADE_SEARCHES_H_

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "experiments/searches/search_record.h"

namespace pliant {

// A search that finds these costs, a trial every `seconds`; an infinite cost is a failure.
inline void AddSearch(SearchRecord* record, const std::string& label,
                      const std::vector<double>& costs, double violation = 0.0,
                      double seconds = 0.25) {
  record->searches.push_back({label, label, record->searches.size() + 1});
  SearchHistory& history = record->histories.emplace_back();
  double best = INFINITY;
  for (const double cost : costs) {
    Trial& trial = history.trials.emplace_back();
    trial.score.cost = cost;
    trial.score.violation = violation;
    if (!std::isfinite(cost)) trial.score.failure = "diverged";
    best = std::min(best, cost);
    trial.best_cost = best;
    trial.seconds = seconds * static_cast<double>(history.trials.size());
  }
}

}  // namespace pliant

#endif  // PLIANT_TESTS_EXPERIMENTS_SEARCHES_MADE_SEARCHES_H_
