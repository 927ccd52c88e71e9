// The place of a mistake in what a claim changes.

#ifndef PLIANT_EXPERIMENTS_CLAIMS_AT_CLAIM_H_
#define PLIANT_EXPERIMENTS_CLAIMS_AT_CLAIM_H_

#include <string>
#include <string_view>

#include "experiments/files/claim.h"
#include "experiments/files/experiment.h"

namespace pliant {

// Calls `read`, which reads the experiment with the changes of a claim (`set`, `horizon`). A FileError about one of
// them is thrown again with the place of the claim.
template <typename Read>
void AtClaim(const Claim& claim, const Read& read) {
  constexpr std::string_view kOverride = "--set ";
  try {
    read();
  } catch (const FileError& error) {
    const std::string what = error.what();
    if (!what.starts_with(kOverride)) throw;
    FailAt(claim.place, "the claim's change " + what.substr(kOverride.size()));
  }
}

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_CLAIMS_AT_CLAIM_H_
