// Bodies that fall and motions that they are led through, in the plane and in space.

#ifndef PLIANT_TESTS_SOLVERS_CONTROL_MOTIONS_H_
#define PLIANT_TESTS_SOLVERS_CONTROL_MOTIONS_H_

#include <Eigen/Core>
#include <map>
#include <optional>
#include <string>

#include "models/scene/scene.h"
#include "solvers/control/tables.h"

namespace pliant::dynamic_ffd {

// The table in the plane, or the same one in space, tilted and turning.
Scene FallingTable(int dimension = 2);
// A sheet in space, tilted.
Scene FallingSheet();

KeyFrameTable::Key KeyAt(double time, std::map<std::string, double> pose,
                         const Eigen::Vector3d& displacement, double turn,
                         std::optional<int> pin = std::nullopt);

// The table runs, leans to both sides and leaves the ground.
KeyFrameTable Dash(Path::Interpolation interpolation = Path::Interpolation::kCubic);
// The sheet turns about several axes.
KeyFrameTable Tumble(Path::Interpolation interpolation = Path::Interpolation::kCubic);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_TESTS_SOLVERS_CONTROL_MOTIONS_H_
