// The columns of probes (models/scene/probe.h), and the figures of each:
//
//   sag_m            its column; as a figure its value at the end
//   sag_min_m, sag_max_m, sag_mean_m     over the records; the mean over time
//   pull_impulse_N_s                     of a component of a reaction: its integral over the records
//   sag_crossing_s                       with `crosses`: when it first passes that value
//   sag_at_1.5_s_m                       with `at`: its value at that time
//   sag_falls, sag_first_fall_s, sag_last_fall_s, sag_first_interval_s, sag_interval_s, sag_interval_spread_s, sag_below, sag_return_m
//                                        with `cycles`: of its rhythm about that value (cycles.h)
//   sag_period_s, sag_decay_1_s          with `oscillates`: of the damped oscillation that fits best
//
// With `during` all but the first and `at` are of that time, which begins and ends between records in proportion.

#ifndef PLIANT_EXPERIMENTS_RUNS_PROBE_FIGURES_H_
#define PLIANT_EXPERIMENTS_RUNS_PROBE_FIGURES_H_

#include <optional>
#include <string>
#include <vector>

#include "experiments/runs/oscillation.h"
#include "models/scene/probe.h"
#include "solvers/series_column.h"
#include "solvers/translation.h"

namespace pliant {

SeriesColumn ProbeColumn(const Probe& probe);

struct ProbeFigure {
  SeriesColumn is;              // name with the suffix of its unit, unit, meaning
  std::optional<double> value;  // absent = not defined; NaN where a number it is made of is
};

// The same figures in the same order whatever the curve is.
std::vector<ProbeFigure> ProbeFigures(const Probe& probe, const Curve& curve);

// For `pliant check`: what each probe measures, its value at the start of the scene, and its figures.
FindingTable TableOfProbes(const Scene& scene, const std::vector<Probe>& probes);

// What to add to which of the probes, so that it has a figure which it has not: "add to probe 'tip': oscillates = true".
// Empty where none could have it.
std::string KeysOfProbeFigure(const std::vector<Probe>& probes, const std::string& figure);

// The names of all figures of probes.
std::vector<std::string> ProbeFigureNames(const std::vector<Probe>& probes);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_RUNS_PROBE_FIGURES_H_
