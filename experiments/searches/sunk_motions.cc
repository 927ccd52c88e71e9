#include "experiments/searches/sunk_motions.h"

#include <algorithm>

#include "models/scene/number_text.h"

namespace pliant {

std::vector<std::string> WarningsOfSunkMotions(const SearchRecord& record,
                                               const std::vector<Bundle>& motions) {
  std::vector<std::string> warnings;
  for (const Bundle& motion : motions) {
    if (const std::string sunk = SunkInWords(motion.outcome()); !sunk.empty())
      warnings.push_back(motion.label() + ": " + sunk);
  }
  int sunk = 0;
  double deepest = 0.0;
  for (const RecordedSearch& search : record.searches) {
    if (!search.best_sunk) continue;
    ++sunk;
    deepest = std::max(deepest, *search.best_sunk);
  }
  if (sunk == 0) return warnings;
  warnings.push_back(
      "the best motions of " + std::to_string(sunk) + " of " +
      std::to_string(record.searches.size()) + " searches lie in an obstacle, by up to " +
      ThreeDigits(deepest) +
      " m: to keep a search out of it, give each point that dives a [[probe]] of its height, and "
      "the "
      "figure NAME_min_m of that a negative weight (weighted-sum, [optimize.cost.weights] probe)");
  return warnings;
}

}  // namespace pliant
