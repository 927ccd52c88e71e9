// What the distance of a run to its reference is made of, where a ladder refines what the run was discretised with.
//
// x_0 is the run as the file has it, x_n the finest rung, d(x, y) the distance of their points (rms over the points, largest over
// time). With d_k = d(x_k, x_{k+1}) and the order p at which the d_k shrink,
//
//   part of the axis   d(x_0, x_n) ± e_n        e_n of error_of_finest.h, the error of the finest rung
//   beyond             d(x_n, reference) ± (e_n + the yardstick's own error)
//
// The axis step is the part of time, resolution and order that of space, tolerance that of the solver. What is beyond the step is
// the formulation with its basis and whatever else the ladder does not refine. Both are distances, so that by the triangle inequality neither exceeds the
// whole by more than the other: they do not add up where errors cancel.

#ifndef PLIANT_EXPERIMENTS_REFINEMENT_ERROR_SPLIT_H_
#define PLIANT_EXPERIMENTS_REFINEMENT_ERROR_SPLIT_H_

#include <optional>
#include <string>
#include <vector>

#include "experiments/refinement/refinement.h"

namespace pliant {

struct ErrorPart {
  double part = 0.0, band = 0.0;  // m
  std::optional<double> beyond,
      beyond_band;  // m; absent without a reference, or one with an unknown error
};

// Of one backend on its ladder; absent where the file's rung or all of them are left out, or the points cannot be compared.
std::optional<ErrorPart> SplitError(const Refinement& refinement, const RefinedRun& run,
                                    const std::vector<const Backend*>& backends = Backends());

// Columns error_from_AXIS_m, error_beyond_AXIS_m and their bands in the rows of a table of the file's runs.
void AddErrorSplit(const Refinement& refinement, ComparisonTable* table,
                   const std::vector<const Backend*>& backends = Backends());

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_REFINEMENT_ERROR_SPLIT_H_
