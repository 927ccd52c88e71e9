// What many seeds say of search methods, in tables: quartiles, trials to a target, and pairs of methods by a rank test.

#ifndef PLIANT_EXPERIMENTS_SEARCHES_METHOD_TABLES_H_
#define PLIANT_EXPERIMENTS_SEARCHES_METHOD_TABLES_H_

#include <optional>
#include <string>
#include <vector>

#include "experiments/searches/rank_test.h"
#include "experiments/searches/search_record.h"
#include "solvers/translation.h"

namespace pliant {

// The cost that counts as reached: the largest median among the methods' best costs, which every method reaches from half
// of its seeds. Absent where no method has a finite median.
std::optional<double> TargetOf(const SearchRecord& record);

// How many trials the searches of a label need to a cost ≤ target.
struct TrialsToTarget {
  std::string label;
  int searches = 0, reached = 0;
  double median = 0.0;  // over the searches; +∞ when fewer than half reach it
  // Trials of all searches, each up to its first success or its end, over the number of successes
  // [Hansen et al. 2009]: what restarts until the first success cost on average; +∞ without one.
  double expected = 0.0;
};
std::vector<TrialsToTarget> TrialsTo(double target, const SearchRecord& record);

// Two methods by their best costs.
struct MethodPair {
  std::string first, second;
  RankTest test;
  double adjusted_p = 1.0;  // for the number of pairs [Holm 1979]
};
std::vector<MethodPair> MethodPairs(const SearchRecord& record);

// "37 %" of a share of 0.372.
std::string PercentText(double share);
FindingTable TableOfQuartiles(const SearchRecord& record);
// Trials to the target, and pairs of methods. None when each method searched once: a single search proves little.
std::vector<FindingTable> TablesOfMethods(const SearchRecord& record);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SEARCHES_METHOD_TABLES_H_
