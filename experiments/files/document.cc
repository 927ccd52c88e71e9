#include "experiments/files/document.h"

#include <algorithm>
#include <charconv>

#include "experiments/files/mistakes.h"

namespace pliant {
std::string ToString(const FilePlace& place) {
  if (place.source == nullptr) return "";
  if (place.source->is_override) return place.source->name;
  return place.source->name + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

const FileValue::Entry* FileValue::FindEntry(std::string_view key) const {
  if (table() == nullptr) return nullptr;
  for (const Entry& entry : *table()) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

const FileValue* FileValue::Find(std::string_view key) const {
  const Entry* entry = FindEntry(key);
  return entry == nullptr ? nullptr : &entry->value;
}

FileValue* FileValue::Find(std::string_view key) {
  return const_cast<FileValue*>(std::as_const(*this).Find(key));
}

FileValue* FileValue::Set(std::string_view key, decltype(data) value) {
  FileValue* found = Find(key);
  if (found == nullptr) {
    table()->push_back({std::string(key), place, {{}, place}});
    found = &table()->back().value;
  }
  found->data = std::move(value);
  return found;
}

void FileValue::Erase(std::string_view key) {
  std::erase_if(*table(), [&](const Entry& entry) { return entry.key == key; });
}

std::string KindInWords(const FileValue& value) {
  static const char* const words[] = {"true or false", "a whole number", "a number",
                                      "a text",        "an array",       "a table"};
  return words[value.data.index()];
}

void FailAt(const FilePlace& place, const std::string& what, const std::string& mend) {
  throw FileError(std::vector<Mistake>{{place, what, mend}});
}

std::vector<std::string> SplitPath(std::string_view path) {
  std::vector<std::string> parts(1);
  for (char c : path) {
    if (c == '.' || c == '[') {
      parts.emplace_back();
    } else if (c != ']') {
      parts.back() += c;
    }
  }
  return parts;
}

const FileValue* FindElement(const FileValue& array, std::string_view part) {
  if (array.array() == nullptr) return nullptr;
  for (const FileValue& element : *array.array()) {
    const FileValue* name = element.Find("name");
    if (name != nullptr && name->text() != nullptr && *name->text() == part) return &element;
  }
  size_t index = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
  const bool is_index = error == std::errc() && end == part.data() + part.size();
  return is_index && index < array.array()->size() ? &(*array.array())[index] : nullptr;
}

FileValue* FindElement(FileValue* array, std::string_view part) {
  return const_cast<FileValue*>(FindElement(*array, part));
}

std::string ElementName(const FileValue& element, size_t index) {
  const FileValue* name = element.Find("name");
  return name != nullptr && name->text() != nullptr ? *name->text() : std::to_string(index);
}

std::vector<std::string> PartsOf(const FileValue& value) {
  std::vector<std::string> parts;
  if (value.table() != nullptr) {
    for (const FileValue::Entry& entry : *value.table()) parts.push_back(entry.key);
  } else if (value.array() != nullptr) {
    for (const FileValue& element : *value.array()) {
      parts.push_back(ElementName(element, parts.size()));
    }
  }
  return parts;
}

FilePlace PlaceOf(const FileValue& root, std::string_view path) {
  const FileValue* value = &root;
  for (const std::string& part : SplitPath(path)) {
    const FileValue* next =
        value->table() != nullptr ? value->Find(part) : FindElement(*value, part);
    if (next == nullptr) break;
    value = next;
  }
  return value->place;
}

}  // namespace pliant
