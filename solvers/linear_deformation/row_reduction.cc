#include "solvers/linear_deformation/row_reduction.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <map>

#include "models/geometry/spectrum.h"
#include "solvers/parallel/cancellation.h"

namespace pliant::linear_deformation {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Constraints on the same bodies. Ends of a constraint come one after the other.
struct RowReduction::Group {
  std::vector<int> constraints;
  std::vector<size_t> first_end, last_end;  // of each
  std::vector<std::pair<int, int>> bodies;  // first coordinate and number of functions of each
  int functions = 0;                        // their sum

  bool HasTooMany() const { return static_cast<int>(constraints.size()) > functions; }
};

struct RowReduction::Rows {
  MatrixXd rows, impulses;  // constraints×functions: J_g, and J_g W
};

std::vector<RowReduction::Group> RowReduction::GroupsOf(int size, const ConstraintEnds& ends) {
  std::vector<Group> groups;
  std::map<std::vector<std::pair<int, int>>, size_t> known;
  std::vector<std::pair<int, int>> bodies;
  size_t end = 0;
  for (int i = 0; i < size; ++i) {
    const size_t begin = end;
    bodies.clear();
    for (; end < ends.ends.size() && ends.ends[end].constraint == i; ++end) {
      bodies.emplace_back(ends.ends[end].first, ends.ends[end].columns);
    }
    std::sort(bodies.begin(), bodies.end());
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
    const auto [found, is_new] = known.try_emplace(bodies, groups.size());
    if (is_new) {
      Group& group = groups.emplace_back();
      group.bodies = bodies;
      for (const auto& [first, columns] : bodies) group.functions += columns;
    }
    Group& group = groups[found->second];
    group.constraints.push_back(i);
    group.first_end.push_back(begin);
    group.last_end.push_back(end);
  }
  return groups;
}

bool RowReduction::Helps(int size, const ConstraintEnds& ends) {
  const std::vector<Group> groups = GroupsOf(size, ends);
  return std::any_of(groups.begin(), groups.end(),
                     [](const Group& group) { return group.HasTooMany(); });
}

RowReduction::Rows RowReduction::RowsOf(const Group& group, const ConstraintEnds& ends) {
  const auto m = static_cast<Eigen::Index>(group.constraints.size());
  Rows all{MatrixXd::Zero(m, group.functions), MatrixXd::Zero(m, group.functions)};
  for (Eigen::Index i = 0; i < m; ++i) {
    for (size_t e = group.first_end[i]; e < group.last_end[i]; ++e) {
      const ConstraintEnd& end = ends.ends[e];
      int column = 0;
      for (size_t b = 0; group.bodies[b].first != end.first; ++b) column += group.bodies[b].second;
      for (int s = 0; s < end.columns; ++s) {
        all.rows(i, column + s) += ends.rows[end.term + s];
        all.impulses(i, column + s) += ends.impulses[end.term + s];
      }
    }
  }
  return all;
}

// U_g. With D^-½ J = Q R, M in the directions of Q is R W Rᵀ.
MatrixXd RowReduction::Span(const Group& group, const Rows& all, const VectorXd& scale,
                            double singular) {
  const auto m = static_cast<Eigen::Index>(group.constraints.size());
  if (!group.HasTooMany()) return MatrixXd::Identity(m, m);
  const Eigen::HouseholderQR<MatrixXd> qr(scale.asDiagonal() * all.rows);
  const MatrixXd Q = qr.householderQ() * MatrixXd::Identity(m, group.functions);
  const MatrixXd scaled = Q.transpose() * scale.asDiagonal();
  const MatrixXd of_Q = (scaled * all.impulses) * (scaled * all.rows).transpose();
  const Spectrum spectrum = SpectrumOf(0.5 * (of_Q + of_Q.transpose()));
  Eigen::Index zero = 0;
  while (zero < group.functions && spectrum.values[zero] < singular) ++zero;
  return Q * spectrum.vectors.rightCols(group.functions - zero);
}

RowReduction::RowReduction(int size, const ConstraintEnds& ends, double singular)
    : size_(size), diagonal_(ends.Diagonal(size)), left_out_(size, 0.0) {
  Triplets basis, root;
  for (const Group& group : GroupsOf(size, ends)) {
    ThrowIfCancelled();
    Add(group, ends, singular, &basis, &root);
  }
  basis_.resize(size_, reduced_);
  basis_.setFromTriplets(basis.begin(), basis.end());
  root_.resize(reduced_, reduced_);
  root_.setFromTriplets(root.begin(), root.end());
}

void RowReduction::Add(const Group& group, const ConstraintEnds& ends, double singular,
                       Triplets* basis, Triplets* root) {
  const auto m = static_cast<Eigen::Index>(group.constraints.size());
  const Rows all = RowsOf(group, ends);
  VectorXd D(m);
  for (Eigen::Index i = 0; i < m; ++i) D[i] = diagonal_[group.constraints[i]];
  const VectorXd scale = D.cwiseSqrt().cwiseInverse();
  const MatrixXd U = Span(group, all, scale, singular);
  if (group.HasTooMany()) {
    for (Eigen::Index i = 0; i < m; ++i) {
      left_out_[group.constraints[i]] = std::sqrt(std::max(0.0, 1.0 - U.row(i).squaredNorm()));
    }
  }
  const MatrixXd scaled = scale.asDiagonal() * U;
  const MatrixXd C = MatrixXd(U.transpose() * D.asDiagonal() * U).llt().matrixL();
  for (Eigen::Index j = 0; j < U.cols(); ++j) {
    const int row = reduced_ + static_cast<int>(j);
    const VectorXd of_row = all.rows.transpose() * scaled.col(j);
    const VectorXd of_impulse = all.impulses.transpose() * scaled.col(j);
    int column = 0;
    for (const auto& [first, columns] : group.bodies) {
      ends_.Add(row, first, columns, &of_row[column], &of_impulse[column]);
      column += columns;
    }
    for (Eigen::Index i = 0; i < m; ++i) {
      if (scaled(i, j) != 0.0) basis->emplace_back(group.constraints[i], row, scaled(i, j));
    }
    for (Eigen::Index i = j; i < U.cols(); ++i) {
      if (C(i, j) != 0.0) root->emplace_back(reduced_ + static_cast<int>(i), row, C(i, j));
    }
  }
  reduced_ += static_cast<int>(U.cols());
}

void RowReduction::Gather(const double* b, int columns, double* y) const {
  std::fill(y, y + static_cast<size_t>(reduced_) * columns, 0.0);
  for (int i = 0; i < size_; ++i) {
    for (decltype(basis_)::InnerIterator entry(basis_, i); entry; ++entry) {
      for (int c = 0; c < columns; ++c) {
        y[entry.col() * columns + c] += entry.value() * b[i * columns + c];
      }
    }
  }
}

void RowReduction::Spread(const double* y, int columns, double* x) const {
  std::fill(x, x + static_cast<size_t>(size_) * columns, 0.0);
  for (int i = 0; i < size_; ++i) {
    for (decltype(basis_)::InnerIterator entry(basis_, i); entry; ++entry) {
      for (int c = 0; c < columns; ++c) {
        x[i * columns + c] += entry.value() * y[entry.col() * columns + c];
      }
    }
  }
}

}  // namespace pliant::linear_deformation
