// Edits of pose graphs: poses that the user takes with a key at a time, and the order of the poses.
// No Qt.
//
// A pose taken with a key is a pose "hand-1", "hand-2", … of the graph, with the targets of the
// pose on that key, and a sensor of the same name that turns true at its time. Every other pose
// leads to the first of them, each of them leads to the next, and the last is held.

#ifndef PLIANT_APP_WORKBENCH_EDITS_POSE_EDIT_H_
#define PLIANT_APP_WORKBENCH_EDITS_POSE_EDIT_H_

#include <memory>
#include <string>
#include <vector>

#include "experiments/files/experiment.h"
#include "solvers/control/tables.h"

namespace pliant {

// The controller with this index among several; -1: the table is a single controller.
ControlTable& ControllerOf(ControlTable* table, int controller);

// Poses of one controller that were not taken with a key, in order: those on the keys 1 to 9.
std::vector<size_t> PosesOnKeys(const ControlTable& controller);

// Takes the pose on `key` (from 1) at `time` [s]; replaces one taken at the same time. False when
// there is no such pose.
bool TakePose(ControlTable* controller, size_t key, double time);

// TakePose() in every controller of every backend that follows poses. Throws BadInput when no
// controller has this pose, and FileError.
std::shared_ptr<const Experiment> WithPose(const Experiment& experiment, size_t key, double time);

// Removes the poses taken with keys.
void ForgetTakenPoses(ControlTable* controller);

// CopyPose inserts a copy after the pose and returns its index. RemovePose redirects the
// transitions to the pose to the first pose that it leads to; false when it is the only pose or
// leads nowhere. MovePose moves the pose by one place in the list; false at the ends.
size_t CopyPose(ControlTable* controller, size_t pose);
bool RemovePose(ControlTable* controller, size_t pose);
bool MovePose(ControlTable* controller, size_t pose, int by);
void RenamePose(ControlTable* controller, size_t pose, const std::string& name);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_EDITS_POSE_EDIT_H_
