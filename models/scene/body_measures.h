// Strain, area and volume of one body from its material points; metrics.h has those of a scene.

#ifndef PLIANT_MODELS_SCENE_BODY_MEASURES_H_
#define PLIANT_MODELS_SCENE_BODY_MEASURES_H_

#include <optional>

#include "models/scene/metrics.h"
#include "models/scene/scene.h"

namespace pliant {

// x: 3×size, world [m], in all of them.
std::optional<EdgeStrain> MeasureEdgeStrain(const Body& body, const PointsRef& x);

// The area of all faces [m²], and the volume that they enclose [m³] by the divergence theorem, which has a
// meaning where the body is closed.
double FaceArea(const Body& body, const PointsRef& x);
double EnclosedVolume(const Body& body, const PointsRef& x);

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_BODY_MEASURES_H_
