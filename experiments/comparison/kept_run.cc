#include "experiments/comparison/kept_run.h"

#include "experiments/bundles/bundle.h"
#include "experiments/bundles/manifest.h"
#include "experiments/bundles/storage.h"

namespace pliant {
namespace {

// The bundle of the backend at `index` of the same experiment; nothing if it is missing, damaged, of another
// experiment or of another version.
std::optional<Bundle> BundleOf(const Experiment& experiment, size_t index,
                               const std::filesystem::path& path) {
  try {
    if (ReadFile(path / "experiment.toml") != experiment.Resolved(index)) return std::nullopt;
    return Bundle::Open(path, {experiment.backends[index].backend});
  } catch (const FileError&) {
  } catch (const StorageError&) {
  }
  return std::nullopt;
}

bool IsOfThisProgram(const Bundle& bundle) {
  const auto program = bundle.manifest().find("executable_sha256");
  return program != bundle.manifest().end() && program->second == ExecutableSha256();
}

}  // namespace

std::optional<BackendRun> KeptRun(const Experiment& experiment, size_t index,
                                  const std::filesystem::path& path, bool same_program) {
  const std::optional<Bundle> bundle = BundleOf(experiment, index, path);
  if (!bundle || bundle->outcome().kind == OutcomeKind::kCancelled) return std::nullopt;
  if (same_program && !IsOfThisProgram(*bundle)) return std::nullopt;
  return BackendRun{bundle->label(), bundle->outcome(), path, bundle->warnings()};
}

bool ReplacesNothing(const Experiment& experiment, const std::filesystem::path& folder) {
  for (size_t i = 0; i < experiment.backends.size(); ++i) {
    const std::filesystem::path path = folder / experiment.backends[i].label;
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::symlink_status(path, error);
    if (status.type() == std::filesystem::file_type::not_found) continue;
    const std::optional<Bundle> bundle = BundleOf(experiment, i, path);
    if (!bundle || !IsOfThisProgram(*bundle)) return false;
  }
  return true;
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
    return ReplacesNothing(named, out / name);
  });
}

std::string OtherRunsStay(const std::filesystem::path& out, const std::string& name,
                          const std::string& free, const std::string& mend) {
  return (out / name).string() + ": has other runs, which stay; these go to " +
         (out / free).string() + " (" + mend + ")";
}

}  // namespace pliant
