// An experiment as Python holds it: its file, the changes to it, and what they make. Everything that the command line
// does with a file and its --set, Python does with these two, through the same functions.

#ifndef PLIANT_APP_PYTHON_LOADED_EXPERIMENT_H_
#define PLIANT_APP_PYTHON_LOADED_EXPERIMENT_H_

#include <pybind11/pybind11.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "experiments/files/experiment.h"

namespace pliant {

struct LoadedExperiment {
  std::filesystem::path file;
  std::vector<std::string> overrides;  // key=value, as after --set
  std::shared_ptr<const Experiment> experiment;

  // Throws FileError for every mistake in either.
  LoadedExperiment(std::filesystem::path file, std::vector<std::string> overrides);

  // The place of the backend of this label; throws BadInput with a did-you-mean.
  size_t IndexOf(const std::string& label) const;
  // With these backends only (all when empty).
  Experiment Keeping(const std::vector<std::string>& labels) const;
};

void BindExperiment(pybind11::module_& m);

}  // namespace pliant

#endif  // PLIANT_APP_PYTHON_LOADED_EXPERIMENT_H_
