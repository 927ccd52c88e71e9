// The elastic energy of small deformations in modes, from the material of a body:
//
//   V = ½ Σ_kl γ_k γ_l ∫ σ(ε_k) : ε_l dV
//
//   strain  ε_k = sym(∂u_k/∂x),   u_k the displacement field of mode k
//   space   σ = λ tr(ε) 1 + 2 μ ε,   λ = E ν/((1+ν)(1−2ν)),  μ = E/(2(1+ν))
//   plane   plane stress: the same with λ′ = E ν/(1 − ν²) in place of λ
//
// The integral is that over the box of the lattice, scaled to the volume of the body: modes are
// smooth over the box, and the material is taken to fill it evenly. Gauss quadrature, exact for a
// box. The energy is quadratic in the linear strain. Turning the body costs nothing, because modes
// are expressed in its frame, but large amplitudes are as stiff as small ones.

#ifndef PLIANT_MODELS_DYNAMIC_FFD_STRAIN_ENERGY_H_
#define PLIANT_MODELS_DYNAMIC_FFD_STRAIN_ENERGY_H_

#include <Eigen/Core>
#include <vector>

#include "models/geometry/lattice.h"

namespace pliant::dynamic_ffd {

struct ElasticMaterial {
  double youngs_modulus;  // E [Pa] > 0
  double poisson_ratio;   // ν, −1 < ν < ½
};

// ∫ σ(ε_k) : ε_l dV over `volume` [m³], D×D [J]. `displacements` are those of the control points,
// 3×lattice.size() for each mode. In the plane only x and y count. O(quadrature points · size · D).
Eigen::MatrixXd StrainEnergyHessian(int dimension, const Lattice& lattice,
                                    const std::vector<Eigen::Matrix3Xd>& displacements,
                                    const ElasticMaterial& material, double volume);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_MODELS_DYNAMIC_FFD_STRAIN_ENERGY_H_
