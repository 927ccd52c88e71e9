#include "models/scene/body_contact.h"

#include <algorithm>

#include "models/scene/scene.h"

namespace pliant {
namespace {

bool Stated(const Scene& scene, int a, int b) {
  return std::any_of(scene.contacts.begin(), scene.contacts.end(),
                     [&](const BodyContact& contact) { return contact.joins(a, b); });
}

bool Attached(const Scene& scene, int a, int b) {
  return std::any_of(scene.attachments.begin(), scene.attachments.end(),
                     [&](const Attachment& attachment) {
                       return BodyContact{a, b}.joins(attachment.a.body, attachment.b.body);
                     });
}

}  // namespace

BodyContact ContactOf(const Scene& scene, int a, int b) {
  for (const BodyContact& contact : scene.contacts) {
    if (contact.joins(a, b)) return contact;
  }
  return {a, b, a == b || Attached(scene, a, b)};
}

bool MeetByDefault(const Scene& scene) {
  const int bodies = static_cast<int>(scene.bodies.size());
  for (int a = 0; a < bodies; ++a) {
    for (int b = a + 1; b < bodies; ++b) {
      if (!Stated(scene, a, b) && !Attached(scene, a, b)) return true;
    }
  }
  return false;
}

std::string ContactName(const Scene& scene, const BodyContact& contact) {
  return "contact." + scene.bodies[contact.a].name + "." + scene.bodies[contact.b].name;
}

}  // namespace pliant
