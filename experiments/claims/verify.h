// Whether the claims of an experiment hold in the limit of refinement.
//
// A claim is a bound on one number of each rung of a ladder: a headline figure or a column at a time, of
// one backend or of two. The limit of that number is known up to its band (grid_convergence.h), and the
// claim is judged by the band, not by one run. A distance to the yardstick is that to the solution up to the
// yardstick's own error, by which the band is wider.

#ifndef PLIANT_EXPERIMENTS_CLAIMS_VERIFY_H_
#define PLIANT_EXPERIMENTS_CLAIMS_VERIFY_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/files/claim.h"
#include "experiments/refinement/refinement.h"

namespace pliant {

// From the best to the worst.
enum class Verdict {
  kHolds,              // the whole band of the limit is inside the bound
  kCannotBeToldApart,  // the bound is inside the band, or there is no limit to speak of
  kAtThisStepOnly,     // the file's own run meets the bound, the band of the limit is outside
  kFails,              // neither does
};
std::string_view ToString(Verdict verdict);  // "holds", "cannot be told apart", …

struct VerifiedClaim {
  Claim claim;
  std::string axis;  // of the ladder
  Verdict verdict = Verdict::kCannotBeToldApart;
  std::string why;                            // what decides it, in words; may be empty
  std::string unit;                           // of the number; "1" for a pure number
  std::vector<std::optional<double>> values;  // the number on each rung, coarsest first
  std::optional<double> at_file;              // that of the file's own run
  std::optional<Convergence> convergence;     // of the number
};

// Throws FileError, at its place, for a claim of a figure or column that the runs cannot have, of the cost
// of a run, of a time that is not recorded, or of an outcome that no run has.
void RequireMeasurable(const Experiment& experiment);

// The labels of the backends whose runs decide these claims, in the order of the experiment; with the
// reference where a claim is about a distance to it, or an error against it.
std::vector<std::string> LabelsOf(const std::vector<Claim>& claims, const Experiment& experiment);

// Judges each claim on one ladder, whose runs include those of all backends that it names.
std::vector<VerifiedClaim> VerifyClaims(const std::vector<Claim>& claims,
                                        const Refinement& refinement);

// The verdict of a number that should lie in [lower, upper]: of the file's own run and of the limit.
Verdict Judge(const std::optional<double>& at_file, const std::optional<Convergence>& limit,
              double lower, double upper);

// For a terminal: a line for each claim, and below it what decides it.
std::string ClaimsText(const std::vector<VerifiedClaim>& claims);

std::string ClaimsJson(const std::vector<VerifiedClaim>& claims, const std::string& experiment);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_CLAIMS_VERIFY_H_
