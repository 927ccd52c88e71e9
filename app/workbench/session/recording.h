// What one pane has recorded so far: the points at each recorded time, in single precision because
// they are only displayed, and the row of the series. Plain data, no Qt.

#ifndef PLIANT_APP_WORKBENCH_SESSION_RECORDING_H_
#define PLIANT_APP_WORKBENCH_SESSION_RECORDING_H_

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/runs/series.h"

namespace pliant {

// One level of MethodPieces.
struct PanePieces {
  std::string name;
  Eigen::Matrix3Xf ends;  // 3×2m, world [m]; empty when there are too many to distinguish
};
inline constexpr int kMostPieces = 4096;  // of a level

struct PaneFrame {
  double time = 0.0;            // s
  Eigen::Matrix3Xf points;      // 3×n, world [m]
  Eigen::Matrix3Xf velocities;  // 3×n, world [m/s]; 3×0 where they are not defined
  // 3×n, Simulation::ConstraintForces() [N]; 3×0 where they are not defined or not known.
  Eigen::Matrix3Xf constraint_forces;
  SeriesRow row;
  std::vector<PanePieces> pieces;  // the pieces of the formulation, coarsest first
};

// Frames in the order of their times. Frames never change: threads may share them.
class Recording {
 public:
  void Add(std::shared_ptr<const PaneFrame> frame) { frames_.push_back(std::move(frame)); }
  void Clear() { frames_.clear(); }

  bool empty() const { return frames_.empty(); }
  size_t size() const { return frames_.size(); }
  const PaneFrame& operator[](size_t i) const { return *frames_[i]; }
  double EndTime() const { return frames_.empty() ? 0.0 : frames_.back()->time; }  // s

  // The last frame at or before `time` (up to rounding), else the first; none when empty. O(log n).
  std::optional<size_t> IndexAt(double time) const;
  std::shared_ptr<const PaneFrame> At(double time) const;

 private:
  std::vector<std::shared_ptr<const PaneFrame>> frames_;
};

// Times whose relative difference is smaller are equal: they were summed in another order.
inline constexpr double kTimeRounding = 1e-9;
// The rounding of a time [s].
inline double RoundingAt(double time) { return kTimeRounding * std::max(1.0, std::abs(time)); }

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_SESSION_RECORDING_H_
