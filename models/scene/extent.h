// The size of a scene.

#ifndef PLIANT_MODELS_SCENE_EXTENT_H_
#define PLIANT_MODELS_SCENE_EXTENT_H_

#include "models/geometry/extent.h"
#include "models/scene/scene.h"

namespace pliant {

// The longest side of the box around all points at the start [m].
inline double ExtentOf(const Scene& scene) { return ExtentOf(scene.InitialPoints()); }

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_EXTENT_H_
