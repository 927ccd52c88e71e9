// Stability limits of a simulation, for callers that know the step: a backend translates a scene
// without it.

#ifndef PLIANT_SOLVERS_STEP_LIMIT_H_
#define PLIANT_SOLVERS_STEP_LIMIT_H_

#include <string>
#include <vector>

namespace pliant {

struct StepLimit {
  std::string of;      // what becomes unstable with longer steps, in words
  double step;         // s
  bool worst = false;  // of a state that a run may never be in: longer steps may do
};

class StepLimited {
 public:
  virtual std::vector<StepLimit> StepLimits() const = 0;

 protected:
  ~StepLimited() = default;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_STEP_LIMIT_H_
