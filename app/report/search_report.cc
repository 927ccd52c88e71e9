#include "app/report/search_report.h"

#include "app/plots/search_plots.h"
#include "app/report/report.h"
#include "experiments/searches/failures.h"
#include "experiments/searches/method_tables.h"
#include "experiments/searches/motion_table.h"
#include "experiments/searches/number_table.h"
#include "experiments/searches/search_record.h"
#include "experiments/searches/sunk_motions.h"

namespace pliant {
namespace {

constexpr int kGhosts = 21;  // poses of a motion

}  // namespace

void WriteSearchReport(const std::filesystem::path& folder, const std::filesystem::path& html) {
  const SearchRecord record = ReadSearchRecord(folder);
  const std::vector<Bundle> bundles = OpenMotions(record, folder);
  ReportData data = CollectReport(bundles, kGhosts);
  FindingTable motions = TableOfMotions(record, bundles);
  for (const std::string& warning : WarningsOfSunkMotions(record, bundles))
    motions.remark += (motions.remark.empty() ? "Warning: " : " Warning: ") + warning + ".";
  for (FindingTable table : {TableOfFailures(record), std::move(motions), TableOfNumbers(record)}) {
    if (!table.rows.empty()) data.tables.push_back(std::move(table));
  }
  const std::vector<FindingTable> of_methods = TablesOfMethods(record);
  if (!of_methods.empty()) data.tables.push_back(TableOfQuartiles(record));
  data.tables.insert(data.tables.end(), of_methods.begin(), of_methods.end());
  WriteReport(data, html, SearchPlots(record));
}

}  // namespace pliant
