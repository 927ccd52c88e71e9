// The profiles of search methods over several problems (experiments/searches/profiles.h): stairs, a curve for each method. No Qt.

#ifndef PLIANT_APP_PLOTS_PROFILE_PLOTS_H_
#define PLIANT_APP_PLOTS_PROFILE_PLOTS_H_

#include <vector>

#include "app/plots/plot.h"
#include "experiments/searches/profiles.h"

namespace pliant {

// The performance profile [Dolan & Moré 2002] and the data profile [Moré & Wild 2009].
std::vector<Plot> ProfilePlots(const Profiles& profiles);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_PROFILE_PLOTS_H_
