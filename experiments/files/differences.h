// In which keys two files of the same kind differ.

#ifndef PLIANT_EXPERIMENTS_FILES_DIFFERENCES_H_
#define PLIANT_EXPERIMENTS_FILES_DIFFERENCES_H_

#include <string>
#include <vector>

#include "experiments/files/document.h"

namespace pliant {

// "run.step is 0.0005 (there 0.0002)", "backends.a.order is given (there it is not)": one for each key below `here`
// and `there` in which they differ, in the order of `here`.
std::vector<std::string> DifferencesOf(const FileValue& here, const FileValue& there);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_DIFFERENCES_H_
