// A report over experiments or scenes that cannot stand on one page: an overview, headed by their names, and a whole report of
// each beside it.

#ifndef PLIANT_APP_REPORT_SEVERAL_REPORT_H_
#define PLIANT_APP_REPORT_SEVERAL_REPORT_H_

#include <filesystem>
#include <string>
#include <vector>

#include "app/report/report_data.h"

namespace pliant {

// Bundles of one scene under a heading (experiments/comparison/scene_groups.h).
struct ReportPart {
  std::string heading;
  ReportData data;
};

// Writes `html` and, for each part, a page <stem of html>-<number>/report.html with its figures. Throws StorageError.
void WriteReportOfSeveral(const std::vector<ReportPart>& parts, const std::filesystem::path& html);

}  // namespace pliant

#endif  // PLIANT_APP_REPORT_SEVERAL_REPORT_H_
