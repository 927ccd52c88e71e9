// A scene that is named by its file.

#ifndef PLIANT_EXPERIMENTS_FILES_SCENE_FILE_H_
#define PLIANT_EXPERIMENTS_FILES_SCENE_FILE_H_

#include "experiments/files/document.h"

namespace pliant {

// Replaces the name of a scene file by its contents, described by the comment at its top unless it describes itself.
// Leaves a table as it is. Throws FileError.
void InlineSceneFile(FileValue* scene);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_SCENE_FILE_H_
