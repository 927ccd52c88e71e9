#include "models/contact/excess.h"

#include <array>
#include <cmath>

#include "models/contact/supports.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr int kMostRounds = 60;
constexpr double kSettled = 1e-14;
// Fractions of the largest depth from which τ is sought.
constexpr std::array kStarts = {1.0, 0.7, 0.45, 0.25, 0.1};

// Of corners of a part: all of it, or a side.
struct Tilted {
  PartCorners x;
  Vector3d stored;  // f(d_j)
};

class HalfSquare final : public DepthEnergy {
 public:
  double Value(double depth) const override { return 0.5 * depth * depth; }
  double Slope(double depth) const override { return depth; }
};

// support(corners, tilt) is that of a convex shape.
template <typename SupportWith>
Excess PlaceAt(const SupportWith& support, const Tilted& part, const Vector3d& tilt) {
  const Supported found = support(part.x, tilt);
  const Vector3d& w = found.clearance.weights;
  return {0.0, tilt.dot(w) - found.clearance.distance, w, found.normal};
}

// The fixed point of τ ← d of the place for the slope f′(τ) to which Aitken's steps lead.
template <typename SupportWith>
Excess From(double tau, const SupportWith& support, const Tilted& part, const DepthEnergy& energy) {
  Excess place;
  for (int round = 0; round < kMostRounds; ++round) {
    place = PlaceAt(support, part, part.stored / energy.Slope(tau));
    const double once = place.depth;
    if (!(once > 0.0)) return {};
    if (std::abs(once - tau) <= kSettled * tau) break;
    place = PlaceAt(support, part, part.stored / energy.Slope(once));
    const double twice = place.depth;
    if (!(twice > 0.0)) return {};
    const double change = (twice - once) - (once - tau);
    const double ahead = change != 0.0 ? twice - (twice - once) * (twice - once) / change : twice;
    tau = ahead > 0.5 * twice && ahead < 2.0 * twice ? ahead : twice;
  }
  return place;
}

template <typename SupportWith>
Excess InConvex(const SupportWith& support, const Tilted& part, const DepthEnergy& energy) {
  const Excess deepest = PlaceAt(support, part, Vector3d::Zero());
  if (!(deepest.depth > 0.0)) return {};
  Excess most;
  const auto take = [&](Excess place) {
    if (place.weights.maxCoeff() >= 1.0 - kOnSide || place.normal.isZero(0.0)) return;
    place.value = energy.Value(place.depth) - part.stored.dot(place.weights);
    if (place.value > most.value) most = place;
  };
  if (part.stored.isZero(0.0)) {
    take(deepest);
    return most;
  }
  for (const double start : kStarts) take(From(start * deepest.depth, support, part, energy));
  if (part.x.cols() == 2) return most;
  // A face has at least what its sides have.
  for (int without = 0; without < 3; ++without) {
    const int i = (without + 1) % 3, j = (without + 2) % 3;
    Tilted side{PartCorners(3, 2), {part.stored[i], part.stored[j], 0.0}};
    side.x << part.x.col(i), part.x.col(j);
    Excess of_side = InConvex(support, side, energy);
    if (!(of_side.value > most.value)) continue;
    most = of_side;
    most.weights = Vector3d::Zero();
    most.weights[i] = of_side.weights[0];
    most.weights[j] = of_side.weights[1];
  }
  return most;
}

Supported Untilted(const Sphere& sphere, const PartCorners& x) { return InSphere(sphere, x); }
Supported Untilted(const Capsule& capsule, const PartCorners& x) { return InCapsule(capsule, x); }

// A place on the axis has no normal.
constexpr double kOnAxis = 1e-9;  // of the radius
Supported Outwards(double radius, const Vector3d& tilt, Supported found) {
  const double depth = tilt.dot(found.clearance.weights) - found.clearance.distance;
  if (depth >= (1.0 - kOnAxis) * radius) found.normal.setZero();
  return found;
}

}  // namespace

Excess ExcessOf(const ObstacleShape& shape, const Vector3d& origin, const PartCorners& corners,
                const Vector3d& depths) {
  return ExcessOf(shape, origin, corners, depths, HalfSquare());
}

Excess ExcessOf(const ObstacleShape& shape, const Vector3d& origin, const PartCorners& corners,
                const Vector3d& depths, const DepthEnergy& energy) {
  Tilted part{corners.colwise() - origin, Vector3d::Zero()};
  for (Eigen::Index j = 0; j < corners.cols(); ++j) part.stored[j] = energy.Value(depths[j]);
  return std::visit(
      Overloaded{
          [](const Plane&) { return Excess(); },
          [&](const Box& box) {
            return InConvex(
                [&](const PartCorners& x, const Vector3d& tilt) { return InBox(box, x, tilt); },
                part, energy);
          },
          [&](const Solid& solid) {
            Excess most;
            for (const ConvexPiece& piece : solid.pieces) {
              const Excess found =
                  InConvex([&](const PartCorners& x,
                               const Vector3d& tilt) { return InPiece(piece, x, tilt); },
                           part, energy);
              if (found.value > most.value) most = found;
            }
            return most;
          },
          [&](const auto& round) {
            return InConvex(
                [&](const PartCorners& x, const Vector3d& tilt) {
                  return Outwards(round.radius, tilt,
                                  tilt.isZero(0.0) ? Untilted(round, x) : InTilted(round, x, tilt));
                },
                part, energy);
          },
      },
      shape);
}

}  // namespace pliant
