#include <cmath>
#include <string>

#include "models/scene/extent.h"
#include "models/scene/number_text.h"
#include "models/scene/validate_parts.h"

namespace pliant {
namespace {

// Inertias are masses times squares of sizes, and stiffnesses divide by both: beyond these bounds such numbers
// are zero or infinite in floating point, and decompositions of them mean nothing.
void RequireRepresentable(const Body& body, size_t b) {
  constexpr double kLeastSize = 1e-60, kMostSize = 1e60;    // m
  constexpr double kLeastMass = 1e-100, kMostMass = 1e100;  // kg
  const double size = ExtentOf(body.rest);
  if (size > 0.0 && !(size >= kLeastSize && size <= kMostSize)) {
    throw BadInput({At("body", b),
                    "body '" + body.name + "' is " + RoundTrip(size) +
                        " m large, and squares of this do not fit into floating-point numbers",
                    "give a size between 1e-60 and 1e60 m"});
  }
  if (body.mass.minCoeff() < kLeastMass || body.mass.maxCoeff() > kMostMass) {
    throw BadInput({At("body", b, "mass"),
                    "the masses of the points of body '" + body.name + "', from " +
                        RoundTrip(body.mass.minCoeff()) + " to " + RoundTrip(body.mass.maxCoeff()) +
                        " kg, do not fit into floating-point numbers when multiplied",
                    "give masses between 1e-100 and 1e100 kg"});
  }
}

// A rigid body has one shape.
void ValidateRigid(const Scene& scene, size_t b) {
  const Body& body = scene.bodies[b];
  if (!body.rigid) return;
  if (body.stretch != Eigen::Matrix3d::Identity()) {
    throw BadInput({At("body", b, "stretch"),
                    "body '" + body.name + "' is rigid, but its initial stretch deforms it",
                    "remove stretch and give the shape this size, or remove rigid"});
  }
  for (size_t m = 0; m < scene.morphs.size(); ++m) {
    if (scene.morphs[m].body != static_cast<int>(b)) continue;
    throw BadInput({At("body", b, "rigid"),
                    "body '" + body.name + "' is rigid, but morph '" + scene.morphs[m].name +
                        "' changes its shape",
                    "remove rigid or the morph"});
  }
}

}  // namespace

void ValidateBody(const Scene& scene, size_t b) {
  const Body& body = scene.bodies[b];
  if (body.size() == 0) throw BadInput({At("body", b), "body '" + body.name + "' is empty", ""});
  RequireFinite(body.rest, At("body", b), "a rest position of body '" + body.name + "'");
  if (body.mass.size() != body.size()) {
    throw BadInput({At("body", b, "mass"),
                    "body '" + body.name + "' has " + std::to_string(body.size()) + " points but " +
                        std::to_string(body.mass.size()) + " masses",
                    ""});
  }
  for (double mass : body.mass) {
    if (!(mass > 0.0) || !std::isfinite(mass)) {
      throw BadInput({At("body", b, "mass"),
                      "every mass of body '" + body.name + "' must be positive and finite", ""});
    }
  }
  RequireRepresentable(body, b);
  for (const auto& edge : body.edges) {
    for (int point : edge)
      RequirePoint(scene, {static_cast<int>(b), point}, At("body", b, "edges"));
  }
  for (const auto& face : body.faces) {
    for (int point : face)
      RequirePoint(scene, {static_cast<int>(b), point}, At("body", b, "faces"));
  }
  try {
    CheckMaterial(body);
  } catch (const BadInput& bad) {
    throw BadInput(
        {At("body", b, bad.problem().where.c_str()), bad.problem().what, bad.problem().mend});
  }
  if (scene.dimension == 3 && body.material && body.material->plane_strain) {
    throw BadInput({At("body", b, "material.plane_strain"),
                    "body '" + body.name + "' can be in plane strain in a planar scene only",
                    "set the dimension of the scene to 2, or leave plane_strain out"});
  }
  for (const auto& cell : body.tetrahedra) {
    for (int point : cell) RequirePoint(scene, {static_cast<int>(b), point}, At("body", b));
  }
  for (const auto& cell : body.hexahedra) {
    for (int point : cell) RequirePoint(scene, {static_cast<int>(b), point}, At("body", b));
  }
  RequireFinite(body.position, At("body", b, "position"), "position");
  RequireFinite(body.velocity, At("body", b, "velocity"), "velocity");
  RequireFinite(body.angular_velocity, At("body", b, "angular_velocity"), "angular velocity");
  RequireFinite(body.stretch, At("body", b, "stretch"), "stretch");
  if (!(body.stretch.determinant() > 0.0)) {
    throw BadInput({At("body", b, "stretch"),
                    "the initial stretch of body '" + body.name + "' collapses or mirrors it",
                    "give positive factors"});
  }
  RequirePlanar(scene, body.position, At("body", b, "position"));
  RequirePlanar(scene, body.velocity, At("body", b, "velocity"));
  ValidateRigid(scene, b);
  if (scene.dimension == 2) {
    if (body.angular_velocity.x() != 0.0 || body.angular_velocity.y() != 0.0) {
      throw BadInput({At("body", b, "angular_velocity"), "a planar scene turns about z only",
                      "give [0, 0, rate]"});
    }
    const Eigen::Vector3d z = body.orientation * Eigen::Vector3d::UnitZ();
    if ((z - Eigen::Vector3d::UnitZ()).norm() > 1e-12) {
      throw BadInput({At("body", b, "rotation"), "a planar scene turns about z only", ""});
    }
    if (body.rest.row(2).cwiseAbs().maxCoeff() > 0.0) {
      throw BadInput(
          {At("body", b), "body '" + body.name + "' leaves the plane z = 0", "use dimension = 3"});
    }
  }
}

void ValidateObstacle(const Scene& scene, size_t o) {
  const Obstacle& obstacle = scene.obstacles[o];
  RequireNotNegative(obstacle.friction, At("obstacle", o, "friction"),
                     "friction of obstacle '" + obstacle.name + "'");
  RequireNotNegative(obstacle.restitution, At("obstacle", o, "restitution"),
                     "restitution of obstacle '" + obstacle.name + "'");
  if (obstacle.restitution > 1.0) {
    throw BadInput({At("obstacle", o, "restitution"),
                    "a restitution of " + Digits(obstacle.restitution) +
                        " would make bounces higher and higher",
                    "write 0 to 1"});
  }
  for (int k = 0; k < obstacle.motion.keys().cols(); ++k) {
    RequirePlanar(scene, obstacle.motion.keys().col(k), At("obstacle", o, "path"));
  }
  auto positive = [&](double value, const char* key) {
    if (!(value > 0.0) || !std::isfinite(value)) {
      throw BadInput({At("obstacle", o, key),
                      std::string(key) + " of obstacle '" + obstacle.name +
                          "' must be positive, not " + Digits(value),
                      ""});
    }
  };
  std::visit(Overloaded{
                 [&](const Plane& plane) {
                   if (!(std::abs(plane.normal.norm() - 1.0) < 1e-9)) {
                     throw BadInput({At("obstacle", o, "normal"),
                                     "the normal of a plane must have length 1", ""});
                   }
                   RequirePlanar(scene, plane.normal, At("obstacle", o, "normal"));
                 },
                 [&](const Sphere& sphere) { positive(sphere.radius, "radius"); },
                 [&](const Box& box) { positive(box.half_size.minCoeff(), "half_size"); },
                 [&](const Capsule& capsule) {
                   positive(capsule.radius, "radius");
                   RequireFinite(capsule.half_axis, At("obstacle", o, "half_axis"), "half axis");
                 },
                 [&](const Solid& solid) {
                   if (!solid.pieces.empty()) return;
                   throw BadInput(
                       {At("obstacle", o), "obstacle '" + obstacle.name + "' has no pieces", ""});
                 },
             },
             obstacle.shape);
}

}  // namespace pliant
