// The results of a method from many seeds, as a distribution, since a single search proves little.

#ifndef PLIANT_EXPERIMENTS_SEARCHES_DISTRIBUTION_H_
#define PLIANT_EXPERIMENTS_SEARCHES_DISTRIBUTION_H_

#include <functional>
#include <string>
#include <vector>

#include "experiments/comparison/statistics.h"
#include "experiments/searches/search_record.h"

namespace pliant {

// Of the searches of a label that made a trial, in their order.
std::vector<const SearchHistory*> HistoriesOf(const SearchRecord& record, const std::string& label);

// The number of trials of a search up to the first that has `reached` something; +∞ when none has.
double TrialsUntil(const SearchHistory& history, const std::function<bool(const Trial&)>& reached);

// Quantile p in [0, 1] of `values`, at least one, between neighbours in proportion: of n sorted
// values the one at place p (n − 1). Infinite values are larger than all others.
double Quantile(std::vector<double> values, double p);

// The distribution of the best costs of the searches of one label.
struct MethodDistribution {
  std::string label;
  int searches = 0;  // that made a trial
  int planned = 0;   // these and those without a trial
  int cut_short =
      0;  // of the planned ones: ended by the user before their budget, or without a trial
  int succeeded = 0;  // whose best trial violates no condition
  // +∞ for searches without a motion.
  double best = 0.0, lower_quartile = 0.0, median = 0.0, upper_quartile = 0.0, worst = 0.0;
  double median_violation = 0.0;  // of the best trials, in tolerances
  double median_trials = 0.0;     // made
  double median_seconds = 0.0;    // taken

  double success_rate() const { return static_cast<double>(succeeded) / searches; }
  Interval success_interval() const { return RateInterval(succeeded, searches); }  // of 95 %
};

// What a search is counted for in SuccessText(): "succeeded", or "found a motion" where there is nothing else to succeed in.
std::string SuccessWord(const SearchRecord& record);
// "30 to 95 %", the interval of the success rate.
std::string IntervalText(const MethodDistribution& method);
// "3 of 4 succeeded" without the last word; of searches that were cancelled "3 of 20; 2 stopped early, 16 not begun".
std::string SuccessText(const MethodDistribution& method);

// One for each label, in the order of the searches; those without a trial are left out.
std::vector<MethodDistribution> Distributions(const SearchRecord& record);
// The labels that are left out.
std::vector<std::string> MethodsNotBegun(const SearchRecord& record);
// Whether a label has several searches.
bool HasSeveralSeeds(const SearchRecord& record);

// Median and quartiles of the best cost so far, over the searches of a label.
struct CostBand {
  std::vector<double> at;                                      // trials, or seconds
  std::vector<double> lower_quartile, median, upper_quartile;  // +∞ where there is no motion yet
};
// The band after each trial, up to the end of the shortest search.
CostBand BandByTrials(const SearchRecord& record, const std::string& label);
// The band at each time at which a search of the label finds a better motion; a search that has
// ended keeps its result.
CostBand BandBySeconds(const SearchRecord& record, const std::string& label);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SEARCHES_DISTRIBUTION_H_
