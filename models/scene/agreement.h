// Whether the constraints of a scene agree with each other.

#ifndef PLIANT_MODELS_SCENE_AGREEMENT_H_
#define PLIANT_MODELS_SCENE_AGREEMENT_H_

#include "models/scene/scene.h"

namespace pliant {

// Constraints that hold at one time require Σ w x = n(t) of points x (constraint_rows.h). Throws
// BadInput, at the last of them, if they cannot all be satisfied although every point may move
// freely, so that no formulation could satisfy them. Does not test whether the deformation of a
// body allows them. Tests the times at which a constraint begins or ends, the keys of paths, and
// two times between any two of these. Gaps below 1e-6 of the extent of the scene count as rounding
// of numbers in a file.
//
// `scene` must be valid otherwise. O(constraints) if each holds a point that no other one holds.
void RequireAgreement(const Scene& scene);

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_AGREEMENT_H_
