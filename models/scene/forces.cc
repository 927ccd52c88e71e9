#include "models/scene/forces.h"

#include <algorithm>

namespace pliant {
namespace {

using Eigen::Vector3d;

// Below this length the direction of a spring is not defined and a spring with rest length exerts
// no force.
constexpr double kNoDirection = 1e-12;  // m

}  // namespace

std::vector<int> PointsActedOn(const Scene& scene) {
  std::vector<int> points;
  for (const Spring& spring : scene.springs) {
    points.push_back(scene.Index(spring.a));
    if (spring.b) points.push_back(scene.Index(*spring.b));
  }
  for (const TimedForce& force : scene.forces) points.push_back(scene.Index(force.point));
  for (const Impulse& impulse : scene.impulses) points.push_back(scene.Index(impulse.point));
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

std::optional<double> Gravity::Downwards() const {
  const Vector3d& g = acceleration_;
  if (g.x() != 0.0 || g.z() != 0.0 || g.y() > 0.0) return std::nullopt;
  return -g.y();
}

void Gravity::AddForces(const Eigen::VectorXd& masses, MutablePointsRef forces) const {
  forces.noalias() += acceleration_ * masses.transpose();
}

double Gravity::Energy(const Eigen::VectorXd& masses, const PointsRef& x) const {
  return 0.0 - acceleration_.dot(x * masses);  // 0, not −0, without gravity
}

double Gravity::Work(const Eigen::VectorXd& masses, const PointsRef& displacements) const {
  return acceleration_.dot(displacements * masses);
}

SceneForces::SceneForces(const Scene& scene) : gravity_(scene), masses_(scene.Masses()) {
  Resolve(scene, [](int point) { return point; });
}

SceneForces::SceneForces(const Scene& scene, const std::vector<int>& points)
    : gravity_(scene), masses_(scene.Masses()(points)) {
  Resolve(scene, [&points](int point) {
    return static_cast<int>(std::lower_bound(points.begin(), points.end(), point) - points.begin());
  });
}

template <typename Column>
void SceneForces::Resolve(const Scene& scene, const Column& column) {
  const auto at = [&](const PointRef& point) { return column(scene.Index(point)); };
  for (const Spring& spring : scene.springs) {
    springs_.push_back({at(spring.a), spring.b ? at(*spring.b) : -1, spring.anchor,
                        spring.stiffness, spring.damping, spring.rest_length});
  }
  for (const TimedForce& force : scene.forces) {
    timed_.push_back({at(force.point), force.force, force.from, force.until});
  }
  for (const Impulse& impulse : scene.impulses) {
    impulses_.push_back({at(impulse.point), impulse.impulse, impulse.time, impulse.time});
  }
}

void SceneForces::AddSprings(const PointsRef& x, MutablePointsRef forces) const {
  for (const IndexedSpring& s : springs_) {
    const Vector3d d = x.col(s.a) - (s.b >= 0 ? Vector3d(x.col(s.b)) : s.anchor);
    Vector3d force = -s.stiffness * d;
    if (s.rest_length > 0.0) {
      const double length = d.norm();
      if (length < kNoDirection) continue;
      force *= 1.0 - s.rest_length / length;
    }
    forces.col(s.a) += force;
    if (s.b >= 0) forces.col(s.b) -= force;
  }
}

void SceneForces::AddSpringDamping(const PointsRef& x, const PointsRef& v,
                                   MutablePointsRef forces) const {
  for (const IndexedSpring& s : springs_) {
    if (s.damping == 0.0) continue;
    const Vector3d rate = v.col(s.a) - (s.b >= 0 ? Vector3d(v.col(s.b)) : Vector3d::Zero());
    Vector3d force = -s.damping * rate;
    if (s.rest_length > 0.0) {  // along the line only
      const Vector3d d = x.col(s.a) - (s.b >= 0 ? Vector3d(x.col(s.b)) : s.anchor);
      const double squared = d.squaredNorm();
      if (squared < kNoDirection * kNoDirection) continue;
      force = -s.damping * (rate.dot(d) / squared) * d;
    }
    forces.col(s.a) += force;
    if (s.b >= 0) forces.col(s.b) -= force;
  }
}

double SceneForces::SpringEnergy(const PointsRef& x) const {
  double energy = 0.0;
  for (const IndexedSpring& s : springs_) {
    const Vector3d d = x.col(s.a) - (s.b >= 0 ? Vector3d(x.col(s.b)) : s.anchor);
    const double stretch = d.norm() - s.rest_length;
    energy += 0.5 * s.stiffness * stretch * stretch;
  }
  return energy;
}

void SceneForces::AddTimedForces(double time, MutablePointsRef forces) const {
  for (const IndexedForce& force : timed_) {
    if (force.from <= time && time < force.until) forces.col(force.point) += force.value;
  }
}

bool SceneForces::AddImpulses(double begin, double end, MutablePointsRef impulses) const {
  bool any = false;
  for (const IndexedForce& impulse : impulses_) {
    if (begin <= impulse.from && impulse.from < end) {
      impulses.col(impulse.point) += impulse.value;
      any = true;
    }
  }
  return any;
}

}  // namespace pliant
