// The parts of an experiment that have editors: the controls of the levels of a surface, the shares
// of forces, the modes of a lattice, the poses of a controller, the links of a lamp. No Qt.

#ifndef PLIANT_APP_WORKBENCH_EDITORS_EDITOR_LISTS_H_
#define PLIANT_APP_WORKBENCH_EDITORS_EDITOR_LISTS_H_

#include <string>
#include <vector>

#include "app/workbench/editors/number_list.h"
#include "experiments/files/experiment.h"

namespace pliant {

struct EditorGroup {
  enum class Kind { kLevels, kShares, kModes, kPoses, kLamp };
  Kind kind;
  std::string title;    // "multilevel: levels"
  std::string backend;  // its label
  int controller = -1;  // of poses: index of the controller; -1: the only one
  std::vector<NumberList> lists;
};

std::vector<EditorGroup> EditorGroups(const Experiment& experiment);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_EDITORS_EDITOR_LISTS_H_
