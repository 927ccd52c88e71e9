#include "experiments/comparison/kept_run.h"

#include "experiments/bundles/bundle.h"
#include "experiments/bundles/manifest.h"
#include "experiments/bundles/storage.h"

namespace pliant {

std::optional<BackendRun> KeptRun(const Experiment& experiment, size_t index,
                                  const std::filesystem::path& path, bool same_program) {
  try {
    if (ReadFile(path / "experiment.toml") != experiment.Resolved(index)) return std::nullopt;
    const Bundle bundle = Bundle::Open(path, {experiment.backends[index].backend});
    if (bundle.outcome().kind == OutcomeKind::kCancelled) return std::nullopt;
    const auto program = bundle.manifest().find("executable_sha256");
    const bool same = program != bundle.manifest().end() && program->second == ExecutableSha256();
    if (same_program && !same) return std::nullopt;
    return BackendRun{bundle.label(), bundle.outcome(), path, bundle.warnings()};
  } catch (const FileError&) {
  } catch (const StorageError&) {
  }
  return std::nullopt;  // missing, damaged, or of another version: run it
}

std::string FirstFreeName(const std::string& name,
                          const std::function<bool(const std::string& name)>& is_free) {
  std::string tried = name;
  for (int number = 2; !is_free(tried); ++number) tried = name + "-" + std::to_string(number);
  return tried;
}

std::string NameForRuns(const Experiment& experiment, const std::filesystem::path& out) {
  Experiment named = experiment;
  return FirstFreeName(experiment.name, [&](const std::string& name) {
    named.name = name;
    for (size_t i = 0; i < named.backends.size(); ++i) {
      const std::filesystem::path bundle = out / name / named.backends[i].label;
      std::error_code error;
      const std::filesystem::file_status status = std::filesystem::symlink_status(bundle, error);
      if (status.type() == std::filesystem::file_type::not_found) continue;
      if (!KeptRun(named, i, bundle, /*same_program=*/true)) return false;
    }
    return true;
  });
}

}  // namespace pliant
