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

LatticeBases MixedBases() {
  return {LatticeBasis::CubicBSpline(7), LatticeBasis::Bernstein(2), LatticeBasis::CubicBSpline(4)};
}

// A lattice that is bent and widened, by a map whose inverse is known nowhere.
Lattice Bent(const LatticeBases& bases) {
  const Lattice box(bases, {0, 0, 0}, {2, 1, 1});
  Matrix3Xd points = box.ControlPoints();
  for (auto p : points.colwise()) {
    const Vector3d r = p;
    p.y() += 0.2 * r.x() * r.x();
    p.x() -= 0.15 * r.y() * r.x();
    p.z() *= 1.0 + 0.2 * r.x();
  }
  return box.Extended(points);
}

TEST(Lattice, OfBSplinesReproducesEveryAffineFunction) {
  const Lattice lattice(MixedBases(), {-1, 0.5, 2}, {2, 3, 0.5});
  Eigen::Matrix3d a;
  a << 1, 2, -1, 0.5, -3, 2, 0, 1, 4;
  const Vector3d b(0.1, -0.2, 0.3);
  const Matrix3Xd control = (a * lattice.ControlPoints()).colwise() + b;
  for (const Vector3d& x : {Vector3d(-1, 0.5, 2), Vector3d(0.3, 2.2, 2.4), Vector3d(1, 3.5, 2.5)}) {
    EXPECT_LT((control * lattice.Weights(x) - (a * x + b)).norm(), 1e-13);
  }
}

TEST(Lattice, GradientsOfWeightsAreTheirDerivatives) {
  for (const Lattice& lattice : {Bent(MixedBases()), Bent(BernsteinBases({3, 2, 4}))}) {
    const Vector3d local(0.37, 0.61, 0.22);
    for (int axis = 0; axis < 3; ++axis) {
      const Vector3d step = 1e-6 * Vector3d::Unit(axis);
      const Eigen::VectorXd central =
          (lattice.WeightsAt(local + step) - lattice.WeightsAt(local - step)) / 2e-6;
      EXPECT_LT((lattice.WeightGradientsAt(local).col(axis) - central).norm(), 1e-7);
      const Vector3d moved = lattice.ControlPoints() * central;
      EXPECT_LT((lattice.JacobianAt(local).col(axis) - moved).norm(), 1e-7);
    }
  }
}

TEST(Lattice, ExtendedFindsEachPointAgain) {
  for (const LatticeBases& bases : {MixedBases(), BernsteinBases({3, 3, 1})}) {
    const Lattice lattice = Bent(bases);
    for (const Vector3d& local : {Vector3d(0, 0, 0), Vector3d(0.9, 0.1, 0.5), Vector3d(1, 1, 1),
                                  Vector3d(0.33, 0.98, 0.02), Vector3d(0.5, 0.5, 0.5)}) {
      const Vector3d x = lattice.ControlPoints() * lattice.WeightsAt(local);
      const auto found = lattice.LocalCoordinates(x);
      ASSERT_TRUE(found) << local.transpose();
      EXPECT_LT((*found - local).norm(), 1e-10) << local.transpose();
    }
    EXPECT_FALSE(lattice.LocalCoordinates({5, 5, 5}));
    EXPECT_FALSE(lattice.LocalCoordinates({2.0, 0.0, 0.5}));  // under the bend
  }
}

TEST(Lattice, ExtendedToWhereItWasIsTheBox) {
  const Lattice box(MixedBases(), {1, 2, 3}, {2, 1, 1});
  const Lattice same = box.Extended(box.ControlPoints());
  const Vector3d x(1.3, 2.9, 3.4);
  EXPECT_LT((*same.LocalCoordinates(x) - *box.LocalCoordinates(x)).norm(), 1e-12);
  EXPECT_LT((same.JacobianAt({0.2, 0.3, 0.9}) - box.JacobianAt({0.2, 0.3, 0.9})).norm(), 1e-12);
}

TEST(Lattice, FoldedHasNoCoordinatesWhereItRunsBackwards) {
  const Lattice box({1, 1, 0}, {0, 0, 0}, {1, 1, 1});
  Matrix3Xd points = box.ControlPoints();
  points.col(0).swap(points.col(1));  // its lower side runs the other way
  const Lattice folded = box.Extended(points);
  EXPECT_FALSE(folded.LocalCoordinates({0.3, 0.1, 0.5}));
  EXPECT_TRUE(folded.LocalCoordinates({0.3, 0.9, 0.5}));
}

TEST(Lattice, ExtendedPlanarIgnoresZ) {
  const Lattice lattice =
      Bent({LatticeBasis::Bernstein(3), LatticeBasis::CubicBSpline(5), LatticeBasis::Bernstein(0)});
  const Vector3d x = lattice.ControlPoints() * lattice.WeightsAt({0.2, 0.7, 0.5});
  const auto found = lattice.LocalCoordinates({x.x(), x.y(), 0.9});
  ASSERT_TRUE(found);
  EXPECT_LT((*found - Vector3d(0.2, 0.7, 0.5)).norm(), 1e-10);
}

}  // namespace
}  // namespace pliant
