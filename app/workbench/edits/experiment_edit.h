// An experiment as something to edit: what can be changed, with unit, range, default and meaning,
// and the experiment that a change makes. Every change goes through the reader of experiment files,
// so that what the workbench runs is what the command line runs from the saved file. No Qt.

#ifndef PLIANT_APP_WORKBENCH_EDITS_EXPERIMENT_EDIT_H_
#define PLIANT_APP_WORKBENCH_EDITS_EXPERIMENT_EDIT_H_

#include <memory>
#include <string>
#include <vector>

#include "experiments/files/document.h"
#include "experiments/files/experiment.h"

namespace pliant {

// One value of an experiment.
struct EditableValue {
  std::vector<std::string> path;  // keys from the root; an element of a list by its number
  std::string name;
  std::string value;                 // as TOML
  std::string unit;                  // empty for a pure number
  std::string range;                 // in words; may be empty
  std::string standard;              // its default as TOML; empty when it has none
  std::string meaning;               // one line
  std::vector<std::string> choices;  // of words, without quotes
};

struct EditableGroup {
  std::string title;
  std::vector<EditableValue> values;
};

// The plan, each backend, each element of the scene. Tables read from data files are left out.
std::vector<EditableGroup> EditableGroups(const Experiment& experiment);

// The experiment with another value, given as TOML (a bare word is a string). Throws FileError when
// the reader rejects it.
std::shared_ptr<const Experiment> WithValue(const Experiment& experiment,
                                            const std::vector<std::string>& path,
                                            const std::string& toml);

// Sets the value at a path of keys and element numbers. Throws BadInput when the path leads through
// a value that is neither a table nor a list.
void SetAt(FileValue* root, const std::vector<std::string>& path, FileValue value);

// The experiment that `root` describes, with the name of `before`. Throws FileError.
std::shared_ptr<const Experiment> Reread(const Experiment& before, FileValue root);

// The whole experiment as one self-contained TOML text, scene and data included.
std::string ToToml(const Experiment& experiment);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_EDITS_EXPERIMENT_EDIT_H_
