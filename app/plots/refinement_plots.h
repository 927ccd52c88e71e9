// The curves of a ladder of refinement: curves falling onto each other, and errors against size. No Qt.

#ifndef PLIANT_APP_PLOTS_REFINEMENT_PLOTS_H_
#define PLIANT_APP_PLOTS_REFINEMENT_PLOTS_H_

#include <string>
#include <vector>

#include "app/plots/plot.h"
#include "experiments/claims/verify.h"
#include "experiments/refinement/refinement.h"

namespace pliant {

// For each backend: what the rungs give over time, a curve for each rung, of the columns that refinement
// changes; then the error of each headline figure against the size, with triangles of the slopes 1, 2 and 4.
// The error is the distance from the Richardson value: only monotone figures have one. What probes measure comes first;
// of several backends their errors are in one plot, too. `only`: parts of the names of the figures whose errors are drawn.
std::vector<Plot> RefinementPlots(const Refinement& refinement,
                                  const std::vector<std::string>& only = {});

// The errors of the numbers that claims are about, in the same way; no panel without any.
Plot ClaimPlot(const Refinement& refinement, const std::vector<VerifiedClaim>& claims);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_REFINEMENT_PLOTS_H_
