#include "models/dynamic_ffd/strain_energy.h"

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <vector>

#include "models/geometry/quadrature.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Exact for the products of two derivatives of the functions of a basis, span by span.
QuadratureRule QuadratureFor(const LatticeBasis& basis) {
  const int spans = basis.kind() == BasisKind::kBSpline ? basis.size() - basis.degree() : 1;
  const QuadratureRule one = GaussLegendre(basis.degree() + 1);
  const auto n = one.nodes.size();
  QuadratureRule all{VectorXd(spans * n), VectorXd(spans * n)};
  for (int span = 0; span < spans; ++span) {
    all.nodes.segment(span * n, n) = (one.nodes.array() + span) / spans;
    all.weights.segment(span * n, n) = one.weights / spans;
  }
  return all;
}

}  // namespace

MatrixXd StrainEnergyHessian(int dimension, const Lattice& lattice,
                             const std::vector<Eigen::Matrix3Xd>& displacements,
                             const ElasticMaterial& material, double volume) {
  const double E = material.youngs_modulus, nu = material.poisson_ratio;
  const double mu = 0.5 * E / (1.0 + nu);
  const double lambda =
      dimension == 2 ? E * nu / (1.0 - nu * nu) : E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
  const auto modes = static_cast<int>(displacements.size());
  MatrixXd hessian = MatrixXd::Zero(modes, modes);
  double box = 0.0;  // volume of the lattice
  std::vector<Matrix3d> strains(modes);
  const std::array<QuadratureRule, 3> along = {QuadratureFor(lattice.bases()[0]),
                                               QuadratureFor(lattice.bases()[1]),
                                               QuadratureFor(lattice.bases()[2])};
  for (int c = 0; c < along[2].nodes.size(); ++c) {
    for (int b = 0; b < along[1].nodes.size(); ++b) {
      for (int a = 0; a < along[0].nodes.size(); ++a) {
        const Vector3d local(along[0].nodes[a], along[1].nodes[b], along[2].nodes[c]);
        const Matrix3d jacobian = lattice.JacobianAt(local);
        const Eigen::MatrixX3d gradients = lattice.WeightGradientsAt(local) * jacobian.inverse();
        const double weight = along[0].weights[a] * along[1].weights[b] * along[2].weights[c] *
                              std::abs(jacobian.determinant());
        box += weight;
        for (int k = 0; k < modes; ++k) {
          Matrix3d gradient = displacements[k] * gradients;
          if (dimension == 2) {
            gradient.row(2).setZero();
            gradient.col(2).setZero();
          }
          strains[k] = 0.5 * (gradient + gradient.transpose());
        }
        for (int k = 0; k < modes; ++k) {
          for (int l = 0; l <= k; ++l) {
            hessian(k, l) += weight * (lambda * strains[k].trace() * strains[l].trace() +
                                       2.0 * mu * strains[k].cwiseProduct(strains[l]).sum());
          }
        }
      }
    }
  }
  return (volume / box * hessian).selfadjointView<Eigen::Lower>();
}

}  // namespace pliant::dynamic_ffd
