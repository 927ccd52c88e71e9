#include "solvers/contact/surface_pairs.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "models/collision/closest.h"
#include "models/collision/continuous.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr double kSeam = 1e-6;      // of a face's width: no gap between neighbours by rounding
constexpr int kHalvings = 40;       // of a step, for the instant when a point is in a plane
constexpr double kParallel = 1e-3;  // sine below which two edges have no common perpendicular
constexpr double kInPlane = 1e-6;   // sine below which a way is along a face or an edge
constexpr double kFlat = 1e-9;      // of the size of a pair: no length
constexpr int kBudget = 1 << 13;    // boxes of a continuous search, 0.2 ms at most

Vector3d NormalOf(const std::array<Vector3d, 3>& corners) {
  return (corners[1] - corners[0]).cross(corners[2] - corners[0]);
}

// Point and corners at the fraction t of the step; all move straight.
struct Instant {
  Vector3d point;
  std::array<Vector3d, 3> corners;
  Vector3d normal;  // as long as twice the area

  Instant(const PointAndFace& pair, double t)
      : point((1.0 - t) * pair.point_before + t * pair.point) {
    for (int c = 0; c < 3; ++c) corners[c] = (1.0 - t) * pair.before[c] + t * pair.corners[c];
    normal = NormalOf(corners);
  }
  double Volume() const { return normal.dot(point - corners[0]); }
};

// The volume that point and face span changes its sign over the step: when it is 0, is the point no
// farther than `rim` from the face? Of three such instants one is taken.
bool PassesThrough(const PointAndFace& pair, double rim) {
  const double before = Instant(pair, 0.0).Volume();
  double first = 0.0, last = 1.0;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (first + last);
    (before * Instant(pair, middle).Volume() > 0.0 ? first : last) = middle;
  }
  const Instant then(pair, last);
  if (!(then.normal.squaredNorm() > 0.0)) return false;
  return (then.point - PlaceOnTriangle(then.corners, ClosestOnTriangle(then.corners, then.point)))
             .norm() <= rim;
}

// The direction, of any length, in which the parts are apart where they touch inside both.
Vector3d AcrossOf(PairKind kind, const PairCorners& x) {
  switch (kind) {
    case PairKind::kPointFace:
      return NormalOf({x[1], x[2], x[3]});
    case PairKind::kEdgeEdge:
      return (x[1] - x[0]).cross(x[3] - x[2]);
    case PairKind::kPointEdge:
      break;
  }
  return {x[1].y() - x[2].y(), x[2].x() - x[1].x(), 0.0};
}

int CornersOf(PairKind kind) { return kind == PairKind::kPointEdge ? 3 : 4; }
int FirstOfSecond(PairKind kind) { return kind == PairKind::kEdgeEdge ? 2 : 1; }

std::optional<Impact> ImpactOf(PairKind kind, const PairCorners& before, const PairCorners& now,
                               const ImpactOptions& options) {
  const auto motion = [&](int i) { return PointMotion{before[i], now[i]}; };
  switch (kind) {
    case PairKind::kPointFace:
      return FirstImpact(motion(0), std::array{motion(1), motion(2), motion(3)}, options);
    case PairKind::kEdgeEdge:
      return FirstImpact(std::array{motion(0), motion(1)}, std::array{motion(2), motion(3)},
                         options);
    case PairKind::kPointEdge:
      break;
  }
  return FirstImpact(motion(0), std::array{motion(1), motion(2)}, options);
}

std::array<double, 4> WeightsAt(PairKind kind, double u, double v) {
  switch (kind) {
    case PairKind::kPointFace:
      return {1.0, u + v - 1.0, -u, -v};
    case PairKind::kEdgeEdge:
      return {1.0 - u, u, v - 1.0, -v};
    case PairKind::kPointEdge:
      break;
  }
  return {1.0, u - 1.0, -u, 0.0};
}

double DistanceOf(PairKind kind, const PairCorners& x) {
  switch (kind) {
    case PairKind::kPointFace: {
      const std::array<Vector3d, 3> face = {x[1], x[2], x[3]};
      return (x[0] - PlaceOnTriangle(face, ClosestOnTriangle(face, x[0]))).norm();
    }
    case PairKind::kEdgeEdge:
      return std::sqrt(ClosestOfSegments(x[0], x[1], x[2], x[3]).squared);
    case PairKind::kPointEdge:
      break;
  }
  return (x[0] - PlaceOnSegment(x[1], x[2], ClosestOnSegment(x[1], x[2], x[0]))).norm();
}

}  // namespace

Approach ApproachOf(const PointAndFace& pair, double rim) {
  const double before = Instant(pair, 0.0).Volume(), now = Instant(pair, 1.0).Volume();
  const double side = before < 0.0 ? -1.0 : 1.0;
  if (side * now >= 0.0) return {side, false};
  return PassesThrough(pair, rim) ? Approach{side, true} : Approach{-side, false};
}

bool IsOver(const std::array<Vector3d, 3>& corners, const Vector3d& point, double side, double rim,
            FaceTouch* touch) {
  const Vector3d normal = NormalOf(corners);
  const double area = normal.norm();
  if (!(area > 0.0)) return false;
  touch->normal = (side / area) * normal;
  touch->distance = touch->normal.dot(point - corners[0]);
  touch->weights = ClosestOnTriangle(corners, point);
  const Vector3d foot = point - touch->distance * touch->normal;
  return (foot - PlaceOnTriangle(corners, touch->weights)).norm() <= rim + kSeam * std::sqrt(area);
}

double WidthOf(const std::array<Vector3d, 3>& corners) {
  double longest = 0.0;
  for (int c = 0; c < 3; ++c) {
    longest = std::max(longest, (corners[(c + 1) % 3] - corners[c]).norm());
  }
  return longest > 0.0 ? NormalOf(corners).norm() / longest : 0.0;
}

Vector3d WeightedSum(const std::array<double, 4>& weights, const PairCorners& x) {
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < 4; ++i) {
    if (weights[i] != 0.0) sum += weights[i] * x[i];
  }
  return sum;
}

double SideOf(PairKind kind, const PairCorners& x) {
  const Vector3d apart = x[0] - x[FirstOfSecond(kind)];
  return AcrossOf(kind, x).dot(apart) < 0.0 ? -1.0 : 1.0;
}

std::optional<PairAcross> AcrossAt(PairKind kind, const PairCorners& x) {
  const Vector3d across = AcrossOf(kind, x);
  const double size = across.norm();
  const double least =
      kind == PairKind::kEdgeEdge ? kParallel * (x[1] - x[0]).norm() * (x[3] - x[2]).norm() : 0.0;
  if (!(size > least)) return std::nullopt;
  const Vector3d normal = across / size;
  return PairAcross{normal, normal.dot(x[0] - x[FirstOfSecond(kind)])};
}

bool TouchOf(PairKind kind, const PairCorners& x, double side, double rim, bool rounded,
             PairTouch* touch) {
  if (kind == PairKind::kPointFace) {
    FaceTouch face;
    if (!IsOver({x[1], x[2], x[3]}, x[0], side, rim, &face)) return false;
    const Vector3d& w = face.weights;
    *touch = {face.normal, {1.0, -w[0], -w[1], -w[2]}, face.distance};
    return true;
  }
  const auto inside = [](double share) { return share > 0.0 && share < 1.0; };
  bool perpendicular = false;
  double across_size = 0.0;
  const Vector3d across = AcrossOf(kind, x);
  if (kind == PairKind::kEdgeEdge) {
    const SegmentPlaces at = ClosestOfSegments(x[0], x[1], x[2], x[3]);
    across_size = across.norm();
    touch->weights = WeightsAt(kind, at.s, at.t);
    perpendicular = inside(at.s) && inside(at.t) &&
                    across_size > kParallel * (x[1] - x[0]).norm() * (x[3] - x[2]).norm();
  } else {
    const double s = ClosestOnSegment(x[1], x[2], x[0]);
    across_size = across.norm();
    touch->weights = WeightsAt(kind, s, 0.0);
    // A corner that lies on a corner lies on the edge.
    const Vector3d along = x[2] - x[1];
    const double beyond = (x[0] - x[s > 0.5 ? 2 : 1]).dot(along) * (s > 0.5 ? 1.0 : -1.0);
    perpendicular = across_size > 0.0 && (inside(s) || beyond <= kSeam * along.squaredNorm());
  }
  const Vector3d gap = WeightedSum(touch->weights, x);
  if (perpendicular) {
    touch->normal = (side / across_size) * across;
    touch->distance = touch->normal.dot(gap);
    return true;
  }
  const double size = gap.norm();
  if (!rounded || !(size > 0.0)) return false;
  touch->normal = gap / size;
  touch->distance = size;
  return true;
}

bool MayMeet(PairKind kind, const PairCorners& before, const PairCorners& now, double reach) {
  const int corners = CornersOf(kind), second = FirstOfSecond(kind);
  double fastest = 0.0;
  for (int i = 0; i < second; ++i) {
    for (int j = second; j < corners; ++j) {
      fastest = std::max(fastest, (now[i] - before[i] - now[j] + before[j]).squaredNorm());
    }
  }
  return DistanceOf(kind, before) <= reach + std::sqrt(fastest);
}

std::optional<PairTouch> PassageOf(PairKind kind, const PairCorners& before, const PairCorners& now,
                                   double tolerance) {
  const std::optional<Impact> impact = ImpactOf(kind, before, now, {0.0, tolerance, kBudget});
  if (!impact) return std::nullopt;
  PairCorners then = before, moved = before;
  double scale = 0.0;
  for (int i = 0; i < CornersOf(kind); ++i) {
    moved[i] = now[i] - before[i];
    then[i] = before[i] + impact->contact * moved[i];
    scale = std::max(scale, (before[i] - before[0]).norm());
  }
  PairTouch touch{Vector3d::Zero(), WeightsAt(kind, impact->u, impact->v), 0.0};
  const Vector3d gap = WeightedSum(touch.weights, before);
  const Vector3d motion = WeightedSum(touch.weights, moved);
  touch.normal = AcrossOf(kind, then).normalized();
  // In one plane, where they stay, or without area, the parts are apart along the way between them.
  const auto across = [&touch](const Vector3d& way) {
    return std::abs(touch.normal.dot(way)) > kInPlane * way.norm();
  };
  if (!across(gap) && !across(motion)) {
    if (gap.norm() > kFlat * scale) {
      touch.normal = gap.normalized();
    } else if (touch.normal.isZero(0.0)) {
      touch.normal = -motion.normalized();
    }
  }
  touch.distance = touch.normal.dot(gap);
  const bool apart = std::abs(touch.distance) > kFlat * scale;
  if (apart ? touch.distance < 0.0 : touch.normal.dot(motion) > 0.0) {
    touch.normal = -touch.normal;
    touch.distance = -touch.distance;
  }
  if (!(touch.normal.dot(motion) < 0.0)) return std::nullopt;
  return touch;
}

}  // namespace pliant
