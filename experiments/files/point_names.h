// Which points of which bodies the words of a scene file name.

#ifndef PLIANT_EXPERIMENTS_FILES_POINT_NAMES_H_
#define PLIANT_EXPERIMENTS_FILES_POINT_NAMES_H_

#include <string>
#include <vector>

#include "experiments/files/document.h"
#include "experiments/files/scene_keys.h"
#include "models/scene/scene.h"

namespace pliant {

// All throw FileError at the place of the name that is wrong.

// The points of `body` that `value` names: one, unless it is the name of a group.
std::vector<int> PointsNamed(const Body& body, const PointValue& value, const FilePlace& place);
int OnePointNamed(const Body& body, const PointValue& value, const FilePlace& place);

int BodyNamed(const Scene& scene, const std::string& name, const FilePlace& place);

// The point of a table with the keys body and point, the points of one with body and point(s).
PointRef PointOf(const Scene& scene, const PointOfKeys& keys, const FileValue& table);
std::vector<PointRef> PointsOf(const Scene& scene, const TargetKeys& keys, const FileValue& table);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_POINT_NAMES_H_
