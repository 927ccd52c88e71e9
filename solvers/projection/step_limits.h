// The longest stable steps of springs and dampers under the rules of velocity_update.h.
//
// A mode of angular frequency ω [1/s] and damping rate γ [1/s], ẍ = −ω² x − γ ẋ, has in a step of h
// an amplification matrix of determinant d and trace t; it is stable while |d| ≤ 1 and |t| ≤ 1 + d:
//
//   verlet         d = 1 − γ h (1 − ω² h²/4),  t = 2 − γ h − ω² h² (1 − γ h/4):  ω h ≤ 2, γ h ≤ 2
//   euler-cromer   d = 1 − γ h,                t = 2 − γ h − ω² h²:  ω² h² + 2 γ h ≤ 4
//
// `corrected` is unstable with any spring (translation_record.h says so) and `printed` is not the
// motion of the scene, so neither has a limit here. Constraints, which sweeps meet at the end of a
// step, only lower frequencies. ω² and γ are bounded from above by the largest row sum of
// (mobility) · (stiffness) over all springs, as if they all lay along one line: exact for a single
// spring and for the chain of many equal ones, too large where springs cross. O(springs).

#ifndef PLIANT_SOLVERS_PROJECTION_STEP_LIMITS_H_
#define PLIANT_SOLVERS_PROJECTION_STEP_LIMITS_H_

#include <vector>

#include "models/scene/scene.h"
#include "solvers/projection/options.h"
#include "solvers/step_limit.h"

namespace pliant {

// Of points whose masses are lumped at them; points that a nail always holds do not move.
// Throws BadInput as RigidBodiesOf() does.
std::vector<StepLimit> StepLimitsOfSprings(const Scene& scene, const ProjectionOptions& options);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PROJECTION_STEP_LIMITS_H_
