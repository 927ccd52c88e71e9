// One [[entry]] of a mode table, and error reports about a table.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_MODE_ENTRY_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_MODE_ENTRY_H_

#include <map>
#include <string>
#include <vector>

#include "models/dynamic_ffd/modes.h"
#include "solvers/parameters.h"

namespace pliant::dynamic_ffd {

// Errors refer to `where`: "modes" or a place in it, such as "modes.entry[2]".
class ModeTableProblems {
 public:
  explicit ModeTableProblems(const MatrixTable& table) : file_(table.file) {}
  ModeTableProblems(const ModeTableProblems& table, const std::string& place)
      : file_(table.file_), where_("modes." + place) {}

  [[noreturn]] void Fail(const std::string& what, const std::string& mend) const;

  // Refuse unknown keys, since a misspelled one would silently do nothing, and numbers that are not
  // finite. `of` names the owner of the keys.
  void RequireKnown(const std::map<std::string, double>& scalars,
                    const std::vector<std::string>& known, const std::string& of) const;
  void RequireKnown(const std::map<std::string, std::string>& texts,
                    const std::vector<std::string>& known, const std::string& of) const;

 private:
  std::string file_;
  std::string where_ = "modes";
};

// Reads an entry for one of modes.lattices; the entries before it are in `modes`. A matrix has
// `rows` rows.
DeformationMode ReadModeEntry(const NamedMatrix& entry, int rows, const ModeTable& modes,
                              const ModeTableProblems& problems);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_MODE_ENTRY_H_
