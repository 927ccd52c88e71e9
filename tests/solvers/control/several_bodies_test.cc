// Several bodies of a scene under control or led, and what each mode has spent.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "solvers/control/tables.h"
#include "solvers/dynamic_ffd/ffd_simulation.h"
#include "tests/observed.h"
#include "tests/reference/complaints.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

// Two tables of different weight that stand apart on a floor.
Scene TwoTables() {
  Scene scene = TableScene();
  scene.gravity = {0, -9.81, 0};
  scene.obstacles.push_back({"floor", Plane{}, Path::Still(Vector3d::Zero()), 0.5});
  scene.bodies[0].name = "left";
  Body right = scene.bodies[0];
  right.name = "right";
  right.mass *= 1.5;
  right.position = {6, 0.05, 0};
  scene.bodies.push_back(right);
  return scene;
}

Scene Only(const Scene& scene, int body) {
  Scene only = scene;
  only.bodies = {scene.bodies[body]};
  return only;
}

ControlTable Nodding(const std::string& body, const std::string& mode, double period) {
  ControlTable table;
  table.body = body;
  table.servos = {{mode, 4000.0, 60.0, -1.0, 1.0}};
  ControlTable::Entry low, high;
  low.name = "low";
  low.targets = {{mode, 0.2}};
  low.duration = period;
  high = low;
  high.name = "high";
  high.targets = {{mode, -0.1}};
  table.poses = {low, high};
  return table;
}

// Tables under control, or led, by these.
ParameterValues Controlled(const std::vector<ControlTable>& several) {
  ParameterValues parameters = With(TableModes(), "semi-implicit-euler");
  ControlTable all;
  all.several = several;
  parameters["control"] = all;
  return parameters;
}

KeyFrameTable Stepping(const std::string& body, double end) {
  KeyFrameTable table;
  table.body = body;
  table.keys.resize(2);
  table.keys[0].pin = 5;
  table.keys[1].time = end;
  table.keys[1].pose = {{"horizontal bend", 0.2}};
  table.keys[1].turn = 0.2;
  return table;
}

TEST(SeveralBodies, EachFollowsThePoseGraphThatItWouldFollowAlone) {
  const Scene scene = TwoTables();
  const std::vector<ControlTable> both = {Nodding("right", "vertical shear", 0.11),
                                          Nodding("left", "vertical squash", 0.07)};
  ParameterValues parameters = Controlled(both);
  const auto together = Translated(scene, parameters).simulation;
  const Observation o = RunFor(together.get(), 1e-3, 400);
  for (const ControlTable& one : both) {
    const int body = one.body == "left" ? 0 : 1;
    parameters["control"] = one;
    const Observation alone =
        RunFor(Translated(Only(scene, body), parameters).simulation.get(), 1e-3, 400);
    EXPECT_LT((o.points.middleCols(11 * body, 11) - alone.points).norm(), 1e-9) << one.body;
    // Neither stands still as it would without.
    parameters["control"] = ControlTable();
    const Observation idle =
        RunFor(Translated(Only(scene, body), parameters).simulation.get(), 1e-3, 400);
    EXPECT_GT((idle.points - alone.points).norm(), 0.01) << one.body;
  }
}

TEST(SeveralBodies, TheActivePoseOfEachIsTold) {
  const std::vector<ControlTable> both = {Nodding("right", "vertical shear", 0.11),
                                          Nodding("left", "vertical squash", 0.07)};
  ParameterValues parameters = Controlled(both);
  const auto together = Translated(TwoTables(), parameters).simulation;
  const Observation o = RunFor(together.get(), 1e-3, 250);
  ASSERT_EQ(o.extras.size(), 16u);  // behind them contact forces of three pairs, and seven of plans
  EXPECT_EQ(*o.extras[4], 1.0);     // left, in its fourth pose of two
  EXPECT_EQ(*o.extras[5], 0.0);     // right, in its third
  parameters["control"] = both[0];
  const Observation one = Observed(*Translated(TwoTables(), parameters).simulation);
  EXPECT_FALSE(one.extras[4]);
  EXPECT_EQ(*one.extras[5], 0.0);
}

TEST(SeveralBodies, SavedBetweenTheirPosesTheyContinueBitForBit) {
  const ParameterValues parameters = Controlled(
      {Nodding("left", "vertical squash", 0.07), Nodding("right", "vertical shear", 0.11)});
  const auto first = Translated(TwoTables(), parameters).simulation;
  const auto second = Translated(TwoTables(), parameters).simulation;
  // Saved with left in its third pose, right in its second.
  ExpectContinuesBitForBit(first.get(), second.get(), 1e-3, 190, 200);
}

TEST(SeveralBodies, EachIsLedByItsOwnKeysUntilItsOwnEnd) {
  Scene scene = TwoTables();
  for (Body& body : scene.bodies) body.velocity = {0.3, 0, 0};
  ParameterValues parameters = With(TableModes(), "semi-implicit-euler");
  KeyFrameTable both;
  both.several = {Stepping("left", 0.3), Stepping("right", 0.1)};
  parameters["keyframes"] = both;
  Translation translation = Translated(scene, parameters);
  for (const auto& [element, end] :
       {std::pair{"body.left.velocity", "0.3 s"}, {"body.right.velocity", "0.1 s"}}) {
    const TranslatedElement entry = EntryOf(translation, element);
    EXPECT_EQ(entry.fidelity, Fidelity::kIgnored);
    EXPECT_THAT(entry.reason, testing::HasSubstr(end));
  }
  const Observation o = RunFor(translation.simulation.get(), 1e-3, 250);
  for (const int body : {0, 1}) {
    parameters["keyframes"] = both.several[body];
    const Observation alone =
        RunFor(Translated(Only(scene, body), parameters).simulation.get(), 1e-3, 250);
    EXPECT_LT((o.points.middleCols(11 * body, 11) - alone.points).norm(), 1e-9);
  }
}

// One is led while the other follows poses; modes change when one set of keys is over.
TEST(SeveralBodies, KeyFramesThatAreOverNameNoModesOfALaterSet) {
  ParameterValues parameters = With(TableModes(), "semi-implicit-euler");
  KeyFrameTable both;
  both.several = {Stepping("left", 0.1), Stepping("right", 0.2)};
  both.several[1].keys[1].pose = {{"vertical squash", 0.2}};
  parameters["keyframes"] = both;
  parameters["change_modes_at"] = std::vector<double>{0.1};
  parameters["change_modes_to"] = std::vector<std::string>{"vertical squash"};
  const auto simulation = Translated(TwoTables(), parameters).simulation;
  RunFor(simulation.get(), 1e-3, 200);
  const auto& ffd = dynamic_cast<const DynamicFfdSimulation&>(*simulation);
  EXPECT_NEAR(ffd.q().tail<1>()[0], 0.2, 1e-12);
  parameters["change_modes_to"] = std::vector<std::string>{"horizontal bend"};
  EXPECT_THAT([&] { Translated(TwoTables(), parameters); },
              testing::ThrowsMessage<BadInput>(
                  testing::HasSubstr("the body has no mode 'vertical squash'")));
}

template <typename Table>
Problem ProblemOf(const std::string& parameter, const Table& table) {
  ParameterValues parameters = With(TableModes(), "rk4");
  parameters[parameter] = table;
  return reference::ProblemOf([&] { Translated(TwoTables(), parameters); });
}

TEST(SeveralBodies, WhatMakesNoSenseIsRefusedAtItsPlace) {
  ControlTable control;
  control.several = {Nodding("left", "vertical squash", 0.1),
                     Nodding("left", "vertical shear", 0.1)};
  Problem problem = ProblemOf("control", control);
  EXPECT_EQ(problem.where, "control.controller[1].body");
  EXPECT_THAT(problem.what, testing::HasSubstr("'left' already has a [[controller]]"));
  control.several[1].body = "";
  problem = ProblemOf("control", control);
  EXPECT_EQ(problem.where, "control.controller[1].body");
  EXPECT_THAT(problem.what, testing::HasSubstr("several bodies"));
  control.several[1] = Nodding("right", "vertical sheer", 0.1);
  problem = ProblemOf("control", control);
  EXPECT_EQ(problem.where, "control.controller[1].servo[0].mode");
  EXPECT_EQ(problem.mend, "did you mean 'vertical shear'?");

  KeyFrameTable keys;
  keys.several = {Stepping("right", 0.1), Stepping("right", 0.2)};
  EXPECT_EQ(ProblemOf("keyframes", keys).where, "keyframes.motion[1].body");
  keys.several[1] = Stepping("left", 0.2);
  keys.several[1].keys[0].pin = 11;
  EXPECT_EQ(ProblemOf("keyframes", keys).where, "keyframes.motion[1].key[0].pin");
}

const ModeEnergy& EnergyOf(const Simulation& simulation, const std::string& mode) {
  for (const ModeEnergy& energy : simulation.mode_energies()) {
    if (energy.mode == mode) return energy;
  }
  ADD_FAILURE() << "no mode " << mode;
  static const ModeEnergy none;
  return none;
}

TEST(ModeEnergies, OfAModeAreWhatItsDampingTookAndItsPotentialHolds) {
  Scene scene = TableScene();
  MatrixTable modes = TableModes();
  for (NamedMatrix& mode : modes.entries) mode.scalars["damping"] = 20.0;
  modes.entries[0].scalars["initial"] = 0.2;
  modes.entries[2].scalars["initial"] = -0.3;
  const auto simulation = Translated(scene, With(modes, "rk4")).simulation;
  const auto& ffd = dynamic_cast<const DynamicFfdSimulation&>(*simulation);
  const VectorXd start = ffd.q().tail(4);
  // ∫ D γ̇² and ∫ |2 K γ + D γ̇| |γ̇| by the trapezoidal rule.
  const Eigen::Vector4d stiffness(400, 600, 900, 700);
  Eigen::Vector4d lost = Eigen::Vector4d::Zero(), spent = lost;
  const double h = 1e-4;
  for (int i = 0; i <= 5000; ++i) {
    const VectorXd gamma = ffd.q().tail(4), gamma_dot = ffd.v().tail(4);
    const double weight = i == 0 || i == 5000 ? 0.5 * h : h;
    lost += weight * 20.0 * gamma_dot.cwiseAbs2();
    spent +=
        weight *
        (2.0 * stiffness.cwiseProduct(gamma) + 20.0 * gamma_dot).cwiseProduct(gamma_dot).cwiseAbs();
    if (i < 5000) RunFor(simulation.get(), h, 1);
  }
  const VectorXd end = ffd.q().tail(4);
  double sum = 0.0, effort = 0.0;
  for (int k = 0; k < 4; ++k) {
    const ModeEnergy& energy = EnergyOf(*simulation, modes.entries[k].name);
    const double held = stiffness[k] * (end[k] * end[k] - start[k] * start[k]);
    EXPECT_NEAR(energy.work, -lost[k] - held, 1e-4) << energy.mode;
    EXPECT_NEAR(energy.spent, spent[k], 1e-6) << energy.mode;
    EXPECT_GT(energy.spent, std::abs(energy.work));
    sum += energy.work;
    effort += energy.spent;
  }
  const Observation o = Observed(*simulation);
  const double gained = *o.elastic_energy - stiffness.dot(start.cwiseAbs2());
  EXPECT_NEAR(sum, (*o.work)[WorkClass::kDamping] - gained, 1e-4);
  EXPECT_DOUBLE_EQ(*o.extras[3], effort);
}

TEST(ModeEnergies, CountServosAndAddUpOverBodiesThatHaveTheMode) {
  const Scene scene = TwoTables();
  const std::vector<ControlTable> both = {Nodding("left", "vertical squash", 0.07),
                                          Nodding("right", "vertical squash", 0.11)};
  ParameterValues parameters = Controlled(both);
  const auto together = Translated(scene, parameters).simulation;
  RunFor(together.get(), 1e-3, 200);
  ASSERT_EQ(together->mode_energies().size(), 4u);
  ModeEnergy sum{"vertical squash"};
  for (const int body : {0, 1}) {
    parameters["control"] = both[body];
    const auto alone = Translated(Only(scene, body), parameters).simulation;
    RunFor(alone.get(), 1e-3, 200);
    sum.spent += EnergyOf(*alone, "vertical squash").spent;
    sum.work += EnergyOf(*alone, "vertical squash").work;
  }
  EXPECT_NEAR(EnergyOf(*together, "vertical squash").spent, sum.spent, 1e-8 * sum.spent);
  EXPECT_NEAR(EnergyOf(*together, "vertical squash").work, sum.work, 1e-8 * sum.spent);
  EXPECT_GT(sum.work, 1.0);  // the servos drive
}

TEST(ModeEnergies, OfAModeThatComesAndGoesAreKept) {
  Scene scene = TableScene();
  scene.bodies[0].velocity = {1, 0, 0};
  MatrixTable modes = TableModes();
  modes.entries[0].scalars["initial"] = 0.2;
  ParameterValues parameters = With(modes, "rk4");
  parameters["use_modes"] = std::vector<std::string>{"vertical shear"};
  parameters["change_modes_at"] = std::vector<double>{0.1};
  parameters["change_modes_to"] = std::vector<std::string>{"vertical squash, horizontal bend"};
  const auto simulation = Translated(scene, parameters).simulation;
  ASSERT_EQ(simulation->mode_energies().size(), 3u);
  RunFor(simulation.get(), 1e-3, 100);
  const double spent = EnergyOf(*simulation, "vertical shear").spent;
  EXPECT_GT(spent, 1.0);
  EXPECT_EQ(EnergyOf(*simulation, "horizontal bend").spent, 0.0);
  const VectorXd state = simulation->Save();
  RunFor(simulation.get(), 1e-3, 100);
  EXPECT_EQ(EnergyOf(*simulation, "vertical shear").spent, spent);
  const double bent = EnergyOf(*simulation, "horizontal bend").spent;
  EXPECT_GT(bent, 0.0);
  simulation->Restore(state);
  EXPECT_EQ(EnergyOf(*simulation, "horizontal bend").spent, 0.0);
  RunFor(simulation.get(), 1e-3, 100);
  EXPECT_EQ(EnergyOf(*simulation, "horizontal bend").spent, bent);
}

TEST(InitialRate, AModeStartsAtItAndTheCentreOfMassAsTheSceneSays) {
  for (const char* origin : {"centre-of-mass", "lattice-corner"}) {
    for (const bool orthogonal : {false, true}) {
      Scene scene = TableScene();
      scene.bodies[0].velocity = {1.5, -0.5, 0};
      scene.bodies[0].angular_velocity = {0, 0, 0.7};
      MatrixTable modes = TableModes();
      modes.entries[0].scalars["initial"] = 0.1;
      ParameterValues parameters = With(modes, "rk4");
      parameters["origin"] = std::string(origin);
      parameters["orthogonal_modes"] = orthogonal;
      const Observation still = Observed(*Translated(scene, parameters).simulation);
      modes.entries[2].scalars["initial_rate"] = 0.4;
      parameters["modes"] = modes;
      const Observation moving = Observed(*Translated(scene, parameters).simulation);
      EXPECT_LT((moving.points - still.points).norm(), 1e-12);
      const VectorXd m = scene.Masses();
      EXPECT_LT((*moving.velocities * m / m.sum() - scene.bodies[0].velocity).norm(), 1e-12);
      // The rest is the rate of the squash: the points move as it displaces them, 0.4 times a
      // second.
      modes.entries[2].scalars["initial"] = 1e-5;
      modes.entries[2].scalars["initial_rate"] = 0.0;
      parameters["modes"] = modes;
      const Observation squashed = Observed(*Translated(scene, parameters).simulation);
      const Eigen::Matrix3Xd expected =
          *still.velocities + 0.4 * (squashed.points - still.points) / 1e-5;
      EXPECT_LT((*moving.velocities - expected).norm(), 1e-8) << origin << orthogonal;
    }
  }
}

TEST(InitialRate, IsToldInTheRecord) {
  MatrixTable modes = TableModes();
  modes.entries[2].scalars["initial_rate"] = 0.4;
  const Translation translation = Translated(TableScene(), With(modes, "rk4"));
  EXPECT_THAT(EntryOf(translation, "body.table").reason,
              testing::HasSubstr("starts deforming: vertical squash at 0.4/s"));
}

}  // namespace
}  // namespace pliant::dynamic_ffd
