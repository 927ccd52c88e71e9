// What is said of a plan that is no optimum, or not that of the finest mesh, whatever the character.

#ifndef PLIANT_SOLVERS_SPACETIME_PLAN_WARNINGS_H_
#define PLIANT_SOLVERS_SPACETIME_PLAN_WARNINGS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "models/scene/number_text.h"

namespace pliant {

// `levels`: {step [s], summary} of each mesh, coarse to fine, of which the plan is that at `level`.
template <typename Level>
void WarnOfMeshes(const std::vector<Level>& levels, size_t level,
                  std::vector<std::string>* warnings) {
  const Level& plan = levels[level];
  if (!plan.summary.converged()) {
    warnings->push_back("the plan violates nothing, but is no optimum: residual of stationarity " +
                        ThreeDigits(plan.summary.residuals.stationarity));
  }
  if (level + 1 == levels.size()) return;
  const Level& failed = levels.back();
  warnings->push_back("the plan is that of the mesh of " + ThreeDigits(plan.step) + " s: on " +
                      ThreeDigits(failed.step) + " s it " + failed.summary.message);
}

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_PLAN_WARNINGS_H_
