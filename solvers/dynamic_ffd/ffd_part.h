// One body of a scene that moves in its lattice, with the potentials of its modes.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_FFD_PART_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_FFD_PART_H_

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/dynamic_ffd/ffd_body.h"
#include "models/dynamic_ffd/material_energy.h"
#include "solvers/dynamic_ffd/inertia.h"
#include "solvers/dynamic_ffd/lattice_net.h"
#include "solvers/dynamic_ffd/mode_powers.h"

namespace pliant::dynamic_ffd {

struct FfdPart {
  FfdBody body;
  Eigen::MatrixXd stiffness;  // K, D×D, symmetric: V = γᵀ K γ [J]
  Eigen::MatrixXd damping;    // D, D×D, symmetric: the forces −D γ̇ [J s]
  std::unique_ptr<FfdInertia> inertia;
  std::vector<ModePower> powers = {};  // of modes whose potential is not K γ²; their K above is 0
  Eigen::VectorXd lower = {}, upper = {};  // limits of γ, D each; empty when no mode has any
  int first_q = 0, first_v = 0, first_point = 0;  // where it is in q, v and the points
  std::vector<std::string> mode_names = {};       // of the free modes; none where they are mixtures
  LatticeNet net = {};                            // for display
  // Of a body that holds its material: the strain energy, and where its mass is that of the volume
  // the places that have it.
  std::unique_ptr<MaterialEnergy> material = {};
  std::optional<FfdBody> volume = {};
};

// What has the mass of a part: its points, or the places of its volume.
inline const FfdBody& Masses(const FfdPart& part) { return part.volume ? *part.volume : part.body; }
// The parts of q, v (all bodies) and of 3×n points that belong to a body.
inline auto Coordinates(const FfdPart& part, const Eigen::VectorXd& q) {
  return q.segment(part.first_q, part.body.coordinates());
}
inline auto Velocities(const FfdPart& part, const Eigen::VectorXd& v) {
  return v.segment(part.first_v, part.body.velocities());
}
inline auto Velocities(const FfdPart& part, Eigen::VectorXd* v) {
  return v->segment(part.first_v, part.body.velocities());
}
// Of mode k of a body, k < body.modes(): a free mode by its name in the table, "mixture 2" where modes
// are mixtures of those; "morph" where key frames drive it.
inline std::string ModeName(const FfdPart& part, int k) {
  if (k >= part.body.free_modes()) return "morph";
  return part.mode_names.empty() ? "mixture " + std::to_string(k + 1) : part.mode_names[k];
}
template <typename Points>
auto PointsOf(const FfdPart& part, Points& points) {
  return points.middleCols(part.first_point, part.body.points());
}

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_FFD_PART_H_
