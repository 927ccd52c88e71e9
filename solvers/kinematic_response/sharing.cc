#include "solvers/kinematic_response/sharing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pliant::kinematic_response {

using Eigen::Vector3d;

namespace {

// Over the vertices of a triangle or an edge, which has its second vertex twice.
double MeanOf(const Eigen::VectorXd& values, const std::array<int, 3>& element) {
  const auto& [a, b, c] = element;
  return b == c ? 0.5 * (values[a] + values[b]) : (values[a] + values[b] + values[c]) / 3.0;
}

}  // namespace

double ExitThroughFront(const SurfaceRays& surface, const Vector3d& x, const Vector3d& direction,
                        std::vector<SurfaceRays::Crossing>* crossings) {
  surface.Cross(x, direction, crossings);
  return crossings->empty() || crossings->front().side < 0 ? std::numeric_limits<double>::infinity()
                                                           : crossings->front().distance;
}

double CastAgainstSurface(const SurfaceRays& other, double step_size, const Eigen::VectorXd& own,
                          const Eigen::VectorXd& others, KinematicResponse* response,
                          std::vector<SurfaceRays::Crossing>* crossings) {
  const MultiresolutionSurface& model = response->model();
  const GridVectors& surface = response->surface();
  const double shortest = response->shortest_displacement();
  GridVectors& displacements = *response->displacements();
  // A flat surface has a flat box; how far the vertices have passed through it is open, so the box
  // reaches as far as the other surface does in its longest direction.
  const double reach = (other.upper() - other.lower()).maxCoeff() + shortest;
  double longest = 0.0;
  for (int vertex = 0; vertex < surface.rows(); ++vertex) {
    const Vector3d p = surface.row(vertex);
    if (((p - other.upper()).array() > reach).any() ||
        ((other.lower() - p).array() > reach).any()) {
      continue;
    }
    const Vector3d direction = -model.Normal(surface, vertex);
    if (direction.isZero(0.0)) continue;
    const double length = ExitThroughFront(other, p, direction, crossings);
    if (!std::isfinite(length) || length <= shortest) continue;
    longest = std::max(longest, length);
    const double stiffness = MeanOf(others, other.element(crossings->front().element));
    const double share = stiffness / (own[vertex] + stiffness);
    const Vector3d d = step_size * share * length * direction;
    if (d.squaredNorm() > displacements.row(vertex).squaredNorm()) {
      displacements.row(vertex) = d.transpose();
    }
  }
  return longest;
}

}  // namespace pliant::kinematic_response
