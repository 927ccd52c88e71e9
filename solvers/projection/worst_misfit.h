// The worst constraint after a sweep: one of the body, or one that the scene adds to every
// formulation whose points are displaced: a hold, a slider or limit, a contact with an obstacle or
// a surface.

#ifndef PLIANT_SOLVERS_PROJECTION_WORST_MISFIT_H_
#define PLIANT_SOLVERS_PROJECTION_WORST_MISFIT_H_

#include <optional>
#include <string>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/contact/displacement.h"
#include "solvers/contact/surface_contacts.h"
#include "solvers/holds/guides.h"
#include "solvers/holds/hold.h"

namespace pliant {

struct WorstMisfit {
  enum class Kind { kBody, kHold, kGuide, kContact, kSurface } kind = Kind::kBody;
  int index = 0;      // of the body's own constraint, or of the hold, guide, contact …
  double size = 0.0;  // m
};

// The constraints of a scene on points; null if a level ignores them.
struct SceneCorrections {
  const std::vector<Hold>& holds;
  const std::vector<Contact>& contacts;
  const Guides* guides;
  const SurfaceContacts* surfaces;
};

// The larger of `of_body` and the worst constraint of the scene at `time` [s].
WorstMisfit WorstOf(const WorstMisfit& of_body, const SceneCorrections& corrections, double time,
                    const PointMover& mover);

// The first contact of rigid pieces that has not its accuracy (displacement.h); its size is 0.
std::optional<WorstMisfit> FirstUnresolved(const SceneCorrections& corrections,
                                           const PointMover& mover);

// "nail 'hook'", "contact of point 3 of rope with floor"; not for a body's own constraint.
std::string NameOfWorst(const Scene& scene, const WorstMisfit& worst,
                        const SceneCorrections& corrections);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PROJECTION_WORST_MISFIT_H_
