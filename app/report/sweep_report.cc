#include "app/report/sweep_report.h"

#include "app/plots/sweep_plots.h"
#include "app/report/report.h"
#include "experiments/bundles/bundle.h"
#include "experiments/bundles/storage.h"

namespace pliant {

void WriteSweepReport(const Sweep& sweep, const SweepTable& table,
                      const std::filesystem::path& html) {
  const std::filesystem::path folder = html.parent_path() / kFiguresFolder;
  CreateFolder(folder);
  std::vector<PageFigure> curves;
  for (const Plot& plot : SweepPlots(sweep, table)) curves.push_back(CurveFigure(plot, folder));
  // The page comes last: where it is, its figures are.
  WriteFile(html, SweepPage(sweep, table, curves));
}

}  // namespace pliant
