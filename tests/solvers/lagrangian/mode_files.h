// The mode tables that Pliant brings along, read as an experiment reads them.

#ifndef PLIANT_TESTS_SOLVERS_LAGRANGIAN_MODE_FILES_H_
#define PLIANT_TESTS_SOLVERS_LAGRANGIAN_MODE_FILES_H_

#include <string>

#include "solvers/parameters.h"

namespace pliant {

// "table.toml" of data/modes.
MatrixTable ModesFrom(const std::string& file);

}  // namespace pliant

#endif  // PLIANT_TESTS_SOLVERS_LAGRANGIAN_MODE_FILES_H_
