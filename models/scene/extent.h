// The size of a scene, or of a part of it.

#ifndef PLIANT_MODELS_SCENE_EXTENT_H_
#define PLIANT_MODELS_SCENE_EXTENT_H_

#include "models/scene/scene.h"

namespace pliant {

// The longest side of the box around these points, at least one [m].
inline double ExtentOf(const Eigen::Matrix3Xd& points) {
  return (points.rowwise().maxCoeff() - points.rowwise().minCoeff()).maxCoeff();
}

// Around all points at the start.
inline double ExtentOf(const Scene& scene) { return ExtentOf(scene.InitialPoints()); }

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_EXTENT_H_
