#include "experiments/runs/recorded_columns.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "solvers/backends.h"

namespace pliant {
namespace {

// More rows than this are not plotted one by one.
constexpr Eigen::Index kMostRows = 40;

// Units that columns are of; a name ends with the suffix of the longest one that fits.
const std::vector<std::string>& Units() {
  static const std::vector<std::string> units = {"1",   "m",     "m/s",    "m/s²", "N", "N m",
                                                 "rad", "rad/s", "rad/s²", "1/s",  "J", "kg",
                                                 "N s", "1/kg",  "s",      "1/s²"};
  return units;
}
bool IsUnit(const std::string& text) {
  return std::find(Units().begin(), Units().end(), text) != Units().end();
}

// Letters, digits, "-" and "."; a space becomes "_", anything else goes.
std::string Spelled(const std::string& label) {
  std::string spelled;
  for (const char c : label) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.') spelled += c;
    if (c == ' ' || c == '_') spelled += '_';
  }
  return spelled;
}

// One for each row: the unit of all, or those of a list. Empty where there is none.
std::vector<std::string> UnitsOfRows(const NamedArray& array) {
  const auto rows = static_cast<size_t>(array.values.rows());
  if (IsUnit(array.unit)) return std::vector<std::string>(rows, array.unit);
  std::vector<std::string> units;
  for (size_t at = 0; at < array.unit.size();) {
    const size_t end = std::min(array.unit.find(", ", at), array.unit.size());
    units.push_back(array.unit.substr(at, end - at));
    at = end + 2;
  }
  const bool fits = units.size() == rows && std::all_of(units.begin(), units.end(), IsUnit);
  return fits ? units : std::vector<std::string>();
}

SeriesColumn ColumnOf(const std::string& stem, const std::string& unit) {
  return {stem + UnitSuffix(unit), unit,
          "recorded array " + stem.substr(0, stem.rfind('.')) + ": " +
              stem.substr(stem.rfind('.') + 1)};
}

// Calls visit(column, value) for each column of an array.
template <typename Visit>
void ForEachColumn(const NamedArray& array, const Visit& visit) {
  const std::string stem = Spelled(array.group + "." + array.name) + ".";
  const Eigen::Index rows = array.values.rows();
  const bool vectors = array.columns == std::vector<std::string>{"x", "y", "z"};
  const bool named = (array.values.cols() == 1 || vectors) && rows <= kMostRows &&
                     static_cast<Eigen::Index>(array.rows.size()) == rows;
  if (named) {
    const std::vector<std::string> units = UnitsOfRows(array);
    for (size_t i = 0; i < units.size(); ++i) {
      std::string label = Spelled(array.rows[i]);
      std::replace(label.begin(), label.end(), '.', '-');
      const auto row = array.values.row(static_cast<Eigen::Index>(i));
      visit(ColumnOf(stem + label, units[i]), vectors ? row.norm() : row[0]);
    }
  } else if (IsUnit(array.unit) && array.values.size() > 0) {
    visit(ColumnOf(stem + "largest", array.unit),
          array.values.cwiseAbs().maxCoeff<Eigen::PropagateNaN>());
  }
}

}  // namespace

std::vector<NamedArray> RecordedArrays(const std::vector<std::string>& groups,
                                       const Simulation& simulation) {
  std::vector<NamedArray> arrays;
  for (const std::string& group : groups) {
    for (NamedArray& array : simulation.Arrays(group)) arrays.push_back(std::move(array));
  }
  return arrays;
}

std::vector<SeriesColumn> RecordedColumns(const std::vector<NamedArray>& arrays) {
  std::vector<SeriesColumn> columns;
  for (const NamedArray& array : arrays) {
    ForEachColumn(array, [&](SeriesColumn column, double) {
      const auto same = [&column](const SeriesColumn& other) { return other.name == column.name; };
      if (std::none_of(columns.begin(), columns.end(), same)) columns.push_back(std::move(column));
    });
  }
  return columns;
}

bool IsRecordedColumn(const std::string& name) {
  const size_t point = name.find('.');
  if (point == std::string::npos) return false;
  const auto& backends = Backends();
  return std::any_of(backends.begin(), backends.end(), [&](const Backend* backend) {
    const std::vector<ArrayGroup>& groups = backend->info().arrays;
    return std::any_of(groups.begin(), groups.end(), [&](const ArrayGroup& group) {
      return name.compare(0, point, group.name) == 0;
    });
  });
}

std::optional<SeriesColumn> RecordedColumn(const std::string& name) {
  if (!IsRecordedColumn(name)) return std::nullopt;
  std::string unit = "1";
  for (const std::string& other : Units()) {
    if (name.ends_with(UnitSuffix(other)) && UnitSuffix(other).size() > UnitSuffix(unit).size()) {
      unit = other;
    }
  }
  return ColumnOf(name.substr(0, name.size() - UnitSuffix(unit).size()), unit);
}

void AppendRecorded(const std::vector<NamedArray>& arrays, const std::vector<SeriesColumn>& columns,
                    SeriesRow* row) {
  const size_t first = row->size();
  row->resize(first + columns.size());
  for (const NamedArray& array : arrays) {
    ForEachColumn(array, [&](const SeriesColumn& column, double value) {
      const auto at = std::find_if(columns.begin(), columns.end(), [&](const SeriesColumn& known) {
        return known.name == column.name;
      });
      if (at == columns.end() || std::isnan(value)) return;
      std::optional<double>& place = (*row)[first + static_cast<size_t>(at - columns.begin())];
      if (!place) place = value;
    });
  }
}

}  // namespace pliant
