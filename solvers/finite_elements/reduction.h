// Elimination of linear constraints: C q = b(t) becomes q = T y + S b(t), with y the unknowns of q
// that are left free. Exact: no penalty, no multiplier, and a matrix that stays positive definite.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_REDUCTION_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_REDUCTION_H_

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <utility>
#include <vector>

namespace pliant::finite_elements {

// One constraint: pairs of unknown and coefficient, each unknown once.
using LinearRow = std::vector<std::pair<int, double>>;

class Reduction {
 public:
  // Of `unknowns` numbers under k rows; those of `zero` stay 0. Rows that follow from earlier ones are
  // left out. O(k²) and what is filled in.
  Reduction(int unknowns, const std::vector<LinearRow>& rows, const std::vector<int>& zero = {});

  int full_size() const { return static_cast<int>(T_.rows()); }
  int size() const { return static_cast<int>(free_.size()); }  // of y
  const std::vector<int>& free() const { return free_; }       // y = q(free), ascending
  const Eigen::SparseMatrix<double>& T() const { return T_; }  // full_size × size
  const Eigen::SparseMatrix<double, Eigen::RowMajor>& T_by_rows() const { return T_by_rows_; }
  const Eigen::SparseMatrix<double>& S() const { return S_; }       // full_size × k
  const Eigen::SparseMatrix<double>& C() const { return C_; }       // k × full_size
  const std::vector<int>& redundant() const { return redundant_; }  // rows left out
  // q with the y of `q` and the rows at b.
  void Complete(const Eigen::VectorXd& b, Eigen::Ref<Eigen::VectorXd> q) const;

 private:
  std::vector<int> free_, redundant_;
  Eigen::SparseMatrix<double> T_, S_, C_;
  Eigen::SparseMatrix<double, Eigen::RowMajor> T_by_rows_;
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_REDUCTION_H_
