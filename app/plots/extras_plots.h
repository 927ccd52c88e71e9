// The plots of the columns that not every run has (RunSeries::extras): the probes of the experiment, and the quantities of
// one formulation only. No Qt.

#ifndef PLIANT_APP_PLOTS_EXTRAS_PLOTS_H_
#define PLIANT_APP_PLOTS_EXTRAS_PLOTS_H_

#include <vector>

#include "app/plots/comparison_plots.h"

namespace pliant {

// A panel for each probe; the runs are its curves.
Plot ProbesPlot(const std::vector<RunSeries>& runs, const std::vector<LineStyle>& styles);

// A panel for each quantity that only one formulation has; its runs are the curves.
Plot ExtrasPlot(const std::vector<RunSeries>& runs, const std::vector<LineStyle>& styles);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_EXTRAS_PLOTS_H_
