// The stiffness Σ_g G_gᵀ A_g G_g of an element, of all its quadrature points in one product of matrices: 27 nodes with 27
// points have rows as long as such a product needs to be fast, a single point has not.
//
//   k(i a, j b) = Σ_g Σ_IJ G_Ii A_aIbJ G_Jj,   A = w ∂P/∂F, symmetric
//
// for each pair of axes a ≥ b at once; the others follow by symmetry.

#ifndef PLIANT_MODELS_FINITE_ELEMENTS_STIFFNESS_SUM_H_
#define PLIANT_MODELS_FINITE_ELEMENTS_STIFFNESS_SUM_H_

#include <Eigen/Core>

#include "models/finite_elements/elastic_part.h"

namespace pliant::finite_elements {

// Of fixed size: it allocates nothing.
template <int kNodes, int kDimension, int kPoints>
class StiffnessSum {
 public:
  using Gradients = Eigen::Matrix<double, kDimension, kNodes>;
  using Elasticity = Eigen::Matrix<double, kDimension * kDimension, kDimension * kDimension>;

  // Of each point once; the row d I + a and the column d J + b of A belong to F_aI and F_bJ.
  void Set(int g, const Gradients& G, const Elasticity& A) {
    for (int I = 0; I < kDimension; ++I) {
      const int column = kDimension * g + I;
      G_.col(column) = G.row(I).transpose();
      int row = 0;
      for (int b = 0; b < kDimension; ++b) {
        for (int a = b; a < kDimension; ++a, row += kNodes) {
          auto AG = AG_.template block<kNodes, 1>(row, column);
          AG = A(kDimension * I + a, b) * G.row(0).transpose();
          for (int J = 1; J < kDimension; ++J) {
            AG += A(kDimension * I + a, kDimension * J + b) * G.row(J).transpose();
          }
        }
      }
    }
  }

  // Adds the sum to rows and columns 3 i + a.
  void AddTo(MutableMatrixRef k) const {
    Eigen::Matrix<double, kNodes, kPairs * kNodes> blocks;
    blocks.noalias() = G_ * AG_.transpose();
    int pair = 0;
    for (int b = 0; b < kDimension; ++b) {
      for (int a = b; a < kDimension; ++a, ++pair) {
        for (int j = 0; j < kNodes; ++j) {
          for (int i = 0; i < kNodes; ++i) {
            const double value = blocks(i, pair * kNodes + j);
            k(3 * i + a, 3 * j + b) += value;
            if (a != b) k(3 * j + b, 3 * i + a) += value;
          }
        }
      }
    }
  }

 private:
  static constexpr int kPairs = kDimension * (kDimension + 1) / 2;

  Eigen::Matrix<double, kNodes, kDimension * kPoints> G_;
  Eigen::Matrix<double, kPairs * kNodes, kDimension * kPoints> AG_;
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_MODELS_FINITE_ELEMENTS_STIFFNESS_SUM_H_
