#include "app/plots/contact_force_plot.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "experiments/bundles/first_contact.h"

namespace pliant {
namespace {

std::vector<std::string> PairsOf(const std::vector<RunSeries>& runs) {
  std::vector<std::string> pairs;
  for (const RunSeries& run : runs) {
    for (const SeriesColumn& column : run.columns) {
      const std::optional<std::string> pair = PairOfContactForce(column);
      if (pair && std::ranges::find(pairs, *pair) == pairs.end()) pairs.push_back(*pair);
    }
  }
  return pairs;
}

// The force of a pair over time; absent where the run has no column of it.
std::optional<PlottedCurve> ForceOf(const std::string& pair, const RunSeries& run,
                                    const LineStyle& style) {
  const auto column = std::ranges::find_if(run.columns, [&](const SeriesColumn& candidate) {
    return PairOfContactForce(candidate) == pair;
  });
  if (column == run.columns.end()) return std::nullopt;
  return CurveOf(run, static_cast<size_t>(column - run.columns.begin()), run.label, style);
}

bool Touches(const Panel& panel) {
  return std::ranges::any_of(panel.curves, [](const PlottedCurve& curve) {
    return std::ranges::any_of(curve.y, [](double force) { return force > 0.0; });
  });
}

std::vector<std::string> RunsWithoutForces(const std::vector<RunSeries>& runs) {
  std::vector<std::string> without;
  for (const RunSeries& run : runs) {
    if (PairsOf({run}).empty()) without.push_back(run.label);
  }
  return without;
}

}  // namespace

Plot ContactForcePlot(const std::vector<RunSeries>& runs, const std::vector<LineStyle>& styles) {
  Plot plot;
  plot.key = "contact-force";
  plot.title = "Contact forces";
  plot.reading =
      "Magnitude of the resultant of each pair, friction included; a touch between two records "
      "does not show.";
  plot.x = {"time", "s", false};
  std::vector<std::string> untouched;
  size_t touched = 0;
  for (const std::string& pair : PairsOf(runs)) {
    Panel panel{"", {"contact force of " + pair, "N", false}, {}};
    for (size_t i = 0; i < runs.size(); ++i) {
      if (auto curve = ForceOf(pair, runs[i], styles[i])) panel.curves.push_back(std::move(*curve));
    }
    if (!Touches(panel)) {
      untouched.push_back(pair);
    } else if (++touched <= kMostRunPanels) {
      plot.panels.push_back(std::move(panel));
    }
  }
  if (!untouched.empty()) plot.notes.push_back("0 in every record: " + Join(untouched) + ".");
  if (touched > kMostRunPanels) {
    plot.notes.push_back("The first " + std::to_string(kMostRunPanels) + " of " +
                         std::to_string(touched) + " pairs that touch.");
  }
  const std::vector<std::string> without = RunsWithoutForces(runs);
  if (!without.empty()) plot.notes.push_back("Not defined for " + Join(without) + ".");
  return plot;
}

}  // namespace pliant
