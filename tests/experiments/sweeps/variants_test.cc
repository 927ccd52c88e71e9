// Sweeps of an experiment in which a backend runs a variant of the scene: what reaches it, and what has no effect on it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/sweeps/ineffective_keys.h"
#include "experiments/sweeps/run_sweep.h"
#include "experiments/sweeps/sweep_table.h"
#include "tests/experiments/sweeps/sweeps.h"

namespace pliant {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kGravities[] = "values = [[0, -10, 0], [0, -2, 0]]\n";
constexpr char kFrictions[] = "values = [0.1, 0.2]\n";
constexpr char kSlow[] = "[backends.b.scene]\ngravity = [0, -1, 0]\n";

// Of backend "b" with these further lines.
std::vector<std::string> WarningsOf(const std::string& of_b, const std::string& sweep) {
  const ScratchFolder folder;
  return WarningsOf(FallingSweep(folder, Falling("a") + Falling("b", of_b), sweep));
}

TEST(SweepOfVariants, EachBackendRunsWhatItsOwnSceneHasOfThePoint) {
  const ScratchFolder folder;
  const Sweep sweep = FallingSweep(
      folder, Falling("a") + Falling("b", std::string("unset = ['scene.body.rope']\n") + kSlow),
      Vary("scene.gravity", kGravities) + Vary("scene.obstacle.floor.friction", kFrictions));
  ASSERT_EQ(sweep.points.size(), 4u);
  for (const SweepPoint& point : sweep.points) {
    const Scene& own = *SceneOf(point.experiment, 1);
    EXPECT_EQ(own.gravity.y(), -1.0);
    EXPECT_EQ(own.bodies.size(), 1u);
    EXPECT_EQ(own.obstacles.at(0).friction, point.experiment.scene->obstacles.at(0).friction);
  }
  EXPECT_EQ(sweep.points[3].experiment.scene->gravity.y(), -2.0);
  EXPECT_EQ(sweep.points[3].experiment.scene->obstacles.at(0).friction, 0.2);
}

TEST(SweepOfVariants, AKeyOfTheVariantIsVariedByItsOwnName) {
  const ScratchFolder folder;
  const Sweep sweep =
      FallingSweep(folder, Falling("a") + Falling("b", kSlow),
                   "[sweep]\ncombine = 'zip'\n" + Vary("scene.gravity", kGravities) +
                       Vary("backends.b.scene.gravity", "values = [[0, -3, 0], [0, -4, 0]]\n"));
  ASSERT_EQ(sweep.points.size(), 2u);
  EXPECT_EQ(sweep.points[1].experiment.scene->gravity.y(), -2.0);
  EXPECT_EQ(SceneOf(sweep.points[1].experiment, 1)->gravity.y(), -4.0);
  EXPECT_THAT(WarningsOf(sweep), IsEmpty());
  // And runs: ½ g t² below its path without gravity.
  const std::vector<SweepRun> runs = RunSweep(sweep, folder / "runs", {});
  const Bundle last = Bundle::Open(runs[3].run.bundle, TestBackends());
  EXPECT_NEAR(last.Points(last.frame_count() - 1)(1, 0), 0.5 + 2.0 * 0.2 - 0.5 * 4.0 * 0.04, 1e-12);
}

TEST(SweepOfVariants, AKeyThatTheVariantSetsIsAWarningThatSaysWhatToWrite) {
  const std::vector<std::string> warnings = WarningsOf(kSlow, Vary("scene.gravity", kGravities));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(
      warnings[0],
      "scene.gravity has no effect on the backend 'b', whose variant of the scene has gravity = "
      "[0, -1, 0]; vary backends.b.scene.gravity too (combine = \"zip\" pairs the values)");
}

TEST(SweepOfVariants, WhatTheVariantDoesNotSetIsNoWarning) {
  for (const std::string of_b :
       {"", kSlow, "unset = ['scene.body.rope']\n", "[backends.b.scene]\nbody.net.mass = 9\n",
        "[backends.b.scene]\nobstacle.floor.position = [0, -1, 0]\n"}) {
    EXPECT_THAT(WarningsOf(of_b, Vary("scene.obstacle.floor.friction", kFrictions)), IsEmpty())
        << of_b;
    EXPECT_THAT(WarningsOf(of_b, Vary("scene.obstacle.0.friction", kFrictions)), IsEmpty()) << of_b;
    EXPECT_THAT(WarningsOf(of_b, Vary("run.step", "values = [0.01, 0.02]\n")), IsEmpty()) << of_b;
  }
  // By its number in the scene, which is another one in the variant.
  EXPECT_THAT(WarningsOf("unset = ['scene.body.net']\n",
                         Vary("scene.body.1.mass", "values = [2.0, 3.0]\n")),
              IsEmpty());
  // Beside what the variant has of the same body.
  EXPECT_THAT(WarningsOf("[backends.b.scene]\nbody.net.mass = 9\n",
                         Vary("scene.body.net",
                              "values = [{velocity = [0, 1, 0]}, "
                              "{velocity = [0, 2, 0]}]\n")),
              IsEmpty());
}

TEST(SweepOfVariants, WhatTheVariantReplacesOrDoesWithoutIsAWarning) {
  const auto friction = Vary("scene.obstacle.floor.friction", kFrictions);
  EXPECT_THAT(WarningsOf("unset = ['scene.obstacle.floor']\n", friction),
              ElementsAre(AllOf(
                  StartsWith("scene.obstacle.floor.friction has no effect on the backend 'b', "
                             "whose variant of the scene does without it"),
                  HasSubstr("leave 'b' out by --backend"), Not(HasSubstr("vary ")))));
  EXPECT_THAT(
      WarningsOf("[[backends.b.scene.obstacle]]\nname = 'floor'\nshape = 'plane'\nfriction = 0.7\n",
                 friction),
      ElementsAre(HasSubstr("has obstacle.floor.friction = 0.7; vary "
                            "backends.b.scene.obstacle.floor.friction too")));
  // By its number, of which the variant has another element.
  EXPECT_THAT(WarningsOf("unset = ['scene.body.net']\n",
                         Vary("scene.body.0.mass", "values = [1.0, 2.0]\n")),
              ElementsAre(HasSubstr("scene.body.0.mass has no effect")));
  // Of a table, the part that has none.
  EXPECT_THAT(WarningsOf("[backends.b.scene]\nbody.net.mass = 9\n",
                         Vary("scene.body.net", "values = [{mass = 1}, {mass = 2}]\n")),
              ElementsAre(HasSubstr("scene.body.net.mass has no effect")));
}

TEST(SweepOfVariants, AStepOfItsOwnIsAWarningThatSaysWhatToWrite) {
  const std::string vary = Vary("run.step", "values = [0.01, 0.02]\n");
  EXPECT_THAT(
      WarningsOf("step = 0.005\n", vary),
      ElementsAre("run.step has no effect on the backend 'b', which has step = 0.005 of its "
                  "own; vary backends.b.step too (combine = \"zip\" pairs the values)"));
  EXPECT_THAT(WarningsOf("step = 0.005\n", "[sweep]\ncombine = 'zip'\n" + vary +
                                               Vary("backends.b.step", "values = [0.005, 0.01]\n")),
              IsEmpty());
}

TEST(SweepOfVariants, AnotherSceneFileIsAWarningForEveryKeyOfTheScene) {
  const ScratchFolder folder;
  FallingExperiment(folder, Falling("a"));
  WriteFile(folder / "other.toml", ReadFile(folder / "net.toml"));
  const Sweep sweep = FallingSweep(folder, Falling("a") + Falling("b", "scene = 'other.toml'\n"),
                                   Vary("scene.gravity", kGravities));
  EXPECT_THAT(WarningsOf(sweep), ElementsAre(HasSubstr("vary backends.b.scene.gravity too")));
  const Sweep both = FallingSweep(folder, Falling("a") + Falling("b", "scene = 'other.toml'\n"),
                                  "[sweep]\ncombine = 'zip'\n" + Vary("scene.gravity", kGravities) +
                                      Vary("backends.b.scene.gravity", kGravities));
  EXPECT_THAT(WarningsOf(both), IsEmpty());
  EXPECT_EQ(SceneOf(both.points[1].experiment, 1)->gravity.y(), -2.0);
}

TEST(SweepOfVariants, TheTableNamesTheKeysWithoutEffectInTheRowsOfTheBackend) {
  const ScratchFolder folder;
  const auto csv = [&](const std::string& of_b) {
    const Sweep sweep = FallingSweep(
        folder, Falling("a") + Falling("b", of_b),
        Vary("scene.gravity", kGravities) + Vary("scene.obstacle.floor.friction", kFrictions));
    return SweepCsv(sweep, CollectSweep(sweep, RunSweep(sweep, folder / "runs", {})));
  };
  const std::string marked = csv(kSlow);
  EXPECT_THAT(marked, StartsWith("point,scene.gravity,scene.obstacle.floor.friction,without_effect,"
                                 "label,"));
  EXPECT_THAT(marked, HasSubstr("\"[0, -10, 0]\",0.1,scene.gravity,b,"));
  EXPECT_THAT(marked, HasSubstr("\"[0, -10, 0]\",0.1,,a,"));
  EXPECT_THAT(csv(""), StartsWith("point,scene.gravity,scene.obstacle.floor.friction,label,"));
}

}  // namespace
}  // namespace pliant
