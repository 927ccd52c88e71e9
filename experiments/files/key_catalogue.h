// All tables of experiment and scene files with their keys, but for those of [optimize]
// (experiments/searches).

#ifndef PLIANT_EXPERIMENTS_FILES_KEY_CATALOGUE_H_
#define PLIANT_EXPERIMENTS_FILES_KEY_CATALOGUE_H_

#include <string>
#include <vector>

#include "experiments/files/keys.h"
#include "solvers/parameters.h"

namespace pliant {

struct KeyTable {
  std::string title;  // "[[nail]]"
  std::vector<KeyInfo> keys;
};
const std::vector<KeyTable>& KeyTables();

// The parameters of a backend or of a search as keys, with their ranges.
std::vector<KeyInfo> DescribeParameters(const std::vector<ParameterInfo>& parameters);

// Where a key lives: "[[nail]] and [[limit]]"; empty when no table has it.
std::string TablesWithKey(const std::string& key);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_KEY_CATALOGUE_H_
