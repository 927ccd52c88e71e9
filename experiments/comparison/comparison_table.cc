#include "experiments/comparison/comparison_table.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <unordered_map>

#include "experiments/bundles/headline.h"
#include "experiments/comparison/correspondence.h"
#include "experiments/comparison/distance.h"
#include "experiments/comparison/errors.h"
#include "experiments/comparison/measured_table.h"
#include "experiments/comparison/outside_bundle.h"
#include "experiments/comparison/period_notes.h"
#include "experiments/comparison/scene_groups.h"
#include "experiments/files/outside_reference.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

// The columns of a table by name.
class ColumnPlaces {
 public:
  explicit ColumnPlaces(ComparisonTable* table) : table_(table) {
    for (size_t i = 0; i < table->columns.size(); ++i) places_.emplace(table->columns[i].name, i);
  }

  // The index of the column with the name of `column`, which is added if it is missing. New columns
  // lengthen no rows until Fill().
  size_t Of(const SeriesColumn& column) {
    const auto [place, is_new] = places_.try_emplace(column.name, table_->columns.size());
    if (is_new) table_->columns.push_back(column);
    return place->second;
  }
  void Fill() {
    for (ComparisonRow& row : table_->rows) row.values.resize(table_->columns.size());
  }

 private:
  ComparisonTable* table_;
  std::unordered_map<std::string, size_t> places_;
};

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

// Why there is no distance where one of the two ran a variant of the scene with other points; empty: there is one.
std::string WhyBlank(const Bundle& run, const Bundle& reference) {
  if (!IsOfVariant(run) && !IsOfVariant(reference)) return "";
  const std::string why =
      WhyNotCorresponding(*run.experiment().scene, *reference.experiment().scene);
  if (why.empty()) return "";
  return "no distance of " + run.label() + " to " + reference.label() +
         ": its points are not those of the reference: " + why;
}

// Largest over time of the four distances of each run to `reference`; calls `each` with the row, the run, its distances
// over time and the largest ones.
template <typename Each>
void MeasureDistances(const std::vector<Bundle>& bundles, const Bundle& reference,
                      ComparisonTable* table, const Each& each) {
  for (size_t i = 0; i < bundles.size(); ++i) {
    if (bundles[i].outcome().kind == OutcomeKind::kUnsupported) continue;  // truly not defined
    if (const std::string why = WhyBlank(bundles[i], reference); !why.empty()) {
      table->blanks.push_back(why);
      continue;
    }
    try {
      const DistanceSeries distance = MeasureDistance(bundles[i], reference);
      if (distance.times.empty()) continue;
      std::array<double, 4> largest;
      const auto parts = {&distance.rms, &distance.max, &distance.shape, &distance.placement};
      for (size_t p = 0; const std::vector<double>* part : parts) {
        largest[p++] = *std::ranges::max_element(*part);
      }
      each(&table->rows[i], bundles[i], distance, largest);
    } catch (const BadInput& problem) {
      table->problems.emplace_back(problem.what());
    }
  }
}

std::vector<size_t> PlacesOf(std::span<const SeriesColumn> columns, ComparisonTable* table) {
  std::vector<size_t> places;
  ColumnPlaces known(table);
  for (const SeriesColumn& column : columns) places.push_back(known.Of(column));
  known.Fill();
  return places;
}

// The yardstick's own errors in all of ErrorColumns().
std::vector<SeriesColumn> OwnErrorColumns() {
  std::vector<SeriesColumn> columns = ErrorColumns(kYardstick);
  for (SeriesColumn& column : columns) {
    column.name = YardstickErrorName(column.name);
    column.meaning = "estimated error of the yardstick itself, for the " + column.meaning;
  }
  return columns;
}

void Put(const std::vector<std::optional<double>>& values, const std::vector<size_t>& places,
         ComparisonRow* row) {
  for (size_t i = 0; i < places.size(); ++i) row->values[places[i]] = values[i];
}

// To `reference`, null where there is none.
void AddDistances(const std::vector<Bundle>& bundles, const std::string& label,
                  const Bundle* reference, ComparisonTable* table) {
  const std::vector<size_t> places = PlacesOf(DistanceColumns(label), table),
                            errors = PlacesOf(ErrorColumns(label), table);
  if (reference == nullptr) return;
  MeasureDistances(bundles, *reference, table,
                   [&](ComparisonRow* row, const Bundle& run, const DistanceSeries& distance,
                       const std::array<double, 4>& largest) {
                     for (size_t p = 0; p < 4; ++p) row->values[places[p]] = largest[p];
                     Put(MeasureErrors(run, *reference, distance).values, errors, row);
                   });
}

void AddMeasuredTable(const std::vector<Bundle>& bundles, const std::string& path,
                      ComparisonTable* table) {
  const MeasuredTable measured = ReadMeasuredTable(path);
  std::vector<SeriesColumn> recorded;  // by any of the runs
  for (const Bundle& bundle : bundles) {
    if (bundle.outcome().kind == OutcomeKind::kUnsupported) continue;
    const std::vector<SeriesColumn>& own = bundle.columns();
    recorded.insert(recorded.end(), own.begin(), own.end());
  }
  if (!recorded.empty()) RequireColumns(measured, recorded);
  for (size_t i = 0; i < bundles.size(); ++i) {
    if (bundles[i].outcome().kind == OutcomeKind::kUnsupported) continue;
    const std::vector<size_t> places =
        PlacesOf(TableErrorColumns(measured, bundles[i].columns()), table);
    Put(ErrorsAgainstTable(bundles[i], measured), places, &table->rows[i]);
  }
  table->provenance.push_back(ProvenanceOfTable(path, measured.times.size()));
}

void AddOutside(const std::vector<Bundle>& bundles, const std::string& path,
                ComparisonTable* table) {
  try {
    if (IsTableReference(path)) {
      AddMeasuredTable(bundles, path, table);
    } else {
      const Bundle reference = OpenOutsideBundle(bundles, path);
      AddDistances(bundles, path, &reference, table);
      table->provenance.push_back(ProvenanceOf(reference));
    }
  } catch (const FileError& problem) {
    table->problems.emplace_back(problem.what());
  } catch (const BadInput& problem) {
    table->problems.emplace_back(problem.what());
  }
}

// The address that all manifests name; empty if they name none, or different ones.
std::string AddressOf(const std::vector<Bundle>& bundles) {
  std::set<std::string> addresses;
  for (const Bundle& bundle : bundles) {
    const auto found = bundle.manifest().find("yardstick");
    addresses.insert(found == bundle.manifest().end() ? "" : found->second);
  }
  return addresses.size() == 1 ? *addresses.begin() : "";
}

void AddYardstick(const std::vector<Bundle>& bundles, ComparisonTable* table) {
  const std::array<SeriesColumn, 4> columns = DistanceColumns(kYardstick);
  const std::vector<size_t> places = PlacesOf(columns, table),
                            errors = PlacesOf(YardstickErrorColumns(), table);
  const std::vector<SeriesColumn> more = ErrorColumns(kYardstick);
  const std::vector<size_t> more_places = PlacesOf(more, table),
                            own_places = PlacesOf(OwnErrorColumns(), table);
  try {
    const KeptYardstick kept = *YardstickOf(bundles, kYardstick);
    table->yardstick = kept.spoiled;
    table->yardstick_of_other_scene = !kept.spoiled.empty();
    if (!kept.settled) {
      table->yardstick.push_back(kept.good_until ? "the yardstick is within its tolerance until " +
                                                       Digits(*kept.good_until) + " s only"
                                                 : "the yardstick is nowhere within its tolerance");
    }
    MeasureDistances(bundles, kept.bundle, table,
                     [&](ComparisonRow* row, const Bundle& run, const DistanceSeries& distance,
                         const std::array<double, 4>& largest) {
                       const double until = distance.times.back();
                       const auto last = std::ranges::upper_bound(kept.times, until * (1.0 + 1e-9));
                       const auto frame = static_cast<size_t>(last - kept.times.begin());
                       for (size_t p = 0; p < 4; ++p) {
                         // Errors never become smaller with time: the last one is the largest.
                         const double error =
                             frame == 0 ? 0.0 : kept.errors.at(kPointErrors[p])[frame - 1];
                         row->values[places[p]] = largest[p];
                         row->values[errors[p]] = error;
                         if (largest[p] < kToldApart * error)
                           row->not_told_apart.insert(columns[p].name);
                       }
                       const MeasuredErrors measured = MeasureErrors(run, kept.bundle, distance);
                       const auto own = ErrorsOfYardstick(
                           kept, distance, run.experiment().plan.duration, measured.oscillation);
                       Put(measured.values, more_places, row);
                       Put(own, own_places, row);
                       for (size_t e = 0; e < more.size(); ++e) {
                         if (measured.values[e] && own[e] &&
                             std::abs(*measured.values[e]) < kToldApart * *own[e])
                           row->not_told_apart.insert(more[e].name);
                       }
                     });
  } catch (const FileError& problem) {
    table->problems.emplace_back(problem.what());
  }
}

}  // namespace

std::array<SeriesColumn, 4> DistanceColumns(const std::string& reference) {
  const std::string to = "distance to " + reference + ", ";
  return {SeriesColumn{"distance_to_reference_rms_m", "m",
                       to + "root mean square over the mass, largest over time"},
          SeriesColumn{"distance_to_reference_max_m", "m", to + "largest over points and time"},
          SeriesColumn{"distance_to_reference_shape_m", "m",
                       to + "of the shape alone: the best rigid motion of each body removed, root "
                            "mean square over the mass, largest over time"},
          SeriesColumn{"distance_to_reference_placement_m", "m",
                       to + "of the place alone: by these rigid motions, root mean square over the "
                            "mass, largest over time"}};
}

std::array<SeriesColumn, 4> YardstickErrorColumns() {
  std::array<SeriesColumn, 4> columns = DistanceColumns(kYardstick);
  for (SeriesColumn& column : columns) {
    column.name.replace(0, std::string("distance_to_reference").size(), "yardstick_error");
    column.meaning = "estimated error of the yardstick itself, for the " + column.meaning;
  }
  return columns;
}

void Append(const ComparisonTable& more, ComparisonTable* table) {
  std::vector<size_t> places;
  ColumnPlaces known(table);
  for (const SeriesColumn& column : more.columns) places.push_back(known.Of(column));
  known.Fill();
  for (const ComparisonRow& row : more.rows) {
    table->rows.push_back(row);
    std::vector<std::optional<double>>& values = table->rows.back().values;
    values.assign(table->columns.size(), std::nullopt);
    for (size_t i = 0; i < places.size(); ++i) values[places[i]] = row.values[i];
  }
  if (table->yardstick.empty()) table->yardstick = more.yardstick;
  if (table->provenance.empty()) table->provenance = more.provenance;
  table->yardstick_of_other_scene |= more.yardstick_of_other_scene;
  table->problems.insert(table->problems.end(), more.problems.begin(), more.problems.end());
  table->blanks.insert(table->blanks.end(), more.blanks.begin(), more.blanks.end());
  table->notes.insert(table->notes.end(), more.notes.begin(), more.notes.end());
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
  const std::string reference = ReferenceOf(bundles);
  return bundles.size() > 1 || IsOutsideReference(reference) ? reference : "";
}

std::optional<KeptYardstick> YardstickOf(const std::vector<Bundle>& bundles,
                                         const std::string& reference) {
  const std::string address = reference == kYardstick ? AddressOf(bundles) : "";
  if (address.empty()) return std::nullopt;
  return FindYardstick(bundles.front().path().parent_path(), address);
}

ComparisonTable CompareBundles(const std::vector<Bundle>& bundles, const std::string& reference) {
  ComparisonTable table;
  const bool several = AreOfSeveralExperiments(bundles);
  for (const Bundle& bundle : bundles) {
    table.rows.push_back({(several ? bundle.experiment().name + "/" : "") + bundle.label(),
                          bundle.backend().info().name,
                          bundle.outcome(),
                          bundle.path(),
                          {},
                          {},
                          {},
                          VariantInWords(bundle.experiment().backends.front())});
  }
  ColumnPlaces known(&table);
  for (size_t i = 0; i < bundles.size(); ++i) {
    const Bundle& bundle = bundles[i];
    for (const HeadlineFigure& figure :
         HeadlineFigures(*bundle.experiment().scene, bundle.outcome(), bundle.columns(),
                         bundle.rows(), bundle.experiment().probes)) {
      const size_t column = known.Of({figure.name, figure.unit, figure.meaning});
      std::vector<std::optional<double>>& values = table.rows[i].values;
      values.resize(table.columns.size());
      values[column] = figure.value;
    }
    const std::vector<std::string> notes = PeriodNotes(bundle);
    table.notes.insert(table.notes.end(), notes.begin(), notes.end());
  }
  known.Fill();
  if (reference == kYardstick && !AddressOf(bundles).empty()) {
    AddYardstick(bundles, &table);
  } else if (IsOutsideReference(reference)) {
    AddOutside(bundles, reference, &table);
  } else if (!reference.empty()) {
    AddDistances(bundles, reference, FindByLabel(bundles, reference, &table.problems), &table);
  }
  return table;
}

}  // namespace pliant
