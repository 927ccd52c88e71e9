// One camera for all runs and times of a comparison.

#include "app/plots/camera.h"

#include <gmock/gmock.h>

#include "app/plots/slider_guide.h"
#include "models/scene/shapes.h"
#include "tests/scenes.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

Scene SheetUnderBall() {
  Scene scene = SceneOf({MakeSheet("sheet", {2.0, 1.0}, {3, 3}, 1.0)});
  const Obstacle ball = {.shape = Sphere{0.4}, .motion = Path::Still({0, 2, 0})};
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

TEST(SliderGuides, AreWhatPointsAreKeptOn) {
  const Eigen::Matrix3d front = Eigen::Matrix3d::Identity();
  Slider slider;
  slider.through = {1, 2, 3};
  slider.direction = {0, 1, 0};
  const Eigen::Matrix3Xd line = SliderGuide(slider, front, 5.0);
  ASSERT_EQ(line.cols(), 2);
  EXPECT_EQ(line.col(0), Vector3d(1, -3, 3));
  EXPECT_EQ(line.col(1), Vector3d(1, 7, 3));

  slider.kind = Slider::Kind::kCurve;
  slider.corners.resize(3, 3);
  slider.corners << 0, 1, 1, 0, 0, 1, 0, 0, 0;
  const Eigen::Matrix3Xd open = SliderGuide(slider, front, 5.0);
  ASSERT_EQ(open.cols(), 4);
  EXPECT_EQ(open.col(1), slider.corners.col(1));
  EXPECT_EQ(open.col(2), slider.corners.col(1));
  slider.closed = true;
  const Eigen::Matrix3Xd closed = SliderGuide(slider, front, 5.0);
  ASSERT_EQ(closed.cols(), 6);
  EXPECT_EQ(closed.col(4), slider.corners.col(2));
  EXPECT_EQ(closed.col(5), slider.corners.col(0));

  slider.kind = Slider::Kind::kBall;
  slider.radius = 0.5;
  Eigen::Matrix3d axes;  // from above
  axes << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  const Eigen::Matrix3Xd rim = SliderGuide(slider, axes, 5.0);
  for (Eigen::Index i = 0; i < rim.cols(); ++i) {
    EXPECT_NEAR((rim.col(i) - slider.through).norm(), 0.5, 1e-15);
    EXPECT_NEAR(rim(1, i), 2.0, 1e-15) << "across the view";
    EXPECT_EQ(rim.col(i), rim.col(i % 2 == 1 ? (i + 1) % rim.cols() : i)) << "in one piece";
  }
  for (const Slider::Kind kind : {Slider::Kind::kPlane, Slider::Kind::kSurface}) {
    slider.kind = kind;
    EXPECT_EQ(SliderGuide(slider, front, 5.0).cols(), 0);
  }
}

TEST(ScaleBar, IsARoundLength) {
  EXPECT_DOUBLE_EQ(ScaleBarLength(1.0), 1.0);
  EXPECT_DOUBLE_EQ(ScaleBarLength(0.7), 0.5);
  EXPECT_DOUBLE_EQ(ScaleBarLength(39.0), 20.0);
  EXPECT_DOUBLE_EQ(ScaleBarLength(0.0019), 0.001);
}

}  // namespace
}  // namespace pliant
