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

// Of each touch of an island those that an impulse on it moves: in a stack few, of a body all.
class MovedTouches {
 public:
  explicit MovedTouches(const Eigen::MatrixXd& block) : block_(block) {
    const Eigen::Index count = block.cols() / 3;
    Eigen::Index entries = 0;
    for (Eigen::Index k = 0; k < count; ++k) {
      std::vector<Eigen::Index>& moved = moved_.emplace_back();
      for (Eigen::Index j = 0; j < count; ++j) {
        if (!block.block<3, 3>(3 * j, 3 * k).isZero(0.0)) moved.push_back(j);
      }
      entries += static_cast<Eigen::Index>(moved.size());
    }
    few_ = 2 * entries < count * count;
  }
  // u += the velocities after an impulse at touch k.
  void Add(Eigen::Index k, const Vector3d& impulse, VectorXd* u) const {
    if (!few_) {
      *u += block_.middleCols<3>(3 * k) * impulse;
      return;
    }
    for (const Eigen::Index j : moved_[k]) {
      u->segment<3>(3 * j) += block_.block<3, 3>(3 * j, 3 * k) * impulse;
    }
  }

 private:
  const Eigen::MatrixXd& block_;
  std::vector<std::vector<Eigen::Index>> moved_;
  bool few_ = false;
};

}  // namespace

std::vector<ImpulseTouch> FindTouches(const std::vector<Obstacle>& obstacles, double time,
                                      const PointsRef& x) {
  std::vector<ImpulseTouch> touches;
  ForEachTouch(obstacles, time, x, 0.0, [&](const Touch& touch) {
    const Obstacle& obstacle = obstacles[touch.obstacle];
    touches.push_back({touch.point, touch.at.normal, touch.velocity, -touch.at.distance,
                       obstacle.restitution, obstacle.friction, -1, touch.obstacle});
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
  std::vector<MovedTouches> moved;
  for (size_t i = 0; i < response.islands.size(); ++i) {
    const std::vector<int>& island = response.islands[i];
    moved.emplace_back(response.blocks[i]);
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
  // Down a stack and up again: the weight and what carries it travel opposite ways.
  const bool to_and_fro = std::any_of(touches.begin(), touches.end(),
                                      [](const ImpulseTouch& touch) { return touch.point < 0; });
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double largest = 0.0;
    const bool back = to_and_fro && sweep % 2 == 1;
    for (Eigen::Index place = 0; place < count; ++place) {
      const Eigen::Index j = back ? count - 1 - place : place;
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
      moved[i].Add(k, (normal - pressed) * n, &u);
      const Vector3d at = u.segment<3>(3 * k), sliding = at - at.dot(n) * n;
      Vector3d tangential = before - pressed * n - sliding / across;
      const double cap = touch.friction * normal, length = tangential.norm();
      if (length > cap) tangential *= cap / length;
      const Vector3d change = tangential - (before - pressed * n);
      moved[i].Add(k, change, &u);
      impulses.col(j) = normal * n + tangential;
      largest = std::max(largest, across * (change.norm() + std::abs(normal - pressed)));
    }
    if (largest <= settled) break;
  }
  return impulses;
}

}  // namespace pliant
