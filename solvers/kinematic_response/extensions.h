// Extensions of held surfaces beyond the algorithm of the source: self-contact, a skeleton, a
// constant area. Their options, and their requirements on a scene.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_EXTENSIONS_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_EXTENSIONS_H_

#include <string>
#include <vector>

#include "models/kinematic_response/transfer.h"
#include "models/scene/scene.h"
#include "solvers/parameters.h"

namespace pliant::kinematic_response {

struct ExtensionOptions {
  double self_contact_depth = 0.0;  // m (self_contact.h); 0: a surface passes through itself
  MatrixTable skeleton;             // inside the only body (skin.h); none: held at its start
  int skeleton_level = 0;           // levels up to this one are attached to it
  double area_kept = 0.0;           // share of a change of area that a pass compensates (area.h)
  int area_level = 0;               // the level that compensates it

  bool has_skeleton() const { return !skeleton.groups.empty() || !skeleton.entries.empty(); }
  // True if a surface responds in the order inner contact, self-contact, outer contact.
  bool ordered() const { return self_contact_depth > 0.0 || has_skeleton(); }

  void Bind(ParameterBinder& binder);

  // Throws BadInput where they do not fit the scene; for each of its bodies `rides` says whether it
  // rides on a proxy and `levels` how many levels its surface has.
  void RequireScene(const Scene& scene, const std::vector<bool>& rides,
                    const std::vector<int>& levels) const;
  // One line each: surfaces that penetrate themselves at the start.
  std::vector<std::string> Warnings(const Scene& scene, Prolongation prolongation) const;
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_EXTENSIONS_H_
