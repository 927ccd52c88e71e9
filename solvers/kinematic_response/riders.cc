#include "solvers/kinematic_response/riders.h"

#include "models/geometry/extent.h"
#include "models/scene/forces.h"

namespace pliant::kinematic_response {

FoundationSprings::FoundationSprings(const Scene& scene)
    : scene_(scene), start_(scene.InitialPoints()) {
  extent_ = DiagonalOf(start_);
}

bool FoundationSprings::Has(const Spring& spring) const {
  if (spring.b || spring.rest_length != 0.0) return false;
  return (start_.col(scene_.Index(spring.a)) - spring.anchor).norm() <= 1e-9 * extent_;
}

namespace {

std::vector<bool> WhoIsMoved(const Scene& scene) {
  std::vector<bool> moved(scene.bodies.size(), Gravity(scene).acts());
  std::vector<bool> held(scene.bodies.size(), false);
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    if (!body.velocity.isZero(0.0) || !body.angular_velocity.isZero(0.0)) moved[i] = true;
  }
  for (const TimedForce& force : scene.forces) moved[force.point.body] = true;
  for (const Impulse& impulse : scene.impulses) moved[impulse.point.body] = true;
  const FoundationSprings foundation(scene);
  for (const Spring& spring : scene.springs) {
    if (spring.stiffness == 0.0) continue;
    if (foundation.Has(spring)) {
      held[spring.a.body] = true;
    } else {
      moved[spring.a.body] = true;
      if (spring.b) moved[spring.b->body] = true;
    }
  }
  for (size_t i = 0; i < moved.size(); ++i) moved[i] = moved[i] && !held[i];
  return moved;
}

}  // namespace

std::vector<bool> WhoRides(const Scene& scene, Rides rides) {
  std::vector<bool> who = rides == Rides::kWhenMoved
                              ? WhoIsMoved(scene)
                              : std::vector<bool>(scene.bodies.size(), rides == Rides::kAlways);
  for (size_t i = 0; i < who.size(); ++i) who[i] = who[i] || scene.bodies[i].rigid;
  return who;
}

}  // namespace pliant::kinematic_response
