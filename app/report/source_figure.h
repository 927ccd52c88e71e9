// The picture of a figure of a source, drawn from the runs of its experiment in the layout of the source.

#ifndef PLIANT_APP_REPORT_SOURCE_FIGURE_H_
#define PLIANT_APP_REPORT_SOURCE_FIGURE_H_

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/bundles/bundle.h"
#include "experiments/figures/figure_table.h"
#include "experiments/sweeps/sweep_table.h"

namespace pliant {

// What a picture is drawn from: of the runs of the file, of those of its sweep, or of its search.
struct FigureRuns {
  std::vector<Bundle>
      bundles;  // of frames and curves; of points of a sweep, one each, in their order
  std::vector<std::string> names;  // of points of a sweep
  const Sweep* sweep = nullptr;
  const SweepTable* table = nullptr;
  std::filesystem::path search;  // the folder that the search left; else empty
};

// Writes `folder`/<name>.svg, .pdf and .png; of several plots <name>-2.svg and so on. Returns the paths of the
// PNG files. Throws BadInput where a picture has nothing to show, and StorageError.
std::vector<std::filesystem::path> DrawSourceFigure(const SourceFigure& figure, FigureRuns runs,
                                                    const std::filesystem::path& folder);

}  // namespace pliant

#endif  // PLIANT_APP_REPORT_SOURCE_FIGURE_H_
