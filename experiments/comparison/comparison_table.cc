#include "experiments/comparison/comparison_table.h"

#include <algorithm>
#include <set>

#include "experiments/bundles/headline.h"
#include "experiments/comparison/distance.h"

namespace pliant {
namespace {

// The index of the column with the name of `column`, which is added if it is missing.
size_t IndexOf(const SeriesColumn& column, ComparisonTable* table) {
  const auto found =
      std::find_if(table->columns.begin(), table->columns.end(),
                   [&](const SeriesColumn& known) { return known.name == column.name; });
  const auto index = static_cast<size_t>(found - table->columns.begin());
  if (found == table->columns.end()) {
    table->columns.push_back(column);
    for (ComparisonRow& row : table->rows) row.values.resize(table->columns.size());
  }
  return index;
}

// The one bundle of that label; null, and a problem, when there is none or more than one.
const Bundle* FindByLabel(const std::vector<Bundle>& bundles, const std::string& label,
                          std::vector<std::string>* problems) {
  std::vector<const Bundle*> found;
  std::vector<std::string> labels;
  for (const Bundle& bundle : bundles) {
    labels.push_back(bundle.label());
    if (bundle.label() == label) found.push_back(&bundle);
  }
  if (found.size() == 1) return found[0];
  problems->push_back(found.empty() ? "no bundle of the reference '" + label + "'; " +
                                          DidYouMean(label, labels)
                                    : "more than one bundle of the reference '" + label +
                                          "'; compare those of one experiment");
  return nullptr;
}

void AddDistances(const std::vector<Bundle>& bundles, const std::string& label,
                  ComparisonTable* table) {
  std::array<size_t, 4> places;
  std::ranges::transform(DistanceColumns(label), places.begin(),
                         [table](const SeriesColumn& column) { return IndexOf(column, table); });
  const Bundle* reference = FindByLabel(bundles, label, &table->problems);
  if (reference == nullptr) return;
  for (size_t i = 0; i < bundles.size(); ++i) {
    if (bundles[i].outcome().kind == OutcomeKind::kUnsupported) continue;  // truly not defined
    try {
      const DistanceSeries distance = MeasureDistance(bundles[i], *reference);
      if (distance.times.empty()) continue;
      std::vector<std::optional<double>>& values = table->rows[i].values;
      const auto parts = {&distance.rms, &distance.max, &distance.shape, &distance.placement};
      for (size_t p = 0; const std::vector<double>* part : parts) {
        values[places[p++]] = *std::ranges::max_element(*part);
      }
    } catch (const BadInput& problem) {
      table->problems.emplace_back(problem.what());
    }
  }
}

}  // namespace

std::array<SeriesColumn, 4> DistanceColumns(const std::string& reference) {
  const std::string to = "distance to " + reference + ", ";
  return {SeriesColumn{"distance_to_reference_rms_m", "m",
                       to + "root mean square over the points, largest over time"},
          SeriesColumn{"distance_to_reference_max_m", "m", to + "largest over points and time"},
          SeriesColumn{"distance_to_reference_shape_m", "m",
                       to + "of the shape alone: the best rigid motion of each body removed, root "
                            "mean square over the mass, largest over time"},
          SeriesColumn{"distance_to_reference_placement_m", "m",
                       to + "of the place alone: by these rigid motions, root mean square over the "
                            "mass, largest over time"}};
}

void Append(const ComparisonTable& more, ComparisonTable* table) {
  std::vector<size_t> places;
  for (const SeriesColumn& column : more.columns) places.push_back(IndexOf(column, table));
  for (const ComparisonRow& row : more.rows) {
    table->rows.push_back(row);
    std::vector<std::optional<double>>& values = table->rows.back().values;
    values.assign(table->columns.size(), std::nullopt);
    for (size_t i = 0; i < places.size(); ++i) values[places[i]] = row.values[i];
  }
  table->problems.insert(table->problems.end(), more.problems.begin(), more.problems.end());
}

std::string ReferenceOf(const std::vector<Bundle>& bundles) {
  std::set<std::string> references;
  for (const Bundle& bundle : bundles) {
    const auto found = bundle.manifest().find("reference");
    references.insert(found == bundle.manifest().end() ? "" : found->second);
  }
  return references.size() == 1 ? *references.begin() : "";
}

std::string ReferenceAmong(const std::vector<Bundle>& bundles) {
  return bundles.size() > 1 ? ReferenceOf(bundles) : "";
}

ComparisonTable CompareBundles(const std::vector<Bundle>& bundles, const std::string& reference) {
  ComparisonTable table;
  for (const Bundle& bundle : bundles) {
    table.rows.push_back(
        {bundle.label(), bundle.backend().info().name, bundle.outcome(), bundle.path(), {}});
  }
  for (size_t i = 0; i < bundles.size(); ++i) {
    const Bundle& bundle = bundles[i];
    for (const HeadlineFigure& figure : HeadlineFigures(
             *bundle.experiment().scene, bundle.outcome(), bundle.columns(), bundle.rows())) {
      const size_t column = IndexOf({figure.name, figure.unit, figure.meaning}, &table);
      table.rows[i].values[column] = figure.value;
    }
  }
  if (!reference.empty()) AddDistances(bundles, reference, &table);
  return table;
}

}  // namespace pliant
