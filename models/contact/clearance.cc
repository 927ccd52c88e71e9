#include "models/contact/clearance.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "models/collision/closest.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// The clearance of a part, and a plane that supports it: wherever its corners are, the distance is
// at least min_j normal·x_j − offset, and here it is equal to that.
struct Supported {
  Clearance clearance;
  Vector3d normal = Vector3d::UnitY();
  double offset = 0.0;  // m
};

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
Supported InPlanes(int planes, const NormalOf& normal, const OffsetOf& offset,
                   const PartCorners& x) {
  const auto count = static_cast<int>(x.cols());
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
      for (int j = 0; j < count; ++j) game(i, j) = value(taken[i], x.col(j));
    }
    w = SolveGame(game);
    const GameWeights share = SolveGame(-game.transpose());  // of the planes, in the support
    const double low = (game.transpose() * share).minCoeff();
    const auto [high, plane] = highest(x * w);
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

Supported InBox(const Box& box, const PartCorners& x) {
  return InPlanes(
      6, [&box](int i) -> Vector3d { return (i < 3 ? 1.0 : -1.0) * box.axes.col(i % 3); },
      [&box](int i) { return box.half_size[i % 3]; }, x);
}

Supported InPiece(const ConvexPiece& piece, const PartCorners& x) {
  return InPlanes(
      static_cast<int>(piece.offsets.size()),
      [&piece](int i) -> Vector3d { return piece.normals.col(i); },
      [&piece](int i) { return piece.offsets[i]; }, x);
}

// --- round shapes

std::array<Vector3d, 3> TriangleOf(const PartCorners& x) { return {x.col(0), x.col(1), x.col(2)}; }

Supported Round(const Vector3d& weights, const Vector3d& from_skeleton, double radius) {
  const double length = from_skeleton.norm();
  Supported found{{length - radius, weights}};
  if (length > 0.0) found.normal = from_skeleton / length;
  return found;
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

// --- of all shapes; corners relative to the origin

// Calls visit(f) with a function of corners for each convex piece of the shape.
template <typename Visit>
void ForEachConvex(const ObstacleShape& shape, const Visit& visit) {
  std::visit(
      Overloaded{
          [&](const Plane& s) { visit([&s](const PartCorners& x) { return InPlane(s, x); }); },
          [&](const Sphere& s) { visit([&s](const PartCorners& x) { return InSphere(s, x); }); },
          [&](const Box& s) { visit([&s](const PartCorners& x) { return InBox(s, x); }); },
          [&](const Capsule& s) { visit([&s](const PartCorners& x) { return InCapsule(s, x); }); },
          [&](const Solid& s) {
            for (const ConvexPiece& piece : s.pieces) {
              visit([&piece](const PartCorners& x) { return InPiece(piece, x); });
            }
          },
      },
      shape);
}

// The corners move straight, relative to the obstacle.
template <typename Supporting>
std::optional<ObstacleImpact> Advance(const Supporting& supporting, const PartCorners& start,
                                      const PartCorners& end, const ImpactOptions& options) {
  const PartCorners motion = end - start;
  const double speed = std::sqrt(motion.colwise().squaredNorm().maxCoeff());
  const double target = options.separation + 0.5 * options.tolerance;
  double time = 0.0;
  for (int spent = 0; spent < options.budget; ++spent) {
    const PartCorners now = start + time * motion;
    const Supported at = supporting(now);
    const double above = at.clearance.distance - target;
    if (above <= 0.5 * options.tolerance) return ObstacleImpact{time, true};
    // Until some corner is through the plane that keeps them apart; or has come this far.
    double apart = kUnbounded;
    for (Eigen::Index j = 0; j < now.cols(); ++j) {
      const double rate = at.normal.dot(motion.col(j));
      if (!(rate < 0.0)) continue;
      const double room = std::max(0.0, at.normal.dot(now.col(j)) - at.offset - target);
      apart = std::min(apart, -room / rate);
    }
    time += std::max(apart, speed > 0.0 ? above / speed : kUnbounded);
    if (!(time <= 1.0)) return std::nullopt;
  }
  return ObstacleImpact{time, false};
}

}  // namespace

Clearance ClearanceOf(const ObstacleShape& shape, const Vector3d& origin,
                      const PartCorners& corners) {
  const PartCorners x = corners.colwise() - origin;
  Clearance least{kUnbounded};
  ForEachConvex(shape, [&](const auto& supporting) {
    const Clearance clearance = supporting(x).clearance;
    if (clearance.distance < least.distance) least = clearance;
  });
  return least;
}

std::optional<ObstacleImpact> FirstImpact(const ObstacleShape& shape, const PointMotion& origin,
                                          const PartCorners& start, const PartCorners& end,
                                          const ImpactOptions& options) {
  const PartCorners from = start.colwise() - origin.start, to = end.colwise() - origin.end;
  std::optional<ObstacleImpact> first;
  ForEachConvex(shape, [&](const auto& supporting) {
    const auto impact = Advance(supporting, from, to, options);
    if (impact && (!first || impact->time < first->time)) first = impact;
  });
  return first;
}

}  // namespace pliant
