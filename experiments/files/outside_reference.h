// A reference that no backend of the experiment makes: a run bundle, or a table of measured values (CSV), named by
// its path. Paths are relative to the file that names them; the reader makes them absolute.

#ifndef PLIANT_EXPERIMENTS_FILES_OUTSIDE_REFERENCE_H_
#define PLIANT_EXPERIMENTS_FILES_OUTSIDE_REFERENCE_H_

#include <filesystem>
#include <optional>
#include <string>

namespace pliant {

// Of Experiment::reference, and of the manifest.
bool IsOutsideReference(const std::string& reference);

// Is the reference a table, and not a bundle?
bool IsTableReference(const std::string& reference);

// The absolute path that `text` names in a file of `folder`; absent where it is the path of neither.
std::optional<std::string> OutsideReference(const std::filesystem::path& folder,
                                            const std::string& text);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_OUTSIDE_REFERENCE_H_
