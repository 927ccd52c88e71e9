// Search methods over a set of problems, each searched by all methods from several seeds.
//
//   solved        a trial without a violation costs at most the target of its problem, f* + τ (f₀ − f*), where f₀ is the cost of the
//                 start, and f* the least without a violation that any search found there [Moré & Wild 2009, Eq. 2.2]
//   expected      trials of all searches of a method in a problem, each up to its first success or its end, for each success
//                 [Hansen et al. 2009]
//   performance   ρ(α), the share of problems in which a method expects at most α times the trials of the best method there
//                 [Dolan & Moré 2002]
//   data          d(k), the share of searches, over all problems and seeds, that are solved within k trials
//
// Both depend on the methods that are compared: f* and the best method are theirs.

#ifndef PLIANT_EXPERIMENTS_SEARCHES_PROFILES_H_
#define PLIANT_EXPERIMENTS_SEARCHES_PROFILES_H_

#include <string>
#include <vector>

#include "experiments/comparison/statistics.h"
#include "experiments/searches/search_record.h"
#include "solvers/translation.h"

namespace pliant {

struct SearchedProblem {
  std::string name;
  SearchRecord record;
};

struct MethodProfile {
  std::string label;
  int searches = 0, solved = 0;  // over all problems
  Interval rate;                 // of 95 % [Wilson 1927], of `solved` in `searches`
  int problems = 0;              // of which one search at least is solved
  std::vector<int> solved_in;    // of each problem
  std::vector<double> expected;  // trials in each problem; +∞ where no search is solved
  std::vector<double> ratios;  // to the least of all methods there; +∞ where no search is solved
  std::vector<double> trials;  // of each solved search, ascending

  double Performance(double ratio) const;  // ρ
  double Solved(double trials) const;      // d
};

struct Profiles {
  std::vector<std::string> problems;
  std::vector<double> least, targets;  // f* and the target of each
  std::vector<MethodProfile> methods;
  std::vector<std::string>
      remarks;  // what is not as it should be: budgets that differ, searches that were stopped
};

// Throws BadInput where a problem lacks a method of another, or has no target: its start has no cost, or no search found a motion
// without a violation. `tolerance`: τ in (0, 1).
Profiles ProfilesOf(const std::vector<SearchedProblem>& problems, double tolerance);

// Methods; both profiles at some places; expected trials in each problem.
std::vector<FindingTable> TablesOfProfiles(const Profiles& profiles);
// Both profiles with all their steps: profile,method,at,share.
std::string CsvOfProfiles(const Profiles& profiles);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SEARCHES_PROFILES_H_
