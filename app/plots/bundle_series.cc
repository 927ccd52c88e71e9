#include "app/plots/bundle_series.h"

#include <vector>

#include "experiments/comparison/distance.h"
#include "experiments/runs/probe_figures.h"
#include "models/problem.h"

namespace pliant {

RunSeries SeriesOf(const Bundle& bundle, const std::string& label) {
  RunSeries series;
  series.label = label;
  series.backend = bundle.backend().info().name;
  series.diverged = bundle.outcome().kind == OutcomeKind::kDiverged;
  series.columns = bundle.columns();
  series.rows = bundle.rows();
  series.extras = series.columns.size() - SeriesColumns(BackendInfo()).size();
  for (const Probe& probe : bundle.experiment().probes) {
    series.probes.push_back(ProbeColumn(probe).name);
  }
  return series;
}

std::map<std::string, std::vector<double>> ErrorsByColumn(const KeptYardstick& kept) {
  std::map<std::string, std::vector<double>> errors = kept.errors;
  const auto distances = ReferenceDistanceColumns();
  for (size_t d = 0; const size_t points : {0, 2, 3})  // rms, shape, place
    errors[distances[d++].name] = kept.errors.at(kPointErrors[points]);
  for (const SeriesColumn& column : kept.bundle.columns()) {
    const auto found = kept.errors.find(column.name + "_error");
    if (found != kept.errors.end()) errors[column.name] = found->second;
  }
  return errors;
}

void AddDistances(const Bundle& run, const Bundle& reference, RunSeries* series) {
  if (&run == &reference || run.frame_count() == 0) return;
  try {
    const DistanceSeries distance = MeasureDistance(run, reference);
    const auto parts = {&distance.rms, &distance.shape, &distance.placement};
    for (size_t p = 0; const std::vector<double>* part : parts)
      AddColumn(series, ReferenceDistanceColumns()[p++], {part->begin(), part->end()});
  } catch (const BadInput&) {
    return;  // reported in ComparisonTable::problems
  }
}

}  // namespace pliant
