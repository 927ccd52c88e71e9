#include "models/scene/body_strain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "models/scene/shapes.h"

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;

Matrix3d TensorOf(const Eigen::VectorXd& six) {
  Matrix3d tensor;
  tensor << six[0], six[3], six[5], six[3], six[1], six[4], six[5], six[4], six[2];
  return tensor;
}

Matrix3d SomeDeformation() {
  Matrix3d a;
  a << 1.2, 0.3, -0.1, 0.05, 0.9, 0.2, -0.3, 0.1, 1.1;
  return a;
}

// A block whose corners are tetrahedra: five of them to a cube.
Body Tetrahedra() {
  Body body = MakeBlock("tetrahedra", {1.0, 2.0, 0.5}, {2, 2, 2}, 1.0);
  body.shape = ShapeKind::kMesh;
  body.tetrahedra = {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 1, 4, 7}, {6, 4, 2, 7}, {1, 2, 4, 7}};
  return body;
}

TEST(BodyStrain, OfALinearMotionIsExactInSolids) {
  const Matrix3d a = SomeDeformation();
  const Matrix3d expected = 0.5 * (a.transpose() * a - Matrix3d::Identity());
  for (const Body& body : {MakeBlock("block", {1.0, 2.0, 0.5}, {3, 4, 2}, 1.0), Tetrahedra()}) {
    const Matrix3Xd x = (a * body.rest).colwise() + Vector3d(3.0, -2.0, 1.0);
    const std::vector<BodyCell> cells = CellsOf(body);
    EXPECT_EQ(cells.size(), body.tetrahedra.empty() ? 6u : 5u);
    const MatrixXd strains = CellStrains(body, cells, x);
    for (const auto& strain : strains.colwise()) {
      EXPECT_LT((TensorOf(strain) - expected).norm(), 1e-14);
    }
    const MatrixXd at_points = PointStrains(body, cells, strains);
    ASSERT_EQ(at_points.cols(), body.size());
    for (const auto& strain : at_points.colwise()) {
      EXPECT_LT((TensorOf(strain) - expected).norm(), 1e-14);
    }
  }
}

TEST(BodyStrain, OfASurfaceAndALineIsThePartAlongThem) {
  const Matrix3d a = SomeDeformation();
  const Matrix3d full = 0.5 * (a.transpose() * a - Matrix3d::Identity());
  const Body sheet = MakeSheet("sheet", {2.0, 1.0}, {3, 5}, 1.0);
  const std::vector<BodyCell> cells = CellsOf(sheet);
  EXPECT_EQ(cells.size(), sheet.faces.size());
  const Matrix3d on_sheet = Vector3d(1.0, 1.0, 0.0).asDiagonal();
  const MatrixXd on_cells = CellStrains(sheet, cells, a * sheet.rest);
  for (const auto& strain : on_cells.colwise()) {
    EXPECT_LT((TensorOf(strain) - on_sheet * full * on_sheet).norm(), 1e-14);
  }
  const Body chain = MakeChain("chain", {0.0, 0.0, 0.0}, {0.6, 0.8, 0.0}, 4, 1.0);
  const Vector3d t = Vector3d(0.6, 0.8, 0.0);
  const MatrixXd strains = CellStrains(chain, CellsOf(chain), a * chain.rest);
  EXPECT_EQ(strains.cols(), 3);
  for (const auto& strain : strains.colwise()) {
    EXPECT_LT((TensorOf(strain) - t.dot(full * t) * t * t.transpose()).norm(), 1e-14);
  }
}

// Simple shear x = X + γ Y: E_xy = γ/2, E_yy = γ²/2, the textbook's.
TEST(BodyStrain, OfSimpleShearIsTheTextbooks) {
  const Body block = MakeBlock("block", {1.0, 1.0, 1.0}, {2, 2, 2}, 1.0);
  Matrix3Xd x = block.rest;
  x.row(0) += 0.4 * block.rest.row(1);
  const MatrixXd strain = CellStrains(block, CellsOf(block), x);
  EXPECT_LT((strain.col(0) - (Eigen::VectorXd(6) << 0, 0.08, 0, 0.2, 0, 0).finished()).norm(),
            1e-15);
}

TEST(BodyStrain, OfARotationIsZero) {
  const Matrix3d turn = Eigen::AngleAxisd(1.1, Vector3d(1, 2, -1).normalized()).toRotationMatrix();
  for (const Body& body : {MakeBlock("block", {1.0, 2.0, 0.5}, {2, 3, 2}, 1.0),
                           MakeSheet("sheet", {2.0, 1.0}, {3, 3}, 1.0)}) {
    EXPECT_LT(CellStrains(body, CellsOf(body), turn * body.rest).cwiseAbs().maxCoeff(), 1e-14);
  }
}

// Two cells of different size: the point between them has the mean by size.
TEST(BodyStrain, AtAPointIsTheMeanOfItsCellsBySize) {
  Body chain = MakeChain("chain", {0.0, 0.0, 0.0}, {3.0, 0.0, 0.0}, 3, 1.0);
  chain.rest.col(1) = Vector3d(1.0, 0.0, 0.0);
  Matrix3Xd x = chain.rest;
  x.col(2).x() = 5.0;  // the second edge is twice as long: E = (4 − 1)/2
  const std::vector<BodyCell> cells = CellsOf(chain);
  const MatrixXd at_points = PointStrains(chain, cells, CellStrains(chain, cells, x));
  EXPECT_DOUBLE_EQ(at_points(0, 0), 0.0);
  EXPECT_DOUBLE_EQ(at_points(0, 1), 1.0);
  EXPECT_DOUBLE_EQ(at_points(0, 2), 1.5);
}

TEST(BodyStrain, OfACellWithoutExtentIsNotDefined) {
  Body chain = MakeChain("chain", {0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}, 3, 1.0);
  chain.rest.col(1) = chain.rest.col(0);
  const std::vector<BodyCell> cells = CellsOf(chain);
  const MatrixXd strains = CellStrains(chain, cells, chain.rest);
  EXPECT_TRUE(std::isnan(strains(0, 0)));
  EXPECT_EQ(strains(0, 1), 0.0);
  const MatrixXd at_points = PointStrains(chain, cells, strains);
  EXPECT_TRUE(std::isnan(at_points(0, 0)));
  EXPECT_EQ(at_points(0, 1), 0.0);
}

}  // namespace
}  // namespace pliant
