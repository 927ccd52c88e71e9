#include "experiments/files/writer.h"

#include <algorithm>
#include <cmath>

#include "models/scene/number_text.h"

namespace pliant {
namespace {

bool IsBareKey(const std::string& key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

std::string Quoted(const std::string& text) {
  static const char* const hex = "0123456789ABCDEF";
  std::string quoted = "\"";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += {'\\', c};
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      quoted += std::string("\\u00") + hex[byte >> 4] + hex[byte & 15];
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string Key(const std::string& key) { return IsBareKey(key) ? key : Quoted(key); }

// The shortest text that reads back to the same bits, always marked as a real number.
std::string Real(double value) {
  const std::string text = RoundTrip(value);
  const bool is_marked = !std::isfinite(value) || text.find_first_of(".e") != std::string::npos;
  return is_marked ? text : text + ".0";
}

bool IsArrayOfTables(const FileValue& value) {
  const FileValue::Array* array = value.array();
  return array != nullptr && !array->empty() &&
         std::all_of(array->begin(), array->end(),
                     [](const FileValue& element) { return element.table() != nullptr; });
}

bool IsSection(const FileValue& value) {
  return value.table() != nullptr || IsArrayOfTables(value);
}

// `key = value`; an array of arrays takes a line for each of its rows.
std::string Assignment(const FileValue::Entry& entry) {
  const FileValue::Array* rows = entry.value.array();
  const bool nested = rows != nullptr && !rows->empty() && rows->front().array() != nullptr;
  if (!nested) return Key(entry.key) + " = " + WriteInline(entry.value) + "\n";
  std::string text = Key(entry.key) + " = [\n";
  for (const FileValue& row : *rows) text += "  " + WriteInline(row) + ",\n";
  return text + "]\n";
}

void WriteTable(const FileValue& table, const std::string& path, std::string* text) {
  for (const FileValue::Entry& entry : *table.table()) {
    if (!IsSection(entry.value)) *text += Assignment(entry);
  }
  for (const FileValue::Entry& entry : *table.table()) {
    const std::string inner = path.empty() ? Key(entry.key) : path + "." + Key(entry.key);
    if (entry.value.table() != nullptr) {
      *text += "\n[" + inner + "]\n";
      WriteTable(entry.value, inner, text);
    } else if (IsArrayOfTables(entry.value)) {
      for (const FileValue& element : *entry.value.array()) {
        *text += "\n[[" + inner + "]]\n";
        WriteTable(element, inner, text);
      }
    }
  }
}

}  // namespace

std::string WriteInline(const FileValue& value) {
  struct Writer {
    std::string operator()(bool boolean) const { return boolean ? "true" : "false"; }
    std::string operator()(std::int64_t integer) const { return std::to_string(integer); }
    std::string operator()(double real) const { return Real(real); }
    std::string operator()(const std::string& string) const { return Quoted(string); }
    std::string operator()(const FileValue::Array& array) const {
      std::string text = "[";
      for (const FileValue& element : array) {
        text += (text.size() > 1 ? ", " : "") + WriteInline(element);
      }
      return text + "]";
    }
    std::string operator()(const FileValue::Table& table) const {
      std::string text = "{";
      for (const FileValue::Entry& entry : table) {
        text += (text.size() > 1 ? ", " : "") + Key(entry.key) + " = " + WriteInline(entry.value);
      }
      return text + "}";
    }
  };
  return std::visit(Writer(), value.data);
}

std::string WriteToml(const FileValue& root) {
  std::string text;
  WriteTable(root, "", &text);
  return text;
}

}  // namespace pliant
