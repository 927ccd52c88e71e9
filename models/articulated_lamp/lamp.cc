#include "models/articulated_lamp/lamp.h"

#include <cmath>
#include <string>

#include "models/problem.h"

namespace pliant::articulated_lamp {
namespace {

void RequirePositive(double value, const std::string& where, const char* what) {
  if (!(value > 0.0) || !std::isfinite(value)) {
    throw BadInput({where, std::string(what) + " must be finite and positive", ""});
  }
}

void RequireOrdered(const AngleLimits& limits, const std::string& where) {
  if (!(limits.lower < limits.upper) || !std::isfinite(limits.lower) ||
      !std::isfinite(limits.upper)) {
    throw BadInput({where, "the lower limit must be below the upper one, both finite",
                    "write them as [lower, upper]"});
  }
}

}  // namespace

LampParameters LampParameters::WithHeadMass(double mass) const {
  LampParameters other = *this;
  LampLink& head = other.links[kLampLinks - 1];
  head.inertia *= mass / head.mass;
  head.mass = mass;
  return other;
}

void LampParameters::Validate() const {
  for (int j = 0; j < kLampLinks; ++j) {
    const std::string link = "links[" + std::to_string(j) + "]";
    RequirePositive(links[j].mass, link + ".mass", "the mass of a link");
    RequirePositive(links[j].length, link + ".length", "the length of a link");
    if (!std::isfinite(links[j].centre)) {
      throw BadInput({link + ".centre", "the centre of mass of a link is not a finite number", ""});
    }
    if (!(links[j].inertia >= 0.0) || !std::isfinite(links[j].inertia)) {
      throw BadInput(
          {link + ".inertia", "the inertia of a link must be finite and not negative", ""});
    }
    if (links[j].inertia == 0.0 && links[j].centre == 0.0 && j == kLampLinks - 1) {
      throw BadInput({link + ".inertia", "a head without inertia cannot resist its hinge",
                      "give it an inertia, or a centre of mass away from the hinge"});
    }
  }
  RequirePositive(half_width, "half_width", "the half width of the base");
  for (int j = 0; j < kLampHinges; ++j) {
    RequireOrdered(hinge_limits[j], "hinge_limits[" + std::to_string(j) + "]");
  }
  RequireOrdered(tilt_limits, "tilt_limits");
}

Lamp::Lamp(const LampParameters& parameters, double gravity)
    : parameters_(parameters), gravity_(gravity), mass_(0.0) {
  parameters.Validate();
  if (!(gravity >= 0.0) || !std::isfinite(gravity)) {
    throw BadInput({"gravity", "gravity must be finite and not negative", ""});
  }
  first_moment_.setZero();
  second_moment_.setZero();
  for (int i = 0; i < kLampLinks; ++i) {
    Eigen::Vector4d lever = Eigen::Vector4d::Zero();  // a_ij
    for (int j = 0; j < i; ++j) lever[j] = link(j).length;
    lever[i] = link(i).centre;
    mass_ += link(i).mass;
    first_moment_ += link(i).mass * lever;
    second_moment_ += link(i).mass * lever * lever.transpose();
    second_moment_(i, i) += link(i).inertia;
  }
  central_moment_ = second_moment_ - first_moment_ * first_moment_.transpose() / mass_;
}

}  // namespace pliant::articulated_lamp
