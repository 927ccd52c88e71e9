#include "solvers/contact/barrier_step.h"

namespace pliant {

std::string BarrierStep::News(const SurfaceBarrier& barrier, const Scene& scene) {
  if (last_.gave_up && !told_of_failure_) {
    told_of_failure_ = true;
    return "the step could not be divided finely enough for " + barrier.NameOfLast(scene) +
           ": after " + std::to_string(last_.trials) +
           " trial pieces the rest was taken as it was, and they may pass through each other";
  }
  if (last_.trials < 2 * told_) return "";
  told_ = last_.trials;
  return "a step takes " + std::to_string(last_.trials) +
         " trial pieces to keep bodies apart; the last rejected one was for " +
         barrier.NameOfLast(scene);
}

}  // namespace pliant
