// The report of search methods over several problems: both profiles, and the tables of `pliant profile`.

#ifndef PLIANT_APP_REPORT_PROFILE_REPORT_H_
#define PLIANT_APP_REPORT_PROFILE_REPORT_H_

#include <filesystem>

#include "experiments/searches/profiles.h"

namespace pliant {

// Writes `html`, and figures/ beside it. Throws StorageError.
void WriteProfileReport(const Profiles& profiles, const std::filesystem::path& html);

}  // namespace pliant

#endif  // PLIANT_APP_REPORT_PROFILE_REPORT_H_
