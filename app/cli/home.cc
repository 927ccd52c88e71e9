#include "app/cli/home.h"

#include "experiments/files/listing.h"

namespace pliant {

std::filesystem::path Home() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path beside = (program.parent_path() / PLIANT_SHARE).lexically_normal();
  if (!error && std::filesystem::is_directory(beside / "experiments", error)) return beside;
  return PLIANT_HOME;
}

std::filesystem::path ExperimentNamed(const std::filesystem::path& asked) {
  return FindExperiment(asked, Home() / "experiments");
}

}  // namespace pliant
