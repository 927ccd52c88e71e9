// The equations of motion written out point by point, as in [Faloutsos 1995, Sec. 4.5]: slow and
// obvious, to hold the moments of the solver against.

#ifndef PLIANT_TESTS_SOLVERS_DYNAMIC_FFD_POINT_ORACLE_H_
#define PLIANT_TESTS_SOLVERS_DYNAMIC_FFD_POINT_ORACLE_H_

#include <Eigen/Core>

#include "models/dynamic_ffd/ffd_body.h"

namespace pliant::dynamic_ffd {

// M = Σ m JᵀJ  [Eq. 4.10].
Eigen::MatrixXd MassMatrixByPoints(const FfdBody& body, const Eigen::VectorXd& q);

// h = −Σ m Jᵀ a,  a = ω×(ω×r) + 2 ω×(R ẏ).
Eigen::VectorXd VelocityForcesByPoints(const FfdBody& body, const Eigen::VectorXd& q,
                                       const Eigen::VectorXd& v);

// ∂J_n/∂q_l  [Eq. 4.14–4.19], in the plane; (4.17) with the basis function it lacks in print.
Eigen::MatrixXd JacobianDerivative(const FfdBody& body, const Eigen::VectorXd& q, int point, int l);

// ∂M/∂q_l  [Eq. 4.13], in the plane.
Eigen::MatrixXd MassMatrixDerivative(const FfdBody& body, const Eigen::VectorXd& q, int l);

// h_k = ½ q̇ᵀ ∂M/∂q_k q̇ − Σ_lj ∂M_kj/∂q_l q̇_l q̇_j  [Eq. 4.21], in the plane.
Eigen::VectorXd VelocityForcesByMassDerivatives(const FfdBody& body, const Eigen::VectorXd& q,
                                                const Eigen::VectorXd& q_dot);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_TESTS_SOLVERS_DYNAMIC_FFD_POINT_ORACLE_H_
