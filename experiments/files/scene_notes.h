// What a sound scene says that its author may not have meant.

#ifndef PLIANT_EXPERIMENTS_FILES_SCENE_NOTES_H_
#define PLIANT_EXPERIMENTS_FILES_SCENE_NOTES_H_

#include <vector>

#include "experiments/files/document.h"
#include "experiments/files/experiment.h"
#include "experiments/files/mistakes.h"
#include "models/scene/scene.h"

namespace pliant {

// In the order of the file:
//   an angle beyond half a turn       degrees are meant
//   gravity with a part along +y      it points up
//   ρ g L ≥ E                         a body of height L that its own weight strains by 1 or more: MPa are meant
//   gravity ≥ 100 m/s², a density ≤ 23 kg/m³, a body of 100 m or more, in space a thickness above the length of a body
//                                     other units are meant; the stiffness then counts in these
//   friction > 2                      percent are meant
//   bodies inside one another         by more than a thousandth of the smaller one; inside an obstacle, of the body
//
// `root` is the tree that was read, in which `scene` is the table of the scene, or that table itself.
std::vector<Mistake> NotesOf(const Scene& scene, const FileValue& root);
// Those of its scene, and
//   record_every longer than the run        start and end alone are recorded
//   what begins after the end               it does nothing
//   a time `at` of a probe beyond the end   its figure has no value
//   a probe of a contact force              its extremes depend on record_every; the first one of the file says it
std::vector<Mistake> NotesOf(const Experiment& experiment, const FileValue& root);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_SCENE_NOTES_H_
