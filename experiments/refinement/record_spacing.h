// Which figures of a ladder depend on the spacing of records, which refining a step leaves as it is: largest and smallest
// values of short events, crossings, means over time.
//
// The figures of the finest rung are read again with every second record left out, the first and the last kept: once without the odd
// ones, once without the even ones, so that the one record with a peak is left out once. The one further from the figure counts. What
// changes by more than the band of its limit, and by a thousandth of itself, is not told by that band.

#ifndef PLIANT_EXPERIMENTS_REFINEMENT_RECORD_SPACING_H_
#define PLIANT_EXPERIMENTS_REFINEMENT_RECORD_SPACING_H_

#include <optional>
#include <string>
#include <vector>

#include "experiments/bundles/bundle.h"
#include "experiments/refinement/refinement.h"

namespace pliant {

// Of the figures of these names, in their order; absent where there is none.
std::vector<std::optional<double>> FiguresOfSparserRecords(
    const Bundle& bundle, const std::vector<SeriesColumn>& figures);

struct FigureOfRecords {
  std::string name;
  double value = 0.0;   // on the finest rung
  double sparse = 0.0;  // with every second record left out
};
// Those that change most in proportion first. Empty where records are refined with the rungs, or nothing is decided.
std::vector<FigureOfRecords> FiguresOfRecords(const Refinement& refinement, const RefinedRun& run);

// One line about them, without its end; empty where there is none.
std::string RecordsText(const Refinement& refinement, const RefinedRun& run);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_REFINEMENT_RECORD_SPACING_H_
