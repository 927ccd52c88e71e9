// In all displacements of a lattice a body is one element of the order of the lattice: its static
// deflection and its lowest frequencies are those of finite elements as the order rises.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "models/finite_elements/solid_part.h"
#include "models/geometry/spectrum.h"
#include "models/scene/shapes.h"
#include "tests/models/dynamic_ffd/held_lattice.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using finite_elements::ElasticPart;

constexpr double kDensity = 1000.0, kThickness = 0.1;

// A profile of 1 m × 0.25 m in plane stress.
Body Bar() {
  Body bar = MakeSheet("bar", {1.0, 0.25}, {9, 3}, 1.0);
  bar.shape = ShapeKind::kProfile;
  bar.material = Material{.density = kDensity,
                          .youngs_modulus = 2e6,
                          .poisson_ratio = 0.3,
                          .law = ElasticLaw::kStVenantKirchhoff,
                          .thickness = kThickness};
  bar.mass = kDensity * VolumeShares(bar, kThickness);
  return bar;
}

// Finite elements of the bar, in unknowns 2 node + axis.
struct Elements {
  explicit Elements(int refinement)
      : part(finite_elements::MakeSolidPart(
            finite_elements::MeshOfCells(Bar().rest, Bar().faces, refinement),
            elasticity::Law(*Bar().material, true), kDensity, kThickness)) {}
  int unknowns() const { return 2 * part->node_count(); }
  // Adds ∂E/∂q and ∂²E/∂q² at displacements u.
  void AddForces(const VectorXd& u, VectorXd* gradient, MatrixXd* tangent) const {
    for (int e = 0; e < part->element_count(); ++e) {
      const auto nodes = part->nodes(e);
      const auto count = static_cast<Eigen::Index>(nodes.size());
      Matrix3Xd x(3, count), g = Matrix3Xd::Zero(3, count);
      MatrixXd k = MatrixXd::Zero(3 * count, 3 * count);
      for (Eigen::Index i = 0; i < count; ++i) {
        x.col(i) = part->rest().col(nodes[i]);
        x.col(i).head<2>() += u.segment<2>(2 * nodes[i]);
      }
      part->AddGradient(e, x, g);
      part->AddTangent(e, x, k);
      for (Eigen::Index i = 0; i < count; ++i) {
        gradient->segment<2>(2 * nodes[i]) += g.col(i).head<2>();
        for (Eigen::Index j = 0; j < count; ++j) {
          tangent->block<2, 2>(2 * nodes[i], 2 * nodes[j]) += k.block<2, 2>(3 * i, 3 * j);
        }
      }
    }
  }
  MatrixXd Mass() const {
    const MatrixXd of_nodes(part->mass());
    MatrixXd mass = MatrixXd::Zero(unknowns(), unknowns());
    for (int axis = 0; axis < 2; ++axis) {
      for (int i = 0; i < of_nodes.rows(); ++i) {
        for (int j = 0; j < of_nodes.cols(); ++j) {
          mass(2 * i + axis, 2 * j + axis) = of_nodes(i, j);
        }
      }
    }
    return mass;
  }
  std::unique_ptr<ElasticPart> part;
};

// Frequencies [Hz], ascending, of K x = ω² M x.
VectorXd FrequenciesOf(const MatrixXd& K, const MatrixXd& M) {
  const Eigen::LLT<MatrixXd> factor(M);
  const MatrixXd half = factor.matrixL().solve(K);
  const VectorXd squares = EigenvaluesOf(factor.matrixL().solve(half.transpose()));
  return squares.cwiseMax(0.0).cwiseSqrt() / (2.0 * std::numbers::pi);
}

// The equilibrium of gradient(u) = load among the free unknowns.
template <typename AddForces>
VectorXd Equilibrium(const std::vector<Eigen::Index>& free, const VectorXd& load, AddForces add) {
  VectorXd u = VectorXd::Zero(load.size());
  double left = 1.0;
  for (int iteration = 0; iteration < 20 && left > 1e-11; ++iteration) {
    VectorXd gradient = -load;
    MatrixXd tangent = MatrixXd::Zero(load.size(), load.size());
    add(u, &gradient, &tangent);
    left = gradient(free).norm() / load.norm();
    u(free) -= tangent(free, free).llt().solve(gradient(free));
  }
  EXPECT_LT(left, 1e-9);
  return u;
}

// ∫ u_y dm / m of the bar clamped at x = 0 under its weight [m]: a mean, for the corners of the clamp are
// singular.
constexpr double kGravity = 4.0;
double SagOfElements(int refinement) {
  const Elements elements(refinement);
  const VectorXd share = elements.part->mass() * VectorXd::Ones(elements.part->node_count());
  VectorXd load = VectorXd::Zero(elements.unknowns());
  std::vector<Eigen::Index> free;
  const double wall = elements.part->rest().row(0).minCoeff();
  for (int i = 0; i < elements.part->node_count(); ++i) {
    load[2 * i + 1] = -kGravity * share[i];
    if (elements.part->rest()(0, i) > wall + 1e-9) free.insert(free.end(), {2 * i, 2 * i + 1});
  }
  const VectorXd u = Equilibrium(free, load, [&](const VectorXd& at, VectorXd* g, MatrixXd* k) {
    elements.AddForces(at, g, k);
  });
  return load.dot(u) / (kGravity * share.sum());
}

double SagOfLattice(int degree) {
  const Held held(Bar(), *Bar().material, {degree, degree, 0}, 2);
  const auto lattices = EmbedLattices(held.body, held.table, held.at.places);
  const int D = held.energy->modes();
  VectorXd load(D);
  std::vector<Eigen::Index> free;
  for (int k = 0; k < D; ++k) {
    const VectorXd masses = kDensity * held.at.volumes;
    load[k] =
        -kGravity * DisplacementsAt(held.at.places, held.table, lattices, k).row(1).dot(masses);
    if (k / 2 % (degree + 1) > 0) free.push_back(k);
  }
  const VectorXd gamma =
      Equilibrium(free, load, [&](const VectorXd& at, VectorXd* gradient, MatrixXd* tangent) {
        VectorXd forces = VectorXd::Zero(D);
        held.energy->AddForces(at, VectorXd::Zero(D), forces);
        *gradient -= forces;
        *tangent += held.energy->Hessian(at);
      });
  return load.dot(gamma) / (kGravity * kDensity * held.energy->volume());
}

// Extrapolated from three meshes, with the order that they show.
struct Limit {
  double value, order;
};
Limit LimitOf(const std::array<double, 3>& rungs) {
  const double ratio = (rungs[0] - rungs[1]) / (rungs[1] - rungs[2]);
  return {rungs[2] - (rungs[1] - rungs[2]) / (ratio - 1.0), std::log2(ratio)};
}

// Both sag too little. At the two corners of the clamp the stress is infinite, as r^(λ − 1) with
// sin²(λ π/2) = (κ + 1)²/(4 κ) − λ²/κ, κ = (3 − ν)/(1 + ν): λ = 0.758 at ν = 0.3. So the error of the
// sag, that of an energy, falls as h^(2λ) with the elements and as p^(−4λ) with the degree, and not
// exponentially; extrapolated by that, the degrees have the limit that the meshes have.
TEST(PElement, SagsAsFiniteElementsDo) {
  constexpr double kOrder = 4.0 * 0.758;
  const Limit limit = LimitOf({SagOfElements(1), SagOfElements(2), SagOfElements(4)});
  EXPECT_GT(limit.order, 0.5 * kOrder - 0.05);  // that of the smooth part, 4, is still in it
  EXPECT_GT(limit.value, 0.02);
  std::array<double, 7> error;
  for (int degree = 1; degree <= 6; ++degree) {
    error[degree] = 1.0 - SagOfLattice(degree) / limit.value;
    RecordProperty("error_" + std::to_string(degree), std::to_string(error[degree]));
    EXPECT_GT(error[degree], 0.0);  // too stiff
    if (degree > 1) {
      EXPECT_LT(error[degree], error[degree - 1]);
    }
  }
  EXPECT_NEAR(std::log2(error[3] / error[6]), kOrder, 0.5);
  const double shrinks = std::pow(4.0 / 6.0, kOrder);
  EXPECT_LT(std::abs(error[6] - error[4] * shrinks) / (1.0 - shrinks), 2e-3);
}

// Frequencies of the free bar. The material and the inertia of the body that the backend has built.
TEST(PElement, HasTheFrequenciesOfFiniteElements) {
  std::array<VectorXd, 3> rungs;
  for (int i = 0; i < 3; ++i) {
    const Elements elements(1 << i);
    VectorXd forces = VectorXd::Zero(elements.unknowns());
    MatrixXd K = MatrixXd::Zero(forces.size(), forces.size());
    elements.AddForces(VectorXd::Zero(forces.size()), &forces, &K);
    rungs[i] = FrequenciesOf(K, elements.Mass()).segment<3>(3);  // behind three rigid motions
  }
  Scene scene;
  scene.dimension = 2;
  scene.bodies = {Bar()};
  std::array<VectorXd, 8> found;
  for (int degree = 2; degree <= 7; ++degree) {
    MatrixTable lattice;
    lattice.scalars = {{"degree_x", degree}, {"degree_y", degree}, {"degree_z", 0}};
    ParameterValues parameters = With(lattice, "rk4");
    parameters["free_lattice"] = true;
    parameters["inertia"] = std::string("volume");
    const Translation translation = Translated(scene, parameters);
    const FfdPart& part = AsFfd(translation).system().parts()[0];
    const int D = part.body.modes();
    EXPECT_EQ(D, 2 * (degree + 1) * (degree + 1) - 3);
    const VectorXd q =
        part.body.Coordinates(Vector3d::Zero(), Eigen::Quaterniond::Identity(), VectorXd::Zero(D));
    const MatrixXd M = part.inertia->MassMatrix(q).bottomRightCorner(D, D);
    found[degree] = FrequenciesOf(part.material->Hessian(VectorXd::Zero(D)), M).head<3>();
  }
  // Two of bending, one of stretching; below degree 5 the lattice has them in another order.
  for (int n = 0; n < 3; ++n) {
    const Limit limit = LimitOf({rungs[0][n], rungs[1][n], rungs[2][n]});
    EXPECT_GT(limit.order, 3.0) << n;
    for (int degree = 3; degree <= 7; ++degree) {
      const double error = found[degree][n] / limit.value - 1.0,
                   coarser = found[degree - 1][n] / limit.value - 1.0;
      RecordProperty("error_" + std::to_string(n) + "_" + std::to_string(degree),
                     std::to_string(1e6 * error));
      EXPECT_LT(error, coarser) << n << " " << degree;
      EXPECT_GT(error, -1e-5) << n << " " << degree;  // too stiff
    }
    const auto error = [&](int degree) { return found[degree][n] / limit.value - 1.0; };
    EXPECT_LT(std::abs(error(7)), 2e-4) << n;
    // Exponential: two degrees more divide the error by more than ten.
    EXPECT_LT(error(7), 0.1 * error(5)) << n;
  }
}

}  // namespace
}  // namespace pliant::dynamic_ffd
