#include "models/kinematic_response/surface.h"

#include <array>
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
        const double x = wanted(vertex, 0) - run.base[0][i];
        const double y = wanted(vertex, 1) - run.base[1][i];
        const double z = wanted(vertex, 2) - run.base[2][i];
        rest(vertex, 0) = FramedRun::ToLocal(run.tangent_u, i, x, y, z);
        rest(vertex, 1) = FramedRun::ToLocal(run.tangent_v, i, x, y, z);
        rest(vertex, 2) = FramedRun::ToLocal(run.normal, i, x, y, z);
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
    WalkLevel(level, *surface, rows, [&](const FramedRun& run) {
      std::array<const double*, 3> r, o, p;
      std::array<double*, 3> s;
      for (int c = 0; c < 3; ++c) {
        r[c] = rest_[level].col(c).data() + run.begin;
        o[c] = offsets.elastic[level].col(c).data() + run.begin;
        p[c] = offsets.plastic[level].col(c).data() + run.begin;
        s[c] = (*surface)[level].col(c).data() + run.begin;
      }
      for (int i = 0; i < run.count; ++i) {
        const double x = r[0][i] + p[0][i] + kept * o[0][i];
        const double y = r[1][i] + p[1][i] + kept * o[1][i];
        const double z = r[2][i] + p[2][i] + kept * o[2][i];
        for (int c = 0; c < 3; ++c) s[c][i] = run.base[c][i] + run.ToWorld(c, i, x, y, z);
      }
    });
  }
}

}  // namespace pliant
