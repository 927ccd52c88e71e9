#include "solvers/articulated_lamp/link_contact.h"

#include <cmath>

#include "solvers/exchange.h"

namespace pliant::articulated_lamp {
namespace {

using Eigen::Vector2d;

constexpr double kNow = 0.0;  // s: obstacles are at rest
// How far a point may be beside the line through the ends of the base and still be of its underside [m].
constexpr double kOfUnderside = 1e-6;

// The body without the points of its underside.
LampBody WithoutUnderside(const LampBody& body) {
  LampBody links = body;
  Eigen::Index kept = 0;
  for (int j = 0; j < kLampLinks; ++j) {
    links.first[j] = static_cast<int>(kept);
    for (int i = body.first[j]; i < body.first[j + 1]; ++i) {
      if (j == 0 && std::abs(body.local(0, i)) <= kOfUnderside) continue;
      links.local.col(kept++) = body.local.col(i);
    }
  }
  links.first[kLampLinks] = static_cast<int>(kept);
  links.local.conservativeResize(2, kept);
  return links;
}

// A scene of as many points, which is all that the law of contact takes of bodies.
Scene SceneOf(const Scene& scene, const LampBody& links) {
  Scene of_links;
  of_links.obstacles = scene.obstacles;
  of_links.bodies.emplace_back();
  of_links.bodies[0].rest = Eigen::Matrix3Xd::Zero(3, links.local.cols());
  return of_links;
}

}  // namespace

LinkContact::LinkContact(const Scene& scene, const LampBody& body, const PenaltyOptions& options)
    : body_(WithoutUnderside(body)), contact_(SceneOf(scene, body_), options) {
  const auto n = body_.local.cols();
  for (Eigen::Matrix3Xd* scratch : {&x_, &x_dot_, &forces_, &working_}) scratch->setZero(3, n);
}

bool LinkContact::IsClear(const LampStepper& stepper, const LampPlacement& placement,
                          const LampVector& q) const {
  for (const LampFloor& floor : stepper.ground()) {
    const bool level = floor.normal.x() == 0.0;
    Vector2d joint = q.head<2>();
    for (int j = 0; j < kLampLinks; ++j) {
      const Vector2d u(placement.sine[j], placement.cosine[j]), r(u.y(), -u.x());
      for (int i = body_.first[j]; i < body_.first[j + 1]; ++i) {
        const Vector2d x = joint + body_.local(0, i) * u + body_.local(1, i) * r;
        if (floor.Gap(x) > 0.0) continue;
        if (!(level && (x.x() < floor.left || x.x() > floor.right))) return false;
      }
      joint += stepper.lamp().link(j).length * u;
    }
  }
  return true;
}

void LinkContact::Place(const Lamp& lamp, const LampVector& q, const LampVector& v) {
  body_.Place(lamp, q, v, x_, x_dot_);
}

void LinkContact::Find(const LampStepper& stepper, const LampPlacement& placement,
                       const LampVector& q, const LampVector& v, Forces* forces) {
  forces->pushes.clear();
  forces->working.clear();
  if (IsClear(stepper, placement, q)) return;
  Place(stepper.lamp(), q, v);
  forces_.setZero();
  working_.setZero();
  Exchange unused;
  contact_.AddForces(kNow, x_, x_dot_, forces_, &unused, &working_);
  for (int j = 0; j < kLampLinks; ++j) {
    for (int i = body_.first[j]; i < body_.first[j + 1]; ++i) {
      // A damper that holds a leaving point back leaves no force, and takes what its spring still has.
      if (forces_.col(i).isZero(0.0) && working_.col(i).isZero(0.0)) continue;
      forces->pushes.push_back({j, body_.local.col(i), forces_.col(i).head<2>()});
      forces->working.push_back({j, body_.local.col(i), working_.col(i).head<2>()});
    }
  }
}

double LinkContact::Update(const LampStepper& stepper, const LampVector& q, const LampVector& v) {
  Place(stepper.lamp(), q, v);
  const double work = contact_.Update(kNow, x_, x_dot_);
  rubs_ = !IsClear(stepper, LampPlacement(q), q);
  return work;
}

double LinkContact::Energy(const LampStepper& stepper, const LampVector& q) {
  if (IsClear(stepper, LampPlacement(q), q)) return 0.0;
  Place(stepper.lamp(), q, LampVector::Zero());
  return contact_.Energy(kNow, x_);
}

void LinkContact::Restore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  contact_.Restore(state);
  rubs_ = true;  // perhaps
}

}  // namespace pliant::articulated_lamp
