#include "experiments/searches/distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace pliant {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void Add(double at, const std::vector<double>& costs, CostBand* band) {
  band->at.push_back(at);
  band->lower_quartile.push_back(Quantile(costs, 0.25));
  band->median.push_back(Quantile(costs, 0.5));
  band->upper_quartile.push_back(Quantile(costs, 0.75));
}

}  // namespace

std::vector<const SearchHistory*> HistoriesOf(const SearchRecord& record,
                                              const std::string& label) {
  std::vector<const SearchHistory*> histories;
  for (size_t s = 0; s < record.searches.size(); ++s) {
    const SearchHistory& history = record.histories[s];
    if (record.searches[s].label == label && !history.trials.empty()) {
      histories.push_back(&history);
    }
  }
  return histories;
}

double TrialsUntil(const SearchHistory& history, const std::function<bool(const Trial&)>& reached) {
  const auto first = std::ranges::find_if(history.trials, reached);
  if (first == history.trials.end()) return std::numeric_limits<double>::infinity();
  return static_cast<double>(first - history.trials.begin() + 1);
}

double Quantile(std::vector<double> values, double p) {
  std::sort(values.begin(), values.end());
  const double place = p * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(std::floor(place));
  const double share = place - static_cast<double>(below);
  if (share == 0.0 || values[below] == values[below + 1]) return values[below];  // ∞ too
  return values[below] + share * (values[below + 1] - values[below]);
}

std::string SuccessWord(const SearchRecord& record) {
  return record.has_conditions ? "succeeded" : "found a motion";
}

std::string SuccessText(const MethodDistribution& method) {
  std::string text = std::to_string(method.succeeded) + " of " + std::to_string(method.planned);
  const int not_begun = method.planned - method.searches, stopped = method.cut_short - not_begun;
  if (stopped > 0) text += "; " + std::to_string(stopped) + " stopped early";
  if (not_begun > 0) text += (stopped > 0 ? ", " : "; ") + std::to_string(not_begun) + " not begun";
  return text;
}

std::string IntervalText(const MethodDistribution& method) {
  const Interval rate = method.success_interval();
  return fmt::format("{:.0f} to {:.0f} %", 100.0 * rate.lower, 100.0 * rate.upper);
}

std::vector<std::string> MethodsNotBegun(const SearchRecord& record) {
  std::vector<std::string> labels;
  for (const RecordedSearch& search : record.searches) {
    if (!HistoriesOf(record, search.label).empty() ||
        std::find(labels.begin(), labels.end(), search.label) != labels.end())
      continue;
    labels.push_back(search.label);
  }
  return labels;
}

bool HasSeveralSeeds(const SearchRecord& record) {
  std::set<std::string> labels;
  for (const RecordedSearch& search : record.searches) labels.insert(search.label);
  return labels.size() < record.searches.size();
}

std::vector<MethodDistribution> Distributions(const SearchRecord& record) {
  std::vector<MethodDistribution> distributions;
  for (const RecordedSearch& search : record.searches) {
    const auto known =
        std::find_if(distributions.begin(), distributions.end(),
                     [&](const MethodDistribution& d) { return d.label == search.label; });
    const std::vector<const SearchHistory*> histories = HistoriesOf(record, search.label);
    if (known != distributions.end() || histories.empty()) continue;
    MethodDistribution& distribution = distributions.emplace_back();
    distribution.label = search.label;
    distribution.searches = static_cast<int>(histories.size());
    for (size_t s = 0; s < record.searches.size(); ++s) {
      if (record.searches[s].label != search.label) continue;
      const SearchHistory& history = record.histories[s];
      ++distribution.planned;
      distribution.cut_short += history.cancelled || history.trials.empty() ? 1 : 0;
    }
    std::vector<double> costs, violations, trials, seconds;
    for (const SearchHistory* history : histories) {
      const Trial* best = history->Best();
      costs.push_back(best == nullptr ? kInfinity : best->score.cost);
      violations.push_back(best == nullptr ? kInfinity : best->score.violation);
      trials.push_back(static_cast<double>(history->trials.size()));
      seconds.push_back(history->trials.back().seconds);
      distribution.succeeded += violations.back() == 0.0 ? 1 : 0;
    }
    distribution.best = Quantile(costs, 0.0);
    distribution.lower_quartile = Quantile(costs, 0.25);
    distribution.median = Quantile(costs, 0.5);
    distribution.upper_quartile = Quantile(costs, 0.75);
    distribution.worst = Quantile(costs, 1.0);
    distribution.median_violation = Quantile(violations, 0.5);
    distribution.median_trials = Quantile(trials, 0.5);
    distribution.median_seconds = Quantile(seconds, 0.5);
  }
  return distributions;
}

CostBand BandByTrials(const SearchRecord& record, const std::string& label) {
  const std::vector<const SearchHistory*> histories = HistoriesOf(record, label);
  size_t shortest = histories.empty() ? 0 : histories.front()->trials.size();
  for (const SearchHistory* history : histories) {
    shortest = std::min(shortest, history->trials.size());
  }
  CostBand band;
  std::vector<double> costs(histories.size());
  for (size_t t = 0; t < shortest; ++t) {
    for (size_t s = 0; s < histories.size(); ++s) costs[s] = histories[s]->trials[t].best_cost;
    Add(static_cast<double>(t + 1), costs, &band);
  }
  return band;
}

CostBand BandBySeconds(const SearchRecord& record, const std::string& label) {
  const std::vector<const SearchHistory*> histories = HistoriesOf(record, label);
  struct Step {
    double seconds;
    size_t search;
    double cost;
  };
  std::vector<Step> steps;
  double end = 0.0;
  for (size_t s = 0; s < histories.size(); ++s) {
    double best = kInfinity;
    for (const Trial& trial : histories[s]->trials) {
      end = std::max(end, trial.seconds);
      if (!(trial.best_cost < best)) continue;
      best = trial.best_cost;
      steps.push_back({trial.seconds, s, best});
    }
  }
  std::stable_sort(steps.begin(), steps.end(),
                   [](const Step& a, const Step& b) { return a.seconds < b.seconds; });
  CostBand band;
  std::vector<double> costs(histories.size(), kInfinity);
  for (const Step& step : steps) {
    costs[step.search] = step.cost;
    Add(step.seconds, costs, &band);
  }
  if (!steps.empty()) Add(end, costs, &band);
  return band;
}

}  // namespace pliant
