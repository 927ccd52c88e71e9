#include "experiments/comparison/measured_table.h"

#include <algorithm>
#include <cmath>

#include "experiments/bundles/csv.h"
#include "experiments/comparison/errors.h"
#include "models/near_word.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr double kSameTime = 1e-9;

[[noreturn]] void Fail(const std::filesystem::path& path, size_t line, const std::string& what,
                       const std::string& mend) {
  throw FileError(path.string() + ":" + std::to_string(line) + ": " + what + "; " + mend);
}

// The value of a column of the run at a time, on a straight line between records; absent where one of
// them is.
std::optional<double> At(const std::vector<double>& times,
                         const std::vector<std::optional<double>>& values, double time) {
  const double slack = kSameTime * times.back();
  const auto next = std::ranges::lower_bound(times, time - slack);
  const auto after = static_cast<size_t>(next - times.begin());
  if (std::abs(times[after] - time) <= slack) return values[after];
  const size_t before = after - 1;
  if (!values[before] || !values[after]) return std::nullopt;
  const double part = (time - times[before]) / (times[after] - times[before]);
  return (1.0 - part) * *values[before] + part * *values[after];
}

}  // namespace

MeasuredTable ReadMeasuredTable(const std::filesystem::path& path) {
  const CsvTable read = ReadCsv(path);
  const auto time = std::ranges::find(read.names, "time_s");
  if (time == read.names.end()) {
    Fail(path, 1, "a table of measured values has no column time_s",
         "name its times so, in seconds");
  }
  if (read.names.size() < 2) {
    Fail(path, 1, "a table of measured values has times only",
         "name its other columns as those of series.csv, such as sag_m");
  }
  const auto place = static_cast<size_t>(time - read.names.begin());
  MeasuredTable table;
  for (size_t c = 0; c < read.names.size(); ++c) {
    if (c == place) continue;
    if (std::ranges::find(table.names, read.names[c]) != table.names.end()) {
      Fail(path, 1, "the column " + read.names[c] + " appears twice", "remove one");
    }
    table.names.push_back(read.names[c]);
  }
  table.values.resize(table.names.size());
  for (size_t r = 0; r < read.rows.size(); ++r) {
    const size_t line = r + 2;
    for (const auto& value : read.rows[r]) {
      if (value && !std::isfinite(*value))
        Fail(path, line, "a value is not finite", "leave it empty");
    }
    const std::optional<double> t = read.rows[r][place];
    if (!t || *t < 0.0 || (!table.times.empty() && *t <= table.times.back())) {
      Fail(path, line, "times have to ascend from 0", "sort the lines by time_s, without blanks");
    }
    table.times.push_back(*t);
    for (size_t c = 0, column = 0; c < read.names.size(); ++c) {
      if (c != place) table.values[column++].push_back(read.rows[r][c]);
    }
  }
  if (table.times.empty()) Fail(path, 1, "a table of measured values has no lines", "add some");
  return table;
}

std::vector<SeriesColumn> TableErrorColumns(const MeasuredTable& table,
                                            const std::vector<SeriesColumn>& columns) {
  std::vector<SeriesColumn> errors;
  for (const std::string& name : table.names) {
    const auto column = std::ranges::find(columns, name, &SeriesColumn::name);
    if (column == columns.end()) continue;
    const std::vector<SeriesColumn> four =
        HeadlineColumns(name, column->unit, "difference of " + name + " from the measured values");
    errors.insert(errors.end(), four.begin(), four.end());
  }
  return errors;
}

void RequireColumns(const MeasuredTable& table, const std::vector<SeriesColumn>& columns) {
  for (const std::string& name : table.names) {
    if (std::ranges::find(columns, name, &SeriesColumn::name) != columns.end()) continue;
    throw BadInput({"reference",
                    "the runs record no column '" + name + "' of the table of the reference",
                    DidYouMean(name, ColumnNames(columns))});
  }
}

std::vector<std::optional<double>> ErrorsAgainstTable(const Bundle& run,
                                                      const MeasuredTable& table) {
  std::vector<double> times;
  for (const auto& time : run.Column("time_s")) times.push_back(*time);
  std::vector<std::optional<double>> errors;
  const std::vector<SeriesColumn>& columns = run.columns();
  for (size_t c = 0; c < table.names.size(); ++c) {
    if (std::ranges::find(columns, table.names[c], &SeriesColumn::name) == columns.end()) continue;
    const auto of_run = run.Column(table.names[c]);
    Curve error;
    for (size_t t = 0; t < table.times.size() && !times.empty(); ++t) {
      if (table.times[t] > times.back() * (1.0 + kSameTime)) break;
      const auto& measured = table.values[c][t];
      const auto there = At(times, of_run, table.times[t]);
      if (!measured || !there) continue;
      error.times.push_back(table.times[t]);
      error.values.push_back(std::abs(*there - *measured));
    }
    const auto four = HeadlinesOf(error, run.experiment().plan.duration);
    errors.insert(errors.end(), four.begin(), four.end());
  }
  return errors;
}

}  // namespace pliant
