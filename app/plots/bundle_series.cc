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
