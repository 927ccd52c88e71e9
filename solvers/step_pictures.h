// The phases of a step, for display: an optional interface of simulations whose step consists of
// meaningful parts.

#ifndef PLIANT_SOLVERS_STEP_PICTURES_H_
#define PLIANT_SOLVERS_STEP_PICTURES_H_

#include <Eigen/Core>
#include <functional>
#include <string>

namespace pliant {

// The visible result of one phase.
struct StepPicture {
  std::string phase;         // in words: "free motion of level 1"
  Eigen::Matrix3Xd points;   // 3×n, those of the scene as they are now [m]
  Eigen::Matrix3Xd pieces;   // 3×2m, end points of the segments it changes, in pairs [m]
  Eigen::Matrix3Xd origins;  // 3×k, where vectors begin [m]
  Eigen::Matrix3Xd vectors;  // 3×k, in `unit`
  std::string unit;          // N, m/s or m; empty without vectors
};

// Of the sweeps of a step, numbered from 1, these are shown: the first eight, then those whose
// number is a power of two.
inline bool IsShownSweep(int number) { return number <= 8 || (number & (number - 1)) == 0; }

using StepViewer = std::function<void(const StepPicture&)>;

class HasPhases {
 public:
  virtual ~HasPhases() = default;

  // From now on calls `viewer` after every phase of a step, in order; an empty viewer ends this.
  // The viewer is not state, and costs nothing when absent.
  virtual void ShowPhases(StepViewer viewer) = 0;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_STEP_PICTURES_H_
