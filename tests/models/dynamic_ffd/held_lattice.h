// A body with a material in all displacements of a lattice: modes are the control points of Bernstein
// polynomials, in their order, axes fastest.

#ifndef PLIANT_TESTS_MODELS_DYNAMIC_FFD_HELD_LATTICE_H_
#define PLIANT_TESTS_MODELS_DYNAMIC_FFD_HELD_LATTICE_H_

#include <array>
#include <memory>
#include <utility>

#include "models/dynamic_ffd/body_quadrature.h"
#include "models/dynamic_ffd/embedding.h"
#include "models/dynamic_ffd/material_energy.h"

namespace pliant::dynamic_ffd {

inline Material MaterialOfLaw(ElasticLaw law) {
  Material material;
  material.density = 1200.0;
  material.youngs_modulus = 3.0e4;
  material.poisson_ratio = 0.35;
  material.law = law;
  material.stiffness_damping = 0.02;
  return material;
}

inline ModeTable AllDisplacements(const std::array<int, 3>& degree, int dimension) {
  ModeTable table;
  table.lattices.front().bases = BernsteinBases(degree);
  const int points = (degree[0] + 1) * (degree[1] + 1) * (degree[2] + 1);
  for (int p = 0; p < points; ++p) {
    for (int axis = 0; axis < dimension; ++axis) {
      DeformationMode mode{"", Eigen::Matrix3Xd::Zero(3, points)};
      mode.displacements(axis, p) = 1.0;
      table.modes.push_back(mode);
    }
  }
  return table;
}

// A body in all displacements of its lattice.
struct Held {
  Held(Body of, const Material& material, const std::array<int, 3>& degree, int dimension = 3)
      : body(std::move(of)), table(AllDisplacements(degree, dimension)), dimension(dimension) {
    body.material = material;
    const int modes = static_cast<int>(table.modes.size());
    at = QuadratureOf(body, dimension, table, modes);
    const auto lattices = EmbedLattices(body, table, at.places);
    Eigen::MatrixXd gradients(9 * at.places.cols(), modes);
    for (int k = 0; k < modes; ++k) gradients.col(k) = GradientsAt(at.places, table, lattices, k);
    energy = std::make_unique<MaterialEnergy>(material, dimension == 2, at.volumes, gradients);
    lattice = std::make_unique<Lattice>(lattices.front().lattice);
  }
  // Amplitudes of x = map X.
  Eigen::VectorXd Affine(const Eigen::Matrix3d& map) const {
    const Eigen::Matrix3Xd moved = (map - Eigen::Matrix3d::Identity()) * lattice->ControlPoints();
    const Eigen::Vector3d unit = lattice->extent();
    Eigen::VectorXd gamma(energy->modes());
    for (int k = 0; k < gamma.size(); ++k) {
      gamma[k] = moved(k % dimension, k / dimension) / unit[k % dimension];
    }
    return gamma;
  }
  Body body;
  ModeTable table;
  int dimension;
  BodyQuadrature at;
  std::unique_ptr<MaterialEnergy> energy;
  std::unique_ptr<Lattice> lattice;
};

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_TESTS_MODELS_DYNAMIC_FFD_HELD_LATTICE_H_
