// Shapes of bodies made from a few numbers. Each is centred at the origin of the body frame unless
// said otherwise, with its mass spread evenly over its points.

#ifndef PLIANT_MODELS_SCENE_SHAPES_H_
#define PLIANT_MODELS_SCENE_SHAPES_H_

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "models/scene/scene.h"

namespace pliant {

// Points evenly from `from` to `to` (body frame; not centred). n ≥ 2, mass [kg] > 0.
Body MakeChain(const std::string& name, const Eigen::Vector3d& from, const Eigen::Vector3d& to,
               int points, double mass);

// nx×ny grid in the body's xy-plane, normal +z; size [m]. Edges along rows and columns, two
// triangles a cell.
Body MakeSheet(const std::string& name, const Eigen::Vector2d& size, std::array<int, 2> points,
               double mass);

// nx×ny×nz grid; size [m]. Edges along the axes; faces on the surface only.
Body MakeBlock(const std::string& name, const Eigen::Vector3d& size, std::array<int, 3> points,
               double mass);

// Named groups of points: "all", "corners", "border", "bottom", "top" (lowest and highest rest y),
// "start", "end" (first and last point). Corners and border need a grid. Throws BadInput for an
// unknown name or a group the body does not have.
std::vector<int> PointGroup(const Body& body, const std::string& group);

// The point of grid index (i,j,k); throws BadInput when the body has no grid or it is outside.
int GridPoint(const Body& body, const std::vector<int>& index);

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_SHAPES_H_
