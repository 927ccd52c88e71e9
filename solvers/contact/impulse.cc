#include "solvers/contact/impulse.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/scene/touch.h"
#include "solvers/contact/impulse_newton.h"

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr int kSweepsFirst = 20;  // before the other method
constexpr int kSweeps =
    500;  // where an island has more than kMostUnknowns, and that would take longer
constexpr int kMostUnknowns = 900;
// Fractions of the velocities: what the methods aim at, and what has converged where more was not to be had. Many touches
// of one body that want velocities which differ a little have no impulses that would give each its own. Where touches still
// approach each other by the last, no velocities meet all laws.
constexpr double kSettled = 1e-12, kAccepted = 1e-4, kYields = 3e-2;

class Island {
 public:
  explicit Island(const Eigen::MatrixXd& response) : response_(response) {}

  // Touches in the order of the response; u₀ relative to the obstacle.
  void Add(const ImpulseTouch& touch, double least, const Vector3d& before) {
    const auto at = 3 * static_cast<Eigen::Index>(touches_.size());
    const Matrix3d own = response_.block<3, 3>(at, at);
    const double along = touch.normal.dot(own * touch.normal);
    const double across = own.cwiseAbs().rowwise().sum().maxCoeff();
    // A point that constraints hold along the normal cannot be pushed.
    const bool held = !(along > 1e-12 * across);
    touches_.push_back({touch.normal, least, touch.friction, along, across, held});
    before_.push_back(before);
  }
  void Start() {
    velocities_ = Eigen::Map<const VectorXd>(before_.front().data(), response_.cols());
    impulses_ = VectorXd::Zero(response_.cols());
    FindMoved();
  }
  Vector3d Impulse(Eigen::Index k) const { return impulses_.segment<3>(3 * k); }

  // Until no velocity is off by more than `settled`; true if none is by more than the fraction kAccepted of `size`.
  // `to_and_fro`: down a stack and up again, as the weight and what carries it travel opposite ways.
  bool Solve(double settled, double size, bool to_and_fro) {
    const bool large = response_.cols() > kMostUnknowns;
    if (Sweep(large ? kSweeps : kSweepsFirst, settled, to_and_fro)) return true;
    const VectorXd before = Eigen::Map<const VectorXd>(before_.front().data(), response_.cols());
    const double accepted = std::max(kAccepted * size, settled);
    if (large) {
      velocities_ = before + response_ * impulses_;  // without the roundings of all sweeps
      return ImpulseResidual(touches_, impulses_, velocities_) <= accepted;
    }
    ImpulseNewton method(touches_, response_, before);
    const double residual = method.Solve(settled, &impulses_);
    velocities_ = before + response_ * impulses_;
    if (Approach() > kYields * size) impulses_ = method.Yield();
    return residual <= accepted;
  }

 private:
  // The largest velocity that lacks along a normal.
  double Approach() const {
    double largest = 0.0;
    for (size_t k = 0; k < touches_.size(); ++k) {
      const IslandTouch& touch = touches_[k];
      if (touch.held) continue;
      const auto at = 3 * static_cast<Eigen::Index>(k);
      largest = std::max(largest, touch.wanted - touch.normal.dot(velocities_.segment<3>(at)));
    }
    return largest;
  }
  // True as soon as a sweep changes no velocity by more than `settled`.
  bool Sweep(int sweeps, double settled, bool to_and_fro) {
    const auto count = static_cast<Eigen::Index>(touches_.size());
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      const bool back = to_and_fro && sweep % 2 == 1;
      change_ = 0.0;
      for (Eigen::Index place = 0; place < count; ++place) Push(back ? count - 1 - place : place);
      if (change_ <= settled) return true;
    }
    return false;
  }
  // Along the normal first, then along the surface against what still slides.
  void Push(Eigen::Index k) {
    const IslandTouch& touch = touches_[static_cast<size_t>(k)];
    if (touch.held) return;
    const Vector3d& n = touch.normal;
    const Vector3d before = impulses_.segment<3>(3 * k);
    const double pressed = before.dot(n);
    const double normal = std::max(
        0.0, pressed + (touch.wanted - n.dot(velocities_.segment<3>(3 * k))) / touch.along);
    Move(k, (normal - pressed) * n);
    const Vector3d at = velocities_.segment<3>(3 * k), sliding = at - at.dot(n) * n;
    Vector3d tangential = before - pressed * n - sliding / touch.across;
    const double cap = touch.friction * normal, length = tangential.norm();
    if (length > cap) tangential *= cap / length;
    const Vector3d change = tangential - (before - pressed * n);
    Move(k, change);
    impulses_.segment<3>(3 * k) = normal * n + tangential;
    change_ = std::max(change_, touch.across * (change.norm() + std::abs(normal - pressed)));
  }
  // Of each touch those that an impulse on it moves: in a stack few, of a body all.
  void FindMoved() {
    const Eigen::Index count = response_.cols() / 3;
    Eigen::Index entries = 0;
    for (Eigen::Index k = 0; k < count; ++k) {
      std::vector<Eigen::Index>& moved = moved_.emplace_back();
      for (Eigen::Index j = 0; j < count; ++j) {
        if (!response_.block<3, 3>(3 * j, 3 * k).isZero(0.0)) moved.push_back(j);
      }
      entries += static_cast<Eigen::Index>(moved.size());
    }
    few_ = 2 * entries < count * count;
  }
  // The velocities after an impulse at touch k.
  void Move(Eigen::Index k, const Vector3d& impulse) {
    if (!few_) {
      velocities_ += response_.middleCols<3>(3 * k) * impulse;
      return;
    }
    for (const Eigen::Index j : moved_[static_cast<size_t>(k)]) {
      velocities_.segment<3>(3 * j) += response_.block<3, 3>(3 * j, 3 * k) * impulse;
    }
  }

  const Eigen::MatrixXd& response_;
  std::vector<IslandTouch> touches_;
  std::vector<Vector3d> before_;  // u₀
  VectorXd velocities_, impulses_;
  std::vector<std::vector<Eigen::Index>> moved_;
  bool few_ = false;
  double change_ = 0.0;
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

SolvedImpulses SolveImpulses(const std::vector<ImpulseTouch>& touches,
                             const ImpulseResponse& response,
                             const Eigen::Ref<const Matrix3Xd>& velocities, const VectorXd& least,
                             double negligible) {
  std::vector<Island> islands;
  // Of each touch: its island and its place there.
  std::vector<std::pair<size_t, Eigen::Index>> places(touches.size());
  double squares = least.squaredNorm();
  for (size_t i = 0; i < response.islands.size(); ++i) {
    const std::vector<int>& numbers = response.islands[i];
    Island& island = islands.emplace_back(response.blocks[i]);
    for (size_t k = 0; k < numbers.size(); ++k) {
      const int j = numbers[k];
      places[j] = {i, static_cast<Eigen::Index>(k)};
      const Vector3d u = velocities.col(j) - touches[j].velocity;
      island.Add(touches[j], least[j], u);
      squares += u.squaredNorm();
    }
    island.Start();
  }
  const double size = std::sqrt(squares), settled = std::max(kSettled * size, negligible);
  const bool to_and_fro = std::any_of(touches.begin(), touches.end(),
                                      [](const ImpulseTouch& touch) { return touch.point < 0; });
  bool converged = true;
  for (Island& island : islands) {
    converged = island.Solve(settled, size, to_and_fro) && converged;
  }
  SolvedImpulses solved{Matrix3Xd(3, velocities.cols()), converged};
  for (size_t j = 0; j < touches.size(); ++j) {
    const auto [i, k] = places[j];
    solved.at.col(static_cast<Eigen::Index>(j)) = islands[i].Impulse(k);
  }
  return solved;
}

}  // namespace pliant
