// The curves of a sweep: headline figures against the first varied key that is a number. No Qt.

#ifndef PLIANT_APP_PLOTS_SWEEP_PLOTS_H_
#define PLIANT_APP_PLOTS_SWEEP_PLOTS_H_

#include <vector>

#include "app/plots/plot.h"
#include "experiments/sweeps/sweep_table.h"

namespace pliant {

// A plot for each curve of the plan, with a line for each backend; in a grid, for each combination
// of the other keys as well. A run that diverged or was cut short has no place on a curve: its
// figures are of a shorter run. One that ran to its end otherwise than it should (gained energy, turned inside out) has a
// cross. Notes name such runs, and say why a line has no slope. Empty when no varied key is a number.
std::vector<Plot> SweepPlots(const Sweep& sweep, const SweepTable& table);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_SWEEP_PLOTS_H_
