#include "solvers/finite_elements/obstacle_contact.h"

#include <algorithm>
#include <cmath>

#include "models/scene/touch.h"

namespace pliant::finite_elements {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

ObstacleContact::ObstacleContact(const Scene& scene, const ContactPlaces& places,
                                 const ContactOptions& options)
    : obstacles_(scene.obstacles),
      places_(places),
      options_(options),
      barrier_(options.thickness) {}

double ObstacleContact::Energy(double time, const Matrix3Xd& x) const {
  double energy = 0.0;
  pliant::ForEachTouch(obstacles_, time, x, 0.0, [&](const pliant::Touch& touch) {
    energy += places_.areas[touch.point] * places_.moduli[touch.point] *
              barrier_.Value(touch.at.distance + barrier_.thickness());
  });
  return energy;
}

template <typename Visit>
void ObstacleContact::ForEachTouch(const PointMotion& motion, const Visit& visit) const {
  const double d = barrier_.thickness();
  for (int o = 0; o < static_cast<int>(obstacles_.size()); ++o) {
    const ObstacleShape& shape = obstacles_[o].shape;
    const Vector3d origin0 = obstacles_[o].motion.At(motion.t0).position;
    const Vector3d origin1 = obstacles_[o].motion.At(motion.t1).position;
    for (int place = 0; place < places_.size(); ++place) {
      const Vector3d xi0 = motion.x0.col(place) - origin0, xi1 = motion.x1.col(place) - origin1;
      const double s0 = SignedDistance(shape, Vector3d::Zero(), xi0).distance;
      const double s1 = SignedDistance(shape, Vector3d::Zero(), xi1).distance;
      if (s0 >= 0.0 && s1 >= 0.0) continue;
      const double scale = places_.areas[place] * places_.moduli[place];
      Touch touch{o,
                  place,
                  SignedDistance(shape, Vector3d::Zero(), 0.5 * (xi0 + xi1)).normal,
                  scale * barrier_.DividedDifference(s0 + d, s1 + d),
                  scale * barrier_.DividedSlope(s0 + d, s1 + d),
                  xi1 - xi0,
                  0.0};
      const double square = touch.moved.squaredNorm();
      if (square > 0.0) {
        touch.correction = touch.push * (s1 - s0 - touch.normal.dot(touch.moved)) / square;
      }
      visit(touch);
    }
  }
}

template <typename Visit>
void ObstacleContact::ForEachTouchAt(const PointMotion& motion, double time, const Matrix3Xd& x,
                                     const Visit& visit) const {
  pliant::ForEachTouch(obstacles_, time, x, 0.0, [&](const pliant::Touch& touch) {
    const double scale = places_.areas[touch.point] * places_.moduli[touch.point];
    const double room = touch.at.distance + barrier_.thickness();
    visit(Touch{
        touch.obstacle, touch.point, touch.at.normal, scale * barrier_.Slope(room),
        scale * barrier_.Curvature(room),
        motion.x1.col(touch.point) - motion.x0.col(touch.point) - ShiftOf(touch.obstacle, motion),
        0.0});
  });
}

template <typename Visit>
void ObstacleContact::ForEach(const PointMotion& motion, bool discrete, const Visit& visit) const {
  if (discrete) {
    ForEachTouch(motion, visit);
  } else {
    ForEachTouchAt(motion, motion.t1, motion.x1, visit);
  }
}

Vector3d ObstacleContact::ShiftOf(int obstacle, const PointMotion& motion) const {
  const Path& path = obstacles_[obstacle].motion;
  return path.At(motion.t1).position - path.At(motion.t0).position;
}

void ObstacleContact::AddForces(double time, const Matrix3Xd& x, Matrix3Xd* forces) const {
  ForEachTouchAt({x, x, time, time}, time, x, [&](const Touch& touch) {
    forces->col(touch.place) -= touch.push * touch.normal;
  });
}

void ObstacleContact::AddDiscreteForces(const PointMotion& motion, Matrix3Xd* forces) const {
  ForEachTouch(motion, [&](const Touch& touch) {
    forces->col(touch.place) -= touch.push * touch.normal + touch.correction * touch.moved;
  });
}

Vector3d ObstacleContact::FrictionOn(const Touch& touch, double h) const {
  const double most = obstacles_[touch.obstacle].friction * std::abs(touch.push);
  return FrictionForce(most, touch.normal, touch.moved, options_.FrictionRise(h));
}

void ObstacleContact::AddFriction(const PointMotion& motion, bool discrete,
                                  Matrix3Xd* forces) const {
  ForEach(motion, discrete, [&](const Touch& touch) {
    if (obstacles_[touch.obstacle].friction == 0.0) return;
    forces->col(touch.place) += FrictionOn(touch, motion.t1 - motion.t0);
  });
}

void ObstacleContact::AddRubs(const PointMotion& motion, double time, const Matrix3Xd& x,
                              std::vector<Rub>* rubs) const {
  ForEachTouchAt(motion, time, x, [&](const Touch& touch) {
    const double most = obstacles_[touch.obstacle].friction * std::abs(touch.push);
    if (most == 0.0) return;
    rubs->push_back({{touch.place},
                     1,
                     Eigen::Vector4d::UnitX(),
                     touch.normal,
                     most,
                     ShiftOf(touch.obstacle, motion)});
  });
}

void ObstacleContact::Tally(const PointMotion& motion, bool discrete,
                            const ContactDurations& durations, ContactTally* tally) const {
  const double h = options_.Duration(motion.t1 - motion.t0);
  ForEach(motion, discrete, [&](const Touch& touch) {
    const int body = places_.body[touch.place];
    const Vector3d push = -(touch.push * touch.normal + touch.correction * touch.moved);
    tally->AddObstacleForce(body, touch.obstacle, durations.push * push);
    if (obstacles_[touch.obstacle].friction == 0.0 || durations.friction == 0.0) return;
    tally->AddObstacle(body, touch.obstacle, durations.friction * FrictionOn(touch, h),
                       touch.normal, touch.moved / h);
  });
}

ObstacleContact::Work ObstacleContact::WorkOfObstacles(const PointMotion& motion,
                                                       bool discrete) const {
  Work work;
  ForEach(motion, discrete, [&](const Touch& touch) {
    const Vector3d shift = ShiftOf(touch.obstacle, motion);
    work.push -= (touch.push * touch.normal + touch.correction * touch.moved).dot(shift);
    work.friction += FrictionOn(touch, motion.t1 - motion.t0).dot(shift);
  });
  return work;
}

double ObstacleContact::PushWorkAt(const PointMotion& motion, double time,
                                   const Matrix3Xd& x) const {
  double work = 0.0;
  ForEachTouchAt(motion, time, x, [&](const Touch& touch) {
    work -= touch.push * touch.normal.dot(ShiftOf(touch.obstacle, motion));
  });
  return work;
}

void ObstacleContact::AddTangent(const PointMotion& motion, bool discrete, double factor,
                                 int first_link, ReducedMatrix* matrix) const {
  ForEach(motion, discrete, [&](const Touch& touch) {
    const Matrix3d along = touch.normal * touch.normal.transpose();
    Matrix3d stiffness = (discrete ? 1.0 : factor) * touch.slope * along;
    const double most = obstacles_[touch.obstacle].friction * std::abs(touch.push);
    const double rise = options_.FrictionRise(motion.t1 - motion.t0);
    if (most > 0.0 && rise > 0.0) {
      stiffness += FrictionStiffness(most, touch.normal, touch.moved, rise);
    }
    matrix->AddLink(first_link + touch.place, stiffness);
  });
}

double ObstacleContact::LargestFraction(double time, const Matrix3Xd& x, const Matrix3Xd& y) const {
  const double d = barrier_.thickness();
  double fraction = 1.0;
  for (const Obstacle& obstacle : obstacles_) {
    const Vector3d origin = obstacle.motion.At(time).position;
    for (int place = 0; place < places_.size(); ++place) {
      const Vector3d from = x.col(place) - origin, change = y.col(place) - x.col(place);
      const double length = fraction * change.norm();
      const double room = SignedDistance(obstacle.shape, Vector3d::Zero(), from).distance + d;
      const double least = kRoomLeft * room;
      if (room <= 0.01 * d || room - length >= least) continue;
      // The distance changes by no more than the way: advance by what is left of it.
      double at = 0.0, left = room;
      for (int advance = 0; advance < 50 && at < fraction && left > 1.5 * least; ++advance) {
        at += (left - least) / change.norm();
        left =
            SignedDistance(obstacle.shape, Vector3d::Zero(), from + std::min(at, fraction) * change)
                .distance +
            d;
      }
      fraction = std::min(fraction, at);
    }
  }
  return fraction;
}

}  // namespace pliant::finite_elements
