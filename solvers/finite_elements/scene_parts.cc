#include "solvers/finite_elements/scene_parts.h"

#include <utility>
#include <vector>

#include "models/finite_elements/locking_free_part.h"
#include "models/finite_elements/rigid_part.h"
#include "models/finite_elements/solid_mesh.h"
#include "models/finite_elements/solid_part.h"
#include "models/finite_elements/thin_part.h"
#include "models/problem.h"
#include "models/scene/material.h"

namespace pliant::finite_elements {
namespace {

using elasticity::NameOf;

BodyPart Solid(const Material& material, const SolidMesh& mesh, bool locking_free) {
  const bool planar = mesh.shape == ElementShape::kTriangle6;
  const Law law(material, planar);
  auto part = locking_free ? MakeLockingFreePart(mesh, law, material.density, material.thickness)
                           : MakeSolidPart(mesh, law, material.density, material.thickness);
  const int nodes = part->node_count();
  const std::string shape =
      planar ? std::string("triangles of plane ") + (material.plane_strain ? "strain" : "stress")
      : mesh.shape == ElementShape::kTetrahedron10 ? "tetrahedra"
                                                   : "hexahedra";
  return {std::move(part),
          std::to_string(mesh.elements.cols()) + " quadratic " + shape + ", " +
              std::to_string(nodes) + " nodes, " + NameOf(material.law) +
              (locking_free ? ", its change of volume averaged in each element" : "") +
              "; its points move with the elements that they are corners of"};
}

BodyPart Thin(const Body& body, int dimension, int refinement) {
  auto part = MakeThinPart(body, dimension, refinement);
  const bool line = body.shape == ShapeKind::kChain || body.shape == ShapeKind::kRing;
  const Material& material = *body.material;
  BodyPart made;
  made.words =
      std::to_string(part->element_count()) +
      (line ? " spans of a rod" : " spans of a Kirchhoff–Love shell") + " of cubic B-splines, " +
      std::to_string(part->node_count()) +
      " control points; its points lie on the curve or surface, not on the polygon between "
      "them";
  // A scene that gives a thickness says of a chain that it is a rod, of a sheet that it is a shell: their theories are
  // the body, not an approximation of it. What a theory cannot hold is said to be approximated.
  const ElasticLaw law = material.law;
  if (line) {
    made.material = "as a rod of Euler–Bernoulli theory, linear in stretch and curvature";
    made.exact = law == ElasticLaw::kLinear || law == ElasticLaw::kCorotated;
    if (!made.exact) made.material += ", which is " + NameOf(law) + " at small strain";
    if (!part->planar() && material.stiffness_damping > 0.0) {
      made.exact = false;
      made.material += "; only stretching is damped";
    }
  } else {
    made.material = "as a shell of Kirchhoff–Love theory, st-venant-kirchhoff in plane stress";
    made.exact = law == ElasticLaw::kStVenantKirchhoff;
    if (!made.exact) made.material += ", which is " + NameOf(law) + " at small strain";
  }
  made.part = std::move(part);
  return made;
}

BodyPart Rigid(const Body& body, int dimension) {
  auto part = MakeRigidPart(body, dimension);
  const int nodes = part->node_count();
  return {std::move(part), "an affine body of " + std::to_string(nodes) +
                               " nodes, with the inertia of its points; it meets others at its "
                               "points and the faces and edges between them"};
}

// An area in the plane: its faces are cells of the material. The same sheet in space is a shell.
bool IsPlanarArea(const Scene& scene, const Body& body) {
  const bool area = body.shape == ShapeKind::kProfile || body.shape == ShapeKind::kSheet;
  return area && scene.dimension == 2 && !body.faces.empty();
}

}  // namespace

bool CanLock(const Scene& scene, const Body& body) {
  if (!body.material || body.rigid) return false;
  if (!body.tetrahedra.empty() || !Hexahedra(body).empty()) return true;
  return IsPlanarArea(scene, body) && body.material->plane_strain;
}

BodyPart MakePart(const Scene& scene, int body, int refinement, bool locking_free) {
  const Body& of = scene.bodies[body];
  if (of.rigid) return Rigid(of, scene.dimension);
  const bool free = locking_free && CanLock(scene, of);
  if (!of.material) {
    return {nullptr, "it has no material; say what it is made of in [body.material]"};
  }
  try {
    if (!of.tetrahedra.empty() && !of.hexahedra.empty()) {
      return {nullptr, "a mesh of both tetrahedra and hexahedra has no common elements here"};
    }
    if (!of.tetrahedra.empty()) {
      return Solid(*of.material, MeshOfCells(of.rest, of.tetrahedra, refinement), free);
    }
    if (const auto hexahedra = Hexahedra(of); !hexahedra.empty()) {
      return Solid(*of.material, MeshOfCells(of.rest, hexahedra, refinement), free);
    }
    if (IsPlanarArea(scene, of)) {
      return Solid(*of.material, MeshOfCells(of.rest, of.faces, refinement), free);
    }
    if (IsThin(of)) return Thin(of, scene.dimension, refinement);
  } catch (const BadInput& error) {
    return {nullptr, error.what()};
  }
  if (of.shape == ShapeKind::kProfile) {
    return {nullptr, "only profiles with faces in a planar scene have elements here"};
  }
  return {nullptr,
          "only blocks, profiles, sheets, tubes, tori, chains, rings and meshes of tetrahedra "
          "or hexahedra have elements here"};
}

}  // namespace pliant::finite_elements
