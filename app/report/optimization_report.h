// The report of a search: its cost curves, and a comparison of the motions of the start, of the best
// trial and of the backends that the search is compared with.

#ifndef PLIANT_APP_REPORT_OPTIMIZATION_REPORT_H_
#define PLIANT_APP_REPORT_OPTIMIZATION_REPORT_H_

#include <filesystem>

namespace pliant {

// Writes `html`, and figures/ beside it, from the folder of a search. Throws as
// WriteReport and ReadOptimizationRecord do.
void WriteOptimizationReport(const std::filesystem::path& folder,
                             const std::filesystem::path& html);

}  // namespace pliant

#endif  // PLIANT_APP_REPORT_OPTIMIZATION_REPORT_H_
