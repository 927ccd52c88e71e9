// From the recordings of panes to the plots that app/plots draws. No widgets.

#ifndef PLIANT_APP_WORKBENCH_PAGES_CURVE_DATA_H_
#define PLIANT_APP_WORKBENCH_PAGES_CURVE_DATA_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/plots/plot.h"

namespace pliant {

struct Pane;

// What a page of curves can show: one of the plots of the report, or one column of every pane.
struct CurveChoice {
  std::string key;    // of a rule of app/plots, or the name of a column
  std::string words;  // with the unit
  std::string tip;    // one line
  bool is_rule = false;
};

// The plots of the report, then each column that some pane has, but for the time.
std::vector<CurveChoice> CurveChoices(const std::vector<Pane>& panes);

// Against the time, or a column against another (`against`, not a rule), as a path. Without values
// where nothing is recorded yet. It goes through all that is recorded.
Plot CurvePlot(const std::vector<Pane>& panes, const CurveChoice& choice, bool logarithmic,
               const CurveChoice* against = nullptr);

// The part of it between two times [s], with one neighbour on each side so that lines reach its
// border; all of it without a window.
Plot Windowed(const Plot& whole, const std::optional<AxisRange>& window);

// Its numbers: one row for each x that any curve has, one column for each curve; of paths one row
// for each time, two columns for each. Throws StorageError.
void WritePlotCsv(const Plot& plot, const std::filesystem::path& path);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_PAGES_CURVE_DATA_H_
