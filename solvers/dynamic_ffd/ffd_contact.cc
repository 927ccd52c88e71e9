#include "solvers/dynamic_ffd/ffd_contact.h"

#include <algorithm>

namespace pliant::dynamic_ffd {

using Eigen::Vector3d;
using Eigen::VectorXd;

FfdContact::FfdContact(const Scene& scene, const PenaltyOptions& options)
    : law_(scene, options),
      near_(scene.obstacles),
      obstacles_move_(std::any_of(scene.obstacles.begin(), scene.obstacles.end(),
                                  [](const Obstacle& o) { return o.motion.moves(); })) {
  PlaceObstacles(0.0);
}

void FfdContact::PlaceObstacles(double time) {
  time_ = time;
  origins_.clear();
  for (const Obstacle& obstacle : law_.obstacles()) origins_.push_back(obstacle.motion.At(time));
}

void FfdContact::Detect(double time, const std::vector<FfdPart>& parts,
                        const PlacedBodies& bodies) {
  if (obstacles_move_ && time != time_) {
    PlaceObstacles(time);
  } else if (version_ == bodies.version) {
    return;
  }
  version_ = bodies.version;
  touches_.clear();
  for (int b = 0; b < static_cast<int>(parts.size()); ++b) {
    const BodyPoints& points = bodies.points[b];
    if (near_.many()) {
      DetectMany(b, parts[b].first_point, points);
      continue;
    }
    const BodyPoints::Ball ball = points.Bound();
    for (int o = 0; o < static_cast<int>(origins_.size()); ++o) {
      // No point is closer than the distance of the centre minus the radius.
      const Proximity at =
          SignedDistance(law_.obstacles()[o].shape, origins_[o].position, ball.centre);
      if (at.distance < ball.radius + law_.reach()) DetectOne(b, parts[b].first_point, o, points);
    }
  }
}

void FfdContact::DetectOne(int part, int first_point, int obstacle, const BodyPoints& points) {
  const Obstacle& touched = law_.obstacles()[obstacle];
  const PathPoint& origin = origins_[obstacle];
  const Vector3d from_origin = points.translation() - origin.position;
  auto touch = [&](int n, const Vector3d& lever, const Proximity& at) {
    touches_.push_back(
        {{obstacle, first_point + n, at, from_origin + lever, origin.velocity}, part, n, lever});
  };
  if (const Plane* plane = PlaneOf(touched.shape)) {
    // The distance is linear in y: a point need not be rotated before it is known to be inside.
    const Vector3d normal = points.rotation().transpose() * plane->normal;
    const double offset = plane->normal.dot(from_origin);
    for (int n = 0; n < points.count(); ++n) {
      const double distance = offset + normal.dot(points.Local(n));
      if (distance < law_.reach()) touch(n, points.Lever(n), {distance, plane->normal});
    }
    return;
  }
  Vector3d lever;
  ForEachTouch(
      touched, obstacle, origin, points.count(), law_.reach(),
      [&](int n) -> Vector3d {
        lever = points.Lever(n);
        return points.translation() + lever;
      },
      [&](const Touch& found) { touch(found.point, lever, found.at); });
}

void FfdContact::DetectMany(int part, int first_point, const BodyPoints& points) {
  const auto& pairs = near_.Find(origins_, points.count(), law_.reach(), [&](int n) -> Vector3d {
    return points.translation() + points.Lever(n);
  });
  auto pair = pairs.begin();
  for (int o = 0; o < static_cast<int>(origins_.size()); ++o) {
    const ObstacleShape& shape = law_.obstacles()[o].shape;
    if (PlaneOf(shape) != nullptr) {
      DetectOne(part, first_point, o, points);
      continue;
    }
    const Vector3d from_origin = points.translation() - origins_[o].position;
    for (; pair != pairs.end() && (*pair)[0] == o; ++pair) {
      const int n = (*pair)[1];
      const Vector3d lever = points.Lever(n);
      const Proximity at =
          SignedDistance(shape, origins_[o].position, points.translation() + lever);
      if (at.distance >= law_.reach()) continue;
      touches_.push_back(
          {{o, first_point + n, at, from_origin + lever, origins_[o].velocity}, part, n, lever});
    }
  }
}

void FfdContact::AddForces(double time, const std::vector<FfdPart>& parts,
                           const PlacedBodies& bodies, const VectorXd& v, VectorXd* Q,
                           Exchange* rates) {
  Detect(time, parts, bodies);
  for (PartTouch& t : touches_) {
    const FfdPart& part = parts[t.part];
    const BodyPoints& points = bodies.points[t.part];
    const auto v_part = v.segment(part.first_v, part.body.velocities());
    const Vector3d velocity = points.Velocity(t.local, t.lever, v_part);
    const PenaltyContact::Answer answer = law_.Force(t.touch, velocity);
    t.working = answer.working;
    rates->AddContact(points.translation() + t.lever, answer.force, answer.active, answer.passive);
    points.AddForce(t.local, t.lever, answer.force,
                    Q->segment(part.first_v, part.body.velocities()));
  }
}

double FfdContact::PowerAt(const std::vector<FfdPart>& parts, const PlacedBodies& bodies,
                           const VectorXd& other) const {
  double power = 0.0;
  for (const PartTouch& t : touches_) {
    const FfdPart& part = parts[t.part];
    const auto other_part = other.segment(part.first_v, part.body.velocities());
    power += t.working.dot(bodies.points[t.part].Velocity(t.local, t.lever, other_part));
  }
  return power;
}

double FfdContact::Update(double time, const std::vector<FfdPart>& parts,
                          const PlacedBodies& bodies, const VectorXd& v) {
  Detect(time, parts, bodies);
  if (touches_.empty() && entered_.empty()) return 0.0;
  double work = 0.0;
  // Both lists are in the same order: those of the old one that are not in the new one have left.
  auto now = touches_.begin();
  for (const Entered& old : entered_) {
    while (now != touches_.end() && Place(*now) < Place(old)) ++now;
    if (now != touches_.end() && !(Place(old) < Place(*now))) continue;
    work += law_.Leave(old.obstacle, old.point);
  }
  entered_.clear();
  for (const PartTouch& t : touches_) {
    const FfdPart& part = parts[t.part];
    const auto v_part = v.segment(part.first_v, part.body.velocities());
    work += law_.UpdateEntry(t.touch, bodies.points[t.part].Velocity(t.local, t.lever, v_part));
    entered_.push_back({t.part, t.touch.obstacle, t.touch.point});
  }
  return work;
}

void FfdContact::Restore(const Eigen::Ref<const VectorXd>& state,
                         const std::vector<FfdPart>& parts) {
  law_.Restore(state);
  entered_.clear();
  for (int b = 0; b < static_cast<int>(parts.size()); ++b) {
    const int first = parts[b].first_point, end = first + parts[b].body.points();
    law_.ForEachEntry([&](int obstacle, int point) {
      if (point >= first && point < end) entered_.push_back({b, obstacle, point});
    });
  }
}

}  // namespace pliant::dynamic_ffd
