// Potentials of modes with an exponent of their own: V = Σ K |γ|^p, p ≥ 2.
//
//   Q = −∂V/∂γ = −p K |γ|^(p−1) sign γ,      ∂²V/∂γ² = p (p−1) K |γ|^(p−2)
//
// [Faloutsos 1995, Sec. 4.7] leaves the potential to the user and shows p = 2. A larger p is soft
// near the rest shape and hard far from it.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_MODE_POWERS_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_MODE_POWERS_H_

#include <Eigen/Core>
#include <vector>

#include "models/dynamic_ffd/ffd_body.h"

namespace pliant::dynamic_ffd {

// One mode of a body whose exponent is not 2.
struct ModePower {
  int mode = 0;
  double stiffness = 0.0;  // K [J], ≥ 0
  double exponent = 2.0;   // p, ≥ 2
};

double PowerEnergy(const std::vector<ModePower>& powers, const VectorRef& gamma);  // V [J]
// Q += the forces above. O(powers).
void AddPowerForces(const std::vector<ModePower>& powers, const VectorRef& gamma,
                    MutableVectorRef Q);
// Diagonal of ∂²V/∂γ² [J], one for each entry of `gamma`.
Eigen::VectorXd PowerCurvature(const std::vector<ModePower>& powers, const VectorRef& gamma);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_MODE_POWERS_H_
