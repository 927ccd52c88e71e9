#include "experiments/bundles/headline.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "experiments/bundles/first_contact.h"
#include "experiments/files/experiment_document.h"
#include "experiments/runs/probe_figures.h"
#include "experiments/runs/recorded_columns.h"
#include "models/scene/forces.h"

namespace pliant {
namespace {

using Values = std::vector<double>;  // the defined ones, in the order of time

Values DefinedValues(size_t column, const std::vector<SeriesRow>& rows) {
  Values values;
  for (const SeriesRow& row : rows) {
    if (row[column]) values.push_back(*row[column]);
  }
  return values;
}

Values DefinedValues(const std::string& name, const std::vector<SeriesColumn>& columns,
                     const std::vector<SeriesRow>& rows) {
  const auto column = std::ranges::find(columns, name, &SeriesColumn::name);
  if (column == columns.end()) return {};
  return DefinedValues(static_cast<size_t>(column - columns.begin()), rows);
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

// The quarter-th quartile: 2 is the median. Between two values in proportion.
template <int quarter>
std::optional<double> Quantile(Values values) {
  if (values.empty()) return std::nullopt;
  if (HasNan(values)) return std::nan("");
  std::sort(values.begin(), values.end());
  const double place = 0.25 * quarter * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(place);
  const double above = values[std::min(below + 1, values.size() - 1)];
  return std::lerp(values[below], above, place - static_cast<double>(below));
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

// Columns about the plan that a run follows have one value throughout, which is the figure itself.
bool IsConstant(const SeriesColumn& column) { return column.name.starts_with("plan_"); }

struct WholeRun {
  const Scene& scene;
  const RunOutcome& outcome;
  const std::vector<SeriesColumn>& columns;
  const std::vector<SeriesRow>& rows;

  std::optional<double> Of(const std::string& column, Statistic statistic) const {
    return statistic(DefinedValues(column, columns, rows));
  }
};

// The defined values of a column over time.
Curve CurveOf(const std::string& name, const WholeRun& run) {
  Curve curve;
  const auto column = std::ranges::find(run.columns, name, &SeriesColumn::name);
  if (column == run.columns.end()) return curve;
  const auto c = static_cast<size_t>(column - run.columns.begin());
  for (const SeriesRow& row : run.rows) {
    if (!row[0] || !row[c]) continue;
    curve.times.push_back(*row[0]);
    curve.values.push_back(*row[c]);
  }
  return curve;
}

using FigureReader = std::function<std::optional<double>(const WholeRun&)>;

FigureReader StatisticOf(const char* column, Statistic statistic) {
  return [=](const WholeRun& run) { return run.Of(column, statistic); };
}

// The largest magnitude of a column divided by the energy at stake.
FigureReader AtStake(const char* column) {
  return [=](const WholeRun& run) -> std::optional<double> {
    const std::optional<double> largest = run.Of(column, LargestMagnitude);
    const std::optional<double> stake = run.outcome.energy_at_stake;
    if (!largest || !stake || *stake == 0.0) return std::nullopt;
    return *largest / *stake;
  };
}

// The drift of a vector that is conserved where nothing acts from outside.
FigureReader Drift(const std::vector<std::string>& components) {
  return [components](const WholeRun& run) {
    return IsIsolated(run.scene) ? LargestChange(components, run.columns, run.rows) : std::nullopt;
  };
}

std::optional<double> RealTimeFactor(const WholeRun& run, double seconds) {
  if (run.outcome.cpu_seconds <= 0.0) return std::nullopt;
  return run.outcome.time / seconds;
}

struct Figure {
  std::string name, unit, meaning;
  FigureReader read;
};

// The figures of every backend, in the order of tables.
const std::vector<Figure>& CommonFigures() {
  static const std::vector<Figure> figures = {
      {"residual_energy_max_J", "J", "largest magnitude of the energy that no work accounts for",
       StatisticOf("residual_energy_J", LargestMagnitude)},
      {"residual_energy_relative", "1", "largest residual divided by the energy at stake",
       AtStake("residual_energy_J")},
      {"made_energy_max_J", "J", "largest energy that passive parts made",
       StatisticOf("made_energy_J", Largest)},
      {"made_energy_relative", "1",
       "largest energy that passive parts made, divided by the energy at stake",
       AtStake("made_energy_J")},
      {"numerical_energy_min_J", "J",
       "largest energy that the discretisation lost, as a negative number",
       StatisticOf("numerical_energy_J", Smallest)},
      {"numerical_energy_max_J", "J", "largest energy that the discretisation gained",
       StatisticOf("numerical_energy_J", Largest)},
      {"energy_at_stake_J", "J",
       "the largest of the energy exchanged, of kinetic plus stored energy, and of the energy that "
       "lifts everything by a thousandth of the size of the scene",
       [](const WholeRun& run) { return run.outcome.energy_at_stake; }},
      {"momentum_residual_max_kg_m_s", "kg m/s",
       "largest change of linear momentum that no impulse accounts for",
       StatisticOf("momentum_residual_kg_m_s", Largest)},
      {"angular_momentum_residual_max_kg_m2_s", "kg m²/s",
       "largest change of angular momentum that no impulse accounts for",
       StatisticOf("angular_momentum_residual_kg_m2_s", Largest)},
      {"momentum_drift_kg_m_s", "kg m/s",
       "largest change of linear momentum; defined where nothing outside the bodies acts on them",
       Drift({"momentum_x_kg_m_s", "momentum_y_kg_m_s", "momentum_z_kg_m_s"})},
      {"angular_momentum_drift_kg_m2_s", "kg m²/s",
       "largest change of angular momentum about the origin; defined where nothing outside the "
       "bodies acts on them",
       Drift({"angular_momentum_x_kg_m2_s", "angular_momentum_y_kg_m2_s",
              "angular_momentum_z_kg_m2_s"})},
      {"constraint_error_max_m", "m",
       "largest gap of a constraint: nails, attachments, limits, lengths that the method holds",
       StatisticOf("constraint_error_m", LargestMagnitude)},
      {"constraint_rate_max_m_s", "m/s", "largest rate of a gap",
       StatisticOf("constraint_rate_m_s", LargestMagnitude)},
      {"penetration_max_m", "m", "largest depth of a point inside an obstacle",
       StatisticOf("penetration_m", Largest)},
      {"obstacle_depth_max_m", "m",
       "largest depth of a place of a flat face, straight edge or point of the scene inside an "
       "obstacle; finite elements are curved between the points",
       StatisticOf("obstacle_depth_m", Largest)},
      {"body_depth_max_m", "m",
       "largest depth of a body inside another, by the flat faces of the scene; finite elements "
       "are curved between the points",
       StatisticOf("body_depth_m", Largest)},
      {"self_crossings_max", "1", "largest number of crossings of a body with itself",
       StatisticOf("self_crossings", Largest)},
      {"body_crossings_max", "1", "largest number of crossings of two bodies",
       StatisticOf("body_crossings", Largest)},
      {"edge_strain_max", "1", "largest magnitude of the strain of an edge",
       StatisticOf("edge_strain_max", Largest)},
      {"extent_ratio_min", "1", "smallest volume or area divided by its value at rest",
       StatisticOf("extent_ratio", Smallest)},
      {"extent_ratio_max", "1", "largest volume or area divided by its value at rest",
       StatisticOf("extent_ratio", Largest)},
      {"signed_extent_ratio_min", "1",
       "smallest signed volume or area divided by its value at rest",
       StatisticOf("signed_extent_ratio", Smallest)},
      {"cell_ratio_min", "1", "smallest signed cell divided by its extent at rest",
       StatisticOf("cell_ratio_min", Smallest)},
      {"condition_number_start", "1", "condition number at the start",
       [](const WholeRun& run) { return InFirstRow("condition_number", run.columns, run.rows); }},
      {"condition_number_min", "1", "smallest condition number",
       StatisticOf("condition_number", Smallest)},
      {"condition_number_max", "1", "largest condition number",
       StatisticOf("condition_number", Largest)},
      {"regularisation_max", "1", "largest amount added to a matrix to make it regular",
       StatisticOf("regularisation", Largest)},
      {"iterations_total", "1", "sweeps or evaluations of the whole run",
       StatisticOf("iterations", Last)},
      {"step_time_quartile_1_s", "s", "CPU time of a step, first quartile of the recorded means",
       StatisticOf("step_cpu_time_s", Quantile<1>)},
      {"step_time_median_s", "s", "CPU time of a step, median of the recorded means",
       StatisticOf("step_cpu_time_s", Quantile<2>)},
      {"step_time_quartile_3_s", "s", "CPU time of a step, third quartile of the recorded means",
       StatisticOf("step_cpu_time_s", Quantile<3>)},
      {"step_wall_time_max_s", "s",
       "wall time of a step, largest recorded mean: what the scheduler does shows here",
       StatisticOf("step_time_s", Largest)},
      {"preparation_time_s", "s",
       "CPU time of the translation, before the first step, that of planning a motion included",
       [](const WholeRun& run) -> std::optional<double> {
         if (run.outcome.preparation_seconds <= 0.0) return std::nullopt;
         return run.outcome.preparation_seconds;
       }},
      {"real_time_factor", "1", "simulated time divided by the CPU time of the steps alone",
       [](const WholeRun& run) { return RealTimeFactor(run, run.outcome.cpu_seconds); }},
      {"real_time_factor_overall", "1",
       "simulated time divided by the CPU time of the preparation and the steps",
       [](const WholeRun& run) {
         return RealTimeFactor(run, run.outcome.cpu_seconds + run.outcome.preparation_seconds);
       }},
  };
  return figures;
}

}  // namespace

std::string FigureName(const SeriesColumn& column, const std::string& statistic) {
  if (statistic.empty()) return column.name;
  const std::string suffix = UnitSuffix(column.unit);
  if (!column.name.ends_with(suffix)) return column.name + "_" + statistic;
  return column.name.substr(0, column.name.size() - suffix.size()) + "_" + statistic + suffix;
}

bool IsIsolated(const Scene& scene) {
  return !Gravity(scene).acts() && scene.obstacles.empty() && scene.nails.empty() &&
         scene.sliders.empty() && scene.combinations.empty() && scene.behaviours.empty() &&
         scene.forces.empty() && scene.impulses.empty() &&
         std::all_of(scene.springs.begin(), scene.springs.end(),
                     [](const Spring& spring) { return spring.b.has_value(); });
}

std::vector<HeadlineFigure> HeadlineFigures(const Scene& scene, const RunOutcome& outcome,
                                            const std::vector<SeriesColumn>& columns,
                                            const std::vector<SeriesRow>& rows,
                                            const std::vector<Probe>& probes) {
  const WholeRun run = {scene, outcome, columns, rows};
  std::vector<HeadlineFigure> figures;
  for (const Figure& figure : CommonFigures()) {
    figures.push_back({figure.name, figure.unit, figure.meaning, figure.read(run)});
  }
  const auto last_common = std::find_if(columns.begin(), columns.end(), [](const SeriesColumn& c) {
    return c.name == "step_cpu_time_s";
  });
  std::set<std::string> of_probes;
  for (const Probe& probe : probes) of_probes.insert(ProbeColumn(probe).name);
  for (auto extra = last_common; extra != columns.end(); ++extra) {
    if (extra == last_common || IsRecordedColumn(extra->name) || of_probes.contains(extra->name)) {
      continue;
    }
    const Values values = DefinedValues(static_cast<size_t>(extra - columns.begin()), rows);
    if (IsConstant(*extra)) {
      figures.push_back({extra->name, extra->unit, extra->meaning, Last(values)});
      continue;
    }
    figures.push_back({FigureName(*extra, "min"), extra->unit,
                       "smallest recorded: " + extra->meaning, Smallest(values)});
    figures.push_back({FigureName(*extra, "max"), extra->unit,
                       "largest recorded: " + extra->meaning, Largest(values)});
    if (const std::optional<std::string> pair = PairOfContactForce(*extra)) {
      const SeriesColumn figure = FirstContactFigure(*pair);
      figures.push_back(
          {figure.name, figure.unit, figure.meaning, FirstContact(CurveOf(extra->name, run))});
    }
  }
  for (const Probe& probe : probes) {
    for (const ProbeFigure& figure : ProbeFigures(probe, CurveOf(ProbeColumn(probe).name, run))) {
      figures.push_back({figure.is.name, figure.is.unit, figure.is.meaning, figure.value});
    }
  }
  return figures;
}

void RequireDistinctFigures(const Experiment& experiment) {
  if (experiment.probes.empty()) return;
  std::set<std::string> columns, figures;
  for (size_t i = 0; i < experiment.backends.size(); ++i) {
    const Scene& scene = *SceneOf(experiment, i);
    const auto of_backend = SeriesColumns(experiment.backends[i].backend->info(), scene);
    for (const SeriesColumn& column : of_backend) columns.insert(column.name);
    for (const HeadlineFigure& figure : HeadlineFigures(scene, {}, of_backend, {})) {
      figures.insert(figure.name);
    }
  }
  for (const Probe& probe : experiment.probes) {
    const auto require = [&](const std::string& name, const char* what,
                             std::set<std::string>* taken) {
      if (taken->insert(name).second) return;
      const FilePlace place =
          experiment.document == nullptr
              ? FilePlace()
              : PlaceOf(experiment.document->root, "probe." + probe.name + ".name");
      FailAt(place,
             "the probe '" + probe.name + "' has the " + what + " '" + name +
                 "', which is there already",
             "give it another name");
    };
    require(ProbeColumn(probe).name, "column", &columns);
    for (const ProbeFigure& figure : ProbeFigures(probe, {})) {
      require(figure.is.name, "figure", &figures);
    }
  }
}

}  // namespace pliant
