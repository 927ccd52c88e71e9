// A file as it was read: a tree of values in the order of the file, each with its file, line and
// column, also after several files have been joined into one tree.

#ifndef PLIANT_EXPERIMENTS_FILES_DOCUMENT_H_
#define PLIANT_EXPERIMENTS_FILES_DOCUMENT_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/problem.h"

namespace pliant {

// Where text came from: a file, or an override of the command line.
struct FileSource {
  std::string name;              // as the user names it
  std::filesystem::path folder;  // base of relative file names inside
  bool is_override = false;      // has no lines
};

struct FilePlace {
  std::shared_ptr<const FileSource> source;
  int line = 0;
  int column = 0;
};

// "file:line:column".
std::string ToString(const FilePlace& place);

struct FileValue {
  struct Entry;
  using Array = std::vector<FileValue>;
  using Table = std::vector<Entry>;  // in the order of the file, keys are unique

  std::variant<bool, std::int64_t, double, std::string, Array, Table> data;
  FilePlace place;

  const Table* table() const { return std::get_if<Table>(&data); }
  Table* table() { return std::get_if<Table>(&data); }
  const Array* array() const { return std::get_if<Array>(&data); }
  Array* array() { return std::get_if<Array>(&data); }
  const std::string* text() const { return std::get_if<std::string>(&data); }

  // Of a table: the entry or value of `key`, null when there is none (or this is no table).
  const Entry* FindEntry(std::string_view key) const;
  const FileValue* Find(std::string_view key) const;
  FileValue* Find(std::string_view key);
  // Of a table: replaces the value of `key` or adds it at the end, placed where the table is.
  FileValue* Set(std::string_view key, decltype(data) value);
  void Erase(std::string_view key);
};

struct FileValue::Entry {
  std::string key;
  FilePlace place;  // of the key
  FileValue value;
};

// "a text", "a whole number", …
std::string KindInWords(const FileValue& value);

// Reads a TOML file into a table. Throws FileError for a missing or unreadable file (placed at
// `asked_at`, where its name was given, if there is such a place) and for TOML syntax errors.
FileValue ReadToml(const std::filesystem::path& file, const FilePlace& asked_at = {});

// Throws FileError, placed at `asked_at`, where WhyUnreadable (readable_file.h) gives a reason.
void RequireReadable(const std::filesystem::path& file, const FilePlace& asked_at,
                     std::uintmax_t most_bytes);

// The contents of a text file. Throws FileError, also placed at `asked_at`.
std::string ReadTextFile(const std::filesystem::path& file, const FilePlace& asked_at = {});

// Reads TOML text; places are in `source`.
FileValue ParseToml(std::string_view text, const std::shared_ptr<const FileSource>& source);

// The comment at the top of a file, empty lines between its paragraphs, indented lines (commands)
// as they are; empty when there is none.
std::string LeadingComment(const std::filesystem::path& file);

// Throws FileError "place: what; mend".
[[noreturn]] void FailAt(const FilePlace& place, const std::string& what,
                         const std::string& mend = "");

// The place of the value that `path` ("body[0].mass", "run.step") names below `root`, or of the
// nearest table or array above it. A part of a path may also be the `name` of a table in an array.
FilePlace PlaceOf(const FileValue& root, std::string_view path);

// The parts of a path: "body[0].mass" → body, 0, mass.
std::vector<std::string> SplitPath(std::string_view path);

// The element of an array of tables whose `name` is `part`, or whose number it is; null when there
// is none.
const FileValue* FindElement(const FileValue& array, std::string_view part);
FileValue* FindElement(FileValue* array, std::string_view part);

// The name of an element of an array: its `name` if it has one, else its number.
std::string ElementName(const FileValue& element, size_t index);

// The possible next parts of a path at `value`: keys, or names of elements.
std::vector<std::string> PartsOf(const FileValue& value);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_DOCUMENT_H_
