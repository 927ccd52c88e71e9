// How bodies of a scene meet. Two bodies meet wherever their surfaces touch, without friction, unless
// an attachment joins them, whose points would touch at all times; a body does not meet itself. An
// element of the scene states it otherwise for a pair.

#ifndef PLIANT_MODELS_SCENE_BODY_CONTACT_H_
#define PLIANT_MODELS_SCENE_BODY_CONTACT_H_

#include <string>

namespace pliant {

struct Scene;

// How body a meets body b, or itself (a = b).
struct BodyContact {
  int a = 0, b = 0;          // bodies
  bool ignored = false;      // do they pass through each other?
  double friction = 0.0;     // Coulomb's coefficient, ≥ 0
  double restitution = 0.0;  // ratio of the speeds after and before a bounce, in [0, 1]

  bool joins(int one, int other) const {
    return (a == one && b == other) || (a == other && b == one);
  }
};

// What the scene states of the pair, else what holds without a statement. Linear in the elements.
BodyContact ContactOf(const Scene& scene, int a, int b);

// True if any two bodies meet without a statement about them.
bool MeetByDefault(const Scene& scene);

// "contact.A.B", the name of the element.
std::string ContactName(const Scene& scene, const BodyContact& contact);

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_BODY_CONTACT_H_
