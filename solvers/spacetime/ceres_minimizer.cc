#include <ceres/ceres.h>

#include <algorithm>
#include <cmath>

#include "solvers/parallel/cancellation.h"
#include "solvers/spacetime/augmented_lagrangian.h"

namespace pliant {
namespace {

class TermCost : public ceres::CostFunction {
 public:
  TermCost(const AugmentedLagrangian& lagrangian, int term) : lagrangian_(lagrangian), term_(term) {
    const SpacetimeProgram& program = lagrangian.program();
    set_num_residuals(program.term(term).rows());
    for (const int block : program.term(term).blocks()) {
      mutable_parameter_block_sizes()->push_back(program.blocks()[block].size);
    }
  }

  bool Evaluate(double const* const* x, double* residuals, double** jacobians) const override {
    if (IsCancelled()) return false;  // Ceres gives up soon: nothing may be thrown through it
    lagrangian_.EvaluateTerm(term_, x, residuals, jacobians);
    // A step to an undefined value is rejected and the trust region shrinks.
    return std::all_of(residuals, residuals + num_residuals(),
                       [](double r) { return std::isfinite(r); });
  }

 private:
  const AugmentedLagrangian& lagrangian_;
  int term_;
};

// Ends the solve at the end of an iteration when the preparation is cancelled: nothing may be thrown
// through Ceres.
class EndWhenCancelled : public ceres::IterationCallback {
 public:
  ceres::CallbackReturnType operator()(const ceres::IterationSummary&) override {
    return IsCancelled() ? ceres::SOLVER_ABORT : ceres::SOLVER_CONTINUE;
  }
};

class CeresMinimizer : public InnerMinimizer {
 public:
  explicit CeresMinimizer(const AugmentedLagrangian& lagrangian)
      : x_(Eigen::VectorXd::Zero(lagrangian.program().variables())) {
    const SpacetimeProgram& program = lagrangian.program();
    for (const SpacetimeProgram::Block& block : program.blocks()) {
      problem_.AddParameterBlock(x_.data() + block.offset, block.size);
    }
    std::vector<double*> pointers;
    for (int i = 0; i < program.terms(); ++i) {
      pointers.clear();
      for (const int block : program.term(i).blocks()) {
        pointers.push_back(x_.data() + program.blocks()[block].offset);
      }
      if (pointers.empty()) continue;  // no unknowns
      problem_.AddResidualBlock(new TermCost(lagrangian, i), nullptr, pointers);
    }
  }

  Result Minimize(const Options& options, Eigen::VectorXd* x) override {
    ceres::Solver::Options ceres_options;
    ceres_options.linear_solver_type = ceres::SPARSE_NORMAL_CHOLESKY;
    ceres_options.num_threads = 1;
    ceres_options.logging_type = ceres::SILENT;
    ceres_options.max_num_iterations = options.max_iterations;
    ceres_options.function_tolerance = options.function_tolerance;
    ceres_options.gradient_tolerance = 0.0;
    ceres_options.parameter_tolerance = 0.0;
    ceres_options.initial_trust_region_radius = options.initial_radius;
    EndWhenCancelled end;
    ceres_options.callbacks = {&end};
    x_ = *x;
    ceres::Solver::Summary summary;
    ceres::Solve(ceres_options, &problem_, &summary);
    ThrowIfCancelled();

    Result result;
    result.usable = summary.IsSolutionUsable() && x_.allFinite();
    result.iterations = static_cast<int>(summary.iterations.size()) - 1;
    result.accepted = summary.num_successful_steps - 1;  // Ceres counts the start as a success
    // Ceres counts those with derivatives apart.
    result.evaluations = summary.num_residual_evaluations + summary.num_jacobian_evaluations;
    result.radius = summary.iterations.empty() ? options.initial_radius
                                               : summary.iterations.back().trust_region_radius;
    if (result.usable) *x = x_;
    return result;
  }

 private:
  Eigen::VectorXd x_;
  ceres::Problem problem_;
};

}  // namespace

std::unique_ptr<InnerMinimizer> MakeCeresMinimizer(const AugmentedLagrangian& lagrangian) {
  return std::make_unique<CeresMinimizer>(lagrangian);
}

}  // namespace pliant
