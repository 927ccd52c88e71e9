// What periods of oscillating probes do not say by themselves.

#ifndef PLIANT_EXPERIMENTS_COMPARISON_PERIOD_NOTES_H_
#define PLIANT_EXPERIMENTS_COMPARISON_PERIOD_NOTES_H_

#include <string>
#include <vector>

#include "experiments/bundles/bundle.h"

namespace pliant {

// A line for each NAME_period_s of the bundle that is blank, with the reason, or a mean: where the period of the second
// half of the records differs by more than 0.5 % from that of the first, as of a large swing that decays; or, where the
// records are too few for halves, where the amplitude falls by more than 10 %.
std::vector<std::string> PeriodNotes(const Bundle& bundle);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_COMPARISON_PERIOD_NOTES_H_
