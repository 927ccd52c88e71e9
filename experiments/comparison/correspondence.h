// Whether the points of two scenes are the same material points, so that distances between them mean something. Backends
// of one experiment may run variants of its scene (experiments/files/scene_variant.h).

#ifndef PLIANT_EXPERIMENTS_COMPARISON_CORRESPONDENCE_H_
#define PLIANT_EXPERIMENTS_COMPARISON_CORRESPONDENCE_H_

#include <string>

#include "models/scene/scene.h"

namespace pliant {

// Empty where both have the same bodies in the same order, each with the same points at rest (to rounding, of the extent
// of the body); else the first difference: "body 'net' has 25 points and 81". Where bodies start, what acts on them and
// what they are made of may differ.
std::string WhyNotCorresponding(const Scene& scene, const Scene& other);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_COMPARISON_CORRESPONDENCE_H_
