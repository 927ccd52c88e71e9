#include "app/plots/extras_plots.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace pliant {
namespace {

bool SpansDecades(const PlottedCurve& curve) {
  double least = std::numeric_limits<double>::infinity(), most = 0.0;
  for (const double y : curve.y) {
    if (!std::isfinite(y)) continue;
    least = std::min(least, y);
    most = std::max(most, y);
  }
  return least > 0.0 && most > 1e3 * least;
}

// Contact by pairs of bodies and obstacles has columns in several formulations; forces have a figure of their own, impulses
// and work of friction are in series.csv.
bool IsOfAPair(const SeriesColumn& column) {
  return column.name.starts_with("contact_impulse_") || column.name.starts_with("contact_force.") ||
         column.name.starts_with("friction_work.");
}

// Panels of one title are of several formulations: each is named after its own, and so is the note of the panel. `ids` are
// formulation/column of each.
void TellApart(const std::vector<std::string>& ids, Plot* plot) {
  std::vector<std::string> titles;
  for (const Panel& panel : plot->panels) titles.push_back(panel.title);
  for (size_t i = 0; i < titles.size(); ++i) {
    if (std::ranges::count(titles, titles[i]) < 2) continue;
    plot->panels[i].title += ", " + ids[i].substr(0, ids[i].find('/'));
    plot->notes[i].replace(0, titles[i].size(), plot->panels[i].title);
  }
}

}  // namespace

Plot ProbesPlot(const std::vector<RunSeries>& runs, const std::vector<LineStyle>& styles) {
  Plot plot;
  plot.key = "probes";
  plot.title = "Probes";
  plot.reading =
      "What the experiment measures on points of its scene, the same for every formulation.";
  plot.x = {"time", "s", false};
  std::vector<std::string> names;
  for (const RunSeries& run : runs) {
    for (const std::string& name : run.probes) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  for (const std::string& name : names) {
    Panel panel;
    for (size_t i = 0; i < runs.size(); ++i) {
      const std::optional<size_t> column = IndexOf(runs[i], name);
      if (!column) continue;
      const SeriesColumn& is = runs[i].columns[*column];
      if (panel.curves.empty()) {
        panel.y = {WordsOf(is), is.unit, false};
        plot.notes.push_back(WordsOf(is) + ": " + is.meaning + ".");
      }
      panel.curves.push_back(CurveOf(runs[i], *column, runs[i].label, styles[i]));
    }
    plot.panels.push_back(std::move(panel));
  }
  return plot;
}

Plot ExtrasPlot(const std::vector<RunSeries>& runs, const std::vector<LineStyle>& styles) {
  Plot plot;
  plot.key = "own-quantities";
  plot.title = "Quantities of one formulation only";
  plot.reading = "Quantities that the other formulations do not have.";
  plot.x = {"time", "s", false};
  std::vector<std::string> seen;
  std::vector<std::pair<std::string, std::string>> without;  // quantities, runs
  for (size_t i = 0; i < runs.size(); ++i) {
    std::string undefined;
    for (size_t c = runs[i].columns.size() - runs[i].extras; c < runs[i].columns.size(); ++c) {
      const SeriesColumn& column = runs[i].columns[c];
      const std::vector<std::string>& probes = runs[i].probes;
      if (IsOfAPair(column) ||
          std::find(probes.begin(), probes.end(), column.name) != probes.end()) {
        continue;
      }
      PlottedCurve curve = CurveOf(runs[i], c, runs[i].label, styles[i]);
      if (!IsDefined(curve)) {
        undefined += (undefined.empty() ? "" : ", ") + WordsOf(column);
        continue;
      }
      const std::string id = runs[i].backend + "/" + column.name;
      const auto at = std::find(seen.begin(), seen.end(), id);
      if (at != seen.end()) {
        plot.panels[at - seen.begin()].curves.push_back(std::move(curve));
        continue;
      }
      seen.push_back(id);
      plot.notes.push_back(WordsOf(column) + ": " + column.meaning + ".");
      plot.panels.push_back({WordsOf(column), {"", column.unit, SpansDecades(curve)}, {}});
      plot.panels.back().curves.push_back(std::move(curve));
    }
    if (undefined.empty()) continue;
    const auto same = std::find_if(without.begin(), without.end(),
                                   [&](const auto& entry) { return entry.first == undefined; });
    if (same != without.end()) {
      same->second += ", " + runs[i].label;
    } else {
      without.emplace_back(undefined, runs[i].label);
    }
  }
  TellApart(seen, &plot);
  for (const auto& [quantities, labels] : without) {
    plot.notes.push_back("Not defined for " + labels + ": " + quantities + ".");
  }
  return plot;
}

}  // namespace pliant
