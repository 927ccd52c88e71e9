// A point of a scene by its column: the inverse of Scene::Index().

#ifndef PLIANT_MODELS_SCENE_POINT_REF_H_
#define PLIANT_MODELS_SCENE_POINT_REF_H_

#include "models/scene/scene.h"

namespace pliant {

// `column` ≥ 0; beyond the last point, counting continues in the last body.
inline PointRef RefOf(const Scene& scene, int column) {
  int body = 0;
  while (body + 1 < static_cast<int>(scene.bodies.size()) &&
         column >= scene.bodies[static_cast<size_t>(body)].size()) {
    column -= scene.bodies[static_cast<size_t>(body++)].size();
  }
  return {body, column};
}

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_POINT_REF_H_
