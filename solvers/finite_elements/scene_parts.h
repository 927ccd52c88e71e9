// Bodies of a scene as parts of finite elements.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_SCENE_PARTS_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_SCENE_PARTS_H_

#include <memory>
#include <string>

#include "models/finite_elements/elastic_part.h"
#include "models/scene/scene.h"

namespace pliant::finite_elements {

struct BodyPart {
  std::unique_ptr<const ElasticPart> part;  // null where the body cannot be one
  std::string words;                        // what it became, or why not
  std::string material = {};                // how it holds the material; empty: as it stands
  bool exact = true;                        // holds it so that refinement leaves nothing to tell
};
// `refinement` elements along each edge of a cell of the body. Solids are locking_free_part.h's where
// asked for, and where they can lock.
BodyPart MakePart(const Scene& scene, int body, int refinement, bool locking_free);

// Does the body become elements whose volume is that of the material, so that they lock where it hardly
// changes? Solids and profiles in plane strain do.
bool CanLock(const Scene& scene, const Body& body);

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_SCENE_PARTS_H_
