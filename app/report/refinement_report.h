// The report of ladders and of verified claims: one HTML file, and its figures as files for papers.

#ifndef PLIANT_APP_REPORT_REFINEMENT_REPORT_H_
#define PLIANT_APP_REPORT_REFINEMENT_REPORT_H_

#include <filesystem>
#include <vector>

#include "app/report/page.h"
#include "experiments/claims/verify.h"
#include "experiments/refinement/refinement.h"

namespace pliant {

// Writes `html` and, beside it, figures/. With claims: their verdicts and the errors of their numbers;
// without: the limits of all headline figures and all curves. Throws StorageError.
void WriteRefinementReport(const Experiment& experiment, const std::vector<Refinement>& refinements,
                           const std::vector<VerifiedClaim>& claims,
                           const std::filesystem::path& html,
                           const std::vector<std::string>& only = {});

// Its sections.
Html ClaimSection(const std::vector<VerifiedClaim>& claims);
Html LimitSection(const Refinement& refinement);

}  // namespace pliant

#endif  // PLIANT_APP_REPORT_REFINEMENT_REPORT_H_
