#include "solvers/finite_elements/statics.h"

#include <cmath>
#include <limits>

#include "solvers/finite_elements/reduced_matrix.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::VectorXd;

class Equilibrium {
 public:
  Equilibrium(const Discretisation& bodies, const Reduction& reduction, const StaticLoad& load,
              const StaticOptions& options)
      : bodies_(bodies),
        reduction_(reduction),
        load_(load),
        options_(options),
        matrix_(bodies, reduction, {}) {}

  // From q, an equilibrium under another part of the load.
  bool Solve(double part, Matrix3Xd* q, StaticSolution* solution) {
    const VectorXd b = (1.0 - part) * load_.begin + part * load_.end;
    const Matrix3Xd force = part * load_.force;
    Matrix3Xd trial = *q;
    // The first step follows the rows as the linearised body does; then y alone moves.
    const VectorXd shift = reduction_.S() * b - Particular(*q);
    for (int iteration = 0; iteration < options_.most_iterations; ++iteration) {
      Matrix3Xd gradient = Matrix3Xd::Zero(3, q->cols());
      bodies_.AddGradient(trial, gradient);
      const double scale = std::max(gradient.cwiseAbs().maxCoeff(), force.cwiseAbs().maxCoeff());
      const Matrix3Xd unbalanced = gradient - force;
      VectorXd residual = reduction_.T().transpose() * unbalanced.reshaped();
      solution->unbalanced = residual.size() > 0 ? residual.cwiseAbs().maxCoeff() : 0.0;
      matrix_.SetZero();
      matrix_.AddTangent(1.0, trial);
      const double rounding = 4.0 * std::numeric_limits<double>::epsilon() *
                              matrix_.LargestDiagonal() * trial.cwiseAbs().maxCoeff();
      const bool moved = iteration == 0 && shift.size() > 0 && shift.cwiseAbs().maxCoeff() > 0.0;
      if (!moved && solution->unbalanced <= options_.tolerance * scale + rounding) {
        *q = trial;
        return true;
      }
      ++solution->iterations;
      if (moved) {
        // Tᵀ (g + K S Δb): the force of the displaced rows, by a difference along the shift.
        Matrix3Xd there = trial;
        there.reshaped() += kProbe * shift;
        Matrix3Xd ahead = Matrix3Xd::Zero(3, q->cols());
        bodies_.AddGradient(there, ahead);
        residual += reduction_.T().transpose() * ((ahead - gradient) / kProbe).reshaped();
      }
      if (matrix_.Factorise() < 0.0) return false;
      VectorXd step = reduction_.T() * -matrix_.Solve(residual);
      if (moved) step += shift;
      if (!step.allFinite()) return false;
      if (moved) {
        trial.reshaped() += step;
        if (!std::isfinite(Potential(trial, force))) return false;
        continue;
      }
      if (!Search(step, unbalanced, solution->unbalanced, force, &trial)) return false;
    }
    return false;
  }

 private:
  static constexpr double kProbe = 1e-6;

  // q − T y: what the rows give now.
  VectorXd Particular(const Matrix3Xd& q) const {
    VectorXd y(reduction_.size());
    for (int i = 0; i < y.size(); ++i) y[i] = q.reshaped()[reduction_.free()[i]];
    return q.reshaped() - reduction_.T() * y;
  }

  double Potential(const Matrix3Xd& q, const Matrix3Xd& force) const {
    return bodies_.Energy(q) - force.cwiseProduct(q).sum();
  }

  // Armijo's rule; near the solution, where Π is rounding, a smaller unbalanced force will do.
  bool Search(const VectorXd& step, const Matrix3Xd& unbalanced, double largest,
              const Matrix3Xd& force, Matrix3Xd* q) const {
    const double before = Potential(*q, force);
    const double slope = unbalanced.reshaped().dot(step);
    double fraction = 1.0;
    for (int halving = 0; halving < 30; ++halving, fraction *= 0.5) {
      Matrix3Xd trial = *q;
      trial.reshaped() += fraction * step;
      const double there = Potential(trial, force);
      bool accepted = std::isfinite(there) && there <= before + 1e-4 * fraction * slope;
      if (!accepted && std::isfinite(there)) {
        Matrix3Xd gradient = -force;
        bodies_.AddGradient(trial, gradient);
        const VectorXd left = reduction_.T().transpose() * gradient.reshaped();
        accepted = left.cwiseAbs().maxCoeff() < (1.0 - 1e-4 * fraction) * largest;
      }
      if (!accepted) continue;
      *q = trial;
      return true;
    }
    return false;
  }

  const Discretisation& bodies_;
  const Reduction& reduction_;
  const StaticLoad& load_;
  const StaticOptions& options_;
  ReducedMatrix matrix_;
};

}  // namespace

StaticSolution SolveStatics(const Discretisation& bodies, const StaticLoad& load,
                            const StaticOptions& options, Matrix3Xd* q) {
  const Reduction reduction(3 * bodies.node_count(), load.rows);
  Equilibrium equilibrium(bodies, reduction, load, options);
  StaticSolution solution;
  double reached = 0.0, step = 1.0 / options.load_steps;
  const double least = std::ldexp(step, -options.most_halvings);
  while (reached < 1.0) {
    const double next = reached + step > 1.0 - 1e-12 ? 1.0 : reached + step;
    if (equilibrium.Solve(next, q, &solution)) {
      reached = next;
      continue;
    }
    step *= 0.5;
    if (step < least) return solution;
  }
  solution.converged = true;
  return solution;
}

}  // namespace pliant::finite_elements
