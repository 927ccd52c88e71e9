// Draws plots for report, workbench and video.

#ifndef PLIANT_APP_PLOTS_DRAW_H_
#define PLIANT_APP_PLOTS_DRAW_H_

#include <filesystem>
#include <string>

#include "app/plots/canvas.h"
#include "app/plots/plot.h"

class QCustomPlot;

namespace pliant {

// What is drawn below the panels.
enum class Below {
  kAll,        // legend and notes
  kPartsOnly,  // a legend only when curves are parts of a run; runs are identified elsewhere
};

// Replaces the content of `widget` by `plot`: panels, a legend below them, and notes below that, with
// line breaks for the present width of the widget. The caller replots.
void Draw(const Plot& plot, QCustomPlot* widget, Below below = Below::kAll);

// A readable size of a plot, from its panels, legend and notes.
FigureSize SizeOf(const Plot& plot);

std::string PlotToSvg(const Plot& plot);

// .svg, .pdf or .png, see SaveFigure.
void SavePlot(const Plot& plot, const std::filesystem::path& path);
void SavePlot(const Plot& plot, const std::filesystem::path& path, FigureSize size);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_DRAW_H_
