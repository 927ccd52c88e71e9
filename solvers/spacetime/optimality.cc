#include "solvers/spacetime/optimality.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

namespace pliant {
namespace {

// Takes over a NaN, which comparisons would lose.
void Raise(double value, double* largest) {
  if (!(value <= *largest)) *largest = value;
}

// A number without unit; 0/0 is 0: nothing to balance.
double Relative(double value, double to) {
  if (value == 0.0) return 0.0;
  return to > 0.0 ? value / to : std::numeric_limits<double>::infinity();
}

// Evaluates terms with their derivatives.
class TermAt {
 public:
  explicit TermAt(const SpacetimeProgram& program) : program_(program) {}

  void Evaluate(int index, const Eigen::VectorXd& x) {
    const SpacetimeTerm& term = program_.term(index);
    const size_t blocks = term.blocks().size();
    const double* pointers[SpacetimeProgram::kMaxBlocks];
    double* jacobians[SpacetimeProgram::kMaxBlocks];
    program_.Gather(index, x.data(), pointers);
    values_.resize(term.rows());
    for (size_t b = 0; b < blocks; ++b) {
      jacobians_[b].resize(static_cast<size_t>(term.rows()) *
                           program_.blocks()[term.blocks()[b]].size);
      jacobians[b] = jacobians_[b].data();
    }
    term.Evaluate(pointers, values_.data(), blocks > 0 ? jacobians : nullptr);
  }
  double value(int row) const { return values_[row]; }
  // Derivatives of a row by its block number `b`, of `size` unknowns.
  Eigen::Map<const Eigen::VectorXd> Derivative(int row, size_t b, int size) const {
    return {jacobians_[b].data() + static_cast<ptrdiff_t>(row) * size, size};
  }

 private:
  const SpacetimeProgram& program_;
  std::vector<double> values_;
  std::vector<double> jacobians_[SpacetimeProgram::kMaxBlocks];  // row-major
};

// ∇J and ∇𝓛, added up term by term.
class Gradients {
 public:
  Gradients(const SpacetimeProgram& program, const Eigen::VectorXd& row_multipliers)
      : program_(program),
        term_(program),
        multipliers_(row_multipliers),
        of_cost_(Eigen::VectorXd::Zero(program.variables())),
        of_lagrangian_(of_cost_) {}

  void Add(int index, const Eigen::VectorXd& x) {
    term_.Evaluate(index, x);
    for (size_t b = 0; b < program_.term(index).blocks().size(); ++b) AddBlock(index, b);
  }

  double of_cost() const { return Largest(of_cost_); }
  double of_lagrangian() const { return Largest(of_lagrangian_); }

 private:
  void AddBlock(int index, size_t b) {
    const SpacetimeTerm& term = program_.term(index);
    const auto [offset, size] = program_.blocks()[term.blocks()[b]];
    for (int i = 0; i < term.rows(); ++i) {
      const int row = program_.first_row(index) + i;
      const auto derivative = term_.Derivative(i, b, size);
      const RowKind kind = program_.group(row).kind;
      if (kind == RowKind::kCost) {
        of_cost_.segment(offset, size) += 2.0 * term_.value(i) * derivative;
        of_lagrangian_.segment(offset, size) += 2.0 * term_.value(i) * derivative;
      } else {
        const double sign = kind == RowKind::kEquality ? 1.0 : -1.0;
        of_lagrangian_.segment(offset, size) += sign * multipliers_[row] * derivative;
      }
    }
  }

  static double Largest(const Eigen::VectorXd& gradient) {
    double largest = 0.0;
    for (const double entry : gradient) Raise(std::abs(entry), &largest);
    return largest;
  }

  const SpacetimeProgram& program_;
  TermAt term_;
  const Eigen::VectorXd& multipliers_;
  Eigen::VectorXd of_cost_, of_lagrangian_;
};

}  // namespace

namespace {

// 2 ω s of each row, 0 for cost: y = 2 ω s λ.
Eigen::VectorXd PerMultiplier(const SpacetimeProgram& program) {
  Eigen::VectorXd factors = Eigen::VectorXd::Zero(program.rows());
  for (int row = 0; row < program.rows(); ++row) {
    const RowGroup& group = program.group(row);
    if (group.kind != RowKind::kCost) factors[row] = 2.0 * group.weight * group.scale;
  }
  return factors;
}

}  // namespace

Eigen::VectorXd RowMultipliers(const SpacetimeProgram& program,
                               const Eigen::VectorXd& multipliers) {
  assert(multipliers.size() == program.rows());
  return PerMultiplier(program).cwiseProduct(multipliers);
}

Eigen::VectorXd LagrangianMultipliers(const SpacetimeProgram& program,
                                      const Eigen::VectorXd& row_multipliers) {
  assert(row_multipliers.size() == program.rows());
  const Eigen::ArrayXd factors = PerMultiplier(program);
  return (factors > 0.0).select(row_multipliers.array() / factors, 0.0);
}

OptimalityResiduals ResidualsAt(const SpacetimeProgram& program, const Eigen::VectorXd& x,
                                const Eigen::VectorXd& row_multipliers) {
  Eigen::VectorXd values;
  program.Evaluate(x, &values);
  return ResidualsAt(program, x, row_multipliers, values);
}

OptimalityResiduals ResidualsAt(const SpacetimeProgram& program, const Eigen::VectorXd& x,
                                const Eigen::VectorXd& row_multipliers,
                                const Eigen::VectorXd& values) {
  assert(row_multipliers.size() == program.rows() && values.size() == program.rows());
  Gradients gradients(program, row_multipliers);
  for (int i = 0; i < program.terms(); ++i) gradients.Add(i, x);
  double products = 0.0;
  OptimalityResiduals residuals;
  for (int row = 0; row < program.rows(); ++row) {
    Raise(program.Violation(row, values[row]), &residuals.feasibility);
    if (program.group(row).kind != RowKind::kInequality) continue;
    Raise(std::abs(row_multipliers[row] * values[row]), &products);
  }
  residuals.stationarity = Relative(gradients.of_lagrangian(), gradients.of_cost());
  residuals.complementarity = Relative(products, program.Cost(values));
  return residuals;
}

double ViolationCosine(const SpacetimeProgram& program, const Eigen::VectorXd& x) {
  TermAt at(program);
  double square = 0.0;                                                 // ‖w‖²
  Eigen::VectorXd slope = Eigen::VectorXd::Zero(program.variables());  // Σ w ∂w/∂x
  Eigen::VectorXd length = slope;                                      // Σ (∂w/∂x)²
  for (int t = 0; t < program.terms(); ++t) {
    const SpacetimeTerm& term = program.term(t);
    at.Evaluate(t, x);
    for (int i = 0; i < term.rows(); ++i) {
      const int row = program.first_row(t) + i;
      const RowGroup& group = program.group(row);
      const bool broken = group.kind == RowKind::kEquality ||
                          (group.kind == RowKind::kInequality && at.value(i) < 0.0);
      if (!broken) continue;
      const double factor = group.weight * group.scale * group.scale;
      square += factor * at.value(i) * at.value(i);
      for (size_t b = 0; b < term.blocks().size(); ++b) {
        const auto [offset, size] = program.blocks()[term.blocks()[b]];
        const auto derivative = at.Derivative(i, b, size);
        slope.segment(offset, size) += factor * at.value(i) * derivative;
        length.segment(offset, size) += factor * derivative.cwiseAbs2();
      }
    }
  }
  double largest = 0.0;
  if (square == 0.0) return largest;
  for (Eigen::Index k = 0; k < slope.size(); ++k) {
    if (length[k] > 0.0) Raise(std::abs(slope[k]) / std::sqrt(length[k] * square), &largest);
  }
  return largest;
}

}  // namespace pliant
