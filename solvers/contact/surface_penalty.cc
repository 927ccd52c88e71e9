#include "solvers/contact/surface_penalty.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

// Rows of an entry.
constexpr int kObstacle = 0, kWeights = 1, kEnd = 4, kNormal = 7, kStored = 10;

}  // namespace

SurfacePenalty::SurfacePenalty(const Scene& scene, const PenaltyOptions& options)
    : obstacles_(scene.obstacles),
      options_(options),
      cells_(scene),
      origins_(scene.obstacles.size()),
      faces_on_(cells_.edges(), 0) {
  const bool rubs = std::any_of(obstacles_.begin(), obstacles_.end(), [](const Obstacle& o) {
    return o.friction > 0.0 && PlaneOf(o.shape) == nullptr;
  });
  if (!rubs) return;
  entries_.setZero(kNumbers, static_cast<Eigen::Index>(cells_.size()) * kAtOnce);
  used_.resize(entries_.cols());
}

void SurfacePenalty::FindAt(double t, const PointsRef& x) {
  if (found_at_.cols() == x.cols() && found_time_ == t && found_at_ == x) return;
  found_at_ = x;
  found_time_ = t;
  places_.clear();
  cells_.Place(x);
  for (int o = 0; o < static_cast<int>(obstacles_.size()); ++o) {
    origins_[o] = obstacles_[o].motion.At(t);
    FindAt(o, x);
  }
}

void SurfacePenalty::FindAt(int o, const PointsRef& x) {
  const Vector3d& origin = origins_[o].position;
  const std::vector<int>& near = cells_.Near(obstacles_[o], origin, 0.0);
  const auto excess = [&](int cell) {
    const PartCorners corners = cells_.CornersOf(cell, x);
    return ExcessOf(obstacles_[o].shape, origin, corners, DepthsOf(o, corners));
  };
  const auto faces = std::lower_bound(near.begin(), near.end(), cells_.edges());
  for (auto c = faces; c != near.end(); ++c) {
    const Excess found = excess(*c);
    if (!(found.value > 0.0)) continue;
    int without = 0;
    if (found.weights.minCoeff(&without) > kOnSide) {
      Take(o, *c, 1.0, found, x);
    } else {
      ++faces_on_[cells_.cells()[*c].sides[without]];
    }
  }
  for (auto c = near.begin(); c != faces; ++c) {
    const int count = 1 - cells_.cells()[*c].faces + faces_on_[*c];
    faces_on_[*c] = 0;
    if (count == 0) continue;
    const Excess found = excess(*c);
    if (found.value > 0.0) Take(o, *c, count, found, x);
  }
}

Vector3d SurfacePenalty::DepthsOf(int o, const PartCorners& corners, Matrix3d* normals) const {
  Vector3d depths = Vector3d::Zero();
  for (Eigen::Index j = 0; j < corners.cols(); ++j) {
    const Proximity at = SignedDistance(obstacles_[o].shape, origins_[o].position, corners.col(j));
    depths[j] = std::max(0.0, -at.distance);
    if (normals != nullptr) normals->col(j) = at.normal;
  }
  return depths;
}

void SurfacePenalty::Take(int o, int cell, double count, const Excess& excess, const PointsRef& x) {
  Place place{o, cell, count, excess, {}, Matrix3d::Zero(), {}, 0.0, 0.0};
  place.depths = DepthsOf(o, cells_.CornersOf(cell, x), &place.normals);
  const double length = excess.normal.norm(), push = length * excess.depth;
  place.normal = excess.normal / length;
  place.added = std::max(0.0, push - place.depths.dot(excess.weights));
  place.share = place.added / push;
  places_.push_back(place);
}

template <typename Visit>
void SurfacePenalty::ForEachCorner(const Place& place, const Vector3d& weights,
                                   const Visit& visit) const {
  const SurfaceCells::Cell& cell = cells_.cells()[place.cell];
  for (int j = 0; j < cell.count; ++j) visit(j, cell.points[j], weights[j]);
}

Vector3d SurfacePenalty::Mean(const Place& place, const Vector3d& weights,
                              const PointsRef& columns) const {
  Vector3d sum = Vector3d::Zero();
  ForEachCorner(place, weights, [&](int, int p, double w) { sum += w * columns.col(p); });
  return sum;
}

double SurfacePenalty::Damper(const Place& place, const Vector3d& u) const {
  return std::max(-options_.stiffness * place.added,
                  -options_.damping * place.share * place.normal.dot(u));
}

int SurfacePenalty::EntryOf(const Place& place) const {
  if (entries_.cols() == 0) return -1;
  for (int e = kAtOnce * place.cell; e < kAtOnce * (place.cell + 1); ++e) {
    if (entries_(kObstacle, e) == 1.0 + place.obstacle) return e;
  }
  return -1;
}

Vector3d SurfacePenalty::Slip(const Place& place, int entry, const PointsRef& x) const {
  const Vector3d delta = Mean(place, entries_.col(entry).segment<3>(kWeights), x) -
                         origins_[place.obstacle].position - entries_.col(entry).segment<3>(kEnd);
  const Vector3d n = entries_.col(entry).segment<3>(kNormal);
  return delta - n.dot(delta) * n;
}

void SurfacePenalty::AddNormal(const Place& place, const PointsRef& x, MutablePointsRef forces,
                               Exchange* rates) const {
  const double k = place.count * options_.stiffness;
  const Vector3d push = place.of.depth * place.of.normal;
  const Vector3d& carried = origins_[place.obstacle].velocity;
  ForEachCorner(place, place.of.weights, [&](int j, int p, double w) {
    const Vector3d force = k * w * (push - place.depths[j] * place.normals.col(j));
    forces.col(p) += force;
    rates->AddContact(x.col(p), force, force.dot(carried), 0.0);
  });
}

void SurfacePenalty::AddWorking(const Place& place, const PointsRef& x, const PointsRef& v,
                                MutablePointsRef forces, Exchange* rates,
                                Eigen::Matrix3Xd* working) const {
  const Vector3d& carried = origins_[place.obstacle].velocity;
  const auto add = [&](const Vector3d& weights, const Vector3d& force, const Vector3d& works,
                       const Vector3d& u) {
    rates->AddContact(Mean(place, weights, x), force, force.dot(carried), works.dot(u));
    ForEachCorner(place, weights, [&](int, int p, double w) {
      forces.col(p) += w * force;
      if (working != nullptr) working->col(p) += w * works;
    });
  };
  const Vector3d u = Mean(place, place.of.weights, v) - carried;
  const double damper = Damper(place, u);
  const Vector3d damping = damper * place.normal;
  add(place.of.weights, damping, damping, u);
  const double friction = obstacles_[place.obstacle].friction;
  if (friction == 0.0) return;
  const int entry = EntryOf(place);
  const Vector3d held =
      entry < 0 ? place.of.weights : Vector3d(entries_.col(entry).segment<3>(kWeights));
  const Vector3d at_held = Mean(place, held, v) - carried;
  Vector3d spring = Vector3d::Zero();
  if (entry >= 0) spring = -options_.tangential_stiffness * Slip(place, entry, x);
  Vector3d tangential = spring - options_.tangential_damping * place.share *
                                     (at_held - place.normal.dot(at_held) * place.normal);
  const double cap = friction * (options_.stiffness * place.added + damper);
  const double length = tangential.norm();
  if (length > cap) tangential *= cap / length;
  add(held, tangential, tangential - spring, at_held);
}

void SurfacePenalty::AddForces(double t, const PointsRef& x, const PointsRef& v,
                               MutablePointsRef forces, Exchange* rates,
                               Eigen::Matrix3Xd* working) {
  FindAt(t, x);
  for (const Place& place : places_) {
    AddNormal(place, x, forces, rates);
    if (place.count > 0.0) AddWorking(place, x, v, forces, rates, working);
  }
}

void SurfacePenalty::TallyForces(double t, const PointsRef& x, const PointsRef& v,
                                 ContactTally* tally) {
  FindAt(t, x);
  Matrix3Xd forces = Matrix3Xd::Zero(3, x.cols());
  Exchange unused;
  for (const Place& place : places_) {
    AddNormal(place, x, forces, &unused);
    if (place.count > 0.0) AddWorking(place, x, v, forces, &unused, nullptr);
    ForEachCorner(place, place.of.weights, [&](int, int p, double) {
      tally->AddObstacleForce(tally->BodyOf(p), place.obstacle, forces.col(p));
      forces.col(p).setZero();
    });
  }
}

double SurfacePenalty::Energy(double t, const PointsRef& x) {
  FindAt(t, x);
  double energy = 0.0;
  for (const Place& place : places_) {
    energy += place.count * options_.stiffness * place.of.value;
    const int entry = place.count > 0.0 ? EntryOf(place) : -1;
    if (entry < 0) continue;
    energy += 0.5 * options_.tangential_stiffness * Slip(place, entry, x).squaredNorm();
  }
  return energy;
}

double SurfacePenalty::Update(double t, const PointsRef& x, const PointsRef& v) {
  if (entries_.cols() == 0) return 0.0;
  FindAt(t, x);
  const auto rubs = [this](const Place& place) {
    return place.count > 0.0 && obstacles_[place.obstacle].friction > 0.0;
  };
  std::fill(used_.begin(), used_.end(), false);
  for (const Place& place : places_) {
    const int entry = rubs(place) ? EntryOf(place) : -1;
    if (entry >= 0) used_[entry] = true;
  }
  double work = 0.0;
  for (Eigen::Index e = 0; e < entries_.cols(); ++e) {  // what has left frees its place
    if (used_[e] || entries_(kObstacle, e) == 0.0) continue;
    work -= entries_(kStored, e);
    entries_.col(e).setZero();
  }
  for (const Place& place : places_) {
    if (!rubs(place)) continue;
    int entry = EntryOf(place);
    Vector3d slip = Vector3d::Zero();
    double before = 0.0;
    if (entry >= 0) {
      slip = Eigen::Quaterniond::FromTwoVectors(entries_.col(entry).segment<3>(kNormal),
                                                place.normal) *
             Slip(place, entry, x);
      before = 0.5 * options_.tangential_stiffness * slip.squaredNorm();
      const Vector3d u = Mean(place, place.of.weights, v) - origins_[place.obstacle].velocity;
      const double cap = obstacles_[place.obstacle].friction *
                         (options_.stiffness * place.added + Damper(place, u));
      const double pull = options_.tangential_stiffness * slip.norm();
      if (pull > cap) slip *= cap / pull;
    } else {
      for (int e = kAtOnce * place.cell; e < kAtOnce * (place.cell + 1) && entry < 0; ++e) {
        if (entries_(kObstacle, e) == 0.0) entry = e;
      }
      if (entry < 0) continue;
    }
    const double after = 0.5 * options_.tangential_stiffness * slip.squaredNorm();
    work += after - before;
    entries_.col(entry) << 1.0 + place.obstacle, place.of.weights,
        Mean(place, place.of.weights, x) - origins_[place.obstacle].position - slip, place.normal,
        after;
  }
  return work;
}

void SurfacePenalty::Save(Eigen::Ref<Eigen::VectorXd> state) const {
  state = Eigen::Map<const Eigen::VectorXd>(entries_.data(), entries_.size());
}

void SurfacePenalty::Restore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  Eigen::Map<Eigen::VectorXd>(entries_.data(), entries_.size()) = state;
}

}  // namespace pliant
