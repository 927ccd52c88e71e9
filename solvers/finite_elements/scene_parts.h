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
// `refinement` elements along each edge of a cell of the body.
BodyPart MakePart(const Scene& scene, int body, int refinement);

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_SCENE_PARTS_H_
