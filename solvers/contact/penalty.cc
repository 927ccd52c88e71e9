#include "solvers/contact/penalty.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

using Eigen::Vector3d;

// exp(−37) is below the rounding of 1.
constexpr double kBarrierReach = 37.0;

}  // namespace

void PenaltyOptions::Bind(ParameterBinder& binder) {
  const auto is_penalty = [this](const Scene&) { return law == ContactLaw::kPenalty; };
  binder.OnlyWhen("the scene has obstacles", HasObstacles, [&] {
    binder.OnlyWhen("contact = penalty", is_penalty, [&] {
      binder.Real("contact_stiffness", &stiffness, "N/m", AtLeast(0.0),
                  "penalty stiffness of a contact point, along the normal");
      binder.Real("contact_damping", &damping, "N s/m", AtLeast(0.0),
                  "penalty damping of a contact point, along the normal");
    });
  });
  binder.OnlyWhen("an obstacle has friction", HasFriction, [&] {
    binder.Real("contact_tangential_stiffness", &tangential_stiffness, "N/m", AtLeast(0.0),
                "stiffness of the spring to the entry point, along the surface");
    binder.Real("contact_tangential_damping", &tangential_damping, "N s/m", AtLeast(0.0),
                "damping of a contact point, along the surface");
  });
}

void PenaltyOptions::BindBarrier(ParameterBinder& binder) {
  binder.OnlyWhen("the scene has obstacles", HasObstacles, [&] {
    binder.Choice("contact", &law,
                  {{"penalty", ContactLaw::kPenalty}, {"barrier", ContactLaw::kBarrier}},
                  "contact law along the normal: a spring and damper inside the obstacle, or the "
                  "potential c exp(−distance/ε) everywhere");
    const auto is_barrier = [this](const Scene&) { return law == ContactLaw::kBarrier; };
    binder.OnlyWhen("contact = barrier", is_barrier, [&] {
      binder.Real("barrier_energy", &barrier_energy, "J", MoreThan(0.0),
                  "c of the barrier: energy of a point on the surface");
      binder.Real("barrier_length", &barrier_length, "m", MoreThan(0.0),
                  "ε of the barrier: distance over which its energy falls to 37 %");
    });
  });
}

bool HasObstacles(const Scene& scene) { return !scene.obstacles.empty(); }

bool HasFriction(const Scene& scene) {
  return std::any_of(scene.obstacles.begin(), scene.obstacles.end(),
                     [](const Obstacle& obstacle) { return obstacle.friction > 0.0; });
}

double PenaltyOptions::normal_stiffness() const {
  return law == ContactLaw::kPenalty ? stiffness
                                     : barrier_energy / (barrier_length * barrier_length);
}

PenaltyContact::PenaltyContact(const Scene& scene, const PenaltyOptions& options)
    : obstacles_(scene.obstacles),
      options_(options),
      reach_(options.law == ContactLaw::kPenalty ? 0.0 : kBarrierReach * options.barrier_length),
      points_(scene.PointCount()),
      entries_(
          Eigen::Matrix4Xd::Zero(4, points_ * static_cast<Eigen::Index>(scene.obstacles.size()))) {}

double PenaltyContact::NormalForce(const Touch& touch, const Vector3d& relative) const {
  if (options_.law == ContactLaw::kBarrier) {
    const double epsilon = options_.barrier_length;
    return options_.barrier_energy / epsilon * std::exp(-touch.at.distance / epsilon);
  }
  return std::max(0.0, -options_.stiffness * touch.at.distance -
                           options_.damping * touch.at.normal.dot(relative));
}

Vector3d PenaltyContact::Slip(const Touch& touch) const {
  const Vector3d d = touch.offset - entries_.col(Index(touch.obstacle, touch.point)).head<3>();
  return d - touch.at.normal.dot(d) * touch.at.normal;
}

PenaltyContact::Answer PenaltyContact::Force(const Touch& touch, const Vector3d& v) const {
  const Vector3d& n = touch.at.normal;
  const Vector3d u = v - touch.velocity;
  const double normal_force = NormalForce(touch, u);
  Vector3d tangential = -options_.tangential_damping * (u - n.dot(u) * n);
  if (HasEntry(touch.obstacle, touch.point)) {
    tangential -= options_.tangential_stiffness * Slip(touch);
  }
  const double cap = obstacles_[touch.obstacle].friction * normal_force;
  const double squared = tangential.squaredNorm();
  if (squared > cap * cap) tangential *= cap / std::sqrt(squared);
  const Vector3d force = normal_force * n + tangential;
  if (options_.law == ContactLaw::kPenalty) return {force, force.dot(v), force};
  // f·v less −V̇ = f_n n·u.
  return {force, tangential.dot(v) + normal_force * n.dot(touch.velocity), tangential};
}

void PenaltyContact::UpdateEntry(const Touch& touch, const Vector3d& v) {
  auto entry = entries_.col(Index(touch.obstacle, touch.point));
  if (entry[3] == 0.0) {
    entry << touch.offset, 1.0;
    return;
  }
  // Drag the entry point until its spring alone is within the cone.
  const double cap = obstacles_[touch.obstacle].friction * NormalForce(touch, v - touch.velocity);
  const Vector3d slip = Slip(touch);
  const double pull = options_.tangential_stiffness * slip.norm();
  if (pull > cap) entry.head<3>() += (1.0 - cap / pull) * slip;
}

double PenaltyContact::AddForces(double time, const PointsRef& x, const PointsRef& v,
                                 MutablePointsRef forces) const {
  double power = 0.0;
  ForEachTouch(obstacles_, time, x, reach_, [&](const Touch& touch) {
    const Answer answer = Force(touch, v.col(touch.point));
    forces.col(touch.point) += answer.force;
    power += answer.power;
  });
  return power;
}

void PenaltyContact::Update(double time, const PointsRef& x, const PointsRef& v) {
  for (int o = 0; o < static_cast<int>(obstacles_.size()); ++o) {
    int next = 0;  // the first point not yet dealt with
    const auto forget_before = [&](int point) {
      for (; next < point; ++next) Forget(o, next);
    };
    ForEachTouch(
        obstacles_[o], o, obstacles_[o].motion.At(time), points_, reach_,
        [&x](int i) -> Vector3d { return x.col(i); },
        [&](const Touch& touch) {
          forget_before(touch.point);
          UpdateEntry(touch, v.col(touch.point));
          next = touch.point + 1;
        });
    forget_before(points_);
  }
}

double PenaltyContact::Energy(double time, const PointsRef& x) const {
  double energy = 0.0;
  if (options_.law == ContactLaw::kPenalty) return energy;
  ForEachTouch(obstacles_, time, x, reach_, [&](const Touch& touch) {
    energy += options_.barrier_energy * std::exp(-touch.at.distance / options_.barrier_length);
  });
  return energy;
}

void PenaltyContact::Save(Eigen::Ref<Eigen::VectorXd> state) const {
  state = Eigen::Map<const Eigen::VectorXd>(entries_.data(), entries_.size());
}

void PenaltyContact::Restore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  Eigen::Map<Eigen::VectorXd>(entries_.data(), entries_.size()) = state;
}

}  // namespace pliant
