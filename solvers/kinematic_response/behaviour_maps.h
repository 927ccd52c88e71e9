// Behaviour maps [Harrison 1994, Secs. 3.3.1, 4.3.1, 5.6]: controls that vary across each level, as
// a texture map varies a colour. One [[entry]] of the table is one map:
//
//   name = "furrows"
//   control = "absorption"     what varies; or "offset" [m]: a procedural offset along the normal,
//                              which wrinkles the surface at rest
//   formula = "0.4 * map"      in u and v from 0 to 1 along the grid (v = 0 of a curve), x, y, z
//                              where the vertex is at rest [m], level from 0, the coarsest, value:
//                              what the control is there without this map, and
//   image = "stripes.png"      map: its grey level from 0, black, to 1, white; or values =
//                              [[…], …], rows from v = 1 down, as an image is seen
//   level = 5                  of one level only (offsets, layers and stiffness: the finest)
//   body = "skin"              of one body only
//   direction = "u"            of what points along "u", "v" or the normal "n" only
//
// A map without a formula is its image. Of several maps of one control, a later one starts from the
// result of the earlier one (value). Values may vary with the direction: see LevelControls.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_BEHAVIOUR_MAPS_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_BEHAVIOUR_MAPS_H_

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "solvers/parameters.h"

namespace pliant::kinematic_response {

enum class MappedControl {
  kAbsorption,
  kDampingTime,
  kRelaxationTime,
  kYield,
  kAccelerationLimit,
  kFeatureStiffness,
  kLayerThickness,
  kOffset,
  kRelativeStiffness,
  kContactStiffness,
};
// Are there values for the vertices of the finest level only?
inline bool OfFinestOnly(MappedControl control) {
  return control == MappedControl::kLayerThickness ||
         control == MappedControl::kRelativeStiffness ||
         control == MappedControl::kContactStiffness;
}

struct BehaviourMap {
  std::string name, where;  // place of the entry, such as "maps.entry[2]"
  MappedControl control = MappedControl::kAbsorption;
  std::string formula;     // "map" when there is only an image
  Eigen::MatrixXd values;  // 0×0: none
  std::optional<int> level, direction;
  std::optional<std::string> body;

  std::string ControlName() const;
};

// Throws BadInput for unknown keys and words and for maps without content.
std::vector<BehaviourMap> ReadBehaviourMaps(const MatrixTable& table);

// Throws BadInput when a map names a body that is not among these.
void RequireKnownBodies(const std::vector<BehaviourMap>& maps,
                        const std::vector<std::string>& bodies);

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_BEHAVIOUR_MAPS_H_
