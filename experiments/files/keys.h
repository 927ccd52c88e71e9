// The keys of one table of a file: each bound once to a field of a struct, with its unit and its
// meaning, like the parameters of a backend (solvers/parameters.h). The same walk over the fields
// lists the keys, reads a table, writes its defaults out, writes a table from a struct, and prints
// the page that describes the format.
//
//   void Bind(KeyBinder& b, Impulse& impulse) {
//     b.Title("[[impulse]]");
//     b.Required("impulse", &impulse.impulse, "N s", "impulse on each point");
//     b.Default("time", &impulse.time, "s", "when");
//   }
//   const auto impulse = ReadKeys<Impulse>(&table);
//
// A Bind that processes what it has read (checks, names to resolve) tests b.reads() first: it is
// also called without a table. Every key is read even when another one is wrong; then b.reads() is
// false, so that nothing is made of a table with a mistake, and all mistakes come together.

#ifndef PLIANT_EXPERIMENTS_FILES_KEYS_H_
#define PLIANT_EXPERIMENTS_FILES_KEYS_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <initializer_list>
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
  std::function<std::string()> schema;  // JSON Schema of its value
};

class KeyBinder {
 public:
  enum class Task {
    kDescribe,  // only lists the keys
    kRead,      // sets the fields from the table and writes defaults out in it
    kWrite,     // sets the keys of the table from the fields
  };

  KeyBinder() = default;
  KeyBinder(Task task, FileValue* table, ReadContext context)
      : task_(task), table_(table), context_(std::move(context)) {}
  // Reads a table in which the keys `meant`, which are absent, have been misspelled.
  KeyBinder(FileValue* table, ReadContext context, std::vector<std::string> meant)
      : task_(Task::kRead), table_(table), context_(std::move(context)), meant_(std::move(meant)) {}

  // The name of the table in messages; comes first.
  void Title(std::string title) { title_ = std::move(title); }

  // Returns whether the field has been read.
  template <typename T>
  bool Required(const std::string& name, T* field, const std::string& unit,
                const std::string& meaning) {
    infos_.push_back({name, Codec<T>::Words(), unit, meaning, "", true, &Codec<T>::Schema});
    const bool found = Try([&] {
      if (ReadInto(name, field) || IsMeant(name)) return;
      FailAt(table_->place, title_ + " lacks the key '" + name + "'",
             "add " + name + " = " + Codec<T>::Words() + ": " + meaning);
    });
    if (writes()) Write(name, *field);
    return found && Has(name);
  }

  // When the key is absent, the field keeps its value.
  template <typename T>
  void Default(const std::string& name, T* field, const std::string& unit,
               const std::string& meaning) {
    const FileValue standard{Codec<T>::Write(*field), {}};
    infos_.push_back(
        {name, Codec<T>::Words(), unit, meaning, WriteInline(standard), false, &Codec<T>::Schema});
    Try([&] {
      if (!ReadInto(name, field)) table_->Set(name, standard.data);
    });
    if (writes()) table_->Set(name, standard.data);
  }

  // That the key is absent has its own meaning.
  template <typename T>
  void Optional(const std::string& name, std::optional<T>* field, const std::string& unit,
                const std::string& meaning) {
    infos_.push_back({name, Codec<T>::Words(), unit, meaning, "", false, &Codec<T>::Schema});
    Try([&] {
      if (Has(name)) *field = Read<T>(name);
    });
    if (writes() && *field) Write(name, **field);
  }

  // An absent key leaves the field as it is: none or infinite, which a file need not state.
  template <typename T>
  void Optional(const std::string& name, T* field, const std::string& unit,
                const std::string& meaning) {
    infos_.push_back({name, Codec<T>::Words(), unit, meaning, "", false, &Codec<T>::Schema});
    Try([&] { ReadInto(name, field); });
    if (!writes()) return;
    if constexpr (std::is_same_v<T, double>) {
      if (std::isfinite(*field)) Write(name, *field);
    } else {
      if (!field->empty()) Write(name, *field);
    }
  }

  // Is a table being read? Without a mistake so far?
  bool reading() const { return task_ == Task::kRead; }
  bool reads() const { return reading() && !has_mistake(); }
  bool has_mistake() const { return mistakes_.any() || !meant_.empty(); }
  const Mistakes& mistakes() const { return mistakes_; }
  // While reading: calls `read` and keeps its mistakes, so that the other keys are read as well. Returns whether
  // it was called and had none.
  template <typename Read>
  bool Try(Read&& read) {
    return reading() && mistakes_.Try(std::forward<Read>(read));
  }
  bool writes() const { return task_ == Task::kWrite; }
  FileValue* table() const { return table_; }
  const ReadContext& context() const { return context_; }
  const std::string& title() const { return title_; }
  const std::vector<KeyInfo>& infos() const { return infos_; }

  // Read a key before it is bound, when it determines which other keys there are. Absent when the
  // table does not have it, or when there is no table.
  template <typename T>
  std::optional<T> Peek(const std::string& name) {
    return Has(name) ? std::optional<T>(Read<T>(name)) : std::nullopt;
  }
  bool Has(const std::string& name) const {
    return table_ != nullptr && table_->Find(name) != nullptr;
  }

  // These functions require a table that is being read. `path` names a key; empty: the table
  // itself.
  FilePlace PlaceOf(const std::string& path) const { return pliant::PlaceOf(*table_, path); }
  [[noreturn]] void Fail(const std::string& path, const std::string& what,
                         const std::string& mend = "") const {
    FailAt(PlaceOf(path), what, mend);
  }

  // For keys that exclude each other: fail at the second one given; ExactlyOne also fails, at the
  // table, when none is given. The message begins with `owner`.
  void AtMostOne(std::initializer_list<const char*> keys, const std::string& owner) const;
  void ExactlyOne(std::initializer_list<const char*> keys, const std::string& owner,
                  const std::string& mend) const;
  // Of a range that is given: fails unless its first end is the lower one.
  void Ascending(const char* key, const std::optional<std::array<double, 2>>& range) const;

 private:
  template <typename T>
  T Read(const std::string& name) {
    return ReadValue<T>(table_->Find(name), context_.Called("'" + name + "'"));
  }
  template <typename T>
  bool ReadInto(const std::string& name, T* field) {
    if (Has(name)) *field = Read<T>(name);
    return Has(name);
  }
  template <typename T>
  void Write(const std::string& name, const T& field) {
    table_->Set(name, Codec<T>::Write(field));
  }

  Task task_ = Task::kDescribe;
  FileValue* table_ = nullptr;
  ReadContext context_;
  std::string title_;
  bool IsMeant(const std::string& name) const {
    return std::find(meant_.begin(), meant_.end(), name) != meant_.end();
  }

  std::vector<KeyInfo> infos_;
  std::vector<std::string> meant_;
  Mistakes mistakes_;
};

// A function that binds a struct, which it already has, to its keys.
using BindTable = std::function<void(KeyBinder&)>;

std::vector<KeyInfo> DescribeTable(const BindTable& bind);
// Reads and completes `table`. Throws FileError with all its unknown, missing and wrong keys.
void ReadTable(FileValue* table, const ReadContext& context, const BindTable& bind);
// The same; `mistakes` gets them instead, and the fields of wrong keys stay as they are.
void ReadTable(FileValue* table, const ReadContext& context, const BindTable& bind,
               Mistakes* mistakes);

// Tells `mistakes` of every key of `table` that is not in `known`. Returns those of the known keys that are
// absent because they are misspelled.
std::vector<std::string> FindUnknownKeys(const FileValue& table, const std::string& title,
                                         const std::vector<std::string>& known, Mistakes* mistakes);

// The schema of a table with these keys and no others.
std::string TableSchema(const std::vector<KeyInfo>& infos);

std::vector<std::string> NamesOf(const std::vector<KeyInfo>& infos);

// "{density = …, youngs_modulus = …}": the keys that a table must have, or else the first two that it may have.
std::string InlineExample(const std::vector<KeyInfo>& infos);

// The same of a struct that a `Bind(KeyBinder&, T&)` is declared for.
template <typename T>
concept BoundToKeys = requires(KeyBinder& b, T& bound) {
  Bind(b, bound);
};

// A struct before its table is read.
template <BoundToKeys T>
T Unread() {
  return T{};
}

template <BoundToKeys T>
std::vector<KeyInfo> DescribeKeys() {
  T bound = Unread<T>();
  return DescribeTable([&](KeyBinder& b) { Bind(b, bound); });
}

template <BoundToKeys T>
std::vector<std::string> KeyNames() {
  return NamesOf(DescribeKeys<T>());
}

template <BoundToKeys T>
T ReadKeys(FileValue* table, const ReadContext& context = {}) {
  T bound = Unread<T>();
  ReadTable(table, context, [&](KeyBinder& b) { Bind(b, bound); });
  return bound;
}

template <BoundToKeys T>
T ReadKeys(FileValue* table, const ReadContext& context, Mistakes* mistakes) {
  T bound = Unread<T>();
  ReadTable(
      table, context, [&](KeyBinder& b) { Bind(b, bound); }, mistakes);
  return bound;
}

template <BoundToKeys T>
FileValue WriteKeys(T bound) {
  FileValue table{FileValue::Table(), {}};
  KeyBinder binder(KeyBinder::Task::kWrite, &table, {});
  Bind(binder, bound);
  return table;
}

// A table inside a table, read by its own keys.
template <BoundToKeys T>
struct Codec<T> {
  static constexpr bool kIsTable = true;
  static std::string Example() { return InlineExample(DescribeKeys<T>()); }
  static std::string Words() {
    T bound = Unread<T>();
    KeyBinder binder;
    Bind(binder, bound);
    return "table " + binder.title();
  }
  static std::string Schema() { return TableSchema(DescribeKeys<T>()); }
  static bool Accepts(const FileValue& value) { return value.table() != nullptr; }
  static T Read(FileValue* value, const ReadContext& context) {
    return ReadKeys<T>(value, context);
  }
  static FileData Write(const T& bound) { return WriteKeys(bound).data; }
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_KEYS_H_
