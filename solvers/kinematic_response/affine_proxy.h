// A body of the linear-deformation formulation, of first order, that replaces the rigid proxy
// [Witkin & Welch 1990, Sec. 2; models/linear_deformation]: it carries the frame of the surface,
// stretches and shears it, and moves under forces at its points, including the reaction of the
// surface to obstacles.
//
//   x = c + A y,   Q = (Σ f, Σ f yᵀ),   R̈ = (Q − ∂V/∂R − ∂D/∂Ṙ) W_b,   R = [c | A]
//
// y the undeformed points, origin in the centre of mass. Kick, drift, kick as of the rigid proxy;
// stable for steps below 2/ω of its stiffest motion.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_AFFINE_PROXY_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_AFFINE_PROXY_H_

#include <Eigen/Core>
#include <memory>
#include <string>

#include "models/linear_deformation/material.h"
#include "models/scene/scene.h"

namespace pliant::kinematic_response {

class AffineProxy {
 public:
  // Why a body has no such proxy; empty when it has.
  static std::string WhyNot(const Body& body, int dimension);

  AffineProxy(const Body& body, int dimension, const linear_deformation::LinearMaterial& material);

  const Eigen::Matrix3Xd& points() const { return points_; }  // y [m]
  Eigen::Vector3d centre() const { return Columns(q_).col(0); }
  Eigen::Vector3d velocity() const { return Columns(v_).col(0); }
  Eigen::Matrix3d map() const;                                  // A
  Eigen::Matrix3d rate() const { return Linear(Columns(v_)); }  // Ȧ [1/s]
  double Fastest() const { return velocity().norm() + rate().norm() * reach_; }

  // Impulse [N s], and Σ impulse yᵀ [N s m] of where they act.
  void Kick(const Eigen::Vector3d& impulse, const Eigen::Matrix3d& moments);
  // Applies its own elastic and damping forces for h; returns the work of damping [J].
  double KickByMaterial(double h);
  void Drift(double h) { q_ += h * v_; }

  double ElasticEnergy() const {
    return linear_deformation::DeformationEnergy(*body_, material_, q_);
  }  // J
  // 1/s: of its fastest small motion, oscillating or dying away.
  double Stiffest() const { return stiffest_; }

  int StateSize() const { return static_cast<int>(2 * q_.size()); }
  void Save(Eigen::Ref<Eigen::VectorXd> state) const { state << q_, v_; }
  void Restore(const Eigen::Ref<const Eigen::VectorXd>& state);

 private:
  // 3×k: coordinates (or rates) of a planar body with a third row of zeros.
  Eigen::Matrix<double, 3, 4> Columns(const Eigen::VectorXd& coordinates) const;
  Eigen::Matrix3d Linear(const Eigen::Matrix<double, 3, 4>& columns) const;

  std::shared_ptr<const linear_deformation::LinearBody> body_;
  linear_deformation::LinearMaterial material_;
  Eigen::Matrix3Xd points_;
  double reach_, stiffest_;
  Eigen::Matrix3d to_units_;       // rows: axes over extents, u = to_units y
  Eigen::VectorXd q_, v_;          // R and Ṙ by rows
  Eigen::VectorXd force_, other_;  // room
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_AFFINE_PROXY_H_
