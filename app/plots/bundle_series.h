// The data of a run that plots use, from its bundle. No Qt.

#ifndef PLIANT_APP_PLOTS_BUNDLE_SERIES_H_
#define PLIANT_APP_PLOTS_BUNDLE_SERIES_H_

#include <string>

#include "app/plots/comparison_plots.h"
#include "experiments/bundles/bundle.h"

namespace pliant {

RunSeries SeriesOf(const Bundle& bundle, const std::string& label);

// Adds the distances of a run to the reference run, where they can be measured; the table of the comparison says why
// where not.
void AddDistances(const Bundle& run, const Bundle& reference, RunSeries* series);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_BUNDLE_SERIES_H_
