// A syntax error of TOML in the words of who wrote the file, and how to mend it.

#ifndef PLIANT_EXPERIMENTS_FILES_TOML_FAULT_H_
#define PLIANT_EXPERIMENTS_FILES_TOML_FAULT_H_

#include <string>
#include <string_view>

namespace pliant {

struct TomlFault {
  int line, column;  // from 1, in characters
  std::string what;
  std::string mend;  // empty where none is known
};

// `text` is that of the file, `line` and `column` are where the parser stopped, `description` is what it says.
TomlFault FaultOf(std::string_view text, int line, int column, const std::string& description);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_TOML_FAULT_H_
