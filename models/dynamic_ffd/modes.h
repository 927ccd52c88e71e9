// Deformation modes: displacements of the control points of a lattice, each with an amplitude γ_k
// that is a generalized coordinate [Faloutsos 1995, Sec. 4.3].
//
// γ = 1 is the displacement as drawn. The source announces |γ| ≤ 1 and never enforces it; here a
// mode may be given limits, and without them the potential alone keeps it small.

#ifndef PLIANT_MODELS_DYNAMIC_FFD_MODES_H_
#define PLIANT_MODELS_DYNAMIC_FFD_MODES_H_

#include <Eigen/Core>
#include <array>
#include <limits>
#include <string>
#include <vector>

namespace pliant {

struct DeformationMode {
  std::string name;
  Eigen::Matrix3Xd displacements;  // 3×P, d^k_ij at γ = 1, in lattice axes [m]
  double stiffness = 0.0;          // K in the potential V = K |γ|^p [J], ≥ 0
  double exponent = 2.0;           // p, ≥ 2
  double damping = 0.0;            // D in the force −D γ̇ [J s], ≥ 0
  double initial = 0.0;            // γ at the start [1]
  double lower = -std::numeric_limits<double>::infinity();  // limits of γ: hard stops
  double upper = std::numeric_limits<double>::infinity();
};

// Modes drawn for one lattice.
struct ModeTable {
  std::array<int, 3> degree = {3, 3, 0};           // l, m, n: 4×4 control points as in the source
  Eigen::Vector3d size = Eigen::Vector3d::Ones();  // m, the box they were drawn for
  std::vector<DeformationMode> modes;

  // Displacements of mode k on a box of another `extent` [m]: scaled componentwise, so that the
  // lattice takes the shape drawn, up to that scaling.
  Eigen::Matrix3Xd DisplacementsOn(const Eigen::Vector3d& extent, int k) const {
    return extent.cwiseQuotient(size).asDiagonal() * modes[k].displacements;
  }
};

}  // namespace pliant

#endif  // PLIANT_MODELS_DYNAMIC_FFD_MODES_H_
