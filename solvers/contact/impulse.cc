#include "solvers/contact/impulse.h"

#include <algorithm>
#include <cmath>

#include "models/scene/touch.h"

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr int kSweeps = 500;
// Sweeps stop when no velocity changes by more than this fraction of the largest.
constexpr double kSettled = 1e-12;

}  // namespace

std::vector<ImpulseTouch> FindTouches(const std::vector<Obstacle>& obstacles, double time,
                                      const PointsRef& x) {
  std::vector<ImpulseTouch> touches;
  ForEachTouch(obstacles, time, x, 0.0, [&](const Touch& touch) {
    const Obstacle& obstacle = obstacles[touch.obstacle];
    touches.push_back({touch.point, touch.at.normal, touch.velocity, -touch.at.distance,
                       obstacle.restitution, obstacle.friction});
  });
  return touches;
}

Matrix3Xd SolveImpulses(const std::vector<ImpulseTouch>& touches, const Eigen::MatrixXd& response,
                        const Eigen::Ref<const Matrix3Xd>& velocities, double depth_rate) {
  const auto count = static_cast<Eigen::Index>(touches.size());
  Matrix3Xd impulses = Matrix3Xd::Zero(3, count);
  VectorXd u(3 * count);  // relative velocities
  std::vector<double> wanted(touches.size());
  for (Eigen::Index j = 0; j < count; ++j) {
    const ImpulseTouch& touch = touches[j];
    u.segment<3>(3 * j) = velocities.col(j) - touch.velocity;
    const double approach = u.segment<3>(3 * j).dot(touch.normal);
    wanted[j] = std::max(-touch.restitution * approach, depth_rate * touch.depth);
  }
  const double settled = kSettled * (u.norm() + depth_rate);
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double largest = 0.0;
    for (Eigen::Index j = 0; j < count; ++j) {
      const ImpulseTouch& touch = touches[j];
      const Vector3d& n = touch.normal;
      const Matrix3d own = response.block<3, 3>(3 * j, 3 * j);
      const double along = n.dot(own * n);
      // A point that constraints hold along the normal cannot be pushed.
      const double across = own.cwiseAbs().rowwise().sum().maxCoeff();
      if (!(along > 1e-12 * across)) continue;
      // Along the normal first, then along the surface against what still slides.
      const Vector3d before = impulses.col(j);
      const double pressed = before.dot(n);
      const double normal =
          std::max(0.0, pressed + (wanted[j] - n.dot(u.segment<3>(3 * j))) / along);
      u += response.middleCols<3>(3 * j) * ((normal - pressed) * n);
      const Vector3d at = u.segment<3>(3 * j), sliding = at - at.dot(n) * n;
      Vector3d tangential = before - pressed * n - sliding / across;
      const double cap = touch.friction * normal, length = tangential.norm();
      if (length > cap) tangential *= cap / length;
      const Vector3d change = tangential - (before - pressed * n);
      u += response.middleCols<3>(3 * j) * change;
      impulses.col(j) = normal * n + tangential;
      largest = std::max(largest, across * (change.norm() + std::abs(normal - pressed)));
    }
    if (largest <= settled) break;
  }
  return impulses;
}

}  // namespace pliant
