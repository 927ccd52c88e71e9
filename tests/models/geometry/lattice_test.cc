#include "models/geometry/lattice.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

TEST(Lattice, ControlPointsFillTheBoxWithXFastest) {
  const Lattice lattice({2, 3, 1}, {1, 2, 3}, {4, 6, 2});
  const Matrix3Xd points = lattice.ControlPoints();
  ASSERT_EQ(points.cols(), 3 * 4 * 2);
  EXPECT_EQ(lattice.size(), 3 * 4 * 2);
  auto at = [&](int i, int j, int k) -> Vector3d { return points.col(i + 3 * (j + 4 * k)); };
  EXPECT_TRUE(at(0, 0, 0).isApprox(Vector3d(1, 2, 3)));
  EXPECT_TRUE(at(1, 0, 0).isApprox(Vector3d(3, 2, 3)));
  EXPECT_TRUE(at(0, 2, 0).isApprox(Vector3d(1, 6, 3)));
  EXPECT_TRUE(at(2, 3, 1).isApprox(Vector3d(5, 8, 5)));
}

TEST(Lattice, ReproducesEveryAffineFunction) {
  const Lattice lattice({3, 2, 1}, {-1, 0.5, 2}, {2, 3, 0.5});
  Eigen::Matrix3d a;
  a << 1, 2, -1, 0.5, -3, 2, 0, 1, 4;
  const Vector3d b(0.1, -0.2, 0.3);
  const Matrix3Xd control = (a * lattice.ControlPoints()).colwise() + b;
  for (const Vector3d& x : {Vector3d(-1, 0.5, 2), Vector3d(0.3, 2.2, 2.4), Vector3d(1, 3.5, 2.5)}) {
    EXPECT_LT((control * lattice.Weights(x) - (a * x + b)).norm(), 1e-13);
  }
}

TEST(Lattice, OfDegreeZeroAlongZDoesNotVaryThere) {
  const Lattice lattice({3, 3, 0}, {0, 0, -1}, {1, 1, 2});
  EXPECT_EQ(lattice.size(), 16);
  EXPECT_EQ(lattice.Weights({0.2, 0.7, -1}), lattice.Weights({0.2, 0.7, 0.9}));
  EXPECT_DOUBLE_EQ(lattice.ControlPoints()(2, 5), 0.0);  // half the thickness
}

TEST(Lattice, AroundABodyIsItsBox) {
  Matrix3Xd points(3, 3);
  points << 0, 2, 1, -1, 3, 0, 5, 5.5, 6;
  const Lattice lattice = Lattice::Around(points, {3, 3, 3});
  EXPECT_TRUE(lattice.corner().isApprox(Vector3d(0, -1, 5)));
  EXPECT_TRUE(lattice.extent().isApprox(Vector3d(2, 4, 1)));
}

TEST(Lattice, AroundAFlatBodyIsPaddedWithTheBodyInTheMiddle) {
  Matrix3Xd points(3, 3);
  points << 0, 2, 1, -1, 3, 0, 5, 5, 5;
  const Lattice lattice = Lattice::Around(points, {3, 3, 3});
  EXPECT_TRUE(lattice.extent().isApprox(Vector3d(2, 4, 4)));
  EXPECT_DOUBLE_EQ(lattice.corner().z(), 3.0);
  const Lattice line = Lattice::Around(points.leftCols(1), {3, 3, 3});
  EXPECT_TRUE(line.extent().isApprox(Vector3d::Ones()));
  EXPECT_TRUE(line.corner().isApprox(Vector3d(-0.5, -1.5, 4.5)));
}

}  // namespace
}  // namespace pliant
