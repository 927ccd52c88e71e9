// A comparison: every backend of an experiment on the same scene, one after the other, each leaving
// its bundle. Translate → Run → BundleWriter is the one path that all runs take.

#ifndef PLIANT_EXPERIMENTS_COMPARISON_COMPARISON_H_
#define PLIANT_EXPERIMENTS_COMPARISON_COMPARISON_H_

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/files/experiment.h"
#include "experiments/runs/run.h"

namespace pliant {

// The result of one backend.
struct BackendRun {
  std::string label;
  RunOutcome outcome;
  std::filesystem::path bundle;       // empty when cancelled before it began
  std::vector<std::string> warnings;  // of the translation
};

// Takes a translation, runs it unless it is refused, and writes the bundle `directory`/<label>.
// Throws StorageError.
BackendRun RunIntoBundle(const Experiment& experiment, size_t index, Translation translation,
                         const std::filesystem::path& directory, const RunHooks& hooks);

struct ComparisonHooks {
  // During the translation of a backend, see PreparationListener.
  std::function<void(const std::string& label, std::string_view what, size_t done, size_t of)>
      on_prepare;
  // Called before a backend runs, with the warnings of its translation; after every step, with the
  // fraction done and the seconds since it began; and after its bundle is in place. All in this
  // order, for one backend after the other.
  std::function<void(const std::string& label, const std::vector<std::string>& warnings)> on_begin;
  std::function<void(const std::string& label, double fraction, double elapsed)> on_progress;
  std::function<void(const BackendRun& run)> on_end;
  std::stop_token stop;
};

// What happens to bundles that are there already.
enum class Existing {
  kReplace,
  kKeep,  // complete ones of the same experiment by this program are not run again
};

// Runs all backends of the experiment into `out`/<experiment>/<label>; one entry for each, in
// order. All are translated first, so that a wrong parameter is reported before the first one runs
// (FileError); a stop cancels that. A backend that refuses the scene or diverges is an outcome, and the others continue.
// After a stop the present run leaves a cancelled bundle; those not begun leave an older bundle
// unchanged. A backend whose bundle is kept is reported only through on_end. Throws StorageError
// when a bundle cannot be written, since later ones would fail too.
std::vector<BackendRun> RunComparison(const Experiment& experiment,
                                      const std::filesystem::path& out,
                                      const ComparisonHooks& hooks,
                                      Existing existing = Existing::kReplace);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_COMPARISON_COMPARISON_H_
