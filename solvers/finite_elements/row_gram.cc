#include "solvers/finite_elements/row_gram.h"

#include "models/disjoint_sets.h"

namespace pliant::finite_elements {

RowGram::RowGram(const Eigen::SparseMatrix<double>& C) : inverse_(Eigen::VectorXd::Zero(C.rows())) {
  const Eigen::SparseMatrix<double> gram = C * C.transpose();
  const auto count = static_cast<int>(gram.rows());
  DisjointSets connected(count);
  for (int j = 0; j < count; ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(gram, j); it; ++it)
      connected.Join(static_cast<int>(it.row()), j);
  }
  std::vector<std::vector<int>> members(count);
  for (int row = 0; row < count; ++row) members[connected.Root(row)].push_back(row);
  std::vector<int> place(count, -1);  // in its group
  for (const std::vector<int>& rows : members) {
    const auto size = static_cast<Eigen::Index>(rows.size());
    if (size == 1) {
      const double square = gram.coeff(rows[0], rows[0]);
      if (square > 0.0) inverse_[rows[0]] = 1.0 / square;
    }
    if (size < 2) continue;
    for (int i = 0; i < size; ++i) place[rows[i]] = i;
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(size, size);
    for (int j = 0; j < size; ++j) {
      for (Eigen::SparseMatrix<double>::InnerIterator it(gram, rows[j]); it; ++it)
        dense(place[it.row()], j) = it.value();
    }
    groups_.push_back({rows, Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(dense)});
  }
}

Eigen::VectorXd RowGram::Solve(const Eigen::VectorXd& right) const {
  Eigen::VectorXd solution = inverse_.cwiseProduct(right);
  for (const Group& group : groups_) {
    const Eigen::VectorXd of_group = right(group.rows);
    const Eigen::VectorXd forces = group.gram.solve(of_group);
    solution(group.rows) = forces;
  }
  return solution;
}

}  // namespace pliant::finite_elements
