// The rules that every scene must obey, for any formulation.

#ifndef PLIANT_MODELS_SCENE_VALIDATE_H_
#define PLIANT_MODELS_SCENE_VALIDATE_H_

#include <vector>

#include "models/problem.h"
#include "models/scene/scene.h"

namespace pliant {

// The broken rules, at most one of each element. Rules about several elements are asked only where each alone
// obeys its own, and where the scene is `whole`: an element that a reader left out breaks none. Paths are those of the scene file: "body[0].mass",
// "nail[1].point", relative to the scene.
std::vector<Problem> BrokenRules(const Scene& scene, bool whole = true);

// Throws BadInput for the first broken rule.
void Validate(const Scene& scene);

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_VALIDATE_H_
