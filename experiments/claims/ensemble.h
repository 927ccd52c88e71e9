// Claims about many runs: a gait, a search or a chaotic motion is an anecdote as a single run.
//
// A claim with `over` is about a statistic of an ensemble: members of the experiment that begin a little
// otherwise, on each rung of the ladder. Single members of a chaotic motion need not converge with the step;
// what is claimed is a property of all of them, so each rung is judged by the interval of its statistic
// (statistics.h), and a claim holds where those of the file's rung and of all finer ones are inside the bound.
//
// A claim about a search is about its searches from many seeds, at the step of the file.

#ifndef PLIANT_EXPERIMENTS_CLAIMS_ENSEMBLE_H_
#define PLIANT_EXPERIMENTS_CLAIMS_ENSEMBLE_H_

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/claims/verify.h"
#include "experiments/comparison/statistics.h"
#include "experiments/files/claim.h"
#include "experiments/refinement/ladder.h"
#include "experiments/searches/search_record.h"

namespace pliant {

// The ladder of each member, of the claims of one ensemble.
struct EnsembleLadder {
  std::vector<Claim> claims;
  std::vector<Ladder> members;
  Sweep runs;  // of all of them: rung after rung of one member after the other
};

// Those of claims with the same `over` and `horizon` share their runs. Member k has the seed of the experiment plus
// k, and, where `perturb` is p,
//   position  of each body that nothing holds: by up to p times its extent along the ground and upwards,
//   velocity  of the same: by up to p times the larger of its speed and √(g · extent),
//   numbers   of `vary`: times 1 ± p,
// evenly distributed and always the same. Throws FileError for keys that are no numbers and where nothing would
// differ.
std::vector<EnsembleLadder> ReadEnsembles(const std::filesystem::path& file,
                                          const std::vector<std::string>& overrides,
                                          const std::vector<Claim>& claims, const RefinePlan& plan,
                                          const std::vector<const Backend*>& backends = Backends());

// The changes that make a member, as for --set; `member` from 1 on.
std::vector<std::string> MemberOverrides(const Experiment& experiment, const Claim& claim,
                                         int member);

// Judges claims on the ladders of all members, in their order.
std::vector<VerifiedClaim> VerifyEnsemble(const EnsembleLadder& ensemble,
                                          const std::vector<Refinement>& members);

// Judges claims on a record of searches: "best_cost", "best_cost_share" (of that of the start), or a term of the
// best motion as `pliant optimize` prints it, of the method `of`. Throws FileError for another figure.
std::vector<VerifiedClaim> VerifySearches(const std::vector<Claim>& claims,
                                          const SearchRecord& record);

// The verdict on one rung, or of one record: of the numbers of the members, absent where a member has none.
struct StatisticOfMembers {
  std::optional<double> value;
  std::optional<Interval> interval;
  Verdict verdict = Verdict::kCannotBeToldApart;  // kHolds, kFails or this
  std::string why;                                // with how many members decide it
};
StatisticOfMembers JudgeMembers(const Claim& claim,
                                const std::vector<std::optional<double>>& members);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_CLAIMS_ENSEMBLE_H_
