// The dialog for a new experiment.

#ifndef PLIANT_APP_WORKBENCH_WINDOW_NEW_EXPERIMENT_DIALOG_H_
#define PLIANT_APP_WORKBENCH_WINDOW_NEW_EXPERIMENT_DIALOG_H_

#include <filesystem>
#include <optional>

#include "app/workbench/edits/new_experiment.h"

class QWidget;

namespace pliant {

// Asks the user for a new experiment; nothing when the user cancels. `scenes` is a folder of
// scenes.
std::optional<ExperimentTemplate> AskForExperiment(QWidget* parent,
                                                   const std::filesystem::path& scenes);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_WINDOW_NEW_EXPERIMENT_DIALOG_H_
