// The strain energy of a material in the coordinates of modes: derivatives against differences, values
// against the law at homogeneous deformation, and invariance under rigid motion.

#include "models/dynamic_ffd/material_energy.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "models/scene/shapes.h"
#include "tests/models/dynamic_ffd/held_lattice.h"
#include "tests/random_numbers.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

Body Block() { return MakeBlock("block", {2.0, 0.6, 0.8}, {3, 2, 2}, 1.0); }

// A triangulated rectangle of 0.9 m × 0.5 m.
Body Plate() {
  Body plate = MakeSheet("plate", {0.9, 0.5}, {5, 3}, 1.0);
  return plate;
}

Material Thick(ElasticLaw law, bool strain = false) {
  Material material = MaterialOfLaw(law);
  material.thickness = 0.07;
  material.plane_strain = strain;
  return material;
}

std::vector<Held> Subjects(ElasticLaw law) {
  std::vector<Held> subjects;
  subjects.emplace_back(Block(), MaterialOfLaw(law), std::array{1, 2, 1});
  subjects.emplace_back(Plate(), Thick(law), std::array{2, 1, 0}, 2);
  subjects.emplace_back(Plate(), Thick(law, true), std::array{2, 1, 0}, 2);
  return subjects;
}

class EveryLaw : public testing::TestWithParam<ElasticLaw> {};

// Central differences along any direction at three steps: what they differ by is of second order in the
// step, and nothing for the linear law, whose energy is quadratic.
TEST_P(EveryLaw, ForcesAreMinusTheGradientAndTheHessianIsTheirs) {
  RandomNumbers random(7);
  for (const Held& held : Subjects(GetParam())) {
    const MaterialEnergy& energy = *held.energy;
    const int D = energy.modes();
    const auto forces = [&](const VectorXd& gamma) {
      VectorXd Q = VectorXd::Zero(D);
      EXPECT_EQ(energy.AddForces(gamma, VectorXd::Zero(D), Q), 0.0);
      return Q;
    };
    const VectorXd gamma = 0.04 * random.Vector(D), along = random.Vector(D);
    const VectorXd Q = forces(gamma);
    const MatrixXd hessian = energy.Hessian(gamma);
    EXPECT_LT((hessian - hessian.transpose()).norm(), 1e-13 * hessian.norm());
    std::array<double, 3> of_energy, of_forces;  // relative
    for (int level = 0; level < 3; ++level) {
      const double h = 4e-3 * std::pow(0.5, level);
      const VectorXd after = gamma + h * along, before = gamma - h * along;
      const double slope = (energy.Energy(after) - energy.Energy(before)) / (2.0 * h);
      of_energy[level] = std::abs(slope + Q.dot(along)) / std::abs(slope);
      const VectorXd change = (forces(after) - forces(before)) / (2.0 * h);
      of_forces[level] = (change + hessian * along).norm() / change.norm();
    }
    for (const auto& error : {of_energy, of_forces}) {
      EXPECT_LT(error[2], 1e-3);
      for (int finer = 1; finer < 3; ++finer) {
        if (GetParam() == ElasticLaw::kLinear) {
          EXPECT_LT(error[finer], 1e-11);
        } else {
          EXPECT_NEAR(std::log2(error[finer - 1] / error[finer]), 2.0, 0.05);
        }
      }
    }
  }
}

TEST_P(EveryLaw, HomogeneousDeformationHasTheEnergyOfTheLawTimesTheVolume) {
  Matrix3d map;
  map << 1.12, 0.05, 0.02, -0.03, 0.94, 0.04, 0.01, -0.06, 1.07;
  for (const Held& held : Subjects(GetParam())) {
    const bool planar = held.dimension == 2;
    Matrix3d F = map;
    if (planar) {
      F.row(2).setZero();
      F.col(2).setZero();
      F(2, 2) = 1.0;
    }
    const elasticity::Law law(*held.body.material, planar);
    Matrix3d C = F.transpose() * F;
    if (law.linear()) C = F + F.transpose() - Matrix3d::Identity();
    const double volume = planar ? 0.9 * 0.5 * 0.07 : 2.0 * 0.6 * 0.8;
    EXPECT_NEAR(held.energy->volume(), volume, 1e-12 * volume);
    const double expected = volume * law.Energy(C, 1.0);
    EXPECT_NEAR(held.energy->Energy(held.Affine(F)), expected, 1e-10 * expected);
    const Eigen::Matrix2d in_plane = F.topLeftCorner<2, 2>();
    EXPECT_NEAR(held.energy->SmallestDeterminant(held.Affine(F)),
                planar ? in_plane.determinant() : F.determinant(), 1e-12);
  }
}

TEST_P(EveryLaw, TurningTheShapeWithinItsLatticeCostsNothingButForTheLinearLaw) {
  for (const Held& held : Subjects(GetParam())) {
    const Matrix3d turn = Eigen::AngleAxisd(0.7, Vector3d::UnitZ()).toRotationMatrix();
    const Matrix3d stretch = Vector3d(1.1, 0.95, 1.0).asDiagonal();
    const double turned = held.energy->Energy(held.Affine(turn * stretch));
    const double straight = held.energy->Energy(held.Affine(stretch));
    if (GetParam() == ElasticLaw::kLinear) {
      EXPECT_GT(turned, 1.5 * straight);
    } else {
      EXPECT_NEAR(turned, straight, 1e-9 * straight);
    }
  }
}

TEST_P(EveryLaw, ViscosityLosesThePowerOfItsForcesAndResistsNoRotation) {
  if (GetParam() == ElasticLaw::kLinear) GTEST_SKIP() << "its strain is not objective";
  RandomNumbers random(11);
  for (const Held& held : Subjects(GetParam())) {
    const MaterialEnergy& energy = *held.energy;
    const int D = energy.modes();
    const VectorXd gamma = 0.04 * random.Vector(D), rate = random.Vector(D),
                   other = random.Vector(D);
    VectorXd elastic = VectorXd::Zero(D), all = VectorXd::Zero(D);
    energy.AddForces(gamma, VectorXd::Zero(D), elastic);
    const double power = energy.AddForces(gamma, rate, all);
    const VectorXd viscous = all - elastic;
    EXPECT_LT(power, 0.0);
    EXPECT_NEAR(viscous.dot(rate), power, 1e-10 * std::abs(power));
    EXPECT_NEAR(viscous.dot(other), energy.ViscousPower(gamma, rate, other), 1e-9 * all.norm());
    EXPECT_LT((viscous + energy.Viscosity(gamma) * rate).norm(), 1e-9 * viscous.norm());

    // The rate of x = map X turning about z.
    Matrix3d map;
    map << 1.1, 0.05, 0.0, -0.03, 0.9, 0.0, 0.0, 0.0, 1.0;
    const Matrix3d spin = (Matrix3d() << 0, -2, 0, 2, 0, 0, 0, 0, 0).finished();
    const VectorXd turning = held.Affine(spin * map + Matrix3d::Identity());
    VectorXd still = VectorXd::Zero(D), spinning = VectorXd::Zero(D);
    energy.AddForces(held.Affine(map), VectorXd::Zero(D), still);
    EXPECT_NEAR(energy.AddForces(held.Affine(map), turning, spinning), 0.0, 1e-9 * still.norm());
    EXPECT_LT((spinning - still).norm(), 1e-10 * still.norm());
  }
}

INSTANTIATE_TEST_SUITE_P(Laws, EveryLaw,
                         testing::Values(ElasticLaw::kLinear, ElasticLaw::kStVenantKirchhoff,
                                         ElasticLaw::kCorotated, ElasticLaw::kNeoHookeanLog,
                                         ElasticLaw::kNeoHookeanStable),
                         [](const auto& law) {
                           std::string name = elasticity::NameOf(law.param);
                           std::erase(name, '-');
                           return name;
                         });

// L²/12 along each side of a block about its middle, mapped where the block is sheared: cells that do not
// fill their box.
TEST(BodyQuadrature, OfCellsAndOfABoxIntegrateSecondMoments) {
  const ModeTable table = AllDisplacements({3, 2, 2}, 3);
  Matrix3d shear = Matrix3d::Identity();
  for (const double slope : {0.0, 0.3}) {
    shear(0, 1) = slope;
    Body cells = Block();
    cells.hexahedra = Hexahedra(cells);
    cells.shape = ShapeKind::kMesh;
    cells.rest = shear * cells.rest;
    cells.material = MaterialOfLaw(ElasticLaw::kCorotated);
    const BodyQuadrature at = QuadratureOf(cells, 3, table, 20);
    const Vector3d centre = at.places * at.volumes / at.volumes.sum();
    EXPECT_LT((centre - cells.rest.rowwise().mean()).norm(), 1e-12);
    const Eigen::Matrix3Xd arms = at.places.colwise() - centre;
    const Matrix3d second = arms * at.volumes.asDiagonal() * arms.transpose() / at.volumes.sum();
    const Matrix3d of_block = Vector3d(4.0 / 12.0, 0.36 / 12.0, 0.64 / 12.0).asDiagonal();
    EXPECT_LT((second - shear * of_block * shear.transpose()).norm(), 1e-12);
    // 4 × 3 × 3 Gauss points where it is its box.
    EXPECT_EQ(at.volumes.size() == 36, slope == 0.0);
  }
}

// Triangles of a rectangle are its box: what they sample has no error of a rule of low order.
TEST(BodyQuadrature, OfARectangleHasTheGaussPointsOfItsBox) {
  Body plate = Plate();
  plate.material = Thick(ElasticLaw::kCorotated);
  const ModeTable table = AllDisplacements({4, 3, 0}, 2);
  const BodyQuadrature at = QuadratureOf(plate, 2, table, 40);
  ASSERT_EQ(at.volumes.size(), 20);
  const double eighth = at.volumes.dot(at.places.row(0).array().pow(8).matrix());
  EXPECT_NEAR(eighth, 0.5 * 0.07 * 2.0 * std::pow(0.45, 9) / 9.0, 1e-15);
}

// Modes of high degree on one cell of four corners need more places than one tetrahedron samples.
TEST(BodyQuadrature, IsDividedUntilItSamplesEnoughStrains) {
  Body cell;
  cell.name = "cell";
  cell.shape = ShapeKind::kMesh;
  cell.rest.resize(3, 4);
  cell.rest << 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1;
  cell.mass = VectorXd::Ones(4);
  cell.tetrahedra = {{0, 1, 2, 3}};
  cell.material = MaterialOfLaw(ElasticLaw::kCorotated);
  const ModeTable table = AllDisplacements({2, 2, 2}, 3);
  const BodyQuadrature at = QuadratureOf(cell, 3, table, static_cast<int>(table.modes.size()));
  EXPECT_GE(6 * at.volumes.size(), 2 * 81);
  EXPECT_NEAR(at.volumes.sum(), 1.0 / 6.0, 1e-13);
}

}  // namespace
}  // namespace pliant::dynamic_ffd
