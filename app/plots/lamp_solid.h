// A lamp in space, from the points of its planar outline: base and arms are cylinders, the head is
// a shade. A drawing only: what is simulated are the masses of the points
// (solvers/articulated_lamp/lamp_body.h).

#ifndef PLIANT_APP_PLOTS_LAMP_SOLID_H_
#define PLIANT_APP_PLOTS_LAMP_SOLID_H_

#include <Eigen/Core>
#include <array>
#include <string_view>
#include <vector>

#include "models/scene/scene.h"

namespace pliant {

// Only runs of this backend are drawn as solids: in the others the outline may bend.
inline constexpr std::string_view kLampBackend = "articulated-lamp";

struct SolidFace {
  std::array<Eigen::Vector3d, 4> corners;  // m, in order
  Eigen::Vector3d normal;                  // unit, outwards
};

// Surfaces of revolution about the axes of the links, as wide as the outline; `x` 3×n, the points
// of the body [m]. No face unless the body has the marks of a lamp.
std::vector<SolidFace> LampSolid(const Body& body, const Eigen::Ref<const Eigen::Matrix3Xd>& x);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_LAMP_SOLID_H_
