#include "models/scene/metrics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/scene/rigid_motion.h"
#include "models/scene/shapes.h"
#include "tests/scenes.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

TEST(Metrics, RigidMotionHasTheEnergyAndMomentaOfARigidBody) {
  const Body body = MakeBlock("b", {1, 2, 3}, {3, 3, 3}, 5.0);
  const Vector3d u(1, -2, 0.5), w(0.3, 0.2, -0.7);
  Eigen::Matrix3Xd v(3, body.size());
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  for (int i = 0; i < body.size(); ++i) {
    const Vector3d r = body.rest.col(i);
    v.col(i) = u + w.cross(r);
    inertia += body.mass[i] * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
  }
  EXPECT_NEAR(KineticEnergy(body.mass, v), 0.5 * 5.0 * u.squaredNorm() + 0.5 * w.dot(inertia * w),
              1e-12);
  EXPECT_LT((LinearMomentum(body.mass, v) - 5.0 * u).norm(), 1e-12);
  EXPECT_LT((AngularMomentum(body.mass, body.rest, v, Vector3d::Zero()) - inertia * w).norm(),
            1e-12);
}

// A corner of a cube moves inwards along the diagonal, by d of it: the determinant of its edges is
// (3 d − 1), that of the edges at its neighbours (d − 1), where they were −1.
TEST(Metrics, TheSmallestCellIsInvertedBeforeTheBodyIs) {
  const Scene scene = SceneOf({MakeBlock("b", {1, 1, 1}, {2, 2, 2}, 1.0)});
  for (const double d : {0.0, 0.2, 0.4, 0.6}) {
    Eigen::Matrix3Xd x = scene.InitialPoints();
    x.col(7).array() -= d;
    EXPECT_NEAR(*SmallestCellRatio(scene, x), 1.0 - 3.0 * d, 1e-14);
    EXPECT_GT(*SignedExtentRatio(scene, x), 0.2);
    EXPECT_FALSE(TurnedInsideOut(scene, x));
    x.row(0) *= -1.0;  // mirrored
    EXPECT_NEAR(*SmallestCellRatio(scene, x), d == 0.0 ? -1.0 : std::min(-1.0, 3.0 * d - 1.0),
                1e-14);
    EXPECT_LT(*SignedExtentRatio(scene, x), -0.2);
    EXPECT_TRUE(TurnedInsideOut(scene, x));
  }
  Scene planar = SceneOf({MakeSheet("s", {1, 1}, {2, 2}, 1.0)});
  EXPECT_FALSE(SmallestCellRatio(planar, planar.InitialPoints()))
      << "a sheet in space has no sides";
  EXPECT_FALSE(SignedExtentRatio(planar, planar.InitialPoints()));
  planar.dimension = 2;
  Eigen::Matrix3Xd x = planar.InitialPoints();
  x.col(1) << -0.25, 0.25, 0;  // through the diagonal, half as far as it was from it
  EXPECT_NEAR(*ExtentRatio(planar, x), 0.75, 1e-14);
  EXPECT_NEAR(*SignedExtentRatio(planar, x), 0.25, 1e-14);
  EXPECT_NEAR(*SmallestCellRatio(planar, x), -0.5, 1e-14);
}

// One body is turned and shifted, the other is stretched about its centre.
TEST(Metrics, ADistanceHasPartsOfShapeAndOfPlace) {
  const Scene scene = SceneOf(
      {MakeBlock("b", {1, 2, 3}, {3, 3, 3}, 5.0), MakeChain("c", {-1, 0, 0}, {1, 0, 0}, 5, 1.0)});
  const Eigen::Matrix3Xd y = scene.InitialPoints();
  Eigen::Matrix3Xd x = y;
  const Eigen::Matrix3d turn(Eigen::AngleAxisd(2.5, Vector3d(1, 2, -1).normalized()));
  x.leftCols(27) = (turn * y.leftCols(27)).colwise() + Vector3d(0.1, 0, -0.2);
  x.rightCols(5) *= 1.1;
  const DistanceParts parts = PartsOfDistance(scene, x, y);
  const double stretched = 0.1 * 0.1 * (1 + 0.25 + 0.25 + 1) / 5.0 * 1.0;  // Σ m |x − y|²
  EXPECT_NEAR(parts.shape, std::sqrt(stretched / 6.0), 1e-13);
  const double moved = (x - y).leftCols(27).colwise().squaredNorm().sum() * 5.0 / 27;
  EXPECT_NEAR(parts.placement, std::sqrt(moved / 6.0), 1e-13);
  EXPECT_NEAR(parts.points, std::sqrt((stretched + moved) / 6.0), 1e-13);
}

// A rigid motion and another with no momenta of its own share the energy between them.
TEST(Metrics, RigidShareIsWhatTheBestRigidMotionHas) {
  Scene scene = SceneOf(
      {MakeBlock("b", {1, 2, 3}, {3, 3, 3}, 5.0), MakeChain("c", {0, 0, 0}, {2, 0, 0}, 5, 1.0)});
  const Body &block = scene.bodies[0], &chain = scene.bodies[1];
  const Eigen::Matrix3Xd x = scene.InitialPoints();
  Eigen::Matrix3Xd v = x;
  EXPECT_EQ(RigidShare(scene, x, 0.0 * v), std::nullopt);
  for (int i = 0; i < x.cols(); ++i) {
    v.col(i) = Vector3d(1, -2, 0.5) + Vector3d(0.3, 0.2, -0.7).cross(Vector3d(x.col(i)));
  }
  EXPECT_NEAR(*RigidShare(scene, x, v), 1.0, 1e-12);
  const double rigid = KineticEnergy(scene.Masses(), v);
  EXPECT_NEAR(RigidKineticEnergy(chain.mass, x.rightCols(5), v.rightCols(5)),
              KineticEnergy(chain.mass, v.rightCols(5)), 1e-12);
  // The block stretches about its centre of mass.
  const Eigen::Matrix3Xd stretching = 0.4 * block.rest;
  const double elastic = KineticEnergy(block.mass, stretching);
  v.leftCols(27) += stretching;
  EXPECT_NEAR(*RigidShare(scene, x, v), rigid / (rigid + elastic), 1e-12);
  EXPECT_GT(elastic, 0.01 * rigid);
}

TEST(Metrics, StrainIsMeasuredAgainstRest) {
  Scene scene = SceneOf({MakeSheet("s", {1, 1}, {3, 3}, 1.0)});
  scene.bodies[0].stretch = Vector3d(1.5, 1.0, 1.0).asDiagonal();
  const Eigen::Matrix3Xd x = scene.InitialPoints();
  EXPECT_NEAR(MeasureEdgeStrain(scene, x)->max, 0.5, 1e-14);
  EXPECT_NEAR(MeasureEdgeStrain(scene, x)->rms, 0.5 / std::sqrt(2.0), 1e-14);
  EXPECT_NEAR(*ExtentRatio(scene, x), 1.5, 1e-14);
}

TEST(Metrics, WhatIsNotThereIsNotDefined) {
  Scene scene = SceneOf({MakeChain("c", {0, 0, 0}, {1, 0, 0}, 3, 1.0)});
  EXPECT_FALSE(ExtentRatio(scene, scene.InitialPoints()));
  EXPECT_FALSE(MeasurePenetration(scene, 0.0, scene.InitialPoints()));
  scene.bodies[0].edges.clear();
  EXPECT_FALSE(MeasureEdgeStrain(scene, scene.InitialPoints()));
}

TEST(Metrics, PenetrationFollowsAMovingObstacle) {
  Scene scene = SceneOf({MakeChain("c", {0, 0, 0}, {3, 0, 0}, 4, 1.0)});
  scene.obstacles.push_back(
      {"ball", Sphere{0.25}, PathThrough({0.0, 1.0}, {{0, 0, 0}, {3, 0, 0}}), 0.0});
  const Eigen::Matrix3Xd x = scene.InitialPoints();
  EXPECT_NEAR(MeasurePenetration(scene, 0.0, x)->max, 0.25, 1e-14);
  EXPECT_NEAR(MeasurePenetration(scene, 0.0, x)->rms, 0.125, 1e-14);
  EXPECT_NEAR(MeasurePenetration(scene, 0.5, x)->max, 0.0, 1e-14);
  EXPECT_NEAR(MeasurePenetration(scene, 0.3, x)->max, 0.15, 1e-14);
}

TEST(Metrics, DistanceBetweenIsRmsAndMax) {
  Eigen::Matrix3Xd x = Eigen::Matrix3Xd::Zero(3, 4), y = x;
  y(0, 2) = 2.0;
  EXPECT_EQ(DistanceBetween(x, y).rms, 1.0);
  EXPECT_EQ(DistanceBetween(x, y).max, 2.0);
}

// A bent chain against a straight one: the straight one may turn about itself, and the bent one does not go with it.
TEST(DistanceParts, OfAStraightChainDoNotTurnAboutIt) {
  Scene scene;
  scene.dimension = 2;
  scene.bodies.push_back(MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 5, 1.0));
  Eigen::Matrix3Xd bent = scene.bodies[0].rest;
  for (int i = 0; i < 5; ++i) bent(1, i) = 0.1 * (i - 2) * (i - 2);
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  const DistanceParts parts = PartsOfDistance(scene, turn * scene.bodies[0].rest, bent);
  const Eigen::Vector3d centre = bent.rowwise().mean();
  const Eigen::Matrix3Xd arms = bent.colwise() - centre;
  const Eigen::Vector3d shift = turn * scene.bodies[0].rest.rowwise().mean() - centre;
  const double squared = ((turn * arms - arms).colwise() + shift).colwise().squaredNorm().mean();
  EXPECT_NEAR(parts.placement, std::sqrt(squared), 1e-9);
}

}  // namespace
}  // namespace pliant
