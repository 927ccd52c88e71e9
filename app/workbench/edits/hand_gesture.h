// What the mouse can do to a point, and how that becomes part of the experiment: every gesture is
// an element of the scene, named "hand-1", "hand-2", …, so that the command line repeats it. No Qt.

#ifndef PLIANT_APP_WORKBENCH_EDITS_HAND_GESTURE_H_
#define PLIANT_APP_WORKBENCH_EDITS_HAND_GESTURE_H_

#include <Eigen/Core>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/workbench/edits/trail.h"
#include "experiments/files/experiment.h"

namespace pliant {

enum class HandTool { kDrag, kPull, kBlow, kNail, kPoke };

struct HandToolInfo {
  HandTool tool;
  const char* name;
  const char* unit;  // of the strength
  double standard;   // default strength
  const char* meaning;
};
std::span<const HandToolInfo> HandTools();
const HandToolInfo& InfoOf(HandTool tool);

inline constexpr double kPullTime = 0.1;  // s, duration of a pull
inline constexpr double kPokeTime = 0.4;  // s, duration of a poke, there and back

// A drag of the mouse on one point, at one time.
struct HandGesture {
  HandTool tool = HandTool::kPull;
  double strength = 0.0;                         // > 0, as InfoOf(tool).unit
  int point = 0;                                 // column of the scene's points
  Eigen::Vector3d at = Eigen::Vector3d::Zero();  // where the point was [m]
  Eigen::Vector3d by = Eigen::Vector3d::Zero();  // from there to where it was dragged [m], not 0
  double time = 0.0;                             // s
};

// The experiment with the gesture in its scene. Throws FileError.
std::shared_ptr<const Experiment> WithGesture(const Experiment& experiment,
                                              const HandGesture& gesture);

// A drag of a point while the clock runs. kDrag: a spring between the point and the mouse; its
// force is computed in the pane that is dragged, and the same force acts in every backend. kNail: a
// nail that follows the mouse and stays where the trail ends.
struct LiveDrag {
  HandTool tool = HandTool::kDrag;
  double strength = 0.0;         // > 0, as InfoOf(tool).unit
  int point = 0;                 // column of the scene's points
  std::shared_ptr<Trail> trail;  // forces, or positions
};

// The experiment with the drag in its scene, along the trail as it is now, which holds at least one
// value. Throws FileError.
std::shared_ptr<const Experiment> WithDrag(const Experiment& experiment, const LiveDrag& drag);
// `experiment` comes from WithDrag(), called for each of `drags` in their order; replaces the drags in
// its scene by their trails as they are now. The same as WithDrag() again without reading the document.
std::shared_ptr<const Experiment> WithLongerDrags(const Experiment& experiment,
                                                  std::span<const LiveDrag> drags);
// How far [s] the scene of such an experiment knows each of the drags.
std::vector<double> EndsOf(const Experiment& experiment, std::span<const LiveDrag> drags);

// In words: "a pull of 12 N for 0.1 s".
std::string Describe(const HandGesture& gesture);
std::string Describe(const LiveDrag& drag);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_EDITS_HAND_GESTURE_H_
