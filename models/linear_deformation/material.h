// Energy and dissipation of the material of a linearly deformable body: the potentials and drags of
// a deformation gradient (energies.h), averaged over the samples of the body with its weights w.
//
//   V(R) = Σ w_n V(m_n),   m_n = R ∂p/∂r(r_n)
//   Q = − (1 + k_d V̇_e) ∂V_e/∂R − (1 + k_d V̇_c) ∂V_c/∂R − ∂D/∂Ṙ − α Ṙ M_b
//
// Three laws: the source's V_e + V_c, whose k_e and k_c are energies of a whole body; and two of a
// material with Young's modulus E and Poisson's ratio ν, times the content of the body, so that one
// body can be compared with another, and with other formulations, at equal material. There Lamé's
// constants are those of the body's dimension: with G = E/(2 (1 + ν)) always the shear modulus,
//
//   solid   λ = E ν/((1 + ν)(1 − 2 ν))      sheet   λ = E ν/(1 − ν²), plane stress, × thickness
//   line    λ = E − 2 G, so that ψ = ½ E ε², × thickness²
//
// k_d V̇ ∂V/∂R is the source's damping [Witkin & Welch 1990, Sec. 2.4], applied to each potential
// separately (the source leaves this open). D is the linear drag. Its part `damping` has c =
// damping · Σ m|r|² / (4 μ), so that a body of equal extents that dilates freely loses its speed at
// the rate `damping`. Its Rayleigh part is β K Ṙ with the stiffness K of the body at rest, rotated
// with the body (strain rates, not coordinates), so that it never adds energy and never damps a
// rotation; α M Ṙ damps every motion, including free fall.

#ifndef PLIANT_MODELS_LINEAR_DEFORMATION_MATERIAL_H_
#define PLIANT_MODELS_LINEAR_DEFORMATION_MATERIAL_H_

#include <Eigen/Core>
#include <optional>
#include <string>

#include "models/linear_deformation/energies.h"
#include "models/linear_deformation/linear_body.h"

namespace pliant {
struct Body;
}

namespace pliant::linear_deformation {

enum class MaterialLaw { kWitkinWelch, kStVenantKirchhoff, kNeoHookean };

// Of one body; from the parameters of the backend, or from the material of the body in the scene.
struct LinearMaterial {
  double stretch_stiffness = 1000.0;  // k_e [J] ≥ 0
  double volume_stiffness = 1000.0;   // k_c [J] ≥ 0; no effect where m is not square
  double damping = 2.0;               // 1/s ≥ 0, linear, on the rate of strain only
  double source_damping = 0.0;        // k_d [1/W] ≥ 0
  MaterialLaw law = MaterialLaw::kWitkinWelch;
  double youngs_modulus = 1e5;      // E [Pa] ≥ 0, of the other two laws
  double poisson_ratio = 0.3;       // ν, −1 < ν < ½
  double thickness = 0.01;          // m, of sheets; a chain has a square cross-section of this side
  double rayleigh_mass = 0.0;       // α [1/s] ≥ 0
  double rayleigh_stiffness = 0.0;  // β [s] ≥ 0
  bool plane_strain = false;        // of a profile, else plane stress
};

// The material of a body in the scene as this formulation holds it: its own where the scene has none
// or where the body has no cells of its dimension (a surface that closes in space).
struct HeldMaterial {
  LinearMaterial material;
  bool from_scene = false;
  std::string differs;  // how the material differs from that of the scene; empty when it does not
};
HeldMaterial MaterialOf(const Body& body, const LinearBody& linear, const LinearMaterial& own);

// Throws BadInput (where = "material") for a law that does not apply to this body: the neo-Hookean
// one needs a volume, so a body that has the dimension of its world.
void RequireLaw(const LinearBody& body, const std::string& name, const LinearMaterial& material);

// Lamé's constants of the whole body [J].
Lame LameOf(const LinearBody& body, const LinearMaterial& material);

// Every law is, to second order about rest, V = a ‖e‖² + ¼ b (tr e)² with e = mᵀm − 1; and every
// linear drag is D = ½ c ‖ė‖² + ½ c_t (tr ė)².
struct StrainModuli {
  double shape = 0.0;  // a [J]
  double trace = 0.0;  // b [J]
};
StrainModuli ModuliAtRest(const LinearBody& body, const LinearMaterial& material);
struct StrainDrags {
  double shape = 0.0;  // c [J s]
  double trace = 0.0;  // c_t [J s]
};
StrainDrags LinearDrags(const LinearBody& body, const LinearMaterial& material);

using CoordinatesRef = Eigen::Ref<const Eigen::VectorXd>;

// V [J] at coordinates q (d k). O(k d μ samples), as all below.
double DeformationEnergy(const LinearBody& body, const LinearMaterial& material,
                         const CoordinatesRef& q);

// Adds Q (d k) of potentials and damping at coordinates q and rates v; returns the power of the
// damping [W] ≤ 0. Allocates nothing.
double AddMaterialForces(const LinearBody& body, const LinearMaterial& material,
                         const CoordinatesRef& q, const CoordinatesRef& v,
                         Eigen::Ref<Eigen::VectorXd> force);

// Largest rate [1/s] at which the source's damping slows a motion at coordinates q: its forces are
// −C Ṙ with C = k_d Σ g gᵀ, g = ∂V/∂R of each potential, and the rate is at most k_d Σ g·M⁻¹g. It
// grows with the square of the strain. `scratch` (d k); allocates nothing.
double SourceDecay(const LinearBody& body, const LinearMaterial& material, const CoordinatesRef& q,
                   Eigen::Ref<Eigen::VectorXd> scratch);

// Smallest det m of all samples; ≤ 0 where the body is collapsed or mirrored. Not defined unless m
// is square.
std::optional<double> SmallestDeterminant(const LinearBody& body, const CoordinatesRef& q);

// The fastest of the body's small motions about its undeformed shape, without constraints.
struct StiffestMotion {
  double frequency = 0.0;  // rad/s, of the potentials
  double decay = 0.0;      // 1/s, of the linear damping, α M Ṙ included
};
// O((d k)³).
StiffestMotion FindStiffestMotion(const LinearBody& body, const LinearMaterial& material);

}  // namespace pliant::linear_deformation

#endif  // PLIANT_MODELS_LINEAR_DEFORMATION_MATERIAL_H_
