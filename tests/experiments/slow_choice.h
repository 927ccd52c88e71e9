// Which backends of shipped experiments are too slow to be run dozens of times by a test.

#ifndef PLIANT_TESTS_EXPERIMENTS_SLOW_CHOICE_H_
#define PLIANT_TESTS_EXPERIMENTS_SLOW_CHOICE_H_

#include "experiments/claims/planned.h"
#include "experiments/files/experiment.h"

namespace pliant {

// A plan of a jump takes seconds to find; refined finite elements take seconds or minutes, and show nothing that those of the
// scene's own cells do not.
inline bool IsSlow(const BackendChoice& choice) {
  const auto refinement = choice.parameters.find("refinement");
  return FollowsPlan(choice) ||
         (refinement != choice.parameters.end() && std::get<std::int64_t>(refinement->second) > 1);
}

}  // namespace pliant

#endif  // PLIANT_TESTS_EXPERIMENTS_SLOW_CHOICE_H_
