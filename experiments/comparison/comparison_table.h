// The summary table of a comparison: a row for each backend, a column for each headline figure.

#ifndef PLIANT_EXPERIMENTS_COMPARISON_COMPARISON_TABLE_H_
#define PLIANT_EXPERIMENTS_COMPARISON_COMPARISON_TABLE_H_

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/bundles/bundle.h"
#include "experiments/bundles/kept_yardstick.h"

namespace pliant {

// A distance to the yardstick below this many times its own error says nothing.
inline constexpr double kToldApart = 3.0;

// The limit of a figure under refinement lies in value ± band.
struct FigureLimit {
  double value = 0.0, band = 0.0;
};

struct ComparisonRow {
  std::string label;
  std::string backend;  // its formulation
  RunOutcome outcome;
  std::filesystem::path bundle;
  std::vector<std::optional<double>> values;  // one for each column; absent = not defined
  // Names of columns whose value is less than kToldApart times the error of the yardstick.
  std::set<std::string> not_told_apart;
  // By the name of the column; of a refined comparison (experiments/refinement), else empty.
  std::map<std::string, FigureLimit> limits;
  // What is otherwise in the scene of this run than in that of the experiment, in words; empty: it ran that.
  std::string variant;
};

struct ComparisonTable {
  std::vector<SeriesColumn> columns;  // name with unit suffix, unit, meaning
  std::vector<ComparisonRow> rows;
  std::vector<std::string> yardstick;   // what weakens it, where it is the reference; one line each
  std::vector<std::string> provenance;  // of a reference from outside; one line each
  bool yardstick_of_other_scene = false;  // finite elements do not solve every element as it is
  // Why a distance is blank that means nothing: to a run of a scene whose points are others; one line each.
  std::vector<std::string> blanks;
  std::vector<std::string>
      notes;  // what figures do not say by themselves (period_notes.h); one line each
  // Requested figures that could not be measured, one line each. A table with problems is not a
  // reliable result: the command that prints it fails.
  std::vector<std::string> problems;
};

// The label of the reference run that the experiment of the bundles names, even without a bundle of
// it; empty if there is none, or if the experiments of the bundles name different ones.
std::string ReferenceOf(const std::vector<Bundle>& bundles);

// The same for a table of several runs; empty for a single one, which is compared only with a reference from outside. A bundle's
// own experiment.toml names no other backend: only the manifest knows the reference.
std::string ReferenceAmong(const std::vector<Bundle>& bundles);

// The kept yardstick of the scene of the bundles, where `reference` is kYardstick and no label of theirs; absent for
// another reference. Throws FileError where none is kept.
std::optional<KeptYardstick> YardstickOf(const std::vector<Bundle>& bundles,
                                         const std::string& reference);

// The headline figures of all bundles, then, when `reference` is not empty, the distance of each
// run to the bundle of that label, or to the bundle at that path, or the errors against the table at that path; of kYardstick without such a bundle, to the kept yardstick of their scene
// (experiments/bundles/kept_yardstick.h), with its own errors beside.
ComparisonTable CompareBundles(const std::vector<Bundle>& bundles, const std::string& reference);

// The columns that measure the distance to the reference of that label: rms and largest of the
// points, of the shape alone, of the place alone.
std::array<SeriesColumn, 4> DistanceColumns(const std::string& reference);

// The yardstick's own error beside each of them.
std::array<SeriesColumn, 4> YardstickErrorColumns();

// Adds rows, columns and problems of `more`; columns of one name are one.
void Append(const ComparisonTable& more, ComparisonTable* table);

// For a terminal: a column for each backend, a line for each figure that any of them defines, "–"
// where one does not; then the reasons of outcomes, and the problems.
std::string TableText(const ComparisonTable& table);

// "2.29e-2 ± 2e-4"; empty where the row has no limit of that column.
std::string LimitText(const ComparisonRow& row, const std::string& column);

// Lines of cells: the first cell of each line to the left, the others to the right, two blanks between
// them. All lines have as many cells as the first.
std::string AlignedText(const std::vector<std::vector<std::string>>& lines);

// label,backend,outcome,reason, then the columns; empty = not defined. The header and a row are
// also available separately, without end of line.
std::string TableCsv(const ComparisonTable& table);
std::string CsvHeader(const ComparisonTable& table);
std::string CsvLine(const ComparisonRow& row);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_COMPARISON_COMPARISON_TABLE_H_
