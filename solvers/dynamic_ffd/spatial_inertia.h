// Inertia in space. With the shapes b_a (a = 0 … D, b_0 = X), c = [1, γ], ċ = [0, γ̇], the axial
// vector ax(Σ u vᵀ) = Σ u × v, and ω in body axes:
//
//   constant   f_a = Σ m b_a,   P_ab = Σ m b_a b_bᵀ (3×3)
//   placed     s = Σ c_a f_a = Σ m y,   P_k = Σ_a c_a P_ak = Σ m y b_kᵀ,   I = tr(P) 1 − P with
//              P = Σ_k c_k P_k = Σ m y yᵀ
//   moving     W = Σ_k ċ_k P_k = Σ m y ẏᵀ,   V_k = Σ_a ċ_a P_ak = Σ m ẏ b_kᵀ
//
//   M in body axes    ṫ      ω        γ̇_l        h in body axes
//     ṫ              m 1   −[s]×      f_l         −ω×(ω×s) − 2 ω×ṡ
//     ω               ·      I      ax(P_l)       −ω×(I ω) − 2 (tr(W) ω − Wᵀ ω)
//     γ̇_k             ·      ·      tr(P_kl)      |ω|² tr(P_k) − ωᵀ P_k ω − 2 ω·ax(V_k)

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_SPATIAL_INERTIA_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_SPATIAL_INERTIA_H_

#include "solvers/dynamic_ffd/inertia.h"
#include "solvers/linear_algebra/bordered_cholesky.h"

namespace pliant::dynamic_ffd {

class SpatialInertia final : public FfdInertia {
 public:
  explicit SpatialInertia(const FfdBody& body);

  Eigen::MatrixXd MassMatrix(const VectorRef& q) const override;
  bool Accelerate(const VectorRef& q, const VectorRef& v, const Eigen::Vector3d& gravity,
                  MutableVectorRef a) override;
  bool Place(const VectorRef& q) override;
  void AddVelocityForces(const VectorRef& v, MutableVectorRef Q) override;
  void AddGravity(const Eigen::Vector3d& g, MutableVectorRef Q) const override;
  void Solve(MutableVectorRef b) override;

 private:
  struct Placed {
    Eigen::Matrix3d rotation;
    Eigen::VectorXd c;                                // 1+D
    Eigen::VectorXd pairs;                            // P_k, k = 0 … D, 9 numbers each [kg m²]
    Eigen::Vector3d s;                                // kg m
    Eigen::Matrix3d inertia;                          // I
    Eigen::Matrix<double, Eigen::Dynamic, 3> border;  // −[s]×, ax(P_l)ᵀ: the columns of ω
  };
  void ComputePlaced(const VectorRef& q, Placed* placed) const;
  Eigen::MatrixXd ConstantBlock() const;  // rows ṫ, γ̇
  void StiffenLine();

  int modes_;
  double mass_;
  Eigen::Matrix3Xd first_;        // f_a
  Eigen::MatrixXd moments_;       // 9(D+1) × (D+1), block (k, a) is P_ak column by column
  Eigen::Matrix3d axis_inertia_;  // added about the line of a straight body, body axes
  BorderedCholesky<3> factor_;
  Placed placed_;
  Eigen::VectorXd rates_, rhs_;  // scratch: V_k; right-hand side
};

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_SPATIAL_INERTIA_H_
