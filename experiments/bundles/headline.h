// The headline figures of a run: what stands in the summary table, one number each.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_HEADLINE_H_
#define PLIANT_EXPERIMENTS_BUNDLES_HEADLINE_H_

#include <optional>
#include <string>
#include <vector>

#include "experiments/runs/run.h"
#include "experiments/runs/series.h"
#include "models/scene/scene.h"

namespace pliant {

struct HeadlineFigure {
  std::string name;             // with unit suffix: penetration_max_m
  std::string unit;             // "1" for a pure number
  std::string meaning;          // one line
  std::optional<double> value;  // absent = not defined; NaN when a number it is made of is
};

// The same figures in the same order for every run, then smallest and largest of each extra column (of one that
// begins with plan_ its value, which stays the same; of a contact force also the time of the first contact,
// first_contact.h), then the figures of each probe (probe_figures.h).
std::vector<HeadlineFigure> HeadlineFigures(const Scene& scene, const RunOutcome& outcome,
                                            const std::vector<SeriesColumn>& columns,
                                            const std::vector<SeriesRow>& rows,
                                            const std::vector<Probe>& probes = {});

// The name of a figure that is a statistic of a column: "gain" → "gain_max"; a unit stays last: "drift_m" → "drift_max_m". Without a
// statistic, as of the last value of a probe, it is the column's.
std::string FigureName(const SeriesColumn& column, const std::string& statistic);

// Throws FileError at a probe whose column or one of whose figures has the name of another one.
void RequireDistinctFigures(const Experiment& experiment);

// True if no external force acts on the bodies, so that momentum must be conserved.
bool IsIsolated(const Scene& scene);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_HEADLINE_H_
