// A body that is rigid, as few unknowns as move it: its points move affinely with the corners of a
// regular simplex around its centre of mass, 4 of a solid, 3 of a flat body, 2 of a line. With u the
// place in the principal axes of its masses, in units of its extents, and e_i the corners,
//
//   N_i(u) = (1 + e_i·u)/(k + 1),   e_i·e_j = (k + 1) δ_ij − 1,   Σ_i e_i e_iᵀ = (k + 1) 1
//
// the mass is m/(k + 1) at each corner: exactly that of the points, whatever they are. The affine motion
// that is left is kept rigid by an energy that nothing else in a scene compares with:
//
//   V = κ E:E,   E = ½ (FᵀF − 1),   κ = ½ m ℓ² Ω²,   ℓ its largest extent, Ω = 3·10⁴ rad/s
//
// so that an acceleration a at the distance ℓ leaves a strain of about a/(ℓ Ω²), and a spin ω one of
// ω²/Ω². The discrete gradient of V is that of laws quadratic in E (solid_part.h); the scheme keeps
// energy and momenta for any product of Ω and the step. It meets others at its own points, and at the
// faces and edges between them.

#ifndef PLIANT_MODELS_FINITE_ELEMENTS_RIGID_PART_H_
#define PLIANT_MODELS_FINITE_ELEMENTS_RIGID_PART_H_

#include <memory>

#include "models/finite_elements/elastic_part.h"
#include "models/scene/scene.h"

namespace pliant::finite_elements {

std::unique_ptr<ElasticPart> MakeRigidPart(const Body& body, int world_dimension);

}  // namespace pliant::finite_elements

#endif  // PLIANT_MODELS_FINITE_ELEMENTS_RIGID_PART_H_
