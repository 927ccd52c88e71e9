// Columns of series.csv for the arrays that [run] records: numbers that can be plotted over time.
//
//   GROUP.ARRAY.ROW_unit      each row of a vector whose rows have names: modes.amplitudes.rod.bend
//                             of vectors in space the magnitude: multipliers.lambda.nail_hook_N
//   GROUP.ARRAY.largest_unit  of every other array the largest magnitude: levels.offsets.0.largest_m
//
// Arrays whose rows differ in unit say one for each row; matrices of mixed units have no column.

#ifndef PLIANT_EXPERIMENTS_RUNS_RECORDED_COLUMNS_H_
#define PLIANT_EXPERIMENTS_RUNS_RECORDED_COLUMNS_H_

#include <optional>
#include <string>
#include <vector>

#include "experiments/runs/series.h"
#include "solvers/arrays.h"
#include "solvers/simulation.h"

namespace pliant {

// The arrays of these groups in the present state.
std::vector<NamedArray> RecordedArrays(const std::vector<std::string>& groups,
                                       const Simulation& simulation);

std::vector<SeriesColumn> RecordedColumns(const std::vector<NamedArray>& arrays);
// Such names begin with a group that a backend knows, and a point: "modes.amplitudes.rod.bend".
bool IsRecordedColumn(const std::string& name);
// The column of this name in a file; nothing for one that records no array.
std::optional<SeriesColumn> RecordedColumn(const std::string& name);

// Appends the numbers of these columns; absent where an array is not there or NaN.
void AppendRecorded(const std::vector<NamedArray>& arrays, const std::vector<SeriesColumn>& columns,
                    SeriesRow* row);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_RUNS_RECORDED_COLUMNS_H_
