// The forces of contact of a comparison over time: a panel for each pair that touches, the runs are its curves. No Qt.

#ifndef PLIANT_APP_PLOTS_CONTACT_FORCE_PLOT_H_
#define PLIANT_APP_PLOTS_CONTACT_FORCE_PLOT_H_

#include <vector>

#include "app/plots/comparison_plots.h"

namespace pliant {

// Of the columns contact_force.PAIR_N, of the first kMostRunPanels pairs. A note names pairs that touch in no run, and
// runs without such a column. No panel where nothing touches.
Plot ContactForcePlot(const std::vector<RunSeries>& runs, const std::vector<LineStyle>& styles);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_CONTACT_FORCE_PLOT_H_
