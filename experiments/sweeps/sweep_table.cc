#include "experiments/sweeps/sweep_table.h"

#include <algorithm>

#include "experiments/bundles/bundle.h"
#include "experiments/bundles/csv.h"
#include "experiments/bundles/headline.h"
#include "experiments/comparison/errors.h"
#include "experiments/files/outside_reference.h"

namespace pliant {

std::vector<SeriesColumn> FiguresOf(const Experiment& experiment) {
  ComparisonTable all;
  for (size_t index = 0; index < experiment.backends.size(); ++index) {
    ComparisonTable own;
    for (const HeadlineFigure& figure :
         HeadlineFigures(*SceneOf(experiment, index), {}, ColumnsOf(experiment, index), {},
                         ProbesOf(experiment, index))) {
      own.columns.push_back({figure.name, figure.unit, figure.meaning});
    }
    Append(own, &all);
  }
  if (!experiment.reference.empty()) {
    const auto distances = DistanceColumns(experiment.reference);
    all.columns.insert(all.columns.end(), distances.begin(), distances.end());
    const auto errors = ErrorColumns(experiment.reference);
    all.columns.insert(all.columns.end(), errors.begin(), errors.end());
  }
  return all.columns;
}

SweepTable CollectSweep(const Sweep& sweep, const std::vector<SweepRun>& runs) {
  SweepTable collected;
  collected.table.columns = FiguresOf(sweep.base);  // the same ones, whatever could be run
  for (auto run = runs.begin(); run != runs.end();) {
    const SweepPoint& point = sweep.points[run->point];
    const auto end = std::find_if(run, runs.end(),
                                  [&](const SweepRun& other) { return other.point != run->point; });
    std::vector<Bundle> bundles;
    bool has_reference =
        MeasuresAgainstYardstick(sweep.base) || IsOutsideReference(sweep.base.reference);
    for (auto of_point = run; of_point != end; ++of_point) {
      if (of_point->run.bundle.empty()) continue;
      bundles.push_back(Bundle::Open(of_point->run.bundle, sweep.backends));
      has_reference = has_reference || of_point->run.label == sweep.base.reference;
    }
    ComparisonTable table = CompareBundles(bundles, has_reference ? sweep.base.reference : "");
    for (std::string& problem : table.problems) problem.insert(0, point.name + ": ");
    // Runs that never began have no bundle, but a row.
    for (size_t i = 0; run != end; ++run, ++i) {
      collected.points.push_back(run->point);
      if (!run->run.bundle.empty()) continue;
      ComparisonRow row{run->run.label,
                        point.experiment.backends[i].backend->info().name,
                        run->run.outcome,
                        {},
                        {},
                        {},
                        {}};
      row.values.resize(table.columns.size());
      table.rows.insert(table.rows.begin() + static_cast<std::ptrdiff_t>(i), std::move(row));
    }
    Append(table, &collected.table);
  }
  return collected;
}

std::vector<std::string> BehaviourShares(const Sweep& sweep, const SweepTable& table) {
  const std::vector<SeriesColumn>& columns = table.table.columns;
  const auto done = std::find_if(columns.begin(), columns.end(), [](const SeriesColumn& column) {
    return column.name == "behaviours_done_max";
  });
  std::vector<std::string> shares;
  if (sweep.base.scene->behaviours.empty() || done == columns.end()) return shares;
  const auto place = static_cast<size_t>(done - columns.begin());
  const auto all = static_cast<double>(sweep.base.scene->behaviours.size());
  for (const BackendChoice& choice : sweep.base.backends) {
    int runs = 0, ended = 0;
    bool knows = false;
    for (const ComparisonRow& row : table.table.rows) {
      if (row.label != choice.label) continue;
      ++runs;
      knows = knows || row.values[place].has_value();
      if (row.values[place] && *row.values[place] >= all) ++ended;
    }
    if (!knows) continue;
    shares.push_back(choice.label + ": every behaviour ended in " + std::to_string(ended) + " of " +
                     std::to_string(runs) + " runs");
  }
  return shares;
}

std::string SweepCsv(const Sweep& sweep, const SweepTable& sweep_table) {
  std::string text = "point";
  for (const VariedKey& varied : sweep.plan().vary) text.append(",").append(CsvCell(varied.key));
  text.append(",").append(CsvHeader(sweep_table.table)).append("\n");
  for (size_t row = 0; row < sweep_table.points.size(); ++row) {
    const SweepPoint& point = sweep.points[sweep_table.points[row]];
    text += CsvCell(point.name);
    for (const FileValue& value : point.values) text.append(",").append(CsvCell(ValueText(value)));
    text.append(",").append(CsvLine(sweep_table.table.rows[row])).append("\n");
  }
  return text;
}

}  // namespace pliant
