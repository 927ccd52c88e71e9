#include "experiments/files/refine_plan.h"

#include <algorithm>

#include "experiments/files/keys.h"
#include "models/scene/number_text.h"

namespace pliant {

std::vector<std::pair<std::string, RefinedAxis>> WordsOf(RefinedAxis) {
  return {{"step", RefinedAxis::kStep},
          {"resolution", RefinedAxis::kResolution},
          {"order", RefinedAxis::kOrder},
          {"levels", RefinedAxis::kLevels},
          {"tolerance", RefinedAxis::kTolerance},
          {"contact-stiffness", RefinedAxis::kContactStiffness}};
}

std::string WordOf(RefinedAxis axis) {
  return std::get<std::string>(Codec<RefinedAxis>::Write(axis));
}

void Bind(KeyBinder& b, TiedKey& tied) {
  b.Title("[[refine.tied]]");
  b.Required("key", &tied.key, "1", "a number of [run], the scene or a backend, as for --set");
  b.Default("power", &tied.power, "1",
            "the number is multiplied by the size of the rung to this power");
  if (b.reads()) tied.place = b.PlaceOf("key");
}

void Bind(KeyBinder& b, RefinePlan& plan) {
  b.Title("[refine]");
  b.Default("in", &plan.axes, "1", "what is refined, each on a ladder of its own");
  b.Default("joint", &plan.joint, "1", "refine along all of them at once, on one ladder");
  b.Default("levels", &plan.levels, "1", "rungs of a ladder, at least 2; 3 measure an order");
  b.Default("coarser", &plan.coarser, "1",
            "rungs that are coarser than the file; the others are the file and finer");
  b.Default("ratio", &plan.ratio, "1", "ratio of the sizes of neighbouring rungs, more than 1");
  b.Default("order", &plan.order, "1", "order that is assumed where a ladder has two rungs only");
  b.Optional("tied", &plan.tied, "",
             "numbers that change with the size of the rung: [[refine.tied]]");
  if (!b.reads()) return;
  if (plan.axes.empty()) b.Fail("in", "nothing is refined", "in = [\"step\"]");
  for (size_t i = 1; i < plan.axes.size(); ++i) {
    if (std::count(plan.axes.begin(), plan.axes.begin() + static_cast<std::ptrdiff_t>(i),
                   plan.axes[i]) > 0) {
      b.Fail("in", "'" + WordOf(plan.axes[i]) + "' is refined twice", "name each axis once");
    }
  }
  if (plan.levels < 2) {
    b.Fail("levels",
           "a ladder of " + std::to_string(plan.levels) + (plan.levels == 1 ? " rung" : " rungs") +
               " shows no convergence",
           "levels = 3 measures an order, 2 assumes one");
  }
  if (plan.coarser < 0 || plan.coarser >= plan.levels) {
    b.Fail("coarser",
           "'coarser' is " + std::to_string(plan.coarser) + " of " + std::to_string(plan.levels) +
               " rungs",
           "one rung must be the file as it is: at least 0, below levels");
  }
  if (!(plan.ratio > 1.0))
    b.Fail("ratio", "'ratio' must be more than 1, not " + Digits(plan.ratio),
           "2 halves the step from rung to rung");
  if (!(plan.order > 0.0))
    b.Fail("order", "'order' must be more than 0, not " + Digits(plan.order),
           "1 is that of most schemes");
}

}  // namespace pliant
