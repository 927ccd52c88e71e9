// Inertia of a surface, kinematically [Harrison 1994, Sec. 3.3.3: "the rate of change, or
// acceleration, of the deformation is damped"]: the rate v of each offset changes by no more than
// a h in a step,
//
//   wanted w = (t_new − t_old)/h,   v ← v + min(1, a h/|w − v|) (w − v),   t ← t_old + h v,
//
// with t = o + p. Offsets start slowly and overshoot their targets before they reverse: a surface
// wobbles, and an object may be inside for a while.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_OFFSET_INERTIA_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_OFFSET_INERTIA_H_

#include <vector>

#include "models/kinematic_response/surface.h"
#include "solvers/kinematic_response/controls.h"

namespace pliant::kinematic_response {

class OffsetInertia {
 public:
  explicit OffsetInertia(const MultiresolutionSurface& model)
      : rates_(model.ZeroVectors()), before_(model.ZeroVectors()) {}

  LevelVectors& rates() { return rates_; }  // v [m/s], local frames: state
  const LevelVectors& rates() const { return rates_; }

  // Before the offsets change.
  void Remember(const SurfaceOffsets& offsets);
  // After they have changed in a step of h [s]; the elastic offsets are adjusted to the limit.
  void Limit(const std::vector<LevelControls>& controls, double h, SurfaceOffsets* offsets);

 private:
  LevelVectors rates_, before_;
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_OFFSET_INERTIA_H_
