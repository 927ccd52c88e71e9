#include "solvers/kinematic_response/pressure.h"

#include <utility>

namespace pliant::kinematic_response {

using Eigen::Vector3d;

GridVectors PressureOn(const MultiresolutionSurface& model, const LevelVectors& surface,
                       const SurfaceOffsets& offsets, const ReactionOptions& law) {
  FramedRows rows(model.finest());
  LevelVectors f = model.ZeroVectors();
  for (int level = 0; level < model.levels(); ++level) {
    GridVectors& here = f[level];
    // P(f) of the level below is what a surface of these vectors would be prolongated to.
    model.WalkLevel(level, f, &rows, [&](const FramedStrip& strip) {
      for (int i = 0; i < strip.count; ++i) here.row(strip.begin + i) = strip.Base(i).transpose();
    });
    model.WalkLevel(level, surface, &rows, [&](const FramedStrip& strip) {
      for (int i = 0; i < strip.count; ++i) {
        const Vector3d o = offsets.elastic[level].row(strip.begin + i);
        const double length = o.norm();
        if (length == 0.0) continue;
        here.row(strip.begin + i) -=
            law.Pressure(length) / length * (strip.Frame(i) * o).transpose();
      }
    });
  }
  return std::move(f.back());
}

}  // namespace pliant::kinematic_response
