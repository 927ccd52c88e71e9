// Which run bundles can stand in one table and on one page, and in which order: those of one scene. A variant of a scene that a backend of the
// same experiment runs stands with it.

#ifndef PLIANT_EXPERIMENTS_COMPARISON_SCENE_GROUPS_H_
#define PLIANT_EXPERIMENTS_COMPARISON_SCENE_GROUPS_H_

#include <string>
#include <vector>

#include "experiments/bundles/bundle.h"

namespace pliant {

struct SceneGroup {
  std::string heading;  // "press", or with the scene where that says more: "press (scene slab)"
  std::vector<size_t> members;  // numbers of bundles, in their order
};

// Whether they are of experiments of different names, so that their labels need these before them: "press/dynamic-ffd".
bool AreOfSeveralExperiments(const std::vector<Bundle>& bundles);

// Each bundle is in one group. Headings are distinct: bundles of one name in several folders are told apart by these.
std::vector<SceneGroup> GroupByScene(const std::vector<const Bundle*>& bundles);

// The numbers of bundles of one experiment in the order of that experiment; of others in the order of Backends().
std::vector<size_t> OrderOfRuns(const std::vector<const Bundle*>& bundles);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_COMPARISON_SCENE_GROUPS_H_
