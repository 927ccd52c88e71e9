#include "models/dynamic_ffd/strain_energy.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "models/dynamic_ffd/mode_shapes.h"
#include "tests/models/dynamic_ffd/subjects.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;

const Vector3d kBarExtent(2.0, 0.5, 0.8);
constexpr double kVolume = 2.0 * 0.5 * 0.8;
const ElasticMaterial kMaterial{2e5, 0.3};
const double kMu = 2e5 / 2.6, kLambda = 2e5 * 0.3 / (1.3 * 0.4);
const double kPlaneLambda = 2e5 * 0.3 / (1.0 - 0.09);  // plane stress

Matrix3Xd Of(ModeShapeKind kind, const Lattice& lattice, double amount,
             const Vector3d& axis = Vector3d::UnitX()) {
  const Vector3d toward = axis == Vector3d::UnitX() ? Vector3d::UnitY() : Vector3d::UnitX();
  return ShapeDisplacements({kind, axis, toward, amount}, lattice);
}

std::vector<Lattice> Lattices() {
  return {Lattice({2, 2, 2}, {1, 2, 3}, kBarExtent), Lattice({4, 3, 2}, {0, 0, 0}, kBarExtent),
          Lattice({LatticeBasis::CubicBSpline(7), LatticeBasis::CubicBSpline(4),
                   LatticeBasis::Bernstein(3)},
                  {0, 0, 0}, kBarExtent)};
}

double EnergyOf(int dimension, const Lattice& lattice, const Matrix3Xd& displacements) {
  return 0.5 * StrainEnergyHessian(dimension, lattice, {displacements}, kMaterial, kVolume)(0, 0);
}

TEST(StrainEnergy, OfUniformStretchAndShearOfABoxIsTheClosedForm) {
  constexpr double a = 0.02;
  for (const Lattice& lattice : Lattices()) {
    const Matrix3Xd stretch = Of(ModeShapeKind::kStretch, lattice, a);
    const Matrix3Xd shear = Of(ModeShapeKind::kShear, lattice, a);
    // ε_xx = a: ½ (λ + 2μ) a². γ_xy = a: ½ μ a².
    EXPECT_NEAR(EnergyOf(3, lattice, stretch), 0.5 * (kLambda + 2 * kMu) * a * a * kVolume, 1e-9);
    EXPECT_NEAR(EnergyOf(3, lattice, shear), 0.5 * kMu * a * a * kVolume, 1e-9);
    // Plane stress: ½ E/(1 − ν²) a².
    EXPECT_NEAR(EnergyOf(2, lattice, stretch), 0.5 * 2e5 / 0.91 * a * a * kVolume, 1e-9);
    EXPECT_NEAR(EnergyOf(2, lattice, shear), 0.5 * kMu * a * a * kVolume, 1e-9);
  }
}

TEST(StrainEnergy, CouplesStretchesByPoissonsRatio) {
  for (const Lattice& lattice : Lattices()) {
    const std::vector<Matrix3Xd> modes = {
        Of(ModeShapeKind::kStretch, lattice, 1.0),
        Of(ModeShapeKind::kStretch, lattice, 1.0, Vector3d::UnitY())};
    const MatrixXd space = StrainEnergyHessian(3, lattice, modes, kMaterial, kVolume);
    EXPECT_NEAR(space(0, 1), kLambda * kVolume, 1e-9 * kLambda);
    EXPECT_EQ(space(0, 1), space(1, 0));
    const MatrixXd plane = StrainEnergyHessian(2, lattice, modes, kMaterial, kVolume);
    EXPECT_NEAR(plane(0, 1), kPlaneLambda * kVolume, 1e-9 * kPlaneLambda);
  }
}

TEST(StrainEnergy, OfABendIsThatOfABeamInThePlane) {
  // Ends turn by a: curvature a/h, ε_xx = −a y/h. With ε_yy = 0 the energy is ½ (λ′+2μ) ε_xx².
  constexpr double a = 0.1;
  for (const Lattice& lattice : Lattices()) {
    const double h = 0.5 * kBarExtent.x(), mean_y2 = kBarExtent.y() * kBarExtent.y() / 12.0;
    const double expected =
        0.5 * (kPlaneLambda + 2.0 * kMu) * (a / h) * (a / h) * mean_y2 * kVolume;
    EXPECT_NEAR(EnergyOf(2, lattice, Of(ModeShapeKind::kBend, lattice, a)), expected,
                1e-10 * expected);
  }
}

TEST(StrainEnergy, OfATwistIsThatOfASquareBarWithoutWarping) {
  // u = a/h x (0, −z, y): γ_xy = −a z/h, γ_xz = a y/h.
  constexpr double a = 0.1;
  for (const Lattice& lattice : Lattices()) {
    const double h = 0.5 * kBarExtent.x();
    const double polar = (kBarExtent.y() * kBarExtent.y() + kBarExtent.z() * kBarExtent.z()) / 12.0;
    const double expected = 0.5 * kMu * (a / h) * (a / h) * polar * kVolume;
    EXPECT_NEAR(EnergyOf(3, lattice, Of(ModeShapeKind::kTwist, lattice, a)), expected,
                1e-10 * expected);
  }
}

TEST(StrainEnergy, OfRigidMotionIsNothingAndOfAnythingElseIsNotNegative) {
  RandomNumbers random(3);
  const Lattice lattice({3, 2, 2}, {0, 0, 0}, kBarExtent);
  Matrix3Xd turn(3, lattice.size()), shift = Matrix3Xd::Ones(3, lattice.size());
  const Matrix3Xd points = lattice.ControlPoints();
  for (int p = 0; p < lattice.size(); ++p) turn.col(p) << -points(1, p), points(0, p), 0.0;
  EXPECT_NEAR(EnergyOf(3, lattice, turn), 0.0, 1e-9);
  EXPECT_NEAR(EnergyOf(3, lattice, shift), 0.0, 1e-9);
  std::vector<Matrix3Xd> modes;
  for (int k = 0; k < 6; ++k) modes.push_back(random.Matrix(3, lattice.size()));
  const MatrixXd hessian = StrainEnergyHessian(3, lattice, modes, kMaterial, kVolume);
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<MatrixXd>(hessian).eigenvalues()[0], 0.0);
}

TEST(StrainEnergy, InAnExtendedLatticeIsOfTheDeformationAndNotOfTheLattice) {
  // A uniform stretch has the same strain wherever the control points are.
  const Lattice box({3, 2, 1}, {0, 0, 0}, kBarExtent);
  Matrix3Xd points = box.ControlPoints();
  points.row(1) += 0.1 * points.row(0).cwiseAbs2();
  const Lattice bent = box.Extended(points);
  EXPECT_NEAR(EnergyOf(3, bent, Of(ModeShapeKind::kStretch, bent, 0.02)),
              0.5 * (kLambda + 2 * kMu) * 4e-4 * kVolume, 1e-9);
}

}  // namespace
}  // namespace pliant::dynamic_ffd
