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

// ∇J and ∇𝓛, added up term by term.
class Gradients {
 public:
  Gradients(const SpacetimeProgram& program, const Eigen::VectorXd& row_multipliers)
      : program_(program),
        multipliers_(row_multipliers),
        of_cost_(Eigen::VectorXd::Zero(program.variables())),
        of_lagrangian_(of_cost_) {}

  void Add(int index, const Eigen::VectorXd& x) {
    const SpacetimeTerm& term = program_.term(index);
    const size_t blocks = term.blocks().size();
    const double* pointers[SpacetimeProgram::kMaxBlocks];
    double* jacobians[SpacetimeProgram::kMaxBlocks];
    program_.Gather(index, x.data(), pointers);
    values_.resize(term.rows());
    for (size_t b = 0; b < blocks; ++b) {
      jacobians_[b].resize(static_cast<size_t>(term.rows()) * SizeOf(term, b));
      jacobians[b] = jacobians_[b].data();
    }
    term.Evaluate(pointers, values_.data(), blocks > 0 ? jacobians : nullptr);
    for (size_t b = 0; b < blocks; ++b) AddBlock(index, b);
  }

  double of_cost() const { return Largest(of_cost_); }
  double of_lagrangian() const { return Largest(of_lagrangian_); }

 private:
  int SizeOf(const SpacetimeTerm& term, size_t b) const {
    return program_.blocks()[term.blocks()[b]].size;
  }

  void AddBlock(int index, size_t b) {
    const SpacetimeTerm& term = program_.term(index);
    const int size = SizeOf(term, b), offset = program_.blocks()[term.blocks()[b]].offset;
    for (int i = 0; i < term.rows(); ++i) {
      const int row = program_.first_row(index) + i;
      const Eigen::Map<const Eigen::VectorXd> derivative(
          jacobians_[b].data() + static_cast<ptrdiff_t>(i) * size, size);
      const RowKind kind = program_.group(row).kind;
      if (kind == RowKind::kCost) {
        of_cost_.segment(offset, size) += 2.0 * values_[i] * derivative;
        of_lagrangian_.segment(offset, size) += 2.0 * values_[i] * derivative;
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
  const Eigen::VectorXd& multipliers_;
  Eigen::VectorXd of_cost_, of_lagrangian_;
  std::vector<double> values_;                                   // of a term
  std::vector<double> jacobians_[SpacetimeProgram::kMaxBlocks];  // row-major
};

}  // namespace

Eigen::VectorXd RowMultipliers(const SpacetimeProgram& program,
                               const Eigen::VectorXd& multipliers) {
  assert(multipliers.size() == program.rows());
  Eigen::VectorXd result = Eigen::VectorXd::Zero(program.rows());
  for (int row = 0; row < program.rows(); ++row) {
    const RowGroup& group = program.group(row);
    if (group.kind == RowKind::kCost) continue;
    result[row] = 2.0 * group.weight * group.scale * multipliers[row];
  }
  return result;
}

OptimalityResiduals ResidualsAt(const SpacetimeProgram& program, const Eigen::VectorXd& x,
                                const Eigen::VectorXd& row_multipliers) {
  assert(row_multipliers.size() == program.rows());
  Gradients gradients(program, row_multipliers);
  for (int i = 0; i < program.terms(); ++i) gradients.Add(i, x);
  Eigen::VectorXd values;
  program.Evaluate(x, &values);
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

}  // namespace pliant
