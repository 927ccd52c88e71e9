// Key frames and morphs in space: what they do in the plane where the motion is planar, and what
// they must do where it is not.

#include <gtest/gtest.h>

#include <cmath>

#include "solvers/dynamic_ffd/ffd_simulation.h"
#include "tests/observed.h"
#include "tests/solvers/control/motions.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Interpolation = Path::Interpolation;

// The modes of the table for the plane, or of one layer in space.
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
      // A spline through angles and one through quaternions differ between keys.
      KeyFrameTable keys = Dash(turning ? Interpolation::kLinear : Interpolation::kCubic);
      for (KeyFrameTable::Key& key : keys.keys) key.turn *= turning ? 1.0 : 0.0;
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
  KeyFrameTable keys = Dash(Interpolation::kLinear);
  keys.keys[0].pin = 5;
  keys.keys[2].time = 0.3;  // handed over while it still grows
  keys.keys.resize(3);
  ExpectTheSameInSpace(&keys, grow);
}

TEST(PlanarMotionInSpace, ThroughQuaternionsComesToThatOfTheAngleAsKeysGetDenser) {
  const auto distance = [](int spans) {
    KeyFrameTable keys;
    for (int i = 0; i <= spans; ++i) {
      KeyFrameTable::Key key = {.time = 0.8 * i / spans};
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

TEST(KeyFramesInSpace, APinnedPointStaysPutWhateverTurnsAndModesDo) {
  for (const char* origin : {"centre-of-mass", "lattice-corner"}) {
    for (const auto interpolation : {Interpolation::kLinear, Interpolation::kCubic}) {
      const Scene scene = FallingSheet();
      KeyFrameTable keys = Tumble(interpolation);
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
      const Vector3d centre = CentreOf(scene, o);
      o = RunFor(simulation.get(), 0.01, 30);
      const Vector3d change = keys.keys[3].displacement - keys.keys[2].displacement;
      EXPECT_LT((CentreOf(scene, o) - centre - change).norm(), 1e-12);
    }
  }
}

TEST(KeyFramesInSpace, TheHandOverIsAFreeMotionFromTheLastKeyWithItsVelocities) {
  for (const auto interpolation : {Interpolation::kLinear, Interpolation::kCubic}) {
    const Scene scene = FallingSheet();
    ParameterValues parameters = With(SheetModes(), "rk4");
    const auto free = Translated(scene, parameters).simulation;
    parameters["keyframes"] = Tumble(interpolation);
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
  Scene scene = FallingSheet();
  scene.bodies[0].position = {0.2, 0.15, -0.3};
  scene.obstacles.push_back({"floor", Plane{}, Path::Still(Vector3d::Zero()), 0.4});
  scene.morphs.push_back(Growth(scene.bodies[0]));
  scene.forces.push_back({.name = "push", .point = {0, 7}, .force = {3, -2, 1}});
  KeyFrameTable keys = Tumble();
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
  Scene scene = FallingSheet();
  scene.morphs.push_back(Growth(scene.bodies[0]));
  KeyFrameTable keys = Tumble();
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
}  // namespace pliant::dynamic_ffd
