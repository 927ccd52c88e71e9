// A new experiment from a template: a scene in some formulations, and how long.

#ifndef PLIANT_APP_WORKBENCH_NEW_EXPERIMENT_H_
#define PLIANT_APP_WORKBENCH_NEW_EXPERIMENT_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/files/experiment.h"

class QWidget;

namespace pliant {

struct ExperimentTemplate {
  std::filesystem::path scene;
  std::vector<std::string> formulations = {};                // empty: all
  double duration = 4.0, step = 0.001, record_every = 0.02;  // s
};

// Throws FileError when the reader refuses it.
Experiment MakeExperiment(const ExperimentTemplate& from);

// Asks for one; nothing when the user does not want one after all. `scenes` is a folder of scenes.
std::optional<ExperimentTemplate> AskForExperiment(QWidget* parent,
                                                   const std::filesystem::path& scenes);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_NEW_EXPERIMENT_H_
