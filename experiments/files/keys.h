// The keys of one table of a file: bound once to a field, a unit and a meaning, like the parameters
// of a backend (see solvers/parameters.h). The same walk over the fields reads a table, knows which
// keys are unknown, writes defaults out, and prints the reference of the format.
//
//   struct NailKeys {
//     static constexpr char kTitle[] = "[[nail]]";
//     std::string name;
//     std::optional<Point> point;
//     void Bind(KeyBinder& b) { b.Required("name", &name, "1", "…"); … }
//   };
//   NailKeys keys = ReadKeys<NailKeys>(&table, dimension);

#ifndef PLIANT_EXPERIMENTS_FILES_KEYS_H_
#define PLIANT_EXPERIMENTS_FILES_KEYS_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/files/codec.h"
#include "experiments/files/document.h"
#include "experiments/files/writer.h"

namespace pliant {

struct KeyInfo {
  std::string name;
  std::string type;  // in words
  std::string unit;  // "1" when it has none
  std::string meaning;
  std::string default_value;  // as TOML; empty: none
  bool required = false;
};

class KeyBinder {
 public:
  // Only describes.
  KeyBinder() = default;
  // Describes and reads `table`, completing it with defaults. `title` is what messages call it.
  KeyBinder(FileValue* table, std::string title, int dimension)
      : table_(table), title_(std::move(title)), dimension_(dimension) {}

  template <typename T>
  void Required(const std::string& name, T* field, const std::string& unit,
                const std::string& meaning) {
    infos_.push_back({name, Codec<T>::Words(), unit, meaning, "", true});
    if (table_ == nullptr) return;
    if (!ReadInto(name, field)) {
      FailAt(table_->place, title_ + " lacks the key '" + name + "'",
             "add " + name + " = " + Codec<T>::Words() + ": " + meaning);
    }
  }

  // Absent is a meaning of its own.
  template <typename T>
  void Optional(const std::string& name, std::optional<T>* field, const std::string& unit,
                const std::string& meaning) {
    infos_.push_back({name, Codec<T>::Words(), unit, meaning, "", false});
    T value{};
    if (table_ != nullptr && ReadInto(name, &value)) *field = std::move(value);
  }

  // Absent means what the field holds.
  template <typename T>
  void Default(const std::string& name, T* field, const std::string& unit,
               const std::string& meaning) {
    const FileValue standard{Codec<T>::Write(*field), {}};
    infos_.push_back({name, Codec<T>::Words(), unit, meaning, WriteInline(standard), false});
    if (table_ != nullptr && !ReadInto(name, field)) table_->Set(name, standard.data);
  }

  const std::vector<KeyInfo>& infos() const { return infos_; }

 private:
  template <typename T>
  bool ReadInto(const std::string& name, T* field) {
    FileValue* value = table_->Find(name);
    if (value == nullptr) return false;
    *field = ReadValue<T>(value, {"'" + name + "'", dimension_});
    return true;
  }

  FileValue* table_ = nullptr;
  std::string title_;
  int dimension_ = 3;
  std::vector<KeyInfo> infos_;
};

template <typename Keys>
std::vector<KeyInfo> DescribeKeys() {
  Keys keys;
  KeyBinder binder;
  keys.Bind(binder);
  return binder.infos();
}

template <typename Keys>
std::vector<std::string> KeyNames() {
  std::vector<std::string> names;
  for (const KeyInfo& info : DescribeKeys<Keys>()) names.push_back(info.name);
  return names;
}

// Throws FileError at the first key of `table` that is not in `known`.
void RequireKnownKeys(const FileValue& table, const std::string& title,
                      const std::vector<std::string>& known);

// Reads and completes `table`. Throws FileError for unknown keys, then for missing or wrong ones.
template <typename Keys>
Keys ReadKeys(FileValue* table, int dimension = 3) {
  Keys keys;
  RequireKnownKeys(*table, Keys::kTitle, KeyNames<Keys>());
  KeyBinder binder(table, Keys::kTitle, dimension);
  keys.Bind(binder);
  return keys;
}

// A table inside a table, read by its own keys.
template <typename Keys>
requires requires { Keys::kTitle; }
struct Codec<Keys> {
  static std::string Words() { return std::string("table ") + Keys::kTitle; }
  static bool Accepts(const FileValue& value) { return value.table() != nullptr; }
  static Keys Read(FileValue* value, const ReadContext& context) {
    return ReadKeys<Keys>(value, context.dimension);
  }
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_KEYS_H_
