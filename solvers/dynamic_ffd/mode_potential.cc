#include "solvers/dynamic_ffd/mode_potential.h"

#include <cmath>
#include <numbers>

#include "models/dynamic_ffd/embedding.h"
#include "models/dynamic_ffd/mode_metric.h"
#include "models/problem.h"
#include "solvers/parallel/cancellation.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;

// Below this fraction of the longest side a side counts as thin.
constexpr double kThin = 1e-9;

// Volume of the material in a lattice that has `share` of the body's box and `mass` of its mass.
double VolumeOf(const Body& body, int dimension, const ModeMaterial& material, double share,
                double mass) {
  const Vector3d extent = body.rest.rowwise().maxCoeff() - body.rest.rowwise().minCoeff();
  if (extent.head(dimension).minCoeff() <= kThin * extent.maxCoeff()) {
    throw BadInput({"modes",
                    "body '" + body.name +
                        "' has no extent along some axis, so its material does not determine its "
                        "bending stiffness",
                    "give its modes a stiffness or a frequency"});
  }
  if (material.density) return mass / *material.density;
  if (dimension == 3) return share * extent.prod();
  if (!material.thickness) {
    throw BadInput({"modes", "the material does not determine the thickness of a planar body",
                    "give density [kg/m³] or thickness [m]"});
  }
  return share * extent.head<2>().prod() * *material.thickness;
}

// Half the Hessian of the strain energy between the modes whose stiffness comes from it.
void AddMaterial(const Body& body, int dimension, const ModeTable& table,
                 const std::vector<int>& modes, MatrixXd* stiffness) {
  const std::vector<EmbeddedLattice> lattices = EmbedLattices(body, table);
  for (size_t l = 0; l < lattices.size(); ++l) {
    ThrowIfCancelled();
    const EmbeddedLattice& part = lattices[l];
    std::vector<int> members;  // of `modes`
    std::vector<Eigen::Matrix3Xd> displacements;
    for (int i = 0; i < static_cast<int>(modes.size()); ++i) {
      const DeformationMode& mode = table.modes[modes[i]];
      if (mode.lattice != static_cast<int>(l) || mode.stiffness || mode.frequency) continue;
      members.push_back(i);
      displacements.push_back(table.DisplacementsOn(part.lattice, modes[i]));
    }
    if (members.empty()) continue;
    double mass = 0.0;
    for (int n : part.inside) mass += body.mass[n];
    const double share = (table.lattices[l].upper - table.lattices[l].lower).prod();
    const MatrixXd hessian =
        StrainEnergyHessian(dimension, part.lattice, displacements, table.material->elastic,
                            VolumeOf(body, dimension, *table.material, share, mass));
    for (size_t i = 0; i < members.size(); ++i) {
      for (size_t j = 0; j < members.size(); ++j) {
        (*stiffness)(members[i], members[j]) =
            0.5 * hessian(static_cast<int>(i), static_cast<int>(j));
      }
    }
  }
}

}  // namespace

ModePotential PotentialOf(const Body& body, const FfdBody& embedded, const ModeTable& table,
                          const std::vector<int>& modes) {
  const auto count = static_cast<int>(modes.size());
  const Eigen::VectorXd inertia = MotionsOf(embedded).free.colwise().squaredNorm();
  ModePotential potential{MatrixXd::Zero(count, count), MatrixXd::Zero(count, count)};
  if (table.material) {
    AddMaterial(body, embedded.dimension(), table, modes, &potential.stiffness);
  }
  for (int i = 0; i < count; ++i) {
    const DeformationMode& mode = table.modes[modes[i]];
    double& stiffness = potential.stiffness(i, i);
    if (mode.stiffness) stiffness = *mode.stiffness;
    if (mode.frequency) {
      const double omega = 2.0 * std::numbers::pi * *mode.frequency;
      stiffness = 0.5 * inertia[i] * omega * omega;
    }
    potential.damping(i, i) =
        mode.damping_ratio ? 2.0 * *mode.damping_ratio * std::sqrt(2.0 * stiffness * inertia[i])
                           : mode.damping;
  }
  return potential;
}

}  // namespace pliant::dynamic_ffd
