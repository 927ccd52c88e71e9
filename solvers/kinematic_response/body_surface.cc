#include "solvers/kinematic_response/body_surface.h"

#include <memory>

#include "models/problem.h"

namespace pliant::kinematic_response {
namespace {

GridSize GridOf(const Body& body) {
  const bool torus = body.shape == ShapeKind::kTorus;
  const bool around = torus || body.shape == ShapeKind::kTube || body.shape == ShapeKind::kRing;
  return {body.grid[0], body.grid[1], around, torus};
}

}  // namespace

std::string WhyNoSurface(const Body& body, int dimension) {
  const std::string surfaces = "a sheet of 2^k + 1 points a side";
  switch (body.shape) {
    case ShapeKind::kMesh:
      if (!body.tetrahedra.empty() || !body.hexahedra.empty()) {
        return "works on surfaces only, and the mesh has cells; it needs " + surfaces +
               ", or the mesh of its surface alone";
      }
      return body.faces.empty() ? "a mesh of lines has no surface; it needs faces" : "";
    case ShapeKind::kSheet:
    case ShapeKind::kTube:
    case ShapeKind::kTorus:
      return "";
    case ShapeKind::kChain:
    case ShapeKind::kRing:
      if (dimension != 2) return "a curve has an outside only in the plane; it needs " + surfaces;
      return "";
    case ShapeKind::kBlock:
    case ShapeKind::kProfile:
      return "works on surfaces only; it needs " + surfaces +
             ", a tube, a torus, a mesh, or a planar chain or ring";
  }
  return "";
}

void RequireHalves(const Body& body) {
  if (body.cage) return;
  const std::string why = WhyNotHalved(GridOf(body));
  if (why.empty()) return;
  throw BadInput({"scene.body." + body.name + ".points",
                  "the levels of body '" + body.name + "': " + why, ""});
}

Eigen::Matrix3Xd StartOf(const Body& body) {
  return ((body.orientation.toRotationMatrix() * body.stretch) * body.rest).colwise() +
         body.position;
}

bool HasBorders(const Body& body) {
  return body.shape != ShapeKind::kRing && body.shape != ShapeKind::kTube &&
         body.shape != ShapeKind::kTorus && body.shape != ShapeKind::kMesh;
}

int LevelsOf(const Body& body) {
  return 1 + (body.cage ? body.cage->subdivisions : *Halvings(GridOf(body)));
}

MultiresolutionSurface SurfaceOf(const Body& body, const Eigen::Matrix3Xd& points,
                                 Prolongation prolongation) {
  const GridVectors target = points.transpose();
  if (!body.cage) return MultiresolutionSurface(GridOf(body), target, prolongation);
  return MultiresolutionSurface(
      std::make_shared<const MeshLevels>(body.cage->mesh, body.cage->scheme,
                                         body.cage->subdivisions, prolongation),
      target);
}

}  // namespace pliant::kinematic_response
