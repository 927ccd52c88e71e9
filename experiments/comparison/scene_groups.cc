#include "experiments/comparison/scene_groups.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "experiments/bundles/csv.h"
#include "experiments/bundles/manifest.h"
#include "solvers/backends.h"

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

// In the table of backends.
size_t PlaceAmongBackends(const Backend& backend) {
  const auto& all = Backends();
  return static_cast<size_t>(std::find(all.begin(), all.end(), &backend) - all.begin());
}

// The place of a run among the backends of its experiment; absent if the bundle does not contain
// it.
std::optional<double> PlaceInExperiment(const Bundle& bundle) {
  const auto found = bundle.manifest().find("place");
  return found == bundle.manifest().end() ? std::nullopt : ParseNumber(found->second);
}

// True if all bundles belong to experiments of one name and contain their place in it.
bool HaveOneOrder(const std::vector<const Bundle*>& bundles) {
  const std::string& name = bundles.front()->experiment().name;
  return std::all_of(bundles.begin(), bundles.end(), [&](const Bundle* bundle) {
    return bundle->experiment().name == name && PlaceInExperiment(*bundle).has_value();
  });
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

std::vector<size_t> OrderOfRuns(const std::vector<const Bundle*>& bundles) {
  std::vector<size_t> order(bundles.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (bundles.empty()) return order;
  const bool as_experiment = HaveOneOrder(bundles);
  std::stable_sort(order.begin(), order.end(), [&](size_t i, size_t j) {
    const Bundle &a = *bundles[i], &b = *bundles[j];
    if (as_experiment) return PlaceInExperiment(a) < PlaceInExperiment(b);
    return PlaceAmongBackends(a.backend()) < PlaceAmongBackends(b.backend());
  });
  return order;
}

}  // namespace pliant
