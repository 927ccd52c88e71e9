// The strain energy of a body's material in the coordinates of its modes, with every coupling:
//
//   V(γ) = Σ_g w_g W(C_g),    F_g = 1 + Σ_k γ_k ∇b_k(X_g),    C = FᵀF
//   Q_k  = −∂V/∂γ_k = −Σ w F S : ∇b_k                         S = ∂W/∂E of the law (elasticity/law.h)
//   ∂²V/∂γ_k∂γ_l = Σ w (B_k·D B_l + ∇b_k S : ∇b_l),           B_k = sym(Fᵀ ∇b_k)
//
// F is the deformation in the frame of the body. x = t + R y(γ), so that R F is the deformation gradient
// in the world, and the energy of an objective law does not depend on R. The linear law measures
// its strain in the frame that moves with the body: it is objective here, and small rotations of
// parts against that frame count as strain.
//
// Viscosity is objective too: S_v = β D(1) : Ė with Ė = sym(Fᵀ Ḟ) (of the linear law sym Ḟ) gives
// Q_k = −Σ w F S_v : ∇b_k, of power −β Σ w Ė : D : Ė ≤ 0. No rigid motion is damped.

#ifndef PLIANT_MODELS_DYNAMIC_FFD_MATERIAL_ENERGY_H_
#define PLIANT_MODELS_DYNAMIC_FFD_MATERIAL_ENERGY_H_

#include <Eigen/Core>

#include "models/dynamic_ffd/ffd_body.h"
#include "models/elasticity/law.h"

namespace pliant::dynamic_ffd {

class MaterialEnergy {
 public:
  // `volumes` w of the sampled places [m³]; `gradients` ∂b_k/∂X there, 9 rows for each place, column
  // after column of the 3×3 matrix, one column for each of the D modes. In the plane (`planar`) only
  // x and y count, and the law is the plane one of the material.
  MaterialEnergy(const Material& material, bool planar, Eigen::VectorXd volumes,
                 const Eigen::MatrixXd& gradients);

  int modes() const { return static_cast<int>(gradients_.cols()); }
  int places() const { return static_cast<int>(volumes_.size()); }
  const Material& material() const { return material_; }
  double volume() const { return volumes_.sum(); }  // m³

  // Other modes that span the same shapes or fewer: Σ_k b_k T_kl replaces b_l.
  void Recombine(const Eigen::MatrixXd& combinations);

  // V [J]; may be +∞ or NaN where the law is not defined. O(places · D), as the two below, which
  // allocate nothing.
  double Energy(const VectorRef& gamma) const;
  // Adds Q of the elastic and viscous stress; returns the power of the viscous one [W] ≤ 0.
  double AddForces(const VectorRef& gamma, const VectorRef& gamma_dot,
                   MutableVectorRef forces) const;
  // Power [W] of the viscous forces at (γ, γ̇) on the rates `other`.
  double ViscousPower(const VectorRef& gamma, const VectorRef& gamma_dot,
                      const VectorRef& other) const;

  // Smallest det F over the places.
  double SmallestDeterminant(const VectorRef& gamma) const;

  // ∂²V/∂γ² [J] and the matrix of the viscous forces, Q = −C γ̇ [J s], both D×D. O(places · D²).
  Eigen::MatrixXd Hessian(const VectorRef& gamma) const;
  Eigen::MatrixXd Viscosity(const VectorRef& gamma) const;

 private:
  template <int kDimension, typename F>
  void ForEachPlace(F f) const;
  template <int kDimension>
  double AddForcesIn(bool viscous, MutableVectorRef forces) const;
  template <int kDimension>
  Eigen::MatrixXd SecondDerivatives(const VectorRef& gamma, bool viscous) const;
  // Deformation and its rate into their scratch.
  void Deform(const VectorRef& gamma) const;
  void DeformAtRate(const VectorRef& gamma_dot) const;
  bool viscous() const { return material_.stiffness_damping > 0.0; }

  Material material_;
  int dimension_;
  elasticity::Law law_;
  Eigen::VectorXd volumes_;
  Eigen::MatrixXd gradients_;                    // d² rows for each place
  mutable Eigen::VectorXd F_, rate_, stresses_;  // of all places; scratch
  mutable Eigen::VectorXd viscous_;              // D; scratch
};

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_MODELS_DYNAMIC_FFD_MATERIAL_ENERGY_H_
