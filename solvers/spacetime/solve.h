// Solves a spacetime program by an augmented Lagrangian around Levenberg–Marquardt.
//
// Outer loop: minimise L for fixed λ and ρ, update λ, and raise ρ only when the violation does not
// fall fast enough, and never far: a penalty raised before the inner problem has converged traps
// the motion at an infeasible limit. Two schedules share the work. The fast one solves most
// problems; the robust one starts with a softer penalty and more inner iterations and runs when the
// fast one fails. Once the violation is small, a final stage of short inner solves with growing ρ
// takes it to the tolerance. A motion that violates nothing and is no optimum yet is polished: it descends again, with small ρ
// and the multipliers so far. When both schedules fail, a feasibility phase minimises the violation
// alone, from where the robust one ended and from the guess: if it comes to rest at a violation that
// is stationary to first order, a certificate that no small change of the motion mends it, the goal
// is (locally) infeasible; if it finds a feasible motion, the robust schedule starts again from
// there. Everything else ends as not found.

#ifndef PLIANT_SOLVERS_SPACETIME_SOLVE_H_
#define PLIANT_SOLVERS_SPACETIME_SOLVE_H_

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solvers/spacetime/augmented_lagrangian.h"
#include "solvers/spacetime/optimality.h"
#include "solvers/spacetime/program.h"

namespace pliant {

// The result of an outer iteration, or of one of the interior-point method (interior_point.h).
struct SpacetimeIteration {
  std::string_view
      stage;       // warm, fast, robust, final, restoration, polish, feasibility; interior point
  double penalty;  // ρ, or μ of the barrier
  int inner_iterations;  // or steps tried
  double cost;           // J
  double violation;      // scaled, worst row
  double radius;         // trust region at the end, or the share of the step that was taken
  double seconds;        // since the start
};

struct SpacetimeOptions {
  struct Schedule {
    double initial_penalty;    // ρ₀, > 0
    double required_decrease;  // of the violation per outer iteration, in (0, 1); else ρ grows
    int max_inner_iterations;  // per outer iteration, ≥ 1
    int max_outer_iterations;  // before the final stage, ≥ 1
  };
  Schedule warm = {5.0, 0.5, 20, 20};  // first, when multipliers are given with the guess
  Schedule fast = {0.1, 0.5, 20, 40};
  Schedule robust = {0.01, 0.8, 60, 80};
  Schedule polish = {1.0, 0.5, 60,
                     40};       // from a motion whose cost has settled though it is no optimum
  double penalty_growth = 2.0;  // > 1
  double penalty_cap = 10.0;    // before the final stage, ≥ ρ₀

  double first_function_tolerance = 1e-3;  // of the inner solver in the first outer iteration
  double function_tolerance_factor = 0.2;  // from one outer iteration to the next, in (0, 1]
  double function_tolerance_floor = 1e-10;
  double least_initial_radius = 100.0;  // the trust region is carried over, but not below this

  double final_stage_violation = 1e-3;  // scaled violation below which the final stage begins
  // It also begins when ρ is at its cap, the violation below the next number, and this many outer
  // iterations in a row were too slow: a point mass in the multipliers (a limit that is touched)
  // grows by ρ per iteration and needs a larger one.
  int slow_iterations = 20;            // ≥ 1
  double slow_stage_violation = 1e-1;  // ≥ final_stage_violation
  // A schedule is given up when ρ is at its cap, the violation above the last number, and has not
  // halved in this many outer iterations; the feasibility phase takes that for being at rest, too.
  // Below that number it gives up without a verdict.
  int stuck_iterations = 12;        // ≥ 1
  int final_inner_iterations = 4;   // ≥ 1
  int final_outer_iterations = 60;  // ≥ 1
  double final_penalty_cap = 1e4;   // ≥ penalty_cap
  // Once the cost has settled, restoration takes a violation below this to the tolerance; > 0.
  double restorable_violation = 1e-5;
  double restoration_radius = 1e8;  // first trust region of a restoration, > 0
  // So many inner solves in a row may end where they began, each with a smaller trust region,
  // before λ is updated all the same; ≥ 0.
  int refused_solves = 2;

  double feasibility_tolerance = 1e-8;  // relative change of the violation² at which it rests, > 0
  double feasibility_radius = 1e4;      // first trust region of the feasibility phase, > 0
  // A violation at rest proves that the goal is infeasible only if no motion so far had a small one
  // (below slow_stage_violation) and it is a stationary point: the cosine of the angle between the
  // violations and what any unknown changes of them is below this.
  double certificate_cosine = 1e-3;  // > 0

  double violation_tolerance = 1e-8;  // scaled, of the worst row, > 0
  // A violation that the final stage leaves when it has used up its iterations, at a settled cost;
  // at least violation_tolerance.
  double acceptable_violation = 1e-8;
  double cost_tolerance = 1e-7;  // relative change of J per outer iteration, > 0
  // Large penalties let the cost settle before there is an optimum. A motion is one where its residual of stationarity
  // (optimality.h) is below the first number; or below the second, > 0, where a polish changes J by less than its share of it,
  // as that residual is small, too, where unknowns of another unit have far to go.
  double stationarity_tolerance = 1e-6;  // ≥ 0
  double acceptable_stationarity = 1e-4;
  double polished_cost_tolerance = 1e-6;
  int polishes = 4;  // most times that the polish is tried, ≥ 0

  // Budgets; a run that reaches one of them ends as not converged.
  std::int64_t max_evaluations = 100000;  // of all rows, ≥ 1
  double max_seconds = 600.0;             // > 0
  // Of the interior-point method.
  int max_interior_iterations = 600;  // ≥ 1
  double interior_tolerance = 1e-6;   // of its scaled optimality error, > 0

  // Called after each outer iteration with its result; returning false stops the solve, as a budget
  // does. It changes nothing else.
  std::function<bool(const SpacetimeIteration&, const Eigen::VectorXd& x)> watch = {};

  // Throws BadInput naming the option and the violated inequality.
  void Validate() const;
};

enum class SpacetimeTermination {
  kConvergence,    // violation, cost and stationarity within tolerance
  kNoConvergence,  // not found: iterations or budget used up; x is the least violated motion found
  kInfeasible,     // certified: a local minimum of the violation above the tolerance
  kFailure,        // numbers became undefined
};
std::string_view ToString(SpacetimeTermination termination);

enum class SpacetimeMethod { kAugmentedLagrangian, kInteriorPoint };
std::string_view ToString(SpacetimeMethod method);

struct SpacetimeSummary {
  struct CostTerm {
    std::string name;
    double value;  // its share of J
  };
  struct Violation {  // of one kind of constraint
    std::string name;
    std::string unit;
    double scaled;  // the worst row, s|c|
    double value;   // the same row, unscaled; < 0 for an inequality that is broken
    double time;    // s, when
  };
  SpacetimeTermination termination = SpacetimeTermination::kFailure;
  SpacetimeMethod method = SpacetimeMethod::kAugmentedLagrangian;  // that found x
  bool stopped = false;                                            // by `watch`
  std::string note;     // what else is to be said, at the end of the message; may be empty
  std::string message;  // one line
  double initial_cost = 0.0;
  double final_cost = 0.0;        // J
  double violation = 0.0;         // scaled, worst row
  Violation worst;                // meaningful when the program has constraints
  OptimalityResiduals residuals;  // with the last multipliers
  // Of an infeasible goal: how stationary its violation is (optimality.h).
  std::optional<double> certificate;
  std::vector<CostTerm> costs;   // in the order of the program
  std::vector<Violation> kinds;  // each kind of constraint, in the order of the program
  int outer_iterations = 0;
  int inner_iterations = 0;
  std::int64_t evaluations = 0;  // of all rows, with or without derivatives
  double seconds = 0.0;
  int variables = 0, equalities = 0, inequalities = 0, cost_rows = 0;
  std::vector<SpacetimeIteration> history;

  bool converged() const { return termination == SpacetimeTermination::kConvergence; }
  bool feasible = false;            // no constraint is violated more than is acceptable
  std::string BriefReport() const;  // one line
  std::string FullReport() const;   // a table, as Ceres prints it
};

// A factory of minimisers of L, such as MakeCeresMinimizer.
using MinimizerFactory = std::unique_ptr<InnerMinimizer> (*)(const AugmentedLagrangian&);

// `x` holds the initial guess and receives the solution. When `multipliers` is not null and has
// one entry per row, the guess is taken to be near a solution with these λ (refinement of a mesh);
// it receives the last λ.
SpacetimeSummary Solve(const SpacetimeProgram& program, const SpacetimeOptions& options,
                       Eigen::VectorXd* x, Eigen::VectorXd* multipliers = nullptr,
                       MinimizerFactory make_minimizer = MakeCeresMinimizer);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_SOLVE_H_
