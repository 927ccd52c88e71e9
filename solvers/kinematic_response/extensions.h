// What held surfaces can do beyond the algorithm of the source: see itself, surround a skeleton,
// keep its area. Their options, and what these ask of a scene.

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
  MatrixTable skeleton;             // inside the only body (skin.h); none: held as it starts
  int skeleton_level = 0;           // levels up to this one are attached to it
  double area_kept = 0.0;  // share of a change of area that is made good in a pass (area.h)
  int area_level = 0;      // the level that makes it good

  bool has_skeleton() const { return !skeleton.groups.empty() || !skeleton.entries.empty(); }
  // Is a surface answered in the order inner contact, self-contact, outer contact?
  bool ordered() const { return self_contact_depth > 0.0 || has_skeleton(); }

  void Bind(ParameterBinder& binder);

  // Throws BadInput where they do not fit the scene, of whose bodies `rides` says which ride on
  // proxies and `levels` how many levels their surfaces have.
  void RequireScene(const Scene& scene, const std::vector<bool>& rides,
                    const std::vector<int>& levels) const;
  // One line each: surfaces that see themselves from the start.
  std::vector<std::string> Warnings(const Scene& scene, Prolongation prolongation) const;
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_EXTENSIONS_H_
