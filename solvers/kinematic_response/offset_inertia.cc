#include "solvers/kinematic_response/offset_inertia.h"

#include <Eigen/Core>

namespace pliant::kinematic_response {

using Eigen::Vector3d;

void OffsetInertia::Remember(const SurfaceOffsets& offsets) {
  for (size_t level = 0; level < before_.size(); ++level) {
    before_[level] = offsets.elastic[level] + offsets.plastic[level];
  }
}

void OffsetInertia::Limit(const std::vector<LevelControls>& controls, double h,
                          SurfaceOffsets* offsets) {
  for (size_t level = 0; level < before_.size(); ++level) {
    GridVectors& elastic = offsets->elastic[level];
    for (Eigen::Index i = 0; i < elastic.rows(); ++i) {
      const Vector3d now = elastic.row(i) + offsets->plastic[level].row(i);
      const Vector3d old = before_[level].row(i), rate = rates_[level].row(i);
      const Vector3d change = (now - old) / h - rate;
      const double size = change.norm();
      const Vector3d along = change * InverseLength(change.squaredNorm());
      const double most = controls[level].acceleration.Along(i, along) * h;
      const Vector3d reached =
          size > most ? Vector3d(rate + most / size * change) : Vector3d(rate + change);
      rates_[level].row(i) = reached;
      if (size > most) elastic.row(i) += (old + h * reached - now).transpose();
    }
  }
}

}  // namespace pliant::kinematic_response
