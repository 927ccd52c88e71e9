// The file that a bundle has where the modes of a body follow a plan of spacetime optimisation, mode_plan.json: the character, the
// problem, J, residuals of optimality, nodes, samples, constraints with multipliers (docs/bundles.md). Equal plans leave equal bytes.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_MODE_PLAN_FILE_H_
#define PLIANT_EXPERIMENTS_BUNDLES_MODE_PLAN_FILE_H_

#include <filesystem>

#include "solvers/spacetime/plan_record.h"

namespace pliant {

inline constexpr char kModePlanFile[] = "mode_plan.json";

// Throws StorageError.
void WriteModePlan(const std::filesystem::path& folder, const DeformablePlanRecord& record);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_MODE_PLAN_FILE_H_
