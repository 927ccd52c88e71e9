// Reads the scene table of a document into a validated Scene.

#ifndef PLIANT_EXPERIMENTS_FILES_SCENE_READER_H_
#define PLIANT_EXPERIMENTS_FILES_SCENE_READER_H_

#include <vector>

#include "experiments/files/document.h"
#include "experiments/files/mistakes.h"
#include "models/scene/scene.h"

namespace pliant {

// Reads `table`, writing shape files and defaults out in it, so that it reads again to the same
// scene on its own. Throws FileError.
Scene ReadSceneTable(FileValue* table);
// The same; `mistakes` gets what would be thrown, and elements with a mistake are left out.
struct SceneSoFar ReadSceneTable(FileValue* table, Mistakes* mistakes);

// Elements of a kind are told apart by name, in translation records and in overrides. Throws FileError for a name that
// is empty, has a dot or is there twice.
void RequireDistinctNames(const char* kind, const std::vector<FileValue*>& tables);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_SCENE_READER_H_
