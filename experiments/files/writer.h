// Writes a tree of values as TOML that reads back to the same values, bit for bit.

#ifndef PLIANT_EXPERIMENTS_FILES_WRITER_H_
#define PLIANT_EXPERIMENTS_FILES_WRITER_H_

#include <string>

#include "experiments/files/document.h"

namespace pliant {

// `root` is a table; tables inside become sections.
std::string WriteToml(const FileValue& root);

// One value on one line.
std::string WriteInline(const FileValue& value);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_WRITER_H_
