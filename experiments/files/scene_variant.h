// A backend's own variant of the scene of an experiment, so that a formulation that refuses an element, or needs another
// one, still stands in the comparison:
//
//   [backends.kinematic-response]
//   unset = ["scene.nail.hook"]              # elements or keys that it does without, as for --unset
//   [backends.kinematic-response.scene]      # what is otherwise, as for --set scene.gravity=… and in [set]
//   gravity = [0, -1, 0]
//
// or scene = "other.toml", a scene file that it runs instead. The changes are merged into the scene after those of [set]
// and of the command line, which reach them too: --set backends.kinematic-response.scene.gravity=[0,-2,0].

#ifndef PLIANT_EXPERIMENTS_FILES_SCENE_VARIANT_H_
#define PLIANT_EXPERIMENTS_FILES_SCENE_VARIANT_H_

#include <optional>
#include <string>
#include <vector>

#include "experiments/files/document.h"

namespace pliant {

struct SceneVariant {
  FileValue scene;  // the whole scene table, not read yet
  std::vector<std::string>
      changes;  // in words: "scene.gravity = [0, -1, 0]", "without scene.nail.hook"
};

// Of the table of one backend, with `scene` the table of the experiment's scene as it is before it is read; absent where
// the backend changes nothing. Throws FileError at the key of the backend that asks for something impossible.
std::optional<SceneVariant> VariantOf(const FileValue& scene, const FileValue& backend);

// Where the table of a backend is another scene file, its contents become `read`, which needs no file any more.
void KeepOtherScene(const FileValue& read, FileValue* backend);

// The scene file that the table of a backend names is read into it, so that changes can be merged into its parts.
void InlineSceneOfBackend(FileValue* backend);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_SCENE_VARIANT_H_
