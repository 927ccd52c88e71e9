// Maps coordinates to material points and back, for a body x = R p(r) [Witkin & Welch 1990, Sec.
// 2.2]. Points, velocities and forces are columns of 3 rows of which a planar body uses the first
// two; the third does not change. Nothing here allocates.

#ifndef PLIANT_MODELS_LINEAR_DEFORMATION_KINEMATICS_H_
#define PLIANT_MODELS_LINEAR_DEFORMATION_KINEMATICS_H_

#include <Eigen/Core>

#include "models/linear_deformation/linear_body.h"

namespace pliant::linear_deformation {

// x_n = R p_n for all points: positions from coordinates, velocities from rates. O(d k n).
void MapToPoints(const LinearBody& body, const Eigen::Ref<const Eigen::VectorXd>& coordinates,
                 Eigen::Ref<Eigen::Matrix3Xd> points);

// Q += Σ f_n p_nᵀ. O(d k n).
void AddGeneralizedForces(const LinearBody& body, const Eigen::Ref<const Eigen::Matrix3Xd>& forces,
                          Eigen::Ref<Eigen::VectorXd> generalized);

// R̈ = Q W_b [Eq. 5]; also ΔṘ for an impulse Q [Sec. 3.2]. O(d k²).
void Accelerations(const LinearBody& body, const Eigen::Ref<const Eigen::VectorXd>& generalized,
                   Eigen::Ref<Eigen::VectorXd> accelerations);

}  // namespace pliant::linear_deformation

#endif  // PLIANT_MODELS_LINEAR_DEFORMATION_KINEMATICS_H_
