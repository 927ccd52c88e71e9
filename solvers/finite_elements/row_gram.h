// The forces λ of rows C whose sum Cᵀ λ is nearest to given forces f: C Cᵀ λ = C f, of the smallest norm where rows depend on one
// another. Rows that share no unknown are solved apart: a nailed face of n nodes is 3 n numbers and no dense matrix.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_ROW_GRAM_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_ROW_GRAM_H_

#include <Eigen/Core>
#include <Eigen/QR>
#include <Eigen/SparseCore>
#include <vector>

namespace pliant::finite_elements {

class RowGram {
 public:
  explicit RowGram(const Eigen::SparseMatrix<double>& C);
  Eigen::VectorXd Solve(const Eigen::VectorXd& right) const;

 private:
  struct Group {
    std::vector<int> rows;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> gram;
  };
  Eigen::VectorXd inverse_;    // 1/(c · c) of rows that are alone, else 0
  std::vector<Group> groups_;  // of the others
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_ROW_GRAM_H_
