#include "solvers/rigid_facts.h"

#include <algorithm>

#include "models/rigid_bodies/rigid_piece.h"
#include "models/scene/number_text.h"

namespace pliant {

bool HasRigidBodies(const Scene& scene) {
  return std::any_of(scene.bodies.begin(), scene.bodies.end(),
                     [](const Body& body) { return body.rigid; });
}

std::string RigidFacts(const Body& body, int dimension) {
  RigidMotion unused;
  const RigidPiece piece(body.rest, body.mass, PieceInertia::kOfPoints, &unused);
  const Eigen::Vector3d& moments = piece.moments();
  const std::string mass = ThreeDigits(piece.mass()) + " kg, ";
  // In the plane those about x and y sum to that about z, which is the last.
  if (dimension == 2) {
    return mass + "moment of inertia " + ThreeDigits(moments[2]) + " kg m² of its points";
  }
  return mass + "moments of inertia " + ThreeDigits(moments[0]) + ", " + ThreeDigits(moments[1]) +
         " and " + ThreeDigits(moments[2]) + " kg m² of its points";
}

void SayRigid(const Body& body, int dimension, Fidelity fidelity, const std::string& how,
              TranslationRecord* record) {
  if (!body.rigid) return;
  const std::string name = "body." + body.name;
  record->Say(name + ".rigid", fidelity, how + "; " + RigidFacts(body, dimension));
  record->Say(name + ".material", Fidelity::kIgnored,
              "the masses follow from it; the body is rigid, so nothing else of it acts");
}

void SayRigid(const Scene& scene, Fidelity fidelity, const std::string& how,
              TranslationRecord* record) {
  for (const Body& body : scene.bodies) {
    SayRigid(body, scene.dimension, fidelity, how, record);
  }
}

}  // namespace pliant
