// Plots of the recordings of panes, to be drawn by app/plots. No widgets.

#ifndef PLIANT_APP_WORKBENCH_PAGES_CURVE_DATA_H_
#define PLIANT_APP_WORKBENCH_PAGES_CURVE_DATA_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/plots/plot.h"
#include "experiments/files/claim.h"

namespace pliant {

struct Pane;
class YardstickPane;

// A choice of a page of curves: one of the plots of the report, or one column of every pane.
struct CurveChoice {
  std::string key;    // of a rule of app/plots, or the name of a column
  std::string words;  // with the unit
  std::string tip;    // one line
  bool is_rule = false;

  bool operator==(const CurveChoice&) const = default;
};

// The plots of the report, then each column that some pane has, except the time.
std::vector<CurveChoice> CurveChoices(const std::vector<Pane>& panes);

// The choice against time, or a column against another column (`against`, not a rule) as a path. No
// values where nothing is recorded yet. Against time, the yardstick, where there is one, lies below the runs in the
// band of its error. O(recording).
Plot CurvePlot(const std::vector<Pane>& panes, const CurveChoice& choice, bool logarithmic,
               const CurveChoice* against = nullptr, const YardstickPane* yardstick = nullptr);

// Adds the bounds of claims on the column that a plot against time shows; nothing to other plots.
void AddBounds(const std::vector<Claim>& claims, const std::vector<Pane>& panes,
               const CurveChoice& choice, Plot* plot);

// The part of `whole` between two times [s], with one neighbour on each side so that lines reach
// the border; all of it without a window.
Plot Windowed(const Plot& whole, const std::optional<AxisRange>& window);

// Writes the numbers of a plot: one row per x of any curve, one column per curve; for paths one row
// per time, two columns per path. Throws StorageError.
void WritePlotCsv(const Plot& plot, const std::filesystem::path& path);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGES_CURVE_DATA_H_
