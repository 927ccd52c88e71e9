// Inertia of a body in its lattice: the mass matrix M(q) and the velocity forces h(q, v) of
//
//   M(q) v̇ = Q + h(q, v),     M = Σ_n m_n J_nᵀ J_n     [Faloutsos 1995, Eq. 4.10, 4.21]
//   h = −Σ_n m_n J_nᵀ a_n,    a_n = acceleration of x_n at v̇ = 0
//
// which is the h of (4.21), ½ vᵀ ∂M/∂q_k v − Σ ∂M_kj/∂q_l v_l v_j, without the derivatives of M.
// (4.12) of the source prints q̇_k where the whole vector q̇ belongs, and (4.17) drops the basis
// function: its column is R′ b_k, as in (4.19).
//
// y is linear in c = [1, γ] (y = Σ_a c_a b_a, b_0 = X), so that sums over points reduce to moments
// of pairs of shapes, computed once: M and h then cost O(D²) whatever the number of points.
//
// In body axes the blocks of translation and modes are constant; only the border of rotation
// depends on γ. M is factored accordingly (BorderedCholesky).

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_INERTIA_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_INERTIA_H_

#include <Eigen/Core>
#include <memory>

#include "models/dynamic_ffd/ffd_body.h"

namespace pliant::dynamic_ffd {

// Vectors are those of FfdBody: q = [pose, γ], v = [ṫ, rotation, γ̇] in world axes.
class FfdInertia {
 public:
  virtual ~FfdInertia() = default;
  FfdInertia(const FfdInertia&) = delete;
  FfdInertia& operator=(const FfdInertia&) = delete;

  // M(q). For observation and tests; a step never assembles it.
  virtual Eigen::MatrixXd MassMatrix(const VectorRef& q) const = 0;

  // A stage of a step: a ← M⁻¹ (a + Σ_n J_nᵀ m_n g + h), for generalized forces a at (q, v). False,
  // and a undefined, when M is not positive definite. O(D²), no allocation.
  virtual bool Accelerate(const VectorRef& q, const VectorRef& v, const Eigen::Vector3d& gravity,
                          MutableVectorRef a) = 0;

  // The parts of a stage. Sets the configuration for the functions below, and factors M there.
  // O(D²). False when M is not positive definite.
  virtual bool Place(const VectorRef& q) = 0;
  // Q += h(q, v). O(D²).
  virtual void AddVelocityForces(const VectorRef& v, MutableVectorRef Q) = 0;
  // Q += Σ_n J_nᵀ m_n g, the generalized force of gravity g [m/s²]. O(D).
  virtual void AddGravity(const Eigen::Vector3d& g, MutableVectorRef Q) const = 0;
  // b ← M⁻¹ b. O(D²).
  virtual void Solve(MutableVectorRef b) = 0;

  // Inertia [kg m²] added to a body on a straight line, in space, about that line, where it has
  // none: otherwise M would be singular. That of a round rod whose radius is 1.3 % of its length. 0
  // for all other bodies.
  double added_axis_inertia() const { return added_axis_inertia_; }

 protected:
  FfdInertia() = default;
  double added_axis_inertia_ = 0.0;
};

// In the plane or in space, like the body, and with driven amplitudes if it has any
// (DrivenInertia). Copies the data it needs of the body. O(n D²).
std::unique_ptr<FfdInertia> MakeInertia(const FfdBody& body);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_INERTIA_H_
