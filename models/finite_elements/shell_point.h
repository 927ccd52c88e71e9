// The strain energy of a Kirchhoff–Love shell at one point of its middle surface [Kiendl 2009,
// Sec. 3], as a function of the derivatives z of the surface there:
//
//   a_α = x,α      a₃ = a₁ × a₂/|a₁ × a₂|      a_αβ = a_α · a_β      b_αβ = x,αβ · a₃
//   ε_αβ = ½ (a_αβ − A_αβ)      κ_αβ = B_αβ − b_αβ        (capitals: the surface at rest)
//   W = ½ t ε : C : ε + ½ t³/12 κ : C : κ
//   C^αβγδ = E/(1 − ν²) [ν A^αβ A^γδ + ½ (1 − ν) (A^αγ A^βδ + A^αδ A^βγ)]      (plane stress)
//
// Normals stay straight, normal to the surface and as long as they were. Terms of the order of
// thickness over radius of curvature are left out, as in the source. Tensors are written as
// vectors: strains (11, 22, 2·12), resultants n = D ε and m = t²/12 D κ (11, 22, 12).
//
// First and second variations follow from δa₃ = −a^α (a₃ · δa_α):
//
//   δb_αβ = a₃ · (δx,αβ − (x,αβ · a^γ) δa_γ)
//   δδ′(M · a₃) = −(a^α · δM)(a₃ · δ′a_α) − (a^α · δ′M)(a₃ · δa_α)
//               + μ^β (a₃ · δa_α)(a^α · δ′a_β) + μ^α (a^β · δa_α)(a₃ · δ′a_β)
//               − a^αβ (M · a₃)(a₃ · δa_α)(a₃ · δ′a_β),        μ^α = M · a^α.

#ifndef PLIANT_MODELS_FINITE_ELEMENTS_SHELL_POINT_H_
#define PLIANT_MODELS_FINITE_ELEMENTS_SHELL_POINT_H_

#include <Eigen/Core>

namespace pliant::finite_elements {

// Columns x,1 x,2 x,11 x,22 x,12 [m].
using SurfaceDerivatives = Eigen::Matrix<double, 3, 5>;
// Row and column 3 c + axis belongs to column c of SurfaceDerivatives.
using SurfaceTangent = Eigen::Matrix<double, 15, 15>;

// The surface at rest around a quadrature point.
struct ShellPoint {
  Eigen::Vector3d metric, curvature;  // A₁₁ A₂₂ A₁₂ [m²], B₁₁ B₂₂ B₁₂ [m]
  Eigen::Matrix3d stiffness;          // D = t C times the area of the point [N/m³]
  double bending;                     // t²/12 [m²]

  // `area` = weight · |A₁ × A₂| [m²].
  ShellPoint(const SurfaceDerivatives& rest, double weight, double youngs_modulus,
             double poisson_ratio, double thickness);
};

// Strains and resultants of a state, or the means of two.
struct ShellStress {
  Eigen::Vector3d membrane_strain, curvature_change;  // ε [m²], κ [m]
  Eigen::Vector3d n, m;                               // times the area of the point
};
ShellStress StressOf(const ShellPoint& point, const SurfaceDerivatives& z);
ShellStress Mean(const ShellStress& a, const ShellStress& b);

double ShellEnergy(const ShellPoint& point, const SurfaceDerivatives& z);  // J
// ∂W/∂z for stress = StressOf(point, z).
SurfaceDerivatives ShellGradient(const SurfaceDerivatives& z, const ShellStress& stress);
// ∂²W/∂z² for stress = StressOf(point, z), symmetric.
SurfaceTangent ShellTangent(const ShellPoint& point, const SurfaceDerivatives& z,
                            const ShellStress& stress);

// The discrete gradient ∇̄W(z₀, z₁), ∇̄W · (z₁ − z₀) = W(z₁) − W(z₀), which keeps linear and angular
// momentum (elastic_part.h). ε is quadratic: the mean stress resultants and the middle state do
// [Simo & Tarnow 1992]. b is not polynomial; for the mean moments, φ = M · a₃ with
// M = Σ m^αβ x,αβ, and
//
//   Δz = w × z̄ + ζ        w the mean rotation of a₁ and a₂, ζ what is left
//   z₁ = C z₀ + (1 − ŵ/2)⁻¹ ζ,   C = (1 − ŵ/2)⁻¹ (1 + ŵ/2),   so that, as φ(C z) = φ(z),
//   Δφ = φ(z₀ + (1 + ŵ/2)⁻¹ ζ) − φ(z₀).
//
// Any discrete gradient of φ between z₀ and z₀ + (1 + ŵ/2)⁻¹ ζ, turned by (1 + ŵ/2)⁻ᵀ and projected
// on forces without moment about z̄, is one of φ that keeps angular momentum. It is smooth also
// where the surface is flat, divides by no difference, and is symmetric in z₀ and z₁.
SurfaceDerivatives ShellDiscreteGradient(const ShellPoint& point, const SurfaceDerivatives& z0,
                                         const SurfaceDerivatives& z1);

// The force of resultants `factor` D Δε and `factor` t²/12 D Δκ, dual to the same discrete rates:
// times z₁ − z₀ it is factor (Δε : D : Δε + t²/12 Δκ : D : Δκ) ≥ 0, and no rigid motion is damped.
SurfaceDerivatives ShellViscousForce(const ShellPoint& point, const SurfaceDerivatives& z0,
                                     const SurfaceDerivatives& z1, double factor);

// |a₁ × a₂|/|A₁ × A₂|.
double AreaRatio(const ShellPoint& point, const SurfaceDerivatives& z);

}  // namespace pliant::finite_elements

#endif  // PLIANT_MODELS_FINITE_ELEMENTS_SHELL_POINT_H_
