#include "solvers/spacetime/solve.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "solvers/spacetime/row_kinds.h"

namespace pliant {
namespace {

using Clock = std::chrono::steady_clock;

// Smallest initial trust region of a solve; Ceres refuses to begin below 1e-32.
constexpr double kLeastRadius = 1e-16;

// Relative change at which the search for a feasible motion ends without a certificate.
constexpr double kLeastFunctionTolerance = 1e-14;

// Does a violation still fall? Not if it has not halved in `patience` outer iterations that
// count.
class Progress {
 public:
  explicit Progress(int patience) : patience_(patience) {}
  bool Stuck(double violation, bool counts) {
    if (violation < 0.5 * mark_) {
      mark_ = violation;
      waited_ = 0;
    } else if (counts) {
      ++waited_;
    }
    return waited_ >= patience_;
  }

 private:
  int patience_, waited_ = 0;
  double mark_ = std::numeric_limits<double>::infinity();
};

// One solve: the state of the outer loop and its results.
class OuterLoop {
 public:
  OuterLoop(const SpacetimeProgram& program, const SpacetimeOptions& options,
            MinimizerFactory make_minimizer, Eigen::VectorXd* x, Eigen::VectorXd* multipliers)
      : program_(program),
        options_(options),
        lagrangian_(program),
        minimizer_(make_minimizer(lagrangian_)),
        guess_(*x),
        x_(*x),
        best_x_(*x),
        start_(Clock::now()) {
    if (multipliers != nullptr && multipliers->size() == program.rows()) {
      first_multipliers_ = *multipliers;
      warm_ = true;
    }
    Measure();
    summary_.initial_cost = cost_;
    best_violation_ = violation_;
    best_cost_ = cost_;
  }

  SpacetimeSummary Run(Eigen::VectorXd* x, Eigen::VectorXd* multipliers) {
    const SpacetimeTermination termination = Attempts();
    if (termination != SpacetimeTermination::kConvergence &&
        termination != SpacetimeTermination::kInfeasible) {
      measured_ = measured_ && x_ == best_x_;
      x_ = best_x_;
      if (best_multipliers_.size() > 0) lagrangian_.set_multipliers(best_multipliers_);
    }
    *x = x_;
    if (multipliers != nullptr) *multipliers = lagrangian_.multipliers();
    Report(termination);
    return std::move(summary_);
  }

 private:
  enum class Outcome { kConverged, kStalled, kUndecided, kBudget };

  SpacetimeTermination Attempts() {
    if (WorstFixedRow(program_, values_, options_.violation_tolerance)) {
      summary_.certificate = 0.0;  // no unknown changes it
      return SpacetimeTermination::kInfeasible;
    }
    if (BudgetUsed()) return SpacetimeTermination::kNoConvergence;
    Outcome outcome = Outcome::kStalled;
    if (warm_) outcome = FromGuess("warm", options_.warm, first_multipliers_);
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(program_.rows());
    if (outcome == Outcome::kStalled) outcome = FromGuess("fast", options_.fast, zero);
    if (outcome == Outcome::kStalled) outcome = FromGuess("robust", options_.robust, zero);
    if (outcome == Outcome::kStalled) {
      // Is there a feasible motion? Search for the nearest one from the end of the robust schedule,
      // and from the guess.
      outcome = SeekFeasible();
      if (outcome != Outcome::kConverged && !BudgetUsed()) {
        const Eigen::VectorXd rest = x_;
        const Outcome first = outcome;
        const double cosine = cosine_;
        x_ = guess_;
        measured_ = false;
        outcome = SeekFeasible();
        if (outcome != Outcome::kConverged && first == Outcome::kStalled) {
          x_ = rest;
          measured_ = false;
          outcome = first;
          cosine_ = cosine;
        }
      }
      if (outcome == Outcome::kStalled) {
        summary_.certificate = cosine_;
        return SpacetimeTermination::kInfeasible;
      }
      if (outcome == Outcome::kConverged) {
        lagrangian_.set_multipliers(zero);
        outcome = Descend("robust", options_.robust);
      }
    }
    if (outcome == Outcome::kConverged) outcome = Polished();
    if (outcome == Outcome::kConverged) return SpacetimeTermination::kConvergence;
    return std::isfinite(best_violation_) ? SpacetimeTermination::kNoConvergence
                                          : SpacetimeTermination::kFailure;
  }

  // Large penalties make the valley of feasible motions so narrow that the cost settles on its way to the optimum. From
  // there, with the multipliers so far, smaller ones take the motion on.
  Outcome Polished() {
    double stationarity = Stationarity();
    for (int i = 0; i < options_.polishes; ++i) {
      if (stationarity <= options_.stationarity_tolerance) return Outcome::kConverged;
      const double before = cost_;
      if (Descend("polish", options_.polish) != Outcome::kConverged) break;
      stationarity = Stationarity();
      const bool stays = std::abs(cost_ - before) <= options_.polished_cost_tolerance * cost_;
      if (stays && stationarity <= options_.acceptable_stationarity) return Outcome::kConverged;
    }
    return Outcome::kUndecided;
  }
  double Stationarity() {
    summary_.evaluations += 1;
    const Eigen::VectorXd multipliers = RowMultipliers(program_, lagrangian_.multipliers());
    return ResidualsAt(program_, x_, multipliers, values_).stationarity;
  }

  Outcome FromGuess(std::string_view stage, const SpacetimeOptions::Schedule& schedule,
                    const Eigen::VectorXd& multipliers) {
    x_ = guess_;
    measured_ = false;
    lagrangian_.set_multipliers(multipliers);
    return Descend(stage, schedule);
  }

  // The outer iterations of one schedule and the final stage.
  Outcome Descend(std::string_view stage, const SpacetimeOptions::Schedule& schedule) {
    lagrangian_.set_penalty(schedule.initial_penalty);
    refused_ = 0;
    InnerMinimizer::Options inner;
    inner.function_tolerance = options_.first_function_tolerance;
    inner.max_iterations = schedule.max_inner_iterations;
    inner.initial_radius = options_.least_initial_radius;
    double previous = std::numeric_limits<double>::infinity();
    bool near = false;
    int slow = 0;  // outer iterations in a row, at the cap of ρ
    Progress progress(options_.stuck_iterations);
    for (int i = 0; i < schedule.max_outer_iterations && !near; ++i) {
      if (!Iterate(stage, &inner)) return Outcome::kStalled;
      if (BudgetUsed()) return Outcome::kBudget;
      const bool at_cap = lagrangian_.penalty() >= options_.penalty_cap;
      const bool falls = violation_ <= schedule.required_decrease * previous;
      if (!falls) RaisePenalty(options_.penalty_cap);
      slow = at_cap && !falls ? slow + 1 : 0;
      previous = violation_;
      inner.function_tolerance =
          std::max(options_.function_tolerance_floor,
                   options_.function_tolerance_factor * inner.function_tolerance);
      if (violation_ > options_.slow_stage_violation && progress.Stuck(violation_, at_cap)) {
        return Outcome::kStalled;
      }
      near = violation_ < options_.final_stage_violation ||
             (slow >= options_.slow_iterations && violation_ < options_.slow_stage_violation);
    }
    return near ? FinalStage(&inner) : Outcome::kStalled;
  }

  // Short inner solves while ρ grows: the violation falls by the penalty, not by inner accuracy.
  Outcome FinalStage(InnerMinimizer::Options* inner) {
    inner->function_tolerance = 0.0;
    inner->max_iterations = options_.final_inner_iterations;
    bool has_settled = false;
    for (int i = 0; i < options_.final_outer_iterations; ++i) {
      const double previous_cost = cost_;
      if (refused_ == 0) RaisePenalty(options_.final_penalty_cap);
      if (!Iterate("final", inner)) return Outcome::kStalled;
      const auto settled = [&] {
        return std::abs(cost_ - previous_cost) <= options_.cost_tolerance * cost_;
      };
      if (settled() && !BudgetUsed() && violation_ >= options_.violation_tolerance &&
          violation_ < options_.restorable_violation) {
        Restore(*inner);
      }
      if (violation_ < options_.violation_tolerance && settled()) return Outcome::kConverged;
      has_settled = settled();
      if (BudgetUsed()) return Outcome::kBudget;
    }
    const bool acceptable = has_settled && violation_ < options_.acceptable_violation;
    return acceptable ? Outcome::kConverged : Outcome::kStalled;
  }

  // A violation near the tolerance can be too small to show in L, whose rounding then refuses every
  // step. Seen alone it is not: a few steps of least change bring x back to the constraints.
  void Restore(InnerMinimizer::Options inner) {
    inner.initial_radius = options_.restoration_radius;
    const Eigen::VectorXd multipliers = lagrangian_.multipliers();
    lagrangian_.set_cost_weight(0.0);
    lagrangian_.set_multipliers(Eigen::VectorXd::Zero(program_.rows()));
    Iterate("restoration", &inner, /*update_multipliers=*/false);
    lagrangian_.set_cost_weight(1.0);
    lagrangian_.set_multipliers(multipliers);
  }

  // Minimises the violation alone (λ = 0, no cost). Converged: a feasible motion; stalled: at rest
  // at a violation that is stationary; undecided: neither, and it no longer halves.
  Outcome SeekFeasible() {
    Progress progress(2 * options_.stuck_iterations);
    lagrangian_.set_cost_weight(0.0);
    lagrangian_.set_multipliers(Eigen::VectorXd::Zero(program_.rows()));
    lagrangian_.set_penalty(1.0);
    InnerMinimizer::Options inner;
    inner.function_tolerance = options_.feasibility_tolerance;
    inner.max_iterations = options_.robust.max_inner_iterations;
    inner.initial_radius = options_.feasibility_radius;
    Outcome outcome = Outcome::kBudget;
    for (int i = 0; i < options_.robust.max_outer_iterations && !BudgetUsed(); ++i) {
      if (!Iterate("feasibility", &inner, /*update_multipliers=*/false)) break;
      if (violation_ < options_.restorable_violation) {
        outcome = Outcome::kConverged;
        break;
      }
      const bool rests = last_inner_ < inner.max_iterations;
      const bool stuck = progress.Stuck(violation_, true);
      if (!rests && !stuck) continue;
      // One that has been small before is not the least.
      if (best_violation_ >= options_.slow_stage_violation) {
        cosine_ = ViolationCosine(program_, x_);
        summary_.evaluations += 1;
        if (cosine_ <= options_.certificate_cosine) {
          outcome = Outcome::kStalled;
          break;
        }
      }
      if (stuck || inner.function_tolerance < kLeastFunctionTolerance) {
        outcome =
            Outcome::kUndecided;  // a violation that still falls, however slowly, proves nothing
        break;
      }
      inner.function_tolerance *= 0.1;
    }
    lagrangian_.set_cost_weight(1.0);
    return outcome;
  }

  // One outer iteration. Returns false when the numbers became undefined.
  bool Iterate(std::string_view stage, InnerMinimizer::Options* inner,
               bool update_multipliers = true) {
    if (update_multipliers) outer_multipliers_ = lagrangian_.multipliers();
    InnerMinimizer::Options within = *inner;
    within.max_iterations =
        static_cast<int>(std::min<std::int64_t>(inner->max_iterations, IterationsLeft()));
    const InnerMinimizer::Result result = minimizer_->Minimize(within, &x_);
    // The trust region is kept; a lower limit lets it recover, but not while it is still shrinking
    // towards an accepted step.
    inner->initial_radius = result.accepted > 0
                                ? std::max(options_.least_initial_radius, result.radius)
                                : std::max(kLeastRadius, result.radius);
    last_inner_ = result.iterations;
    accepted_ = result.accepted;
    summary_.outer_iterations += 1;
    summary_.inner_iterations += result.iterations;
    summary_.evaluations += result.evaluations;
    Measure();
    summary_.history.push_back({stage, lagrangian_.penalty(), result.iterations, cost_, violation_,
                                result.radius, Seconds()});
    if (options_.watch && !options_.watch(summary_.history.back(), x_)) stopped_ = true;
    if (!result.usable || !std::isfinite(violation_) || !std::isfinite(cost_)) return false;
    if (IsBetter()) {
      best_violation_ = violation_;
      best_cost_ = cost_;
      best_x_ = x_;
      best_multipliers_ = outer_multipliers_;
    }
    if (!update_multipliers) return true;
    // Where every step was refused x is no minimum of L yet: a kink, where an inequality becomes
    // active or inactive, needs a smaller trust region; otherwise λ would grow with the same
    // violation again and again. Below a violation that rounding hides, x counts as a minimum.
    refused_ = accepted_ > 0 || violation_ < options_.restorable_violation ? 0 : refused_ + 1;
    if (refused_ > options_.refused_solves) {
      refused_ = 0;
      inner->initial_radius = options_.least_initial_radius;
    }
    if (refused_ == 0) lagrangian_.UpdateMultipliers(values_);
    return true;
  }

  // The least violated motion so far; of those that violate nothing the cheapest.
  bool IsBetter() const {
    if (!std::isfinite(best_violation_)) return true;
    const double tolerance = options_.acceptable_violation;
    if (violation_ <= tolerance && best_violation_ <= tolerance) return cost_ < best_cost_;
    return violation_ < best_violation_;
  }

  void RaisePenalty(double cap) {
    lagrangian_.set_penalty(std::min(cap, options_.penalty_growth * lagrangian_.penalty()));
  }

  void Measure() {
    program_.Evaluate(x_, &values_);
    measured_ = true;
    summary_.evaluations += 1;
    cost_ = program_.Cost(values_);
    violation_ = WorstViolation(program_, values_);
  }

  // An inner solve evaluates once, and twice at most in each iteration; this loop once or twice after
  // it and twice for the report. Not one evaluation is to be more than the budget.
  std::int64_t IterationsLeft() const {
    return (options_.max_evaluations - summary_.evaluations - 5) / 2;
  }
  bool BudgetUsed() const {
    return stopped_ || IterationsLeft() < 1 || Seconds() >= options_.max_seconds;
  }
  double Seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  void Report(SpacetimeTermination termination) {
    if (!measured_) Measure();
    summary_.seconds = Seconds();
    summary_.stopped = stopped_;
    ReportEnd(program_, options_, termination, x_, lagrangian_.multipliers(), values_, &summary_);
  }

  const SpacetimeProgram& program_;
  const SpacetimeOptions& options_;
  AugmentedLagrangian lagrangian_;
  std::unique_ptr<InnerMinimizer> minimizer_;
  const Eigen::VectorXd guess_;
  Eigen::VectorXd first_multipliers_;
  bool warm_ = false;
  Eigen::VectorXd x_, best_x_, values_;
  double cost_ = 0.0, violation_ = 0.0;
  double best_violation_ = std::numeric_limits<double>::infinity();
  double best_cost_ = std::numeric_limits<double>::infinity();
  Eigen::VectorXd outer_multipliers_;  // of the last outer iteration that had the cost in it
  Eigen::VectorXd best_multipliers_;   // when best_x_ was found
  int last_inner_ = 0, accepted_ = 0;  // iterations of the last inner solve
  bool stopped_ = false;               // by the `watch` callback
  double cosine_ = 0.0;                // of the last violation at rest
  bool measured_ = false;              // are values_, cost_ and violation_ those of x_?
  int refused_ = 0;                    // inner solves in a row that did not move x
  Clock::time_point start_;
  SpacetimeSummary summary_;
};

}  // namespace

SpacetimeSummary Solve(const SpacetimeProgram& program, const SpacetimeOptions& options,
                       Eigen::VectorXd* x, Eigen::VectorXd* multipliers,
                       MinimizerFactory make_minimizer) {
  options.Validate();
  OuterLoop loop(program, options, make_minimizer, x, multipliers);
  return loop.Run(x, multipliers);
}

}  // namespace pliant
