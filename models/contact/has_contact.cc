#include "models/contact/has_contact.h"

#include <algorithm>

namespace pliant {

bool HasContact(const Scene& scene) {
  return !scene.obstacles.empty() || MeetByDefault(scene) ||
         std::any_of(scene.contacts.begin(), scene.contacts.end(),
                     [](const BodyContact& contact) { return !contact.ignored; });
}

}  // namespace pliant
