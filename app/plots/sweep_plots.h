// The curves of a sweep: headline figures against the first varied key that is a number. No Qt.

#ifndef PLIANT_APP_PLOTS_SWEEP_PLOTS_H_
#define PLIANT_APP_PLOTS_SWEEP_PLOTS_H_

#include <vector>

#include "app/plots/plot.h"
#include "experiments/sweeps/sweep_table.h"

namespace pliant {

// A plot for each curve of the plan, with a line for each backend; in a grid, for each combination
// of the other keys as well. Runs that diverged or were cut short are mentioned in a note instead,
// because their figures belong to a shorter run. Empty when no varied key is a number.
std::vector<Plot> SweepPlots(const Sweep& sweep, const SweepTable& table);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_SWEEP_PLOTS_H_
