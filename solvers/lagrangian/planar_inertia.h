// Inertia in the plane. With the shapes b_a (a = 0 … D, b_0 = X), c = [1, γ], ċ = [0, γ̇] and the
// turn ⊥u = (−u_y, u_x):
//
//   constant   f_a = Σ m b_a,   G_ab = Σ m b_a·b_b,   C_ab = Σ m b_a × b_b
//   placed     s = Σ c_a f_a = Σ m y,   g = G c,   x = Cᵀ c     (x_a = Σ m y × b_a)
//
//   M in body axes       ṫ     θ̇     γ̇_l           h in body axes
//     ṫ                 m I    ⊥s    f_l            θ̇² s − 2 θ̇ ⊥ṡ
//     θ̇                  ·    c·g    x_l           −2 θ̇ ċ·g
//     γ̇_k                ·     ·     G_kl           θ̇² g_k − 2 θ̇ Σ_l γ̇_l C_lk

#ifndef PLIANT_SOLVERS_LAGRANGIAN_PLANAR_INERTIA_H_
#define PLIANT_SOLVERS_LAGRANGIAN_PLANAR_INERTIA_H_

#include "solvers/lagrangian/inertia.h"
#include "solvers/linear_algebra/bordered_cholesky.h"

namespace pliant {

class PlanarInertia final : public FfdInertia {
 public:
  explicit PlanarInertia(const FfdBody& body);

  Eigen::MatrixXd MassMatrix(const VectorRef& q) const override;
  bool Place(const VectorRef& q) override;
  void AddVelocityForces(const VectorRef& v, MutableVectorRef Q) override;
  void AddGravity(const Eigen::Vector3d& g, MutableVectorRef Q) const override;
  void Solve(MutableVectorRef b) override;

 private:
  struct Placed {
    Eigen::Matrix2d rotation;
    Eigen::VectorXd c;                    // 1+D
    Eigen::VectorXd g, x;                 // 1+D
    Eigen::Vector2d s;                    // kg m
    Eigen::Matrix<double, -1, 1> border;  // ⊥s, x_k: the row of θ̇ without its diagonal
  };
  void ComputePlaced(const VectorRef& q, Placed* placed) const;
  Eigen::MatrixXd ConstantBlock() const;  // rows ṫ, γ̇

  int modes_;
  double mass_;
  Eigen::Matrix2Xd first_;  // f_a
  Eigen::MatrixXd gram_;    // G
  Eigen::MatrixXd cross_;   // C
  BorderedCholesky<1> factor_;
  Placed placed_;
  Eigen::VectorXd rhs_, cross_rate_;  // scratch
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_LAGRANGIAN_PLANAR_INERTIA_H_
