// The curves of a search: cost against trial [Faloutsos 1995, Fig. 5.4, 5.5]. No Qt.

#ifndef PLIANT_APP_PLOTS_SEARCH_PLOTS_H_
#define PLIANT_APP_PLOTS_SEARCH_PLOTS_H_

#include <vector>

#include "app/plots/plot.h"
#include "experiments/searches/search_record.h"

namespace pliant {

// The cost of every trial, of the accepted one and of the best one, a panel for each search (the
// best ones where there are many); the best cost of all searches in one panel; where methods have
// several seeds, median and quartiles of each against trials and against seconds of computing,
// beside what the searches are compared with; the temperature. Failed and penalised trials are not
// drawn: a note counts them.
std::vector<Plot> SearchPlots(const SearchRecord& record);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_SEARCH_PLOTS_H_
