// What compare and report leave: the summary table on stdout, the report beside the bundles.

#ifndef PLIANT_APP_CLI_OUTPUT_H_
#define PLIANT_APP_CLI_OUTPUT_H_

#include <filesystem>
#include <vector>

namespace pliant {

// Prints the table of these bundles and writes their report to `html` (where the program is built
// with Qt). Returns kDone, or kRunFailed when something that was asked for could not be measured.
int PrintTableAndReport(const std::vector<std::filesystem::path>& bundles,
                        const std::filesystem::path& html);

// Whether `folder` is what optimize leaves.
bool IsOptimization(const std::filesystem::path& folder);

// Writes the report of what optimize left (where the program is built with Qt).
void WriteReportOfOptimization(const std::filesystem::path& folder,
                               const std::filesystem::path& html);

}  // namespace pliant

#endif  // PLIANT_APP_CLI_OUTPUT_H_
