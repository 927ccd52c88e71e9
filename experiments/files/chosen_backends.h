// An experiment of which only some backends are asked for.

#ifndef PLIANT_EXPERIMENTS_FILES_CHOSEN_BACKENDS_H_
#define PLIANT_EXPERIMENTS_FILES_CHOSEN_BACKENDS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/files/experiment.h"
#include "experiments/files/mistakes.h"

namespace pliant {

// As ReadExperiment() and then KeepBackends() of these labels (all when empty); but that duration or record_every is not
// a whole number of steps of a backend that is not kept is no mistake.
Experiment ReadExperimentOf(const std::filesystem::path& file,
                            const std::vector<std::string>& overrides,
                            const std::vector<std::string>& labels);

// As ReadSoundParts(), in the same way.
Experiment ReadSoundPartsOf(const std::filesystem::path& file,
                            const std::vector<std::string>& overrides,
                            const std::vector<std::string>& labels, Mistakes* mistakes);

// Of an experiment of which only some backends are kept: that the reference which its file names is not among them, and what
// to do; empty where there is nothing to say.
std::string WhyNoDistances(const Experiment& experiment);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_CHOSEN_BACKENDS_H_
