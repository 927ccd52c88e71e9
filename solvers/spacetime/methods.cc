#include "solvers/spacetime/methods.h"

#include <algorithm>
#include <cmath>

#include "models/problem.h"
#include "solvers/spacetime/interior_point.h"
#include "solvers/spacetime/row_kinds.h"

namespace pliant {
namespace {

// The end of one method.
struct Attempt {
  SpacetimeSummary summary;
  Eigen::VectorXd x, multipliers;
};

// Of two that converged, or of two that violate nothing, the cheaper one; else the one that converged, that
// violates nothing, or that violates less.
bool IsBetter(const SpacetimeSummary& a, const SpacetimeSummary& b) {
  if (a.converged() != b.converged()) return a.converged();
  if (a.feasible != b.feasible) return a.feasible;
  if (a.feasible) return a.final_cost < b.final_cost;
  return a.violation < b.violation || std::isnan(b.violation);
}

// Several attempts at one program within the budgets of one.
class Attempts {
 public:
  Attempts(const SpacetimeProgram& program, const SpacetimeOptions& options)
      : program_(program), options_(options) {}

  const Attempt& best() const { return best_; }
  bool ended() const {
    return effort_.stopped || Left().max_seconds <= 0.0 || Left().max_evaluations < 1;
  }

  void Lagrangian(const Eigen::VectorXd& guess, const Eigen::VectorXd* multipliers,
                  MinimizerFactory make_minimizer) {
    Attempt attempt{{}, guess, multipliers != nullptr ? *multipliers : Eigen::VectorXd()};
    attempt.summary = Solve(program_, options_, &attempt.x, &attempt.multipliers, make_minimizer);
    Add(std::move(attempt));
  }
  void InteriorPoint(const Eigen::VectorXd& guess) {
    if (ended()) return;
    Attempt attempt{{}, guess, {}};
    attempt.summary = SolveByInteriorPoint(program_, Left(), &attempt.x, &attempt.multipliers);
    Add(std::move(attempt));
  }

  // The best one, with the effort of all.
  Attempt Take() {
    SpacetimeSummary& summary = best_.summary;
    summary.initial_cost = effort_.initial_cost;
    summary.stopped = effort_.stopped;
    summary.outer_iterations = effort_.outer_iterations;
    summary.inner_iterations = effort_.inner_iterations;
    summary.evaluations = effort_.evaluations;
    summary.seconds = effort_.seconds;
    summary.history = std::move(effort_.history);
    return std::move(best_);
  }

 private:
  // A certificate stands unless another attempt proves it wrong.
  bool Replaces(const SpacetimeSummary& summary) const {
    if (attempts_ == 0) return true;
    if (best_.summary.certificate && !summary.feasible) return false;
    return IsBetter(summary, best_.summary);
  }

  void Add(Attempt attempt) {
    const SpacetimeSummary& summary = attempt.summary;
    if (attempts_ == 0) effort_.initial_cost = summary.initial_cost;
    effort_.stopped = summary.stopped;
    effort_.outer_iterations += summary.outer_iterations;
    effort_.inner_iterations += summary.inner_iterations;
    effort_.evaluations += summary.evaluations;
    for (SpacetimeIteration iteration : summary.history) {
      iteration.seconds += effort_.seconds;
      effort_.history.push_back(iteration);
    }
    effort_.seconds += summary.seconds;
    if (Replaces(summary)) best_ = std::move(attempt);
    ++attempts_;
  }

  SpacetimeOptions Left() const {
    SpacetimeOptions left = options_;
    left.max_seconds -= effort_.seconds;
    left.max_evaluations -= effort_.evaluations;
    return left;
  }

  const SpacetimeProgram& program_;
  const SpacetimeOptions& options_;
  Attempt best_;
  SpacetimeSummary effort_;  // of all attempts
  int attempts_ = 0;
};

// After the augmented Lagrangian: from where that got to, which takes a tenth of the time, and from the same guess, which leads to another
// optimum now and then.
void AddInteriorPoints(const Eigen::VectorXd& guess, Attempts* attempts) {
  const SpacetimeSummary first = attempts->best().summary;
  if (first.certificate == 0.0) return;  // no unknown changes what is violated
  // A certificate is of a least violation, from which nothing leads away.
  if (!first.certificate) {
    const Eigen::VectorXd reached = attempts->best().x;
    attempts->InteriorPoint(reached);
  }
  attempts->InteriorPoint(guess);
}

std::string NoteOf(SpacetimeStrategy strategy, const SpacetimeSummary& summary) {
  if (strategy != SpacetimeStrategy::kEither || summary.converged() || summary.stopped) return "";
  if (summary.termination == SpacetimeTermination::kInfeasible) return "";
  if (!HasInteriorPoint()) {
    return std::string(kNoInteriorPoint) + ", and was not tried: " + kHowToGetIt;
  }
  return "neither the augmented Lagrangian nor the interior-point method converged";
}

}  // namespace

const std::vector<std::pair<std::string, SpacetimeStrategy>>& StrategyWords() {
  static const std::vector<std::pair<std::string, SpacetimeStrategy>> words = {
      {"augmented-lagrangian", SpacetimeStrategy::kAugmentedLagrangian},
      {"interior-point", SpacetimeStrategy::kInteriorPoint},
      {"either", SpacetimeStrategy::kEither},
      {"both", SpacetimeStrategy::kBoth}};
  return words;
}

std::string WordOf(SpacetimeMethod method) {
  const SpacetimeStrategy alone = method == SpacetimeMethod::kInteriorPoint
                                      ? SpacetimeStrategy::kInteriorPoint
                                      : SpacetimeStrategy::kAugmentedLagrangian;
  for (const auto& [word, strategy] : StrategyWords()) {
    if (strategy == alone) return word;
  }
  return "";
}

void RequireInteriorPoint(const std::string& where) {
  if (!HasInteriorPoint()) throw BadInput({where, kNoInteriorPoint, kHowToGetIt});
}

bool NeedsInteriorPoint(SpacetimeStrategy strategy) {
  return strategy == SpacetimeStrategy::kInteriorPoint || strategy == SpacetimeStrategy::kBoth;
}

double AcceptableViolation(const SpacetimeOptions& options, int intervals) {
  constexpr double kReferenceIntervals = 34.0;
  const double finer = std::max(1.0, intervals / kReferenceIntervals);
  return std::max(
      options.acceptable_violation,
      std::min(options.restorable_violation, options.violation_tolerance * finer * finer));
}

SpacetimeSummary SolveBy(SpacetimeStrategy strategy, const SpacetimeProgram& program,
                         const SpacetimeOptions& options, Eigen::VectorXd* x,
                         Eigen::VectorXd* multipliers, MinimizerFactory make_minimizer) {
  options.Validate();
  Attempts attempts(program, options);
  if (strategy == SpacetimeStrategy::kInteriorPoint) {
    attempts.InteriorPoint(*x);
  } else {
    attempts.Lagrangian(*x, multipliers, make_minimizer);
    const bool converged = attempts.best().summary.converged();
    const bool falls_back =
        strategy == SpacetimeStrategy::kEither && !converged && HasInteriorPoint();
    if (falls_back || strategy == SpacetimeStrategy::kBoth) AddInteriorPoints(*x, &attempts);
  }
  Attempt best = attempts.Take();
  best.summary.note = NoteOf(strategy, best.summary);
  best.summary.message = MessageOf(best.summary);
  *x = std::move(best.x);
  if (multipliers != nullptr) *multipliers = std::move(best.multipliers);
  return std::move(best.summary);
}

}  // namespace pliant
