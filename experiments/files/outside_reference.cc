#include "experiments/files/outside_reference.h"

#include <system_error>

namespace pliant {

bool IsOutsideReference(const std::string& reference) { return reference.starts_with('/'); }

bool IsTableReference(const std::string& reference) {
  return IsOutsideReference(reference) && reference.ends_with(".csv");
}

std::optional<std::string> OutsideReference(const std::filesystem::path& folder,
                                            const std::string& text) {
  std::error_code error;
  const std::filesystem::path path =
      std::filesystem::absolute(folder / text, error).lexically_normal();
  if (error || text.empty()) return std::nullopt;
  const bool table = text.ends_with(".csv") && std::filesystem::is_regular_file(path, error);
  const bool bundle = std::filesystem::is_regular_file(path / "manifest.json", error);
  if (!table && !bundle) return std::nullopt;
  return path.string();
}

}  // namespace pliant
