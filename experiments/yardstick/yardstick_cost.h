// What `pliant yardstick` will cost, said before it is begun.

#ifndef PLIANT_EXPERIMENTS_YARDSTICK_YARDSTICK_COST_H_
#define PLIANT_EXPERIMENTS_YARDSTICK_YARDSTICK_COST_H_

#include <optional>
#include <vector>

#include "experiments/files/experiment.h"
#include "experiments/runs/run_cost.h"
#include "experiments/yardstick/yardstick.h"

namespace pliant {

inline constexpr int kLeastRungs = 3;  // of a ladder of a yardstick: fewer measure no order

struct LadderCost {
  int runs = 0;
  double seconds = 0.0;  // of CPU time
};
struct YardstickCost {
  LadderCost least,
      most;  // with as few rungs as measure an order, and with all `levels` of the file
};

// From the first steps of the coarsest run (run_cost.h): a mesh that is twice as fine has 2^d times the elements of a body of
// d dimensions; how a run grows with them, with shorter steps and with thinner contact was measured, and is within a factor of two to three.
// `known`: costs of backends of the experiment, by their places; one that is the coarsest run is not tried again.
// Throws FileError where finite elements refuse the scene, or their first steps do not advance.
YardstickCost EstimateYardstickCost(const Experiment& experiment,
                                    const std::vector<std::optional<RunCost>>& known,
                                    const std::vector<const Backend*>& backends = Backends());

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_YARDSTICK_YARDSTICK_COST_H_
