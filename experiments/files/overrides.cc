#include "experiments/files/overrides.h"

#include <algorithm>
#include <cctype>

#include "experiments/files/data_file.h"
#include "experiments/files/experiment.h"

namespace pliant {
namespace {

bool IsBareWord(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-./*+").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

std::string Listed(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
  return list;
}

std::string Trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::decay_t<decltype(FileValue::data)> ParseValue(const std::string& text,
                                                   const FilePlace& place) {
  std::string mend;
  try {
    FileValue table = ParseToml("value = " + text, place.source);
    if (table.table()->size() == 1) return std::move(table.table()->front().value.data);
  } catch (const FileError& error) {
    if (IsBareWord(text)) return text;
    mend = error.mistakes().front().mend;
  }
  FailAt(place, "'" + text + "' is not a TOML value",
         mend.empty() ? "put a text in quotes, and an array in brackets" : mend);
}

constexpr char kUnset[] = "--unset ";

bool IsNumber(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
}

// Replaces the name of a TOML file by its contents, so that a change can reach into it.
void InlineToml(FileValue* value) {
  if (value->text() == nullptr) return;
  const std::string name = *value->text();
  if (!name.ends_with(".toml") && !IsBareWord(name)) return;
  std::filesystem::path file;
  try {
    file = DataFileNamed(name, DataKind::kTable, value->place);
  } catch (const FileError&) {
    if (name.ends_with(".toml")) throw;
    return;  // some other text, which has no parts
  }
  if (file.extension() == ".toml") *value = ReadToml(file, value->place);
}

// The value of a key or the element of a list; also of a key in the file that a table names with `file`, whose
// keys then stand in the table. Null when there is none.
FileValue* FindPart(FileValue* value, const std::string& part) {
  if (value->table() == nullptr) return FindElement(value, part);
  if (FileValue* found = value->Find(part)) return found;
  FileValue* file = value->Find("file");
  if (file == nullptr) return nullptr;
  FileValue inside = *file;
  InlineToml(&inside);
  if (inside.Find(part) == nullptr) return nullptr;
  value->Erase("file");
  for (FileValue::Entry& entry : *inside.table()) value->table()->push_back(std::move(entry));
  return value->Find(part);
}

[[noreturn]] void FailAtMissing(const FileValue& target, const std::string& part,
                                const FilePlace& place, const char* what_for) {
  const bool list = target.array() != nullptr;
  const size_t size = list ? target.array()->size() : 0;
  const bool of_tables = size > 0 && target.array()->front().table() != nullptr;
  const std::string what =
      std::string("there is no ") + (list ? "element" : "key") + " '" + part + "' to " + what_for;
  if (size == 0 && list) FailAt(place, what, "the list is empty");
  if (list && (!of_tables || IsNumber(part))) {
    FailAt(place, what,
           "the list has the elements [0] to [" + std::to_string(size - 1) + "]" +
               (of_tables ? ", by name: " + Listed(PartsOf(target)) : ""));
  }
  if (!list && target.table() == nullptr) {
    FailAt(place, what, "the value before it is " + KindInWords(target) + ", which has no parts");
  }
  FailAt(place, what, DidYouMean(part, PartsOf(target)));
}

// A list that the file does not give has no elements that could be changed one by one.
void RequireWholeList(const FileValue::Entry& entry) {
  const FileValue::Table* parts = entry.value.table();
  if (parts == nullptr || parts->size() != 1 || entry.key == "contact") return;
  if (!IsNumber(parts->front().key)) return;
  FailAt(entry.place,
         "the file does not give '" + entry.key + "', so that it has no element [" +
             parts->front().key + "] to change",
         "set all of it: " + entry.key + "=[…]");
}

}  // namespace

FileValue ParseOverride(const std::string& text, const std::filesystem::path& folder) {
  const FilePlace place{std::make_shared<FileSource>(FileSource{"--set " + text, folder, true})};
  const size_t equals = text.find('=');
  if (equals == std::string::npos) {
    FailAt(place, "an override needs a value",
           "write key=value, such as run.step=0.001; --unset key removes it");
  }
  return AtKey(Trimmed(text.substr(0, equals)),
               {ParseValue(Trimmed(text.substr(equals + 1)), place), place}, place);
}

FileValue AtKey(const std::string& key_path, FileValue value, const FilePlace& place) {
  const std::vector<std::string> keys = SplitPath(key_path);
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
    if (key->empty()) FailAt(place, "a part of the key is empty");
    value = {FileValue::Table{{*key, place, std::move(value)}}, place};
  }
  return value;
}

void Merge(FileValue* target, FileValue change) {
  if (change.table() != nullptr && !change.table()->empty()) InlineToml(target);
  const bool has_parts = target->table() != nullptr || target->array() != nullptr;
  if (change.table() == nullptr || !has_parts) {
    *target = std::move(change);
    return;
  }
  for (FileValue::Entry& entry : *change.table()) {
    if (FileValue* found = FindPart(target, entry.key)) {
      Merge(found, std::move(entry.value));
    } else if (target->table() != nullptr) {
      RequireWholeList(entry);
      target->table()->push_back(std::move(entry));
    } else {
      FailAtMissing(*target, entry.key, entry.place, "change");
    }
  }
}

std::string Removal(const std::string& key) { return kUnset + Trimmed(key); }

std::optional<std::string> RemovedKey(const std::string& override_text) {
  if (!override_text.starts_with(kUnset)) return std::nullopt;
  return override_text.substr(std::string_view(kUnset).size());
}

void Remove(FileValue* root, const std::string& key, const FilePlace& place) {
  const std::vector<std::string> parts = SplitPath(key);
  FileValue *value = root, *parent = nullptr;
  for (const std::string& part : parts) {
    if (part.empty()) FailAt(place, "a part of the key is empty");
    InlineToml(value);
    parent = value;
    value = FindPart(parent, part);
    if (value == nullptr) FailAtMissing(*parent, part, place, "remove");
  }
  if (parent->table() != nullptr) {
    parent->Erase(parts.back());
  } else {
    parent->array()->erase(parent->array()->begin() + (value - parent->array()->data()));
  }
}

}  // namespace pliant
