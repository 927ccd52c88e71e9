// Equilibria instead of a motion: an experiment whose finite elements stand still while its loads rise.

#ifndef PLIANT_EXPERIMENTS_FILES_STATIC_EXPERIMENT_H_
#define PLIANT_EXPERIMENTS_FILES_STATIC_EXPERIMENT_H_

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/files/experiment.h"

namespace pliant {

// The finite elements of the file, or those with defaults where it has none: the loads rise to their full size at the
// end of the run, in `load_steps` steps (1 or more), one equilibrium recorded per step. Throws FileError, BadInput.
Experiment ReadStaticExperiment(const std::filesystem::path& file,
                                std::vector<std::string> overrides, int load_steps);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_STATIC_EXPERIMENT_H_
