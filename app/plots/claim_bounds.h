// The bounds of claims in the curves that they are about. No Qt.

#ifndef PLIANT_APP_PLOTS_CLAIM_BOUNDS_H_
#define PLIANT_APP_PLOTS_CLAIM_BOUNDS_H_

#include <string>
#include <vector>

#include "app/plots/plot.h"
#include "experiments/files/claim.h"
#include "experiments/runs/series.h"

namespace pliant {

// The claims about single runs whose bound is one on this column: at a time, or of its smallest, largest or first
// value, the headline figures of the column.
std::vector<Claim> ClaimsOn(const std::vector<Claim>& claims, const SeriesColumn& column);

// Adds to a panel of the column against time a dotted line at each bound of these claims: across all the times of the
// curves, or beside the time that the claim names. A bound that would squash the curves is left out; the returned lines
// say of which claims.
std::vector<std::string> AddClaimBounds(const std::vector<Claim>& claims,
                                        const SeriesColumn& column, Panel* panel);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_CLAIM_BOUNDS_H_
