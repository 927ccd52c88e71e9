// Bodies that a scene lets begin inside one another, which the sweeps of positions do not lead apart
// (surface_contacts.h).

#ifndef PLIANT_SOLVERS_CONTACT_OVERLAP_AT_START_H_
#define PLIANT_SOLVERS_CONTACT_OVERLAP_AT_START_H_

#include <string>
#include <vector>

#include "models/scene/scene.h"

namespace pliant {

// A line for each pair of bodies that meet and of which one begins inside the other by more than
// `tolerance` [m]. The depth is that of the deepest point, or middle of an edge or a face.
void WarnOfOverlap(const Scene& scene, double tolerance, std::vector<std::string>* warnings);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_OVERLAP_AT_START_H_
