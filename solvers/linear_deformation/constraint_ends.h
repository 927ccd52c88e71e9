// The rows of the constant Jacobian of point constraints, one for each constraint, and what one axis
// of the world makes of them:
//
//   J W Jᵀ = S ⊗ 1_d,   S_ab = Σ_bodies w p_aᵀ W p_b w     [Witkin & Welch 1990, Sec. 3.3]

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_CONSTRAINT_ENDS_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_CONSTRAINT_ENDS_H_

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cstddef>
#include <vector>

namespace pliant::linear_deformation {

// One body's part in a constraint: the row w pᵀ of J and the column w W_b p of W Jᵀ.
struct ConstraintEnd {
  int constraint;
  int first;         // coordinate of the body
  int columns;       // k
  std::size_t term;  // where its k numbers begin in rows and impulses
};

struct ConstraintEnds {
  std::vector<ConstraintEnd> ends;
  std::vector<double> rows, impulses;

  // `row` and `impulse` hold k numbers each.
  void Add(int constraint, int first, int columns, const double* row, const double* impulse);

  // S of `size` constraints. O(Σ over bodies of the square of its ends).
  Eigen::SparseMatrix<double> Matrix(int size) const;
  // Its diagonal alone. O(ends).
  Eigen::VectorXd Diagonal(int size) const;
};

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_CONSTRAINT_ENDS_H_
