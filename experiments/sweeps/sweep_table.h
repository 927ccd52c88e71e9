// The table of a sweep: a row for each backend at each point.

#ifndef PLIANT_EXPERIMENTS_SWEEPS_SWEEP_TABLE_H_
#define PLIANT_EXPERIMENTS_SWEEPS_SWEEP_TABLE_H_

#include <string>
#include <vector>

#include "experiments/comparison/comparison_table.h"
#include "experiments/comparison/reference_figures.h"
#include "experiments/sweeps/run_sweep.h"
#include "experiments/sweeps/sweep.h"

namespace pliant {

inline constexpr char kSweepFile[] = "sweep.csv";

// All headline figures that runs of the experiment can have, defined or not, with the distances if
// there is a reference run, or with the errors of its columns if the reference is a table. Throws FileError for a table that
// cannot be read.
std::vector<SeriesColumn> FiguresOf(const Experiment& experiment);

// What to do about a figure that is not among the `known` ones of the experiment: another name, or a reference.
std::string MendOfFigure(const Experiment& experiment, const std::string& figure,
                         const std::vector<std::string>& known);

struct SweepTable {
  ComparisonTable table;       // in the order of the points, then of the backends
  std::vector<size_t> points;  // of each row
  // Of the reference of the experiment, by point; empty where there is no [[sweep.curve]] or no reference.
  std::map<size_t, ReferenceFigures> references;
};

// Reads the bundles of the runs. If the experiment names a reference run, distances are measured at
// each point to the reference run of that point. Throws FileError and StorageError for a bundle
// that cannot be read.
SweepTable CollectSweep(const Sweep& sweep, const std::vector<SweepRun>& runs);

// For a scene with behaviours and each backend that supports them, the number of runs in which all
// behaviours ended: "linear-deformation: every behaviour ended in 98 of 100 runs".
std::vector<std::string> BehaviourShares(const Sweep& sweep, const SweepTable& table);

// point, the varied keys, without_effect (which of them have no effect on the backend of the row; only where any
// has none: ineffective_keys.h), label, backend, outcome, reason, then the figures; empty = not defined. Then for each [[sweep.curve]] whose
// figure the reference has at some point reference.FIGURE, of the point, and where it has a band reference_band.FIGURE.
std::string SweepCsv(const Sweep& sweep, const SweepTable& table);

// Whether every row of the text of such a table is of a point and a backend of this sweep, with the same keys.
bool HasNoOtherRows(const Sweep& sweep, const std::string& csv);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SWEEPS_SWEEP_TABLE_H_
