#include "app/plots/search_plots.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>

#include "experiments/searches/distribution.h"

namespace pliant {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr size_t kMostPanels = 6;
constexpr double kThin = 0.7;  // width of the lines of quartiles
// Above this ratio between the highest and the lowest cost an axis is logarithmic.
constexpr double kWideRange = 50.0;

enum Part { kTried, kCurrent, kBest };

bool IsDrawn(const Trial& trial) {
  return trial.score.failure.empty() && trial.score.violation == 0.0 &&
         std::isfinite(trial.score.cost);
}

// As long as the search has seen nothing but penalties there is nothing to draw either.
double DrawnCost(const std::vector<Trial>& trials, size_t t, Part part) {
  switch (part) {
    case kTried:
      return IsDrawn(trials[t]) ? trials[t].score.cost : kNan;
    case kCurrent: {
      size_t accepted = t;
      while (accepted > 0 && !trials[accepted].accepted) --accepted;
      return IsDrawn(trials[accepted]) ? trials[t].current_cost : kNan;
    }
    case kBest: {
      const bool any =
          std::any_of(trials.begin(), trials.begin() + static_cast<long>(t) + 1, IsDrawn);
      return any ? trials[t].best_cost : kNan;
    }
  }
  return kNan;
}

PlottedCurve CurveOf(const SearchHistory& history, Part part, const std::string& name,
                     const LineStyle& style) {
  PlottedCurve curve;
  curve.name = name;
  curve.style = style;
  for (size_t t = 0; t < history.trials.size(); ++t) {
    curve.x.push_back(static_cast<double>(t + 1));
    curve.y.push_back(DrawnCost(history.trials, t, part));
  }
  return curve;
}

std::string NameOf(const RecordedSearch& search) {
  return search.label + ", seed " + std::to_string(search.seed);
}

// The searches by what they found, the best first.
std::vector<size_t> Ranked(const SearchRecord& record) {
  std::vector<size_t> order(record.histories.size());
  std::iota(order.begin(), order.end(), 0);
  const auto cost = [&](size_t s) {
    const Trial* best = record.histories[s].Best();
    return best == nullptr ? INFINITY : best->score.cost;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return cost(a) < cost(b); });
  return order;
}

bool HasWideRange(const SearchRecord& record) {
  double lowest = INFINITY, highest = -INFINITY;
  for (const SearchHistory& history : record.histories) {
    for (const Trial& trial : history.trials) {
      if (!IsDrawn(trial)) continue;
      lowest = std::min(lowest, trial.score.cost);
      highest = std::max(highest, trial.score.cost);
    }
  }
  return lowest > 0.0 && highest > kWideRange * lowest;
}

void NoteTrialsLeftOut(const SearchRecord& record, Plot* plot) {
  size_t failed = 0, penalised = 0, all = 0;
  for (const SearchHistory& history : record.histories) {
    for (const Trial& trial : history.trials) {
      ++all;
      if (!trial.score.failure.empty()) {
        ++failed;
      } else if (trial.score.violation > 0.0) {
        ++penalised;
      }
    }
  }
  if (failed + penalised == 0) return;
  plot->notes.push_back("Not drawn: " + std::to_string(penalised) + " penalised and " +
                        std::to_string(failed) + " failed trials of " + std::to_string(all) + ".");
}

Plot CostPlot(const SearchRecord& record, const std::vector<size_t>& order, bool logarithmic) {
  Plot plot;
  plot.key = "cost";
  plot.title = "Cost of every trial";
  plot.reading =
      "Trials, accepted trials, and the best so far; where the accepted curve rises, an "
      "uphill move was accepted.";
  plot.x = {"trial", "1"};
  plot.common_y = true;
  std::vector<size_t> shown(order.begin(),
                            order.begin() + static_cast<long>(std::min(order.size(), kMostPanels)));
  std::sort(shown.begin(), shown.end());
  LineStyle tried = StyleOfPart(0), current = StyleOfPart(1);
  tried.width = 1.0;
  for (const size_t s : shown) {
    Panel& panel = plot.panels.emplace_back();
    panel.title = NameOf(record.searches[s]);
    panel.y = {"cost", "1", logarithmic};
    const SearchHistory& history = record.histories[s];
    panel.curves = {CurveOf(history, kTried, "tried", tried),
                    CurveOf(history, kCurrent, "accepted", current),
                    CurveOf(history, kBest, "best so far", StyleOfTotal())};
  }
  if (shown.size() < order.size()) {
    plot.notes.push_back("The " + std::to_string(shown.size()) + " best of " +
                         std::to_string(order.size()) + " searches.");
  }
  NoteTrialsLeftOut(record, &plot);
  return plot;
}

// One colour for each method.
Plot BestPlot(const SearchRecord& record, bool logarithmic) {
  Plot plot;
  plot.key = "best-cost";
  plot.title = "Best cost of every search";
  plot.reading =
      "Compares methods at the same number of trials, and shows how much the seed "
      "matters.";
  plot.x = {"trial", "1"};
  Panel& panel = plot.panels.emplace_back();
  panel.y = {"cost", "1", logarithmic};
  std::map<std::string, int> methods;
  for (size_t s = 0; s < record.searches.size(); ++s) {
    const std::string& label = record.searches[s].label;
    const int method =
        methods.emplace(label, static_cast<int>(methods.size()) % kPartStyles).first->second;
    panel.curves.push_back(CurveOf(record.histories[s], kBest, label, StyleOfPart(method)));
  }
  return plot;
}

bool HasSeeds(const SearchRecord& record) { return HasSeveralSeeds(record); }

// Median and quartiles of each method, and a level for each of the others, from when it is known.
Plot BandPlot(const SearchRecord& record, bool by_seconds) {
  Plot plot;
  plot.key = by_seconds ? "cost-by-seconds" : "cost-by-trials";
  plot.title = by_seconds ? "Best cost against computing time" : "Best cost against trials";
  plot.reading =
      "Each method over its seeds: the median, and thin lines for the quartiles, penalties "
      "included.";
  plot.x = by_seconds ? Axis{"computing", "s", true} : Axis{"trial", "1"};
  Panel& panel = plot.panels.emplace_back();
  double last = 0.0, lowest = INFINITY, highest = -INFINITY;
  int style = 0;
  for (const MethodDistribution& method : Distributions(record)) {
    const CostBand band =
        by_seconds ? BandBySeconds(record, method.label) : BandByTrials(record, method.label);
    if (band.at.empty()) continue;
    last = std::max(last, band.at.back());
    const auto add = [&](const std::vector<double>& costs, double width) {
      PlottedCurve curve;
      curve.name = method.label;
      curve.style = StyleOfPart(style);
      curve.style.width = width;
      curve.x = band.at;
      for (const double cost : costs) {
        const bool defined = std::isfinite(cost);
        curve.y.push_back(defined ? cost : kNan);
        if (!defined) continue;
        lowest = std::min(lowest, cost);
        highest = std::max(highest, cost);
      }
      panel.curves.push_back(std::move(curve));
    };
    add(band.median, StyleOfPart(style).width);
    add(band.lower_quartile, kThin);
    add(band.upper_quartile, kThin);
    style = (style + 1) % kPartStyles;
  }
  for (const RecordedOther& other : record.others) {
    if (!other.score.failure.empty()) continue;
    PlottedCurve level;
    level.name = other.label;
    level.style = StyleOfTotal();
    const double first = by_seconds ? other.seconds : 1.0;
    level.x = {first, std::max(last, first)};
    level.y = {other.score.cost, other.score.cost};
    lowest = std::min(lowest, other.score.cost);
    panel.curves.push_back(std::move(level));
  }
  panel.y = {"cost", "1", lowest > 0.0 && highest > kWideRange * lowest};
  return plot;
}

// Trials over which acceptance is averaged.
constexpr size_t kAcceptanceWindow = 50;

// The share of the last trials for which `holds`, after each.
template <typename Predicate>
PlottedCurve ShareOf(const SearchHistory& history, const std::string& name, const LineStyle& style,
                     const Predicate& holds) {
  PlottedCurve curve;
  curve.name = name;
  curve.style = style;
  const std::vector<Trial>& trials = history.trials;
  size_t count = 0;
  for (size_t t = 0; t < trials.size(); ++t) {
    count += holds(trials[t]) ? 1 : 0;
    if (t >= kAcceptanceWindow) count -= holds(trials[t - kAcceptanceWindow]) ? 1 : 0;
    curve.x.push_back(static_cast<double>(t + 1));
    curve.y.push_back(static_cast<double>(count) /
                      static_cast<double>(std::min(t + 1, kAcceptanceWindow)));
  }
  return curve;
}

Panel AcceptancePanel(const SearchHistory& history) {
  return {"",
          {"share accepted", "1"},
          {ShareOf(history, "all", StyleOfTotal(), [](const Trial& t) { return t.accepted; }),
           ShareOf(history, "worse, by chance", StyleOfPart(0),
                   [](const Trial& t) { return t.decision == Decision::kByChance; })}};
}

Plot TemperaturePlot(const SearchRecord& record, const std::vector<size_t>& order) {
  Plot plot;
  plot.key = "temperature";
  plot.title = "Temperature and acceptance";
  plot.reading =
      "Temperature at which uphill moves were accepted or not, of the best search; a gap is where "
      "it was being estimated. Below: the share of its last " +
      std::to_string(kAcceptanceWindow) +
      " trials that were accepted, and of those that were accepted though they were worse.";
  plot.x = {"trial", "1"};
  for (const size_t s : order) {
    const SearchHistory& history = record.histories[s];
    PlottedCurve curve;
    curve.name = NameOf(record.searches[s]);
    curve.style = StyleOfTotal();
    bool any = false;
    for (size_t t = 0; t < history.trials.size(); ++t) {
      curve.x.push_back(static_cast<double>(t + 1));
      curve.y.push_back(history.trials[t].temperature.value_or(kNan));
      any = any || history.trials[t].temperature;
    }
    if (!any) continue;
    plot.panels = {{"", {"temperature", "1"}, {curve}}, AcceptancePanel(history)};
    break;
  }
  return plot;
}

}  // namespace

std::vector<Plot> SearchPlots(const SearchRecord& record) {
  const std::vector<size_t> order = Ranked(record);
  const bool logarithmic = HasWideRange(record);
  std::vector<Plot> plots = {CostPlot(record, order, logarithmic)};
  if (record.searches.size() > 1) plots.push_back(BestPlot(record, logarithmic));
  if (HasSeeds(record)) {
    plots.push_back(BandPlot(record, /*by_seconds=*/false));
    plots.push_back(BandPlot(record, /*by_seconds=*/true));
  }
  if (Plot temperature = TemperaturePlot(record, order); !temperature.panels.empty()) {
    plots.push_back(std::move(temperature));
  }
  return plots;
}

}  // namespace pliant
