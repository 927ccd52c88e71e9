// Stress of cells against closed forms that the laws of this program do not enter.

#include "models/elasticity/cell_stress.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>
#include <limits>

namespace pliant::elasticity {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

constexpr double kYoung = 2e4, kPoisson = 0.3;
constexpr double kShear = kYoung / (2.0 * (1.0 + kPoisson)),
                 kLame = kYoung * kPoisson / ((1.0 + kPoisson) * (1.0 - 2.0 * kPoisson));

// A tetrahedron beside a cube, both in general position.
Body TwoCells(ElasticLaw law) {
  Body body;
  body.rest.resize(3, 12);
  for (int a = 0; a < 8; ++a) body.rest.col(a) = Vector3d(a & 1, a >> 1 & 1, a >> 2);
  body.rest.rightCols(4) << 3.0, 4.2, 3.1, 3.3, 0.0, 0.1, 1.4, 0.2, 0.0, 0.3, 0.1, 0.9;
  body.tetrahedra = {{8, 9, 10, 11}};
  body.hexahedra = {{0, 1, 2, 3, 4, 5, 6, 7}};
  body.material =
      Material{.density = 1.0, .youngs_modulus = kYoung, .poisson_ratio = kPoisson, .law = law};
  return body;
}

Matrix3d Deformation() {
  Matrix3d A;
  A << 1.2, 0.1, -0.05, 0.02, 0.9, 0.15, 0.0, -0.1, 1.1;
  return Eigen::AngleAxisd(0.7, Vector3d(1, 2, -1).normalized()).toRotationMatrix() * A;
}

Matrix3d TensorOfSix(const Eigen::VectorXd& s) {
  Matrix3d tensor;
  tensor << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  return tensor;
}

void ExpectStress(ElasticLaw law, const Matrix3d& expected) {
  const Body body = TwoCells(law);
  const std::vector<BodyCell> cells = CellsOf(body);
  ASSERT_EQ(cells.size(), 2u);
  ASSERT_TRUE(HasCellStress(body, cells));
  const Matrix3Xd x = (Deformation() * body.rest).colwise() + Vector3d(5.0, -3.0, 1.0);
  const Eigen::MatrixXd stresses = CellStresses(body, cells, x);
  for (Eigen::Index i = 0; i < 2; ++i) {
    EXPECT_LT((TensorOfSix(stresses.col(i)) - expected).norm(), 1e-11 * kYoung) << stresses.col(i);
  }
}

TEST(CellStress, IsThatOfTheLaw) {
  const Matrix3d F = Deformation(), one = Matrix3d::Identity();
  const double J = F.determinant();
  const Matrix3d E = 0.5 * (F.transpose() * F - one);
  ExpectStress(ElasticLaw::kStVenantKirchhoff,
               F * (kLame * E.trace() * one + 2.0 * kShear * E) * F.transpose() / J);
  ExpectStress(ElasticLaw::kNeoHookeanLog,
               (kShear * (F * F.transpose() - one) + kLame * std::log(J) * one) / J);
  const Matrix3d small = 0.5 * (F + F.transpose()) - one;
  ExpectStress(ElasticLaw::kLinear, kLame * small.trace() * one + 2.0 * kShear * small);
}

TEST(CellStress, VonMisesOfUniaxialStressIsThatStressAndOfPressureNothing) {
  Eigen::MatrixXd stresses(6, 3);
  stresses.col(0) << 0.0, -7.0, 0.0, 0.0, 0.0, 0.0;
  stresses.col(1) << 5.0, 5.0, 5.0, 0.0, 0.0, 0.0;
  stresses.col(2) << 0.0, 0.0, 0.0, 0.0, 2.0, 0.0;  // simple shear: √3 τ
  const Eigen::MatrixXd equivalent = VonMises(stresses);
  EXPECT_NEAR(equivalent(0, 0), 7.0, 1e-14);
  EXPECT_NEAR(equivalent(0, 1), 0.0, 1e-14);
  EXPECT_NEAR(equivalent(0, 2), 2.0 * std::sqrt(3.0), 1e-14);
}

TEST(CellStress, OnlySolidsWithAMaterialHaveIt) {
  Body body = TwoCells(ElasticLaw::kLinear);
  body.material.reset();
  EXPECT_FALSE(HasCellStress(body, CellsOf(body)));
  body = TwoCells(ElasticLaw::kLinear);
  body.rigid = true;  // what keeps it rigid is no stress of its material
  EXPECT_FALSE(HasCellStress(body, CellsOf(body)));
  body = TwoCells(ElasticLaw::kLinear);
  body.tetrahedra.clear();
  body.hexahedra.clear();
  EXPECT_FALSE(HasCellStress(body, CellsOf(body)));
  body.faces = {{0, 1, 2}};
  EXPECT_FALSE(HasCellStress(body, CellsOf(body)));
}

}  // namespace
}  // namespace pliant::elasticity
