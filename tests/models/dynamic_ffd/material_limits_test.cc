// The material in all displacements of a lattice against closed forms: patch test, rigid motion, the bar
// in tension and the beam in pure bending.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <array>
#include <cmath>
#include <vector>

#include "models/scene/shapes.h"
#include "tests/models/dynamic_ffd/held_lattice.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kLength = 2.0, kHeight = 0.6, kWidth = 0.8, kThickness = 0.07;
constexpr std::array kObjective = {ElasticLaw::kStVenantKirchhoff, ElasticLaw::kCorotated,
                                   ElasticLaw::kNeoHookeanLog, ElasticLaw::kNeoHookeanStable};

Held Block(ElasticLaw law, const std::array<int, 3>& degree) {
  return {MakeBlock("block", {kLength, kHeight, kWidth}, {4, 3, 3}, 1.0), MaterialOfLaw(law),
          degree};
}
Held Plate(ElasticLaw law, bool plane_strain, const std::array<int, 3>& degree) {
  Material material = MaterialOfLaw(law);
  material.thickness = kThickness;
  material.plane_strain = plane_strain;
  return {MakeSheet("plate", {kLength, kHeight}, {5, 3}, 1.0), material, degree, 2};
}

// Amplitudes of a displacement field u(X) that is in the span of the modes, of X from the middle of the
// body.
template <typename Field>
VectorXd Shaped(const Held& held, Field u) {
  const auto lattices = EmbedLattices(held.body, held.table, held.at.places);
  MatrixXd shapes(3 * held.at.places.cols(), held.energy->modes());
  for (int k = 0; k < shapes.cols(); ++k) {
    shapes.col(k) = DisplacementsAt(held.at.places, held.table, lattices, k).reshaped();
  }
  const Vector3d middle =
      0.5 * (held.body.rest.rowwise().minCoeff() + held.body.rest.rowwise().maxCoeff());
  Eigen::Matrix3Xd field(3, held.at.places.cols());
  for (Eigen::Index g = 0; g < field.cols(); ++g) field.col(g) = u(held.at.places.col(g) - middle);
  const VectorXd asked = field.reshaped();
  const VectorXd gamma = shapes.completeOrthogonalDecomposition().solve(asked);
  EXPECT_LT((shapes * gamma - asked).norm(), 1e-11 * asked.norm());
  return gamma;
}

// A homogeneous deformation is an equilibrium of what is inside, and its forces have no sum.
TEST(MaterialLimits, PatchTest) {
  Matrix3d map;
  map << 1.12, 0.05, 0.02, -0.03, 0.94, 0.04, 0.01, -0.06, 1.07;
  for (const ElasticLaw law : kObjective) {
    const Held held = Block(law, {3, 3, 3});
    VectorXd forces = VectorXd::Zero(held.energy->modes());
    held.energy->AddForces(held.Affine(map), forces, forces);
    double inside = 0.0, most = forces.cwiseAbs().maxCoeff();
    Vector3d sum = Vector3d::Zero();
    for (int p = 0; p < 64; ++p) {
      const auto within = [](int i) { return i == 1 || i == 2; };
      const auto force = forces.segment<3>(3 * p);
      if (within(p % 4) && within(p / 4 % 4) && within(p / 16)) {
        inside = std::max(inside, force.cwiseAbs().maxCoeff());
      }
      sum += force;
    }
    EXPECT_GT(most, 1.0);
    EXPECT_LT(inside, 1e-12 * most);
    EXPECT_LT(sum.norm(), 1e-12 * most);
  }
}

TEST(MaterialLimits, RigidMotionHasNeitherEnergyNorForces) {
  const double volume = kLength * kHeight * kWidth;
  for (const ElasticLaw law : kObjective) {
    const Held held = Block(law, {2, 1, 1});
    for (const double angle : {1e-3, 0.7, 2.9}) {
      const VectorXd turned =
          held.Affine(Eigen::AngleAxisd(angle, Vector3d(1, 2, -3).normalized()).toRotationMatrix());
      EXPECT_LT(std::abs(held.energy->Energy(turned)), 1e-26 * 3e4 * volume);
      VectorXd forces = VectorXd::Zero(turned.size());
      held.energy->AddForces(turned, VectorXd::Zero(turned.size()), forces);
      EXPECT_LT(forces.norm(), 1e-13 * 3e4 * volume);
    }
  }
}

// Force over elongation of a bar whose ends keep their places along x and nothing else [N/m].
double TensileStiffness(const Held& held, int along) {
  const MatrixXd K = held.energy->Hessian(VectorXd::Zero(held.energy->modes()));
  const double unit = held.lattice->extent().x();
  std::vector<Eigen::Index> free, led;
  VectorXd gamma = VectorXd::Zero(K.rows());
  for (Eigen::Index k = 0; k < K.rows(); ++k) {
    const auto i = k / held.dimension % (along + 1);
    const bool at_end = k % held.dimension == 0 && (i == 0 || i == along);
    (at_end ? led : free).push_back(k);
    if (at_end && i == along) gamma[k] = 1.0 / unit;
  }
  // What slides and turns about x costs nothing: the smallest solution.
  gamma(free) = -K(free, free).completeOrthogonalDecomposition().solve(K(free, led) * gamma(led));
  return gamma.dot(K * gamma);
}

TEST(MaterialLimits, BarInTensionHasYoungsModulusTimesAreaOverLength) {
  const double E = 3e4, nu = 0.35;
  for (const ElasticLaw law :
       {ElasticLaw::kLinear, ElasticLaw::kStVenantKirchhoff, ElasticLaw::kCorotated,
        ElasticLaw::kNeoHookeanLog, ElasticLaw::kNeoHookeanStable}) {
    const double bar = E * kHeight * kWidth / kLength, strip = E * kHeight * kThickness / kLength;
    for (const int degree : {1, 2, 3}) {
      EXPECT_NEAR(TensileStiffness(Block(law, {degree, 1, 2}), degree), bar, 1e-9 * bar);
      EXPECT_NEAR(TensileStiffness(Plate(law, false, {degree, 2, 0}), degree), strip, 1e-9 * strip);
      const double wide = strip / (1.0 - nu * nu);
      EXPECT_NEAR(TensileStiffness(Plate(law, true, {degree, 1, 0}), degree), wide, 1e-9 * wide);
    }
  }
}

// ½ E I κ² L: Saint-Venant's bend with the anticlastic curvature of its sections is quadratic, so that a
// lattice of degree 2 has it. Objective laws differ from it by the square of the strain.
TEST(MaterialLimits, BeamInPureBendingHasTheEnergyOfTheory) {
  const double E = 3e4, nu = 0.35;
  const auto bend = [nu](double curvature) {
    return [=](const Vector3d& X) {
      return Vector3d(curvature * X.x() * X.y(),
                      -0.5 * curvature * (X.x() * X.x() + nu * (X.y() * X.y() - X.z() * X.z())),
                      -nu * curvature * X.y() * X.z());
    };
  };
  const double second = kWidth * std::pow(kHeight, 3) / 12.0;
  const auto excess = [&](const Held& held, double moment, double curvature) {
    const double expected = 0.5 * E * moment * curvature * curvature * kLength;
    return held.energy->Energy(Shaped(held, bend(curvature))) / expected - 1.0;
  };
  EXPECT_LT(std::abs(excess(Block(ElasticLaw::kLinear, {2, 2, 2}), second, 0.1)), 1e-11);
  const double planar = kThickness * std::pow(kHeight, 3) / 12.0;
  EXPECT_LT(std::abs(excess(Plate(ElasticLaw::kLinear, false, {2, 2, 0}), planar, 0.1)), 1e-11);
  for (const ElasticLaw law : kObjective) {
    const Held block = Block(law, {2, 2, 2});
    const std::array error = {excess(block, second, 4e-3), excess(block, second, 2e-3),
                              excess(block, second, 1e-3)};
    EXPECT_LT(std::abs(error[2]), 1e-4);
    EXPECT_NEAR(std::log2(error[0] / error[1]), 2.0, 0.05);
    EXPECT_NEAR(std::log2(error[1] / error[2]), 2.0, 0.05);
  }
}

}  // namespace
}  // namespace pliant::dynamic_ffd
