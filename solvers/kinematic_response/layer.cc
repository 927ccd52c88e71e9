#include "solvers/kinematic_response/layer.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant::kinematic_response {

using Eigen::Vector3d;

Eigen::VectorXd ThicknessAlong(const GridSize& grid, const std::vector<double>& thickness) {
  const int pieces = static_cast<int>(thickness.size()) - 1;
  Eigen::VectorXd along(grid.nu);
  for (int u = 0; u < grid.nu; ++u) {
    const double at = static_cast<double>(u) / (grid.nu - 1) * pieces;
    const int piece = std::min(static_cast<int>(at), pieces - 1);
    along[u] =
        pieces == 0 ? thickness[0] : std::lerp(thickness[piece], thickness[piece + 1], at - piece);
  }
  return along.replicate(grid.nv, 1);
}

CompliantLayer::CompliantLayer(const MultiresolutionSurface& model, Eigen::VectorXd thickness)
    : thickness_(std::move(thickness)),
      retained_(model.levels(), 1.0),
      rows_(model.finest()),
      without_layer_(model.ZeroVectors()),
      no_offsets_(GridVectors::Zero(model.finest().size(), 3)),
      no_plastic_(no_offsets_),
      whole_(no_offsets_) {}

void CompliantLayer::Restrict(const std::vector<LevelControls>& controls, SurfaceOffsets* offsets,
                              KinematicResponse* response) {
  const MultiresolutionSurface& model = response->model();
  for (int level = 0; level < model.levels(); ++level) {
    retained_[level] = controls[level].retention;
  }
  offsets->elastic.back().swap(no_offsets_);
  offsets->plastic.back().swap(no_plastic_);
  model.Place(*offsets, retained_, &rows_, &without_layer_);
  offsets->elastic.back().swap(no_offsets_);
  offsets->plastic.back().swap(no_plastic_);

  GridVectors& displacements = *response->displacements();
  whole_ = displacements;
  const GridVectors &relaxed = response->relaxed(), &inner = without_layer_.back();
  for (Eigen::Index i = 0; i < whole_.rows(); ++i) {
    const Vector3d d = whole_.row(i);
    const double length = d.norm();
    if (length <= response->shortest_displacement()) continue;
    const Vector3d h = d / length, moved = relaxed.row(i) - inner.row(i);
    const double compressed = std::max(0.0, h.dot(moved));
    const double left = std::max(0.0, thickness_[i] - compressed);
    displacements.row(i) = std::max(0.0, length - left) * h.transpose();
  }
  response->RestrictDisplacements();
  *response->displacements() = whole_;
}

}  // namespace pliant::kinematic_response
