// Times of a run that have to be a whole number of steps of every backend: its duration, and the time between records.

#ifndef PLIANT_EXPERIMENTS_FILES_WHOLE_STEPS_H_
#define PLIANT_EXPERIMENTS_FILES_WHOLE_STEPS_H_

#include <string>
#include <vector>

#include "experiments/files/document.h"

namespace pliant {

// Is `span` [s] a whole number of steps, at least one, up to rounding? The reader refuses a run where it is not.
bool IsWholeNumberOfSteps(double span, double step);

// A step, its key, and whose it is: ", the step of backend 'fine'", or nothing where it is that of [run].
struct OwnedStep {
  double step;
  std::string key, whose;
};

// Throws FileError, at `place`, where the time `what` of `span` [s] is not a whole number of each of the steps, which
// are different: one line and one remedy for all backends.
void RequireWholeSteps(const FilePlace& place, const std::string& what, double span,
                       const std::vector<OwnedStep>& steps);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_WHOLE_STEPS_H_
