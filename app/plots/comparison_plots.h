// Which plots a comparison has: one table, from the columns of run bundles to plots. No Qt.

#ifndef PLIANT_APP_PLOTS_COMPARISON_PLOTS_H_
#define PLIANT_APP_PLOTS_COMPARISON_PLOTS_H_

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/plots/plot.h"
#include "experiments/runs/series.h"

namespace pliant {

// The data of a run that plots use.
struct RunSeries {
  std::string label;    // unique in the comparison
  std::string backend;  // decides the style
  bool diverged = false;
  std::vector<SeriesColumn> columns;  // the first is the time
  std::vector<SeriesRow> rows;        // none where the backend refused the scene
  size_t extras = 0;                  // how many of the last columns not every run has
  std::vector<std::string> probes;    // names of those among them that are probes of the experiment
};

// The place of the column of this name; absent where the run has none.
std::optional<size_t> IndexOf(const RunSeries& run, const std::string& column);

// The values of a column over time; NaN = not defined.
PlottedCurve CurveOf(const RunSeries& run, size_t column, const std::string& name,
                     const LineStyle& style);

inline constexpr size_t kMostRunPanels = 24;  // a longer figure is not looked at

inline constexpr Colour kYardstickColour{0x66, 0x66, 0x66}, kBandColour{0xb4, 0xb4, 0xb4};

// The converged solution that the runs are held against. In each panel of runs that has its column it is a thin grey
// curve below them, in the band of its own error.
struct YardstickSeries {
  RunSeries run;
  // Error at each row, ≥ 0, by the name of the column; of ReferenceDistanceColumns(), too: distances below it are none.
  std::map<std::string, std::vector<double>> errors;
};

// Draws the yardstick below the runs of a panel that shows `column`: its curve in the band of its error; the error
// alone, from 0, where the column is a distance to it. On a logarithmic axis, which may not reach the lower edge of a
// band, that error is a line and the curve has none. Nothing where its error is not known.
void AddYardstick(const YardstickSeries& yardstick, const std::string& column, Panel* panel);

// Adds a column of values, one for each row, before the extras.
void AddColumn(RunSeries* run, const SeriesColumn& column,
               const std::vector<std::optional<double>>& values);

// Column of the distance to the reference run, which no single bundle can have.
// Of the points, of the shape alone, of the place alone.
std::array<SeriesColumn, 3> ReferenceDistanceColumns();

// Energies, residual, work, momenta, constraints, contact, strain, distance to the reference,
// conditioning, cost, forces of contact, probes, and what only one formulation has, in the order of reading. Runs that refused
// the scene are passed over, and plots of columns that no run has are left out.
// Plots with a panel for each run show the first kMostRunPanels.
// Plots on request stand after those that they show another way.
enum class PlotSet { kReport, kAll };
std::vector<Plot> ComparisonPlots(const std::vector<RunSeries>& runs,
                                  PlotSet set = PlotSet::kReport,
                                  const YardstickSeries* yardstick = nullptr);

// "smallest_determinant" → "smallest determinant"; a unit suffix is cut off.
std::string WordsOf(const SeriesColumn& column);

// Is any value defined? A sentence replaces a plot without values.
bool IsDefined(const PlottedCurve& curve);
bool HasValues(const Plot& plot);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_COMPARISON_PLOTS_H_
