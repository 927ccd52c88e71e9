#include <fmt/format.h>

#include <cmath>

#include "models/problem.h"
#include "solvers/spacetime/solve.h"

namespace pliant {
namespace {

void RequireOption(bool holds, const char* option, const char* inequality) {
  if (!holds) throw BadInput({option, std::string(option) + " must be " + inequality, ""});
}

}  // namespace

void SpacetimeOptions::Validate() const {
  const auto check_schedule = [this](const Schedule& schedule, const char* penalty,
                                     const char* decrease, const char* inner, const char* outer) {
    RequireOption(schedule.initial_penalty > 0.0 && schedule.initial_penalty <= penalty_cap,
                  penalty, "> 0 and at most penalty_cap");
    RequireOption(schedule.required_decrease > 0.0 && schedule.required_decrease < 1.0, decrease,
                  "between 0 and 1");
    RequireOption(schedule.max_inner_iterations >= 1, inner, "at least 1");
    RequireOption(schedule.max_outer_iterations >= 1, outer, "at least 1");
  };
  check_schedule(warm, "warm.initial_penalty", "warm.required_decrease",
                 "warm.max_inner_iterations", "warm.max_outer_iterations");
  check_schedule(fast, "fast.initial_penalty", "fast.required_decrease",
                 "fast.max_inner_iterations", "fast.max_outer_iterations");
  check_schedule(robust, "robust.initial_penalty", "robust.required_decrease",
                 "robust.max_inner_iterations", "robust.max_outer_iterations");
  check_schedule(polish, "polish.initial_penalty", "polish.required_decrease",
                 "polish.max_inner_iterations", "polish.max_outer_iterations");
  RequireOption(penalty_growth > 1.0, "penalty_growth", "> 1");
  RequireOption(std::isfinite(penalty_cap), "penalty_cap", "finite");
  RequireOption(first_function_tolerance > 0.0, "first_function_tolerance", "> 0");
  RequireOption(function_tolerance_factor > 0.0 && function_tolerance_factor <= 1.0,
                "function_tolerance_factor", "above 0 and at most 1");
  RequireOption(function_tolerance_floor > 0.0, "function_tolerance_floor", "> 0");
  RequireOption(least_initial_radius > 0.0, "least_initial_radius", "> 0");
  RequireOption(final_stage_violation > 0.0, "final_stage_violation", "> 0");
  RequireOption(slow_iterations >= 1, "slow_iterations", "at least 1");
  RequireOption(slow_stage_violation >= final_stage_violation, "slow_stage_violation",
                "at least final_stage_violation");
  RequireOption(stuck_iterations >= 1, "stuck_iterations", "at least 1");
  RequireOption(final_inner_iterations >= 1, "final_inner_iterations", "at least 1");
  RequireOption(final_outer_iterations >= 1, "final_outer_iterations", "at least 1");
  RequireOption(final_penalty_cap >= penalty_cap, "final_penalty_cap", "at least penalty_cap");
  RequireOption(restorable_violation > 0.0, "restorable_violation", "> 0");
  RequireOption(restoration_radius > 0.0, "restoration_radius", "> 0");
  RequireOption(certificate_cosine > 0.0, "certificate_cosine", "> 0");
  RequireOption(refused_solves >= 0, "refused_solves", "at least 0");
  RequireOption(feasibility_tolerance > 0.0, "feasibility_tolerance", "> 0");
  RequireOption(feasibility_radius > 0.0, "feasibility_radius", "> 0");
  RequireOption(violation_tolerance > 0.0, "violation_tolerance", "> 0");
  RequireOption(acceptable_violation >= violation_tolerance, "acceptable_violation",
                "at least violation_tolerance");
  RequireOption(cost_tolerance > 0.0, "cost_tolerance", "> 0");
  RequireOption(stationarity_tolerance >= 0.0, "stationarity_tolerance", "at least 0");
  RequireOption(acceptable_stationarity > 0.0, "acceptable_stationarity", "> 0");
  RequireOption(polished_cost_tolerance > 0.0, "polished_cost_tolerance", "> 0");
  RequireOption(polishes >= 0, "polishes", "at least 0");
  RequireOption(max_evaluations >= 1, "max_evaluations", "at least 1");
  RequireOption(max_seconds > 0.0, "max_seconds", "> 0");
  RequireOption(max_interior_iterations >= 1, "max_interior_iterations", "at least 1");
  RequireOption(interior_tolerance > 0.0, "interior_tolerance", "> 0");
}

std::string_view ToString(SpacetimeTermination termination) {
  switch (termination) {
    case SpacetimeTermination::kConvergence:
      return "converged";
    case SpacetimeTermination::kNoConvergence:
      return "did not converge: not found";
    case SpacetimeTermination::kInfeasible:
      return "did not converge: infeasible";
    case SpacetimeTermination::kFailure:
      return "failed";
  }
  return "";
}

std::string_view ToString(SpacetimeMethod method) {
  switch (method) {
    case SpacetimeMethod::kAugmentedLagrangian:
      return "augmented Lagrangian";
    case SpacetimeMethod::kInteriorPoint:
      return "interior point";
  }
  return "";
}

std::string SpacetimeSummary::BriefReport() const {
  return fmt::format(
      "spacetime: {}, cost {:.6e} (from {:.3e}), violation {:.2e}, {} outer and {} inner "
      "iterations, {:.3f} s",
      ToString(termination), final_cost, initial_cost, violation, outer_iterations,
      inner_iterations, seconds);
}

std::string SpacetimeSummary::FullReport() const {
  std::string text = fmt::format("variables {}, equalities {}, inequalities {}, cost rows {}\n",
                                 variables, equalities, inequalities, cost_rows);
  text += fmt::format("{:<12} {:>5} {:>10} {:>6} {:>14} {:>11} {:>10}\n", "stage", "outer",
                      "penalty", "inner", "cost", "violation", "seconds");
  for (size_t i = 0; i < history.size(); ++i) {
    const SpacetimeIteration& outer = history[i];
    text += fmt::format("{:<12} {:>5} {:>10.3g} {:>6} {:>14.8e} {:>11.3e} {:>10.4f}\n", outer.stage,
                        i, outer.penalty, outer.inner_iterations, outer.cost, outer.violation,
                        outer.seconds);
  }
  for (const CostTerm& cost : costs) {
    text += fmt::format("cost       {:<28} {:>14.8e}\n", cost.name, cost.value);
  }
  for (const Violation& kind : kinds) {
    text += fmt::format(
        "constraint {:<28} scaled violation {:>9.3e}, worst row {:.3e} {} at t = {:.4f} s\n",
        kind.name, kind.scaled, kind.value, kind.unit, kind.time);
  }
  return text + message + "\n";
}

}  // namespace pliant
