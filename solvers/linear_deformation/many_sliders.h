// Many sliders among point constraints, through their Schur complement as in point_constraints.h, but
// reduced to the rank of the bodies first, and sparse:
//
//   [ S ⊗ 1_d   T ] [ x ]   [ b ]      T = J W Rᵀ,  C = R W Rᵀ,   R = Uᵀ D^-½ J_s, the reduced rows of
//   [ Tᵀ        C ] [ y ] = [ s ]      sliders (row_reduction.h, with rows p ⊗ u of k·d numbers),
//                                      D of J_s W J_sᵀ
//
//   (C − Tᵀ (S⁺ ⊗ 1_d) T) y = s − Tᵀ (S⁺ ⊗ 1_d) b,   x = (S⁺ ⊗ 1_d) (b − T y)

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_MANY_SLIDERS_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_MANY_SLIDERS_H_

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

#include "solvers/linear_deformation/constraint_ends.h"
#include "solvers/linear_deformation/constraint_matrix.h"
#include "solvers/linear_deformation/row_reduction.h"

namespace pliant::linear_deformation {

class ManySliders {
 public:
  ManySliders() = default;
  // `whole` and `S` are those of the whole points; the ends of `sliders` have the k·d numbers of
  // p ⊗ u, axis by axis, and constraints from 0.
  ManySliders(int dimension, const ConstraintEnds& whole, const ConstraintMatrix& S, int count,
              const ConstraintEnds& sliders);

  bool empty() const { return reduction_.size() == 0; }
  int redundant() const;
  // Constraints that take part in redundant directions; sliders come after the whole points.
  const std::vector<int>& involved() const { return involved_; }

  // From b (n_c×d, row-major) and the sides of the sliders to their multipliers, in place.
  // Allocates nothing.
  void Solve(const ConstraintMatrix& S, double* whole, double* sliders) const;

 private:
  Eigen::SparseMatrix<double> CouplingTo(const ConstraintEnds& whole, int count) const;
  // Of each reduced slider: the bodies that it and other constraints hang together with, by a number.
  std::vector<int> IslandsOf(const ConstraintEnds& whole, int count) const;
  Eigen::SparseMatrix<double> Schur(const ConstraintMatrix& S) const;
  void FindInvolved(const ConstraintMatrix& S);

  int dimension_ = 0;
  RowReduction reduction_;
  Eigen::SparseMatrix<double> coupling_;  // T
  std::vector<int> islands_;              // of reduced sliders
  ConstraintMatrix schur_;
  std::vector<int> involved_;
  mutable std::vector<double> gathered_, spread_;  // scratch of Solve
};

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_MANY_SLIDERS_H_
