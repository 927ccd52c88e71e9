// The data of a run that plots use, from its bundle. No Qt.

#ifndef PLIANT_APP_PLOTS_BUNDLE_SERIES_H_
#define PLIANT_APP_PLOTS_BUNDLE_SERIES_H_

#include <map>
#include <string>
#include <vector>

#include "app/plots/comparison_plots.h"
#include "experiments/bundles/bundle.h"
#include "experiments/bundles/kept_yardstick.h"

namespace pliant {

RunSeries SeriesOf(const Bundle& bundle, const std::string& label);

// The error bars of a yardstick at each of its rows, by the names of the columns that plots have.
std::map<std::string, std::vector<double>> ErrorsByColumn(const KeptYardstick& kept);

// Adds the distances of a run to the reference run, where they can be measured; the table of the comparison says why
// where not.
void AddDistances(const Bundle& run, const Bundle& reference, RunSeries* series);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_BUNDLE_SERIES_H_
