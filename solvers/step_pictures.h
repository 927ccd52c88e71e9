// The phases of a step, for whoever wants to see each: what a simulation has if its step is made of
// parts that mean something by themselves.

#ifndef PLIANT_SOLVERS_STEP_PICTURES_H_
#define PLIANT_SOLVERS_STEP_PICTURES_H_

#include <Eigen/Core>
#include <functional>
#include <string>

namespace pliant {

// What one phase has done, as an eye can see it.
struct StepPicture {
  std::string phase;         // in words: "free motion of level 1"
  Eigen::Matrix3Xd points;   // 3×n, those of the scene as they are now [m]
  Eigen::Matrix3Xd pieces;   // 3×2m, ends of the pieces that the phase is about, in twos [m]
  Eigen::Matrix3Xd origins;  // 3×k, where vectors begin [m]
  Eigen::Matrix3Xd vectors;  // 3×k, in `unit`
  std::string unit;          // N, m/s or m; empty without vectors
};

using StepViewer = std::function<void(const StepPicture&)>;

class HasPhases {
 public:
  virtual ~HasPhases() = default;

  // From now on `viewer` is called after every phase of a step, in their order; an empty one ends
  // that. It is no state, and costs nothing while nobody looks.
  virtual void ShowPhases(StepViewer viewer) = 0;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_STEP_PICTURES_H_
