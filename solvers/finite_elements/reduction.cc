#include "solvers/finite_elements/reduction.h"

#include <cmath>
#include <map>

namespace pliant::finite_elements {
namespace {

// Coefficients smaller than this, relative to the largest of the row as it was given, are rounding.
constexpr double kRounding = 1e-10;

// q_pivot = Σ t_j q_j + Σ s_k b_k.
struct Expression {
  std::map<int, double> t, s;
};

}  // namespace

Reduction::Reduction(int unknowns, const std::vector<LinearRow>& rows,
                     const std::vector<int>& zero) {
  std::vector<bool> is_zero(unknowns, false);
  for (const int unknown : zero) is_zero[unknown] = true;
  std::map<int, Expression> of_pivot;
  for (int r = 0; r < static_cast<int>(rows.size()); ++r) {
    // Σ row q = Σ b_part b, without unknowns that are pivots already.
    std::map<int, double> row, b_part;
    double largest = 0.0;
    b_part[r] = 1.0;
    for (const auto& [unknown, coefficient] : rows[r]) {
      largest = std::max(largest, std::abs(coefficient));
      if (is_zero[unknown]) continue;
      const auto pivot = of_pivot.find(unknown);
      if (pivot == of_pivot.end()) {
        row[unknown] += coefficient;
        continue;
      }
      for (const auto& [j, t] : pivot->second.t) row[j] += coefficient * t;
      for (const auto& [k, s] : pivot->second.s) b_part[k] -= coefficient * s;
    }
    int pivot = -1;
    double pivot_value = 0.0;
    for (const auto& [unknown, coefficient] : row) {
      if (std::abs(coefficient) > std::abs(pivot_value)) {
        pivot = unknown;
        pivot_value = coefficient;
      }
    }
    if (std::abs(pivot_value) <= kRounding * largest) {
      redundant_.push_back(r);
      continue;
    }
    Expression expression;
    for (const auto& [unknown, coefficient] : row) {
      if (unknown != pivot && std::abs(coefficient) > kRounding * std::abs(pivot_value)) {
        expression.t[unknown] = -coefficient / pivot_value;
      }
    }
    for (const auto& [k, s] : b_part) expression.s[k] = s / pivot_value;
    for (auto& [other, earlier] : of_pivot) {
      const auto used = earlier.t.find(pivot);
      if (used == earlier.t.end()) continue;
      const double factor = used->second;
      earlier.t.erase(used);
      for (const auto& [j, t] : expression.t) earlier.t[j] += factor * t;
      for (const auto& [k, s] : expression.s) earlier.s[k] += factor * s;
    }
    of_pivot[pivot] = std::move(expression);
  }

  std::vector<int> number(unknowns, -1);
  for (int u = 0; u < unknowns; ++u) {
    if (is_zero[u] || of_pivot.contains(u)) continue;
    number[u] = size();
    free_.push_back(u);
  }
  using Triplets = std::vector<Eigen::Triplet<double>>;
  Triplets t, s, c;
  for (int y = 0; y < size(); ++y) t.emplace_back(free_[y], y, 1.0);
  for (const auto& [pivot, expression] : of_pivot) {
    for (const auto& [j, value] : expression.t) t.emplace_back(pivot, number[j], value);
    for (const auto& [k, value] : expression.s) s.emplace_back(pivot, k, value);
  }
  for (size_t r = 0; r < rows.size(); ++r) {
    for (const auto& [unknown, value] : rows[r]) {
      if (!is_zero[unknown]) c.emplace_back(static_cast<int>(r), unknown, value);
    }
  }
  const auto k = static_cast<Eigen::Index>(rows.size());
  T_.resize(unknowns, size());
  T_.setFromTriplets(t.begin(), t.end());
  T_by_rows_ = T_;
  S_.resize(unknowns, k);
  S_.setFromTriplets(s.begin(), s.end());
  C_.resize(k, unknowns);
  C_.setFromTriplets(c.begin(), c.end());
}

void Reduction::Complete(const Eigen::VectorXd& b, Eigen::Ref<Eigen::VectorXd> q) const {
  Eigen::VectorXd y(size());
  for (int i = 0; i < size(); ++i) y[i] = q[free_[i]];
  q = T_ * y + S_ * b;
}

}  // namespace pliant::finite_elements
