// The report of a sweep: one HTML file with the curves and the table of all points, and its figures
// as files for papers.

#ifndef PLIANT_APP_REPORT_SWEEP_REPORT_H_
#define PLIANT_APP_REPORT_SWEEP_REPORT_H_

#include <filesystem>
#include <string>
#include <vector>

#include "app/report/page.h"
#include "experiments/sweeps/sweep_table.h"

namespace pliant {

// Writes `html` and, beside it, figures/sweep-<figure>.svg and .pdf. Throws StorageError.
void WriteSweepReport(const Sweep& sweep, const SweepTable& table,
                      const std::filesystem::path& html);

// A whole HTML 5 document.
std::string SweepPage(const Sweep& sweep, const SweepTable& table,
                      const std::vector<PageFigure>& curves);

}  // namespace pliant

#endif  // PLIANT_APP_REPORT_SWEEP_REPORT_H_
