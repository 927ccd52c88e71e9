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

// Its runs are drawn like that; others run an outline, which may bend.
inline constexpr std::string_view kLampBackend = "articulated-lamp";

struct SolidFace {
  std::array<Eigen::Vector3d, 4> corners;  // m, in order
  Eigen::Vector3d normal;                  // unit, outwards
};

// Round about the axes of its links, as wide as the outline: 3×n points of the body [m]. No face
// unless the body has the marks of a lamp.
std::vector<SolidFace> LampSolid(const Body& body, const Eigen::Ref<const Eigen::Matrix3Xd>& x);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_LAMP_SOLID_H_
