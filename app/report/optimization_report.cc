#include "app/report/optimization_report.h"

#include "app/plots/optimization_plots.h"
#include "app/report/report.h"
#include "experiments/searches/motion_table.h"
#include "experiments/searches/optimization_record.h"

namespace pliant {
namespace {

constexpr int kGhosts = 21;  // poses of a motion

}  // namespace

void WriteOptimizationReport(const std::filesystem::path& folder,
                             const std::filesystem::path& html) {
  const OptimizationRecord record = ReadOptimizationRecord(folder);
  const std::vector<Bundle> bundles = OpenMotions(record, folder);
  ReportData data = CollectReport(bundles, kGhosts);
  data.tables = {TableOfMotions(record, bundles)};
  WriteReport(data, html, OptimizationPlots(record));
}

}  // namespace pliant
