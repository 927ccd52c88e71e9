// Runs that are there already: which of them need not run again, and a name under which nothing is
// replaced.

#ifndef PLIANT_EXPERIMENTS_COMPARISON_KEPT_RUN_H_
#define PLIANT_EXPERIMENTS_COMPARISON_KEPT_RUN_H_

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "experiments/comparison/comparison.h"
#include "experiments/files/experiment.h"

namespace pliant {

// The run that left a complete bundle of the backend at `index` of the same experiment, name
// included, at `bundle`; with `same_program` only of this very program. Nothing if there is none: no
// bundle, a damaged one, a cancelled run, or one of another experiment.
std::optional<BackendRun> KeptRun(const Experiment& experiment, size_t index,
                                  const std::filesystem::path& bundle, bool same_program);

// Whether runs of all backends into `folder`/<label> replace nothing else: there is no bundle, or one of this
// experiment, name included, that this very program has written, whose records the run makes again. Of a cancelled run
// they are the first of them.
bool ReplacesNothing(const Experiment& experiment, const std::filesystem::path& folder);

// The first of `name`, `name`-2, `name`-3, … that is free.
std::string FirstFreeName(const std::string& name,
                          const std::function<bool(const std::string& name)>& is_free);

// The first such name under which RunComparison() replaces nothing in `out`/<name>.
std::string NameForRuns(const Experiment& experiment, const std::filesystem::path& out);

// "runs/press: has other runs, which stay; these go to runs/press-2 (…)": what is said where `free` is another name than
// `name`; `mend` says what would use the folder of that name below `out`.
std::string OtherRunsStay(const std::filesystem::path& out, const std::string& name,
                          const std::string& free, const std::string& mend);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_COMPARISON_KEPT_RUN_H_
