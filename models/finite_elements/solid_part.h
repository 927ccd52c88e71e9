// A solid body, or a planar profile, of quadratic Lagrange elements.
//
// With X the place at rest, G_i = ∂N_i/∂X, F = Σ_i q_i ⊗ G_i and the law's S(C), D(C) (law.h), and
// w the weight of a quadrature point (volume, or area × thickness):
//
//   E = Σ w W(C)        ∂E/∂q_i = Σ w F S G_i
//   ∂²E/∂q_i∂q_j = Σ w (B_iᵀ D B_j + (G_i·S G_j) 1),   B_i the components of sym(Fᵀ ⊗ G_i)
//
// Discrete gradient [Simo & Tarnow 1992; Gonzalez 2000, Eq. 3.16], with C̄ = ½ (C₀ + C₁), F̄ = ½ (F₀ + F₁):
//
//   ∇̄_i E = Σ w F̄ S̄ G_i,   S̄ = S(C̄) + (W(C₁) − W(C₀) − S(C̄) : ΔE)/(ΔE : ΔE) ΔE,   ΔE = E₁ − E₀
//
// The quotient is 0 for laws quadratic in E. Where a point is turned inside out at one of the two
// places, the same with F and P = F S in place of C and S: it keeps energy, not angular momentum.
//
// Viscosity is objective: S_v = β D(1) : ΔE/h at F̄, of power −β (ΔE : D : ΔE)/h² ≤ 0; no rigid motion
// is damped.

#ifndef PLIANT_MODELS_FINITE_ELEMENTS_SOLID_PART_H_
#define PLIANT_MODELS_FINITE_ELEMENTS_SOLID_PART_H_

#include <memory>

#include "models/elasticity/law.h"
#include "models/finite_elements/elastic_part.h"
#include "models/finite_elements/solid_mesh.h"

namespace pliant::finite_elements {

using elasticity::Law;
using elasticity::Matrix6d;
using elasticity::Vector6d;

// Density [kg/m³] and, for triangles, thickness [m]; the law is one of a plane for triangles and of
// space otherwise. Throws BadInput (where = "cells") if a cell is turned inside out.
std::unique_ptr<ElasticPart> MakeSolidPart(const SolidMesh& mesh, const Law& law, double density,
                                           double thickness);

}  // namespace pliant::finite_elements

#endif  // PLIANT_MODELS_FINITE_ELEMENTS_SOLID_PART_H_
