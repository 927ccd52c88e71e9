#include "models/contact/clearance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/contact/supports.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr double kFarAway = std::numeric_limits<double>::infinity();

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
    double apart = kFarAway;
    for (Eigen::Index j = 0; j < now.cols(); ++j) {
      const double rate = at.normal.dot(motion.col(j));
      if (!(rate < 0.0)) continue;
      const double room = std::max(0.0, at.normal.dot(now.col(j)) - at.offset - target);
      apart = std::min(apart, -room / rate);
    }
    time += std::max(apart, speed > 0.0 ? above / speed : kFarAway);
    if (!(time <= 1.0)) return std::nullopt;
  }
  return ObstacleImpact{time, false};
}

}  // namespace

Supported SupportIn(const ObstacleShape& shape, const Vector3d& origin,
                    const PartCorners& corners) {
  const PartCorners x = corners.colwise() - origin;
  Supported least{{kFarAway}};
  ForEachConvex(shape, [&](const auto& supporting) {
    const Supported found = supporting(x);
    if (found.clearance.distance < least.clearance.distance) least = found;
  });
  return least;
}

Clearance ClearanceOf(const ObstacleShape& shape, const Vector3d& origin,
                      const PartCorners& corners) {
  return SupportIn(shape, origin, corners).clearance;
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
