// The pairs of a scene that may touch: a body and an obstacle, and two bodies that meet.

#ifndef PLIANT_MODELS_SCENE_CONTACT_PAIRS_H_
#define PLIANT_MODELS_SCENE_CONTACT_PAIRS_H_

#include <string>
#include <vector>

#include "models/scene/scene.h"

namespace pliant {

struct ContactPair {
  int body;
  int obstacle = -1, other = -1;  // one of them
};

// Above this many pairs none is listed: tables of all would grow with the square of the bodies.
inline constexpr int kMostContactPairs = 64;

// Each body with each obstacle, then each two bodies that meet (body_contact.h), the first of lower
// number; empty above kMostContactPairs.
std::vector<ContactPair> ContactPairs(const Scene& scene);

// "cloth.floor": the names of both.
std::string NameOf(const Scene& scene, const ContactPair& pair);

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_CONTACT_PAIRS_H_
