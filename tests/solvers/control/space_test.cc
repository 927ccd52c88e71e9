// Key frames and morphs in space: what they do in the plane where the motion is planar, and what
// they must do where it is not.

#include <gtest/gtest.h>

#include <cmath>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/lagrangian/ffd_simulation.h"
#include "tests/solvers/lagrangian/scenes.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Interpolation = Path::Interpolation;

// The table in the plane, or the same one in space, where its lattice has one layer.
Scene FallingTable(int dimension) {
  Scene scene = TableScene();
  scene.dimension = dimension;
  scene.gravity = {0, -9.81, 0};
  scene.bodies[0].position = {1, 2, 0};
  scene.bodies[0].orientation = Eigen::AngleAxisd(0.2, Vector3d::UnitZ());
  scene.bodies[0].velocity = {0.4, 0.3, 0};
  scene.bodies[0].angular_velocity = {0, 0, 2.0};
  return scene;
}

MatrixTable ModesIn(int dimension) {
  MatrixTable modes = TableModes();
  if (dimension == 3) modes.scalars["degree_z"] = 0;
  for (NamedMatrix& mode : modes.entries) mode.scalars["damping"] = 3.0;
  return modes;
}

// Legs spread and the top rises, which the modes together cannot show.
Morph Growth(const Body& body) {
  Morph morph{"growth", 0, body.rest, 0.1, 0.5};
  for (int n = 0; n < body.size(); ++n) {
    const Vector3d x = body.rest.col(n);
    morph.target.col(n) += Vector3d(0.2 * x.x() * x.y(), 0.3 * x.y(), 0);
  }
  return morph;
}

// A dash; a spline through angles and one through quaternions differ between keys, so that
// `turning` is for the linear one.
KeyFrameTable Dash(Interpolation interpolation, bool turning) {
  KeyFrameTable table;
  table.interpolation = interpolation;
  table.keys.resize(4);
  for (size_t i = 0; i < 4; ++i) {
    table.keys[i].time = std::vector<double>{0.0, 0.25, 0.5, 0.8}[i];
    if (turning) table.keys[i].turn = std::vector<double>{0.0, 0.4, -0.3, 0.5}[i];
  }
  table.keys[1].pose = {{"horizontal bend", 0.2}};
  table.keys[1].displacement = {0.3, -0.1, 0};
  table.keys[2].pose = {{"vertical shear", -0.3}};
  table.keys[2].displacement = {1.0, 0.2, 0};
  table.keys[3].pose = {{"horizontal bend", -0.1}, {"vertical squash", 0.2}};
  table.keys[3].displacement = {2.2, 0.6, 0};
  return table;
}

// Runs the scene in the plane and in space and compares all that is seen, step by step.
template <typename Change>
void ExpectTheSameInSpace(const KeyFrameTable* keys, Change change) {
  std::unique_ptr<Simulation> simulations[2];
  for (const int dimension : {2, 3}) {
    Scene scene = FallingTable(dimension);
    change(&scene);
    ParameterValues parameters = With(ModesIn(dimension), "rk4");
    if (keys != nullptr) parameters["keyframes"] = *keys;
    simulations[dimension - 2] = Translated(scene, parameters).simulation;
  }
  double control = 0.0;
  for (int i = 0; i < 60; ++i) {
    const Observation plane = RunFor(simulations[0].get(), 2e-3, 10);
    const Observation space = RunFor(simulations[1].get(), 2e-3, 10);
    EXPECT_LT((plane.points - space.points).cwiseAbs().maxCoeff(), 1e-8) << i;
    EXPECT_LT((*plane.velocities - *space.velocities).cwiseAbs().maxCoeff(), 1e-6) << i;
    EXPECT_NEAR(*plane.elastic_energy, *space.elastic_energy, 1e-6) << i;
    control = (*plane.work)[WorkClass::kControl];
    EXPECT_NEAR(control, (*space.work)[WorkClass::kControl], 1e-6 * (1.0 + std::abs(control))) << i;
  }
  EXPECT_GT(std::abs(control), 1.0);
}

TEST(PlanarMotionInSpace, ByKeyFramesIsThatOfThePlaneAlsoAfterTheHandOver) {
  for (const bool turning : {false, true}) {
    for (const bool pinned : {false, true}) {
      KeyFrameTable keys = Dash(turning ? Interpolation::kLinear : Interpolation::kCubic, turning);
      if (pinned) {
        keys.keys[0].pin = 5;
        keys.keys[1].pin = 8;
      }
      SCOPED_TRACE(turning ? "turning" : "cubic");
      ExpectTheSameInSpace(&keys, [](Scene*) {});
    }
  }
}

TEST(PlanarMotionInSpace, OfAMorphIsThatOfThePlane) {
  const auto grow = [](Scene* scene) { scene->morphs.push_back(Growth(scene->bodies[0])); };
  ExpectTheSameInSpace(nullptr, grow);
  KeyFrameTable keys = Dash(Interpolation::kLinear, true);
  keys.keys[0].pin = 5;
  keys.keys[2].time = 0.3;  // handed over while it still grows
  keys.keys.resize(3);
  ExpectTheSameInSpace(&keys, grow);
}

TEST(PlanarMotionInSpace, ThroughQuaternionsComesToThatOfTheAngleAsKeysGetDenser) {
  const auto distance = [](int spans) {
    KeyFrameTable keys;
    for (int i = 0; i <= spans; ++i) {
      KeyFrameTable::Key key;
      key.time = 0.8 * i / spans;
      key.turn = std::sin(3.0 * key.time);
      keys.keys.push_back(key);
    }
    Observation seen[2];
    for (const int dimension : {2, 3}) {
      ParameterValues parameters = With(ModesIn(dimension), "rk4");
      parameters["keyframes"] = keys;
      seen[dimension - 2] =
          RunFor(Translated(FallingTable(dimension), parameters).simulation.get(), 1e-2, 37);
    }
    return (seen[0].points - seen[1].points).cwiseAbs().maxCoeff();
  };
  const double coarse = distance(4), fine = distance(8);
  EXPECT_GT(coarse, 1e-7);
  EXPECT_LT(fine, coarse / 8.0);
}

// A sheet that is led through turns about several axes.
Scene TumblingSheet() {
  Scene scene;
  scene.name = "sheet";
  scene.bodies.push_back(MakeSheet("sheet", {1.0, 1.0}, {5, 5}, 2.0));
  scene.bodies[0].position = {0.2, 3, -0.3};
  scene.bodies[0].orientation = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 0).normalized());
  return scene;
}

KeyFrameTable TumbleTo(Interpolation interpolation = Interpolation::kCubic) {
  KeyFrameTable table;
  table.interpolation = interpolation;
  table.keys.resize(4);
  for (size_t i = 0; i < 4; ++i) {
    table.keys[i].time = std::vector<double>{0.0, 0.3, 0.5, 0.8}[i];
    table.keys[i].turn = std::vector<double>{0.0, 1.0, 1.5, 2.0}[i];
  }
  table.keys[1].pose = {{"dome", 0.1}};
  table.keys[1].axis = Vector3d(0, 1, 0);
  table.keys[2].pose = {{"twist", -0.1}};
  table.keys[2].axis = Vector3d(1, 1, 0).normalized();
  table.keys[3].pose = {{"dome", -0.1}, {"squash x", 0.1}};
  table.keys[3].axis = Vector3d(1, 1, 1).normalized();
  table.keys[3].displacement = {1.0, 0.6, 0.1};
  return table;
}

TEST(KeyFramesInSpace, APinnedPointStaysPutWhateverTurnsAndModesDo) {
  for (const char* origin : {"centre-of-mass", "lattice-corner"}) {
    for (const auto interpolation : {Interpolation::kLinear, Interpolation::kCubic}) {
      const Scene scene = TumblingSheet();
      KeyFrameTable keys = TumbleTo(interpolation);
      keys.keys[0].pin = 3;   // on a border
      keys.keys[1].pin = 12;  // in the middle, where the dome is highest
      ParameterValues parameters = With(SheetModes(), "rk4");
      parameters["keyframes"] = keys;
      parameters["origin"] = std::string(origin);
      const auto simulation = Translated(scene, parameters).simulation;
      Observation o = Observed(*simulation);
      const Vector3d first = scene.InitialPoints().col(3);
      Vector3d second = Vector3d::Zero();
      for (int i = 0; i <= 50; ++i) {
        if (i > 0) o = RunFor(simulation.get(), 0.01, 1);
        if (i <= 30) {
          EXPECT_LT((o.points.col(3) - first).norm(), 1e-12) << i;
        }
        if (i > 0 && i < 30) {
          EXPECT_LT(o.velocities->col(3).norm(), 1e-11) << i;
        }
        if (i > 0 && i < 30) {
          EXPECT_GT(o.velocities->col(12).norm(), 1e-2) << i;
        }
        if (i == 30) second = o.points.col(12);
        if (i > 30) {
          EXPECT_LT((o.points.col(12) - second).norm(), 1e-12) << i;
        }
        if (i > 30 && i < 50) {
          EXPECT_LT(o.velocities->col(12).norm(), 1e-11) << i;
        }
      }
      // The last segment is not pinned: it goes on from there by the change of its displacement.
      const VectorXd m = scene.Masses();
      const Vector3d centre = CentreOfMass(m, o.points);
      o = RunFor(simulation.get(), 0.01, 30);
      EXPECT_LT((CentreOfMass(m, o.points) - centre - Vector3d(1.0, 0.6, 0.1)).norm(), 1e-12);
    }
  }
}

TEST(KeyFramesInSpace, TheHandOverIsAFreeMotionFromTheLastKeyWithItsVelocities) {
  for (const auto interpolation : {Interpolation::kLinear, Interpolation::kCubic}) {
    const Scene scene = TumblingSheet();
    ParameterValues parameters = With(SheetModes(), "rk4");
    const auto free = Translated(scene, parameters).simulation;
    parameters["keyframes"] = TumbleTo(interpolation);
    const auto led = Translated(scene, parameters).simulation;
    const double h = 1e-4;
    const Observation before = RunFor(led.get(), h, 7999);
    const Observation last = RunFor(led.get(), h, 1);
    // The velocities at the last key are those with which its places were reached …
    EXPECT_LT(((last.points - before.points) / h - *last.velocities).norm(),
              2e-2 * last.velocities->norm());
    EXPECT_GT(SpinAboutCentre(scene, last).norm(), 0.1);
    // … and a body without key frames goes on from them bit for bit alike.
    free->Restore(led->Save());
    const Vector3d spin = SpinAboutCentre(scene, last);
    const Observation o = RunFor(led.get(), 1e-3, 300);
    EXPECT_EQ(o.points, RunFor(free.get(), 1e-3, 300).points);
    EXPECT_EQ((*o.work)[WorkClass::kControl], (*last.work)[WorkClass::kControl]);
    EXPECT_LT((SpinAboutCentre(scene, o) - spin).norm(), 1e-6 * spin.norm());
  }
}

TEST(KeyFramesInSpace, TheLedgerClosesWithAMorphForcesAndContact) {
  Scene scene = TumblingSheet();
  scene.bodies[0].position = {0.2, 0.15, -0.3};
  scene.obstacles.push_back({"floor", Plane{}, Path::Still(Vector3d::Zero()), 0.4});
  scene.morphs.push_back(Growth(scene.bodies[0]));
  TimedForce push;
  push.name = "push";
  push.point = {0, 7};
  push.force = {3, -2, 1};
  scene.forces.push_back(push);
  KeyFrameTable keys = TumbleTo();
  keys.keys[0].pin = 12;
  keys.keys.resize(3);  // handed over at 0.5 s, as the morph ends
  ParameterValues parameters = With(SheetModes(), "rk4");
  parameters["keyframes"] = keys;
  const auto simulation = Translated(scene, parameters).simulation;
  const double before = Balance(scene, Observed(*simulation));
  Observation o = RunFor(simulation.get(), 5e-4, 1000);
  EXPECT_NEAR(Balance(scene, o), before, 1e-6 * (1.0 + std::abs(before)));
  EXPECT_GT(std::abs((*o.work)[WorkClass::kForce]), 0.1);
  EXPECT_LT((*o.work)[WorkClass::kContact], -1e-3);
  EXPECT_GT(std::abs((*o.work)[WorkClass::kControl]), 0.1);
  o = RunFor(simulation.get(), 5e-4, 200);
  EXPECT_NEAR(Balance(scene, o), before, 2e-3 * (1.0 + std::abs(before)));
}

TEST(MorphInSpace, OfABodyThatIsLedTakesItsShapeWhileItTurns) {
  Scene scene = TumblingSheet();
  scene.morphs.push_back(Growth(scene.bodies[0]));
  KeyFrameTable keys = TumbleTo();
  for (KeyFrameTable::Key& key : keys.keys) key.pose.clear();
  keys.keys[0].pin = 7;
  ParameterValues parameters = With(SheetModes(), "rk4");
  parameters["keyframes"] = keys;
  const auto simulation = Translated(scene, parameters).simulation;
  const Vector3d pinned = scene.InitialPoints().col(7);
  const Observation middle = RunFor(simulation.get(), 0.01, 29);
  EXPECT_LT((middle.points.col(7) - pinned).norm(), 1e-12);
  EXPECT_LT(middle.velocities->col(7).norm(), 1e-11);
  const Observation o = RunFor(simulation.get(), 0.01, 31);
  const Matrix3Xd& target = scene.morphs[0].target;
  for (int a = 0; a < 25; ++a) {
    EXPECT_NEAR((o.points.col(a) - o.points.col(12)).norm(),
                (target.col(a) - target.col(12)).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace pliant
