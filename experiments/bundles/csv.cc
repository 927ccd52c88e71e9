#include "experiments/bundles/csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "experiments/files/experiment.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

std::vector<std::string_view> SplitAtCommas(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const size_t comma = line.find(',');
    cells.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

// Removes the first line from `text` and returns it, without its end.
std::string_view TakeLine(std::string_view* text) {
  const size_t end = text->find('\n');
  const std::string_view line = text->substr(0, end);
  text->remove_prefix(end == std::string_view::npos ? text->size() : end + 1);
  return line;
}

// Removes the header from `text`: names as written by CsvCell().
std::vector<std::string> TakeNames(std::string_view* text) {
  std::vector<std::string> names(1);
  bool quoted = false;
  size_t at = 0;
  for (; at < text->size() && (quoted || (*text)[at] != '\n'); ++at) {
    const char c = (*text)[at];
    if (c == ',' && !quoted) {
      names.emplace_back();
    } else if (c != '"') {
      names.back() += c;
    } else if (quoted && text->substr(at + 1).starts_with('"')) {
      names.back() += text->at(++at);
    } else {
      quoted = !quoted;
    }
  }
  text->remove_prefix(std::min(at + 1, text->size()));
  return names;
}

}  // namespace

std::optional<double> ParseNumber(std::string_view text) {
  double value = 0.0;
  const std::from_chars_result result =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string CsvNumbers(const std::vector<std::optional<double>>& row) {
  std::string line;
  for (size_t i = 0; i < row.size(); ++i) {
    if (i > 0) line += ',';
    if (row[i]) line += RoundTrip(*row[i]);
  }
  return line;
}

std::optional<std::vector<std::optional<double>>> ParseCsvNumbers(std::string_view line,
                                                                  size_t size) {
  std::vector<std::optional<double>> row;
  for (std::string_view cell : SplitAtCommas(line)) {
    row.push_back(ParseNumber(cell));
    if (!row.back() && !cell.empty()) return std::nullopt;
  }
  return row.size() == size ? std::optional(std::move(row)) : std::nullopt;
}

std::string CsvCell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

CsvWriter::CsvWriter(const std::filesystem::path& path, const std::vector<std::string>& names)
    : file_(path) {
  for (const std::string& name : names) {
    if (!line_.empty()) line_ += ',';
    line_ += CsvCell(name);
  }
  file_.Write(line_ + '\n');
}

void CsvWriter::Row(const std::vector<std::optional<double>>& row) {
  line_ = CsvNumbers(row) + '\n';
  file_.Write(line_);
}

CsvTable ReadCsv(const std::filesystem::path& path) {
  const std::string content = ReadFile(path);
  std::string_view text = content;
  CsvTable table;
  table.names = TakeNames(&text);
  for (int line = 2; !text.empty(); ++line) {
    const std::vector<std::string_view> cells = SplitAtCommas(TakeLine(&text));
    const std::string where = path.string() + ":" + std::to_string(line) + ": ";
    if (cells.size() != table.names.size()) {
      throw FileError(where + std::to_string(cells.size()) + " cells, but the header has " +
                      std::to_string(table.names.size()));
    }
    std::vector<std::optional<double>>& row = table.rows.emplace_back();
    for (size_t i = 0; i < cells.size(); ++i) {
      std::optional<double> value;
      if (!cells[i].empty()) {
        value = ParseNumber(cells[i]);
        if (!value) {
          throw FileError(where + "'" + std::string(cells[i]) + "' in column " + table.names[i] +
                          " is not a number");
        }
      }
      row.push_back(value);
    }
  }
  return table;
}

}  // namespace pliant
