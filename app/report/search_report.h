// The report of a search: its cost curves, and the motions of the start, of the best trial and of
// the backends it is compared with, side by side, as any comparison is reported.

#ifndef PLIANT_APP_REPORT_SEARCH_REPORT_H_
#define PLIANT_APP_REPORT_SEARCH_REPORT_H_

#include <filesystem>

namespace pliant {

// Writes `html`, and figures/ beside it, from the folder that a search left. Throws what
// WriteReport and ReadSearchRecord throw.
void WriteSearchReport(const std::filesystem::path& folder, const std::filesystem::path& html);

}  // namespace pliant

#endif  // PLIANT_APP_REPORT_SEARCH_REPORT_H_
