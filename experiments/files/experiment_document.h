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
// makes them, with values from anywhere.
Experiment ReadChangedExperiment(const std::filesystem::path& file,
                                 const std::vector<std::string>& overrides,
                                 std::vector<FileValue> changes,
                                 const std::vector<const Backend*>& backends);

// An experiment from a tree that need not come from a file; its name is `name` unless it has the
// key `name`.
Experiment ReadExperimentTree(FileValue root, const std::string& name,
                              const std::vector<std::string>& overrides,
                              std::vector<FileValue> changes,
                              const std::vector<const Backend*>& backends);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_EXPERIMENT_DOCUMENT_H_
