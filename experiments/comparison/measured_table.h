// Curves from outside, such as measured ones: a CSV file with the column time_s [s] and columns named as those of
// series.csv, of figures of probes among them. Points that were followed are probes: their coordinates, distances, angles.
//
//   time_s,sag_m
//   0,0
//   0.1,-0.0213
//
// The run is taken at the times of the table, on a straight line between its records, since measurements know no
// recorded times. Errors are differences at these times, up to the last one that the run reached.

#ifndef PLIANT_EXPERIMENTS_COMPARISON_MEASURED_TABLE_H_
#define PLIANT_EXPERIMENTS_COMPARISON_MEASURED_TABLE_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/bundles/bundle.h"

namespace pliant {

struct MeasuredTable {
  std::vector<double> times;       // s, ascending
  std::vector<std::string> names;  // of columns of series.csv
  // For each name, at each time; absent: not measured.
  std::vector<std::vector<std::optional<double>>> values;
};

// Throws FileError, in one line with the mend: no such file, no column time_s, no other column, times that do not ascend, a
// cell that is no finite number.
MeasuredTable ReadMeasuredTable(const std::filesystem::path& path);

// "error_of_sag_max_m", and "_early", "_over_time", "_final", for each column of the table that is among `columns`.
std::vector<SeriesColumn> TableErrorColumns(const MeasuredTable& table,
                                            const std::vector<SeriesColumn>& columns);

// Throws BadInput for a column of the table that is not among `columns`, those of all runs.
void RequireColumns(const MeasuredTable& table, const std::vector<SeriesColumn>& columns);

// In the order of TableErrorColumns() of the run's columns, absent where it has no value.
std::vector<std::optional<double>> ErrorsAgainstTable(const Bundle& run,
                                                      const MeasuredTable& table);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_COMPARISON_MEASURED_TABLE_H_
