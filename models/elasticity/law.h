// Elastic laws: energy density W [Pa], second Piola–Kirchhoff stress S = ∂W/∂E [Pa] and tangent
// D = ∂S/∂E [Pa] of Green's strain E = ½ (C − 1), C = FᵀF.
//
//   linear                W = μ ε : ε + ½ λ (tr ε)², ε = sym(F) − 1 in place of E
//   st-venant-kirchhoff   W = μ E : E + ½ λ (tr E)²
//   corotated             W = μ ‖U − 1‖² + ½ λ (tr U − 3)², U = √C
//   neo-hookean-log       W = ½ μ (I_C − 3) − μ ln J + ½ λ (ln J)²
//   neo-hookean-stable    W = ½ μ' (I_C − 3) + ½ λ' ((J − α)² − (1 − α)²) − ½ μ' ln((I_C + 1)/4),
//                         μ' = 4/3 μ, λ' = λ + 5/6 μ, α = 1 + ¾ μ'/λ'   [Smith, De Goes & Kim 2018]
//
// with Lamé's constants μ = E/(2 (1 + ν)), λ = E ν/((1 + ν)(1 − 2 ν)), I_C = tr C and J = det F. All
// are the same law for small strain. In a plane the strain is that of F = (F₂, 0; 0, F₃₃):
//
//   plane strain   F₃₃ = 1
//   plane stress   F₃₃ is where S₃₃ = 0. The first three laws are then those of plane strain with
//                  2 λ μ/(λ + 2 μ) for λ (for St. Venant–Kirchhoff up to a thickness of 0, where
//                  λ tr E₂ = ½ (λ + 2 μ)); for the other two F₃₃ is found by Newton's iteration.

#ifndef PLIANT_MODELS_ELASTICITY_LAW_H_
#define PLIANT_MODELS_ELASTICITY_LAW_H_

#include <Eigen/Core>
#include <string>

#include "models/scene/material.h"

namespace pliant::elasticity {

// Components of symmetric tensors: 11, 22, 33, 12, 23, 31; strains have twice the last three.
using Vector6d = Eigen::Vector<double, 6>;
using Matrix6d = Eigen::Matrix<double, 6, 6>;

// As in files: "st-venant-kirchhoff".
std::string NameOf(ElasticLaw law);

class Law {
 public:
  enum class Kind { kSolid, kPlaneStrain, kPlaneStress };
  // E > 0 [Pa], −1 < ν < ½.
  Law(ElasticLaw law, double youngs_modulus, double poisson_ratio, Kind kind);
  // That of a material, in space, or in the plane as the material says.
  Law(const Material& material, bool planar);

  // Is its strain ε, linear in F, and not Green's?
  bool linear() const { return law_ == ElasticLaw::kLinear; }
  // Is W quadratic in its strain?
  bool quadratic() const { return linear() || law_ == ElasticLaw::kStVenantKirchhoff; }

  // Of C, 3×3 (C = 1 + 2 ε for the linear law; in a plane C₁₃ = C₂₃ = 0 and C₃₃ is ignored), and the
  // sign of det F: −1 where it is turned inside out, which the corotated and the stable law can
  // describe. The logarithmic law is +∞ there, with stress and tangent that are NaN.
  double Energy(const Eigen::Matrix3d& C, double sign) const;
  struct Response {
    double energy;    // Pa
    Vector6d stress;  // S; in a plane 11, 22 and 12 count
    Matrix6d tangent;
  };
  void Respond(const Eigen::Matrix3d& C, double sign, Response* response) const;
  // The tangent at rest.
  const Matrix6d& tangent_at_rest() const { return at_rest_; }

 private:
  double EnergyInSpace(const Eigen::Matrix3d& C, double sign) const;
  void RespondInSpace(const Eigen::Matrix3d& C, double sign, Response* response) const;
  // C with the C₃₃ of the plane.
  Eigen::Matrix3d WithThickness(const Eigen::Matrix3d& C, double sign) const;

  ElasticLaw law_;
  double lambda_, mu_;  // of the law as it is evaluated
  bool finds_thickness_;
  bool plane_;
  Matrix6d at_rest_;
};

}  // namespace pliant::elasticity

#endif  // PLIANT_MODELS_ELASTICITY_LAW_H_
