#include "experiments/files/overrides.h"

#include <algorithm>
#include <cctype>

#include "experiments/files/experiment.h"

namespace pliant {
namespace {

bool IsBareWord(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-./").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

std::string Trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::decay_t<decltype(FileValue::data)> ParseValue(const std::string& text,
                                                   const FilePlace& place) {
  try {
    FileValue table = ParseToml("value = " + text, place.source);
    if (table.table()->size() == 1) return std::move(table.table()->front().value.data);
  } catch (const FileError&) {
    if (IsBareWord(text)) return text;
  }
  FailAt(place, "'" + text + "' is not a TOML value",
         "put a text in quotes, and an array in brackets");
}

}  // namespace

FileValue ParseOverride(const std::string& text, const std::filesystem::path& folder) {
  const FilePlace place{std::make_shared<FileSource>(FileSource{"--set " + text, folder, true})};
  const size_t equals = text.find('=');
  if (equals == std::string::npos) {
    FailAt(place, "an override needs a value", "write key=value, such as run.step=0.001");
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
  const bool has_keys = target->table() != nullptr || target->array() != nullptr;
  if (change.table() == nullptr || !has_keys) {
    *target = std::move(change);
    return;
  }
  for (FileValue::Entry& entry : *change.table()) {
    FileValue* found =
        target->array() != nullptr ? FindElement(target, entry.key) : target->Find(entry.key);
    if (found != nullptr) {
      Merge(found, std::move(entry.value));
    } else if (target->table() != nullptr) {
      target->table()->push_back(std::move(entry));
    } else {
      FailAt(entry.place, "there is no element '" + entry.key + "' to change",
             DidYouMean(entry.key, PartsOf(*target)));
    }
  }
}

}  // namespace pliant
