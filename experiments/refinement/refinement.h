// What the runs of a ladder say of the limit of each headline figure and of each column over time.

#ifndef PLIANT_EXPERIMENTS_REFINEMENT_REFINEMENT_H_
#define PLIANT_EXPERIMENTS_REFINEMENT_REFINEMENT_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/comparison/comparison_table.h"
#include "experiments/refinement/grid_convergence.h"
#include "experiments/refinement/ladder.h"
#include "experiments/sweeps/run_sweep.h"

namespace pliant {

// One backend on all rungs.
struct RefinedRun {
  std::string label, backend;
  std::vector<RunOutcome> outcomes;            // one for each rung
  std::vector<std::filesystem::path> bundles;  // empty where a run never began
  // The first rung that counts: coarser ones ended worse than the finest (unstable there). All rungs are
  // left out where the finest did not run to its end.
  size_t first = 0;
  std::string left_out;  // which and why; empty: none

  std::vector<std::vector<std::optional<double>>> figures;  // by rung, then by figure
  // On the finest rung with every second record left out (record_spacing.h); empty without a bundle of it.
  std::vector<std::optional<double>> sparse_figures = {};
  std::vector<SeriesColumn> columns;         // of the series
  std::vector<std::vector<SeriesRow>> rows;  // by rung; empty for a run without frames
  double energy_scale = 0.0, length_scale = 0.0,
         mass = 0.0;  // J, m, kg: what rounding is measured by

  size_t rungs() const { return outcomes.size(); }
  bool decides() const { return first < rungs(); }
};

struct Refinement {
  std::string axis;
  std::vector<double> sizes;  // of the rungs, coarsest first
  size_t file_rung = 0;
  ConvergenceRules rules;             // without the rounding of a unit
  std::vector<SeriesColumn> figures;  // headline figures
  std::vector<RefinedRun> runs;       // in the order of the backends
  std::vector<std::string> problems;  // figures that could not be measured
  // Distances are to a yardstick that solves another scene: what they say of this one is not known.
  bool yardstick_of_other_scene = false;
  std::vector<double> record_spacings = {};  // s, of each rung
  std::vector<std::string> probe_figures =
      {};  // names of the figures of probes, their columns among them
};

// Runs all rungs into `out`/<experiment>/<rung>/<label>, except those that this program has run before.
std::vector<SweepRun> RunLadder(const Ladder& ladder, const std::filesystem::path& out, int jobs,
                                const SweepHooks& hooks = {});

// Reads the bundles. Throws FileError and StorageError for one that cannot be read.
Refinement CollectLadder(const Ladder& ladder, const std::vector<SweepRun>& runs);

// Numbers of one unit that differ by less differ by rounding: 10⁻¹² of the energy at stake, of the extent
// of the scene, of the momenta, velocities and forces that belong to them, or of 1 for pure numbers and angles; 0 for
// other units.
double RoundOffOf(const RefinedRun& run, const std::string& unit);

// Of one number on each rung, absent where it is not defined or not finite: the rungs from run.first on;
// absent where one of them lacks the number.
std::optional<Convergence> ConvergenceOf(const Refinement& refinement, const RefinedRun& run,
                                         const std::vector<std::optional<double>>& values,
                                         const std::string& unit);

// A column at a recorded time on each rung; not defined where there is no such time.
std::vector<std::optional<double>> ColumnAt(const RefinedRun& run, size_t column, double time);

// The rms change of a column over all common times, from each rung that counts to the next; empty where
// one of them lacks a value.
std::vector<double> ChangesOf(const RefinedRun& run, size_t column);

// Puts the limit of each figure, with its band, into the row of its backend in a table of the file's runs.
void AddLimits(const Refinement& refinement, ComparisonTable* table);

// True if the figure of this name measures the machine (a time), not the motion.
bool IsCost(const std::string& name);

// For a terminal: a line for each backend and figure that is defined, with its value at the file's size, limit,
// band, order and trend; then what was left out.
// `only`: parts of the names of the figures that are shown.
std::string RefinementText(const Refinement& refinement, const std::vector<std::string>& only = {});

// All of it as JSON; numbers that JSON lacks are spelled "inf", "-inf" and "nan", null = not defined.
std::string RefinementJson(const Refinement& refinement, const std::string& experiment);

// Whether the file that RefinementJson() made holds a backend or a rung that `refinement` has not. A missing file holds
// nothing, one that cannot be read what is worth keeping.
bool HoldsOthers(const Refinement& refinement, const std::filesystem::path& json);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_REFINEMENT_REFINEMENT_H_
