// The parts of an experiment's files that the reader stores for messages and for Resolved(); also
// reading with changes that have their own places.

#ifndef PLIANT_EXPERIMENTS_FILES_EXPERIMENT_DOCUMENT_H_
#define PLIANT_EXPERIMENTS_FILES_EXPERIMENT_DOCUMENT_H_

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/files/document.h"
#include "experiments/files/experiment.h"

namespace pliant {

struct ExperimentDocument {
  // The experiment with its scene, shapes and data tables in place and all defaults of the scene
  // written out.
  FileValue root;
};

// Like ReadExperiment(), with `changes` merged in after the overrides: tables as ParseOverride()
// makes them, with values from anywhere. Of backends that are not `chosen` (all when empty) no whole number of steps need fit
// into the times of the run.
Experiment ReadChangedExperiment(const std::filesystem::path& file,
                                 const std::vector<std::string>& overrides,
                                 std::vector<FileValue> changes,
                                 const std::vector<const Backend*>& backends,
                                 const std::vector<std::string>& chosen = {});

// An experiment from a tree that need not come from a file; its name is `name` unless it has the
// key `name`.
Experiment ReadExperimentTree(FileValue root, const std::string& name,
                              const std::vector<std::string>& overrides,
                              std::vector<FileValue> changes,
                              const std::vector<const Backend*>& backends);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_EXPERIMENT_DOCUMENT_H_
