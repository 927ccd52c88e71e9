// Warnings about a scene and its options before the run: one line each.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_WARNINGS_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_WARNINGS_H_

#include <string>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/kinematic_response/riding_body.h"
#include "solvers/step_limit.h"

namespace pliant::kinematic_response {

// At each point, a material that yields reacts with at most contact_stiffness times the yield
// offsets of its levels. If this is less than the weight, the proxy sinks without end. Gives no
// warning where a map varies the yield.
void WarnOfSinking(const Scene& scene, const RidingBody& rider,
                   const KinematicResponseOptions& options, std::vector<std::string>* warnings);

// Levels damped more than the finest, which absorbs their part before they do.
void WarnOfLateLevels(const KinematicResponseOptions& options, std::vector<std::string>* warnings);

// The step below which the contact of a body that rides is stable while all of its points press,
// along the normal, and where there is friction along the surface. For the stiffness ω² and the
// damping c over the mass, the kicks are those of v ← v − h (ω² x + c v), x ← x + h v, which is
// stable for
//
//   h < 4/(c + √(c² + 4 ω²)) .
StepLimit ContactStepLimit(const Scene& scene, const RidingBody& rider,
                           const ReactionOptions& reaction);

// Forms of the source that are kept beside better ones, where they show: rays into held surfaces,
// and the average of displacements that friction turns.
void WarnOfRays(const Scene& scene, const std::vector<bool>& rides,
                const KinematicResponseOptions& options, std::vector<std::string>* warnings);

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_WARNINGS_H_
