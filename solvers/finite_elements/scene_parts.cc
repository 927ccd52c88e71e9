#include "solvers/finite_elements/scene_parts.h"

#include <vector>

#include "models/finite_elements/solid_mesh.h"
#include "models/finite_elements/solid_part.h"
#include "models/problem.h"
#include "models/scene/material.h"

namespace pliant::finite_elements {
namespace {

std::string NameOf(ElasticLaw law) {
  switch (law) {
    case ElasticLaw::kLinear:
      return "linear";
    case ElasticLaw::kStVenantKirchhoff:
      return "st-venant-kirchhoff";
    case ElasticLaw::kCorotated:
      return "corotated";
    case ElasticLaw::kNeoHookeanLog:
      return "neo-hookean-log";
    case ElasticLaw::kNeoHookeanStable:
      return "neo-hookean-stable";
  }
  return "";
}

BodyPart Solid(const Material& material, const SolidMesh& mesh) {
  const bool planar = mesh.shape == ElementShape::kTriangle6;
  const Law law(material.law, material.youngs_modulus, material.poisson_ratio,
                !planar                 ? Law::Kind::kSolid
                : material.plane_strain ? Law::Kind::kPlaneStrain
                                        : Law::Kind::kPlaneStress);
  const std::string shape =
      planar ? std::string("triangles of plane ") + (material.plane_strain ? "strain" : "stress")
      : mesh.shape == ElementShape::kTetrahedron10 ? "tetrahedra"
                                                   : "hexahedra";
  return {MakeSolidPart(mesh, law, material.density, material.thickness),
          std::to_string(mesh.elements.cols()) + " quadratic " + shape + ", " +
              std::to_string(mesh.nodes.cols()) + " nodes, " + NameOf(material.law) +
              "; its points move with the elements that they are corners of"};
}

}  // namespace

BodyPart MakePart(const Scene& scene, int body, int refinement) {
  const Body& of = scene.bodies[body];
  if (!of.material) {
    return {nullptr, "it has no material; say what it is made of in [body.material]"};
  }
  try {
    if (!of.tetrahedra.empty() && !of.hexahedra.empty()) {
      return {nullptr, "a mesh of both tetrahedra and hexahedra has no common elements here"};
    }
    if (!of.tetrahedra.empty()) {
      return Solid(*of.material, MeshOfCells(of.rest, of.tetrahedra, refinement));
    }
    if (const auto hexahedra = Hexahedra(of); !hexahedra.empty()) {
      return Solid(*of.material, MeshOfCells(of.rest, hexahedra, refinement));
    }
    if (of.shape == ShapeKind::kProfile && scene.dimension == 2 && !of.faces.empty()) {
      return Solid(*of.material, MeshOfCells(of.rest, of.faces, refinement));
    }
  } catch (const BadInput& error) {
    return {nullptr, error.what()};
  }
  switch (of.shape) {
    case ShapeKind::kChain:
    case ShapeKind::kRing:
      return {nullptr, "lines need elements of rods, which this backend does not have"};
    case ShapeKind::kProfile:
      return {nullptr, "only profiles with faces in a planar scene have elements here"};
    default:
      return {nullptr, "surfaces need elements of shells, which this backend does not have"};
  }
}

}  // namespace pliant::finite_elements
