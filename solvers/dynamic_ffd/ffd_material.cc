// Bodies that hold their material: damping in proportion to the mass, and sums over mass between the
// points. The part of DynamicFfdSystem that deals with it.

#include <algorithm>

#include "solvers/dynamic_ffd/ffd_system.h"

namespace pliant::dynamic_ffd {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// −α M v, which decelerates by α v whatever else acts: a body with driven amplitudes holds no material.
void DynamicFfdSystem::AddMassDamping(const FfdPart& part, const VectorXd& q, const VectorXd& v,
                                      VectorXd* a, Exchange* rates) {
  const auto v_part = Velocities(part, v);
  const double rate = MassDamping(part);
  Velocities(part, a) -= rate * v_part;
  const VectorXd momentum = part.inertia->MassMatrix(Coordinates(part, q)) * v_part;
  (*rates)[WorkClass::kDamping] -= rate * momentum.dot(v_part);
  AddForceOf(part, q, -rate * momentum, rates);
}

bool DynamicFfdSystem::has_mass_between_points() const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [](const FfdPart& part) { return part.volume.has_value(); });
}

MaterialSums DynamicFfdSystem::SumsOf(const FfdPart& part, const VectorXd& q,
                                      const VectorXd& v) const {
  const FfdBody& masses = Masses(part);
  const VectorXd& m = masses.masses();
  Matrix3Xd x(3, m.size()), x_dot(3, m.size());
  masses.Points(Coordinates(part, q), x);
  masses.PointVelocities(Coordinates(part, q), Velocities(part, v), x, x_dot);
  MaterialSums sums;
  sums.mass = m.sum();
  sums.kinetic_energy = 0.5 * x_dot.colwise().squaredNorm().dot(m);
  sums.gravitational_energy = forces_.gravity().Energy(m, x);
  sums.momentum = x_dot * m;
  for (Eigen::Index i = 0; i < m.size(); ++i) {
    sums.angular_momentum += m[i] * Vector3d(x.col(i)).cross(Vector3d(x_dot.col(i)));
  }
  sums.centre = x * m / sums.mass;
  return sums;
}

std::optional<MaterialSums> DynamicFfdSystem::Sums(const VectorXd& q, const VectorXd& v) const {
  if (!has_mass_between_points()) return std::nullopt;
  MaterialSums all;
  for (const FfdPart& part : parts_) {
    const MaterialSums of_part = SumsOf(part, q, v);
    all.kinetic_energy += of_part.kinetic_energy;
    all.gravitational_energy += of_part.gravitational_energy;
    all.momentum += of_part.momentum;
    all.angular_momentum += of_part.angular_momentum;
    all.centre += of_part.mass * of_part.centre;
    all.mass += of_part.mass;
  }
  all.centre /= all.mass;
  return all;
}

}  // namespace pliant::dynamic_ffd
