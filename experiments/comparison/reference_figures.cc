#include "experiments/comparison/reference_figures.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "experiments/bundles/headline.h"
#include "experiments/comparison/measured_table.h"
#include "experiments/comparison/outside_bundle.h"
#include "experiments/files/outside_reference.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr double kSameDuration = 1e-9;  // of a duration

using Figures = std::map<std::string, FigureLimit>;

Figures FiguresOfRun(const Bundle& run) {
  Figures figures;
  for (const HeadlineFigure& figure :
       HeadlineFigures(*run.experiment().scene, run.outcome(), run.columns(), run.rows(),
                       run.experiment().probes)) {
    if (figure.value) figures[figure.name] = {*figure.value, 0.0};
  }
  return figures;
}

// The largest error of the column that the figure is a value of; absent where none is known.
std::optional<double> BandOf(const std::string& figure, const KeptYardstick& kept) {
  for (const SeriesColumn& column : kept.bundle.columns()) {
    const auto error = kept.errors.find(column.name + "_error");
    if (error == kept.errors.end() || error->second.empty()) continue;
    for (const char* statistic : {"", "min", "max", "mean"}) {
      if (figure == FigureName(column, statistic)) return error->second.back();
    }
  }
  return std::nullopt;
}

ReferenceFigures OfYardstick(const std::vector<Bundle>& bundles) {
  const std::optional<KeptYardstick> kept = YardstickOf(bundles, kYardstick);
  if (!kept) return {};
  ReferenceFigures of{kYardstick, {}, ""};
  for (auto [name, figure] : FiguresOfRun(kept->bundle)) {
    const std::optional<double> band = BandOf(name, *kept);
    if (band && std::isfinite(*band)) of.values[name] = {figure.value, *band};
  }
  return of;
}

// The columns of the table as a series of the experiment of `run`, up to the end of its duration.
ReferenceFigures OfTable(const Bundle& run, const std::string& path) {
  const MeasuredTable table = ReadMeasuredTable(path);
  const double duration = run.experiment().plan.duration;
  ReferenceFigures of{std::filesystem::path(path).filename().string(), {}, ""};
  if (table.times.front() > kSameDuration * duration ||
      table.times.back() < (1.0 - kSameDuration) * duration) {
    of.why_none = "it is of " + Digits(table.times.front()) + " to " + Digits(table.times.back()) +
                  " s, the runs are of 0 to " + Digits(duration) + " s";
    return of;
  }
  // Columns after this one count as those of one formulation, whose smallest and largest values are figures.
  std::vector<SeriesColumn> columns = {{"time_s", "s", ""}, {"step_cpu_time_s", "s", ""}};
  std::vector<size_t> places;
  for (size_t c = 0; c < table.names.size(); ++c) {
    const auto known = std::ranges::find(run.columns(), table.names[c], &SeriesColumn::name);
    if (known == run.columns().end()) continue;
    columns.push_back(*known);
    places.push_back(c);
  }
  std::vector<SeriesRow> rows;
  for (size_t t = 0; t < table.times.size(); ++t) {
    if (table.times[t] > (1.0 + kSameDuration) * duration) break;
    SeriesRow& row = rows.emplace_back();
    row = {table.times[t], std::nullopt};
    for (const size_t place : places) row.push_back(table.values[place][t]);
  }
  for (const HeadlineFigure& figure :
       HeadlineFigures(*run.experiment().scene, {}, columns, rows, run.experiment().probes)) {
    if (figure.value) of.values[figure.name] = {*figure.value, 0.0};
  }
  return of;
}

ReferenceFigures OfOutsideBundle(const std::vector<Bundle>& bundles, const std::string& path) {
  const Bundle reference = OpenOutsideBundle(bundles, path);
  ReferenceFigures of{std::filesystem::path(path).filename().string(), {}, ""};
  const double duration = bundles.front().experiment().plan.duration,
               there = reference.experiment().plan.duration;
  if (!RanToItsEnd(reference.outcome().kind)) {
    of.why_none = "its run did not reach its end";
  } else if (std::abs(there - duration) > kSameDuration * duration) {
    of.why_none = "its run is of " + Digits(there) + " s, these are of " + Digits(duration) + " s";
  } else {
    of.values = FiguresOfRun(reference);
  }
  return of;
}

}  // namespace

ReferenceFigures FiguresOfReference(const std::vector<Bundle>& bundles,
                                    const std::string& reference) {
  if (bundles.empty() || reference.empty()) return {};
  const auto run = std::ranges::find(bundles, reference, &Bundle::label);
  if (run != bundles.end()) {
    if (RanToItsEnd(run->outcome().kind)) return {reference, FiguresOfRun(*run), ""};
    return {reference, {}, "its run did not reach its end"};
  }
  try {
    if (reference == kYardstick) return OfYardstick(bundles);
    if (IsTableReference(reference)) return OfTable(bundles.front(), reference);
    if (IsOutsideReference(reference)) return OfOutsideBundle(bundles, reference);
  } catch (const FileError&) {
    // CompareBundles() says what is wrong with it.
  }
  return {};
}

}  // namespace pliant
