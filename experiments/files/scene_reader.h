// Reads the scene table of a document into a validated Scene.

#ifndef PLIANT_EXPERIMENTS_FILES_SCENE_READER_H_
#define PLIANT_EXPERIMENTS_FILES_SCENE_READER_H_

#include "experiments/files/document.h"
#include "models/scene/scene.h"

namespace pliant {

// Reads `table`, writing shape files and defaults out in it, so that it reads again to the same
// scene on its own. Throws FileError.
Scene ReadSceneTable(FileValue* table);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_SCENE_READER_H_
