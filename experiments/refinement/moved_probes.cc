#include "experiments/refinement/moved_probes.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "models/geometry/extent.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr double kMoved = 0.01;  // of the size of the body

// Mean of the points in the rest shape.
Eigen::Vector3d PlaceOf(const Scene& scene, const ProbeSet& set) {
  const Eigen::Matrix3Xd& rest = scene.bodies[static_cast<size_t>(set.body)].rest;
  if (set.points.empty()) return rest.rowwise().mean();
  return rest(Eigen::all, set.points).rowwise().mean();
}

double SizeOf(const Scene& scene, const ProbeSet& set) {
  const Eigen::Matrix3Xd& rest = scene.bodies[static_cast<size_t>(set.body)].rest;
  return DiagonalOf(rest);
}

std::string Text(const Eigen::Vector3d& x) {
  return "(" + ThreeDigits(x.x()) + ", " + ThreeDigits(x.y()) + ", " + ThreeDigits(x.z()) + ") m";
}

}  // namespace

std::vector<std::string> MovedProbes(const Ladder& ladder) {
  std::vector<std::string> sentences;
  if (ladder.rungs.points.empty()) return sentences;
  const Experiment& coarse = ladder.rungs.points.front().experiment;
  std::set<std::string> said;
  for (const SweepPoint& rung : ladder.rungs.points) {
    const Experiment& fine = rung.experiment;
    for (size_t p = 0; p < std::min(coarse.probes.size(), fine.probes.size()); ++p) {
      for (size_t s = 0; s < coarse.probes[p].of.size(); ++s) {
        const ProbeSet &first = coarse.probes[p].of[s], &now = fine.probes[p].of[s];
        const Eigen::Vector3d was = PlaceOf(*coarse.scene, first), is = PlaceOf(*fine.scene, now);
        if ((is - was).norm() <= kMoved * SizeOf(*coarse.scene, first)) continue;
        if (!said.insert(coarse.probes[p].name).second) continue;
        sentences.push_back("probe '" + coarse.probes[p].name +
                            "' is elsewhere on finer rungs: " + first.name + " is at " + Text(was) +
                            " of the body, then at " + Text(is) +
                            "; name its place, not its number: points = {centre = [x, y, z], "
                            "radius = r}");
      }
    }
  }
  return sentences;
}

}  // namespace pliant
