// Edits of pose graphs: poses taken by hand at a time, the sequence of a list of poses. No Qt.
//
// A pose that is taken by hand is a pose "hand-1", "hand-2", … of the graph, with the targets of
// the one that was asked for, and a sensor of the same name that turns true at its time. Every
// other pose leads to the first of them, each of them to the next, the last is kept.

#ifndef PLIANT_APP_WORKBENCH_EDITS_POSE_EDIT_H_
#define PLIANT_APP_WORKBENCH_EDITS_POSE_EDIT_H_

#include <memory>
#include <string>
#include <vector>

#include "experiments/files/experiment.h"
#include "solvers/control/tables.h"

namespace pliant {

// The controller of that number among several; -1: the table is one controller.
ControlTable& ControllerOf(ControlTable* table, int controller);

// Poses of one controller that are not taken by hand, in their order: those of the keys 1 to 9.
std::vector<size_t> PosesOnKeys(const ControlTable& controller);

// Takes the pose of the key (from 1) at `time` [s], in place of one taken at the same time. False
// when there is no such pose.
bool TakePose(ControlTable* controller, size_t key, double time);

// In every controller of every backend that follows poses. Throws BadInput when none has this pose,
// FileError as the reader of experiments does.
std::shared_ptr<const Experiment> WithPose(const Experiment& experiment, size_t key, double time);

// Without what was taken by hand.
void ForgetTakenPoses(ControlTable* controller);

// A copy after it, the place of the copy is returned; without it, where others led to it they lead
// to where it led first (false when it is the last one, or where it leads nowhere); one place
// earlier or later in the list (false at its ends); under another name.
size_t CopyPose(ControlTable* controller, size_t pose);
bool RemovePose(ControlTable* controller, size_t pose);
bool MovePose(ControlTable* controller, size_t pose, int by);
void RenamePose(ControlTable* controller, size_t pose, const std::string& name);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_EDITS_POSE_EDIT_H_
