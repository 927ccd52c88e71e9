#include "experiments/files/readable_file.h"

#include <fmt/format.h>

namespace pliant {

std::optional<Problem> WhyUnreadable(const std::filesystem::path& file, std::uintmax_t most_bytes) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) {
    return Problem{"", fmt::format("there is no file '{}'", file.string()), ""};
  }
  if (fs::is_directory(status)) {
    return Problem{"", fmt::format("'{}' is a folder", file.string()), "name a file"};
  }
  if (!fs::is_regular_file(status)) {
    return Problem{"", fmt::format("'{}' is a device, a pipe or a socket", file.string()),
                   "name a regular file"};
  }
  const std::uintmax_t bytes = fs::file_size(file, error);
  if (error || bytes <= most_bytes) return std::nullopt;
  constexpr double kMega = 1 << 20;
  return Problem{
      "",
      fmt::format("'{}' has {:.0f} MB; at most {:.0f} MB are read", file.string(),
                  static_cast<double>(bytes) / kMega, static_cast<double>(most_bytes) / kMega),
      "give a smaller file"};
}

}  // namespace pliant
