#include "models/kinematic_response/surface.h"

#include <cassert>

namespace pliant {

MultiresolutionSurface::MultiresolutionSurface(const GridSize& finest, const GridVectors& target,
                                               Prolongation prolongation)
    : prolongation_(prolongation), grids_(GridHierarchy(finest)) {
  assert(target.rows() == finest.size());
  LevelVectors targets;
  for (const GridSize& grid : grids_) targets.push_back(Subsample(finest, target, grid));
  rest_ = ZeroVectors();
  FramedRows rows(finest);
  for (int level = 0; level < levels(); ++level) {
    const GridVectors& wanted = targets[level];
    GridVectors& rest = rest_[level];
    // r = Fᵀ (target − b)
    WalkLevel(level, targets, &rows, [&](const FramedRun& run) {
      for (int i = 0; i < run.count; ++i) {
        const int vertex = run.begin + i;
        const Eigen::Vector3d away = wanted.row(vertex).transpose() - run.Base(i);
        rest.row(vertex) = run.Frame(i).transpose() * away;
      }
    });
  }
}

SurfaceOffsets MultiresolutionSurface::ZeroOffsets() const {
  return {ZeroVectors(), ZeroVectors()};
}

LevelVectors MultiresolutionSurface::ZeroVectors() const {
  LevelVectors vectors;
  for (const GridSize& grid : grids_) vectors.push_back(GridVectors::Zero(grid.size(), 3));
  return vectors;
}

void MultiresolutionSurface::Place(const SurfaceOffsets& offsets,
                                   const std::vector<double>& retained, FramedRows* rows,
                                   LevelVectors* surface) const {
  for (int level = 0; level < levels(); ++level) {
    const double kept = retained[level];
    const GridVectors& rest = rest_[level];
    const GridVectors& elastic = offsets.elastic[level];
    const GridVectors& plastic = offsets.plastic[level];
    GridVectors& placed = (*surface)[level];
    WalkLevel(level, *surface, rows, [&](const FramedRun& run) {
      for (int i = 0; i < run.count; ++i) {
        const int vertex = run.begin + i;
        const Eigen::Vector3d r = rest.row(vertex), p = plastic.row(vertex);
        const Eigen::Vector3d q = kept * elastic.row(vertex);
        placed.row(vertex) = run.Base(i) + run.Frame(i) * (r + p + q);
      }
    });
  }
}

}  // namespace pliant
