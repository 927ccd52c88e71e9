// Warnings about a scene and its options before the run: one line each.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_WARNINGS_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_WARNINGS_H_

#include <string>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/kinematic_response/riding_body.h"

namespace pliant::kinematic_response {

// At each point, a material that yields reacts with at most contact_stiffness times the yield
// offsets of its levels. If this is less than the weight, the proxy sinks without end. Gives no
// warning where a map varies the yield.
void WarnOfSinking(const Scene& scene, const RidingBody& rider,
                   const KinematicResponseOptions& options, std::vector<std::string>* warnings);

// Levels damped more than the finest, which absorbs their part before they do.
void WarnOfLateLevels(const KinematicResponseOptions& options, std::vector<std::string>* warnings);

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_WARNINGS_H_
