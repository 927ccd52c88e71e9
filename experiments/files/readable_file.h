// Is a name that stands in a file safe to open? A device never ends, a pipe waits for ever, and a file larger
// than the memory takes the program with it.

#ifndef PLIANT_EXPERIMENTS_FILES_READABLE_FILE_H_
#define PLIANT_EXPERIMENTS_FILES_READABLE_FILE_H_

#include <cstdint>
#include <filesystem>
#include <optional>

#include "models/problem.h"

namespace pliant {

// Sizes above which a file is refused unread [bytes]. A mesh of 10⁶ faces takes about 50 MB.
inline constexpr std::uintmax_t kMostTextBytes = std::uintmax_t{256} << 20;  // what people write
inline constexpr std::uintmax_t kMostRecordBytes = std::uintmax_t{2} << 30;  // what a run writes
inline constexpr std::uintmax_t kAnySize = static_cast<std::uintmax_t>(-1);  // read block by block

// Why `file` cannot be read: it is missing, a folder, not a regular file, or above `most_bytes`. Empty
// if nothing is wrong as far as can be seen without opening it. `where` of the problem is empty.
std::optional<Problem> WhyUnreadable(const std::filesystem::path& file, std::uintmax_t most_bytes);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_READABLE_FILE_H_
