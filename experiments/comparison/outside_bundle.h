// The bundle or the table that an experiment names as its reference by a path (experiments/files/outside_reference.h).

#ifndef PLIANT_EXPERIMENTS_COMPARISON_OUTSIDE_BUNDLE_H_
#define PLIANT_EXPERIMENTS_COMPARISON_OUTSIDE_BUNDLE_H_

#include <string>
#include <vector>

#include "experiments/bundles/bundle.h"

namespace pliant {

// The run in the folder `reference`, which formulations of `bundles` may have made beside those of Backends(). Throws
// FileError for one of another scene than theirs, names and descriptions apart, and for a damaged one.
Bundle OpenOutsideBundle(const std::vector<Bundle>& bundles, const std::string& reference);

// "PATH: run 'fine' (finite-elements) of experiment bar, completed, made 2026-… by version 0.1.0, commit …".
std::string ProvenanceOf(const Bundle& bundle);
// "PATH: 120 lines, SHA-256 …".
std::string ProvenanceOfTable(const std::string& path, size_t lines);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_COMPARISON_OUTSIDE_BUNDLE_H_
