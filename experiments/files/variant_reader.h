// Reads the variants of the scene that backends of an experiment run (scene_variant.h).

#ifndef PLIANT_EXPERIMENTS_FILES_VARIANT_READER_H_
#define PLIANT_EXPERIMENTS_FILES_VARIANT_READER_H_

#include <map>
#include <string>
#include <vector>

#include "experiments/files/experiment.h"
#include "experiments/files/mistakes.h"
#include "experiments/files/scene_variant.h"

namespace pliant {

using VariantTables = std::map<std::string, SceneVariant>;  // by label

// Of all backends of the tree `root`, whose scene is not read yet: reading writes defaults out, which are no changes.
VariantTables VariantsIn(const FileValue& root, Mistakes* mistakes);

// Gives each backend of `experiment`, of the tree `root`, its variant, and the words of one that a bundle holds. A probe that cannot be
// measured in a variant is left out of it, which `variant` says. Mistakes name the backend.
void ReadVariants(const VariantTables& variants, const std::vector<FileValue*>& probes,
                  FileValue* root, Experiment* experiment, Mistakes* mistakes);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_VARIANT_READER_H_
