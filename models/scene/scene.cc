#include "models/scene/scene.h"

#include <algorithm>
#include <cassert>
#include <unordered_set>

#include "models/scene/forces.h"

namespace pliant {

Morph::Fraction Morph::At(double time) const {
  const double span = until - from, s = std::clamp((time - from) / span, 0.0, 1.0);
  return {s * s * s * (10.0 + s * (6.0 * s - 15.0)), 30.0 * s * s * (1.0 - s) * (1.0 - s) / span,
          60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / (span * span)};
}

void Scene::NumberPoints() {
  first_points.assign(1, 0);
  for (const Body& body : bodies) first_points.push_back(first_points.back() + body.size());
}

int Scene::Offset(int body) const {
  const auto counted = [&] {
    int offset = 0;
    for (int b = 0; b < body; ++b) offset += bodies[b].size();
    return offset;
  };
  if (first_points.size() != bodies.size() + 1) return counted();
  assert(first_points[body] == counted());
  return first_points[body];
}

Eigen::VectorXd Scene::Masses() const {
  Eigen::VectorXd masses(PointCount());
  int column = 0;
  for (const Body& body : bodies) {
    masses.segment(column, body.size()) = body.mass;
    column += body.size();
  }
  return masses;
}

Eigen::Matrix3Xd Body::InitialPoints() const {
  const Eigen::Matrix3d map = orientation.toRotationMatrix() * stretch;
  return (map * rest).colwise() + position;
}

Eigen::Matrix3Xd Body::InitialVelocities() const {
  const Eigen::Matrix3Xd x = InitialPoints();
  const Eigen::Vector3d centre = (x * mass) / mass.sum();
  Eigen::Matrix3Xd velocities(3, size());
  for (int i = 0; i < size(); ++i) {
    velocities.col(i) = velocity + angular_velocity.cross(Eigen::Vector3d(x.col(i) - centre));
  }
  return velocities;
}

Eigen::Matrix3Xd Scene::InitialPoints() const {
  Eigen::Matrix3Xd points(3, PointCount());
  int column = 0;
  for (const Body& body : bodies) {
    points.middleCols(column, body.size()) = body.InitialPoints();
    column += body.size();
  }
  return points;
}

Eigen::Matrix3Xd Scene::InitialVelocities() const {
  Eigen::Matrix3Xd velocities(3, PointCount());
  int column = 0;
  for (const Body& body : bodies) {
    velocities.middleCols(column, body.size()) = body.InitialVelocities();
    column += body.size();
  }
  return velocities;
}

std::vector<std::string> Elements(const Scene& scene) {
  std::vector<std::string> names;
  std::unordered_set<std::string> known;
  auto add = [&](const std::string& name) {
    if (known.insert(name).second) names.push_back(name);
  };
  if (Gravity(scene).acts()) add("gravity");
  for (const Body& body : scene.bodies) {
    const std::string name = "body." + body.name;
    add(name);
    if (!body.velocity.isZero(0.0) || !body.angular_velocity.isZero(0.0)) add(name + ".velocity");
    if (body.stretch != Eigen::Matrix3d::Identity()) add(name + ".stretch");
    if (body.material) add(name + ".material");
    if (body.rigid) add(name + ".rigid");
  }
  for (const Obstacle& obstacle : scene.obstacles) {
    const std::string name = "obstacle." + obstacle.name;
    add(name);
    if (obstacle.friction > 0.0) add(name + ".friction");
    if (obstacle.restitution > 0.0) add(name + ".restitution");
    if (obstacle.motion.moves()) add(name + ".motion");
  }
  for (const Nail& nail : scene.nails) {
    add("nail." + nail.name);
    if (nail.path.moves()) add("nail." + nail.name + ".motion");
    if (!nail.hold.always()) add("nail." + nail.name + ".switch");
  }
  for (const Attachment& attachment : scene.attachments) {
    add("attachment." + attachment.name);
    if (!attachment.hold.always()) add("attachment." + attachment.name + ".switch");
  }
  for (const Slider& slider : scene.sliders) {
    add("slider." + slider.name);
    if (!slider.hold.always()) add("slider." + slider.name + ".switch");
  }
  for (const Combination& combination : scene.combinations) {
    const std::string name = "combination." + combination.name;
    add(name);
    if (combination.path.moves()) add(name + ".motion");
    if (!combination.hold.always()) add(name + ".switch");
  }
  for (const Limit& limit : scene.limits) add("limit." + limit.name);
  for (const Spring& spring : scene.springs) add("spring." + spring.name);
  for (const TimedForce& force : scene.forces) add("force." + force.name);
  for (const Impulse& impulse : scene.impulses) add("impulse." + impulse.name);
  for (const Notice& notice : scene.notices) add("notice." + notice.name);
  for (const Morph& morph : scene.morphs) add("morph." + morph.name);
  for (const Behaviour& behaviour : scene.behaviours) add("behaviour." + behaviour.name);
  if (MeetByDefault(scene)) add("contact");
  for (const BodyContact& contact : scene.contacts) {
    const std::string name = ContactName(scene, contact);
    add(name);
    if (contact.friction > 0.0) add(name + ".friction");
    if (contact.restitution > 0.0) add(name + ".restitution");
  }
  return names;
}

}  // namespace pliant
