// Closed lines in the plane, such as a ring: they look as if they had an inside, and contact on cells of faces
// (body_penalty.h) does not see them.

#ifndef PLIANT_SOLVERS_CONTACT_OUTLINES_H_
#define PLIANT_SOLVERS_CONTACT_OUTLINES_H_

#include <string>
#include <vector>

#include "models/scene/scene.h"

namespace pliant {

// Of those that other bodies should meet.
void WarnOfOutlines(const Scene& scene, std::vector<std::string>* warnings);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_OUTLINES_H_
