// The name of a sweep: one under which it replaces nothing of others, and where a sweep that was stopped is found again.

#ifndef PLIANT_EXPERIMENTS_SWEEPS_SWEEP_NAME_H_
#define PLIANT_EXPERIMENTS_SWEEPS_SWEEP_NAME_H_

#include <filesystem>
#include <string>

#include "experiments/sweeps/sweep.h"

namespace pliant {

// Gives the sweep and all of its points another name.
void Rename(const std::string& name, Sweep* sweep);

// The first of <experiment>, <experiment>-2, … under which RunSweep() replaces nothing in `out`/<name> (see
// ReplacesNothing()), and where no table is of another sweep: one of other keys, or with a point or a backend that this
// sweep has not.
std::string NameForSweep(const Sweep& sweep, const std::filesystem::path& out);

// Which of `name`, `name`-2, … a resumed sweep goes on with: the first under which there are runs of this sweep and no
// others; its own name where there is none, under which it keeps what has not changed and replaces the others.
std::string NameForResumedSweep(const Sweep& sweep, const std::filesystem::path& out);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SWEEPS_SWEEP_NAME_H_
