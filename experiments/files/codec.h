// How values of a file become C++ values: one Codec for each type a key may have.
//
// A codec names its type in words and as JSON Schema (for editors), tests whether a value has the right kind, and reads it; Read may
// still refuse the contents (a wrong number of entries, a number that is not finite).

#ifndef PLIANT_EXPERIMENTS_FILES_CODEC_H_
#define PLIANT_EXPERIMENTS_FILES_CODEC_H_

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "experiments/files/document.h"
#include "experiments/files/mistakes.h"

namespace pliant {

struct SceneSoFar;  // scene_keys.h

struct ReadContext {
  std::string what;                   // name of the value in messages
  int dimension = 3;                  // of the scene: vectors of a planar one may omit z
  const SceneSoFar* scene = nullptr;  // for names of bodies and points

  ReadContext Called(std::string name) const { return {std::move(name), dimension, scene}; }
};

template <typename T>
struct Codec;

// `text` in the quotes of JSON.
std::string JsonQuoted(const std::string& text);
// The schema of an array of entries of this schema.
inline std::string ArraySchema(const std::string& entry) {
  return R"({"type":"array","items":)" + entry + "}";
}

// What a key asks for, in words: "number", "[x, y, z]".
struct ExpectedKind {
  std::string words, example;                   // `example` may be empty
  bool is_table = false, is_of_tables = false;  // of_tables: a list of them
  std::string what = {};                        // as in ReadContext: "'nail'"
};

// How to write what is expected where `value`, of another kind, stands: "expected number; write 0.5 without quotes",
// "expected number, as 0.5", "write [[scene.nail]]: there may be several".
std::string MendOfKind(const FileValue& value, const ExpectedKind& expected);

template <typename T>
std::string ExampleOf() {
  if constexpr (requires { Codec<T>::Example(); }) return Codec<T>::Example();
  return "";
}

template <typename T>
constexpr bool IsTableCodec() {
  return requires { Codec<T>::kIsTable; };
}
template <typename T>
constexpr bool IsTablesCodec() {
  return requires { requires Codec<T>::kIsOfTables; };
}

// Reads `value` as a T or throws FileError at its place.
template <typename T>
T ReadValue(FileValue* value, const ReadContext& context) {
  if (!Codec<T>::Accepts(*value)) {
    FailAt(value->place, context.what + " is " + KindInWords(*value),
           MendOfKind(*value, {Codec<T>::Words(), ExampleOf<T>(), IsTableCodec<T>(),
                               IsTablesCodec<T>(), context.what}));
  }
  return Codec<T>::Read(value, context);
}

using FileData = decltype(FileValue::data);

template <>
struct Codec<bool> {
  static std::string Words() { return "true or false"; }
  static std::string Schema() { return R"({"type":"boolean"})"; }
  static bool Accepts(const FileValue& value) { return std::holds_alternative<bool>(value.data); }
  static bool Read(FileValue* value, const ReadContext&) { return std::get<bool>(value->data); }
  static FileData Write(bool value) { return value; }
};

template <>
struct Codec<std::int64_t> {
  static std::string Words() { return "whole number"; }
  static std::string Schema() { return R"({"type":"integer"})"; }
  static bool Accepts(const FileValue& value) {
    return std::holds_alternative<std::int64_t>(value.data);
  }
  static std::int64_t Read(FileValue* value, const ReadContext&) {
    return std::get<std::int64_t>(value->data);
  }
  static FileData Write(std::int64_t value) { return value; }
};

template <>
struct Codec<int> {
  static std::string Words() { return Codec<std::int64_t>::Words(); }
  static std::string Example() { return "3"; }
  static std::string Schema() { return Codec<std::int64_t>::Schema(); }
  static bool Accepts(const FileValue& value) { return Codec<std::int64_t>::Accepts(value); }
  static int Read(FileValue* value, const ReadContext& context);  // refuses what no int can hold
  static FileData Write(int value) { return std::int64_t{value}; }
};

// Not negative.
template <>
struct Codec<std::uint64_t> : Codec<std::int64_t> {
  static std::string Schema() { return R"({"type":"integer","minimum":0})"; }
  static std::uint64_t Read(FileValue* value, const ReadContext& context);
  static FileData Write(std::uint64_t value) { return static_cast<std::int64_t>(value); }
};

// Finite.
template <>
struct Codec<double> {
  static std::string Words() { return "number"; }
  static std::string Example() { return "0.5"; }
  static std::string Schema() { return R"({"type":"number"})"; }
  static bool Accepts(const FileValue& value) {
    return std::holds_alternative<double>(value.data) || Codec<int>::Accepts(value);
  }
  static double Read(FileValue* value, const ReadContext& context);
  static FileData Write(double value) { return value; }
};

template <>
struct Codec<std::string> {
  static std::string Words() { return "text"; }
  static std::string Example() { return "\"left\""; }
  static std::string Schema() { return R"({"type":"string"})"; }
  static bool Accepts(const FileValue& value) { return value.text() != nullptr; }
  static std::string Read(FileValue* value, const ReadContext&) { return *value->text(); }
  static FileData Write(const std::string& value) { return value; }
};

// A table or array that is read elsewhere.
template <>
struct Codec<FileValue*> {
  static constexpr bool kIsTable = true;
  static std::string Words() { return "table"; }
  static std::string Schema() { return R"({"type":"object"})"; }
  static bool Accepts(const FileValue& value) { return value.table() != nullptr; }
  static FileValue* Read(FileValue* value, const ReadContext&) { return value; }
  static FileData Write(const FileValue* value) { return value->data; }
};

// A value of any kind, which is read elsewhere.
struct AnyValue {
  FileValue is;
};
template <>
struct Codec<AnyValue> {
  static std::string Words() { return "value"; }
  static std::string Schema() { return "{}"; }
  static bool Accepts(const FileValue&) { return true; }
  static AnyValue Read(FileValue* value, const ReadContext&) { return {*value}; }
  static FileData Write(const AnyValue& value) { return value.is.data; }
};

// Fails unless `value` is an array of `size` entries.
void RequireSize(const FileValue& value, size_t size, const ReadContext& context);

template <typename Entries>
FileValue::Array WriteArray(const Entries& entries) {
  FileValue::Array array;
  for (const auto& entry : entries) {
    array.push_back({Codec<std::decay_t<decltype(entry)>>::Write(entry), {}});
  }
  return array;
}

template <typename T, size_t n>
struct Codec<std::array<T, n>> {
  static std::string Words() {
    std::string words = "[";
    for (size_t i = 0; i < n; ++i) words += (i > 0 ? ", " : "") + Codec<T>::Words();
    return words + "]";
  }
  static std::string Example() requires std::is_arithmetic_v<T> {
    std::string words = "[";
    for (size_t i = 0; i < n; ++i) words += (i > 0 ? ", " : "") + std::to_string(n - i);
    return words + "]";
  }
  static std::string Schema() {
    const std::string count = std::to_string(n);
    return R"({"type":"array","items":)" + Codec<T>::Schema() + R"(,"minItems":)" + count +
           R"(,"maxItems":)" + count + "}";
  }
  static bool Accepts(const FileValue& value) { return value.array() != nullptr; }
  static std::array<T, n> Read(FileValue* value, const ReadContext& context) {
    RequireSize(*value, n, context);
    std::array<T, n> entries;
    for (size_t i = 0; i < n; ++i) entries[i] = ReadValue<T>(&(*value->array())[i], context);
    return entries;
  }
  static FileData Write(const std::array<T, n>& entries) { return WriteArray(entries); }
};

// [x, y, z], or [x, y] in a planar scene.
template <>
struct Codec<Eigen::Vector3d> {
  static std::string Words() { return "[x, y, z]"; }
  static std::string Example() { return "[0, -9.81, 0]"; }
  static std::string Schema() {
    return R"({"type":"array","items":{"type":"number"},"minItems":2,"maxItems":3})";
  }
  static bool Accepts(const FileValue& value) { return value.array() != nullptr; }
  static Eigen::Vector3d Read(FileValue* value, const ReadContext& context);
  static FileData Write(const Eigen::Vector3d& vector) { return WriteArray(vector); }
};

// A vector of any length that is not 0.
struct Direction {
  Eigen::Vector3d unit;
};
template <>
struct Codec<Direction> : Codec<Eigen::Vector3d> {
  static Direction Read(FileValue* value, const ReadContext& context);
  static FileData Write(const Direction& direction) { return WriteArray(direction.unit); }
};

// Factors along x, y, z.
struct Stretch {
  Eigen::Vector3d factors;
};
template <>
struct Codec<Stretch> : Codec<Eigen::Vector3d> {
  static Stretch Read(FileValue* value, const ReadContext& context);
  static FileData Write(const Stretch& stretch) { return WriteArray(stretch.factors); }
};

template <typename T>
struct Codec<std::vector<T>> {
  static constexpr bool kIsOfTables = IsTableCodec<T>();
  static std::string Words() { return "list, each " + Codec<T>::Words(); }
  static std::string Example() requires(!IsTableCodec<T>()) {
    if constexpr (std::is_arithmetic_v<T>) return "[0, 1]";
    const std::string entry = ExampleOf<T>();
    return entry.empty() ? "" : "[" + entry + ", …]";
  }
  static std::string Schema() { return ArraySchema(Codec<T>::Schema()); }
  static bool Accepts(const FileValue& value) { return value.array() != nullptr; }
  static std::vector<T> Read(FileValue* value, const ReadContext& context) {
    std::vector<T> entries;
    Mistakes mistakes;  // of tables all, of other entries the first
    size_t number = 0;
    for (FileValue& entry : *value->array()) {
      const std::string what = "entry " + std::to_string(number++) + " of " + context.what;
      mistakes.Try([&] { entries.push_back(ReadValue<T>(&entry, context.Called(what))); });
      if (entry.table() == nullptr) mistakes.ThrowIfAny();
    }
    mistakes.ThrowIfAny();
    return entries;
  }
  static FileData Write(const std::vector<T>& entries) { return WriteArray(entries); }
};

// A list of points, a column for each.
template <>
struct Codec<Eigen::Matrix3Xd> {
  using List = Codec<std::vector<Eigen::Vector3d>>;
  static std::string Words() { return List::Words(); }
  static std::string Example() { return "[[0, 0, 0], [1, 0, 0]]"; }
  static std::string Schema() { return List::Schema(); }
  static bool Accepts(const FileValue& value) { return List::Accepts(value); }
  static Eigen::Matrix3Xd Read(FileValue* value, const ReadContext& context);
  static FileData Write(const Eigen::Matrix3Xd& points);
};

// {name = …, …}, by name.
template <typename T>
struct Codec<std::map<std::string, T>> {
  static std::string Words() { return "{name = " + Codec<T>::Words() + ", …}"; }
  static std::string Schema() {
    return R"({"type":"object","additionalProperties":)" + Codec<T>::Schema() + "}";
  }
  static bool Accepts(const FileValue& value) { return value.table() != nullptr; }
  static std::map<std::string, T> Read(FileValue* value, const ReadContext& context) {
    std::map<std::string, T> values;
    for (FileValue::Entry& entry : *value->table()) {
      const std::string what = "'" + entry.key + "' of " + context.what;
      values.emplace(entry.key, ReadValue<T>(&entry.value, context.Called(what)));
    }
    return values;
  }
  static FileData Write(const std::map<std::string, T>& values) {
    FileValue::Table table;
    for (const auto& [name, value] : values) {
      table.push_back({name, {}, {Codec<T>::Write(value), {}}});
    }
    return table;
  }
};

// One of several kinds, told apart by the kind of value in the file.
template <typename... T>
struct Codec<std::variant<T...>> {
  static std::string Words() {
    std::string words;
    ((words += (words.empty() ? "" : " or ") + Codec<T>::Words()), ...);
    return words;
  }
  static std::string Example() {
    std::string words;
    const auto add = [&words](const std::string& example) {
      if (!example.empty()) words += (words.empty() ? "" : " or ") + example;
    };
    (add(ExampleOf<T>()), ...);
    return words;
  }
  static std::string Schema() {
    std::string kinds;
    ((kinds += (kinds.empty() ? "" : ",") + Codec<T>::Schema()), ...);
    return R"({"anyOf":[)" + kinds + "]}";
  }
  static bool Accepts(const FileValue& value) { return (Codec<T>::Accepts(value) || ...); }
  static std::variant<T...> Read(FileValue* value, const ReadContext& context) {
    std::optional<std::variant<T...>> read;
    ((!read && Codec<T>::Accepts(*value) ? (void)(read = ReadValue<T>(value, context)) : void()),
     ...);
    return *read;
  }
  static FileData Write(const std::variant<T...>& value) {
    return std::visit([](const auto& v) { return Codec<std::decay_t<decltype(v)>>::Write(v); },
                      value);
  }
};

// An enumeration by its words: overload `EnumWords<E> WordsOf(E)` beside it.
template <typename Enum>
using EnumWords = std::vector<std::pair<std::string, Enum>>;

template <typename Enum>
requires std::is_enum_v<Enum>
struct Codec<Enum> {
  static std::vector<std::string> Choices() {
    std::vector<std::string> choices;
    for (const auto& [word, value] : WordsOf(Enum())) choices.push_back(word);
    return choices;
  }
  static std::string Words() {
    std::string words;
    for (const std::string& word : Choices()) {
      words += (words.empty() ? "\"" : " or \"") + word + '"';
    }
    return words;
  }
  static std::string Schema() {
    std::string words;
    for (const std::string& word : Choices())
      words += (words.empty() ? "" : ",") + JsonQuoted(word);
    return R"({"enum":[)" + words + "]}";
  }
  static bool Accepts(const FileValue& value) { return value.text() != nullptr; }
  static Enum Read(FileValue* value, const ReadContext& context) {
    for (const auto& [word, meaning] : WordsOf(Enum())) {
      if (word == *value->text()) return meaning;
    }
    FailAt(value->place, context.what + " cannot be '" + *value->text() + "'",
           DidYouMean(*value->text(), Choices()));
  }
  static FileData Write(Enum value) {
    for (const auto& [word, meaning] : WordsOf(Enum())) {
      if (meaning == value) return word;
    }
    return std::string();
  }
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_CODEC_H_
