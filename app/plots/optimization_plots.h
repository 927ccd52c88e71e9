// The curves of a search: cost against trial [Faloutsos 1995, Fig. 5.4, 5.5]. No Qt.

#ifndef PLIANT_APP_PLOTS_OPTIMIZATION_PLOTS_H_
#define PLIANT_APP_PLOTS_OPTIMIZATION_PLOTS_H_

#include <vector>

#include "app/plots/plot.h"
#include "experiments/searches/optimization_record.h"

namespace pliant {

// The cost of every trial, of the accepted and of the best one, a panel per search (the best searches
// when there are many); the best cost of all searches in one panel; for methods with several seeds
// the median and quartiles against trials and against computing time, with the costs that the
// searches are compared with; the temperature. A note counts failed and penalised trials, which are
// not drawn.
std::vector<Plot> OptimizationPlots(const OptimizationRecord& record);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_OPTIMIZATION_PLOTS_H_
