// How far a penalty lets a body at rest sink into what it lies on: N springs of stiffness K carry its weight across the
// surface, d = m g·n / (N K).

#ifndef PLIANT_SOLVERS_CONTACT_SINKING_H_
#define PLIANT_SOLVERS_CONTACT_SINKING_H_

#include <string>

#include "models/scene/scene.h"

namespace pliant {

// "; at rest 'b' sinks in by 0.04 m where its 9 nearest points carry it" of the body that sinks deepest, for the
// record. N counts the points that are nearest to the obstacle at the start. Empty where no free body is above it.
std::string SinkingInWords(const Scene& scene, const Obstacle& obstacle, double stiffness);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_SINKING_H_
