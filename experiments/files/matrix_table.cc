#include "experiments/files/matrix_table.h"

#include "experiments/files/codec.h"
#include "experiments/files/image.h"

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

FileValue::Array WriteMatrix(const Eigen::MatrixXd& matrix) {
  FileValue::Array rows;
  for (const auto& row : matrix.rowwise()) {
    FileValue::Array columns;
    for (double number : row) columns.push_back({number, {}});
    rows.push_back({std::move(columns), {}});
  }
  return rows;
}

// `kind` is the key of the array of tables: "entry" for one.
NamedMatrix ReadEntry(FileValue* table, const std::string& kind) {
  NamedMatrix entry;
  FileValue* name = table->Find("name");
  if (name == nullptr) {
    FailAt(table->place, "[[" + kind + "]] lacks the key 'name'", "add name = a text");
  }
  entry.name = ReadValue<std::string>(name, {"'name'"});
  for (FileValue::Entry& item : *table->table()) {
    if (item.key == "name") continue;
    const std::string what = "'" + item.key + "' of " + kind + " '" + entry.name + "'";
    if (item.key == "values") {
      entry.values = ReadMatrix(&item.value, what);
    } else if (item.key == "image") {
      const auto image = ReadValue<std::string>(&item.value, {what});
      if (table->Find("values") != nullptr) {
        FailAt(item.value.place, what + " is not its only matrix", "give values or an image");
      }
      const FilePlace& place = item.value.place;
      entry.values = ReadGreyImage((place.source->folder / image).lexically_normal(), place);
    } else if (item.value.text() != nullptr) {
      entry.texts[item.key] = *item.value.text();
    } else if (item.value.table() != nullptr) {
      std::map<std::string, double>& weights = entry.weights[item.key];
      for (FileValue::Entry& weight : *item.value.table()) {
        weights[weight.key] = ReadValue<double>(&weight.value, {"'" + weight.key + "' of " + what});
      }
    } else {
      entry.scalars[item.key] = ReadValue<double>(&item.value, {what});
    }
  }
  if (kind == "entry" && entry.values.size() == 0 && entry.texts.empty() && entry.weights.empty()) {
    FailAt(table->place, "entry '" + entry.name + "' lacks the key 'values'",
           "add values = [[…], […]], the rows of a matrix");
  }
  return entry;
}

FileValue::Array WriteEntries(const std::vector<NamedMatrix>& matrices) {
  FileValue::Array written;
  for (const NamedMatrix& matrix : matrices) {
    FileValue entry{FileValue::Table(), {}};
    entry.Set("name", matrix.name);
    for (const auto& [name, number] : matrix.scalars) entry.Set(name, number);
    for (const auto& [name, text] : matrix.texts) entry.Set(name, text);
    for (const auto& [name, numbers] : matrix.weights) {
      FileValue::Table table_of_numbers;
      for (const auto& [key, number] : numbers) table_of_numbers.push_back({key, {}, {number, {}}});
      entry.Set(name, std::move(table_of_numbers));
    }
    if (matrix.values.size() > 0) entry.Set("values", WriteMatrix(matrix.values));
    written.push_back(std::move(entry));
  }
  return written;
}

}  // namespace

MatrixTable ReadMatrixTable(FileValue* table) {
  MatrixTable result;
  for (FileValue::Entry& entry : *table->table()) {
    if (entry.key == "entry" || (entry.value.array() != nullptr && !entry.value.array()->empty())) {
      std::vector<NamedMatrix>& entries =
          entry.key == "entry" ? result.entries : result.groups[entry.key];
      for (FileValue* element :
           ReadValue<std::vector<FileValue*>>(&entry.value, {"'" + entry.key + "'"})) {
        entries.push_back(ReadEntry(element, entry.key));
      }
    } else if (Codec<double>::Accepts(entry.value)) {
      result.scalars[entry.key] = Codec<double>::Read(&entry.value, {"'" + entry.key + "'"});
    } else if (entry.value.text() != nullptr) {
      result.texts[entry.key] = *entry.value.text();
    } else {
      FailAt(entry.place,
             "unknown key '" + entry.key + "' with " + KindInWords(entry.value) +
                 " in a table of matrices",
             "it holds numbers, texts and [[entry]] tables; " + DidYouMean(entry.key, {"entry"}));
    }
  }
  return result;
}

FileValue WriteMatrixTable(const MatrixTable& table) {
  FileValue written{FileValue::Table(), {}};
  for (const auto& [name, number] : table.scalars) written.Set(name, number);
  for (const auto& [name, text] : table.texts) written.Set(name, text);
  for (const auto& [kind, entries] : table.groups) written.Set(kind, WriteEntries(entries));
  written.Set("entry", WriteEntries(table.entries));
  return written;
}

}  // namespace pliant
