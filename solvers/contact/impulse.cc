#include "solvers/contact/impulse.h"

#include <algorithm>
#include <cmath>
#include <utility>

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

Matrix3Xd SolveImpulses(const std::vector<ImpulseTouch>& touches, const ImpulseResponse& response,
                        const Eigen::Ref<const Matrix3Xd>& velocities, double depth_rate) {
  const auto count = static_cast<Eigen::Index>(touches.size());
  Matrix3Xd impulses = Matrix3Xd::Zero(3, count);
  // Of each touch: its island and its place there.
  std::vector<std::pair<size_t, Eigen::Index>> places(touches.size());
  std::vector<VectorXd> relative(response.islands.size());  // velocities, by island
  for (size_t i = 0; i < response.islands.size(); ++i) {
    const std::vector<int>& island = response.islands[i];
    relative[i].resize(3 * static_cast<Eigen::Index>(island.size()));
    for (size_t k = 0; k < island.size(); ++k) {
      places[island[k]] = {i, static_cast<Eigen::Index>(k)};
    }
  }
  std::vector<double> wanted(touches.size());
  double squares = 0.0;
  for (Eigen::Index j = 0; j < count; ++j) {
    const ImpulseTouch& touch = touches[j];
    const auto [i, k] = places[j];
    const Vector3d u = velocities.col(j) - touch.velocity;
    relative[i].segment<3>(3 * k) = u;
    squares += u.squaredNorm();
    const double approach = u.dot(touch.normal);
    wanted[j] = std::max(-touch.restitution * approach, depth_rate * touch.depth);
  }
  const double settled = kSettled * (std::sqrt(squares) + depth_rate);
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double largest = 0.0;
    for (Eigen::Index j = 0; j < count; ++j) {
      const ImpulseTouch& touch = touches[j];
      const Vector3d& n = touch.normal;
      const auto [i, k] = places[j];
      const Eigen::MatrixXd& block = response.blocks[i];
      VectorXd& u = relative[i];
      const Matrix3d own = block.block<3, 3>(3 * k, 3 * k);
      const double along = n.dot(own * n);
      // A point that constraints hold along the normal cannot be pushed.
      const double across = own.cwiseAbs().rowwise().sum().maxCoeff();
      if (!(along > 1e-12 * across)) continue;
      // Along the normal first, then along the surface against what still slides.
      const Vector3d before = impulses.col(j);
      const double pressed = before.dot(n);
      const double normal =
          std::max(0.0, pressed + (wanted[j] - n.dot(u.segment<3>(3 * k))) / along);
      u += block.middleCols<3>(3 * k) * ((normal - pressed) * n);
      const Vector3d at = u.segment<3>(3 * k), sliding = at - at.dot(n) * n;
      Vector3d tangential = before - pressed * n - sliding / across;
      const double cap = touch.friction * normal, length = tangential.norm();
      if (length > cap) tangential *= cap / length;
      const Vector3d change = tangential - (before - pressed * n);
      u += block.middleCols<3>(3 * k) * change;
      impulses.col(j) = normal * n + tangential;
      largest = std::max(largest, across * (change.norm() + std::abs(normal - pressed)));
    }
    if (largest <= settled) break;
  }
  return impulses;
}

}  // namespace pliant
