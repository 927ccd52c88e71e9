// Constraints on the same bodies, reduced to the rank of these bodies.
//
// A body of k functions has k independent points, however many nails hold it; constraints between the
// same two bodies have at most k_a + k_b independent rows. With J = [J_g] the rows of such groups g,
// D = diag(S) and orthonormal columns U_g that span those of D_g^-½ J_g,
//
//   D^-½ S D^-½ = U M Uᵀ,   M = Uᵀ D^-½ S D^-½ U,   U = diag(U_g),   Uᵀ U = 1
//   S⁺ := D^-½ (D^-½ S D^-½)⁺ D^-½ = (D^-½ U) M⁺ (D^-½ U)ᵀ
//
// which is exact: M has at most as many rows as the bodies of all groups have functions, and is made
// without S. In a group M is diagonal. A group without more rows than functions keeps its own,
// scaled.

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_ROW_REDUCTION_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_ROW_REDUCTION_H_

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

#include "solvers/linear_deformation/constraint_ends.h"

namespace pliant::linear_deformation {

class RowReduction {
 public:
  RowReduction() = default;
  // Directions of a group in which M is below `singular` are left out. O(size · k²).
  RowReduction(int size, const ConstraintEnds& ends, double singular);

  // Whether any group of `ends` has more rows than its bodies have functions.
  static bool Helps(int size, const ConstraintEnds& ends);

  int size() const { return size_; }                    // n
  int reduced_size() const { return reduced_; }         // n', rows of M
  const ConstraintEnds& ends() const { return ends_; }  // the rows of Uᵀ D^-½ J

  // y = Uᵀ D^-½ b and x = D^-½ U y of n×columns and n'×columns values, row-major. Allocate nothing.
  void Gather(const double* b, int columns, double* y) const;
  void Spread(const double* y, int columns, double* x) const;

  const Eigen::VectorXd& diagonal() const { return diagonal_; }  // D
  // D^-½ U, n×n'.
  const Eigen::SparseMatrix<double, Eigen::RowMajor>& basis() const { return basis_; }
  // C, n'×n', with C Cᵀ = Uᵀ D U: Cᵀ M C has the eigenvalues of S that are not zero.
  const Eigen::SparseMatrix<double>& root() const { return root_; }
  // The part of each constraint, in the metric of D, in the directions that its group leaves out.
  const std::vector<double>& left_out() const { return left_out_; }

 private:
  struct Group;
  struct Rows;
  static std::vector<Group> GroupsOf(int size, const ConstraintEnds& ends);
  static Rows RowsOf(const Group& group, const ConstraintEnds& ends);
  static Eigen::MatrixXd Span(const Group& group, const Rows& all, const Eigen::VectorXd& scale,
                              double singular);
  using Triplets = std::vector<Eigen::Triplet<double>>;
  void Add(const Group& group, const ConstraintEnds& ends, double singular, Triplets* basis,
           Triplets* root);

  int size_ = 0, reduced_ = 0;
  ConstraintEnds ends_;
  Eigen::VectorXd diagonal_;
  Eigen::SparseMatrix<double, Eigen::RowMajor> basis_;
  Eigen::SparseMatrix<double> root_;
  std::vector<double> left_out_;
};

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_ROW_REDUCTION_H_
