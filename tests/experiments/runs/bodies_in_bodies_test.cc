// Bodies that end inside others, or beyond them: what a run says.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "experiments/bundles/storage.h"
#include "experiments/files/experiment.h"
#include "experiments/runs/run.h"
#include "experiments/runs/series.h"
#include "models/scene/shapes.h"
#include "tests/experiments/bundles/scratch.h"
#include "tests/scenes.h"

namespace pliant {
namespace {

using testing::HasSubstr;

std::optional<Sunk> SunkAfter(const Scene& scene, double down) {
  SeriesRecorder recorder(std::make_shared<const Scene>(scene), {});
  Observation o;
  o.points = scene.InitialPoints();
  recorder.Row(o, std::nullopt);
  o.time = 0.5;
  o.points.rightCols<8>().row(1).array() -= down;
  recorder.Row(o, std::nullopt);
  return recorder.sunk();
}

// Of cubes of 1 m, of which the upper begins half a metre above the lower.
TEST(BodiesInBodies, ABodyDeepInAnotherIsSunk) {
  Scene scene = SceneOf({MakeBlock("lower", {1, 1, 1}, {2, 2, 2}, 1.0),
                         MakeBlock("upper", {1, 1, 1}, {2, 2, 2}, 1.0)},
                        3);
  scene.bodies[1].position.y() = 1.5;
  EXPECT_FALSE(SunkAfter(scene, 0.6)) << "0.1 m deep, of a diagonal of 1.7 m";
  const std::optional<Sunk> sunk = SunkAfter(scene, 0.75);
  ASSERT_TRUE(sunk);
  EXPECT_EQ(std::set({sunk->body, sunk->other}), std::set<std::string>({"lower", "upper"}));
  EXPECT_EQ(sunk->obstacle, "");
  EXPECT_NEAR(sunk->depth, 0.25, 1e-9);
  EXPECT_NEAR(sunk->share, 0.25 / std::sqrt(3.0), 1e-9);
  EXPECT_EQ(sunk->time, 0.5);
  RunOutcome outcome;
  outcome.sunk = sunk;
  EXPECT_THAT(SunkInWords(outcome), HasSubstr("' is 0.25 m deep in body '"));
  // What is joined, or ignores each other, may lie in one another.
  Scene joined = scene;
  joined.contacts.push_back({.a = 0, .b = 1, .ignored = true});
  EXPECT_FALSE(SunkAfter(joined, 0.75));
}

RunOutcome OutcomeOf(const std::string& text, const std::vector<std::string>& changes = {}) {
  const ScratchFolder folder;
  WriteFile(folder / "scene.toml", text);
  const Experiment experiment = ReadExperiment(folder / "scene.toml", changes);
  const Translation translation = TranslateFor(experiment, 0);
  EXPECT_NE(translation.simulation, nullptr) << translation.record.WhyUnsupported();
  return Run(experiment, 0, translation.simulation.get(), {});
}

std::string RigidBlock(const std::string& name, const std::string& size,
                       const std::string& position, const std::string& velocity = "[0, 0, 0]") {
  return "[[scene.body]]\nname = '" + name + "'\nshape = 'block'\nsize = " + size +
         "\npoints = [2, 2, 2]\nmass = 1.0\nrigid = true\nposition = " + position +
         "\nvelocity = " + velocity + "\n";
}

// Springs of contact at points that are far from the place let two beams pass; no corner is inside either.
TEST(BodiesInBodies, BeamsThatPassEachOtherWentThrough) {
  const std::string beams =
      "title = 'beams'\n[run]\nduration = 0.3\nstep = 0.001\nrecord_every = 0.005\nmay_go_through "
      "= false\n"
      "[scene]\nname = 'beams'\ndimension = 3\ngravity = [0, 0, 0]\n" +
      RigidBlock("lying", "[0.8, 0.05, 0.05]", "[0, 0, 0]") +
      RigidBlock("thrown", "[0.05, 0.8, 0.05]", "[0, 0, 0.2]", "[0, 0, -2]") +
      "[backends.linear-deformation]\ncontact_stiffness = 4500\n";
  for (const char* step : {"run.step=0.001", "run.step=0.0005"}) {
    const RunOutcome outcome = OutcomeOf(beams, {step});
    EXPECT_EQ(outcome.kind, OutcomeKind::kWentThrough) << step;
    ASSERT_FALSE(outcome.events.empty());
    EXPECT_THAT(outcome.events[0].what, HasSubstr("went through body"));
  }
  const RunOutcome slow =
      OutcomeOf(beams, {"scene.body[1].velocity=[0, 0, -0.2]", "run.duration=0.8"});
  EXPECT_EQ(slow.kind, OutcomeKind::kCompleted) << "it is thrown back: " << slow.reason;
}

// A sweep a step does not hold a stack of three: the middle one ends inside the lower one.
TEST(BodiesInBodies, AStackThatSinksIntoItselfIsSaid) {
  std::string stack =
      "title = 'stack'\n[run]\nduration = 4\nstep = 0.001\nrecord_every = 0.05\n"
      "[scene]\nname = 'stack'\ndimension = 3\ngravity = [0, -9.81, 0]\n";
  for (const char* at : {"0.1", "0.3", "0.5"}) {
    stack += RigidBlock("at" + std::string(at).substr(2), "[0.2, 0.2, 0.2]",
                        "[0, " + std::string(at) + ", 0]");
  }
  stack +=
      "[[scene.obstacle]]\nname = 'floor'\nshape = 'plane'\nfriction = 0.5\n"
      "[scene.contact.at1.at3]\nfriction = 0.5\n[scene.contact.at3.at5]\nfriction = 0.5\n"
      "[backends.position-based]\nmax_sweeps = 1\n";
  const RunOutcome outcome = OutcomeOf(stack);
  ASSERT_TRUE(outcome.sunk);
  EXPECT_NE(outcome.sunk->other, "");
}

}  // namespace
}  // namespace pliant
