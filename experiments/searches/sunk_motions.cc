#include "experiments/searches/sunk_motions.h"

#include <algorithm>

#include "experiments/files/first_names.h"
#include "models/scene/number_text.h"

namespace pliant {
std::vector<std::string> WarningsOfSunkMotions(const SearchRecord& record,
                                               const std::vector<Bundle>& motions) {
  std::vector<std::string> warnings;
  for (const Bundle& motion : motions) {
    if (const std::string sunk = SunkInWords(motion.outcome()); !sunk.empty())
      warnings.push_back(motion.label() + ": " + sunk);
  }
  std::vector<std::string> sunk;  // names of searches
  double deepest = 0.0;
  for (const RecordedSearch& search : record.searches) {
    if (!search.best_sunk) continue;
    sunk.push_back(search.label + " (seed " + std::to_string(search.seed) + ")");
    deepest = std::max(deepest, *search.best_sunk);
  }
  if (sunk.empty()) return warnings;
  warnings.push_back(
      "the best motions of " + std::to_string(sunk.size()) + " of " +
      std::to_string(record.searches.size()) + " searches lie in an obstacle or a body, by up to " +
      ThreeDigits(deepest) + " m: " + FirstNames(sunk) +
      "; to keep a search out of it, add [[optimize.cost.limit]] with of = \"penetration\" and "
      "most = 0.01 (m)");
  return warnings;
}

}  // namespace pliant
