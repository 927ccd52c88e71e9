#include "app/plots/sweep_plots.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "app/plots/comparison_plots.h"

namespace pliant {
namespace {

// The number of the key on the x axis.
std::optional<size_t> KeyOfX(const SweepPlan& plan) {
  for (size_t i = 0; i < plan.vary.size(); ++i) {
    if (plan.vary[i].IsNumeric()) return i;
  }
  return std::nullopt;
}

double NumberOf(const FileValue& value) {
  const auto* integer = std::get_if<std::int64_t>(&value.data);
  return integer != nullptr ? static_cast<double>(*integer) : std::get<double>(value.data);
}

// The rows that one line joins, in the order of x.
struct Line {
  std::string name;
  std::string backend;
  std::vector<std::pair<double, size_t>> rows;  // x, number of the row
};

// "dynamic-ffd", and in a grid the values of the other keys: "dynamic-ffd, integrator = rk4".
std::vector<Line> LinesOf(const Sweep& sweep, const SweepTable& table, size_t key_of_x) {
  const SweepPlan& plan = sweep.plan();
  std::vector<Line> lines;
  std::map<std::string, size_t> numbers;
  for (size_t row = 0; row < table.points.size(); ++row) {
    const SweepPoint& point = sweep.points[table.points[row]];
    const ComparisonRow& run = table.table.rows[row];
    std::string name = run.label;
    for (size_t k = 0; k < plan.vary.size(); ++k) {
      if (k == key_of_x || plan.combination == SweepCombination::kZip) continue;
      const VariedKey& varied = plan.vary[k];
      const std::string& label = varied.label;
      name += ", " + (label == varied.key ? SplitPath(label).back() : label) + " = " +
              ValueText(point.values[k]);
    }
    const auto [at, is_new] = numbers.emplace(name, lines.size());
    if (is_new) lines.push_back({name, run.backend, {}});
    lines[at->second].rows.emplace_back(NumberOf(point.values[key_of_x]), row);
  }
  for (Line& line : lines) std::sort(line.rows.begin(), line.rows.end());
  // Lines of one backend stand together.
  std::stable_sort(lines.begin(), lines.end(), [&](const Line& a, const Line& b) {
    auto place = [&](const Line& line) {
      const std::string& label = table.table.rows[line.rows.front().second].label;
      return std::find_if(sweep.base.backends.begin(), sweep.base.backends.end(),
                          [&](const BackendChoice& choice) { return choice.label == label; });
    };
    return place(a) < place(b);
  });
  return lines;
}

Plot MakePlot(const SweepCurve& wanted, const SweepPlan& plan, size_t key_of_x,
              const SweepTable& sweep_table, const std::vector<Line>& lines) {
  const ComparisonTable& table = sweep_table.table;
  const VariedKey& varied = plan.vary[key_of_x];
  const auto figure =
      std::find_if(table.columns.begin(), table.columns.end(),
                   [&](const SeriesColumn& column) { return column.name == wanted.figure; });
  const auto column = static_cast<size_t>(figure - table.columns.begin());
  Plot plot;
  plot.key = "sweep-" + wanted.figure;
  plot.title = WordsOf(*figure) + " against " + varied.label;
  plot.reading = figure->meaning + "; each mark is a run.";
  plot.x = {varied.label, varied.unit, varied.logarithmic};
  plot.mark_values = true;
  std::vector<std::string> backends;
  for (const Line& line : lines) backends.push_back(line.backend);
  const std::vector<LineStyle> styles = StylesOfRuns(backends);
  Panel panel{"", {WordsOf(*figure), figure->unit, wanted.logarithmic}, {}};
  for (size_t i = 0; i < lines.size(); ++i) {
    PlottedCurve curve{lines[i].name, lines[i].name, styles[i], {}, {}, false};
    std::map<std::string, std::string> left_out;  // outcome → at which x
    for (const auto& [x, row] : lines[i].rows) {
      const RunOutcome& outcome = table.rows[row].outcome;
      const bool whole = RanToItsEnd(outcome.kind);
      curve.x.push_back(x);
      curve.y.push_back(whole ? table.rows[row].values[column].value_or(NAN) : NAN);
      if (whole) continue;
      std::string& at = left_out[std::string(ToString(outcome.kind))];
      at += (at.empty() ? "" : ", ") + ValueText({x, {}});
    }
    for (const auto& [outcome, at] : left_out) {
      plot.notes.push_back("Omitted because " + outcome + ": " + curve.name + " at " + at + ".");
    }
    panel.curves.push_back(std::move(curve));
  }
  plot.panels.push_back(std::move(panel));
  return plot;
}

}  // namespace

std::vector<Plot> SweepPlots(const Sweep& sweep, const SweepTable& table) {
  const std::optional<size_t> key_of_x = KeyOfX(sweep.plan());
  if (!key_of_x) return {};
  const std::vector<Line> lines = LinesOf(sweep, table, *key_of_x);
  std::vector<Plot> plots;
  for (const SweepCurve& curve : sweep.plan().curves) {
    plots.push_back(MakePlot(curve, sweep.plan(), *key_of_x, table, lines));
  }
  return plots;
}

}  // namespace pliant
