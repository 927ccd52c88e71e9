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

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_PLANAR_INERTIA_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_PLANAR_INERTIA_H_

#include "solvers/dynamic_ffd/inertia.h"
#include "solvers/linear_algebra/bordered_cholesky.h"

namespace pliant::dynamic_ffd {

inline Eigen::Vector2d PlanarTurn(const Eigen::Vector2d& u) { return {-u.y(), u.x()}; }  // ⊥u

// The sums over points, made once.
struct PlanarMoments {
  explicit PlanarMoments(const FfdBody& body);
  Eigen::MatrixXd ConstantBlock() const;  // of M in body axes: rows ṫ, γ̇
  Eigen::MatrixXd MassMatrix(const VectorRef& q) const;

  int modes;
  double mass;
  Eigen::MatrixXd sums;  // (2D+4)×(D+1): G, Cᵀ, f below each other; sums · c is g, x, s
};

// `kModes` is D, known to the compiler so that all products are unrolled, or Eigen::Dynamic for any
// number: the same code.
template <int kModes>
class PlanarInertia final : public FfdInertia {
 public:
  explicit PlanarInertia(PlanarMoments moments);

  Eigen::MatrixXd MassMatrix(const VectorRef& q) const override { return plain_.MassMatrix(q); }
  bool Accelerate(const VectorRef& q, const VectorRef& v, const Eigen::Vector3d& gravity,
                  MutableVectorRef a) override;
  bool Place(const VectorRef& q) override;
  void AddVelocityForces(const VectorRef& v, MutableVectorRef Q) override;
  void AddGravity(const Eigen::Vector3d& g, MutableVectorRef Q) const override;
  void Solve(MutableVectorRef b) override;

 private:
  static constexpr bool kFixed = kModes != Eigen::Dynamic;
  static constexpr int kShapes = kFixed ? kModes + 1 : Eigen::Dynamic;
  static constexpr int kBlock = kFixed ? kModes + 2 : Eigen::Dynamic;  // rows ṫ, γ̇
  static constexpr int kPlaced = kFixed ? 2 * kModes + 4 : Eigen::Dynamic;
  using Factor = BorderedCholesky<1, kBlock>;

  auto D() const { return Eigen::fix<kModes>(modes_); }
  // Parts of the sums.
  auto ModesG() const { return sums_.segment(1, D()); }  // g_k
  Eigen::Vector2d S() const { return sums_.template tail<2>(); }

  PlanarMoments plain_;
  int modes_;
  double mass_;
  Eigen::Matrix<double, kPlaced, kShapes> moments_;  // plain_.sums
  Factor factor_;
  // Of the configuration placed.
  Eigen::Matrix2d rotation_;
  Eigen::Matrix<double, kShapes, 1> c_;
  Eigen::Matrix<double, kPlaced, 1> sums_;  // g, x, s below each other
  typename Factor::Border border_;          // ⊥s, x_k: the row of θ̇ without its diagonal
  typename Factor::Vector rhs_;             // scratch
};

// The number of modes D is a compile-time constant up to 8.
std::unique_ptr<FfdInertia> MakePlanarInertia(const FfdBody& body);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_PLANAR_INERTIA_H_
