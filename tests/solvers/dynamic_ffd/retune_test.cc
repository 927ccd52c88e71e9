// A simulation that takes another control without a new translation: what it does is what a new one
// does, to the last bit.

#include "solvers/retunable.h"

#include <gtest/gtest.h>

#include "solvers/control/tables.h"
#include "tests/observed.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::VectorXd;

constexpr double kRetunedStep = 1e-3;  // s

// The table dropped on the ground, two of its modes under control; "low" when the sensor feels it.
Scene Dropped() {
  Scene scene = TableScene();
  scene.gravity = {0, -9.81, 0};
  scene.bodies[0].position = {0, 0.05, 0};
  scene.obstacles.push_back({"ground", Plane{}, Path::Still(Eigen::Vector3d::Zero()), 0.5});
  return scene;
}

ControlTable Poses() {
  ControlTable table;
  table.servos = {{"vertical shear", 4000.0, 100.0, -1.0, 1.0},
                  {"vertical squash", 5000.0, 120.0, -1.0, 1.0}};
  table.sensors = {{"low", Sensor::Kind::kBelow, {}, 1.0}};
  ControlTable::Entry rest, crouch, leap;
  rest.name = "rest";
  rest.duration = 0.05;
  crouch.name = "crouch";
  crouch.targets = {{"vertical squash", 0.3}};
  crouch.next = {{"leap", {}, "low"}};
  leap.name = "leap";
  leap.targets = {{"vertical shear", -0.2}, {"vertical squash", -0.3}};
  leap.duration = 0.08;
  table.poses = {rest, crouch, leap};
  return table;
}

ParameterValues Controlled(const ControlTable& control) {
  ParameterValues parameters = With(TableModes(), "semi-implicit-euler");
  parameters["control"] = control;
  return parameters;
}

VectorXd StateAfter(Simulation* simulation, int steps) {
  RunFor(simulation, kRetunedStep, steps);
  return simulation->Save();
}

// What a simulation of `scene` that has run with Poses() and restarts with `control` ends with;
// held against a new translation on the way.
VectorXd Retuned(const Scene& scene, ParameterValues parameters, const ControlTable& control) {
  const Translation used = Translated(scene, parameters);
  const VectorXd start = used.simulation->Save();
  StateAfter(used.simulation.get(), 120);
  used.simulation->Restore(start);
  EXPECT_TRUE(used.simulation->AsRetunable()->Retune({{"control", control}}));
  parameters["control"] = control;
  const Translation fresh = Translated(scene, parameters);
  EXPECT_EQ(used.simulation->Save(), fresh.simulation->Save());
  const VectorXd end = StateAfter(used.simulation.get(), 300);
  EXPECT_EQ(end, StateAfter(fresh.simulation.get(), 300));
  EXPECT_EQ(*Observed(*used.simulation).extras[3], *Observed(*fresh.simulation).extras[3]);
  return end;
}

TEST(Retune, DoesWhatANewTranslationDoes) {
  const Scene scene = Dropped();
  const VectorXd before = Retuned(scene, Controlled(Poses()), Poses());
  ControlTable times = Poses(), targets = Poses(), gains = Poses(), sensor = Poses();
  times.poses[0].duration = 0.11;
  targets.poses[2].targets["vertical shear"] = 0.4;
  gains.servos[1].stiffness = 8000.0;
  gains.servos[0].damping = 10.0;
  sensor.sensors[0].threshold = 1.4;  // it reads true from the start, and has to turn false first
  for (const ControlTable& control : {times, targets, gains, sensor}) {
    EXPECT_NE(Retuned(scene, Controlled(Poses()), control), before);
  }
}

TEST(Retune, TakesAwayAndGivesControl) {
  const VectorXd without = Retuned(Dropped(), Controlled(Poses()), {});
  const VectorXd with = Retuned(Dropped(), Controlled({}), Poses());
  EXPECT_LT(without.size(), with.size());  // of a controller there is a state too
  EXPECT_NE(without, VectorXd(with.head(without.size())));
}

TEST(Retune, ReachesEveryStageOfTheModes) {
  ParameterValues parameters = Controlled(Poses());
  parameters["change_modes_at"] = std::vector<double>{0.1};
  parameters["change_modes_to"] =
      std::vector<std::string>{"vertical squash, horizontal bend, vertical shear"};
  ControlTable control = Poses();
  control.poses[2].targets["vertical squash"] = -0.5;
  control.servos[0].stiffness = 2000.0;
  EXPECT_NE(Retuned(Dropped(), parameters, control), Retuned(Dropped(), parameters, Poses()));
}

TEST(Retune, LeavesWhatNeedsATranslationAsItIs) {
  const Translation plain = Translated(Dropped(), Controlled(Poses()));
  const Translation asked = Translated(Dropped(), Controlled(Poses()));
  ControlTable other = Poses();
  other.servos[0].stiffness = 2000.0;
  Retunable& retunable = *asked.simulation->AsRetunable();
  EXPECT_FALSE(retunable.Retune({{"contact_stiffness", 100.0}}));
  EXPECT_FALSE(retunable.Retune({{"contact_stiffness", 100.0}, {"control", other}}));
  EXPECT_FALSE(retunable.Retune({{"control", 1.0}}));
  EXPECT_FALSE(retunable.Retune({}));
  EXPECT_EQ(StateAfter(asked.simulation.get(), 200), StateAfter(plain.simulation.get(), 200));
}

TEST(Retune, RefusesWhatATranslationRefusesAndStaysAsItWas) {
  ParameterValues parameters = Controlled(Poses());
  parameters["change_modes_at"] = std::vector<double>{0.1};
  parameters["change_modes_to"] = std::vector<std::string>{"vertical squash, vertical shear"};
  const Translation plain = Translated(Dropped(), parameters);
  const Translation asked = Translated(Dropped(), parameters);
  ControlTable far = Poses(), unknown = Poses(), gone = Poses();
  far.poses[1].targets["vertical squash"] = 3.0;
  unknown.servos[0].name = "vertical sheer";
  gone.servos[0].name = "horizontal bend";  // a mode of the first stage only
  for (ControlTable::Entry& pose : gone.poses) pose.targets.erase("vertical shear");
  for (const ControlTable& control : {far, unknown, gone}) {
    EXPECT_THROW(asked.simulation->AsRetunable()->Retune({{"control", control}}), BadInput);
  }
  EXPECT_EQ(StateAfter(asked.simulation.get(), 200), StateAfter(plain.simulation.get(), 200));
}

}  // namespace
}  // namespace pliant::dynamic_ffd
