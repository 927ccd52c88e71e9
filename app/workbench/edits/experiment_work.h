// An open experiment and its edits as values. No Qt.

#ifndef PLIANT_APP_WORKBENCH_EDITS_EXPERIMENT_WORK_H_
#define PLIANT_APP_WORKBENCH_EDITS_EXPERIMENT_WORK_H_

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/files/experiment.h"

namespace pliant {

struct ExperimentWork {
  std::filesystem::path file = {};  // that was opened or saved; empty when nothing is open
  bool is_own_file = false;         // is it an experiment file, so that saving may replace it?
  std::string script = {};          // that made the experiment; empty when none did
  // As it was opened, then after each edit. Empty when nothing is open.
  std::vector<std::shared_ptr<const Experiment>> states = {};
  std::vector<std::string> edits = {};  // in words; one fewer than states
  size_t present = 0;                   // the state that is shown
  std::optional<size_t> saved = {};  // the state that the file has; absent when it has none of them
  std::shared_ptr<const Experiment> of_file = {};  // as the file had it when it was opened or saved

  bool operator==(const ExperimentWork&) const = default;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_EDITS_EXPERIMENT_WORK_H_
