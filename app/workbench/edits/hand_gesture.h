// What the hand can do to a point, and how that becomes part of the experiment: a drag is an
// element of the scene, called "hand-1", "hand-2", …, so that the command line can repeat it. No
// Qt.

#ifndef PLIANT_APP_WORKBENCH_EDITS_HAND_GESTURE_H_
#define PLIANT_APP_WORKBENCH_EDITS_HAND_GESTURE_H_

#include <Eigen/Core>
#include <memory>
#include <span>
#include <string>

#include "app/workbench/edits/trail.h"
#include "experiments/files/experiment.h"

namespace pliant {

enum class HandTool { kLead, kPull, kBlow, kNail, kPoke };

struct HandToolInfo {
  HandTool tool;
  const char* name;  // of the choice
  const char* unit;  // of its strength
  double standard;   // strength to begin with
  const char* meaning;
};
std::span<const HandToolInfo> HandTools();
const HandToolInfo& InfoOf(HandTool tool);

inline constexpr double kPullTime = 0.1;  // s, for which a pull acts
inline constexpr double kPokeTime = 0.4;  // s, of a poke, there and back

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

// A hand that leads a point while the clock runs. By a spring (kLead): the force that it has where
// it is held, and no other, acts in every backend. By a nail (kNail), which stays where the trail
// ends.
struct HandLead {
  HandTool tool = HandTool::kLead;
  double strength = 0.0;         // > 0, as InfoOf(tool).unit
  int point = 0;                 // column of the scene's points
  std::shared_ptr<Trail> trail;  // forces, or places
};

// The experiment with the hand in its scene, along the trail as it is now: one value at least.
// Throws FileError.
std::shared_ptr<const Experiment> WithLead(const Experiment& experiment, const HandLead& lead);
// The scene of an experiment that WithLead() gave with all that is known of the trail by now. As
// WithLead(), without the detour by the document.
std::shared_ptr<const Experiment> FollowingLead(const Experiment& experiment, const HandLead& lead);

// In words: "a pull of 12 N for 0.1 s".
std::string Describe(const HandGesture& gesture);
std::string Describe(const HandLead& lead);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_EDITS_HAND_GESTURE_H_
