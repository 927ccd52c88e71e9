// What riding bodies are made of: the lattice that carries an outline, the rigid proxy and the reaction,
// against closed forms.

#include <gtest/gtest.h>

#include <cmath>

#include "models/kinematic_response/carried_points.h"
#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/kinematic_response/reaction.h"
#include "solvers/kinematic_response/rigid_proxy.h"
#include "tests/scenes.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

Matrix3Xd SomePoints() {
  Matrix3Xd points(3, 5);
  points << 0.0, 1.0, 0.3, 0.71, 0.5,  //
      0.0, 2.0, 0.9, 0.11, 2.0,        //
      0, 0, 0, 0, 0;
  return points;
}

TEST(CarriedPoints, FollowAnyAffineMotionOfTheLattice) {
  const GridSize grid{9, 9};
  const Matrix3Xd points = SomePoints();
  const CarriedPoints carried = CarriedPoints::InLattice(grid, {0, 0}, {1, 2}, points);
  const GridVectors lattice = EvenLattice(grid, {0, 0}, {1, 2});
  Eigen::Matrix3d A;
  A << 1.1, 0.2, 0, -0.3, 0.8, 0, 0.4, 0.5, 1;
  const Vector3d shift(0.1, -2, 3);
  const GridVectors moved = ((A * lattice.transpose()).colwise() + shift).transpose();
  Matrix3Xd placed(3, points.cols());
  carried.Place(moved, &placed);
  EXPECT_LT((placed - ((A * points).colwise() + shift)).norm(), 1e-14);
}

TEST(CarriedPoints, HandTheLongestVectorToTheVerticesOfTheirCells) {
  const GridSize grid{3, 3};
  Matrix3Xd points(3, 2);
  points << 0.5, 0.2, 0.5, 0.4, 0, 0;  // on the middle vertex; inside the first cell
  const CarriedPoints carried = CarriedPoints::InLattice(grid, {0, 0}, {1, 1}, points);
  Matrix3Xd d(3, 2);
  d << 0, 0, 0.1, 0.3, 0, 0;
  GridVectors vertices = GridVectors::Constant(9, 3, 7.0);
  carried.Distribute(d, &vertices);
  for (const int i : {0, 1, 3, 4}) EXPECT_EQ(vertices(i, 1), 0.3) << i;
  for (const int i : {2, 5, 6, 7, 8}) EXPECT_EQ(vertices(i, 1), 0.0) << i;
  d(1, 0) = -0.5;
  carried.Distribute(d, &vertices);
  EXPECT_EQ(vertices(4, 1), -0.5);
  EXPECT_EQ(vertices(0, 1), 0.3);
}

// The axes of a body may point anywhere.
const Eigen::Quaterniond kTurned(Eigen::AngleAxisd(0.7, Vector3d(1, 2, -1).normalized()));

Matrix3Xd Brick() { return MakeBlock("brick", {1.0, 0.6, 0.3}, {3, 2, 2}, 4.0).rest; }

Matrix3Xd Spinning(const Matrix3Xd& points, const Vector3d& omega) {
  Matrix3Xd v(3, points.cols());
  for (Eigen::Index i = 0; i < points.cols(); ++i) v.col(i) = omega.cross(points.col(i));
  return v;
}

TEST(RigidProxy, ATumblingBrickKeepsItsSpinAndItsEnergyToSecondOrder) {
  const Matrix3Xd points = Brick();
  const Eigen::VectorXd m = Eigen::VectorXd::Constant(points.cols(), 0.3);
  const Matrix3Xd v0 = Spinning(points, {0.2, 4.0, 0.3});
  const auto energy_error = [&](double h) {
    RigidProxy proxy(points, v0, m, 3, kTurned);
    Matrix3Xd x(points), v(points);
    for (int i = 0; i < std::lround(1.0 / h); ++i) proxy.Drift(h);
    proxy.PlacePoints(x, v);
    const Vector3d spin = AngularMomentum(m, x, v, proxy.centre());
    EXPECT_LT((spin - AngularMomentum(m, points, v0, Vector3d::Zero())).norm(), 1e-12);
    return std::abs(KineticEnergy(m, v) - KineticEnergy(m, v0));
  };
  const double coarse = energy_error(0.02), fine = energy_error(0.01);
  EXPECT_GT(coarse, 1e-9);
  EXPECT_LT(fine, 0.3 * coarse);
}

TEST(RigidProxy, KicksChangeTheMotionOfThePointsAsNewtonAndEulerSay) {
  const Matrix3Xd points = Brick();
  const Eigen::VectorXd m = Eigen::VectorXd::Constant(points.cols(), 0.3);
  RigidProxy proxy(points, Matrix3Xd::Zero(3, points.cols()), m, 3, kTurned);
  const Vector3d impulse(1, 2, -0.5), arm(0.5, 0.3, 0.15);
  proxy.Kick(impulse, arm.cross(impulse));
  Matrix3Xd x(points), v(points);
  proxy.PlacePoints(x, v);
  EXPECT_LT((LinearMomentum(m, v) - impulse).norm(), 1e-14);
  EXPECT_LT((AngularMomentum(m, x, v, Vector3d::Zero()) - arm.cross(impulse)).norm(), 1e-14);
}

TEST(Reaction, IsHookeanToTheKneeAndSteeperBeyond) {
  ReactionOptions pad;
  pad.contact.stiffness = 100.0;
  pad.stiffness_beyond = 1000.0;
  EXPECT_EQ(pad.Force(-1.0), 0.0);
  EXPECT_DOUBLE_EQ(pad.Force(0.3), 30.0);
  pad.knee = 0.1;
  EXPECT_DOUBLE_EQ(pad.Force(0.1), 10.0);
  EXPECT_DOUBLE_EQ(pad.Force(0.3), 210.0);
  EXPECT_DOUBLE_EQ(pad.HookeanDisplacement(0.3), 2.1);
}

}  // namespace
}  // namespace pliant::kinematic_response
