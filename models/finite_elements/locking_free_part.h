// A solid body, or a profile in plane strain, whose elements do not lock where the volume hardly
// changes (ν near ½): the change of volume is projected to polynomials of low order in the element,
// and the law sees its projection [Simo, Taylor & Pister 1985]. In d dimensions, at quadrature points
// g with weights w at rest:
//
//   J = √det C,   θ = Π J,   C̃ = (θ/J)^(2/d) C        E = Σ w W(C̃)
//
//   Π projects in L² at rest:   hexahedron 27    linear in X            (4 functions)
//                               triangle 7       linear in X            (3)
//                               tetrahedron 10   constant               (1)
//
// The first two satisfy the inf-sup condition with displacements of full order [Boffi, Brezzi & Fortin
// 2013, Chapter 8]; the third costs one order, and still does not lock. With S̃ = S(C̃), τ = S̃ : C̃
// and p = Π (τ/(d θ)), minus the mean pressure, the stress that acts on F is
//
//   S = (θ/J)^(2/d) S̃ + (J p − τ/d) C⁻¹         ∂E/∂q_i = Σ w F S G_i
//
// The linear law has traces in place of J: ε̃ = ε + (Π tr ε − tr ε) 1/d [Hughes 1980]. So has
// viscosity, in ΔE.
//
// Discrete gradient: S at C̄ = ½ (C₀ + C₁) of all points, F̄ = ½ (F₀ + F₁), with one quotient of an
// element for what is missing in its energy:
//
//   ∇̄_i E = Σ w F̄ (S + α ΔE) G_i,    α = (E₁ − E₀ − Σ w S : ΔE)/Σ w ΔE : ΔE
//
// An element that is turned inside out somewhere has energy +∞: no step goes there.

#ifndef PLIANT_MODELS_FINITE_ELEMENTS_LOCKING_FREE_PART_H_
#define PLIANT_MODELS_FINITE_ELEMENTS_LOCKING_FREE_PART_H_

#include <memory>

#include "models/elasticity/law.h"
#include "models/finite_elements/elastic_part.h"
#include "models/finite_elements/solid_mesh.h"

namespace pliant::finite_elements {

// Density [kg/m³] and, for triangles, thickness [m]. Triangles of 6 nodes get a seventh in the middle;
// their law is one of plane strain. Throws BadInput (where = "cells") if a cell is turned inside out.
std::unique_ptr<ElasticPart> MakeLockingFreePart(const SolidMesh& mesh, const elasticity::Law& law,
                                                 double density, double thickness);

}  // namespace pliant::finite_elements

#endif  // PLIANT_MODELS_FINITE_ELEMENTS_LOCKING_FREE_PART_H_
