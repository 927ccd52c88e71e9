// Is there anything in a scene that can touch?

#ifndef PLIANT_MODELS_CONTACT_HAS_CONTACT_H_
#define PLIANT_MODELS_CONTACT_HAS_CONTACT_H_

#include "models/scene/scene.h"

namespace pliant {

// Are there obstacles, or bodies that meet one another or themselves?
bool HasContact(const Scene& scene);

}  // namespace pliant

#endif  // PLIANT_MODELS_CONTACT_HAS_CONTACT_H_
