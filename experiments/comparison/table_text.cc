#include <algorithm>

#include "experiments/bundles/csv.h"
#include "experiments/comparison/banded_digits.h"
#include "experiments/comparison/comparison_table.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

// Behind the label of a run of a variant of the scene.
constexpr char kVariantMark[] = "*";

std::string FigureText(const std::optional<double>& value) {
  return value ? Digits(*value, 4) : "–";
}

// Beside the four distances the yardstick's own errors are in parentheses only: they are as many as the figures.
bool IsShown(const std::string& name) {
  if (!name.starts_with("yardstick_")) return true;
  const auto distances = YardstickErrorColumns();
  return std::ranges::find(distances, name, &SeriesColumn::name) != distances.end();
}

// Characters, not bytes: a UTF-8 character has one byte that is not 10xxxxxx.
size_t Width(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::string LimitText(const ComparisonRow& row, const std::string& column) {
  const auto limit = row.limits.find(column);
  if (limit == row.limits.end()) return "";
  const auto& [value, band] = limit->second;
  return Digits(value, DigitsWithin(value, band, 4)) + " ± " + Digits(band, 2);
}

std::string AlignedText(const std::vector<std::vector<std::string>>& lines) {
  std::vector<size_t> widths(lines.front().size(), 0);
  for (const auto& line : lines) {
    for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], Width(line[i]));
  }
  std::string text;
  for (const auto& line : lines) {
    for (size_t i = 0; i < line.size(); ++i) {
      const std::string blanks(widths[i] - Width(line[i]), ' ');
      text += i == 0 ? line[i] + blanks : "  " + blanks + line[i];
    }
    text += '\n';
  }
  return text;
}

std::string TableText(const ComparisonTable& table) {
  std::vector<std::vector<std::string>> lines = {{""}, {"outcome"}};
  for (const ComparisonRow& row : table.rows) {
    lines[0].push_back(row.label + (row.variant.empty() ? "" : kVariantMark));
    lines[1].emplace_back(ToString(row.outcome.kind));
  }
  bool any_not_told = false;
  for (size_t c = 0; c < table.columns.size(); ++c) {
    if (!IsShown(table.columns[c].name)) continue;
    if (std::none_of(table.rows.begin(), table.rows.end(),
                     [c](const ComparisonRow& row) { return row.values[c].has_value(); })) {
      continue;
    }
    std::vector<std::string>& line = lines.emplace_back();
    line.push_back(table.columns[c].name);
    for (const ComparisonRow& row : table.rows) {
      const bool told = !row.not_told_apart.contains(table.columns[c].name);
      any_not_told = any_not_told || !told;
      line.push_back(told ? FigureText(row.values[c]) : "(" + FigureText(row.values[c]) + ")");
    }
    std::vector<std::string> limits = {"  in the limit"};
    for (const ComparisonRow& row : table.rows)
      limits.push_back(LimitText(row, table.columns[c].name));
    if (std::any_of(limits.begin() + 1, limits.end(),
                    [](const auto& cell) { return !cell.empty(); }))
      lines.push_back(std::move(limits));
  }
  std::string text = AlignedText(lines);
  for (const ComparisonRow& row : table.rows) {
    if (!row.outcome.reason.empty()) text += row.label + ": " + row.outcome.reason + "\n";
  }
  for (const ComparisonRow& row : table.rows) {
    if (!row.variant.empty()) text += row.label + kVariantMark + " " + row.variant + "\n";
  }
  for (const std::string& why : table.blanks) text += why + "\n";
  for (const std::string& note : table.notes) text += "note: " + note + "\n";
  if (any_not_told) {
    text += "in parentheses: not told apart, less than three times the yardstick's own error\n";
  }
  for (const std::string& weak : table.yardstick) text += "yardstick: " + weak + "\n";
  for (const std::string& from : table.provenance) text += "reference: " + from + "\n";
  for (const std::string& problem : table.problems) text += "problem: " + problem + "\n";
  return text;
}

std::string CsvHeader(const ComparisonTable& table) {
  std::string text = "label,backend,outcome,reason";
  for (const SeriesColumn& column : table.columns) text += "," + column.name;
  return text;
}

std::string CsvLine(const ComparisonRow& row) {
  std::string text = CsvCell(row.label) + "," + CsvCell(row.backend) + "," +
                     std::string(ToString(row.outcome.kind)) + "," + CsvCell(row.outcome.reason);
  for (const std::optional<double>& value : row.values) {
    text += ',';
    if (value) text += RoundTrip(*value);
  }
  return text;
}

std::string TableCsv(const ComparisonTable& table) {
  std::string text = CsvHeader(table) + "\n";
  for (const ComparisonRow& row : table.rows) text += CsvLine(row) + "\n";
  return text;
}

}  // namespace pliant
