// The value of a parameter in a choice: as given, or the default.

#ifndef PLIANT_EXPERIMENTS_FILES_CHOSEN_VALUE_H_
#define PLIANT_EXPERIMENTS_FILES_CHOSEN_VALUE_H_

#include "experiments/files/experiment.h"

namespace pliant {

// `info` is one of choice.backend->Parameters(); the value lives as long as both.
inline const ParameterValue& ChosenValue(const BackendChoice& choice, const ParameterInfo& info) {
  const auto given = choice.parameters.find(info.name);
  return given == choice.parameters.end() ? info.default_value : given->second;
}

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_CHOSEN_VALUE_H_
