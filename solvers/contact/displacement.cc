#include "solvers/contact/displacement.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "models/scene/touch.h"

namespace pliant {

using Eigen::Matrix3d;
using Eigen::Vector3d;

ContactFinder::ContactFinder(std::shared_ptr<const Scene> scene, double bounce, ObstaclesMeet meet,
                             const std::vector<bool>& rigid)
    : scene_(std::move(scene)), bounce_(bounce) {
  for (size_t b = 0; b < rigid.size(); ++b) {
    rigid_.insert(rigid_.end(), scene_->bodies[b].size(), rigid[b]);
    any_rigid_ = any_rigid_ || rigid[b];
  }
  if (meet == ObstaclesMeet::kSurface && !scene_->obstacles.empty()) {
    cells_ = std::make_unique<SurfaceCells>(*scene_);
  }
}

Contact ContactFinder::Meet(const Approach& approach, const WeightedPoint& at,
                            const Vector3d& normal, double distance, const PointsInMotion& start,
                            const Eigen::Matrix3Xd& arrived) const {
  const auto& [obstacle, number, before, carried, step, rounding] = approach;
  Vector3d acceleration = Vector3d::Zero();
  for (int i = 0; i < at.count; ++i) {
    acceleration += at.weight[i] * start.acceleration(at.point[i]);
  }
  const bool hits = distance < 0.0, rigid = rigid_[at.point[0]];
  double rebound = 0.0, change = 0.0;
  const double coming =
      -normal.dot(Vector3d(At(at, start.velocities)) - carried / step);  // > 0: comes
  const double own = step * std::abs(normal.dot(acceleration));
  if (coming > kHitOverRest * own) {
    if (bounce_ > 0.0 && (hits || rigid)) {
      const double stood = SignedDistance(obstacle.shape, before, At(at, start.positions)).distance;
      rebound = std::max(0.0, stood) + bounce_ * step * coming;
    }
    change = (1.0 + bounce_) * coming;
  }
  Contact contact;
  contact.point = at.point[0];
  contact.obstacle = number;
  contact.at = at;
  contact.normal = normal;
  contact.friction = obstacle.friction;
  const Vector3d slip = At(at, arrived) - At(at, start.positions) - carried;
  if (rigid) {
    contact.accuracy = AccuracyOf(step, acceleration.norm(), change, rounding);
    contact.rebound = hits ? 0.0 : rebound;
  }
  contact.way = ((hits ? rebound : 0.0) - distance) * normal - (slip - slip.dot(normal) * normal);
  return contact;
}

double ContactFinder::Rounding(const Eigen::Matrix3Xd& arrived) const {
  return any_rigid_ && !scene_->obstacles.empty() ? RoundingOf(arrived) : 0.0;
}

void ContactFinder::Find(double time, double step, const PointsInMotion& start,
                         const Eigen::Matrix3Xd& arrived, double margin,
                         std::vector<Contact>* contacts) const {
  // A point at the margin counts.
  const double reach = std::nextafter(margin, std::numeric_limits<double>::infinity());
  const double rounding = Rounding(arrived);
  for (int o = 0; o < static_cast<int>(scene_->obstacles.size()); ++o) {
    const Obstacle& obstacle = scene_->obstacles[o];
    const Vector3d before = obstacle.motion.At(time).position;
    const PathPoint after = obstacle.motion.At(time + step);
    const Approach approach{obstacle, o, before, after.position - before, step, rounding};
    ForEachTouch(
        obstacle, o, after, static_cast<int>(arrived.cols()), reach,
        [&arrived](int i) -> Vector3d { return arrived.col(i); },
        [&](const Touch& touch) {
          contacts->push_back(Meet(approach, WeightedPoint::Of(touch.point), touch.at.normal,
                                   touch.at.distance, start, arrived));
        });
  }
}

void ContactFinder::FindPlaces(double time, double step, const PointsInMotion& start,
                               const Eigen::Matrix3Xd& arrived, double margin,
                               std::vector<Contact>* contacts) {
  if (!cells_) return;
  cells_->Place(arrived);
  const double reach = std::nextafter(margin, std::numeric_limits<double>::infinity());
  const double rounding = Rounding(arrived);
  for (int o = 0; o < static_cast<int>(scene_->obstacles.size()); ++o) {
    const Obstacle& obstacle = scene_->obstacles[o];
    const Vector3d before = obstacle.motion.At(time).position;
    const Vector3d after = obstacle.motion.At(time + step).position;
    places_.clear();
    cells_->Find(obstacle, o, after, arrived, reach, &places_);
    for (const SurfacePlace& place : places_) {
      contacts->push_back(Meet({obstacle, o, before, after - before, step, rounding}, place.at,
                               place.normal, place.distance, start, arrived));
    }
  }
}

Vector3d ContactImpulse(const PressedPair& pair, const Vector3d& way, const Vector3d& old) {
  const Vector3d& n = pair.normal;
  // Sticking: the impulse that leads all the way to the goal, if Coulomb allows it.
  if (pair.friction > 0.0) {
    const Vector3d stick = old + pair.mobility.inverse() * way;
    const double pressing = n.dot(stick);
    if ((stick - pressing * n).norm() <= pair.friction * pressing) return stick;
  }
  // Sliding, or leaving: out of the obstacle along the normal, back across it as far as Coulomb
  // allows.
  const double pressed = n.dot(old);
  const double pressing = std::max(0.0, pressed + n.dot(way) / n.dot(pair.mobility * n));
  Vector3d across = Vector3d::Zero();
  if (pair.friction > 0.0) {
    const Vector3d back = way - way.dot(n) * n;
    across = old - pressed * n + back / pair.largest_mobility;
    const double cap = pair.friction * pressing, size = across.norm();
    if (size > cap) across *= cap / size;
  }
  return pressing * n + across;
}

void AddImpulse(const Contact& contact, Eigen::Matrix3Xd* impulses) {
  for (int i = 0; i < contact.at.count; ++i) {
    impulses->col(contact.at.point[i]) += contact.at.weight[i] * contact.impulse;
  }
}

namespace {

// W of a contact, and its impulse after one more correction.
struct Correction {
  Matrix3d mobility;
  Vector3d impulse;
};

Correction NextOf(const PointMover& mover, const Contact& contact) {
  const Matrix3d mobility = mover.Mobility(contact.where);
  const double largest = contact.friction > 0.0 ? mover.LargestMobility(contact.where) : 0.0;
  return {mobility, ContactImpulse({mobility, largest, contact.normal, contact.friction},
                                   contact.goal - mover.Point(contact.where), contact.impulse)};
}

}  // namespace

void Relax(PointMover& mover, Contact* contact) {
  if (contact->rebound > 0.0 && Violation(mover, *contact) > 0.0) {
    contact->goal += contact->rebound * contact->normal;
    contact->rebound = 0.0;
  }
  const Vector3d impulse = NextOf(mover, *contact).impulse;
  mover.Push(contact->where, impulse - contact->impulse);
  contact->impulse = impulse;
}

double Violation(const PointMover& mover, const Contact& contact) {
  return std::max(0.0, contact.normal.dot(contact.goal - mover.Point(contact.where)));
}

bool IsResolved(const PointMover& mover, const Contact& contact) {
  if (contact.accuracy == 0.0) return true;
  const auto [mobility, impulse] = NextOf(mover, contact);
  return (mobility * (impulse - contact.impulse)).norm() <= contact.accuracy;
}

}  // namespace pliant
