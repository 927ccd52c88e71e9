// Bodies that do not notice that they should fall, and bodies whose rest shape changes.

#include <gtest/gtest.h>

#include <cmath>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/backends.h"
#include "solvers/control/noticing.h"
#include "solvers/control/tables.h"
#include "solvers/dynamic_ffd/ffd_simulation.h"
#include "tests/observed.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

// The table flies off at 1.5 m/s, with nothing below it.
Scene Suspended() {
  Scene scene = TableScene();
  scene.gravity = {0, -9.81, 0};
  scene.bodies[0].position = {0, 5, 0};
  scene.bodies[0].velocity = {1.5, 0, 0};
  return scene;
}

TEST(Notice, GravityActsFromTheEndOfTheDelayOn) {
  Scene scene = Suspended();
  scene.notices.push_back({"cliff", 0, 0.3, std::nullopt, Vector3d::UnitX()});
  const auto simulation = Translated(scene, With(TableModes(), "rk4")).simulation;
  const Vector3d start = CentreOf(scene, Observed(*simulation));
  const double h = 0.01;
  for (int i = 1; i <= 80; ++i) {
    const Observation o = RunFor(simulation.get(), h, 1);
    const double t = i * h, fallen = std::max(0.0, t - 0.3);
    const Vector3d expected = start + Vector3d(1.5 * t, -0.5 * 9.81 * fallen * fallen, 0);
    EXPECT_LT((CentreOf(scene, o) - expected).norm(), 1e-10) << t;
  }
}

TEST(Notice, WhatHoldsItUpDoesTheWorkThatGravityDoesNot) {
  Scene scene = Suspended();
  scene.bodies[0].velocity = {1.5, 2.0, 0};  // rises while it is unaware
  scene.bodies[0].angular_velocity = {0, 0, 1.0};
  scene.notices.push_back({"cliff", 0, 0.3, std::nullopt, Vector3d::UnitX()});
  const auto simulation = Translated(scene, With(TableModes(), "rk4")).simulation;
  const double before = Balance(scene, Observed(*simulation));
  const Observation o = RunFor(simulation.get(), 0.002, 400);
  const double lifted = scene.Masses().sum() * 9.81 * 2.0 * 0.3;
  EXPECT_NEAR((*o.work)[WorkClass::kControl], lifted, 1e-6 * lifted);
  EXPECT_NEAR(Balance(scene, o), before, 1e-6 * lifted);
}

TEST(Notice, ABodyWithSupportHasItsWeight) {
  Scene scene = Suspended();
  scene.bodies[0].position = {0, 0, 0};
  scene.bodies[0].velocity.setZero();
  scene.obstacles.push_back({"floor", Plane{}, Path::Still(Vector3d::Zero()), 0.5});
  Scene unaware = scene;
  unaware.notices.push_back({"cliff", 0, 0.3, std::nullopt, Vector3d::UnitX()});
  const auto heavy = Translated(scene, With(TableModes(), "semi-implicit-euler")).simulation;
  const auto simulation = Translated(unaware, With(TableModes(), "semi-implicit-euler")).simulation;
  RunFor(heavy.get(), 0.001, 100);
  RunFor(simulation.get(), 0.001, 100);
  EXPECT_EQ(DistanceBetween(Observed(*heavy).points, Observed(*simulation).points).max, 0.0);
  EXPECT_GT(DistanceBetween(Observed(*heavy).points, scene.InitialPoints()).max, 1e-3);
}

TEST(Notice, SupportThatIsRegainedStartsTheDelayAnew) {
  Scene scene = Suspended();
  scene.obstacles.push_back({"floor", Plane{}, Path::Still(Vector3d::Zero()), 0.5});
  const auto shared = std::make_shared<const Scene>(scene);
  Noticing noticing(shared, {"cliff", 0, 0.3, std::nullopt, Vector3d::UnitX()});
  const Eigen::Matrix3Xd above = scene.InitialPoints();
  Eigen::Matrix3Xd on_floor = above;
  on_floor.row(1).array() -= above.row(1).minCoeff();
  const Eigen::Matrix3d upright = Eigen::Matrix3d::Identity();
  noticing.Update(0.0, 0.0, above, upright);
  EXPECT_TRUE(noticing.weightless());
  noticing.Update(0.2, 0.2, on_floor, upright);
  EXPECT_FALSE(noticing.weightless());
  noticing.Update(0.4, 0.2, above, upright);
  EXPECT_TRUE(noticing.weightless()) << "alone since 0.4 s, not since 0";
  noticing.Update(0.6, 0.2, above, upright);
  EXPECT_TRUE(noticing.weightless());
  noticing.Update(0.8, 0.2, above, upright);
  EXPECT_TRUE(noticing.aware());
  noticing.Update(1.0, 0.2, on_floor, upright);
  noticing.Update(1.2, 0.2, above, upright);
  EXPECT_FALSE(noticing.weightless()) << "aware for good";
}

TEST(Notice, ItFallsWhenItLooksDown) {
  Scene scene = Suspended();
  scene.bodies[0].angular_velocity = {0, 0, -1.0};
  scene.notices.push_back({"cliff", 0, std::nullopt, 0.5, Vector3d::UnitX()});
  const auto simulation = Translated(scene, With(TableModes(), "rk4")).simulation;
  const DynamicFfdSimulation& ffd = dynamic_cast<const DynamicFfdSimulation&>(*simulation);
  const double height = CentreOf(scene, Observed(*simulation)).y();
  double noticed = -1.0;
  for (int i = 0; i < 1000; ++i) {
    const double turned = -ffd.q()[2];
    RunFor(simulation.get(), 0.001, 1);
    const bool falls = CentreOf(scene, Observed(*simulation)).y() < height - 1e-12;
    if (falls && noticed < 0.0) noticed = turned;
  }
  EXPECT_GE(noticed, 0.5);
  EXPECT_LT(noticed, 0.503);
}

TEST(Notice, SavedWhileUnawareItContinuesBitForBit) {
  Scene scene = Suspended();
  scene.notices.push_back({"cliff", 0, 0.3, std::nullopt, Vector3d::UnitX()});
  const auto first = Translated(scene, With(TableModes(), "rk4")).simulation;
  const auto second = Translated(scene, With(TableModes(), "rk4")).simulation;
  ExpectContinuesBitForBit(first.get(), second.get(), 0.01, 20, 30);
}

// The table grows taller and its legs spread, which its modes together cannot show.
Scene Growing(bool planar) {
  Scene scene;
  if (planar) {
    scene = TableScene();
    scene.bodies[0].velocity = {0.4, 0.3, 0};
    scene.bodies[0].angular_velocity = {0, 0, 2.0};
  } else {
    scene.bodies.push_back(MakeSheet("sheet", {1.0, 1.0}, {5, 5}, 2.0));
    scene.bodies[0].angular_velocity = {1.0, 0.5, 2.0};
  }
  scene.gravity = {0, -9.81, 0};
  Morph morph{"growth", 0, scene.bodies[0].rest, 0.1, 0.5};
  for (int n = 0; n < scene.bodies[0].size(); ++n) {
    const Vector3d x = scene.bodies[0].rest.col(n);
    morph.target.col(n) += Vector3d(0.2 * x.x() * x.y(), 0.3 * x.y(), planar ? 0 : 0.2 * x.x());
  }
  scene.morphs.push_back(morph);
  return scene;
}

TEST(Morph, IsSmoothAndStartsAndEndsAtRest) {
  const Morph morph{"m", 0, {}, 1.0, 3.0};
  EXPECT_EQ(morph.At(0.5).value, 0.0);
  EXPECT_EQ(morph.At(4.0).value, 1.0);
  EXPECT_DOUBLE_EQ(morph.At(2.0).value, 0.5);
  const double h = 1e-5;
  for (double t : {1.0, 1.3, 2.4, 3.0}) {
    EXPECT_NEAR(morph.At(t).rate, (morph.At(t + h).value - morph.At(t - h).value) / (2 * h), 1e-9);
    EXPECT_NEAR(morph.At(t).acceleration, (morph.At(t + h).rate - morph.At(t - h).rate) / (2 * h),
                1e-4);
  }
}

TEST(Morph, AFreeBodyTakesTheOtherShapeOnItsParabola) {
  for (const bool planar : {true, false}) {
    const Scene scene = Growing(planar);
    MatrixTable modes = planar ? TableModes() : SheetModes();
    for (NamedMatrix& mode : modes.entries) mode.scalars["damping"] = 60.0;
    const auto simulation = Translated(scene, With(modes, "rk4")).simulation;
    const Vector3d start = CentreOf(scene, Observed(*simulation));
    const Vector3d spin = SpinAboutCentre(scene, Observed(*simulation));
    const Observation o = RunFor(simulation.get(), 0.001, 700);
    const Vector3d expected = start + 0.7 * scene.bodies[0].velocity + 0.5 * 0.49 * scene.gravity;
    EXPECT_LT((CentreOf(scene, o) - expected).norm(), 1e-9) << planar;
    EXPECT_LT((SpinAboutCentre(scene, o) - spin).norm(), 1e-6 * spin.norm()) << planar;
    // The driven amplitude is at its end, exactly, and the points are where it puts them.
    const DynamicFfdSimulation& ffd = dynamic_cast<const DynamicFfdSimulation&>(*simulation);
    EXPECT_EQ(ffd.q().tail<1>()[0], 1.0);
    EXPECT_EQ(ffd.v().tail<1>()[0], 0.0);
    Scene other = scene;
    other.bodies[0].rest = scene.morphs[0].target;
    const FfdBody& body = ffd.system().parts()[0].body;
    VectorXd undeformed = ffd.q();
    undeformed.segment(body.pose_size(), body.free_modes()).setZero();
    Eigen::Matrix3Xd x(3, body.points());
    body.Points(undeformed, x);
    const double shape = (x.col(0) - x.col(7)).norm();
    EXPECT_NEAR(shape, (other.bodies[0].rest.col(0) - other.bodies[0].rest.col(7)).norm(), 1e-12);
  }
}

TEST(Morph, TheWorkOfTheMorphClosesTheLedger) {
  for (const bool planar : {true, false}) {
    const auto residual = [planar](double h) {
      const Scene scene = Growing(planar);
      const auto simulation =
          Translated(scene, With(planar ? TableModes() : SheetModes(), "rk4")).simulation;
      const double before = Balance(scene, Observed(*simulation));
      const Observation o = RunFor(simulation.get(), h, static_cast<int>(std::lround(0.6 / h)));
      EXPECT_GT(std::abs((*o.work)[WorkClass::kControl]), 0.1);
      return std::abs(Balance(scene, o) - before);
    };
    EXPECT_LT(residual(0.001), 1e-5) << planar;
    EXPECT_GT(residual(0.008) / residual(0.004), 8.0) << planar;
  }
}

// At its head a force pushes and a damped spring pulls, against the growth.
Scene GrowingAgainst() {
  Scene scene = Growing(true);
  scene.forces.push_back({.name = "push", .point = {0, 2}, .force = {20, -150, 0}});
  scene.springs.push_back({.name = "string",
                           .a = {0, 4},
                           .anchor = {0, 0.5, 0},
                           .stiffness = 80.0,
                           .damping = 30.0,
                           .rest_length = 0.5});
  return scene;
}

TEST(Morph, WhatChangesTheShapeOvercomesTheForcesOnIt) {
  const auto residual = [](const char* scheme, double h) {
    const Scene scene = GrowingAgainst();
    const auto simulation = Translated(scene, With(TableModes(), scheme)).simulation;
    const double before = Balance(scene, Observed(*simulation));
    const Observation o = RunFor(simulation.get(), h, static_cast<int>(std::lround(0.6 / h)));
    EXPECT_GT(std::abs((*o.work)[WorkClass::kForce]), 10.0);
    EXPECT_LT((*o.work)[WorkClass::kDamping], -1.0);
    return Balance(scene, o) - before;
  };
  EXPECT_LT(std::abs(residual("rk4", 0.001)), 1e-5);
  EXPECT_NEAR(residual("semi-implicit-euler", 0.001) / residual("semi-implicit-euler", 0.0005), 2.0,
              0.2);
}

TEST(Morph, AMorphThatAModeCouldMakeIsNoObstacle) {
  // Taller is what the vertical squash does: M with both would be singular.
  Scene scene = Growing(true);
  for (int n = 0; n < scene.bodies[0].size(); ++n) {
    scene.morphs[0].target.col(n) =
        Vector3d(1.0, 1.3, 1.0).cwiseProduct(scene.bodies[0].rest.col(n));
  }
  const auto simulation = Translated(scene, With(TableModes(), "rk4")).simulation;
  const double before = Balance(scene, Observed(*simulation));
  const Observation o = RunFor(simulation.get(), 0.001, 700);
  EXPECT_NEAR(Balance(scene, o), before, 1e-5);
  EXPECT_LT(*o.condition_number, 1e5);
}

TEST(Morph, OfABodyThatIsLedMovesWithIt) {
  Scene scene = Growing(true);
  KeyFrameTable table;
  table.keys.resize(2);
  table.keys[1].time = 0.6;
  table.keys[0].pin = 5;
  ParameterValues parameters = With(TableModes(), "rk4");
  parameters["keyframes"] = table;
  const auto simulation = Translated(scene, parameters).simulation;
  const Vector3d foot = scene.InitialPoints().col(5);
  const Observation o = RunFor(simulation.get(), 0.01, 50);
  EXPECT_LT((o.points.col(5) - foot).norm(), 1e-12);
  EXPECT_NEAR((o.points.col(0) - o.points.col(7)).norm(),
              (scene.morphs[0].target.col(0) - scene.morphs[0].target.col(7)).norm(), 1e-12);
}

TEST(Morph, AnImpulseDoesNotChangeItsRate) {
  Scene scene = Growing(true);
  scene.impulses.push_back({.name = "kick", .point = {0, 2}, .impulse = {3, 8, 0}, .time = 0.3});
  const auto simulation = Translated(scene, With(TableModes(), "rk4")).simulation;
  const double before = Balance(scene, Observed(*simulation));
  const Observation o = RunFor(simulation.get(), 0.001, 600);
  EXPECT_NEAR(Balance(scene, o), before, 1e-5);
  EXPECT_GT(std::abs((*o.work)[WorkClass::kImpulse]), 1.0);
}

TEST(CartoonEffects, EveryOtherBackendSaysThatItIgnoresThem) {
  Scene scene = Growing(false);
  scene.notices.push_back({"cliff", 0, 0.3, std::nullopt, Vector3d::UnitX()});
  const auto shared = std::make_shared<const Scene>(scene);
  for (const Backend* backend : Backends()) {
    ParameterValues parameters;
    if (backend->info().name == "dynamic-ffd") parameters = With(SheetModes(), "rk4");
    const Fidelity expected =
        backend->info().name == "dynamic-ffd" ? Fidelity::kExact : Fidelity::kIgnored;
    int found = 0;
    for (const auto& entry : backend->Translate(shared, parameters).record.Entries()) {
      if (entry.element != "notice.cliff" && entry.element != "morph.growth") continue;
      ++found;
      EXPECT_EQ(entry.fidelity, expected) << backend->info().name;
      EXPECT_EQ(entry.reason.find("does not support this element"), std::string::npos)
          << backend->info().name;
    }
    EXPECT_EQ(found, 2);
  }
}

}  // namespace
}  // namespace pliant::dynamic_ffd
