#include "solvers/linear_deformation/block_factor.h"

#include <Eigen/LU>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <map>

#include "solvers/linear_algebra/pseudo_inverse.h"
#include "solvers/linear_deformation/elimination_order.h"

namespace pliant::linear_deformation {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

// Are all pivots of the elimination of `pivot` above their fraction of the diagonal? Pivots are
// ratios of leading minors, compared without divisions.
template <int B>
bool IsRegular(const Eigen::Matrix<double, B, B>& pivot,
               const Eigen::Matrix<double, B, B>& diagonal, double singular) {
  double before = 1.0;
  auto above = [&](int i, double minor) {
    const bool regular = minor > singular * diagonal(i, i) * before;
    before = minor;
    return regular;
  };
  if (!above(0, pivot(0, 0))) return false;
  if constexpr (B > 1) {
    if (!above(1, pivot(0, 0) * pivot(1, 1) - pivot(1, 0) * pivot(1, 0))) return false;
  }
  if constexpr (B > 2) {
    if (!above(2, pivot.determinant())) return false;
  }
  return true;
}

// The inverse of a pivot, without the directions in which it vanishes against its diagonal block.
template <int B>
Eigen::Matrix<double, B, B> InverseOfSingular(const Eigen::Matrix<double, B, B>& pivot,
                                              const Eigen::Matrix<double, B, B>& diagonal,
                                              double singular) {
  const double scale = diagonal.diagonal().maxCoeff();
  Eigen::Matrix3d padded = scale * Eigen::Matrix3d::Identity();
  padded.topLeftCorner<B, B>() = pivot;
  return PseudoInverse(padded, singular * scale).template topLeftCorner<B, B>();
}

// x −= L y and x = L y of rows of right-hand sides; Eigen does not keep 1×1 matrices in registers.
template <int B, typename Rows>
void Subtract(const Eigen::Matrix<double, B, B>& L, const Rows& y, Rows* x) {
  if constexpr (B == 1) {
    *x -= L(0) * y;
  } else {
    x->noalias() -= L * y;
  }
}
template <int B, typename Rows>
Rows Times(const Eigen::Matrix<double, B, B>& L, const Rows& y) {
  if constexpr (B == 1) {
    return L(0) * y;
  } else {
    return L * y;
  }
}

}  // namespace

template <int B>
BlockFactor<B>::BlockFactor(int size, const Pairs& pairs) : order_(size), place_(size) {
  Order(pairs);
  Analyse(pairs);
  apart_ = pairs.empty();
  lower_.assign(chain_ ? size : row_of_.size(), Block::Zero());
  inverse_.resize(size);
  row_.assign(size, Block::Zero());
  dependent_.reserve(size);
  permuted_.resize(static_cast<size_t>(size) * B * 3);
}

template <int B>
void BlockFactor<B>::Order(const Pairs& pairs) {
  const int n = size();
  order_ = PathOrder(n, pairs);
  chain_ = static_cast<int>(order_.size()) == n;
  if (!chain_) order_ = MinimumDegreeOrder(n, pairs);
  for (int k = 0; k < n; ++k) place_[order_[k]] = k;
}

// The pattern of row k of L is the set that the elimination tree reaches from the entries of row k
// of the matrix [Davis 2006, Sec. 4.1].
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
                               const std::vector<Block>& off_diagonal, double singular,
                               const std::vector<Block>* given_reference) {
  const std::vector<Block>& reference = given_reference == nullptr ? diagonal : *given_reference;
  dependent_.clear();
  if (chain_) return FactoriseChain(diagonal, off_diagonal, singular, reference);
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
    Invert(k, pivot, reference[order_[k]], singular);
  }
}

template <int B>
void BlockFactor<B>::FactoriseChain(const std::vector<Block>& diagonal,
                                    const std::vector<Block>& off_diagonal, double singular,
                                    const std::vector<Block>& reference) {
  for (int k = 0; k < size(); ++k) {
    Block pivot = diagonal[order_[k]];
    if (entry_begin_[k] < entry_begin_[k + 1]) {  // of the row before
      const Entry& entry = entries_[entry_begin_[k]];
      const Block& block = off_diagonal[entry.pair];
      const Block row = entry.transposed ? Block(block.transpose()) : block;
      lower_[k].noalias() = row * inverse_[k - 1];
      pivot.noalias() -= lower_[k] * row.transpose();
    }
    Invert(k, pivot, reference[order_[k]], singular);
  }
}

// Lᵀ z = e of the dependent row: D Lᵀ z vanishes with its pivot. A leading block that vanishes in a
// direction does so with all of a positive semidefinite matrix, so that later rows have no part.
template <int B>
auto BlockFactor<B>::NullDirection(int dependent, const std::vector<double>& scale,
                                   double rounding) const -> Direction {
  Direction direction;
  std::map<int, double, std::greater<>> z = {{place_[dependent], 1.0}};  // not yet final
  const double least = rounding * scale[dependent];
  while (!z.empty()) {
    const auto [m, value] = *z.begin();
    z.erase(z.begin());
    if (std::abs(value) * scale[order_[m]] <= least) continue;
    direction.emplace_back(order_[m], value);
    if (chain_) {
      if (m > 0 && lower_[m](0, 0) != 0.0) z[m - 1] -= lower_[m](0, 0) * value;
      continue;
    }
    for (int l = link_begin_[m]; l < link_begin_[m + 1]; ++l) {
      const double entry = lower_[links_[l].place](0, 0);
      if (entry != 0.0) z[links_[l].column] -= entry * value;
    }
  }
  return direction;
}

template <int B>
void BlockFactor<B>::Invert(int k, const Block& pivot, const Block& diagonal, double singular) {
  if (IsRegular<B>(pivot, diagonal, singular)) {
    inverse_[k] = pivot.inverse();
  } else {
    inverse_[k] = InverseOfSingular<B>(pivot, diagonal, singular);
    dependent_.push_back(order_[k]);
  }
}

// `columns` right-hand sides of one block row.
template <int B, int C>
using RowsOf = Eigen::Matrix<double, B, C, C == 1 ? Eigen::ColMajor : Eigen::RowMajor>;

template <int B>
template <int C>
void BlockFactor<B>::SolveChain(double* x) const {
  using Rows = RowsOf<B, C>;
  const int n = size();
  auto row = [](double* values, int k) {
    return Eigen::Map<Rows>(values + static_cast<size_t>(k) * B * C);
  };
  if (apart_) {
    for (int k = 0; k < n; ++k) {
      auto x_k = row(x, order_[k]);
      x_k = Times<B, Rows>(inverse_[k], x_k);
    }
    return;
  }
  double* z = permuted_.data();
  Rows last = Rows::Zero();
  for (int k = 0; k < n; ++k) {
    Rows y = row(x, order_[k]);
    Subtract<B>(lower_[k], last, &y);
    row(z, k) = Times<B>(inverse_[k], y);
    last = y;
  }
  if (n > 0) row(x, order_[n - 1]) = last = row(z, n - 1);
  for (int k = n - 2; k >= 0; --k) {
    Rows y = row(z, k);
    Subtract<B>(Block(lower_[k + 1].transpose()), last, &y);
    row(x, order_[k]) = y;
    last = y;
  }
}

template <int B>
template <int C>
void BlockFactor<B>::SolveColumns(double* x) const {
  using Rows = RowsOf<B, C>;
  if (chain_) return SolveChain<C>(x);
  const int n = size();
  double* z = permuted_.data();
  auto row = [](double* values, int k) {
    return Eigen::Map<Rows>(values + static_cast<size_t>(k) * B * C);
  };
  for (int k = 0; k < n; ++k) row(z, k) = row(x, order_[k]);
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

}  // namespace pliant::linear_deformation
