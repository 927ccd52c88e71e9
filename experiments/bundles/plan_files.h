// The files that a bundle has where the run follows a plan of spacetime optimisation:
//
//   plan.json             the problem, J, residuals of optimality, nodes, samples, constraints with multipliers
//   plan.h5               the same numbers as arrays, and the history of iterations
//   plan_nodes.csv        a row for each node of the mesh: motion
//   plan_samples.csv      a row for each place where physics is imposed: motion and forces
//   plan_iterations.csv   a row for each outer iteration
//   plan_poses.toml       the plan as poses, at which a search may start (plan_poses.h)
//
// docs/bundles.md says what they hold. Equal plans leave equal bytes, but for the column wall_time_s of
// plan_iterations.csv.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_PLAN_FILES_H_
#define PLIANT_EXPERIMENTS_BUNDLES_PLAN_FILES_H_

#include <filesystem>

#include "solvers/spacetime/plan_record.h"

namespace pliant {

inline constexpr char kPlanFile[] = "plan.json";
inline constexpr char kPlanArraysFile[] = "plan.h5";
inline constexpr char kPlanNodesFile[] = "plan_nodes.csv";
inline constexpr char kPlanSamplesFile[] = "plan_samples.csv";
inline constexpr char kPlanIterationsFile[] = "plan_iterations.csv";
inline constexpr char kPlanPosesFile[] = "plan_poses.toml";

// Throws StorageError.
void WritePlan(const std::filesystem::path& folder, const PlanRecord& plan);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_PLAN_FILES_H_
