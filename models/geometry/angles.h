// Angles.

#ifndef PLIANT_MODELS_GEOMETRY_ANGLES_H_
#define PLIANT_MODELS_GEOMETRY_ANGLES_H_

#include <numbers>

namespace pliant {

constexpr double Radians(double degrees) { return degrees * std::numbers::pi / 180.0; }

}  // namespace pliant

#endif  // PLIANT_MODELS_GEOMETRY_ANGLES_H_
