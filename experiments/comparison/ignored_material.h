// Materials of which no backend makes anything. RunComparison() says so with the warnings of the first backend that runs.

#ifndef PLIANT_EXPERIMENTS_COMPARISON_IGNORED_MATERIAL_H_
#define PLIANT_EXPERIMENTS_COMPARISON_IGNORED_MATERIAL_H_

#include <optional>
#include <string>
#include <vector>

#include "experiments/files/experiment.h"

namespace pliant {

// One line that names the bodies, rigid ones apart, whose material all backends ignore that run and have the body; empty
// where there is none, and where not all translations of the experiment are known.
std::string WarnOfIgnoredMaterials(const Experiment& experiment,
                                   const std::vector<std::optional<Translation>>& translations);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_COMPARISON_IGNORED_MATERIAL_H_
