#include "app/cli/output.h"

#include <fmt/format.h>

#include "app/cli/commands.h"
#include "experiments/compare/comparison_table.h"
#include "experiments/optimize/optimization_record.h"
#include "experiments/record/bundle.h"
#ifdef PLIANT_QT
#include "app/report/optimization_report.h"
#include "app/report/report.h"
#endif

namespace pliant {

int PrintTableAndReport(const std::vector<std::filesystem::path>& paths,
                        const std::filesystem::path& html) {
  std::vector<Bundle> bundles;
  for (const std::filesystem::path& path : paths) bundles.push_back(Bundle::Open(path));
  const ComparisonTable table = CompareBundles(bundles, bundles.front().experiment().reference);
  fmt::print("{}\n", TableText(table));
#ifdef PLIANT_QT
  WriteReport(bundles, html);
  fmt::print("report: {}\n", html.string());
#else
  fmt::print("no report: {} is not written by a build without Qt\n", html.string());
#endif
  return table.problems.empty() ? kDone : kRunFailed;
}

bool IsOptimization(const std::filesystem::path& folder) {
  return std::filesystem::exists(folder / kOptimizationFile);
}

void WriteReportOfOptimization(const std::filesystem::path& folder,
                               const std::filesystem::path& html) {
#ifdef PLIANT_QT
  WriteOptimizationReport(folder, html);
  fmt::print("report: {}\n", html.string());
#else
  fmt::print("no report: {} is not written by a build without Qt\n", html.string());
#endif
}

}  // namespace pliant
