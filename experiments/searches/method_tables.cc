#include "experiments/searches/method_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "experiments/searches/distribution.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr double kNotReached = std::numeric_limits<double>::infinity();

std::string CostWord(double value) { return std::isfinite(value) ? Digits(value, 5) : "–"; }

struct BestCosts {
  std::string label;
  std::vector<double> costs;  // of each search that made a trial; +∞ without a motion
};

std::vector<BestCosts> BestCostsOf(const SearchRecord& record) {
  std::vector<BestCosts> all;
  for (const MethodDistribution& method : Distributions(record)) {
    BestCosts& best = all.emplace_back();
    best.label = method.label;
    for (const SearchHistory* history : HistoriesOf(record, method.label)) {
      const Trial* trial = history->Best();
      best.costs.push_back(trial == nullptr ? kNotReached : trial->score.cost);
    }
  }
  return all;
}

void Adjust(std::vector<MethodPair>* pairs) {
  std::vector<size_t> order(pairs->size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return (*pairs)[a].test.p < (*pairs)[b].test.p; });
  double largest = 0.0;
  for (size_t i = 0; i < order.size(); ++i) {
    MethodPair& pair = (*pairs)[order[i]];
    largest = std::max(largest, static_cast<double>(order.size() - i) * pair.test.p);
    pair.adjusted_p = std::min(1.0, largest);
  }
}

FindingTable TableOfTrials(double target, const SearchRecord& record) {
  FindingTable table;
  table.title = "Trials to the target";
  table.columns = {"method", "reach it", "median", "expected"};
  table.remark = fmt::format(
      "The target is a cost of {}, the largest of the methods' medians. Median: – where half of "
      "the "
      "searches or more do not reach it. Expected: trials of all searches, up to it or to their "
      "end, "
      "for each that reaches it.",
      CostWord(target));
  for (const TrialsToTarget& to : TrialsTo(target, record)) {
    table.rows.push_back({to.label, fmt::format("{} of {}", to.reached, to.searches),
                          CostWord(to.median), CostWord(to.expected)});
  }
  return table;
}

FindingTable TableOfPairs(const SearchRecord& record) {
  FindingTable table;
  table.title = "Methods against each other";
  table.columns = {"first",        "second", "first is better", "95 % interval", "p",
                   "p, all pairs", "says"};
  table.remark =
      "First is better: the probability that a search by the first method ends at a lower cost "
      "than one by the second, "
      "50 % where they are alike. p: two-sided, by ranks [Mann & Whitney 1947]; of all pairs, as "
      "of Holm.";
  for (const MethodPair& pair : MethodPairs(record)) {
    const bool shown = pair.adjusted_p < 0.05;
    table.rows.push_back(
        {pair.first, pair.second, PercentText(pair.test.better),
         fmt::format("{} to {}", PercentText(pair.test.lower), PercentText(pair.test.upper)),
         fmt::format("{:.2g}", pair.test.p), fmt::format("{:.2g}", pair.adjusted_p),
         !shown                   ? "no difference is shown"
         : pair.test.better > 0.5 ? pair.first + " is better"
                                  : pair.second + " is better"});
  }
  return table;
}

}  // namespace

std::optional<double> TargetOf(const SearchRecord& record) {
  std::optional<double> target;
  for (const MethodDistribution& method : Distributions(record)) {
    if (std::isfinite(method.median))
      target = std::max(target.value_or(method.median), method.median);
  }
  return target;
}

std::vector<TrialsToTarget> TrialsTo(double target, const SearchRecord& record) {
  std::vector<TrialsToTarget> all;
  for (const MethodDistribution& method : Distributions(record)) {
    TrialsToTarget& to = all.emplace_back();
    to.label = method.label;
    std::vector<double> needed;
    double made = 0.0;
    for (const SearchHistory* history : HistoriesOf(record, method.label)) {
      needed.push_back(TrialsUntil(*history, [target](const Trial& trial) {
        return trial.score.failure.empty() && trial.score.cost <= target;
      }));
      made += std::min(needed.back(), static_cast<double>(history->trials.size()));
      to.reached += std::isfinite(needed.back()) ? 1 : 0;
    }
    to.searches = static_cast<int>(needed.size());
    to.median = Quantile(needed, 0.5);
    to.expected = to.reached > 0 ? made / to.reached : kNotReached;
  }
  return all;
}

std::vector<MethodPair> MethodPairs(const SearchRecord& record) {
  const std::vector<BestCosts> methods = BestCostsOf(record);
  std::vector<MethodPair> pairs;
  for (size_t a = 0; a < methods.size(); ++a) {
    for (size_t b = a + 1; b < methods.size(); ++b) {
      pairs.push_back(
          {methods[a].label, methods[b].label, CompareByRanks(methods[a].costs, methods[b].costs)});
    }
  }
  Adjust(&pairs);
  return pairs;
}

std::string PercentText(double share) { return fmt::format("{:.0f} %", 100.0 * share); }

FindingTable TableOfQuartiles(const SearchRecord& record) {
  FindingTable table;
  table.title = "Methods over their seeds";
  table.columns = {
      "method", SuccessWord(record), "95 % interval", "best",           "lower quartile",
      "median", "upper quartile",    "worst",         "median time [s]"};
  for (const MethodDistribution& method : Distributions(record)) {
    table.rows.push_back({method.label, SuccessText(method), IntervalText(method),
                          CostWord(method.best), CostWord(method.lower_quartile),
                          CostWord(method.median), CostWord(method.upper_quartile),
                          CostWord(method.worst), fmt::format("{:.3f}", method.median_seconds)});
  }
  for (const std::string& label : MethodsNotBegun(record)) {
    std::vector<std::string>& row = table.rows.emplace_back(table.columns.size(), "–");
    row[0] = label;
    row[1] = "not begun";
  }
  return table;
}

std::vector<FindingTable> TablesOfMethods(const SearchRecord& record) {
  const std::vector<MethodDistribution> methods = Distributions(record);
  if (!HasSeveralSeeds(record) || methods.empty()) return {};
  std::vector<FindingTable> tables;
  if (const auto target = TargetOf(record)) tables.push_back(TableOfTrials(*target, record));
  if (methods.size() > 1) tables.push_back(TableOfPairs(record));
  return tables;
}

}  // namespace pliant
