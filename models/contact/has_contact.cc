#include "models/contact/has_contact.h"

#include <algorithm>

namespace pliant {

bool HasContact(const Scene& scene) {
  return !scene.obstacles.empty() || MeetByDefault(scene) ||
         std::any_of(scene.contacts.begin(), scene.contacts.end(),
                     [](const BodyContact& contact) { return !contact.ignored; });
}

bool AnythingRubs(const Scene& scene) {
  return std::any_of(scene.obstacles.begin(), scene.obstacles.end(),
                     [](const Obstacle& obstacle) { return obstacle.friction > 0.0; }) ||
         std::any_of(scene.contacts.begin(), scene.contacts.end(), [](const BodyContact& contact) {
           return !contact.ignored && contact.friction > 0.0;
         });
}

}  // namespace pliant
