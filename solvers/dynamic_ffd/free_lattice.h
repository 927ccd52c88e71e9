// A lattice whose control points all move freely (`free_lattice`): the body is one element of the
// basis of the lattice, as high an order as that has.
//
// The modes are all displacements of the control points. Rigid motions are among them, and are
// coordinates of their own, so that they are left out. In the metric ⟨u, v⟩ = Σ m u·v of the masses:
// with the displacements B of unit amplitudes, G = (B − P B)ᵀ(B − P B) where P projects on the rigid
// motions, G = V Λ Vᵀ, N the null vectors of G (B N is rigid),
//
//   T = c V_r Λ_r^(−1/2) − N (Rᵀ B N)⁻¹ Rᵀ B (c V_r Λ_r^(−1/2))
//
// so that the modes B T are orthogonal to each other and to the rigid motions R and have one inertia.
// With the rigid motion of the frame they reach each shape of the lattice near rest in one way: the
// frame that Σ m X × Rᵀ(x − t) = 0 makes.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_FREE_LATTICE_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_FREE_LATTICE_H_

#include <Eigen/Core>
#include <string>

#include "solvers/dynamic_ffd/ffd_options.h"

namespace pliant::dynamic_ffd {

// Replaces the modes of the table by the displacements of each control point of its lattice along each
// axis of a scene of this dimension. Throws BadInput for a table with modes or with several lattices,
// and for options that name single modes.
void FreeTheLattice(const DynamicFfdOptions& options, int dimension, ModeTable* table);

// T of `masses`, whose origin is not the centre of mass (that would hide translations). Throws
// BadInput (where = "free_lattice") where the masses do not determine the lattice. O(D³).
Eigen::MatrixXd FreeCombinations(const FfdBody& masses, const std::string& body);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_FREE_LATTICE_H_
