#include "solvers/finite_elements/cell_contact.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>

#include "models/contact/clearance.h"
#include "models/contact/passing.h"
#include "models/contact/supports.h"
#include "models/problem.h"
#include "models/scene/number_text.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

constexpr double kRoomTolerance = 0.05;  // of the room left, as a part of the room
// A way below this part of a cell has no correction: it is of third order, and rounding there.
constexpr double kLeastWay = 1e-7;

std::array<int, 2> Ascending(int i, int j) { return {std::min(i, j), std::max(i, j)}; }

}  // namespace

CellContact::CellContact(const Scene& scene, const ContactPlaces& places,
                         const ContactOptions& options)
    : places_(places), options_(options), barrier_(options.thickness), energy_(barrier_) {
  if (options.obstacles == ObstaclesMeet::kPoints || places.size() == 0) return;
  for (const Obstacle& obstacle : scene.obstacles) {
    if (PlaneOf(obstacle.shape) != nullptr) continue;
    const double half = HalfThickness(obstacle.shape);
    if (options.thickness >= half) {
      throw BadInput({"contact_thickness",
                      ThreeDigits(options.thickness) +
                          " m is not less than half of the thickness of obstacle '" +
                          obstacle.name + "', " + ThreeDigits(half) +
                          " m: what meets it would end beyond its middle",
                      "reduce contact_thickness below that"});
    }
    numbers_.push_back(static_cast<int>(&obstacle - scene.obstacles.data()));
    obstacles_.push_back(obstacle);
  }
  if (!obstacles_.empty()) MakeCells();
}

void CellContact::MakeCells() {
  std::set<std::array<int, 2>> sides;
  if (!places_.planar) {
    for (const auto& [a, b, c] : places_.faces) {
      cells_.push_back({{a, b, c}, 3, 0.0});
      sides.insert({Ascending(a, b), Ascending(b, c), Ascending(c, a)});
    }
  }
  for (const auto& [a, b] : places_.edges) {
    if (!sides.contains(Ascending(a, b))) cells_.push_back({{a, b, b}, 2, 0.0});
  }
  Eigen::VectorXd cells_at = Eigen::VectorXd::Zero(places_.size());
  for (const Cell& cell : cells_) {
    for (int j = 0; j < cell.count; ++j) cells_at[cell.corners[j]] += 1.0;
  }
  for (Cell& cell : cells_) {
    double share = std::numeric_limits<double>::infinity();
    for (int j = 0; j < cell.count; ++j) {
      const int place = cell.corners[j];
      share = std::min(share, places_.areas[place] / cells_at[place]);
    }
    cell.scale = share * places_.moduli[cell.corners[0]];
  }
}

Vector3d CellContact::OriginOf(int obstacle, double time) const {
  return obstacles_[obstacle].motion.At(time).position;
}

Vector3d CellContact::ShiftOf(int obstacle, const PointMotion& motion) const {
  return OriginOf(obstacle, motion.t1) - OriginOf(obstacle, motion.t0);
}

PartCorners CellContact::CornersOf(const Cell& cell, const Matrix3Xd& x,
                                   const Vector3d& origin) const {
  PartCorners corners(3, cell.count);
  for (int j = 0; j < cell.count; ++j) corners.col(j) = x.col(cell.corners[j]) - origin;
  return corners;
}

Bounds CellContact::BoxOf(const Cell& cell, const Matrix3Xd& x) const {
  Bounds box = Bounds::Empty();
  for (int j = 0; j < cell.count; ++j) box.Take(Vector3d(x.col(cell.corners[j])));
  return box;
}

Bounds CellContact::BoxOf(int obstacle, double time, double room) const {
  const Eigen::AlignedBox3d box = BoundsOf(obstacles_[obstacle].shape).box;
  const Vector3d origin = OriginOf(obstacle, time);
  Bounds bounds{box.min() + origin, box.max() + origin};
  bounds.Widen(room + 1e-9 * (1.0 + box.diagonal().norm() + origin.norm()));
  return bounds;
}

void CellContact::Find(const Matrix3Xd& x0, const Matrix3Xd& x1) {
  for (int o = 0; o < static_cast<int>(obstacles_.size()); ++o) {
    // A thickness more, so that iterations find few cells that are new.
    Bounds around = BoxOf(o, t0_, barrier_.thickness());
    around.Take(BoxOf(o, t1_, barrier_.thickness()));
    for (int c = 0; c < static_cast<int>(cells_.size()); ++c) {
      Bounds box = BoxOf(cells_[c], x0);
      box.Take(BoxOf(cells_[c], x1));
      if (box.Overlaps(around)) near_.push_back({o, c});
    }
  }
}

void CellContact::Begin(const PointMotion& motion) {
  near_.clear();
  if (empty()) return;
  t0_ = motion.t0;
  t1_ = motion.t1;
  Find(motion.x0, motion.x1);
}

bool CellContact::Include(const Matrix3Xd& x) {
  if (empty()) return false;
  std::vector<Near> known = std::move(near_);
  near_.clear();
  Find(x, x);
  std::vector<Near> all;
  std::set_union(known.begin(), known.end(), near_.begin(), near_.end(), std::back_inserter(all));
  near_ = std::move(all);
  return near_.size() > known.size();
}

std::vector<NodeCombination> CellContact::Links() const {
  std::vector<NodeCombination> links;
  for (const Near& near : near_) {
    links.push_back(places_.LinkOf(cells_[near.cell].places()));
  }
  return links;
}

CellContact::State CellContact::StateOf(const ObstacleShape& shape,
                                        const PartCorners& corners) const {
  State state{corners, Vector3d::Zero(), Matrix3d::Zero(), {}};
  Vector3d depths = Vector3d::Zero();
  for (Eigen::Index j = 0; j < corners.cols(); ++j) {
    const Proximity at = SignedDistance(shape, Vector3d::Zero(), corners.col(j));
    state.distances[j] = at.distance;
    state.normals.col(j) = at.normal;
    depths[j] = std::max(0.0, -at.distance);
  }
  state.excess = ExcessOf(shape, Vector3d::Zero(), corners, depths, energy_);
  if (state.excess.value > 0.0) return state;
  const Supported nearest = SupportIn(shape, Vector3d::Zero(), corners);
  state.excess = {0.0, -nearest.clearance.distance, nearest.clearance.weights, nearest.normal};
  return state;
}

double CellContact::Energy(double time, const Matrix3Xd& x) const {
  double energy = 0.0;
  for (const Near& near : near_) {
    const Cell& cell = cells_[near.cell];
    const PartCorners corners = CornersOf(cell, x, OriginOf(near.obstacle, time));
    energy += cell.scale * StateOf(obstacles_[near.obstacle].shape, corners).excess.value;
  }
  return energy;
}

// What follows from forces, weights and normal.
void CellContact::Complete(const Near& near, const PointMotion& motion, Push* push) const {
  push->obstacle = near.obstacle;
  push->cell = &cells_[near.cell];
  push->normal.normalize();
  push->size = std::max(0.0, push->normal.dot(push->forces.rowwise().sum()));
  push->moved = -ShiftOf(near.obstacle, motion);
  for (int j = 0; j < push->cell->count; ++j) {
    const int place = push->cell->corners[j];
    push->moved += push->weights[j] * (motion.x1.col(place) - motion.x0.col(place));
  }
}

bool CellContact::PushAt(const Near& near, const PointMotion& motion, double time,
                         const Matrix3Xd& x, Push* push) const {
  const Cell& cell = cells_[near.cell];
  const double d = barrier_.thickness();
  const State state =
      StateOf(obstacles_[near.obstacle].shape, CornersOf(cell, x, OriginOf(near.obstacle, time)));
  const Excess& excess = state.excess;
  if (!(excess.value > 0.0)) return false;
  push->forces.setZero();
  push->weights = excess.weights;
  push->normal = excess.normal;
  push->stiffness = barrier_.Curvature(d - excess.depth);
  for (int j = 0; j < cell.count; ++j) {
    const double w = cell.scale * excess.weights[j], room = d + state.distances[j];
    push->forces.col(j) = w * (energy_.Slope(excess.depth) * excess.normal +
                               (room < d ? barrier_.Slope(room) : 0.0) * state.normals.col(j));
    push->stiffness -= excess.weights[j] * barrier_.Curvature(room);
  }
  push->stiffness = cell.scale * std::max(0.0, push->stiffness);
  Complete(near, motion, push);
  return true;
}

bool CellContact::DiscretePush(const Near& near, const PointMotion& motion, Push* push) const {
  const Cell& cell = cells_[near.cell];
  const double d = barrier_.thickness();
  const ObstacleShape& shape = obstacles_[near.obstacle].shape;
  const State start =
      StateOf(shape, CornersOf(cell, motion.x0, OriginOf(near.obstacle, motion.t0)));
  const State end = StateOf(shape, CornersOf(cell, motion.x1, OriginOf(near.obstacle, motion.t1)));
  if (!(start.excess.value > 0.0) && !(end.excess.value > 0.0)) return false;
  const State mean = StateOf(shape, 0.5 * (start.corners + end.corners));
  // Where the mean is outside and its nearest place no inner one, the weights are those of an end.
  const State& at = mean.excess.value > 0.0 || mean.excess.weights.maxCoeff() < 1.0 - kOnSide ? mean
                    : start.excess.value > end.excess.value ? start
                                                            : end;
  const double r0 = d - start.excess.depth, r1 = d - end.excess.depth;
  const double slope = -barrier_.DividedDifference(r0, r1);
  push->forces.setZero();
  push->weights = at.excess.weights;
  push->normal = at.excess.normal;
  push->stiffness = barrier_.DividedSlope(r0, r1);
  const PartCorners moved = end.corners - start.corners;
  double work = 0.0;
  for (int j = 0; j < cell.count; ++j) {
    const double w = cell.scale * at.excess.weights[j];
    const double c0 = d + start.distances[j], c1 = d + end.distances[j];
    push->forces.col(j) =
        w * (slope * at.excess.normal + barrier_.DividedDifference(c0, c1) * mean.normals.col(j));
    push->stiffness -= at.excess.weights[j] * barrier_.DividedSlope(c0, c1);
    work += push->forces.col(j).dot(moved.col(j));
  }
  push->stiffness = cell.scale * std::max(0.0, push->stiffness);
  Complete(near, motion, push);
  const double square = moved.squaredNorm();
  const double length = kLeastWay * (mean.corners.col(1) - mean.corners.col(0)).norm();
  const double rounding = length * length;
  const double defect = -cell.scale * (end.excess.value - start.excess.value) - work;
  if (square > 0.0) {
    push->forces.leftCols(cell.count) +=
        defect * square / (square * square + rounding * rounding) * moved;
  }
  return true;
}

template <typename Visit>
void CellContact::ForEachPush(const PointMotion& motion, bool discrete, const Visit& visit) const {
  Push push;
  for (int i = 0; i < static_cast<int>(near_.size()); ++i) {
    const bool pushes = discrete ? DiscretePush(near_[i], motion, &push)
                                 : PushAt(near_[i], motion, motion.t1, motion.x1, &push);
    if (pushes) visit(push, i);
  }
}

void CellContact::AddForces(double time, const Matrix3Xd& x, Matrix3Xd* forces) const {
  ForEachPush({x, x, time, time}, false, [&](const Push& push, int) {
    for (int j = 0; j < push.cell->count; ++j) {
      forces->col(push.cell->corners[j]) += push.forces.col(j);
    }
  });
}

void CellContact::AddDiscreteForces(const PointMotion& motion, Matrix3Xd* forces) const {
  ForEachPush(motion, true, [&](const Push& push, int) {
    for (int j = 0; j < push.cell->count; ++j) {
      forces->col(push.cell->corners[j]) += push.forces.col(j);
    }
  });
}

Vector3d CellContact::FrictionOn(const Push& push, double h) const {
  const double most = obstacles_[push.obstacle].friction * push.size;
  return FrictionForce(most, push.normal, push.moved, options_.FrictionRise(h));
}

void CellContact::AddFriction(const PointMotion& motion, bool discrete, Matrix3Xd* forces) const {
  ForEachPush(motion, discrete, [&](const Push& push, int) {
    if (obstacles_[push.obstacle].friction == 0.0) return;
    const Vector3d force = FrictionOn(push, motion.t1 - motion.t0);
    for (int j = 0; j < push.cell->count; ++j) {
      forces->col(push.cell->corners[j]) += push.weights[j] * force;
    }
  });
}

void CellContact::AddRubs(const PointMotion& motion, double time, const Matrix3Xd& x,
                          std::vector<Rub>* rubs) const {
  Push push;
  for (const Near& near : near_) {
    if (!PushAt(near, motion, time, x, &push)) continue;
    const double most = obstacles_[push.obstacle].friction * push.size;
    if (most == 0.0) continue;
    const auto& [a, b, c] = push.cell->corners;
    Eigen::Vector4d weights = Eigen::Vector4d::Zero();
    weights.head<3>() = push.weights;
    rubs->push_back(
        {{a, b, c}, push.cell->count, weights, push.normal, most, ShiftOf(push.obstacle, motion)});
  }
}

void CellContact::Tally(const PointMotion& motion, bool discrete, const ContactDurations& durations,
                        ContactTally* tally) const {
  const double h = options_.Duration(motion.t1 - motion.t0);
  ForEachPush(motion, discrete, [&](const Push& push, int) {
    const int body = places_.body[push.cell->corners[0]], obstacle = numbers_[push.obstacle];
    tally->AddObstacleForce(body, obstacle, durations.push * push.forces.rowwise().sum());
    if (obstacles_[push.obstacle].friction == 0.0 || durations.friction == 0.0) return;
    tally->AddObstacle(body, obstacle, durations.friction * FrictionOn(push, h), push.normal,
                       push.moved / h);
  });
}

void CellContact::AddWorkOfObstacles(const PointMotion& motion, bool discrete,
                                     ObstacleContact::Work* work) const {
  ForEachPush(motion, discrete, [&](const Push& push, int) {
    const Vector3d shift = ShiftOf(push.obstacle, motion);
    if (shift.isZero(0.0)) return;
    work->push += push.forces.rowwise().sum().dot(shift);
    work->friction += FrictionOn(push, motion.t1 - motion.t0).dot(shift);
  });
}

double CellContact::PushWorkAt(const PointMotion& motion, double time, const Matrix3Xd& x) const {
  double work = 0.0;
  Push push;
  for (const Near& near : near_) {
    if (!PushAt(near, motion, time, x, &push)) continue;
    work += push.forces.rowwise().sum().dot(ShiftOf(near.obstacle, motion));
  }
  return work;
}

void CellContact::AddTangent(const PointMotion& motion, bool discrete, double factor,
                             int first_link, ReducedMatrix* matrix) const {
  ForEachPush(motion, discrete, [&](const Push& push, int i) {
    const Matrix3d along = push.normal * push.normal.transpose();
    Matrix3d stiffness = (discrete ? 1.0 : factor) * push.stiffness * along;
    const double most = obstacles_[push.obstacle].friction * push.size;
    const double rise = options_.FrictionRise(motion.t1 - motion.t0);
    if (most > 0.0 && rise > 0.0) {
      stiffness += FrictionStiffness(most, push.normal, push.moved, rise);
    }
    matrix->AddLink(first_link + i, places_.Combined(push.cell->places(), push.weights.data()),
                    stiffness);
  });
}

double CellContact::LargestFraction(double time, const Matrix3Xd& x, const Matrix3Xd& y) const {
  if (empty()) return 1.0;
  const double d = barrier_.thickness();
  double fraction = 1.0;
  for (int o = 0; o < static_cast<int>(obstacles_.size()); ++o) {
    const Bounds around = BoxOf(o, time, 0.0);
    const Vector3d origin = OriginOf(o, time);
    for (const Cell& cell : cells_) {
      Bounds box = BoxOf(cell, x);
      box.Take(BoxOf(cell, y));
      if (!box.Overlaps(around)) continue;
      const PartCorners from = CornersOf(cell, x, origin), to = CornersOf(cell, y, origin);
      const double room =
          std::min(d, ClearanceOf(obstacles_[o].shape, Vector3d::Zero(), from).distance + d);
      if (room <= 0.01 * d) continue;
      ImpactOptions options;
      options.separation = kRoomLeft * room - d;
      options.tolerance = kRoomTolerance * room;
      const pliant::PointMotion still{Vector3d::Zero(), Vector3d::Zero()};
      const auto impact = FirstImpact(obstacles_[o].shape, still, from, to, options);
      if (impact) fraction = std::min(fraction, impact->time);
    }
  }
  return fraction;
}

std::string WhatPassesBetweenPlaces(const Scene& scene, const ContactPlaces& places,
                                    const Matrix3Xd& rest) {
  std::vector<double> longest(scene.bodies.size(), 0.0);  // m
  ForEachSide(places.edges, places.faces, [&](int i, int j) {
    double& most = longest[places.body[i]];
    most = std::max(most, (rest.col(i) - rest.col(j)).norm());
  });
  const auto passing = FindPassing(scene, longest);
  if (!passing) return "";
  return passing->what + " the places of the surface of '" + scene.bodies[passing->body].name +
         "', which are up to " + ThreeDigits(longest[passing->body]) + " m apart";
}

}  // namespace pliant::finite_elements
