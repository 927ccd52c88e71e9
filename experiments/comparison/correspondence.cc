#include "experiments/comparison/correspondence.h"

#include <algorithm>

#include "models/geometry/extent.h"

namespace pliant {
namespace {

constexpr double kSameRest = 1e-9;  // of the extent of a body

std::string WhyNot(const Body& body, const Body& other) {
  const std::string name = "body '" + body.name + "'";
  if (body.name != other.name) return name + " stands where the other has '" + other.name + "'";
  if (body.size() != other.size()) {
    return name + " has " + std::to_string(body.size()) + " points and " +
           std::to_string(other.size());
  }
  if (body.size() == 0) return "";
  const double extent = DiagonalOf(body.rest);
  const double off = (body.rest - other.rest).cwiseAbs().maxCoeff();
  return off <= kSameRest * extent ? "" : name + " has another shape at rest";
}

}  // namespace

std::string WhyNotCorresponding(const Scene& scene, const Scene& other) {
  const size_t both = std::min(scene.bodies.size(), other.bodies.size());
  for (size_t i = 0; i < both; ++i) {
    const std::string why = WhyNot(scene.bodies[i], other.bodies[i]);
    if (!why.empty()) return why;
  }
  const auto& more = scene.bodies.size() > both ? scene.bodies : other.bodies;
  return more.size() == both ? "" : "only one of them has the body '" + more[both].name + "'";
}

}  // namespace pliant
