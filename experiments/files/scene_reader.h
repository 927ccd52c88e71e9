// From the scene table of a document to a validated Scene.

#ifndef PLIANT_EXPERIMENTS_FILES_SCENE_READER_H_
#define PLIANT_EXPERIMENTS_FILES_SCENE_READER_H_

#include <vector>

#include "experiments/files/document.h"
#include "models/scene/scene.h"

namespace pliant {

// Reads `table`, writing shape files and defaults out in it, so that it reads again to the same
// scene on its own. Throws FileError.
Scene ReadSceneTable(FileValue* table);

// Steps of ReadSceneTable that stand in files of their own.
Body ReadBody(FileValue* table, int dimension);
Obstacle ReadObstacle(FileValue* table, int dimension);
// The bodies of `scene` are known by then.
std::vector<Nail> ReadNails(FileValue* table, const Scene& scene);
Attachment ReadAttachment(FileValue* table, const Scene& scene);
std::vector<Slider> ReadSliders(FileValue* table, const Scene& scene);
Limit ReadLimit(FileValue* table, const Scene& scene);
Combination ReadCombination(FileValue* table, const Scene& scene);
Behaviour ReadBehaviour(FileValue* table, const Scene& scene);

// A path through `keys`; what is wrong with it is told at the keys of `table`.
Path MakePath(const std::vector<double>& times, const std::vector<Eigen::Vector3d>& keys,
              Path::Interpolation interpolation, const FileValue& table);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_SCENE_READER_H_
