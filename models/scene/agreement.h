// Do the constraints of a scene agree with each other?

#ifndef PLIANT_MODELS_SCENE_AGREEMENT_H_
#define PLIANT_MODELS_SCENE_AGREEMENT_H_

#include "models/scene/scene.h"

namespace pliant {

// Constraints that hold at one time ask Σ w x = n(t) of points x (constraint_rows.h). Throws
// BadInput, at the last of them, where they cannot all be had although every point may go where it
// likes: no formulation could. What the deformation of a body does not allow is not looked at.
// Looked at are the times at which something begins or ends to hold, the keys of paths, and two
// times between each two of them. Gaps below 1e-6 of the extent of the scene are those of numbers
// in a file.
//
// `scene` is valid otherwise. O(constraints) where each holds a point that no other one does.
void RequireAgreement(const Scene& scene);

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_AGREEMENT_H_
