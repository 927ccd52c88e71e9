// plan.h5: the numbers of a plan as arrays (docs/bundles.md).

#ifndef PLIANT_EXPERIMENTS_BUNDLES_PLAN_ARRAYS_H_
#define PLIANT_EXPERIMENTS_BUNDLES_PLAN_ARRAYS_H_

#include <filesystem>

#include "solvers/spacetime/plan_record.h"

namespace pliant {

// Throws StorageError.
void WritePlanArrays(const std::filesystem::path& path, const PlanRecord& plan);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_PLAN_ARRAYS_H_
