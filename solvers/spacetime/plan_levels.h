// What the search for a plan found on a mesh and on finer ones, whatever the character, and which of them is the plan.

#ifndef PLIANT_SOLVERS_SPACETIME_PLAN_LEVELS_H_
#define PLIANT_SOLVERS_SPACETIME_PLAN_LEVELS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "solvers/spacetime/flight_momentum.h"
#include "solvers/spacetime/solve.h"

namespace pliant {

struct PlanLevel {
  double step = 0.0;  // s
  SpacetimeSummary summary;
  double momentum_defect = 0.0;  // the largest of its flights (flight_momentum.h)

  bool violates_nothing() const { return summary.converged() || summary.feasible; }
  // Of a motion that violates nothing, which need not be an optimum.
  bool found() const { return violates_nothing() && momentum_defect <= kMostMomentumDefect; }
  std::string Message() const;  // one line, how the search ended
};

// How often meshes are halved.
struct PlanMeshes {
  int refinements = 0;  // each search starts from the coarser motion, ≥ 0
  // Beyond these, while the motion is too fast for its mesh and what it gains there falls by kLeastFall at least, ≥ 0.
  int further = 0;
};

// By which the momentum defect falls at least where a mesh of half the step shows the same motion better: of orders 4 and 2 it falls by 16
// and 4. Where it falls less, there is another motion on each mesh.
inline constexpr double kLeastFall = 3.0;

// Of the plans of experiments; they say so of plan_step (plan_keys.cc).
inline constexpr int kFurtherMeshes = 2;

struct PlanLevels {
  std::vector<PlanLevel> levels;  // coarse to fine; ends with the first that found nothing better
  size_t level = 0;               // that of the plan

  // Adds the next level: is its motion the plan now? That of a finer mesh is, unless it is too fast for it where the coarser one was not,
  // or no optimum where the coarser one was.
  bool Add(PlanLevel next);
  // Is there a motion to start from, and a mesh left, which has `intervals` and is searched in a time that ends? Beyond what was asked
  // for only where it may lead to a plan.
  bool GoesOn(const PlanMeshes& meshes, int intervals) const;

  const PlanLevel& best() const { return levels[level]; }
  const SpacetimeSummary& summary() const { return best().summary; }
  double momentum_defect() const { return best().momentum_defect; }
  bool violates_nothing() const { return best().violates_nothing(); }
  bool found() const { return best().found(); }
  std::string Message() const { return best().Message(); }

  // What is said of a plan that is no optimum, or not that of the finest mesh that was asked for, or searched.
  void Warn(const PlanMeshes& meshes, std::vector<std::string>* warnings) const;
};

// Throws BadInput where a mesh of `intervals` is halved so often that a search would not end: it takes longer than the square of
// the intervals.
void RequireMeshOf(int intervals, int refinements);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_PLAN_LEVELS_H_
