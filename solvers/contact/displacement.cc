#include "solvers/contact/displacement.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "models/scene/touch.h"

namespace pliant {

using Eigen::Matrix3d;
using Eigen::Vector3d;

void ContactFinder::Find(double time, double step, const PointsInMotion& start,
                         const Eigen::Matrix3Xd& arrived, double margin,
                         std::vector<Contact>* contacts) const {
  // A point at the margin counts.
  const double reach = std::nextafter(margin, std::numeric_limits<double>::infinity());
  for (int o = 0; o < static_cast<int>(scene_->obstacles.size()); ++o) {
    const Obstacle& obstacle = scene_->obstacles[o];
    const Vector3d before = obstacle.motion.At(time).position;
    const PathPoint after = obstacle.motion.At(time + step);
    const Vector3d carried = after.position - before;
    const auto add = [&](const Touch& touch) {
      const int i = touch.point;
      const Proximity& at = touch.at;
      double rebound = 0.0;
      const double approach =
          -at.normal.dot(Vector3d(start.velocities.col(i)) - carried / step);  // > 0: comes
      const double own = step * std::abs(at.normal.dot(start.acceleration(i)));
      if (bounce_ > 0.0 && at.distance < 0.0 && approach > kHitOverRest * own) {
        const double stood =
            SignedDistance(obstacle.shape, before, start.positions.col(i)).distance;
        rebound = std::max(0.0, stood) + bounce_ * step * approach;
      }
      Contact contact;
      contact.point = i;
      contact.obstacle = o;
      contact.normal = at.normal;
      contact.friction = obstacle.friction;
      const Vector3d slip = arrived.col(i) - start.positions.col(i) - carried;
      contact.way = (rebound - at.distance) * at.normal - (slip - slip.dot(at.normal) * at.normal);
      contacts->push_back(contact);
    };
    ForEachTouch(
        obstacle, o, after, static_cast<int>(arrived.cols()), reach,
        [&arrived](int i) -> Vector3d { return arrived.col(i); }, add);
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

void Relax(PointMover& mover, Contact* contact) {
  const Matrix3d mobility = mover.Mobility(contact->where);
  const double largest = contact->friction > 0.0 ? mover.LargestMobility(contact->where) : 0.0;
  const Vector3d impulse =
      ContactImpulse({mobility, largest, contact->normal, contact->friction},
                     contact->goal - mover.Point(contact->where), contact->impulse);
  mover.Push(contact->where, impulse - contact->impulse);
  contact->impulse = impulse;
}

double Violation(const PointMover& mover, const Contact& contact) {
  return std::max(0.0, contact.normal.dot(contact.goal - mover.Point(contact.where)));
}

}  // namespace pliant
