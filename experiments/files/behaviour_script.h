// From the script of a [[behaviour]] to a tree of actions. The page about the file format describes
// the language (experiments/manual/format_page.cc).

#ifndef PLIANT_EXPERIMENTS_FILES_BEHAVIOUR_SCRIPT_H_
#define PLIANT_EXPERIMENTS_FILES_BEHAVIOUR_SCRIPT_H_

#include <Eigen/Core>
#include <map>
#include <string>
#include <vector>

#include "experiments/files/document.h"
#include "models/scene/scene.h"

namespace pliant {

// The actions of `script`, an array of lines. It names points of the bodies of `scene`, and
// `places` in the world [m]. Throws FileError.
std::vector<Action> ParseScript(const FileValue& script, const Scene& scene,
                                const std::map<std::string, Eigen::Vector3d>& places);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_BEHAVIOUR_SCRIPT_H_
