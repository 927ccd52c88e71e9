#include "experiments/bundles/go_to_frame.h"

#include <cmath>
#include <cstdint>

#include "models/problem.h"

namespace pliant {

size_t NearestFrame(const Bundle& bundle, std::optional<double> time) {
  if (bundle.frame_count() == 0) {
    throw BadInput({"", bundle.path().string() + " has no frames", "inspect a run that began"});
  }
  if (!time) return bundle.frame_count() - 1;
  size_t nearest = 0;
  for (size_t i = 1; i < bundle.frame_count(); ++i) {
    if (std::abs(bundle.Time(i) - *time) < std::abs(bundle.Time(nearest) - *time)) nearest = i;
  }
  return nearest;
}

void GoToFrame(const Bundle& bundle, size_t frame, Simulation* simulation) {
  const double step = bundle.experiment().backends[0].step;
  const Eigen::VectorXd state = bundle.State(frame);
  simulation->KeepConstraintForces();
  if (frame > 0) {
    simulation->Restore(bundle.State(frame - 1));
    const double left = bundle.Time(frame) - simulation->time();
    const std::int64_t steps = std::llround(left / step);
    for (std::int64_t i = 0; i < steps; ++i) {
      if (simulation->Advance(step).kind == StepOutcome::Kind::kDiverged) break;
    }
    if (simulation->Save() == state) return;
  }
  simulation->Restore(state);
}

}  // namespace pliant
