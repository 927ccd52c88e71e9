#include "solvers/constrained_dynamics/block_factor.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cassert>

namespace pliant {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

// The rows path by path; empty when some part of the graph is no path.
std::vector<int> PathOrder(int size, const Pairs& pairs) {
  std::vector<std::vector<int>> neighbours(size);
  for (const auto& [i, j] : pairs) {
    neighbours[i].push_back(j);
    neighbours[j].push_back(i);
    if (neighbours[i].size() > 2 || neighbours[j].size() > 2) return {};
  }
  std::vector<int> order;
  std::vector<bool> seen(size, false);
  for (int start = 0; start < size; ++start) {
    if (seen[start] || neighbours[start].size() == 2) continue;
    for (int at = start; at >= 0;) {
      seen[at] = true;
      order.push_back(at);
      int next = -1;
      for (int n : neighbours[at]) {
        if (!seen[n]) next = n;
      }
      at = next;
    }
  }
  if (static_cast<int>(order.size()) < size) return {};  // a ring
  return order;
}

std::vector<int> DegreeOrder(int size, const Pairs& pairs) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < size; ++i) entries.emplace_back(i, i, 1.0);
  for (const auto& [i, j] : pairs) {
    entries.emplace_back(i, j, 1.0);
    entries.emplace_back(j, i, 1.0);
  }
  Eigen::SparseMatrix<double> pattern(size, size);
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> inverse;
  Eigen::AMDOrdering<int>()(pattern.selfadjointView<Eigen::Lower>(), inverse);
  return {inverse.indices().begin(), inverse.indices().end()};
}

// The inverse of a pivot, without the directions in which it vanishes against `scale`.
template <int B>
Eigen::Matrix<double, B, B> InversePivot(const Eigen::Matrix<double, B, B>& pivot,
                                         const Eigen::Matrix<double, B, B>& diagonal,
                                         double singular, bool* whole) {
  if constexpr (B == 1) {
    *whole = pivot(0) > singular * diagonal(0);
    return Eigen::Matrix<double, 1, 1>(*whole ? 1.0 / pivot(0) : 0.0);
  } else {
    // Regular, as nearly always, when the pivots of its own elimination are: no eigenvalues then.
    Eigen::Matrix<double, B, B> left = pivot;
    *whole = true;
    for (int a = 0; a < B && *whole; ++a) {
      *whole = left(a, a) > singular * diagonal(a, a);
      for (int b = a + 1; b < B; ++b) {
        const double factor = left(b, a) / left(a, a);
        for (int c = b; c < B; ++c) left(c, b) -= factor * left(c, a);
      }
    }
    if (*whole) return pivot.inverse();
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, B, B>> modes(pivot);
    Eigen::Matrix<double, B, 1> inverse = modes.eigenvalues();
    const double limit = singular * diagonal.diagonal().maxCoeff();
    for (double& value : inverse) value = value > limit ? 1.0 / value : 0.0;
    return modes.eigenvectors() * inverse.asDiagonal() * modes.eigenvectors().transpose();
  }
}

}  // namespace

template <int B>
BlockFactor<B>::BlockFactor(int size, const Pairs& pairs) : order_(size), place_(size) {
  Order(pairs);
  Analyse(pairs);
  lower_.resize(row_of_.size());
  inverse_.resize(size);
  row_.assign(size, Block::Zero());
  dependent_.reserve(size);
  permuted_.resize(static_cast<size_t>(size) * B * 3);
}

template <int B>
void BlockFactor<B>::Order(const Pairs& pairs) {
  const int n = size();
  std::vector<int> order = PathOrder(n, pairs);
  chain_ = !order.empty() || n == 0;
  if (!chain_) order = DegreeOrder(n, pairs);
  order_ = order;
  for (int k = 0; k < n; ++k) place_[order_[k]] = k;
}

// The pattern of row k of L is what the elimination tree reaches from the entries of row k of the
// matrix [Davis 2006, Sec. 4.1].
template <int B>
void BlockFactor<B>::Analyse(const Pairs& pairs) {
  const int n = size();
  std::vector<std::vector<Entry>> rows(n);
  for (int p = 0; p < static_cast<int>(pairs.size()); ++p) {
    const int i = place_[pairs[p].first], j = place_[pairs[p].second];
    rows[std::max(i, j)].push_back({std::min(i, j), p, i < j});
  }
  std::vector<int> parent(n, -1), flag(n, -1);
  std::vector<std::vector<int>> patterns(n), columns(n);
  for (int k = 0; k < n; ++k) {
    flag[k] = k;
    for (const Entry& entry : rows[k]) {
      for (int i = entry.column; flag[i] != k; i = parent[i]) {
        if (parent[i] < 0) parent[i] = k;
        flag[i] = k;
        patterns[k].push_back(i);
      }
    }
    // A column changes only columns after it.
    std::sort(patterns[k].begin(), patterns[k].end());
    for (int i : patterns[k]) columns[i].push_back(k);
  }
  column_begin_ = {0};
  for (const auto& column : columns) {
    row_of_.insert(row_of_.end(), column.begin(), column.end());
    column_begin_.push_back(static_cast<int>(row_of_.size()));
  }
  std::vector<int> next(column_begin_.begin(), column_begin_.end() - 1);
  entry_begin_ = link_begin_ = {0};
  for (int k = 0; k < n; ++k) {
    entries_.insert(entries_.end(), rows[k].begin(), rows[k].end());
    entry_begin_.push_back(static_cast<int>(entries_.size()));
    for (int i : patterns[k]) links_.push_back({i, next[i]++});
    link_begin_.push_back(static_cast<int>(links_.size()));
  }
}

template <int B>
void BlockFactor<B>::Factorise(const std::vector<Block>& diagonal,
                               const std::vector<Block>& off_diagonal, double singular) {
  dependent_.clear();
  for (int k = 0; k < size(); ++k) {
    for (int e = entry_begin_[k]; e < entry_begin_[k + 1]; ++e) {
      const Entry& entry = entries_[e];
      const Block& block = off_diagonal[entry.pair];
      if (entry.transposed) {
        row_[entry.column] = block;
      } else {
        row_[entry.column] = block.transpose();
      }
    }
    Block pivot = diagonal[order_[k]];
    for (int l = link_begin_[k]; l < link_begin_[k + 1]; ++l) {
      const Link& link = links_[l];
      const Block y = row_[link.column];  // D_i L_kiᵀ
      row_[link.column].setZero();
      for (int p = column_begin_[link.column]; p < link.place; ++p) {
        row_[row_of_[p]].noalias() -= lower_[p] * y;
      }
      lower_[link.place].noalias() = y.transpose() * inverse_[link.column];
      pivot.noalias() -= lower_[link.place] * y;
    }
    bool whole = true;
    inverse_[k] = InversePivot<B>(pivot, diagonal[order_[k]], singular, &whole);
    if (!whole) dependent_.push_back(order_[k]);
  }
}

template <int B>
template <int C>
void BlockFactor<B>::SolveColumns(double* x) const {
  using Rows = Eigen::Matrix<double, B, C, C == 1 ? Eigen::ColMajor : Eigen::RowMajor>;
  const int n = size();
  double* z = permuted_.data();
  auto row = [](double* values, int k) {
    return Eigen::Map<Rows>(values + static_cast<size_t>(k) * B * C);
  };
  for (int k = 0; k < n; ++k) row(z, k) = row(x, order_[k]);
  if (chain_) {
    // L has one entry a column, just below the pivot, or none at the end of a path.
    Rows last = Rows::Zero();
    for (int k = 0; k < n; ++k) {
      Rows y = row(z, k);
      if (link_begin_[k] < link_begin_[k + 1]) y -= lower_[link_begin_[k]] * last;
      row(z, k) = inverse_[k] * y;
      last = y;
    }
    for (int k = n - 1; k >= 0; --k) {
      Rows y = row(z, k);
      if (column_begin_[k] < column_begin_[k + 1]) y -= lower_[column_begin_[k]].transpose() * last;
      row(x, order_[k]) = y;
      last = y;
    }
    return;
  }
  for (int k = 0; k < n; ++k) {
    const Rows y = row(z, k);
    for (int p = column_begin_[k]; p < column_begin_[k + 1]; ++p) {
      row(z, row_of_[p]).noalias() -= lower_[p] * y;
    }
    row(z, k).noalias() = inverse_[k] * y;
  }
  for (int k = n - 1; k >= 0; --k) {
    Rows y = row(z, k);
    for (int p = column_begin_[k]; p < column_begin_[k + 1]; ++p) {
      y.noalias() -= lower_[p].transpose() * row(z, row_of_[p]);
    }
    row(z, k) = y;
  }
  for (int k = 0; k < n; ++k) row(x, order_[k]) = row(z, k);
}

template <int B>
void BlockFactor<B>::Solve(double* x, int columns) const {
  if constexpr (B == 1) {
    if (columns == 2) return SolveColumns<2>(x);
    if (columns == 3) return SolveColumns<3>(x);
  }
  assert(columns == 1);
  SolveColumns<1>(x);
}

template class BlockFactor<1>;
template class BlockFactor<2>;
template class BlockFactor<3>;

}  // namespace pliant
