// Binds control and key frames of data files to the bodies and modes of a scene.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_CONTROL_BINDING_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_CONTROL_BINDING_H_

#include <string>
#include <vector>

#include "solvers/control/tables.h"
#include "solvers/dynamic_ffd/ffd_system.h"

namespace pliant::dynamic_ffd {

// Both throw BadInput with paths that begin with the name of the parameter:
// "control.pose[1].next[0]", "keyframes.key[2].time", "control.controller[1].body" of several, each
// of which has a body of its own.
//
// Applies the table to bodies of the system; does nothing when it is empty.
std::vector<ModeControl> BindControl(const ControlTable& table, const DynamicFfdSystem& system);
// `q` are the initial coordinates of all bodies.
void AddKeyFrames(const Scene& scene, const KeyFrameTable& table, const Eigen::VectorXd& q,
                  DynamicFfdSystem* system);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_CONTROL_BINDING_H_
