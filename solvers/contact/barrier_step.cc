#include "solvers/contact/barrier_step.h"

namespace pliant {

std::string BarrierStep::News(const SurfaceBarrier& barrier, const Scene& scene) {
  if (last_.gave_up && !told_of_failure_) {
    told_of_failure_ = true;
    return barrier.NameOfLast(scene) +
           " come too near for any division of the step: " + std::to_string(last_.trials) +
           " pieces were tried, and they may pass through each other";
  }
  if (last_.trials < 2 * told_) return "";
  told_ = last_.trials;
  return "the barrier between bodies takes " + std::to_string(last_.trials) +
         " passes for a step, the last for " + barrier.NameOfLast(scene);
}

}  // namespace pliant
