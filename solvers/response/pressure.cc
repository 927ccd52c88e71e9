#include "solvers/response/pressure.h"

#include <utility>

namespace pliant {

using Eigen::Vector3d;

GridVectors PressureOn(const MultiresolutionSurface& model, const LevelVectors& surface,
                       const SurfaceOffsets& offsets, const ReactionOptions& law) {
  FramedRows rows(model.finest());
  LevelVectors f = model.ZeroVectors();
  for (int level = 0; level < model.levels(); ++level) {
    GridVectors& here = f[level];
    // P(f) of the level below is what a surface of these vectors would be prolongated to.
    model.WalkLevel(level, f, &rows, [&](const FramedRun& run) {
      for (int i = 0; i < run.count; ++i) here.row(run.begin + i) = run.Base(i).transpose();
    });
    model.WalkLevel(level, surface, &rows, [&](const FramedRun& run) {
      for (int i = 0; i < run.count; ++i) {
        const Vector3d o = offsets.elastic[level].row(run.begin + i);
        const double length = o.norm();
        if (length == 0.0) continue;
        here.row(run.begin + i) -= law.Pressure(length) / length * (run.Frame(i) * o).transpose();
      }
    });
  }
  return std::move(f.back());
}

}  // namespace pliant
