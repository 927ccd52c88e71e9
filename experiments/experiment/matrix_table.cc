#include "experiments/experiment/matrix_table.h"

#include "experiments/experiment/codec.h"

namespace pliant {
namespace {

Eigen::MatrixXd ReadMatrix(FileValue* value, const std::string& what) {
  const auto rows = ReadValue<std::vector<std::vector<double>>>(value, {what});
  const size_t columns = rows.empty() ? 0 : rows.front().size();
  Eigen::MatrixXd matrix(rows.size(), columns);
  for (size_t i = 0; i < rows.size(); ++i) {
    const FileValue& row = (*value->array())[i];
    RequireSize(row, columns, {"row " + std::to_string(i) + " of " + what});
    for (size_t j = 0; j < columns; ++j) {
      matrix(static_cast<int>(i), static_cast<int>(j)) = rows[i][j];
    }
  }
  return matrix;
}

NamedMatrix ReadEntry(FileValue* table) {
  NamedMatrix entry;
  FileValue* name = table->Find("name");
  FileValue* values = table->Find("values");
  if (name == nullptr) FailAt(table->place, "[[entry]] lacks the key 'name'", "add name = a text");
  entry.name = ReadValue<std::string>(name, {"'name'"});
  if (values == nullptr) {
    FailAt(table->place, "entry '" + entry.name + "' lacks the key 'values'",
           "add values = [[…], […]], the rows of a matrix");
  }
  entry.values = ReadMatrix(values, "'values' of entry '" + entry.name + "'");
  for (FileValue::Entry& scalar : *table->table()) {
    if (scalar.key == "name" || scalar.key == "values") continue;
    entry.scalars[scalar.key] = ReadValue<double>(&scalar.value, {"'" + scalar.key + "'"});
  }
  return entry;
}

}  // namespace

MatrixTable ReadMatrixTable(FileValue* table) {
  MatrixTable result;
  for (FileValue::Entry& entry : *table->table()) {
    if (entry.key == "entry") {
      for (FileValue* element : ReadValue<std::vector<FileValue*>>(&entry.value, {"'entry'"})) {
        result.entries.push_back(ReadEntry(element));
      }
    } else if (Codec<double>::Accepts(entry.value)) {
      result.scalars[entry.key] = Codec<double>::Read(&entry.value, {"'" + entry.key + "'"});
    } else {
      FailAt(entry.place,
             "unknown key '" + entry.key + "' with " + KindInWords(entry.value) +
                 " in a table of matrices",
             "it holds numbers and [[entry]] tables; " + DidYouMean(entry.key, {"entry"}));
    }
  }
  return result;
}

FileValue WriteMatrixTable(const MatrixTable& table) {
  FileValue written{FileValue::Table(), {}};
  for (const auto& [name, number] : table.scalars) written.Set(name, number);
  FileValue::Array entries;
  for (const NamedMatrix& matrix : table.entries) {
    FileValue entry{FileValue::Table(), {}};
    entry.Set("name", matrix.name);
    for (const auto& [name, number] : matrix.scalars) entry.Set(name, number);
    FileValue::Array rows;
    for (const auto& row : matrix.values.rowwise()) {
      FileValue::Array columns;
      for (double number : row) columns.push_back({number, {}});
      rows.push_back({std::move(columns), {}});
    }
    entry.Set("values", std::move(rows));
    entries.push_back(std::move(entry));
  }
  written.Set("entry", std::move(entries));
  return written;
}

}  // namespace pliant
