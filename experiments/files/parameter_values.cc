#include "experiments/files/parameter_values.h"

#include <stdexcept>

#include "experiments/files/control_keys.h"
#include "experiments/files/data_file.h"
#include "experiments/files/experiment_keys.h"
#include "experiments/files/matrix_table.h"

namespace pliant {
namespace {

// The kinds of tables with their files. To add one, add its row in KindsOfTables().
struct TableKind {
  const char* words;
  bool (*is_of)(const TableValue& table);
  TableValue (*read)(FileValue* value, const std::string& parameter);
  FileValue (*write)(const TableValue& table);
};

// The table `parameter` of the one backend of an experiment, such as that of a run bundle.
FileValue TableOfExperiment(const FileValue& backends, const std::string& parameter) {
  if (backends.table() == nullptr || backends.table()->size() != 1) {
    FailAt(backends.place, "an experiment that gives '" + parameter + "' has one backend",
           "name the run bundle of one of them");
  }
  const FileValue& backend = backends.table()->front().value;
  const FileValue* table = backend.Find(parameter);
  if (table == nullptr || table->table() == nullptr || table->table()->empty()) {
    FailAt(backend.place, "this backend has no table '" + parameter + "'",
           "name a run bundle, or a file of the table itself");
  }
  return *table;
}

// Replaces the name of a data file by its table, whose parts keep their places in the file. A run bundle stands for the table
// that its backend had.
template <typename Table, Table (*kRead)(FileValue*)>
TableValue ReadTable(FileValue* value, const std::string& parameter) {
  const std::string what = "'" + parameter + "'";
  std::string file;
  if (value->text() != nullptr) {
    std::filesystem::path path = DataFileNamed(*value->text(), DataKind::kTable, value->place);
    if (is_directory(path)) path /= "experiment.toml";
    *value = ReadToml(path, value->place);
    if (const FileValue* backends = value->Find("backends")) {
      *value = TableOfExperiment(FileValue(*backends), parameter);
    }
    file = path.string();
  }
  if (value->table() == nullptr) {
    FailAt(value->place, what + " is " + KindInWords(*value),
           "expected the name of a data file, or table");
  }
  Table table = kRead(value);
  table.file = file;
  return table;
}

template <typename Table, Table (*kRead)(FileValue*), FileValue (*kWrite)(const Table&)>
TableKind KindWith(const char* words) {
  return {words, [](const TableValue& table) { return table.As<Table>() != nullptr; },
          ReadTable<Table, kRead>,
          [](const TableValue& table) { return kWrite(*table.As<Table>()); }};
}

const std::vector<TableKind>& KindsOfTables() {
  static const std::vector<TableKind> kinds = {
      KindWith<MatrixTable, ReadMatrixTable, WriteMatrixTable>("table of matrices"),
      KindWith<ControlTable, ReadControl, WriteControl>("pose graph"),
      KindWith<KeyFrameTable, ReadControl, WriteControl>("key frames"),
  };
  return kinds;
}

const TableKind& KindWithFile(const TableValue& table) {
  for (const TableKind& kind : KindsOfTables()) {
    if (kind.is_of(table)) return kind;
  }
  throw std::logic_error("a kind of table without a file format");
}

// A number of a parameter; its range decides whether it may be infinite.
double ReadReal(const FileValue& value, const std::string& what) {
  if (const auto* real = std::get_if<double>(&value.data)) return *real;
  if (const auto* integer = std::get_if<std::int64_t>(&value.data)) {
    return static_cast<double>(*integer);
  }
  FailAt(value.place, what + " is " + KindInWords(value),
         MendOfKind(value, {"number", Codec<double>::Example()}));
}

// One number is a list of one.
std::vector<double> ReadReals(const FileValue& value, const std::string& what) {
  if (value.array() == nullptr) return {ReadReal(value, what)};
  std::vector<double> reals;
  for (const FileValue& entry : *value.array()) {
    reals.push_back(ReadReal(entry, "entry " + std::to_string(reals.size()) + " of " + what));
  }
  return reals;
}

// Reads `value` as the type the parameter's default has.
ParameterValue ReadParameter(FileValue* value, const ParameterInfo& info) {
  const std::string what = "'" + info.name + "'";
  return std::visit(
      [&](const auto& standard) -> ParameterValue {
        using T = std::decay_t<decltype(standard)>;
        if constexpr (std::is_same_v<T, TableValue>) {
          return KindWithFile(standard).read(value, info.name);
        } else if constexpr (std::is_same_v<T, double>) {
          return ReadReal(*value, what);
        } else if constexpr (std::is_same_v<T, std::vector<double>>) {
          return ReadReals(*value, what);
        } else {
          return ReadValue<T>(value, {what});
        }
      },
      info.default_value);
}

// Checks one value against the range and the words of its parameter, by the rules of the binder.
void CheckParameter(const ParameterInfo& info, const ParameterValue& value) {
  const ParameterValues values = {{info.name, value}};
  ParameterBinder binder(&values);
  if (!info.choices.empty()) {
    int chosen = 0;
    std::vector<std::pair<std::string, int>> words;
    for (const std::string& choice : info.choices) words.emplace_back(choice, words.size());
    binder.Choice(info.name, &chosen, words, info.meaning);
  } else if (std::holds_alternative<double>(info.default_value)) {
    double real = 0.0;
    binder.Real(info.name, &real, info.unit, info.range, info.meaning);
  } else if (std::holds_alternative<std::int64_t>(info.default_value)) {
    int integer = 0;
    binder.Integer(info.name, &integer, info.unit, info.range, info.meaning);
  } else if (std::holds_alternative<std::vector<double>>(info.default_value)) {
    std::vector<double> reals;
    binder.Reals(info.name, &reals, info.unit, info.range, info.meaning);
  }
}

struct ParameterWriter {
  template <typename T>
  FileData operator()(const T& value) const {
    return Codec<T>::Write(value);
  }
  FileData operator()(const TableValue& table) const {
    return KindWithFile(table).write(table).data;
  }
};

}  // namespace

ParameterValues ReadParameters(FileValue* table, const std::vector<ParameterInfo>& infos,
                               const std::vector<std::string>& other_keys,
                               const std::string& title) {
  std::vector<std::string> known = other_keys;
  for (const ParameterInfo& info : infos) known.push_back(info.name);
  Mistakes mistakes;
  FindUnknownKeys(*table, title, known, &mistakes);

  ParameterValues values;
  for (const ParameterInfo& info : infos) {
    FileValue* value = table->Find(info.name);
    if (value == nullptr) continue;
    mistakes.Try([&] {
      const FilePlace place = value->place;  // place of the value, or of the name of its file
      values[info.name] = ReadParameter(value, info);
      try {
        CheckParameter(info, values[info.name]);
      } catch (const BadInput& bad) {
        FailAt(place, bad.problem().what, bad.problem().mend);
      }
    });
  }
  mistakes.ThrowIfAny();
  return values;
}

ParameterValues ReadParameters(FileValue* table, const Backend& backend, const std::string& title) {
  return ReadParameters(table, backend.Parameters(), KeyNames<BackendKeys>(), title);
}

FileValue ToFileValue(const ParameterValue& value) {
  return {std::visit(ParameterWriter(), value), {}};
}

const char* KindOf(const TableValue& table) { return KindWithFile(table).words; }

}  // namespace pliant
