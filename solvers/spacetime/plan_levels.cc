#include "solvers/spacetime/plan_levels.h"

#include <cmath>
#include <utility>

#include "models/problem.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr double kMostIntervals = 5000.0;

// Motions that are no plan come after all plans, those that are no optimum after those that are.
int RankOf(const PlanLevel& level) {
  if (!level.violates_nothing()) return 0;
  return 1 + (level.found() ? 2 : 0) + (level.summary.converged() ? 1 : 0);
}

}  // namespace

std::string PlanLevel::Message() const {
  return violates_nothing() && !found() ? TooFastForItsMesh(momentum_defect) : summary.message;
}

bool PlanLevels::Add(PlanLevel next) {
  levels.push_back(std::move(next));
  if (RankOf(levels.back()) < RankOf(best())) return false;
  level = levels.size() - 1;
  return true;
}

bool PlanLevels::GoesOn(const PlanMeshes& meshes, int intervals) const {
  if (levels.empty()) return true;
  if (level + 1 < levels.size() || !violates_nothing()) return false;
  const auto halvings = static_cast<int>(levels.size());
  if (halvings <= meshes.refinements) return true;
  if (found() || halvings > meshes.refinements + meshes.further || intervals > kMostIntervals)
    return false;
  return level == 0 || kLeastFall * momentum_defect() <= levels[level - 1].momentum_defect;
}

void PlanLevels::Warn(const PlanMeshes& meshes, std::vector<std::string>* warnings) const {
  if (!summary().converged()) {
    warnings->push_back("the plan violates nothing, but is no optimum: residual of stationarity " +
                        ThreeDigits(summary().residuals.stationarity));
  }
  const std::string mesh = "the plan is that of the mesh of " + ThreeDigits(best().step) + " s: ";
  const auto asked = static_cast<size_t>(meshes.refinements);
  if (level > asked) {
    const PlanLevel& coarser = levels[asked];
    warnings->push_back(mesh + "on " + ThreeDigits(coarser.step) + " s " +
                        ThreeDigits(100.0 * coarser.momentum_defect) +
                        " % of the momentum of a flight came from nowhere");
  }
  if (level + 1 == levels.size()) return;
  const PlanLevel& failed = levels.back();
  warnings->push_back(mesh + "on " + ThreeDigits(failed.step) + " s " +
                      (failed.violates_nothing() && !failed.found() ? "" : "it ") +
                      failed.Message());
}

void RequireMeshOf(int intervals, int refinements) {
  const double finest = std::ldexp(intervals, refinements);
  if (finest <= kMostIntervals) return;
  throw BadInput({"plan_step",
                  "the finest mesh of the plan would have " + ThreeDigits(finest) +
                      " intervals, and " + ThreeDigits(kMostIntervals) + " are the most",
                  "take a longer plan_step, or shorter times"});
}

}  // namespace pliant
