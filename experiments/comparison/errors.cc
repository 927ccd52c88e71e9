#include "experiments/comparison/errors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "experiments/comparison/phase.h"
#include "experiments/runs/oscillation.h"
#include "experiments/runs/series.h"

namespace pliant {
namespace {

constexpr double kRounding = 1e-9;
constexpr std::string_view kDistance = "distance_to_reference", kErrorOf = "error_of_",
                           kPhase = "phase_error";

enum class Headline { kEarly, kOverTime, kFinal, kMax };
struct HeadlineWords {
  Headline headline;
  const char *name, *meaning;
};
constexpr std::array kHeadlines = {
    HeadlineWords{Headline::kMax, "_max", "largest over time"},
    HeadlineWords{Headline::kEarly, "_early", "largest in the first quarter of the duration"},
    HeadlineWords{Headline::kOverTime, "_over_time", "root mean square over time"},
    HeadlineWords{Headline::kFinal, "_final", "at the end"}};

// What is compared over time. Distances have their largest among DistanceColumns() already.
struct Observed {
  std::string name, unit, suffix, meaning;
  std::vector<std::string>
      columns;  // of the series, whose difference is one vector; empty: a distance
  std::vector<double> DistanceSeries::*distance = nullptr;
  const char* of_points = nullptr;  // the column of yardstick.csv for a distance
  bool has(Headline headline) const { return distance == nullptr || headline != Headline::kMax; }
};

std::vector<Observed> AllObserved(const std::string& reference) {
  const std::string to = " to " + reference, from = " from that of " + reference;
  return {
      {"distance_to_reference_rms",
       "m",
       "_m",
       "distance" + to + ", root mean square over the mass",
       {},
       &DistanceSeries::rms,
       kPointErrors[0]},
      {"distance_to_reference_shape",
       "m",
       "_m",
       "distance" + to + " of the shape alone",
       {},
       &DistanceSeries::shape,
       kPointErrors[2]},
      {"distance_to_reference_placement",
       "m",
       "_m",
       "distance" + to + " of the place alone",
       {},
       &DistanceSeries::placement,
       kPointErrors[3]},
      {"error_of_kinetic_energy",
       "J",
       "_J",
       "difference of the kinetic energy" + from,
       {"kinetic_energy_J"}},
      {"error_of_elastic_energy",
       "J",
       "_J",
       "difference of the elastic energy" + from,
       {"elastic_energy_J"}},
      {"error_of_total_energy",
       "J",
       "_J",
       "difference of the total energy" + from,
       {"total_energy_J"}},
      {"error_of_extent_ratio", "1", "", "difference of the extent ratio" + from, {"extent_ratio"}},
      {"error_of_momentum",
       "kg m/s",
       "_kg_m_s",
       "difference of the momentum" + from + ", which is that of the impulses of all reactions",
       {"momentum_x_kg_m_s", "momentum_y_kg_m_s", "momentum_z_kg_m_s"}}};
}

// `early` is the time until which an error is early [s].
std::optional<double> HeadlineOf(Headline headline, const Curve& error, double early) {
  if (error.values.empty()) return std::nullopt;
  switch (headline) {
    case Headline::kMax:
      return *std::ranges::max_element(error.values);
    case Headline::kFinal:
      return error.values.back();
    case Headline::kOverTime: {
      Curve squares = error;
      for (double& value : squares.values) value *= value;
      return std::sqrt(*MeanOverTime(squares));
    }
    case Headline::kEarly: {
      const auto end = std::ranges::upper_bound(error.times, early * (1.0 + kRounding));
      return *std::max_element(
          error.values.begin(),
          error.values.begin() + std::max<std::ptrdiff_t>(1, end - error.times.begin()));
    }
  }
  return std::nullopt;
}

// The column of a series at the times of its frames; empty where it has none or a value is missing.
std::vector<double> AtFrames(const Bundle& bundle, const std::string& name,
                             const std::vector<size_t>& frames) {
  const auto column = std::ranges::find(bundle.columns(), name, &SeriesColumn::name);
  if (column == bundle.columns().end()) return {};
  const auto place = static_cast<size_t>(column - bundle.columns().begin());
  std::vector<double> values;
  for (const size_t frame : frames) {
    if (frame >= bundle.rows().size() || !bundle.rows()[frame][place]) return {};
    values.push_back(*bundle.rows()[frame][place]);
  }
  return values;
}

// |difference| of the columns as one vector at the common times; without values where one is not defined.
Curve DifferenceOf(const Observed& observed, const Bundle& run, const Bundle& reference,
                   const DistanceSeries& distance) {
  if (observed.distance != nullptr) return {distance.times, distance.*observed.distance};
  Curve error{distance.times, std::vector<double>(distance.times.size(), 0.0)};
  for (const std::string& name : observed.columns) {
    const auto a = AtFrames(run, name, distance.frames),
               b = AtFrames(reference, name, distance.reference_frames);
    if (a.size() != error.values.size() || b.size() != error.values.size()) return {};
    for (size_t t = 0; t < a.size(); ++t) error.values[t] += (a[t] - b[t]) * (a[t] - b[t]);
  }
  for (double& value : error.values) value = std::sqrt(value);
  return error;
}

// The error bar of the yardstick for the same at the same times.
Curve BarOf(const Observed& observed, const KeptYardstick& kept, const std::vector<double>& times) {
  std::vector<std::string> names;
  if (observed.distance != nullptr) {
    names = {observed.of_points};
  } else {
    for (const std::string& column : observed.columns) names.push_back(column + "_error");
  }
  Curve bar{times, std::vector<double>(times.size(), 0.0)};
  for (const std::string& name : names) {
    const auto found = kept.errors.find(name);
    if (found == kept.errors.end()) return {};
    for (size_t t = 0; t < times.size(); ++t) {
      const auto next = std::ranges::upper_bound(kept.times, times[t] * (1.0 + kRounding));
      const auto frame = next - kept.times.begin();
      const double error = frame == 0 ? 0.0 : found->second[static_cast<size_t>(frame - 1)];
      bar.values[t] += error * error;
    }
  }
  for (double& value : bar.values) value = std::sqrt(value);
  return bar;
}

// All headlines of all that is observed, each of a curve that `curve_of` makes.
template <typename CurveOf>
std::vector<std::optional<double>> AllHeadlines(double duration, const CurveOf& curve_of) {
  std::vector<std::optional<double>> values;
  for (const Observed& observed : AllObserved("")) {
    const Curve curve = curve_of(observed);
    for (const HeadlineWords& words : kHeadlines) {
      if (observed.has(words.headline))
        values.push_back(HeadlineOf(words.headline, curve, kEarly * duration));
    }
  }
  return values;
}

}  // namespace

std::vector<SeriesColumn> ErrorColumns(const std::string& reference) {
  std::vector<SeriesColumn> columns;
  for (const Observed& observed : AllObserved(reference)) {
    for (const HeadlineWords& words : kHeadlines) {
      if (!observed.has(words.headline)) continue;
      columns.push_back({observed.name + words.name + observed.suffix, observed.unit,
                         observed.meaning + ", " + words.meaning});
    }
  }
  const std::string phase =
      "phase of the dominant oscillation of " + reference + ", by which the run is ahead of it";
  columns.push_back({"phase_error_max_rad", "rad", phase + ", largest over time"});
  columns.push_back({"phase_error_final_rad", "rad", phase + ", at the end; below 0 it is behind"});
  return columns;
}

std::vector<SeriesColumn> HeadlineColumns(const std::string& column, const std::string& unit,
                                          const std::string& meaning) {
  const std::string suffix = UnitSuffix(unit);
  std::string name = std::string(kErrorOf) + column;
  if (name.ends_with(suffix)) name.resize(name.size() - suffix.size());
  std::vector<SeriesColumn> columns;
  for (const HeadlineWords& words : kHeadlines) {
    columns.push_back({name + words.name + suffix, unit, meaning + ", " + words.meaning});
  }
  return columns;
}

std::vector<std::optional<double>> HeadlinesOf(const Curve& error, double duration) {
  std::vector<std::optional<double>> values;
  for (const HeadlineWords& words : kHeadlines) {
    values.push_back(HeadlineOf(words.headline, error, kEarly * duration));
  }
  return values;
}

bool IsAgainstReference(const std::string& figure) {
  return figure.starts_with(kDistance) || figure.starts_with(kErrorOf) ||
         figure.starts_with(kPhase);
}

std::string YardstickErrorName(const std::string& figure) {
  if (figure.starts_with(kDistance)) return "yardstick_error" + figure.substr(kDistance.size());
  if (figure.starts_with(kErrorOf)) return "yardstick_" + figure;
  if (figure.starts_with(kPhase)) return "yardstick_" + figure;
  return "";
}

MeasuredErrors MeasureErrors(const Bundle& run, const Bundle& reference,
                             const DistanceSeries& distance) {
  MeasuredErrors errors;
  errors.values = AllHeadlines(run.experiment().plan.duration, [&](const Observed& observed) {
    return DifferenceOf(observed, run, reference, distance);
  });
  const auto phase = MeasurePhaseOfPoints(run, reference, distance);
  errors.values.push_back(phase ? std::optional(phase->error.largest()) : std::nullopt);
  errors.values.push_back(phase ? std::optional(phase->error.last) : std::nullopt);
  if (phase) errors.oscillation = phase->amplitude;
  return errors;
}

std::vector<std::optional<double>> ErrorsOfYardstick(const KeptYardstick& kept,
                                                     const DistanceSeries& distance,
                                                     double duration,
                                                     const std::optional<double>& oscillation) {
  auto values = AllHeadlines(
      duration, [&](const Observed& observed) { return BarOf(observed, kept, distance.times); });
  std::optional<double> phase;
  const Curve points = BarOf(AllObserved("").front(), kept, distance.times);
  if (oscillation && *oscillation > 0.0 && !points.values.empty()) {
    const double share = points.values.back() / *oscillation;
    phase = share < 1.0 ? std::asin(share) : std::numbers::pi;
  }
  values.insert(values.end(), {phase, phase});
  return values;
}

}  // namespace pliant
