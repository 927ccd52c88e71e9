#include "solvers/contact/sinking.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "models/geometry/extent.h"
#include "models/scene/forces.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

// Of the size of a body: points that are further from an obstacle than the nearest by less are as near.
constexpr double kAsNear = 1e-3;

struct Sinking {
  double depth = 0.0;  // m
  int points = 0;
};

Sinking SinkingOf(const Body& body, const Gravity& gravity, const Obstacle& obstacle,
                  double stiffness) {
  const Eigen::Matrix3Xd x = body.InitialPoints();
  const double size = DiagonalOf(x);
  std::vector<double> distances(x.cols());
  Proximity nearest{std::numeric_limits<double>::infinity(), Eigen::Vector3d::Zero()};
  for (Eigen::Index p = 0; p < x.cols(); ++p) {
    const Proximity at = SignedDistance(obstacle.shape, obstacle.motion.At(0.0).position, x.col(p));
    distances[p] = at.distance;
    if (at.distance < nearest.distance) nearest = at;
  }
  const double across = -gravity.acceleration().dot(nearest.normal);  // m/s²
  if (!(across > 0.0)) return {};                                     // the body is not above it
  const auto points = std::ranges::count_if(
      distances, [&](double distance) { return distance <= nearest.distance + kAsNear * size; });
  return {body.mass.sum() * across / (stiffness * static_cast<double>(points)),
          static_cast<int>(points)};
}

bool IsNailed(const Scene& scene, int body) {
  return std::ranges::any_of(scene.nails,
                             [body](const Nail& nail) { return nail.point.body == body; });
}

}  // namespace

std::string SinkingInWords(const Scene& scene, const Obstacle& obstacle, double stiffness) {
  const Gravity gravity(scene);
  if (!gravity.acts() || !(stiffness > 0.0)) return "";
  Sinking deepest;
  std::string name;
  for (int b = 0; b < static_cast<int>(scene.bodies.size()); ++b) {
    if (IsNailed(scene, b)) continue;
    const Sinking sinking = SinkingOf(scene.bodies[b], gravity, obstacle, stiffness);
    if (sinking.depth <= deepest.depth) continue;
    deepest = sinking;
    name = scene.bodies[b].name;
  }
  if (name.empty()) return "";
  const std::string points =
      deepest.points == 1 ? "its nearest point carries it"
                          : "its " + std::to_string(deepest.points) + " nearest points carry it";
  return "; at rest '" + name + "' sinks in by " + ThreeDigits(deepest.depth) + " m where " +
         points;
}

}  // namespace pliant
