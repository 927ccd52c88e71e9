// The size of a scene.

#ifndef PLIANT_MODELS_SCENE_EXTENT_H_
#define PLIANT_MODELS_SCENE_EXTENT_H_

#include "models/scene/scene.h"

namespace pliant {

// The longest side of the box around all points at the start [m].
inline double ExtentOf(const Scene& scene) {
  const Eigen::Matrix3Xd points = scene.InitialPoints();
  return (points.rowwise().maxCoeff() - points.rowwise().minCoeff()).maxCoeff();
}

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_EXTENT_H_
