#include "app/report/optimization_report.h"

#include "app/plots/optimization_plots.h"
#include "app/report/report.h"
#include "experiments/optimize/motion_table.h"
#include "experiments/optimize/optimization_record.h"

namespace pliant {
namespace {

constexpr int kGhosts = 21;  // poses of a motion

}  // namespace

void WriteOptimizationReport(const std::filesystem::path& folder,
                             const std::filesystem::path& html) {
  const OptimizationRecord record = ReadOptimizationRecord(folder);
  std::vector<Bundle> bundles;
  for (const char* motion : {"start", "best"}) {
    if (std::filesystem::exists(folder / motion)) bundles.push_back(Bundle::Open(folder / motion));
  }
  for (const RecordedOther& other : record.others) {
    const std::filesystem::path motion = folder / other.label;
    if (std::filesystem::exists(motion)) bundles.push_back(Bundle::Open(motion));
  }
  ReportData data = CollectReport(bundles, kGhosts);
  data.tables = {TableOfMotions(record, folder)};
  WriteReport(data, html, OptimizationPlots(record));
}

}  // namespace pliant
