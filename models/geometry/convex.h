// Solids made of convex pieces: distances and exits along a ray. A concave solid is a union of
// convex pieces [Harrison 1994, Sec. 4.2.2].

#ifndef PLIANT_MODELS_GEOMETRY_CONVEX_H_
#define PLIANT_MODELS_GEOMETRY_CONVEX_H_

#include <Eigen/Core>
#include <array>
#include <vector>

#include "models/geometry/subdivision.h"

namespace pliant {

// One convex polyhedron {x : normals·x ≤ offsets}.
struct ConvexPiece {
  Eigen::Matrix3Xd vertices;              // m
  std::vector<std::array<int, 3>> faces;  // triangles, counter-clockwise seen from outside
  Eigen::Matrix3Xd normals;               // one per triangle, unit, outwards
  Eigen::VectorXd offsets;                // n·x on the triangle [m]
};

// The connected parts of a closed mesh, each of which must be convex. Throws BadInput when the mesh
// is not a closed manifold or a part is not convex (by more than a part in 10⁶ of its extent),
// naming the vertex that stands out.
std::vector<ConvexPiece> ConvexPieces(const Eigen::Matrix3Xd& vertices, const PolygonMesh& mesh);

struct PieceDistance {
  double distance;         // < 0 inside [m]
  Eigen::Vector3d normal;  // outwards, unit: the gradient of the distance
};
// Exact outside, and inside the distance to the nearest face. O(triangles).
PieceDistance DistanceTo(const ConvexPiece& piece, const Eigen::Vector3d& x);

// The part of the ray x + s g, s ≥ 0 (g a unit vector), that is inside the piece; empty: enter >
// exit.
struct RaySpan {
  double enter, exit;  // m
};
RaySpan SpanInside(const ConvexPiece& piece, const Eigen::Vector3d& x, const Eigen::Vector3d& g);

}  // namespace pliant

#endif  // PLIANT_MODELS_GEOMETRY_CONVEX_H_
