#include "solvers/contact/surface_barrier.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "models/collision/continuous.h"
#include "models/contact/scene_parts.h"
#include "solvers/holds/held_points.h"

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::Vector4d;

constexpr double kLeastRatio = 0.8;       // least ratio of the distances at both ends of a piece
constexpr double kOnTheWay = 0.5;         // of the smaller of them that is left on the way
constexpr double kNearlyParallel = 1e-3;  // c₀ of the mollifier
constexpr double kNeighbourGap = 2.0;     // thicknesses
// Rows of entries_.
constexpr int kOtherBody = 0, kSpringPoints = 1, kSpringWeights = 5, kSpringEnergy = 9;

Vector3d AlongSurface(const Vector3d& normal, const Vector3d& v) {
  return v - normal.dot(v) * normal;
}

// The largest displacement of a corner of the first part relative to one of the second.
double LargestRelativeWay(const SurfacePair& pair, const PointsRef& before,
                          const PointsRef& after) {
  const int firsts = pair.kind == PairKind::kEdgeEdge ? 2 : 1;
  double largest = 0.0;
  for (int i = 0; i < firsts; ++i) {
    const Vector3d own = after.col(pair.points[i]) - before.col(pair.points[i]);
    for (int j = firsts; j < 4; ++j) {
      const Vector3d other = after.col(pair.points[j]) - before.col(pair.points[j]);
      largest = std::max(largest, (own - other).norm());
    }
  }
  return largest;
}

bool ComeWithin(const SurfacePair& pair, const PointsRef& before, const PointsRef& after,
                double separation) {
  const auto motion = [&](int corner) {
    return PointMotion{before.col(pair.points[corner]), after.col(pair.points[corner])};
  };
  ImpactOptions options;
  options.separation = separation;
  options.tolerance = 0.1 * separation;
  switch (pair.kind) {
    case PairKind::kPointFace:
      return FirstImpact(motion(0), {motion(1), motion(2), motion(3)}, options).has_value();
    case PairKind::kEdgeEdge:
      return FirstImpact(std::array{motion(0), motion(1)}, std::array{motion(2), motion(3)},
                         options)
          .has_value();
    case PairKind::kPointEdge:
      return FirstImpact(motion(0), std::array{motion(1), motion(2)}, options).has_value();
  }
  return true;
}

}  // namespace

SurfaceBarrier::SurfaceBarrier(const Scene& scene, const PenaltyOptions& options,
                               const PointsRef& start)
    : options_(options),
      surfaces_(scene, SurfaceContactOptions{}, std::vector<bool>(scene.bodies.size(), false),
                start),
      rest_(start) {
  if (act()) ChooseThickness(scene, start);
  body_of_point_ = SceneParts(scene).body_of_point;
  if (!SurfacesMeetWithFriction(scene)) return;
  const size_t parts = body_of_point_.size() + surfaces_.edges().size();
  entries_.setZero(kNumbers, static_cast<Eigen::Index>(kOthers * parts));
  chosen_.resize(entries_.cols());
  nearest_.resize(entries_.cols());
}

std::string SurfaceBarrier::NameOfLast(const Scene& scene) const {
  return NameOfPart(scene, last_, true) + " and " + NameOfPart(scene, last_, false);
}

SurfaceBarrier::Gap SurfaceBarrier::GapAt(const SurfacePair& pair, const PointsRef& x) const {
  Gap gap;
  for (int i = 0; i < 4; ++i) gap.corners.col(i) = x.col(pair.points[i]);
  gap.vectors = PairVectors(pair.kind);
  gap.edges = gap.corners * gap.vectors;
  const PairGap closest = GapOf(pair.kind, gap.edges.transpose() * gap.edges);
  gap.weights = gap.vectors * closest.z;
  // Not √D, which is rounded at 1e-8 of the lengths of the edges.
  gap.normal = gap.edges * closest.z;
  gap.g = gap.normal.norm();
  if (gap.g > 0.0) gap.normal /= gap.g;
  return gap;
}

SurfaceBarrier::Mollifier SurfaceBarrier::MollifierOf(const SurfacePair& pair,
                                                      const Gap& gap) const {
  // A line of its own has no faces whose points would keep it from parallel ones.
  if (pair.kind != PairKind::kEdgeEdge || pair.rounded) return {};
  const auto squared = [&](int i, int j) {
    return (rest_.col(pair.points[i]) - rest_.col(pair.points[j])).squaredNorm();
  };
  const double least = kNearlyParallel * squared(0, 1) * squared(2, 3);
  const double c = gap.edges.col(1).cross(gap.edges.col(2)).squaredNorm();
  if (c >= least) return {};
  return {c / least * (2.0 - c / least), 2.0 / least * (1.0 - c / least)};
}

bool SurfaceBarrier::AreNeighbours(const SurfacePair& pair) const {
  return pair.own && GapAt(pair, rest_).g < kNeighbourGap * options_.thickness;
}

double SurfaceBarrier::Value(double g) const {
  const double room = options_.thickness - g;
  return options_.stiffness * room * room * room / (3.0 * g);
}

double SurfaceBarrier::Slope(double g) const {
  const double room = options_.thickness - g;
  return -options_.stiffness * room * room * (1.0 + room / (3.0 * g)) / g;
}

int SurfaceBarrier::SpringOf(const Touch& touch) const {
  if (touch.first_slot < 0) return -1;
  for (int e = touch.first_slot; e < touch.first_slot + kOthers; ++e) {
    if (entries_(kOtherBody, e) == 1.0 + touch.other) return e;
  }
  return -1;
}

void SurfaceBarrier::FindTouches(double t, const PointsRef& x) {
  touches_.clear();
  surfaces_.Begin(x, t);
  surfaces_.ForEachNear(x, options_.thickness, [&](const SurfacePair& pair) {
    const Gap gap = GapAt(pair, x);
    if (gap.g >= options_.thickness || AreNeighbours(pair)) return;
    least_evaluated_ = std::min(least_evaluated_, gap.g);
    if (gap.g == 0.0) return;
    Touch touch{pair, gap, -Slope(gap.g) * MollifierOf(pair, gap).value, -1, 0, -1};
    if (entries_.cols() > 0 && pair.law->friction > 0.0) {
      const bool edges = pair.kind == PairKind::kEdgeEdge;
      touch.first_slot =
          kOthers * (pair.parts[0] + (edges ? static_cast<int>(body_of_point_.size()) : 0));
      touch.other = body_of_point_[pair.points[edges ? 2 : 1]];
      touch.spring = SpringOf(touch);
    }
    touches_.push_back(touch);
  });
  for (const Touch& touch : touches_) {
    if (touch.spring >= 0) chosen_[touch.spring] = nearest_[touch.spring] = -1;
  }
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    const Touch& touch = touches_[i];
    if (touch.spring < 0) continue;
    int &nearest = nearest_[touch.spring], &chosen = chosen_[touch.spring];
    if (nearest < 0 || touch.gap.g < touches_[nearest].gap.g) nearest = i;
    if (IsWhereItWasSet(touch)) chosen = i;
  }
  for (const Touch& touch : touches_) {
    if (touch.spring < 0) continue;
    if (chosen_[touch.spring] < 0) chosen_[touch.spring] = nearest_[touch.spring];
  }
}

bool SurfaceBarrier::IsWhereItWasSet(const Touch& touch) const {
  for (int i = 0; i < 4; ++i) {
    if (entries_(kSpringPoints + i, touch.spring) != touch.pair.points[i]) return false;
  }
  return true;
}

Vector3d SurfaceBarrier::SlipOf(int spring, const Vector3d& normal, const PointsRef& x) const {
  Vector3d slip = Vector3d::Zero();
  for (int i = 0; i < 4; ++i) {
    slip += entries_(kSpringWeights + i, spring) *
            x.col(static_cast<int>(entries_(kSpringPoints + i, spring)));
  }
  return AlongSurface(normal, slip);
}

// Those of the nearest places, moved along their parts so that Σ w x has this part along the surface, as
// closely as these parts allow.
Vector4d SurfaceBarrier::WeightsWith(const Touch& touch, const Vector3d& slip) const {
  const Gap& gap = touch.gap;
  if (slip.isZero(0.0)) return gap.weights;
  Eigen::Matrix<double, 3, 2> ways;
  ways << AlongSurface(gap.normal, gap.edges.col(1)), AlongSurface(gap.normal, gap.edges.col(2));
  Eigen::Matrix2d square = ways.transpose() * ways;
  square.diagonal().array() += 1e-12 * square.trace();
  const Eigen::Vector2d by = square.ldlt().solve(ways.transpose() * slip);
  return gap.weights + gap.vectors * Vector3d(0.0, by[0], by[1]);
}

void SurfaceBarrier::Push(const Touch& touch, const PointsRef& v, MutablePointsRef forces,
                          Exchange* rates, Eigen::Matrix3Xd* working) const {
  const auto& [corners, vectors, edges, weights, normal, g] = touch.gap;
  const Mollifier mollifier = MollifierOf(touch.pair, touch.gap);
  double rate = 0.0;
  for (int i = 0; i < 4; ++i) rate += weights[i] * normal.dot(v.col(touch.pair.points[i]));
  const double part = 1.0 - g / options_.thickness;
  const double works = -options_.damping * part * part * mollifier.value * rate;
  (*rates)[WorkClass::kContact] += works * rate;
  Eigen::Matrix<double, 3, 4> of_corners = (touch.push + works) * normal * weights.transpose();
  if (mollifier.slope != 0.0) {
    const Vector3d a = edges.col(1), b = edges.col(2);
    Matrix3d by_products = Matrix3d::Zero();  // ∂c/∂C
    by_products(1, 1) = b.squaredNorm();
    by_products(2, 2) = a.squaredNorm();
    by_products(1, 2) = by_products(2, 1) = -a.dot(b);
    of_corners -= 2.0 * Value(g) * mollifier.slope * edges * by_products * vectors.transpose();
  }
  for (int i = 0; i < 4; ++i) {
    forces.col(touch.pair.points[i]) += of_corners.col(i);
    if (working != nullptr) working->col(touch.pair.points[i]) += weights[i] * works * normal;
  }
}

void SurfaceBarrier::Rub(const Touch& touch, const PointsRef& x, const PointsRef& v,
                         MutablePointsRef forces, Exchange* rates,
                         Eigen::Matrix3Xd* working) const {
  std::array<int, 4> points = touch.pair.points;
  Vector4d weights = touch.gap.weights;
  Vector3d spring = Vector3d::Zero(), u = spring;
  if (HasTheSpring(touch)) {
    weights = entries_.col(touch.spring).segment<4>(kSpringWeights);
    for (int i = 0; i < 4; ++i)
      points[i] = static_cast<int>(entries_(kSpringPoints + i, touch.spring));
    spring = -options_.tangential_stiffness * Slip(touch, x);
  }
  for (int i = 0; i < 4; ++i) u += weights[i] * v.col(points[i]);
  Vector3d force = spring - options_.tangential_damping * AlongSurface(touch.gap.normal, u);
  const double cap = touch.pair.law->friction * touch.push, size = force.norm();
  if (size > cap) force *= cap / size;
  (*rates)[WorkClass::kContact] += force.dot(u);
  for (int i = 0; i < 4; ++i) {
    forces.col(points[i]) += weights[i] * force;
    if (working != nullptr) working->col(points[i]) += weights[i] * force;
  }
}

void SurfaceBarrier::AddForces(double t, const PointsRef& x, const PointsRef& v,
                               MutablePointsRef forces, Exchange* rates,
                               Eigen::Matrix3Xd* working) {
  FindTouches(t, x);
  pushes_ = !touches_.empty();
  for (const Touch& touch : touches_) {
    Push(touch, v, forces, rates, working);
    if (touch.pair.law->friction > 0.0) Rub(touch, x, v, forces, rates, working);
  }
}

// What a pair pushes stands on its points and on those of its spring.
void SurfaceBarrier::TallyForces(double t, const PointsRef& x, const PointsRef& v,
                                 ContactTally* tally) {
  FindTouches(t, x);
  Matrix3Xd forces = Matrix3Xd::Zero(3, x.cols());
  Exchange unused;
  for (const Touch& touch : touches_) {
    Push(touch, v, forces, &unused, nullptr);
    if (touch.pair.law->friction > 0.0) Rub(touch, x, v, forces, &unused, nullptr);
    const int body = tally->BodyOf(touch.pair.points[0]);
    Vector3d sum = Vector3d::Zero();
    const auto take = [&](int p) {
      if (tally->BodyOf(p) == body) sum += forces.col(p);
      forces.col(p).setZero();
    };
    for (const int p : touch.pair.points) take(p);
    for (int i = 0; i < 4 && HasTheSpring(touch); ++i) {
      take(static_cast<int>(entries_(kSpringPoints + i, touch.spring)));
    }
    if (touch.other != body) tally->AddBodyForce(body, touch.other, sum);
  }
}

double SurfaceBarrier::Energy(double t, const PointsRef& x) {
  FindTouches(t, x);
  double energy = 0.0;
  for (const Touch& touch : touches_) {
    energy += Value(touch.gap.g) * MollifierOf(touch.pair, touch.gap).value;
    if (HasTheSpring(touch)) {
      energy += 0.5 * options_.tangential_stiffness * Slip(touch, x).squaredNorm();
    }
  }
  return energy;
}

double SurfaceBarrier::Update(double t, const PointsRef& x) {
  if (entries_.cols() == 0) return 0.0;
  FindTouches(t, x);
  double work = 0.0;
  touched_.assign(static_cast<size_t>(entries_.cols()), 0);
  for (const Touch& touch : touches_) {
    if (touch.spring >= 0) touched_[static_cast<size_t>(touch.spring)] = 1;
  }
  for (Eigen::Index e = 0; e < entries_.cols(); ++e) {
    if (entries_(kOtherBody, e) == 0.0 || touched_[static_cast<size_t>(e)] != 0) continue;
    work -= entries_(kSpringEnergy, e);
    entries_.col(e).setZero();
  }
  // A spring begins at the nearest pair, whatever the order in which pairs are found.
  begin_.clear();
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    if (touches_[i].spring >= 0) {
      work += UpdateSpring(touches_[i], x);
    } else if (touches_[i].first_slot >= 0) {
      begin_.push_back(i);
    }
  }
  std::sort(begin_.begin(), begin_.end(), [this](int a, int b) {
    return std::tie(touches_[a].gap.g, touches_[a].pair.points) <
           std::tie(touches_[b].gap.g, touches_[b].pair.points);
  });
  for (const int i : begin_) work += UpdateSpring(touches_[i], x);
  return work;
}

double SurfaceBarrier::UpdateSpring(const Touch& touch, const PointsRef& x) {
  int e = touch.spring;
  const double before = e >= 0 ? entries_(kSpringEnergy, e) : 0.0;
  Vector3d slip = Vector3d::Zero();
  const Touch* place = &touch;  // where it goes to
  if (e >= 0) {
    if (!HasTheSpring(touch)) return 0.0;
    slip = Slip(touch, x);
    place = &touches_[nearest_[e]];
    const double cap = touch.pair.law->friction * touch.push;
    const double pull = options_.tangential_stiffness * slip.norm();
    if (pull > cap) slip *= cap / pull;
  } else {
    if (SpringOf(touch) >= 0) return 0.0;  // that began with a touch before
    for (int slot = touch.first_slot; slot < touch.first_slot + kOthers && e < 0; ++slot) {
      if (entries_(kOtherBody, slot) == 0.0) e = slot;
    }
    if (e < 0) return 0.0;
  }
  entries_(kOtherBody, e) = 1.0 + place->other;
  for (int i = 0; i < 4; ++i) entries_(kSpringPoints + i, e) = place->pair.points[i];
  entries_.col(e).segment<4>(kSpringWeights) = WeightsWith(*place, slip);
  entries_(kSpringEnergy, e) =
      0.5 * options_.tangential_stiffness * SlipOf(e, place->gap.normal, x).squaredNorm();
  return entries_(kSpringEnergy, e) - before;
}

void SurfaceBarrier::Save(Eigen::Ref<Eigen::VectorXd> state) const {
  state = Eigen::Map<const Eigen::VectorXd>(entries_.data(), entries_.size());
}

void SurfaceBarrier::Restore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  Eigen::Map<Eigen::VectorXd>(entries_.data(), entries_.size()) = state;
}

bool SurfaceBarrier::AcceptsPair(const SurfacePair& pair, const PointsRef& before,
                                 const PointsRef& after, double g0, double g1) const {
  const double d = options_.thickness;
  const double least = std::min({g0, g1, d}), largest = std::min(std::max(g0, g1), d);
  if (least < kLeastRatio * largest) return false;
  const double room = kOnTheWay * least;
  if (0.5 * (g0 + g1 - LargestRelativeWay(pair, before, after)) > room) return true;
  return room > 0.0 && !ComeWithin(pair, before, after, room);
}

bool SurfaceBarrier::Accepts(const PointsRef& before, const PointsRef& after, double end) {
  bool accepted = true;
  double least = options_.thickness;  // of all pairs, before and after
  SurfacePair nearest{};
  surfaces_.Begin(before, end);
  surfaces_.ForEachNear(after, options_.thickness, [&](const SurfacePair& pair) {
    if (!accepted || AreNeighbours(pair)) return;
    const double g0 = GapAt(pair, before).g, g1 = GapAt(pair, after).g;
    if (std::min(g0, g1) <= least) {
      least = std::min(g0, g1);
      nearest = pair;
    }
    if (AcceptsPair(pair, before, after, g0, g1)) return;
    accepted = false;
    last_ = pair;
  });
  if (accepted && least_evaluated_ < kLeastRatio * least) {
    accepted = false;
    last_ = nearest;
  }
  return accepted;
}

}  // namespace pliant
