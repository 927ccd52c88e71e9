#include "solvers/spacetime/interior_point.h"

#include <IpIpoptApplication.hpp>
#include <IpTNLP.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <stdexcept>

#include "solvers/parallel/cancellation.h"
#include "solvers/spacetime/row_kinds.h"
#include "solvers/spacetime/standard_form.h"

namespace pliant {
namespace {

using Clock = std::chrono::steady_clock;
using Ipopt::Index;
using Ipopt::Number;

constexpr double kNoBound = 2e19;  // beyond this Ipopt sees no bound
constexpr int kIterationsAtRest = 10;

// What Ipopt asks and tells. Nothing is thrown through it.
class IpoptAdapter : public Ipopt::TNLP {
 public:
  IpoptAdapter(const SpacetimeProgram& program, const SpacetimeOptions& options,
               const Eigen::VectorXd& x, Clock::time_point start, SpacetimeSummary* summary)
      : program_(program),
        options_(options),
        form_(program, x),
        guess_(x),
        start_(start),
        summary_(summary) {
    Keep(x, form_.values());
  }

  // The last point where Ipopt succeeds; else the best one: the least violated, of those that violate nothing the cheapest.
  const Eigen::VectorXd& x() const { return best_x_; }
  const Eigen::VectorXd& row_multipliers() const { return row_multipliers_; }
  std::int64_t evaluations() const { return form_.evaluations(); }
  void RethrowWhatWatchThrew() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

  bool get_nlp_info(Index& variables, Index& rows, Index& jacobian, Index& hessian,
                    IndexStyleEnum& style) override {
    variables = form_.variables();
    rows = form_.rows();
    jacobian = static_cast<Index>(form_.jacobian_entries().size());
    hessian = static_cast<Index>(form_.hessian_entries().size());
    style = C_STYLE;
    return true;
  }
  bool get_bounds_info(Index n, Number* lower, Number* upper, Index m, Number* row_lower,
                       Number* row_upper) override {
    for (Index k = 0; k < n; ++k) {
      lower[k] = std::max(-kNoBound, form_.lower()[k]);
      upper[k] = std::min(kNoBound, form_.upper()[k]);
    }
    for (Index i = 0; i < m; ++i) {
      row_lower[i] = 0.0;
      row_upper[i] = form_.is_equality(i) ? 0.0 : kNoBound;
    }
    return true;
  }
  bool get_starting_point(Index n, bool, Number* x, bool, Number*, Number*, Index, bool,
                          Number*) override {
    std::copy_n(guess_.data(), n, x);
    return true;
  }
  bool eval_f(Index, const Number* x, bool, Number& value) override {
    form_.MoveTo(x, false);
    value = form_.Cost();
    return std::isfinite(value);
  }
  bool eval_grad_f(Index n, const Number* x, bool, Number* gradient) override {
    form_.MoveTo(x, true);
    form_.CostGradient(gradient);
    return AllFinite(gradient, n);
  }
  bool eval_g(Index, const Number* x, bool, Index m, Number* values) override {
    form_.MoveTo(x, false);
    form_.Rows(values);
    return AllFinite(values, m);
  }
  bool eval_jac_g(Index, const Number* x, bool, Index, Index entries, Index* row, Index* column,
                  Number* values) override {
    if (values == nullptr) return Place(form_.jacobian_entries(), row, column);
    form_.MoveTo(x, true);
    form_.Jacobian(values);
    return AllFinite(values, entries);
  }
  bool eval_h(Index, const Number* x, bool, Number cost_factor, Index, const Number* multipliers,
              bool, Index entries, Index* row, Index* column, Number* values) override {
    if (values == nullptr) return Place(form_.hessian_entries(), row, column);
    form_.MoveTo(x, true);
    form_.Hessian(cost_factor, multipliers, values);
    return AllFinite(values, entries);
  }

  // Returns false to stop. The last x with derivatives is that of the iteration.
  bool intermediate_callback(Ipopt::AlgorithmMode, Index iteration, Number, Number, Number,
                             Number barrier, Number, Number, Number, Number share, Index trials,
                             const Ipopt::IpoptData*, Ipopt::IpoptCalculatedQuantities*) override {
    if (iteration > 0) Record(barrier, share, trials);
    return !IsCancelled() && !summary_->stopped && !thrown_ && !BudgetUsed();
  }

  void finalize_solution(Ipopt::SolverReturn status, Index n, const Number* x,
                         const Number* of_lower, const Number* of_upper, Index, const Number*,
                         const Number* multipliers, Number, const Ipopt::IpoptData*,
                         Ipopt::IpoptCalculatedQuantities*) override {
    if (!AllFinite(x, n)) return;
    const bool last = status == Ipopt::SUCCESS || status == Ipopt::STOP_AT_ACCEPTABLE_POINT;
    form_.MoveTo(x, false);
    if (last || IsBetter(form_.values())) Keep(form_.x(), form_.values());
    if (form_.x() != best_x_) return;  // what the multipliers belong to
    row_multipliers_ = form_.RowMultipliers(multipliers, of_lower, of_upper);
  }

 private:
  static bool AllFinite(const Number* values, Index size) {
    return std::all_of(values, values + size, [](double v) { return std::isfinite(v); });
  }
  static bool Place(const std::vector<StandardForm::Entry>& entries, Index* row, Index* column) {
    for (const StandardForm::Entry& entry : entries) {
      *row++ = entry.row;
      *column++ = entry.column;
    }
    return true;
  }

  void Record(double barrier, double share, int trials) {
    const double cost = form_.Cost(), violation = WorstViolation(program_, form_.values());
    summary_->outer_iterations += 1;
    summary_->inner_iterations += trials;
    summary_->history.push_back({ToString(SpacetimeMethod::kInteriorPoint), barrier, trials, cost,
                                 violation, share, Seconds()});
    if (IsBetter(form_.values())) Keep(form_.x(), form_.values());
    if (!options_.watch) return;
    try {
      summary_->stopped = !options_.watch(summary_->history.back(), form_.x());
    } catch (...) {
      thrown_ = std::current_exception();
    }
  }

  bool IsBetter(const Eigen::VectorXd& values) const {
    const double violation = WorstViolation(program_, values), cost = program_.Cost(values);
    if (!std::isfinite(violation) || !std::isfinite(cost)) return false;
    if (!std::isfinite(best_violation_)) return true;
    const double tolerance = options_.acceptable_violation;
    if (violation <= tolerance && best_violation_ <= tolerance) return cost < best_cost_;
    return violation < best_violation_;
  }
  void Keep(const Eigen::VectorXd& x, const Eigen::VectorXd& values) {
    best_x_ = x;
    best_violation_ = WorstViolation(program_, values);
    best_cost_ = program_.Cost(values);
  }

  bool BudgetUsed() const {
    return form_.evaluations() >= options_.max_evaluations || Seconds() >= options_.max_seconds;
  }
  double Seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  const SpacetimeProgram& program_;
  const SpacetimeOptions& options_;
  StandardForm form_;
  const Eigen::VectorXd guess_;
  const Clock::time_point start_;
  SpacetimeSummary* summary_;
  Eigen::VectorXd best_x_, row_multipliers_;
  double best_violation_ = std::numeric_limits<double>::infinity(), best_cost_ = best_violation_;
  std::exception_ptr thrown_;
};

Ipopt::SmartPtr<Ipopt::IpoptApplication> MakeIpopt(const SpacetimeOptions& options) {
  const Ipopt::SmartPtr<Ipopt::IpoptApplication> ipopt = IpoptApplicationFactory();
  const Ipopt::SmartPtr<Ipopt::OptionsList> list = ipopt->Options();
  bool known = true;
  const auto text = [&](const char* name, const char* value) {
    known = list->SetStringValue(name, value) && known;
  };
  const auto number = [&](const char* name, double value) {
    known = list->SetNumericValue(name, value) && known;
  };
  const auto integer = [&](const char* name, int value) {
    known = list->SetIntegerValue(name, value) && known;
  };
  text("sb", "yes");  // no banner
  integer("print_level", 0);
  text("linear_solver", "mumps");
  text("mu_strategy", "adaptive");
  number("tol", options.interior_tolerance);
  number("constr_viol_tol", options.violation_tolerance);
  // Where rounding keeps it from that for some iterations, what is acceptable counts, and nothing weaker.
  const bool weaker = options.acceptable_violation > options.violation_tolerance;
  integer("acceptable_iter", weaker ? kIterationsAtRest : 0);
  number("acceptable_tol", options.interior_tolerance);
  number("acceptable_constr_viol_tol", options.acceptable_violation);
  number("bound_relax_factor", 0.0);
  integer("max_iter", options.max_interior_iterations);
  if (!known) throw std::logic_error("Ipopt does not know an option");
  // No file of options in the current folder.
  if (ipopt->Initialize("") != Ipopt::Solve_Succeeded) throw std::logic_error("no Ipopt");
  return ipopt;
}

// Waits for others, as long as nothing is cancelled.
std::unique_lock<std::timed_mutex> Turn() {
  static std::timed_mutex one_at_a_time;
  std::unique_lock<std::timed_mutex> turn(one_at_a_time, std::defer_lock);
  while (!turn.try_lock_for(std::chrono::milliseconds(20))) ThrowIfCancelled();
  ThrowIfCancelled();
  return turn;
}

}  // namespace

bool HasInteriorPoint() { return true; }

SpacetimeSummary SolveByInteriorPoint(const SpacetimeProgram& program,
                                      const SpacetimeOptions& options, Eigen::VectorXd* x,
                                      Eigen::VectorXd* multipliers) {
  options.Validate();
  const Clock::time_point start = Clock::now();
  SpacetimeSummary summary;
  summary.method = SpacetimeMethod::kInteriorPoint;
  Eigen::VectorXd values, row_multipliers;
  program.Evaluate(*x, &values);
  summary.initial_cost = program.Cost(values);
  SpacetimeTermination termination = SpacetimeTermination::kNoConvergence;
  if (WorstFixedRow(program, values, options.violation_tolerance)) {
    summary.certificate = 0.0;  // no unknown changes it
    termination = SpacetimeTermination::kInfeasible;
  } else {
    const auto turn = Turn();
    const auto ipopt = MakeIpopt(options);
    auto* adapter = new IpoptAdapter(program, options, *x, start, &summary);
    const Ipopt::SmartPtr<Ipopt::TNLP> owner = adapter;
    const Ipopt::ApplicationReturnStatus status = ipopt->OptimizeTNLP(owner);
    ThrowIfCancelled();
    adapter->RethrowWhatWatchThrew();
    *x = adapter->x();
    program.Evaluate(*x, &values);
    row_multipliers = adapter->row_multipliers();
    summary.evaluations = adapter->evaluations() + 3;
    const double violation = WorstViolation(program, values);
    const bool succeeded =
        status == Ipopt::Solve_Succeeded || status == Ipopt::Solved_To_Acceptable_Level;
    if (succeeded && violation <= options.acceptable_violation) {
      termination = SpacetimeTermination::kConvergence;
    } else if (!std::isfinite(violation)) {
      termination = SpacetimeTermination::kFailure;
    }
  }
  const Eigen::VectorXd of_rows = row_multipliers.size() > 0
                                      ? LagrangianMultipliers(program, row_multipliers)
                                      : Eigen::VectorXd::Zero(program.rows());
  if (multipliers != nullptr) *multipliers = of_rows;
  summary.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  ReportEnd(program, options, termination, *x, of_rows, values, &summary);
  return summary;
}

}  // namespace pliant
