#include "experiments/sweeps/sweep_table.h"

#include <algorithm>
#include <sstream>

#include "experiments/bundles/bundle.h"
#include "experiments/bundles/csv.h"
#include "experiments/bundles/headline.h"
#include "experiments/comparison/errors.h"
#include "experiments/comparison/measured_table.h"
#include "experiments/files/outside_reference.h"
#include "experiments/runs/probe_figures.h"
#include "experiments/sweeps/ineffective_keys.h"

namespace pliant {
namespace {

// The errors that the runs have against the table which is the reference.
std::vector<SeriesColumn> ErrorsOfTable(const Experiment& experiment) {
  std::vector<SeriesColumn> recorded;  // by any of the backends
  for (size_t index = 0; index < experiment.backends.size(); ++index) {
    const std::vector<SeriesColumn> own = ColumnsOf(experiment, index);
    recorded.insert(recorded.end(), own.begin(), own.end());
  }
  return TableErrorColumns(ReadMeasuredTable(experiment.reference), recorded);
}

}  // namespace

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
  if (IsTableReference(experiment.reference)) {
    const auto errors = ErrorsOfTable(experiment);
    all.columns.insert(all.columns.end(), errors.begin(), errors.end());
  } else if (!experiment.reference.empty()) {
    const auto distances = DistanceColumns(experiment.reference);
    all.columns.insert(all.columns.end(), distances.begin(), distances.end());
    const auto errors = ErrorColumns(experiment.reference);
    all.columns.insert(all.columns.end(), errors.begin(), errors.end());
  }
  return all.columns;
}

std::string MendOfFigure(const Experiment& experiment, const std::string& figure,
                         const std::vector<std::string>& known) {
  const std::string keys = KeysOfProbeFigure(experiment.probes, figure);
  if (!keys.empty()) return keys;
  if (!IsAgainstReference(figure)) return DidYouMean(figure, known);
  if (experiment.reference.empty()) {
    return "it needs a reference, and the experiment names none; give reference = …, a backend, a "
           "run or a table";
  }
  if (!IsTableReference(experiment.reference)) return DidYouMean(figure, known);
  const std::vector<std::string> errors = ColumnNames(ErrorsOfTable(experiment));
  const std::string table = std::filesystem::path(experiment.reference).filename().string();
  if (errors.empty()) return "the runs record none of the columns of the reference " + table;
  return "the reference " + table + " is a table, and runs have errors of its own columns only; " +
         DidYouMean(figure, errors);
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
    const bool draws =
        sweep.base.sweep != nullptr && !sweep.plan().curves.empty();  // a ladder has no plan
    if (draws && has_reference)
      collected.references[run->point] = FiguresOfReference(bundles, sweep.base.reference);
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

namespace {

std::string KeysWithoutEffect(const Sweep& sweep, const std::vector<IneffectiveKey>& all,
                              const std::string& label) {
  std::string keys;
  for (const IneffectiveKey& one : all) {
    if (one.label == label) keys += (keys.empty() ? "" : " ") + sweep.plan().vary[one.key].key;
  }
  return keys;
}

// The cells of a table that say whose row it is, up to the label.
class FirstCells {
 public:
  explicit FirstCells(const Sweep& sweep) : sweep_(sweep), without_(IneffectiveKeysOf(sweep)) {}

  std::string Header() const {
    std::string text = "point,";
    for (const VariedKey& varied : sweep_.plan().vary) text.append(CsvCell(varied.key)).append(",");
    return without_.empty() ? text : text + "without_effect,";
  }

  std::string Of(const SweepPoint& point, const std::string& label) const {
    std::string text = CsvCell(point.name) + ",";
    for (const FileValue& value : point.values) text.append(CsvCell(ValueText(value))).append(",");
    if (without_.empty()) return text;
    return text + CsvCell(KeysWithoutEffect(sweep_, without_, label)) + ",";
  }

 private:
  const Sweep& sweep_;
  const std::vector<IneffectiveKey> without_;
};

// The figures of the reference that curves are drawn of, after those of each row.
class ReferenceCells {
 public:
  ReferenceCells(const Sweep& sweep, const SweepTable& table) : table_(table) {
    for (const SweepCurve& curve : sweep.plan().curves) {
      if (std::ranges::find(shown_, curve.figure, &Shown::figure) != shown_.end()) continue;
      bool known = false, banded = false;
      for (const auto& [point, reference] : table.references) {
        const auto found = reference.values.find(curve.figure);
        if (found == reference.values.end()) continue;
        known = true;
        banded = banded || found->second.band > 0.0;
      }
      if (known) shown_.push_back({curve.figure, banded});
    }
  }

  std::string Header() const {
    std::string text;
    for (const Shown& one : shown_) {
      text += "," + CsvCell("reference." + one.figure);
      if (one.banded) text += "," + CsvCell("reference_band." + one.figure);
    }
    return text;
  }

  std::string Of(size_t point) const {
    std::string text;
    const auto reference = table_.references.find(point);
    for (const Shown& one : shown_) {
      std::vector<std::optional<double>> cells(one.banded ? 2 : 1);
      if (reference != table_.references.end() && reference->second.values.contains(one.figure)) {
        const FigureLimit& known = reference->second.values.at(one.figure);
        cells[0] = known.value;
        if (one.banded) cells[1] = known.band;
      }
      text += "," + CsvNumbers(cells);
    }
    return text;
  }

 private:
  struct Shown {
    std::string figure;
    bool banded;
  };
  const SweepTable& table_;
  std::vector<Shown> shown_;
};

}  // namespace

std::string SweepCsv(const Sweep& sweep, const SweepTable& sweep_table) {
  const FirstCells first(sweep);
  const ReferenceCells last(sweep, sweep_table);
  std::string text = first.Header() + CsvHeader(sweep_table.table) + last.Header() + "\n";
  for (size_t row = 0; row < sweep_table.points.size(); ++row) {
    const ComparisonRow& of_run = sweep_table.table.rows[row];
    text += first.Of(sweep.points[sweep_table.points[row]], of_run.label);
    text.append(CsvLine(of_run)).append(last.Of(sweep_table.points[row])).append("\n");
  }
  return text;
}

bool HasNoOtherRows(const Sweep& sweep, const std::string& csv) {
  const FirstCells first(sweep);
  if (!csv.starts_with(first.Header())) return false;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const auto is_of = [&](const SweepPoint& point) {
      return std::ranges::any_of(sweep.base.backends, [&](const BackendChoice& choice) {
        return line.starts_with(first.Of(point, choice.label) + CsvCell(choice.label) + ",");
      });
    };
    if (std::ranges::none_of(sweep.points, is_of)) return false;
  }
  return true;
}

}  // namespace pliant
