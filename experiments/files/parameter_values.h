// Converts the parameters of a backend from and to the table of a file.

#ifndef PLIANT_EXPERIMENTS_FILES_PARAMETER_VALUES_H_
#define PLIANT_EXPERIMENTS_FILES_PARAMETER_VALUES_H_

#include <string>
#include <vector>

#include "experiments/files/document.h"
#include "solvers/simulation.h"

namespace pliant {

// The parameters in `table`, called `title`; names of data files are replaced by their contents.
// Throws FileError for unknown parameters, wrong types and values outside their range. The table
// may also have `other_keys`, which are read elsewhere.
ParameterValues ReadParameters(FileValue* table, const std::vector<ParameterInfo>& infos,
                               const std::vector<std::string>& other_keys,
                               const std::string& title);

// Those of a backend.
ParameterValues ReadParameters(FileValue* table, const Backend& backend, const std::string& title);

FileValue ToFileValue(const ParameterValue& value);

// What a table is a table of: "pose graph".
const char* KindOf(const TableValue& table);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_PARAMETER_VALUES_H_
