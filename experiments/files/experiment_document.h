// What the reader keeps of an experiment's files, for messages and for Resolved(); and reading with
// changes that have places of their own.

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
// makes them, of values that may come from anywhere.
Experiment ReadChangedExperiment(const std::filesystem::path& file,
                                 const std::vector<std::string>& overrides,
                                 std::vector<FileValue> changes,
                                 const std::vector<const Backend*>& backends);

// An experiment from a tree that need not come from a file; it is called `name` unless it has a key
// that says so.
Experiment ReadExperimentTree(FileValue root, const std::string& name,
                              const std::vector<std::string>& overrides,
                              std::vector<FileValue> changes,
                              const std::vector<const Backend*>& backends);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_EXPERIMENT_DOCUMENT_H_
