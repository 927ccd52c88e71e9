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

// The following three face outwards: their first axis of points runs around so that the normal
// ∂_u × ∂_v (of the ring: to the left of its direction) does.

// Circle of n ≥ 3 points in the body's xy-plane, clockwise seen from +z.
Body MakeRing(const std::string& name, double radius, int points, double mass);

// n ≥ 3 points around the body's z-axis × m ≥ 2 along it.
Body MakeTube(const std::string& name, double radius, double length, std::array<int, 2> points,
              double mass);

// n ≥ 3 points around the body's z-axis × m ≥ 3 around the tube. Throws BadInput for a tube thicker
// than the ring.
Body MakeTorus(const std::string& name, double radius, double tube_radius,
               std::array<int, 2> points, double mass);

// A manifold mesh (3×n vertices, body frame), refined `subdivisions` ≥ 0 times by the smooth masks
// of `scheme`. Throws BadInput for a mesh that is not manifold.
Body MakeMesh(const std::string& name, const Eigen::Matrix3Xd& vertices, const PolygonMesh& mesh,
              SubdivisionScheme scheme, int subdivisions, double mass);

// A graph: points (3×n, body frame) joined by polylines, which may meet anywhere and need not be
// connected. Throws BadInput for a line of fewer than two points, one that joins a point to itself,
// and for points that do not exist.
Body MakeGraph(const std::string& name, const Eigen::Matrix3Xd& points,
               const std::vector<std::vector<int>>& lines, double mass);

// Named groups of points: "all", "corners", "border", "bottom", "top" (lowest and highest rest y),
// "start", "end" (first and last point), "x-", "x+", "y-", "y+", "z-", "z+" (least and greatest x, y
// or z at rest: a face of a block, an edge of a sheet). Corners and border need a grid; the border
// of a tube is its two ends, a ring and a torus have none. Throws BadInput for an unknown name or a group the
// body does not have.
std::vector<int> PointGroup(const Body& body, const std::string& group);

// The point of grid index (i,j,k); throws BadInput when the body has no grid or it is outside.
int GridPoint(const Body& body, const std::vector<int>& index);

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_SHAPES_H_
