// A new experiment from a template: a scene in some formulations, and how long.

#ifndef PLIANT_APP_WORKBENCH_EDITS_NEW_EXPERIMENT_H_
#define PLIANT_APP_WORKBENCH_EDITS_NEW_EXPERIMENT_H_

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/files/experiment.h"

namespace pliant {

struct ExperimentTemplate {
  std::filesystem::path scene;
  std::vector<std::string> formulations = {};                // empty: all
  double duration = 4.0, step = 0.001, record_every = 0.02;  // s
};

// Throws FileError when the reader refuses it.
Experiment MakeExperiment(const ExperimentTemplate& from);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_EDITS_NEW_EXPERIMENT_H_
