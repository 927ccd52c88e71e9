// The mode tables that Pliant brings along, read as an experiment reads them.

#ifndef PLIANT_TESTS_SOLVERS_DYNAMIC_FFD_MODE_FILES_H_
#define PLIANT_TESTS_SOLVERS_DYNAMIC_FFD_MODE_FILES_H_

#include <string>

#include "solvers/parameters.h"

namespace pliant::dynamic_ffd {

// "table.toml" of data/modes.
MatrixTable ModesFrom(const std::string& file);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_TESTS_SOLVERS_DYNAMIC_FFD_MODE_FILES_H_
