#include "solvers/articulated_lamp/lamp_body.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "models/problem.h"

namespace pliant::articulated_lamp {
namespace {

using Eigen::Vector2d;

constexpr const char* kFirstMarks[kLampLinks] = {"base", "lower arm", "upper arm", "head"};
constexpr char kTip[] = "tip";
// How far [m] a centre of mass may be beside the axis of its link: data files are rounded.
constexpr double kBesideAxis = 1e-6;

[[noreturn]] void NoLamp(const Body& body, const std::string& why, const std::string& mend = "") {
  throw BadInput({"", "body '" + body.name + "' is not a lamp: " + why, mend});
}

int MarkOf(const Body& body, const std::string& mark) {
  for (const auto& [name, point] : body.marks) {
    if (name == mark) return point;
  }
  NoLamp(body, "no point is marked '" + mark + "'",
         "marks = {base = 0, \"lower arm\" = …, \"upper arm\" = …, head = …, tip = …}");
}

// Clockwise from up.
double AngleOf(const Vector2d& direction) { return std::atan2(direction.x(), direction.y()); }

double Wrapped(double angle) { return std::remainder(angle, 2.0 * std::numbers::pi); }

}  // namespace

LampBody ReadLampBody(const Body& body) {
  LampBody lamp;
  for (int j = 0; j < kLampLinks; ++j) lamp.first[j] = MarkOf(body, kFirstMarks[j]);
  lamp.first[kLampLinks] = body.size();
  const int tip = MarkOf(body, kTip);
  if (lamp.first[0] != 0 || !std::is_sorted(lamp.first.begin(), lamp.first.end()) ||
      std::adjacent_find(lamp.first.begin(), lamp.first.end()) != lamp.first.end()) {
    NoLamp(body, "its points must be listed link by link, from the base outwards");
  }
  if (tip <= lamp.first[3]) NoLamp(body, "its tip is not a point of the head beyond the hinge");

  // The links in their initial positions, without stretch.
  const Eigen::Matrix3Xd x =
      (body.orientation.toRotationMatrix() * body.rest).colwise() + body.position;
  std::array<Vector2d, kLampLinks + 1> hinge;
  for (int j = 0; j < kLampLinks; ++j) hinge[j] = x.col(lamp.first[j]).head<2>();
  hinge[kLampLinks] = x.col(tip).head<2>();
  lamp.local.resize(2, body.size());
  Eigen::Vector4d psi;
  double& half_width = lamp.parameters.half_width;
  half_width = 0.0;
  for (int j = 0; j < kLampLinks; ++j) {
    const std::string name = kFirstMarks[j];
    LampLink& link = lamp.parameters.links[j];
    const Vector2d along = hinge[j + 1] - hinge[j];
    link.length = along.norm();
    if (!(link.length > 0.0)) NoLamp(body, "its " + name + " has no length");
    psi[j] = AngleOf(along);
    const Vector2d u = along / link.length, right(u.y(), -u.x());
    link.mass = 0.0;
    Vector2d moment = Vector2d::Zero();
    double inertia = 0.0;  // about the hinge
    for (int i = lamp.first[j]; i < lamp.first[j + 1]; ++i) {
      const Vector2d arm = x.col(i).head<2>() - hinge[j];
      lamp.local.col(i) << arm.dot(u), arm.dot(right);
      link.mass += body.mass[i];
      moment += body.mass[i] * lamp.local.col(i);
      inertia += body.mass[i] * arm.squaredNorm();
      if (j == 0 && std::abs(lamp.local(0, i)) <= kBesideAxis) {
        half_width = std::max(half_width, std::abs(lamp.local(1, i)));
      }
    }
    const Vector2d centre = moment / link.mass;
    if (!(std::abs(centre.y()) <= kBesideAxis)) {
      NoLamp(body, "the centre of mass of its " + name + " is not on the line between its hinges");
    }
    link.centre = centre.x();
    link.inertia = std::max(0.0, inertia - link.mass * centre.x() * centre.x());
  }
  if (!(half_width > 0.0)) {
    NoLamp(body, "the underside of its base has no point besides the middle");
  }
  lamp.q.head<2>() = hinge[0];
  lamp.q[2] = Wrapped(psi[0]);
  lamp.q[3] = Wrapped(psi[1] - psi[0]);
  lamp.q[4] = Wrapped(psi[2] - psi[1]);
  lamp.q[5] = Wrapped(psi[3] - psi[2] - 0.5 * std::numbers::pi);

  const Vector2d arm = hinge[0] - x.topRows<2>() * body.mass / body.mass.sum();
  const double clockwise = -body.angular_velocity.z();
  lamp.v.head<2>() = body.velocity.head<2>() + clockwise * Vector2d(arm.y(), -arm.x());
  lamp.v[2] = clockwise;
  return lamp;
}

void LampBody::Place(const Lamp& lamp, const LampVector& at, Eigen::Ref<Eigen::Matrix3Xd> x) const {
  const auto links = LinkStates<double>(lamp, at, LampVector::Zero());
  for (int j = 0; j < kLampLinks; ++j) {
    const Vector2d& u = links[j].direction;
    const Vector2d right(u.y(), -u.x());
    for (int i = first[j]; i < first[j + 1]; ++i) {
      x.col(i) << links[j].origin + local(0, i) * u + local(1, i) * right, 0.0;
    }
  }
}

void LampBody::Place(const Lamp& lamp, const LampVector& at, const LampVector& rates,
                     Eigen::Ref<Eigen::Matrix3Xd> x, Eigen::Ref<Eigen::Matrix3Xd> x_dot) const {
  Place(lamp, at, x);
  const auto links = LinkStates<double>(lamp, at, rates);
  for (int j = 0; j < kLampLinks; ++j) {
    for (int i = first[j]; i < first[j + 1]; ++i) {
      const Vector2d arm = x.col(i).head<2>() - links[j].centre;
      x_dot.col(i) << links[j].centre_velocity + links[j].rate * Vector2d(arm.y(), -arm.x()), 0.0;
    }
  }
}

}  // namespace pliant::articulated_lamp
