#include "experiments/bundles/headline.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

using Values = std::vector<double>;  // the defined ones, in the order of time

Values DefinedValues(const std::string& name, const std::vector<SeriesColumn>& columns,
                     const std::vector<SeriesRow>& rows) {
  Values values;
  for (size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].name != name) continue;
    for (const SeriesRow& row : rows) {
      if (row[c]) values.push_back(*row[c]);
    }
  }
  return values;
}

bool HasNan(const Values& values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

// The statistics: not defined without a value, NaN with a NaN among them.
using Statistic = std::optional<double> (*)(Values);

std::optional<double> Largest(Values values) {
  if (values.empty()) return std::nullopt;
  return HasNan(values) ? std::nan("") : *std::max_element(values.begin(), values.end());
}

std::optional<double> Smallest(Values values) {
  if (values.empty()) return std::nullopt;
  return HasNan(values) ? std::nan("") : *std::min_element(values.begin(), values.end());
}

std::optional<double> LargestMagnitude(Values values) {
  for (double& value : values) value = std::abs(value);
  return Largest(std::move(values));
}

std::optional<double> Last(Values values) {
  if (values.empty()) return std::nullopt;
  return values.back();
}

std::optional<double> Median(Values values) {
  if (values.empty()) return std::nullopt;
  if (HasNan(values)) return std::nan("");
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

std::optional<double> InFirstRow(const std::string& name, const std::vector<SeriesColumn>& columns,
                                 const std::vector<SeriesRow>& rows) {
  for (size_t c = 0; c < columns.size() && !rows.empty(); ++c) {
    if (columns[c].name == name) return rows.front()[c];
  }
  return std::nullopt;
}

// Largest distance of a vector, given by the columns of its components, from what it first was.
std::optional<double> LargestChange(const std::vector<std::string>& components,
                                    const std::vector<SeriesColumn>& columns,
                                    const std::vector<SeriesRow>& rows) {
  std::vector<Values> values;
  for (const std::string& name : components) {
    values.push_back(DefinedValues(name, columns, rows));
    if (values.back().size() != rows.size() || rows.empty()) return std::nullopt;
  }
  Values distances;
  for (size_t row = 0; row < rows.size(); ++row) {
    double squared = 0.0;
    for (const Values& component : values) {
      squared += (component[row] - component[0]) * (component[row] - component[0]);
    }
    distances.push_back(std::sqrt(squared));
  }
  return Largest(std::move(distances));
}

// "gain" → "gain_max"; a unit stays last: "drift_m" → "drift_max_m".
std::string WithStatistic(const SeriesColumn& column, const std::string& statistic) {
  const std::string suffix = UnitSuffix(column.unit);
  if (!column.name.ends_with(suffix)) return column.name + "_" + statistic;
  return column.name.substr(0, column.name.size() - suffix.size()) + "_" + statistic + suffix;
}

}  // namespace

bool IsIsolated(const Scene& scene) {
  return scene.gravity.isZero(0.0) && scene.obstacles.empty() && scene.nails.empty() &&
         scene.forces.empty() && scene.impulses.empty() &&
         std::all_of(scene.springs.begin(), scene.springs.end(),
                     [](const Spring& spring) { return spring.b.has_value(); });
}

std::optional<double> EnergyExchanged(const std::vector<SeriesColumn>& columns,
                                      const std::vector<SeriesRow>& rows) {
  if (DefinedValues("residual_energy_J", columns, rows).empty()) return std::nullopt;
  Values exchanged(rows.size(), 0.0);
  for (size_t c = 0; c < columns.size(); ++c) {
    const std::string& name = columns[c].name;
    const bool is_account = name.starts_with("work_") || name == "kinetic_energy_J" ||
                            name == "gravitational_energy_J" || name == "elastic_energy_J" ||
                            name == "spring_energy_J";
    if (!is_account) continue;
    const double before = rows[0][c].value_or(0.0);
    for (size_t row = 0; row < rows.size(); ++row) {
      if (rows[row][c]) exchanged[row] += 0.5 * std::abs(*rows[row][c] - before);
    }
  }
  return Largest(std::move(exchanged));
}

std::vector<HeadlineFigure> HeadlineFigures(const Scene& scene, const RunOutcome& outcome,
                                            const std::vector<SeriesColumn>& columns,
                                            const std::vector<SeriesRow>& rows) {
  auto of = [&](const std::string& column, Statistic statistic) {
    return statistic(DefinedValues(column, columns, rows));
  };
  const std::optional<double> residual = of("residual_energy_J", LargestMagnitude);
  const std::optional<double> exchanged = EnergyExchanged(columns, rows);
  std::optional<double> relative, momentum, angular, real_time;
  if (residual && exchanged && *exchanged != 0.0) relative = *residual / *exchanged;
  if (IsIsolated(scene)) {
    momentum = LargestChange({"momentum_x_kg_m_s", "momentum_y_kg_m_s", "momentum_z_kg_m_s"},
                             columns, rows);
    angular = LargestChange(
        {"angular_momentum_x_kg_m2_s", "angular_momentum_y_kg_m2_s", "angular_momentum_z_kg_m2_s"},
        columns, rows);
  }
  if (outcome.wall_seconds > 0.0) real_time = outcome.time / outcome.wall_seconds;

  std::vector<HeadlineFigure> figures = {
      {"residual_energy_max_J", "J", "largest magnitude of the energy no work accounts for",
       residual},
      {"residual_energy_relative", "1", "that over the energy that changed hands", relative},
      {"momentum_drift_kg_m_s", "kg m/s",
       "largest change of linear momentum; defined where nothing acts from outside", momentum},
      {"angular_momentum_drift_kg_m2_s", "kg m²/s",
       "largest change of angular momentum about the origin; defined likewise", angular},
      {"constraint_error_max_m", "m", "largest gap of a nail or attachment",
       of("constraint_error_m", LargestMagnitude)},
      {"constraint_rate_max_m_s", "m/s", "largest rate of a gap",
       of("constraint_rate_m_s", LargestMagnitude)},
      {"penetration_max_m", "m", "deepest that a point came into an obstacle",
       of("penetration_m", Largest)},
      {"edge_strain_max", "1", "largest magnitude of the strain of an edge",
       of("edge_strain_max", Largest)},
      {"extent_ratio_min", "1", "smallest volume or area over that at rest",
       of("extent_ratio", Smallest)},
      {"extent_ratio_max", "1", "largest volume or area over that at rest",
       of("extent_ratio", Largest)},
      {"condition_number_start", "1", "condition number at the start",
       InFirstRow("condition_number", columns, rows)},
      {"condition_number_min", "1", "smallest condition number", of("condition_number", Smallest)},
      {"condition_number_max", "1", "largest condition number", of("condition_number", Largest)},
      {"regularisation_max", "1", "most that was added to make a matrix regular",
       of("regularisation", Largest)},
      {"iterations_total", "1", "sweeps or evaluations of the whole run", of("iterations", Last)},
      {"step_time_median_s", "s", "wall time of a step, median of the recorded means",
       of("step_time_s", Median)},
      {"real_time_factor", "1", "simulated time over wall time of the steps", real_time},
  };
  const auto last_common = std::find_if(columns.begin(), columns.end(), [](const SeriesColumn& c) {
    return c.name == "step_time_s";
  });
  for (auto extra = last_common; extra != columns.end(); ++extra) {
    if (extra == last_common) continue;
    figures.push_back({WithStatistic(*extra, "min"), extra->unit,
                       "smallest recorded: " + extra->meaning, of(extra->name, Smallest)});
    figures.push_back({WithStatistic(*extra, "max"), extra->unit,
                       "largest recorded: " + extra->meaning, of(extra->name, Largest)});
  }
  return figures;
}

}  // namespace pliant
