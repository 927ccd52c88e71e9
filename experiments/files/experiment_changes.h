// The changes of an experiment's tree before it is read: its [set] table, --set and --unset of the command line, and
// those of sweeps and ladders.

#ifndef PLIANT_EXPERIMENTS_FILES_EXPERIMENT_CHANGES_H_
#define PLIANT_EXPERIMENTS_FILES_EXPERIMENT_CHANGES_H_

#include <optional>
#include <string>
#include <vector>

#include "experiments/files/document.h"
#include "experiments/files/mistakes.h"

namespace pliant {

// One tree of all requests: the file, its [set] table, overrides of the command line, further
// changes. A change of the scene's file comes before the file is read, all others after. Returns
// where run.step was changed. A scene that cannot be read leaves the name of its file.
std::optional<FilePlace> ApplyChanges(FileValue* root, const std::vector<std::string>& overrides,
                                      std::vector<FileValue> further, Mistakes* mistakes);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_EXPERIMENT_CHANGES_H_
