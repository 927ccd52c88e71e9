// Bodies led through key frames, and set free.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/scene/metrics.h"
#include "solvers/dynamic_ffd/ffd_simulation.h"
#include "solvers/dynamic_ffd/key_framed_body.h"
#include "tests/observed.h"
#include "tests/reference/complaints.h"
#include "tests/solvers/control/motions.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using Key = KeyFrameTable::Key;

std::unique_ptr<Simulation> Start(const Scene& scene, const MatrixTable& modes,
                                  const KeyFrameTable& key_frames,
                                  const std::string& scheme = "rk4") {
  ParameterValues parameters = With(modes, scheme);
  parameters["keyframes"] = key_frames;
  return Translated(scene, parameters).simulation;
}

const DynamicFfdSimulation& AsFfd(const Simulation& simulation) {
  return dynamic_cast<const DynamicFfdSimulation&>(simulation);
}

// The table or the sheet, led from this state.
KeyFramedBody Led(bool planar, const FfdPart& part, const VectorXd& start,
                  const KeyFrameTable& table) {
  const std::vector<std::string> of_table = {"vertical shear", "horizontal bend", "vertical squash",
                                             "horizontal squash"};
  const std::vector<std::string> of_sheet = {"dome", "twist", "squash x", "squash y"};
  return KeyFramedBody(0, part.body, planar ? of_table : of_sheet, start, table, std::nullopt);
}

TEST(KeyFrames, GoThroughTheirKeysAndGiveTheRatesOfTheirMotion) {
  for (const auto interpolation : {Path::Interpolation::kCubic, Path::Interpolation::kLinear}) {
    for (const bool planar : {true, false}) {
      const Scene scene = planar ? FallingTable() : FallingSheet();
      const KeyFrameTable table = planar ? Dash(interpolation) : Tumble(interpolation);
      const auto simulation = Start(scene, planar ? TableModes() : SheetModes(), table);
      const FfdPart& part = AsFfd(*simulation).system().parts()[0];
      const VectorXd start =
          part.body.Coordinates(CentreOfMass(scene.Masses(), scene.InitialPoints()),
                                scene.bodies[0].orientation, VectorXd::Zero(4));
      const KeyFramedBody led = Led(planar, part, start, table);
      const int n = part.body.coordinates(), m = part.body.velocities();
      auto at = [&](double t) {
        std::array<VectorXd, 3> motion = {VectorXd(n), VectorXd(m), VectorXd(m)};
        led.At(part.body, t, motion[0], motion[1], motion[2]);
        return motion;
      };
      const Vector3d centre = CentreOfMass(scene.Masses(), scene.InitialPoints());
      for (const Key& key : table.keys) {
        const auto [q, v, a] = at(key.time);
        EXPECT_LT((part.body.Translation(q) - centre - key.displacement).norm(), 1e-12);
        const Eigen::Matrix3d turned = Eigen::AngleAxisd(key.turn, key.axis).toRotationMatrix() *
                                       scene.bodies[0].orientation.toRotationMatrix();
        EXPECT_LT((part.body.Rotation(q) - turned).norm(), 1e-12);
      }
      // q̇ = N(q) v and v̇ by differences, inside the segments.
      const double h = 1e-4;
      for (double t : {0.11, 0.37, 0.66}) {
        const auto before = at(t - h), now = at(t), after = at(t + h);
        VectorXd q_dot(n);
        part.body.ConfigurationRate(now[0], now[1], q_dot);
        EXPECT_LT((q_dot - (after[0] - before[0]) / (2 * h)).norm(), 2e-5) << t << planar;
        EXPECT_LT((now[2] - (after[1] - before[1]) / (2 * h)).norm(), 2e-5) << t << planar;
      }
    }
  }
}

TEST(KeyFrames, PinnedMotionGivesItsRatesToo) {
  for (const bool planar : {true, false}) {
    const Scene scene = planar ? FallingTable() : FallingSheet();
    KeyFrameTable table = planar ? Dash() : Tumble();
    for (size_t i = 0; i + 1 < table.keys.size(); ++i) table.keys[i].pin = 5;
    const auto simulation = Start(scene, planar ? TableModes() : SheetModes(), table);
    const FfdPart& part = AsFfd(*simulation).system().parts()[0];
    const KeyFramedBody led = Led(planar, part, AsFfd(*simulation).q(), table);
    VectorXd q(part.body.coordinates()), v(part.body.velocities()), a(v), scratch(v);
    VectorXd before_q(q), before_v(v), after_q(q), after_v(v), q_dot(q);
    const double h = 1e-4;
    for (double t : {0.11, 0.37, 0.66}) {
      led.At(part.body, t - h, before_q, before_v, scratch);
      led.At(part.body, t + h, after_q, after_v, scratch);
      led.At(part.body, t, q, v, a);
      part.body.ConfigurationRate(q, v, q_dot);
      EXPECT_LT((q_dot - (after_q - before_q) / (2 * h)).norm(), 2e-5) << t << planar;
      EXPECT_LT((a - (after_v - before_v) / (2 * h)).norm(), 2e-5) << t << planar;
    }
  }
}

TEST(KeyFrames, InSpaceABodyTurnsTheShorterWay) {
  for (const auto interpolation : {Path::Interpolation::kCubic, Path::Interpolation::kLinear}) {
    KeyFrameTable table;
    table.interpolation = interpolation;
    table.keys = {KeyAt(0.0, {}, {0, 0, 0}, 0.0), KeyAt(0.4, {}, {0, 0, 0}, 5.5)};
    Scene scene = FallingSheet();
    scene.bodies[0].orientation.setIdentity();
    const auto simulation = Start(scene, SheetModes(), table);
    RunFor(simulation.get(), 0.01, 20);
    const FfdPart& part = AsFfd(*simulation).system().parts()[0];
    const Eigen::AngleAxisd half(part.body.Rotation(AsFfd(*simulation).q()));
    EXPECT_NEAR(half.angle(), 0.5 * (2.0 * M_PI - 5.5), 1e-9);
    EXPECT_LT(half.axis().z() * (half.angle() > 0 ? 1 : -1), 0.0);
  }
}

TEST(KeyFrames, CubicMotionHasNoJumpOfAcceleration) {
  for (const bool planar : {true, false}) {
    const Scene scene = planar ? FallingTable() : FallingSheet();
    const auto simulation =
        Start(scene, planar ? TableModes() : SheetModes(), planar ? Dash() : Tumble());
    const FfdPart& part = AsFfd(*simulation).system().parts()[0];
    const KeyFrameTable table = planar ? Dash() : Tumble();
    const KeyFramedBody led = Led(planar, part, AsFfd(*simulation).q(), table);
    VectorXd q(part.body.coordinates()), v(part.body.velocities()), left(v), right(v);
    for (size_t i = 1; i + 1 < table.keys.size(); ++i) {
      led.At(part.body, table.keys[i].time - 1e-6, q, v, left);
      led.At(part.body, table.keys[i].time + 1e-6, q, v, right);
      EXPECT_LT((left - right).norm(), 1e-3) << planar;
      EXPECT_GT(left.norm(), 1.0);
    }
  }
}

TEST(KeyFrames, APinnedPointStaysPut) {
  Scene scene = FallingTable();
  KeyFrameTable table = Dash();
  table.keys[0].pin = 5;  // the left foot
  table.keys[1].pin = 8;  // then the right one
  for (const char* origin : {"centre-of-mass", "lattice-corner"}) {
    ParameterValues parameters = With(TableModes(), "rk4");
    parameters["keyframes"] = table;
    parameters["origin"] = std::string(origin);
    const auto simulation = Translated(scene, parameters).simulation;
    const Vector3d left = scene.InitialPoints().col(5);
    const double h = 0.0125;
    Vector3d right;
    for (int i = 0; i <= 40; ++i) {
      const Observation o = Observed(*simulation);
      if (i <= 20) {
        EXPECT_LT((o.points.col(5) - left).norm(), 1e-12) << i;
      }
      if (i == 20) right = o.points.col(8);
      if (i > 0 && i < 20) {
        EXPECT_LT(o.velocities->col(5).norm(), 1e-11) << i;
        EXPECT_GT(o.velocities->col(8).norm(), 1e-3) << i;
      }
      if (i >= 20) {
        EXPECT_LT((o.points.col(8) - right).norm(), 1e-12) << i;
      }
      RunFor(simulation.get(), h, 1);
    }
    // The unpinned segment goes on from there by the change of its displacement.
    const Vector3d now = CentreOf(scene, Observed(*simulation));
    RunFor(simulation.get(), h, 23);
    EXPECT_NEAR(simulation->time(), 0.8, 1e-12);
    EXPECT_GT((CentreOf(scene, Observed(*simulation)) - now).norm(), 0.5);
  }
}

TEST(KeyFrames, TheBodyIsHandedOverWithItsPlaceAndItsVelocity) {
  for (const bool planar : {true, false}) {
    Scene scene = planar ? FallingTable() : FallingSheet();
    const auto simulation =
        Start(scene, planar ? TableModes() : SheetModes(), planar ? Dash() : Tumble());
    const double h = 0.001;
    const Observation last = RunFor(simulation.get(), h, 800);
    const Vector3d v = LinearMomentum(scene.Masses(), *last.velocities) / scene.Masses().sum();
    EXPECT_GT(v.norm(), 1.0);
    // Free from here: the centre of mass is on the parabola through this state.
    const Vector3d start = CentreOf(scene, last);
    for (int i = 1; i <= 300; ++i) {
      const double t = i * h;
      const Vector3d now = CentreOf(scene, RunFor(simulation.get(), h, 1));
      EXPECT_LT((now - start - t * v - 0.5 * t * t * scene.gravity).norm(), 1e-10);
    }
    // And what it was led with just before is what it is handed over with.
    const auto again =
        Start(scene, planar ? TableModes() : SheetModes(), planar ? Dash() : Tumble());
    const Observation before = RunFor(again.get(), h / 10, 7999);
    EXPECT_LT((before.points - last.points).norm(), 0.02);
    EXPECT_LT((*before.velocities - *last.velocities).norm() / last.velocities->norm(), 2e-3);
  }
}

TEST(KeyFrames, WhoeverLeadsABodyDoesTheWorkThatItsEnergySays) {
  for (const auto interpolation : {Path::Interpolation::kCubic, Path::Interpolation::kLinear}) {
    for (const char* scheme : {"rk4", "semi-implicit-euler", "implicit-midpoint"}) {
      const Scene scene = FallingTable();
      const auto simulation = Start(scene, TableModes(), Dash(interpolation), scheme);
      const double energy = MechanicalEnergy(scene, Observed(*simulation));
      const Observation o = RunFor(simulation.get(), 0.01, 80);
      EXPECT_NEAR((*o.work)[WorkClass::kControl], MechanicalEnergy(scene, o) - energy,
                  1e-9 * MechanicalEnergy(scene, o))
          << scheme;
      EXPECT_GT((*o.work)[WorkClass::kControl], 100.0);
    }
  }
}

TEST(KeyFrames, TheLedgerClosesWhereOtherForcesActOnWhatIsLed) {
  Scene scene = FallingTable();
  scene.bodies[0].position = {1, -0.05, 0};
  scene.bodies[0].orientation.setIdentity();
  scene.obstacles.push_back({"floor", Plane{}, Path::Still(Vector3d::Zero()), 0.4});
  scene.forces.push_back({.name = "push", .point = {0, 2}, .force = {30, -20, 0}});
  MatrixTable modes = TableModes();
  for (NamedMatrix& mode : modes.entries) mode.scalars["damping"] = 15.0;
  KeyFrameTable table = Dash();
  table.keys[0].pin = 5;
  // To first order: springs of contact are potentials, and semi-implicit Euler sees them where a step
  // begins.
  Observation o;
  double last = 0.0;
  for (const double h : {1e-3, 5e-4, 2.5e-4}) {
    const auto simulation = Start(scene, modes, table, "semi-implicit-euler");
    const double before = Balance(scene, Observed(*simulation));
    o = RunFor(simulation.get(), h, static_cast<int>(std::lround(0.8 / h)));
    const double residual = std::abs(Balance(scene, o) - before);
    EXPECT_LT(residual, 0.6 * h / 1e-3);  // J, of 1400 J
    if (last > 0.0) {
      EXPECT_GT(std::log2(last / residual), 0.75) << h;
    }
    last = residual;
  }
  EXPECT_GT(std::abs((*o.work)[WorkClass::kForce]), 1.0);
  EXPECT_LT((*o.work)[WorkClass::kDamping], -1.0);
  EXPECT_GT(std::abs((*o.work)[WorkClass::kContact]), 0.1);
}

TEST(KeyFrames, SavedWhileLedItContinuesBitForBitThroughTheHandOver) {
  const auto first = Start(FallingSheet(), SheetModes(), Tumble());
  const auto second = Start(FallingSheet(), SheetModes(), Tumble());
  ExpectContinuesBitForBit(first.get(), second.get(), 0.01, 37, 80);
}

TEST(KeyFrames, ALastKeyWithinAStepSetsTheBodyFreeAtTheEndOfTheStepBefore) {
  const Scene scene = FallingTable();
  KeyFrameTable table = Dash();
  table.keys.back().time = 0.8005;
  const auto simulation = Start(scene, TableModes(), table);
  RunFor(simulation.get(), 0.001, 800);
  const double work = (*Observed(*simulation).work)[WorkClass::kControl];
  EXPECT_EQ((*RunFor(simulation.get(), 0.001, 5).work)[WorkClass::kControl], work);
}

TEST(KeyFrames, ThePosesOfABodyBeginWhenItIsFree) {
  ControlTable control;
  control.servos = {{"vertical squash", 3000.0, 40.0, -1.0, 1.0}};
  for (const char* name : {"low", "high"}) {
    ControlTable::Entry pose;
    pose.name = name;
    pose.targets = {{"vertical squash", 0.2}};
    pose.duration = 0.3;
    control.poses.push_back(pose);
  }
  ParameterValues parameters = With(TableModes(), "rk4");
  parameters["keyframes"] = Dash();  // until 0.8 s
  parameters["control"] = control;
  const auto simulation = Translated(FallingTable(), parameters).simulation;
  EXPECT_EQ(*RunFor(simulation.get(), 0.01, 80).extras[4], 0.0);
  EXPECT_EQ(*RunFor(simulation.get(), 0.01, 29).extras[4], 0.0);  // 1.09 s
  EXPECT_EQ(*RunFor(simulation.get(), 0.01, 2).extras[4], 1.0);   // 1.11 s
}

TEST(KeyFrames, AreRefusedWithTheirPlace) {
  const auto problem = [](const KeyFrameTable& table) {
    ParameterValues parameters = With(TableModes(), "rk4");
    parameters["keyframes"] = table;
    return reference::ProblemOf([&] { Translated(FallingTable(), parameters); });
  };
  KeyFrameTable table = Dash();
  std::swap(table.keys[1], table.keys[2]);
  EXPECT_EQ(problem(table).where, "keyframes.key[2].time");
  EXPECT_THAT(problem(table).what, testing::HasSubstr("must increase"));
  table = Dash();
  table.keys[1].pose = {{"horizontal bent", 0.2}};
  EXPECT_EQ(problem(table).where, "keyframes.key[1].pose.horizontal bent");
  EXPECT_EQ(problem(table).mend, "did you mean 'horizontal bend'?");
  table = Dash();
  table.keys[1].pin = 11;
  EXPECT_EQ(problem(table).where, "keyframes.key[1].pin");
  table = Dash();
  table.keys.resize(1);
  EXPECT_EQ(problem(table).where, "keyframes.key");
  table = Dash();
  table.keys[0].time = 0.1;
  EXPECT_EQ(problem(table).where, "keyframes.key[0].time");
  table = Dash();
  table.body = "tabel";
  EXPECT_EQ(problem(table).where, "keyframes.body");
  table = Dash();
  table.keys[2].axis = {0, 1, 0};
  EXPECT_EQ(problem(table).where, "keyframes.key[2].turn");
}

}  // namespace
}  // namespace pliant::dynamic_ffd
