// The restoring forces of the modes of a body: V = γᵀ K γ and the damping −D γ̇.
//
// A mode states K itself, or its vibration frequency on the body, or takes K from the material of
// its table; and it states D or the damping ratio of that vibration. With m the inertia of the mode
// free of rigid motion, the other modes held, m γ̈ = −2 K γ − D γ̇, so that
//
//   K = ½ m ω²,  ω = 2π frequency       D = 2 ζ m ω,  ω = √(2 K/m)
//
// By the material K is half the Hessian of the strain energy; it couples such modes of one lattice.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_MODE_POTENTIAL_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_MODE_POTENTIAL_H_

#include <Eigen/Core>
#include <vector>

#include "models/dynamic_ffd/ffd_body.h"
#include "models/dynamic_ffd/modes.h"
#include "models/scene/scene.h"

namespace pliant::dynamic_ffd {

struct ModePotential {
  Eigen::MatrixXd stiffness;  // K, D×D [J]
  Eigen::MatrixXd damping;    // D, D×D [J s]
};

// The potential of `embedded`, which is `body` with these modes of the table. Throws BadInput
// (where = "modes") when the material does not determine K: the volume of a planar body is not
// given, or a flat or straight body in space, for which linear strain has no bending.
ModePotential PotentialOf(const Body& body, const FfdBody& embedded, const ModeTable& table,
                          const std::vector<int>& modes);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_MODE_POTENTIAL_H_
