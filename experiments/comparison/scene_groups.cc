#include "experiments/comparison/scene_groups.h"

#include <algorithm>

namespace pliant {
namespace {

bool HaveOneScene(const Bundle& a, const Bundle& b) {
  const Scene &one = *a.experiment().scene, &other = *b.experiment().scene;
  return one.PointCount() == other.PointCount() && Elements(one) == Elements(other);
}

bool StandTogether(const Bundle& a, const Bundle& b) {
  if (IsOfVariant(a) || IsOfVariant(b)) return a.experiment().name == b.experiment().name;
  return HaveOneScene(a, b);
}

std::string HeadingOf(const std::vector<const Bundle*>& bundles,
                      const std::vector<size_t>& members) {
  std::vector<std::string> names;
  for (const size_t i : members) {
    const std::string& name = bundles[i]->experiment().name;
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  std::string heading;
  for (const std::string& name : names) heading += (heading.empty() ? "" : ", ") + name;
  const std::string& scene = bundles[members.front()]->experiment().scene->name;
  return scene == heading ? heading : heading + " (scene " + scene + ")";
}

}  // namespace

bool AreOfSeveralExperiments(const std::vector<Bundle>& bundles) {
  return std::ranges::any_of(bundles, [&](const Bundle& bundle) {
    return bundle.experiment().name != bundles.front().experiment().name;
  });
}

std::vector<SceneGroup> GroupByScene(const std::vector<const Bundle*>& bundles) {
  std::vector<SceneGroup> groups;
  for (size_t i = 0; i < bundles.size(); ++i) {
    const auto group = std::ranges::find_if(groups, [&](const SceneGroup& known) {
      return std::ranges::any_of(known.members, [&](size_t member) {
        return StandTogether(*bundles[member], *bundles[i]);
      });
    });
    if (group == groups.end()) {
      groups.push_back({"", {i}});
    } else {
      group->members.push_back(i);
    }
  }
  for (SceneGroup& group : groups) group.heading = HeadingOf(bundles, group.members);
  std::vector<std::string> headings;
  for (const SceneGroup& group : groups) headings.push_back(group.heading);
  for (SceneGroup& group : groups) {
    if (std::ranges::count(headings, group.heading) == 1) continue;
    group.heading += ", in " + bundles[group.members.front()]->path().parent_path().string();
  }
  return groups;
}

}  // namespace pliant
