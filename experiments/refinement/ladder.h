// Ladders: one experiment at sizes 1, 1/r, 1/r², … of what [refine] names, and what their runs say of the
// limit of each number.

#ifndef PLIANT_EXPERIMENTS_REFINEMENT_LADDER_H_
#define PLIANT_EXPERIMENTS_REFINEMENT_LADDER_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/files/refine_plan.h"
#include "experiments/sweeps/sweep.h"

namespace pliant {

struct Ladder {
  std::string axis;  // "step"; "step+resolution" where they are refined jointly
  double ratio = 2.0;
  double assumed_order = 1.0;
  std::vector<double> sizes;  // of the rungs, coarsest first; 1 is the file
  size_t file_rung = 0;       // the rung that is the file as it is
  Sweep rungs;                // a point for each rung
};

// The ladders of the file's [refine] (of `plan` instead, where it is given), with the backends of these
// labels only (all when empty). Throws FileError for a mistake in the file or on any rung, naming it, and
// for an axis that nothing in the experiment has; BadInput for an unknown label.
std::vector<Ladder> ReadLadders(const std::filesystem::path& file,
                                const std::vector<std::string>& overrides = {},
                                const std::vector<std::string>& labels = {},
                                const std::optional<RefinePlan>& plan = {},
                                const std::vector<const Backend*>& backends = Backends());

// The number that a key of --set names, of a parameter its default where the file has none; absent where it is no
// number.
std::optional<double> NumberAt(const Experiment& experiment, const std::string& key);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_REFINEMENT_LADDER_H_
