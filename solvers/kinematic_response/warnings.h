// What a user should know of a scene and its options before it strips: one line each.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_WARNINGS_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_WARNINGS_H_

#include <string>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/kinematic_response/riding_body.h"

namespace pliant::kinematic_response {

// A material that yields gives back no more than contact_stiffness times what its levels may be
// stretched by, at each point. Where that is less than the weight, the proxy sinks without end.
// Says nothing where a map varies the yield.
void WarnOfSinking(const Scene& scene, const RidingBody& rider,
                   const KinematicResponseOptions& options, std::vector<std::string>* warnings);

// Levels damped more than the finest, which takes their part before they come to it.
void WarnOfLateLevels(const KinematicResponseOptions& options, std::vector<std::string>* warnings);

// Options that are given, that is, not what they are by default, and play no part because of
// another option or because of who rides. They are no error: a sweep of `skeleton` or `rides`
// leaves the others where they are.
void WarnOfIdleOptions(const Scene& scene, const std::vector<bool>& rides,
                       const KinematicResponseOptions& options, std::vector<std::string>* warnings);

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_WARNINGS_H_
