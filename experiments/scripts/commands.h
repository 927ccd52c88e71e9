// The command language of the source's simulator [Faloutsos 1995, App. C], as text: one command a
// line, words with blanks between them, # to the end of the line is a comment.
//
//   load_def FILE        the object and its deformation modes
//   trans X Y [Z]        where its lattice corner stands
//   set NAME VALUE       a constant or a flag
//   assign MODE C D      stiffness and damping of a mode
//   set_vec q|dq …       the state it starts from, and its rate
//   simul                runs it

#ifndef PLIANT_EXPERIMENTS_SCRIPTS_COMMANDS_H_
#define PLIANT_EXPERIMENTS_SCRIPTS_COMMANDS_H_

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/files/document.h"

namespace pliant {

// A word of a script and its place.
struct ScriptWord {
  std::string text;
  FilePlace place;
};

// A value with the place of the command that gave it.
template <typename T>
struct Given {
  T value;
  FilePlace place;
};

struct ModeConstants {
  double stiffness = 0.0;  // C [J] in Q = −C γ − D γ̇
  double damping = 0.0;    // D [J s]
};

// The requests of the commands before `simul`; if several set the same thing, the last one.
struct ScriptCommands {
  std::optional<ScriptWord> load_def;
  std::optional<Given<std::vector<double>>> trans;  // x, y [m]
  std::map<std::string, Given<double>> numbers;     // of `set`, by name
  std::map<std::string, Given<bool>> flags;         // of `set`, by name
  std::map<int, Given<ModeConstants>> assign;       // by mode, from 1
  std::optional<Given<std::vector<double>>> q, dq;  // m, m, rad, 1 … and their rates
  FilePlace simul;
};

// Throws FileError "file:line:column: …" for unknown commands, too few or wrong arguments, commands
// after simul, or a script without simul.
ScriptCommands ReadCommands(const std::filesystem::path& file);

// For a text that is, or would be, in `file`.
ScriptCommands ReadCommands(const std::string& text, const std::filesystem::path& file);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SCRIPTS_COMMANDS_H_
