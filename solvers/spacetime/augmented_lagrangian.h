// The program as a sequence of sums of squares: the augmented Lagrangian
//
//   L(x; λ, ρ) = ½ Σ r² + ½ Σ ρω (s c + λ/ρ)² + ½ Σ ρω max(0, λ/ρ − s g)²
//
// in the notation of program.h. For multipliers λ at their optimum its minimum is that of the
// program; λ ← λ + ρ s c and λ ← max(0, λ − ρ s g) leads there. λ is a density in time (the weight
// ω is outside), so that it keeps its size when the mesh is refined.

#ifndef PLIANT_SOLVERS_SPACETIME_AUGMENTED_LAGRANGIAN_H_
#define PLIANT_SOLVERS_SPACETIME_AUGMENTED_LAGRANGIAN_H_

#include <cmath>

#include "solvers/spacetime/program.h"

namespace pliant {

class AugmentedLagrangian {
 public:
  // `program` outlives this. λ = 0.
  explicit AugmentedLagrangian(const SpacetimeProgram& program);

  const SpacetimeProgram& program() const { return program_; }
  double penalty() const { return penalty_; }
  void set_penalty(double penalty) { penalty_ = penalty; }
  const Eigen::VectorXd& multipliers() const { return multipliers_; }  // one per row, 0 for cost
  void set_multipliers(const Eigen::VectorXd& multipliers) { multipliers_ = multipliers; }

  // Weight of the cost in L: 1, or 0 to see the constraints alone.
  void set_cost_weight(double weight) { root_cost_weight_ = std::sqrt(weight); }

  // First-order update of λ from the rows at the minimiser of L.
  void UpdateMultipliers(const Eigen::VectorXd& values);

  // Residuals of one term, of which L is half the sum of squares; arguments as in SpacetimeTerm.
  void EvaluateTerm(int term, const double* const* x, double* residuals,
                    double* const* jacobians) const;

 private:
  const SpacetimeProgram& program_;
  std::vector<RowKind> kind_;    // of each row
  Eigen::VectorXd scale_;        // s of each row
  Eigen::VectorXd root_weight_;  // √ω of each row
  Eigen::VectorXd multipliers_;
  double penalty_ = 1.0;
  double root_cost_weight_ = 1.0;
};

// Minimises L over x for fixed λ and ρ. Levenberg–Marquardt in every implementation.
class InnerMinimizer {
 public:
  struct Options {
    double function_tolerance = 0.0;  // relative change of L at which to stop; 0: never
    int max_iterations = 20;
    double initial_radius = 100.0;  // of the trust region
  };
  struct Result {
    bool usable = false;  // x is finite and L did not grow
    int iterations = 0;
    int accepted = 0;     // iterations that moved x
    int evaluations = 0;  // of all rows, with or without derivatives
    double radius = 0.0;  // of the trust region at the end
  };
  virtual ~InnerMinimizer() = default;
  // Throws Cancelled (solvers/parallel/cancellation.h).
  virtual Result Minimize(const Options& options, Eigen::VectorXd* x) = 0;
};

// A minimiser that uses Ceres, SPARSE_NORMAL_CHOLESKY, on one thread. `lagrangian` outlives the
// minimiser and may change λ and ρ between calls.
std::unique_ptr<InnerMinimizer> MakeCeresMinimizer(const AugmentedLagrangian& lagrangian);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_AUGMENTED_LAGRANGIAN_H_
