#include "experiments/yardstick/yardstick_cost.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "experiments/runs/run_cost.h"
#include "models/contact/has_contact.h"

namespace pliant {
namespace {

// Dimensions in which the elements of the scene's bodies become more under refinement.
int DimensionsOf(const Scene& scene) {
  int most = 1;
  for (const Body& body : scene.bodies) {
    const bool solid = !body.tetrahedra.empty() || !body.hexahedra.empty();
    const int own = solid ? 3 : body.faces.empty() ? 1 : 2;
    most = std::max(most, own);
  }
  return most;
}

// Of ladders with so many rungs each; what two of them have in common runs once.
LadderCost CostOf(int rungs, int dimensions, bool contact, double coarsest) {
  std::set<std::tuple<int, int, int>> runs;  // mesh, halvings, thinnings
  for (int i = 0; i < rungs; ++i) {
    runs.insert({i, 0, 0});
    runs.insert({0, i, 0});
    if (contact) runs.insert({0, 0, i});
  }
  for (int i = rungs - kLeastRungs; i < rungs; ++i) runs.insert({i, i, contact ? i : 0});
  LadderCost cost{static_cast<int>(runs.size()), 0.0};
  for (const auto& [mesh, halvings, thinnings] : runs)
    cost.seconds += coarsest * std::exp2((dimensions + 1) * mesh + halvings + thinnings);
  return cost;
}

}  // namespace

YardstickCost EstimateYardstickCost(const Experiment& experiment,
                                    const std::vector<const Backend*>& backends) {
  const Experiment coarsest = YardstickExperiment(experiment, {}, backends);
  const Translation translation = TranslateFor(coarsest, 0);
  const std::string begin = experiment.name + ": no yardstick: finite-elements: ";
  if (translation.simulation == nullptr)
    throw FileError(begin + translation.record.WhyUnsupported());
  const RunCost cost = EstimateCost(coarsest, 0, translation.simulation.get());
  if (!cost.step_seconds) throw FileError(begin + "the first steps do not advance");
  const int dimensions = DimensionsOf(*experiment.scene);
  const bool contact = HasContact(*experiment.scene);
  const auto of = [&](int rungs) { return CostOf(rungs, dimensions, contact, *cost.step_seconds); };
  return {of(kLeastRungs), of(std::max(kLeastRungs, experiment.yardstick.levels))};
}

}  // namespace pliant
