// What became of the bodies of a scene that are rigid (`rigid = true`), for the record of a backend.

#ifndef PLIANT_SOLVERS_RIGID_FACTS_H_
#define PLIANT_SOLVERS_RIGID_FACTS_H_

#include <algorithm>
#include <string>

#include "models/scene/scene.h"
#include "solvers/translation.h"

namespace pliant {

bool HasRigidBodies(const Scene& scene);
inline bool AllRigid(const Scene& scene) {
  return std::all_of(scene.bodies.begin(), scene.bodies.end(),
                     [](const Body& body) { return body.rigid; });
}

// "2 kg, moments of inertia 0.1, 0.2 and 0.3 kg m² of its points", about the centre of mass, the
// smallest first; in the plane the one about z.
std::string RigidFacts(const Body& body, int dimension);

// The entries of each rigid body: "body.NAME.rigid" with `how` it is kept rigid and its facts, and
// "body.NAME.material", of which the masses alone act.
void SayRigid(const Scene& scene, Fidelity fidelity, const std::string& how,
              TranslationRecord* record);
// The same of one body.
void SayRigid(const Body& body, int dimension, Fidelity fidelity, const std::string& how,
              TranslationRecord* record);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_RIGID_FACTS_H_
