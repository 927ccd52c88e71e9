// The claims of one experiment file and the runs that decide them: what `pliant verify` does with each file.

#ifndef PLIANT_EXPERIMENTS_CLAIMS_CLAIMED_EXPERIMENT_H_
#define PLIANT_EXPERIMENTS_CLAIMS_CLAIMED_EXPERIMENT_H_

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "experiments/claims/ensemble.h"
#include "experiments/claims/verify.h"
#include "experiments/refinement/ladder_choice.h"

namespace pliant {

// Claims of single runs, of the file with the same changes.
struct SingleRuns {
  std::vector<Claim> claims;
  std::vector<Ladder> ladders;
};

struct ClaimedExperiment {
  std::filesystem::path file;
  std::vector<std::string> overrides;
  Experiment experiment;
  std::vector<SingleRuns> singles;
  std::vector<EnsembleLadder> ensembles;
  std::vector<Claim> of_searches;

  bool empty() const { return singles.empty() && ensembles.empty() && of_searches.empty(); }
};

// Reads the claims (`quick`: those marked quick, on two rungs) and translates every rung, unless it is better to begin at
// once: the plan of a jump takes seconds, and is made again when it runs. Throws FileError, BadInput.
ClaimedExperiment ReadClaims(const std::filesystem::path& file,
                             const std::vector<std::string>& overrides, const LadderChoice& choice,
                             bool quick, bool translates = true);

// The line that says why there is nothing to verify.
std::string NoClaims(const std::filesystem::path& file, bool quick);

struct VerifyHooks {
  std::stop_token stop;
  std::function<void(const std::string& what)> on_part;       // begins
  std::function<void(double fraction)> on_progress;           // of the part
  std::function<void(const std::string& words)> on_part_end;  // not after a stop
};

// How many parts Verify() has.
int PartsOf(const ClaimedExperiment& claimed);

struct Verification {
  std::vector<Refinement> refinements;  // of claims of single runs
  std::vector<VerifiedClaim> claims;
};

// Runs what the claims need below `out`, `jobs` runs at a time, and judges them. What this program has run before is
// kept. After a stop the result is not complete. Throws StorageError, and FileError where a claim is about a distance
// to a yardstick that cannot be made.
Verification Verify(const ClaimedExperiment& claimed, const std::filesystem::path& out, int jobs,
                    const VerifyHooks& hooks);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_CLAIMS_CLAIMED_EXPERIMENT_H_
