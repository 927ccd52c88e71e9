// Changes to a document before it is read: `--set key=value` of the command line and the [set]
// table of an experiment file.

#ifndef PLIANT_EXPERIMENTS_FILES_OVERRIDES_H_
#define PLIANT_EXPERIMENTS_FILES_OVERRIDES_H_

#include <filesystem>
#include <optional>
#include <string>

#include "experiments/files/document.h"

namespace pliant {

// "run.step=0.001" as the table {run = {step = 0.001}}, placed at "--set run.step=0.001". The value
// is TOML; a bare word is a text. File names in it are relative to `folder`. Throws FileError.
FileValue ParseOverride(const std::string& text, const std::filesystem::path& folder);

// The table that has `value` at the dotted `key`; tables and keys are placed at `place`. Throws
// FileError when a part of the key is empty.
FileValue AtKey(const std::string& key, FileValue value, const FilePlace& place);

// Replaces values of table `target` by those of table `change`: tables are merged key by key, and
// in an array a key of `change` is the name or number of an element; anything else is replaced. What is
// changed inside a file that `target` names (modes = "modes.toml", file = "outline.toml") is read and
// stands in its place. Values keep their original places. Throws FileError for an element that does
// not exist.
void Merge(FileValue* target, FileValue change);

// An override that removes the value or element at a key, in a list of overrides of the form key=value:
// "--unset scene.obstacle.ball".
std::string Removal(const std::string& key);
// The key that it removes; absent when `override_text` changes a value.
std::optional<std::string> RemovedKey(const std::string& override_text);
// Removes the value of a table or the element of a list at the dotted `key`. Throws FileError, at
// `place`, where there is none.
void Remove(FileValue* root, const std::string& key, const FilePlace& place);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_OVERRIDES_H_
