#include "solvers/spacetime/augmented_lagrangian.h"

#include <algorithm>
#include <cmath>

namespace pliant {

AugmentedLagrangian::AugmentedLagrangian(const SpacetimeProgram& program)
    : program_(program),
      scale_(program.rows()),
      root_weight_(program.rows()),
      multipliers_(Eigen::VectorXd::Zero(program.rows())) {
  kind_.reserve(program.rows());
  for (int row = 0; row < program.rows(); ++row) {
    const RowGroup& group = program.group(row);
    kind_.push_back(group.kind);
    scale_[row] = group.scale;
    root_weight_[row] = std::sqrt(group.weight);
  }
}

void AugmentedLagrangian::UpdateMultipliers(const Eigen::VectorXd& values) {
  for (int row = 0; row < program_.rows(); ++row) {
    const double step = penalty_ * scale_[row] * values[row];
    if (kind_[row] == RowKind::kEquality) multipliers_[row] += step;
    if (kind_[row] == RowKind::kInequality) {
      multipliers_[row] = std::max(0.0, multipliers_[row] - step);
    }
  }
}

void AugmentedLagrangian::EvaluateTerm(int index, const double* const* x, double* residuals,
                                       double* const* jacobians) const {
  const SpacetimeTerm& term = program_.term(index);
  const int first = program_.first_row(index);
  term.Evaluate(x, residuals, jacobians);
  const double root_penalty = std::sqrt(penalty_);
  for (int i = 0; i < term.rows(); ++i) {
    const int row = first + i;
    const double root = root_penalty * root_weight_[row];
    const double shift = multipliers_[row] / penalty_;
    double factor;  // of the derivatives
    if (kind_[row] == RowKind::kCost) {
      if (root_cost_weight_ == 1.0) continue;
      factor = root_cost_weight_;
      residuals[i] *= factor;
    } else if (kind_[row] == RowKind::kEquality) {
      factor = root * scale_[row];
      residuals[i] = factor * residuals[i] + root * shift;
    } else {
      const double lack = shift - scale_[row] * residuals[i];
      factor = lack > 0.0 ? -root * scale_[row] : 0.0;
      residuals[i] = lack > 0.0 ? root * lack : 0.0;
    }
    if (jacobians == nullptr) continue;
    for (size_t b = 0; b < term.blocks().size(); ++b) {
      const int size = program_.blocks()[term.blocks()[b]].size;
      double* values = jacobians[b] + static_cast<ptrdiff_t>(i) * size;
      for (int k = 0; k < size; ++k) values[k] *= factor;
    }
  }
}

}  // namespace pliant
