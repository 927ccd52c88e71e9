// One camera for all runs and times of a comparison.

#include "app/plots/camera.h"

#include <gmock/gmock.h>

#include "models/scene/shapes.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

Scene SheetUnderBall() {
  Scene scene;
  scene.bodies = {MakeSheet("sheet", {2.0, 1.0}, {3, 3}, 1.0)};
  Obstacle ball;
  ball.shape = Sphere{0.4};
  ball.motion = Path::Still({0, 2, 0});
  scene.obstacles = {ball};
  return scene;
}

bool Sees(const Camera& camera, const Vector3d& x) {
  return camera.window.contains(Eigen::Vector2d(camera.ToView(x).head<2>()));
}

ShownRun RunAt(const Eigen::Matrix3Xd& points, double time = 1.0, bool diverged = false) {
  return {{time}, {points}, diverged};
}

TEST(Camera, ViewIsARotation) {
  Scene scene;
  const Eigen::Matrix3d axes = ViewAxes(scene);
  EXPECT_TRUE((axes.transpose() * axes).isIdentity(1e-12));
  EXPECT_NEAR(axes.determinant(), 1.0, 1e-12);
  EXPECT_GT(axes(1, 2), 0.0) << "it looks down on the scene";
  EXPECT_GT(axes(0, 2), 0.0) << "from the right";
  EXPECT_NEAR(axes(1, 0), 0.0, 1e-12) << "the horizon is level";
  scene.dimension = 2;
  EXPECT_TRUE(ViewAxes(scene).isIdentity(0.0));
}

TEST(Camera, SeesEverythingOfAllRuns) {
  const Scene scene = SheetUnderBall();
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  const Eigen::Matrix3Xd moved = start.colwise() + Vector3d(1, -2, 0.5);
  const Camera camera = FitCamera(scene, {RunAt(start), RunAt(moved)});
  for (Eigen::Index i = 0; i < start.cols(); ++i) {
    EXPECT_TRUE(Sees(camera, start.col(i)));
    EXPECT_TRUE(Sees(camera, moved.col(i)));
  }
  const Vector3d top = Vector3d(0, 2, 0) + 0.4 * camera.axes.col(1);
  EXPECT_TRUE(Sees(camera, top)) << "the ball, not only its centre";
}

TEST(Camera, SeesObstaclesAndNailsWhereTheyAreAtTheTimesShown) {
  Scene scene = SheetUnderBall();
  Eigen::Matrix3Xd keys(3, 2);
  keys << 0, 5, 2, 2, 0, 0;
  scene.obstacles[0].motion = Path({0, 1}, keys, Path::Interpolation::kLinear);
  scene.nails.push_back({"nail", {0, 0}, Path({0, 1}, -keys, Path::Interpolation::kLinear)});
  const Camera late = FitCamera(scene, {RunAt(scene.InitialPoints(), 1.0)});
  EXPECT_TRUE(Sees(late, {5, 2, 0}));
  EXPECT_TRUE(Sees(late, {-5, -2, 0}));
  EXPECT_FALSE(Sees(FitCamera(scene, {RunAt(scene.InitialPoints(), 0.0)}), {5, 2, 0}));
  scene.nails[0].hold = {0.0, 0.5};
  EXPECT_FALSE(Sees(FitCamera(scene, {RunAt(scene.InitialPoints(), 1.0)}), {-5, -2, 0}))
      << "a nail that holds nothing any more";
}

TEST(Camera, ARunThatFliesAwayDoesNotShrinkTheOthers) {
  const Scene scene = SheetUnderBall();
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  const double size = FitCamera(scene, {RunAt(start)}).window.diagonal().norm();
  const Eigen::Matrix3Xd gone = start.colwise() + Vector3d(1000, 0, 0);
  EXPECT_NEAR(FitCamera(scene, {RunAt(start), RunAt(gone)}).window.diagonal().norm(), size, 1e-9);
  // Where all runs go far, far is where the scene is.
  const Camera camera = FitCamera(scene, {RunAt(gone), RunAt(gone)});
  EXPECT_TRUE(Sees(camera, gone.col(0)));
}

TEST(Camera, ADivergedRunGetsLessRoom) {
  const Scene scene = SheetUnderBall();
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  const Eigen::Matrix3Xd away = start.colwise() + Vector3d(6, 0, 0);
  EXPECT_TRUE(Sees(FitCamera(scene, {RunAt(start), RunAt(away)}), away.col(0)));
  EXPECT_FALSE(Sees(FitCamera(scene, {RunAt(start), RunAt(away, 1.0, true)}), away.col(0)));
}

TEST(Camera, PassesOverPointsThatAreNotFinite) {
  const Scene scene = SheetUnderBall();
  Eigen::Matrix3Xd points = scene.InitialPoints();
  points(1, 3) = std::numeric_limits<double>::quiet_NaN();
  points(0, 4) = std::numeric_limits<double>::infinity();
  const Camera camera = FitCamera(scene, {RunAt(points)});
  EXPECT_TRUE(camera.window.sizes().allFinite());
  EXPECT_TRUE(Sees(camera, points.col(0)));
}

TEST(Camera, AnEmptyOrFlatSceneHasAWindow) {
  Scene scene;
  EXPECT_GT(FitCamera(scene, {}).window.volume(), 0.0);
  scene.dimension = 2;
  scene.bodies = {MakeChain("chain", {0, 0, 0}, {1, 0, 0}, 3, 1.0)};
  EXPECT_GT(FitCamera(scene, {}).window.sizes().y(), 0.1);
}

TEST(Camera, SeesTheGroundUnderABodyButNotAFarOne) {
  Scene scene = SheetUnderBall();
  scene.obstacles[0].shape = Plane{};
  scene.obstacles[0].motion = Path::Still({7, -3, 0});
  EXPECT_TRUE(Sees(FitCamera(scene, {}), {0, -3, 0}));
  EXPECT_FALSE(Sees(FitCamera(scene, {}), {7, -3, 0}));
  scene.obstacles[0].motion = Path::Still({0, -300, 0});
  EXPECT_FALSE(Sees(FitCamera(scene, {}), {0, -300, 0}));
}

TEST(ScaleBar, IsARoundLength) {
  EXPECT_DOUBLE_EQ(ScaleBarLength(1.0), 1.0);
  EXPECT_DOUBLE_EQ(ScaleBarLength(0.7), 0.5);
  EXPECT_DOUBLE_EQ(ScaleBarLength(39.0), 20.0);
  EXPECT_DOUBLE_EQ(ScaleBarLength(0.0019), 0.001);
}

}  // namespace
}  // namespace pliant
