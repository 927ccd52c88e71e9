#include "experiments/files/yardstick_plan.h"

#include "experiments/files/keys.h"
#include "models/scene/number_text.h"

namespace pliant {

void Bind(KeyBinder& b, YardstickPlan& plan) {
  b.Title("[yardstick]");
  b.Default("tolerance", &plan.tolerance, "1",
            "largest estimated error of each observable, as a share of its range");
  b.Default("levels", &plan.levels, "1", "most meshes, and most steps, that are tried; at least 3");
  if (!b.reads()) return;
  if (!(plan.tolerance > 0.0))
    b.Fail("tolerance", "'tolerance' must be more than 0, not " + Digits(plan.tolerance),
           "0.005 is half a percent of the range");
  if (plan.levels < 3)
    b.Fail("levels", "fewer than 3 levels measure no order of convergence", "levels = 3");
}

}  // namespace pliant
