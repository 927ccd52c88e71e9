// Claims about one step: those whose `set` says how long it is. A number of sweeps a step leaves an error that is a
// property of the step, and refinement in the step is no answer to what is said of it.

#ifndef PLIANT_EXPERIMENTS_CLAIMS_FIXED_STEP_H_
#define PLIANT_EXPERIMENTS_CLAIMS_FIXED_STEP_H_

#include <algorithm>
#include <string>

#include "experiments/files/claim.h"

namespace pliant {

// Is it about the step that it sets itself, "run.step=0.01" or "backends.LABEL.step=0.01"? Then there is no limit to
// speak of: the one run decides.
inline bool FixesStep(const Claim& claim) {
  return std::ranges::any_of(claim.set, [](const std::string& change) {
    const std::string key = change.substr(0, change.find('='));
    return key == "run.step" || (key.starts_with("backends.") && key.ends_with(".step"));
  });
}

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_CLAIMS_FIXED_STEP_H_
