#include "solvers/kinematic_response/self_contact.h"

#include <algorithm>

namespace pliant::kinematic_response {
namespace {

using Eigen::Vector3d;

// True if a ray inwards leaves the body on its far side.
bool ClosesAround(const Body& body) {
  return body.closed || body.shape == ShapeKind::kRing || body.shape == ShapeKind::kTube;
}

}  // namespace

SelfContact::SelfContact(const Body& body, double deepest)
    : deepest_(deepest), own_(ClosesAround(body) ? 1 : 0), near_from_(1, 0) {
  std::vector<std::vector<int>> neighbours(body.size());
  const auto join = [&neighbours](int a, int b) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  };
  for (const auto& [a, b] : body.edges) join(a, b);
  for (const auto& [a, b, c] : body.faces) {
    join(a, b);
    join(b, c);
    join(c, a);
  }
  std::vector<int> around;
  for (int vertex = 0; vertex < body.size(); ++vertex) {
    around = {vertex};
    for (int ring = 0; ring < kRings; ++ring) {
      const size_t inner = around.size();
      for (size_t i = 0; i < inner; ++i) {
        const std::vector<int>& next = neighbours[around[i]];
        around.insert(around.end(), next.begin(), next.end());
      }
      std::sort(around.begin(), around.end());
      around.erase(std::unique(around.begin(), around.end()), around.end());
    }
    near_.insert(near_.end(), around.begin(), around.end());
    near_from_.push_back(static_cast<int>(near_.size()));
  }
}

bool SelfContact::IsNear(int vertex, const std::array<int, 3>& element) const {
  const auto begin = near_.begin() + near_from_[vertex],
             end = near_.begin() + near_from_[vertex + 1];
  return std::any_of(element.begin(), element.end(),
                     [&](int other) { return std::binary_search(begin, end, other); });
}

double SelfContact::Depth(const SurfaceRays& rays, const KinematicResponse& response, int vertex,
                          std::vector<SurfaceRays::Crossing>* crossings) const {
  const GridVectors& surface = response.surface();
  const Vector3d inwards = -response.model().Normal(surface, vertex);
  if (inwards.isZero(0.0)) return 0.0;
  rays.Cross(surface.row(vertex), inwards, crossings);
  int exits = 0;
  double nearest = 0.0;
  for (const SurfaceRays::Crossing& crossing : *crossings) {
    if (IsNear(vertex, rays.element(crossing.element))) continue;
    exits += crossing.side;
    if (crossing.side > 0 && nearest == 0.0) nearest = crossing.distance;
  }
  return exits > own_ && nearest <= deepest_ ? nearest : 0.0;
}

double SelfContact::Cast(const SurfaceRays& rays, double share, KinematicResponse* response,
                         std::vector<SurfaceRays::Crossing>* crossings) const {
  const GridVectors& surface = response->surface();
  GridVectors& displacements = *response->displacements();
  double longest = 0.0;
  for (int vertex = 0; vertex < surface.rows(); ++vertex) {
    const double depth = Depth(rays, *response, vertex, crossings);
    if (depth <= response->shortest_displacement()) continue;
    longest = std::max(longest, depth);
    const Vector3d d = -share * depth * response->model().Normal(surface, vertex);
    if (d.squaredNorm() > displacements.row(vertex).squaredNorm()) {
      displacements.row(vertex) = d.transpose();
    }
  }
  return longest;
}

}  // namespace pliant::kinematic_response
