#include "models/contact/supports.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "models/collision/closest.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// --- a matrix game: min over weights w of max over rows of A w

using Game = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 4, 4>;
using GameWeights = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 4, 1>;

// At the optimum as many rows are equal as columns have weight: all such choices are tried. At most
// three columns have weight, as many as the smaller side of the game.
GameWeights SolveGame(const Game& a) {
  const auto rows = static_cast<int>(a.rows()), columns = static_cast<int>(a.cols());
  GameWeights best = GameWeights::Unit(columns, 0);
  double least = a.col(0).maxCoeff();
  const auto take = [&](const GameWeights& w) {
    const double value = (a * w).maxCoeff();
    if (value >= least) return;
    least = value;
    best = w;
  };
  for (int j = 1; j < columns; ++j) take(GameWeights::Unit(columns, j));
  for (int j = 0; j < columns; ++j) {
    for (int k = j + 1; k < columns; ++k) {
      for (int p = 0; p < rows; ++p) {
        for (int q = p + 1; q < rows; ++q) {
          const double at_j = a(p, j) - a(q, j), at_k = a(p, k) - a(q, k);
          if (!(at_j * at_k < 0.0)) continue;
          GameWeights w = GameWeights::Zero(columns);
          w[j] = at_k / (at_k - at_j);
          w[k] = 1.0 - w[j];
          take(w);
        }
      }
    }
  }
  for (int left_out = 0; columns >= 3 && rows >= 3 && left_out < (columns == 4 ? 4 : 1);
       ++left_out) {
    std::array<int, 3> j;
    for (int k = 0, c = 0; k < 3; ++c) {
      if (columns == 3 || c != left_out) j[k++] = c;
    }
    for (int without = 0; without < (rows == 4 ? 4 : 1); ++without) {
      std::array<int, 3> i;
      for (int k = 0, r = 0; k < 3; ++r) {
        if (rows == 3 || r != without) i[k++] = r;
      }
      Eigen::Matrix3d equal;
      equal.row(0).setOnes();
      for (int k = 0; k < 3; ++k) {
        equal(1, k) = a(i[0], j[k]) - a(i[1], j[k]);
        equal(2, k) = a(i[0], j[k]) - a(i[2], j[k]);
      }
      const double determinant = equal.determinant();
      if (determinant == 0.0) continue;
      const Vector3d x = equal.inverse().col(0);
      if (!(x.minCoeff() >= 0.0)) continue;
      GameWeights w = GameWeights::Zero(columns);
      for (int k = 0; k < 3; ++k) w[j[k]] = x[k] / x.sum();
      take(w);
    }
  }
  return best;
}

// --- convex polyhedra {x : n_i·x ≤ o_i}

// normal(i), offset(i) of `planes` planes.
template <typename NormalOf, typename OffsetOf>
Supported InPlanes(int planes, const NormalOf& normal, const OffsetOf& offset, const PartCorners& x,
                   const Vector3d& tilt) {
  const auto count = static_cast<int>(x.cols());
  const bool tilted = !tilt.isZero(0.0);
  const auto value = [&](int i, const Vector3d& place) { return normal(i).dot(place) - offset(i); };
  const auto highest = [&](const Vector3d& place) {
    std::pair<double, int> most{-kUnbounded, 0};
    for (int i = 0; i < planes; ++i) {
      const double above = value(i, place);
      if (above > most.first) most = {above, i};
    }
    return most;
  };
  std::array<int, 4> taken = {};
  int size = 1;
  GameWeights w = GameWeights::Constant(count, 1.0 / count);
  taken[0] = highest(x * w).second;
  // Each round the game gains a plane and its value rises; 64 are more than any part has needed.
  for (int round = 0;; ++round) {
    Game game(size, count);
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < count; ++j) {
        game(i, j) = value(taken[i], x.col(j));
        if (tilted) game(i, j) += tilt[j];
      }
    }
    w = SolveGame(game);
    const GameWeights share = SolveGame(-game.transpose());  // of the planes, in the support
    const double low = (game.transpose() * share).minCoeff();
    auto [high, plane] = highest(x * w);
    if (tilted) high += tilt.head(count).dot(w);
    const double rounding = 1e-14 * (game.cwiseAbs().maxCoeff() + std::abs(high));
    const bool known =
        std::find(taken.begin(), taken.begin() + size, plane) != taken.begin() + size;
    if (high <= low + rounding || known || round == 64) {
      Supported found{{high, Vector3d::Zero()}, Vector3d::Zero(), 0.0};
      found.clearance.weights.head(count) = w;
      for (int i = 0; i < size; ++i) {
        found.normal += share[i] * normal(taken[i]);
        found.offset += share[i] * offset(taken[i]);
      }
      return found;
    }
    if (size == 4) {  // three at most are in use
      int spare = 0;
      share.minCoeff(&spare);
      taken[spare] = taken[--size];
    }
    taken[size++] = plane;
  }
}

// --- round shapes

std::array<Vector3d, 3> TriangleOf(const PartCorners& x) { return {x.col(0), x.col(1), x.col(2)}; }

Supported Round(const Vector3d& weights, const Vector3d& from_skeleton, double radius) {
  const double length = from_skeleton.norm();
  Supported found{{length - radius, weights}};
  if (length > 0.0) found.normal = from_skeleton / length;
  return found;
}

}  // namespace

Supported InBox(const Box& box, const PartCorners& x, const Vector3d& tilt) {
  return InPlanes(
      6, [&box](int i) -> Vector3d { return (i < 3 ? 1.0 : -1.0) * box.axes.col(i % 3); },
      [&box](int i) { return box.half_size[i % 3]; }, x, tilt);
}

Supported InPiece(const ConvexPiece& piece, const PartCorners& x, const Vector3d& tilt) {
  return InPlanes(
      static_cast<int>(piece.offsets.size()),
      [&piece](int i) -> Vector3d { return piece.normals.col(i); },
      [&piece](int i) { return piece.offsets[i]; }, x, tilt);
}

Supported InSphere(const Sphere& sphere, const PartCorners& x) {
  Vector3d weights = Vector3d::UnitX();
  if (x.cols() == 2) {
    const double s = ClosestOnSegment(x.col(0), x.col(1), Vector3d::Zero());
    weights = {1.0 - s, s, 0.0};
  } else if (x.cols() == 3) {
    weights = ClosestOnTriangle(TriangleOf(x), Vector3d::Zero());
  }
  Supported found = Round(weights, x * weights.head(x.cols()), sphere.radius);
  found.offset = sphere.radius;
  return found;
}

Supported InCapsule(const Capsule& capsule, const PartCorners& x) {
  const Vector3d low = -capsule.half_axis, high = capsule.half_axis;
  Vector3d weights = Vector3d::UnitX();
  double along = 0.0;
  if (x.cols() == 1) {
    along = ClosestOnSegment(low, high, x.col(0));
  } else if (x.cols() == 2) {
    const SegmentPlaces places = ClosestOfSegments(x.col(0), x.col(1), low, high);
    weights = {1.0 - places.s, places.s, 0.0};
    along = places.t;
  } else {
    const SegmentAndTrianglePlaces places = ClosestOfSegmentAndTriangle(low, high, TriangleOf(x));
    weights = places.weights;
    along = places.s;
  }
  Supported found =
      Round(weights, x * weights.head(x.cols()) - PlaceOnSegment(low, high, along), capsule.radius);
  found.offset = std::abs(found.normal.dot(capsule.half_axis)) + capsule.radius;
  return found;
}

Supported InPlane(const Plane& plane, const PartCorners& x) {
  int lowest = 0;
  const double distance = (plane.normal.transpose() * x).minCoeff(&lowest);
  return {{distance, Vector3d::Unit(lowest)}, plane.normal, 0.0};
}

// --- round shapes with a tilt

namespace {

// Where distances to the skeleton of a round shape are taken: places of a part, and their values.
struct Least {
  double value = kUnbounded;
  Vector3d weights = Vector3d::UnitX();
  Vector3d from_skeleton = Vector3d::Zero();  // m
};

// Takes the place with these weights if it is lower. way(x) leads to x from the skeleton.
template <typename Way>
void Take(const PartCorners& x, const Vector3d& tilt, const Way& way, const Vector3d& weights,
          Least* least) {
  const Vector3d from = way(Vector3d(x * weights.head(x.cols())));
  const double value = from.norm() + tilt.dot(weights);
  if (value < least->value) *least = {value, weights, from};
}

// s of the minimum of |a + s (b − a)| + s rise on [0, 1].
double TiltedOnSegment(const Vector3d& a, const Vector3d& b, double rise) {
  const Vector3d along = b - a;
  const double length = along.norm();
  if (!(length > 0.0)) return rise < 0.0 ? 1.0 : 0.0;
  const double m = rise / length;
  if (!(std::abs(m) < 1.0)) return m < 0.0 ? 1.0 : 0.0;
  const double foot = -a.dot(along) / length, apart = (a + foot / length * along).norm();
  return std::clamp((foot - m * apart / std::sqrt(1.0 - m * m)) / length, 0.0, 1.0);
}

// Of the minimum of |x| + tilt in the whole plane of a triangle; none where it is not in its inside.
bool TiltedInTriangle(const PartCorners& x, const Vector3d& tilt, Vector3d* weights) {
  const Vector3d e1 = x.col(1) - x.col(0), e2 = x.col(2) - x.col(0);
  const double a = e1.squaredNorm(), b = e1.dot(e2), c = e2.squaredNorm();
  const double determinant = a * c - b * b;
  if (!(determinant > 0.0)) return false;
  const auto solve = [&](double at1, double at2) {
    return Eigen::Vector2d((c * at1 - b * at2) / determinant, (a * at2 - b * at1) / determinant);
  };
  const Eigen::Vector2d foot = solve(-x.col(0).dot(e1), -x.col(0).dot(e2));
  const Eigen::Vector2d slope = solve(tilt[1] - tilt[0], tilt[2] - tilt[0]);
  const double squared = (slope[0] * e1 + slope[1] * e2).squaredNorm();
  if (!(squared < 1.0)) return false;
  const double apart = (x.col(0) + foot[0] * e1 + foot[1] * e2).norm();
  const Eigen::Vector2d at = foot - apart / std::sqrt(1.0 - squared) * slope;
  *weights = {1.0 - at.sum(), at[0], at[1]};
  return weights->minCoeff() >= 0.0;
}

// Calls visit(corners, tilt, weights of the part) for each side of a part: itself if it is an edge.
template <typename Visit>
void ForEachSide(const PartCorners& x, const Visit& visit) {
  if (x.cols() == 2) return visit(0, 1);
  for (int k = 0; x.cols() == 3 && k < 3; ++k) visit(k, (k + 1) % 3);
}

Vector3d OnSide(int i, int j, double s) {
  Vector3d weights = Vector3d::Zero();
  weights[i] = 1.0 - s;
  weights[j] = s;
  return weights;
}

}  // namespace

Supported InTilted(const Sphere& sphere, const PartCorners& x, const Vector3d& tilt) {
  const auto way = [](const Vector3d& place) { return place; };
  Least least;
  for (int j = 0; j < x.cols(); ++j) Take(x, tilt, way, Vector3d::Unit(j), &least);
  ForEachSide(x, [&](int i, int j) {
    const double s = TiltedOnSegment(x.col(i), x.col(j), tilt[j] - tilt[i]);
    Take(x, tilt, way, OnSide(i, j, s), &least);
  });
  Vector3d inside;
  if (x.cols() == 3 && TiltedInTriangle(x, tilt, &inside)) Take(x, tilt, way, inside, &least);
  Supported found = Round(least.weights, least.from_skeleton, sphere.radius);
  found.clearance.distance = least.value - sphere.radius;
  found.offset = sphere.radius;
  return found;
}

Supported InTilted(const Capsule& capsule, const PartCorners& x, const Vector3d& tilt) {
  const Vector3d &half = capsule.half_axis, low = -half;
  const auto way = [&](const Vector3d& place) -> Vector3d {
    return place - PlaceOnSegment(low, half, ClosestOnSegment(low, half, place));
  };
  const double squared = half.squaredNorm();
  const auto across = [&](const Vector3d& place) -> Vector3d {
    return squared > 0.0 ? Vector3d(place - place.dot(half) / squared * half) : place;
  };
  Least least;
  for (int j = 0; j < x.cols(); ++j) Take(x, tilt, way, Vector3d::Unit(j), &least);
  ForEachSide(x, [&](int i, int j) {
    const Vector3d a = x.col(i), b = x.col(j);
    const double rise = tilt[j] - tilt[i];
    for (const double s :
         {TiltedOnSegment(across(a), across(b), rise), TiltedOnSegment(a - half, b - half, rise),
          TiltedOnSegment(a + half, b + half, rise)}) {
      Take(x, tilt, way, OnSide(i, j, s), &least);
    }
  });
  if (x.cols() == 3) {
    Vector3d inside;
    for (const Vector3d& end : {low, half}) {
      const PartCorners from_end = x.colwise() - end;
      if (TiltedInTriangle(from_end, tilt, &inside)) Take(x, tilt, way, inside, &least);
    }
    // Where the axis goes through the face.
    const SegmentAndTrianglePlaces places = ClosestOfSegmentAndTriangle(low, half, TriangleOf(x));
    if (places.squared == 0.0) Take(x, tilt, way, places.weights, &least);
  }
  Supported found = Round(least.weights, least.from_skeleton, capsule.radius);
  found.clearance.distance = least.value - capsule.radius;
  found.offset = std::abs(found.normal.dot(capsule.half_axis)) + capsule.radius;
  return found;
}

}  // namespace pliant
