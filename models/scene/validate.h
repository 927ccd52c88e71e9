// The rules that every scene must obey, for any formulation.

#ifndef PLIANT_MODELS_SCENE_VALIDATE_H_
#define PLIANT_MODELS_SCENE_VALIDATE_H_

#include "models/scene/scene.h"

namespace pliant {

// Throws BadInput for the first broken rule. Paths are those of the scene file: "body[0].mass",
// "nail[1].point", relative to the scene.
void Validate(const Scene& scene);

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_VALIDATE_H_
