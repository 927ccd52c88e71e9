// What a body is made of, and what its points weigh then.

#ifndef PLIANT_MODELS_SCENE_MATERIAL_H_
#define PLIANT_MODELS_SCENE_MATERIAL_H_

#include <Eigen/Core>
#include <array>
#include <vector>

namespace pliant {

struct Body;

// Strain energy densities, with the constants μ and λ of small strain; docs/materials.md has the
// formulas.
enum class ElasticLaw {
  kLinear,             // of the small strain ½ (∇u + ∇uᵀ): not invariant under rotation
  kStVenantKirchhoff,  // of Green's strain: inverts under strong compression
  kCorotated,          // of the stretch U − I
  kNeoHookeanLog,      // ½ μ (I_C − 3) − μ ln J + ½ λ ln² J
  kNeoHookeanStable,   // [Smith 2018]: finite at J ≤ 0
};

// A property of the body and not of a formulation: each backend says what it makes of it.
struct Material {
  double density = 0.0;         // kg/m³, > 0
  double youngs_modulus = 0.0;  // Pa, > 0, of small strain
  double poisson_ratio = 0.0;   // −1 < ν < ½, of small strain
  ElasticLaw law = ElasticLaw::kNeoHookeanStable;
  double thickness = 0.0;          // m: of a sheet, surface or profile; side of the square section
                                   // of a chain or ring; 0 for blocks
  bool plane_strain = false;       // of a profile or a sheet in the plane, else plane stress
  double mass_damping = 0.0;       // 1/s, ≥ 0
  double stiffness_damping = 0.0;  // s, ≥ 0

  double Mu() const { return youngs_modulus / (2.0 * (1.0 + poisson_ratio)); }  // Pa
  double Lambda() const {                                                       // Pa
    return youngs_modulus * poisson_ratio / ((1.0 + poisson_ratio) * (1.0 - 2.0 * poisson_ratio));
  }
};

// Throws BadInput for the first constant of the body's material, if it has one, that cannot be:
// where = "material.poisson_ratio". O(1).
void CheckMaterial(const Body& body);

// True if the body's shape needs a thickness to have a volume.
bool NeedsThickness(const Body& body);

// The hexahedra of a body: its own, or those between the points of a block. The corners are in the
// order of Body::hexahedra.
std::vector<std::array<int, 8>> Hexahedra(const Body& body);

// The volume [m³] at rest that each point stands for: the integral of its shape function over the
// body's cells (linear on tetrahedra, triangles and edges, bilinear on the cells of a grid,
// trilinear on hexahedra), times what `thickness` [m] adds to surfaces (thickness) and lines
// (thickness²). Sums to the volume of the cells. Throws BadInput (where = "shape") for a body
// whose cells do not reach every point or are turned inside out.
Eigen::VectorXd VolumeShares(const Body& body, double thickness);

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_MATERIAL_H_
