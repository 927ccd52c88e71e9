#include "solvers/spacetime/standard_form.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace pliant {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Displacements of the two places at which entries are looked for; no two unknowns move alike.
Eigen::VectorXd Displaced(const Eigen::VectorXd& x, double size, double frequency) {
  Eigen::VectorXd displaced = x;
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    displaced[k] += size * std::sin(1.0 + frequency * static_cast<double>(k));
  }
  return displaced;
}

}  // namespace

StandardForm::StandardForm(const SpacetimeProgram& program, const Eigen::VectorXd& near)
    : program_(program),
      at_lower_(program.variables(), kNone),
      at_upper_(program.variables(), kNone),
      lower_(Eigen::VectorXd::Constant(program.variables(), -kInfinity)),
      upper_(Eigen::VectorXd::Constant(program.variables(), kInfinity)),
      x_(near) {
  program.Evaluate(near, &values_);  // also of terms without unknowns, which stay
  AddParts();
  FindRows(near);
  FindPairs();
}

void StandardForm::AddParts() {
  int most = 0;
  for (int t = 0; t < program_.terms(); ++t) {
    const SpacetimeTerm& term = program_.term(t);
    most = std::max(most, term.rows());
    if (term.blocks().empty()) continue;
    Part& part = parts_.emplace_back();
    part.term = t;
    part.first_row = program_.first_row(t);
    for (const int block : term.blocks()) {
      const auto [offset, size] = program_.blocks()[block];
      part.first.push_back(static_cast<int>(part.unknowns.size()));
      part.by_block.emplace_back(term.rows(), size);
      for (int k = 0; k < size; ++k) part.unknowns.push_back(offset + k);
    }
    part.jacobian.resize(term.rows(), static_cast<Eigen::Index>(part.unknowns.size()));
  }
  scratch_.resize(most);
}

void StandardForm::FindRows(const Eigen::VectorXd& near) {
  const Eigen::VectorXd one = Displaced(near, 0.3, 3.7), other = Displaced(near, 0.2, 5.3);
  for (int p = 0; p < static_cast<int>(parts_.size()); ++p) {
    Part& part = parts_[p];
    EvaluatePart(other.data(), true, scratch_.data(), &part);
    const RowMajor elsewhere = part.jacobian;
    EvaluatePart(one.data(), true, scratch_.data(), &part);
    x_ = one;
    part.row_of.assign(program_.term(part.term).rows(), kNone);
    for (int i = 0; i < program_.term(part.term).rows(); ++i) {
      const RowGroup& group = program_.group(part.first_row + i);
      if (group.kind == RowKind::kCost || (group.bounds && AddBound(p, i))) continue;
      AddRow(p, i, elsewhere.row(i));
    }
  }
  has_values_ = has_derivatives_ = false;
}

// Where the row depends on one unknown. At x_.
bool StandardForm::AddBound(int p, int i) {
  const Part& part = parts_[p];
  int only = kNone;
  for (int k = 0; k < part.jacobian.cols(); ++k) {
    if (part.jacobian(i, k) == 0.0) continue;
    if (only != kNone) return false;
    only = k;
  }
  if (only == kNone) return false;
  const int unknown = part.unknowns[only];
  const double slope = part.jacobian(i, only), bound = x_[unknown] - scratch_[i] / slope;
  const auto index = static_cast<int>(bounds_.size());
  if (slope > 0.0 && bound > lower_[unknown]) {
    lower_[unknown] = bound;
    at_lower_[unknown] = index;
  } else if (slope < 0.0 && bound < upper_[unknown]) {
    upper_[unknown] = bound;
    at_upper_[unknown] = index;
  }
  bounds_.push_back({part.first_row + i, unknown, slope});
  return true;
}

void StandardForm::AddRow(int p, int i, const Eigen::RowVectorXd& elsewhere) {
  Part& part = parts_[p];
  const int row = rows();
  part.row_of[i] = row;
  rows_.push_back({p, i, part.first_row + i, program_.group(part.first_row + i).scale});
  for (int k = 0; k < part.jacobian.cols(); ++k) {
    if (is_equality(row) && part.jacobian(i, k) == 0.0 && elsewhere[k] == 0.0) continue;
    jacobian_entries_.push_back({row, part.unknowns[k]});
    entry_unknown_.push_back(k);
  }
}

// Each term with rows that are no bounds couples all of its unknowns.
void StandardForm::FindPairs() {
  std::map<std::pair<int, int>, int> places;  // by (column, row)
  for (Part& part : parts_) {
    const bool curves =
        program_.group(part.first_row).kind == RowKind::kCost ||
        std::any_of(part.row_of.begin(), part.row_of.end(), [](int row) { return row != kNone; });
    if (!curves) continue;
    const size_t n = part.unknowns.size();
    for (size_t a = 0; a < n; ++a) {
      for (size_t b = a; b < n; ++b) {
        const auto [column, row] = std::minmax(part.unknowns[a], part.unknowns[b]);
        const auto [at, fresh] =
            places.try_emplace({column, row}, static_cast<int>(hessian_entries_.size()));
        if (fresh) hessian_entries_.push_back({row, column});
        part.places.push_back(at->second);
      }
    }
  }
}

void StandardForm::EvaluatePart(const double* x, bool derivatives, double* values,
                                Part* part) const {
  const double* pointers[SpacetimeProgram::kMaxBlocks];
  double* jacobians[SpacetimeProgram::kMaxBlocks];
  program_.Gather(part->term, x, pointers);
  for (size_t b = 0; b < part->by_block.size(); ++b) jacobians[b] = part->by_block[b].data();
  program_.term(part->term).Evaluate(pointers, values, derivatives ? jacobians : nullptr);
  if (!derivatives) return;
  for (size_t b = 0; b < part->by_block.size(); ++b) {
    part->jacobian.middleCols(part->first[b], part->by_block[b].cols()) = part->by_block[b];
  }
}

void StandardForm::MoveTo(const double* x, bool derivatives) {
  const bool same = has_values_ && std::equal(x, x + x_.size(), x_.data());
  if (same && (has_derivatives_ || !derivatives)) return;
  std::copy_n(x, x_.size(), x_.data());
  for (Part& part : parts_) {
    EvaluatePart(x, derivatives, values_.data() + part.first_row, &part);
  }
  ++evaluations_;
  has_values_ = true;
  has_derivatives_ = derivatives;
}

void StandardForm::CostGradient(double* gradient) const {
  std::fill_n(gradient, variables(), 0.0);
  for (const Part& part : parts_) {
    for (int i = 0; i < part.jacobian.rows(); ++i) {
      const int row = part.first_row + i;
      if (program_.group(row).kind != RowKind::kCost) continue;
      for (size_t k = 0; k < part.unknowns.size(); ++k) {
        gradient[part.unknowns[k]] += 2.0 * values_[row] * part.jacobian(i, k);
      }
    }
  }
}

void StandardForm::Rows(double* values) const {
  for (const Row& row : rows_) *values++ = row.scale * values_[row.row];
}

void StandardForm::Jacobian(double* values) const {
  for (size_t e = 0; e < jacobian_entries_.size(); ++e) {
    const Row& row = rows_[jacobian_entries_[e].row];
    values[e] = row.scale * parts_[row.part].jacobian(row.place, entry_unknown_[e]);
  }
}

void StandardForm::Hessian(double cost_factor, const double* multipliers, double* values) {
  std::fill_n(values, hessian_entries_.size(), 0.0);
  moved_ = x_;
  Eigen::MatrixXd hessian;
  Eigen::RowVectorXd weights;
  for (Part& part : parts_) {
    if (part.places.empty()) continue;
    const auto n = static_cast<Eigen::Index>(part.unknowns.size());
    hessian = Eigen::MatrixXd::Zero(n, n);
    weights = Eigen::RowVectorXd::Zero(part.jacobian.rows());
    for (int i = 0; i < part.jacobian.rows(); ++i) {
      const int row = part.first_row + i;
      if (program_.group(row).kind == RowKind::kCost) {
        const auto gradient = part.jacobian.row(i);
        hessian.noalias() += 2.0 * cost_factor * gradient.transpose() * gradient;
        weights[i] = 2.0 * cost_factor * values_[row];
      } else if (part.row_of[i] != kNone) {
        weights[i] = multipliers[part.row_of[i]] * rows_[part.row_of[i]].scale;
      }
    }
    if (!weights.isZero(0.0)) AddCurvature(weights, &part, &hessian);
    size_t at = 0;
    for (Eigen::Index a = 0; a < n; ++a) {
      for (Eigen::Index b = a; b < n; ++b) values[part.places[at++]] += hessian(b, a);
    }
  }
}

void StandardForm::AddCurvature(const Eigen::RowVectorXd& weights, Part* part,
                                Eigen::MatrixXd* hessian) {
  const RowMajor jacobian = part->jacobian;
  const Eigen::RowVectorXd slope = weights * jacobian;
  Eigen::MatrixXd curvature(jacobian.cols(), jacobian.cols());
  for (Eigen::Index k = 0; k < jacobian.cols(); ++k) {
    double& unknown = moved_[part->unknowns[k]];
    const double before = unknown;
    unknown += kStep;
    EvaluatePart(moved_.data(), true, scratch_.data(), part);
    curvature.row(k) = (weights * part->jacobian - slope) / (unknown - before);
    unknown = before;
  }
  part->jacobian = jacobian;
  *hessian += 0.5 * (curvature + curvature.transpose());
}

Eigen::VectorXd StandardForm::RowMultipliers(const double* multipliers, const double* of_lower,
                                             const double* of_upper) const {
  // Of J + Σ λ s c + Σ λ s g − Σ z_l (x − l) − Σ z_u (u − x) in place of J + Σ y c − Σ z g.
  Eigen::VectorXd result = Eigen::VectorXd::Zero(program_.rows());
  for (int row = 0; row < rows(); ++row) {
    const double factor = is_equality(row) ? rows_[row].scale : -rows_[row].scale;
    result[rows_[row].row] = factor * multipliers[row];
  }
  for (int k = 0; k < variables(); ++k) {
    for (const auto& [bound, force] :
         {std::pair(at_lower_[k], of_lower[k]), std::pair(at_upper_[k], of_upper[k])}) {
      if (bound == kNone) continue;
      result[bounds_[bound].row] = force / std::abs(bounds_[bound].slope);
    }
  }
  return result;
}

}  // namespace pliant
