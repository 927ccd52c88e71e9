// What forces of contact do not say by themselves.

#ifndef PLIANT_EXPERIMENTS_COMPARISON_CONTACT_NOTES_H_
#define PLIANT_EXPERIMENTS_COMPARISON_CONTACT_NOTES_H_

#include <string>
#include <vector>

#include "experiments/bundles/bundle.h"
#include "experiments/comparison/comparison_table.h"

namespace pliant {

// A line where the table has a force of contact above 0 that is a mean over a record (runs/mean_contact_force.h, and
// [[probe]] measure = "contact-force"), with the interval of the records: a blow is shorter than that, so that its largest
// mean grows as records become shorter. Empty where there is none.
std::string ContactForceNote(const std::vector<Bundle>& bundles, const ComparisonTable& table);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_COMPARISON_CONTACT_NOTES_H_
