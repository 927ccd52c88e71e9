#include "experiments/yardstick/yardstick_cost.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "experiments/files/chosen_value.h"
#include "experiments/files/parameter_values.h"
#include "experiments/files/writer.h"
#include "experiments/runs/run_cost.h"
#include "models/contact/has_contact.h"
#include "models/scene/material.h"

namespace pliant {
namespace {

// Measured (docs/yardstick.md): a run takes the number of its elements to this power, and these factors for half a step and half a
// thickness of contact. Shorter steps need fewer iterations, and a thinner barrier acts on fewer places.
constexpr double kElements = 1.1, kHalfStep = 1.9, kThinner = 1.1;

// Dimensions in which the elements of the scene's bodies become more under refinement.
int DimensionsOf(const Scene& scene) {
  int most = 1;
  for (const Body& body : scene.bodies) {
    if (body.rigid) continue;
    const int own = !NeedsThickness(body) ? 3 : body.faces.empty() ? 1 : 2;
    most = std::max(most, own);
  }
  return most;
}

// Whether this backend of the experiment, of the scene itself, is the coarsest run of its yardstick.
bool RunsTheSame(const Experiment& experiment, size_t index, const Experiment& coarsest) {
  const BackendChoice &own = experiment.backends[index], &other = coarsest.backends[0];
  return own.backend == other.backend && own.step == other.step &&
         SceneOf(experiment, index) == experiment.scene &&
         std::ranges::all_of(own.backend->Parameters(), [&](const ParameterInfo& info) {
           return WriteInline(ToFileValue(ChosenValue(own, info))) ==
                  WriteInline(ToFileValue(ChosenValue(other, info)));
         });
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
    cost.seconds += coarsest * std::exp2(kElements * dimensions * mesh) *
                    std::pow(kHalfStep, halvings) * std::pow(kThinner, thinnings);
  return cost;
}

}  // namespace

YardstickCost EstimateYardstickCost(const Experiment& experiment,
                                    const std::vector<std::optional<RunCost>>& known,
                                    const std::vector<const Backend*>& backends) {
  const Experiment coarsest = YardstickExperiment(experiment, {}, backends);
  const std::string begin = experiment.name + ": no yardstick: finite-elements: ";
  const auto of_backend = [&]() -> std::optional<RunCost> {
    for (size_t index = 0; index < known.size(); ++index) {
      if (known[index] && RunsTheSame(experiment, index, coarsest)) return known[index];
    }
    return std::nullopt;
  };
  std::optional<RunCost> cost = of_backend();
  if (!cost) {
    const Translation translation = TranslateFor(coarsest, 0);
    if (translation.simulation == nullptr)
      throw FileError(begin + translation.record.WhyUnsupported());
    cost = EstimateCost(coarsest, 0, translation.simulation.get());
  }
  if (!cost->step_seconds) throw FileError(begin + "the first steps do not advance");
  const int dimensions = DimensionsOf(*experiment.scene);
  const bool contact = HasContact(*experiment.scene);
  const auto of = [&](int rungs) {
    return CostOf(rungs, dimensions, contact, *cost->step_seconds);
  };
  return {of(kLeastRungs), of(std::max(kLeastRungs, experiment.yardstick.levels))};
}

}  // namespace pliant
