// Editing an experiment; no window.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QUndoStack>
#include <tuple>

#include "app/workbench/edits/experiment_edit.h"
#include "app/workbench/edits/hand_gesture.h"
#include "app/workbench/edits/open_experiment.h"
#include "experiments/bundles/storage.h"
#include "tests/app/workbench/series.h"
#include "tests/experiments/bundles/scratch.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kDrop[] = "experiments/drop.toml";
constexpr char kPress[] = "experiments/press.toml";

const EditableValue* Find(const std::vector<EditableGroup>& groups,
                          const std::vector<std::string>& path) {
  for (const EditableGroup& group : groups) {
    for (const EditableValue& value : group.values) {
      if (value.path == path) return &value;
    }
  }
  return nullptr;
}

TEST(ExperimentEditTest, TellsEachParameterAsTheBackendDoes) {
  const Experiment experiment = ReadExperiment(kDrop);
  const std::vector<EditableGroup> groups = EditableGroups(experiment);
  for (const BackendChoice& choice : experiment.backends) {
    for (const ParameterInfo& info : choice.backend->Parameters()) {
      if (IsDataTable(info.default_value)) continue;
      const EditableValue* value = Find(groups, {"backends", choice.label, info.name});
      ASSERT_NE(value, nullptr) << info.name;
      EXPECT_THAT(value->meaning, StartsWith(info.meaning));  // then when it counts
      EXPECT_EQ(value->unit, info.unit == "1" ? "" : info.unit);
      EXPECT_FALSE(value->standard.empty());
    }
  }
  const EditableValue* stiffness = Find(groups, {"backends", "dynamic-ffd", "contact_stiffness"});
  EXPECT_EQ(stiffness->value, "40000.0");
  EXPECT_EQ(stiffness->range, "at least 0");
  const EditableValue* gravity = Find(groups, {"scene", "gravity"});
  ASSERT_NE(gravity, nullptr);
  EXPECT_EQ(gravity->unit, "m/s²");
  EXPECT_FALSE(gravity->meaning.empty());
  EXPECT_NE(Find(groups, {"run", "duration"}), nullptr);
  EXPECT_NE(Find(groups, {"scene", "obstacle", "0", "friction"}), nullptr);
}

TEST(ExperimentEditTest, KeepsVariantsOfTheSceneAndTakesNoHandsThere) {
  const Experiment experiment =
      ReadExperiment(kDrop, {"run.duration=0.05", "backends.dynamic-ffd.scene.gravity=[0,-1,0]"});
  const auto edited = WithValue(experiment, {"scene", "gravity"}, "[0, -5, 0]");
  EXPECT_EQ(edited->scene->gravity.y(), -5.0);
  for (size_t i = 0; i < edited->backends.size(); ++i) {
    const bool own = edited->backends[i].label == "dynamic-ffd";
    EXPECT_EQ(SceneOf(*edited, i)->gravity.y(), own ? -1.0 : -5.0);
  }
  HandGesture gesture;
  EXPECT_THROW(WithGesture(experiment, gesture), BadInput);
}

TEST(ExperimentEditTest, AChangeIsReadLikeAFile) {
  const Experiment experiment = ReadExperiment(kDrop, {"run.duration=0.05"});
  const auto edited =
      WithValue(*WithValue(experiment, {"backends", "dynamic-ffd", "contact_stiffness"}, "3e4"),
                {"scene", "obstacle", "0", "friction"}, "0.25");
  const Experiment expected =
      ReadExperiment(kDrop, {"run.duration=0.05", "backends.dynamic-ffd.contact_stiffness=3e4",
                             "scene.obstacle.0.friction=0.25"});
  EXPECT_EQ(edited->scene->obstacles[0].friction, 0.25);
  for (const size_t i : {0, 2}) ExpectSameSeries(*edited, expected, i);
  // What is refused is refused as in a file.
  for (const auto& [path, toml, words] :
       std::vector<std::tuple<std::vector<std::string>, std::string, std::string>>{
           {{"backends", "dynamic-ffd", "contact_stiffness"}, "-1", "out of range"},
           {{"backends", "dynamic-ffd", "contact_stiffness"}, "\"soft\"", "expected number"},
           {{"backends", "dynamic-ffd", "integrator"}, "\"rk5\"", "rk4"},
           {{"run", "step"}, "0", "more than 0"},
           {{"scene", "gravity"}, "[0, 0", "not a TOML value"}}) {
    try {
      WithValue(experiment, path, toml);
      ADD_FAILURE() << toml << " was taken";
    } catch (const FileError& refusal) {
      EXPECT_THAT(refusal.what(), HasSubstr(words));
    }
  }
}

TEST(ExperimentEditTest, TheSavedFileRunsAlike) {
  const ScratchFolder folder;
  for (const char* file : {kDrop, kPress}) {
    const Experiment experiment = ReadExperiment(file, {"run.duration=0.04"});
    const auto edited = WithValue(experiment, {"scene", "gravity"}, "[0.0, -3.0, 0.0]");
    WriteFile(folder / "saved.toml", ToToml(*edited));
    const Experiment saved = ReadExperiment(folder / "saved.toml");
    EXPECT_EQ(saved.backends.size(), experiment.backends.size());
    EXPECT_EQ(saved.scene->gravity.y(), -3.0);
    for (size_t i = 0; i < saved.backends.size(); ++i) ExpectSameSeries(*edited, saved, i);
  }
}

// Every gesture is an element of the scene that a file can say; it does something, and nothing
// before it begins.
TEST(HandGestureTest, IsPartOfTheExperiment) {
  const ScratchFolder folder;
  const Experiment experiment = ReadExperiment(kPress, {"run.duration=0.04"});
  HandGesture gesture;
  gesture.at = experiment.scene->InitialPoints().col(41);
  gesture.by = {0.0, 0.3, 0.1};
  gesture.time = 0.01;
  gesture.point = 41;
  std::shared_ptr<const Experiment> edited;
  const auto with = [&](HandTool tool, double strength) {
    gesture.tool = tool;
    gesture.strength = strength;
    gesture.point = 42;  // one point is not nailed twice
    edited = WithGesture(experiment, gesture);
    gesture.point = 41;
    edited = WithGesture(*edited, gesture);
    WriteFile(folder / "saved.toml", ToToml(*edited));
    ExpectSameSeries(*edited, ReadExperiment(folder / "saved.toml"), 1);
    const std::vector<SeriesRow> after = RowsOf(*edited, 1), before = RowsOf(experiment, 1);
    EXPECT_EQ(after[0], before[0]) << Describe(gesture);
    EXPECT_NE(after.back(), before.back()) << Describe(gesture);
    return edited->scene;
  };
  const auto pulled = with(HandTool::kPull, 10.0);
  ASSERT_EQ(pulled->forces.size(), 2u);
  EXPECT_EQ(pulled->forces[0].name, "hand-1");
  EXPECT_EQ(pulled->forces[1].name, "hand-2");
  EXPECT_EQ(pulled->Index(pulled->forces[1].point), 41);
  EXPECT_EQ(pulled->forces[1].force, Eigen::Vector3d(0, 3, 1));
  EXPECT_EQ(pulled->forces[1].from, 0.01);
  EXPECT_EQ(pulled->forces[1].until, 0.01 + kPullTime);

  const auto struck = with(HandTool::kBlow, 2.0);
  ASSERT_EQ(struck->impulses.size(), 2u);
  EXPECT_EQ(struck->impulses[0].impulse, Eigen::Vector3d(0, 0.6, 0.2));
  EXPECT_EQ(struck->impulses[0].time, 0.01);

  const auto nailed = with(HandTool::kNail, 0.02);
  ASSERT_EQ(nailed->nails.size(), experiment.scene->nails.size() + 2);
  const Nail& nail = nailed->nails.back();
  EXPECT_EQ(nail.path.At(5.0).position, gesture.at + gesture.by);
  EXPECT_DOUBLE_EQ(nail.hold.from - nail.preroll, 0.01);
}

// The sphere touches nothing at first, is as deep as the drag in the middle, and goes.
TEST(HandGestureTest, APokeComesFromOutsideAndGoes) {
  const Experiment experiment = ReadExperiment(kDrop);  // planar
  HandGesture gesture{HandTool::kPoke, 0.2, 0, {0.5, 1.0, 0.0}, {0.0, -0.1, 0.0}, 0.3};
  const auto edited = WithGesture(experiment, gesture);
  ASSERT_EQ(edited->scene->obstacles.size(), experiment.scene->obstacles.size() + 1);
  const Obstacle& sphere = edited->scene->obstacles.back();
  EXPECT_EQ(std::get<Sphere>(sphere.shape).radius, 0.2);
  const auto foremost = [&](double time) { return sphere.motion.At(time).position.y() - 0.2; };
  for (const double away : {0.0, 0.3, 0.3 + kPokeTime, 2.0}) EXPECT_GE(foremost(away), 1.0 + 0.2);
  EXPECT_NEAR(foremost(0.3 + 0.5 * kPokeTime), 0.9, 1e-12);
  EXPECT_EQ(sphere.motion.At(0.4).position.x(), 0.5);
}

TEST(OpenExperimentTest, UndoesAndRedoes) {
  OpenExperiment open;
  int edits = 0;
  QString refused;
  QObject::connect(&open, &OpenExperiment::Edited, [&] { ++edits; });
  QObject::connect(&open, &OpenExperiment::Refused, [&](const QString& why) { refused = why; });
  open.Open(kDrop);
  EXPECT_FALSE(open.edited());
  EXPECT_TRUE(open.SetValue({"run", "duration"}, "1.0"));
  EXPECT_TRUE(open.edited());
  EXPECT_EQ(open.experiment()->plan.duration, 1.0);
  EXPECT_FALSE(open.SetValue({"run", "duration"}, "-1.0"));
  EXPECT_THAT(refused.toStdString(), HasSubstr("duration"));
  EXPECT_EQ(open.experiment()->plan.duration, 1.0);
  open.history()->undo();
  EXPECT_EQ(open.experiment()->plan.duration, 2.0);
  EXPECT_FALSE(open.edited());
  open.history()->redo();
  EXPECT_EQ(open.experiment()->plan.duration, 1.0);
  EXPECT_EQ(edits, 3);
}

TEST(OpenExperimentTest, ASceneOpensWithEveryFormulation) {
  OpenExperiment open;
  open.Open("data/scenes/press.toml");
  EXPECT_EQ(open.experiment()->backends.size(), Backends().size());
  EXPECT_EQ(open.experiment()->scene->name, "press");
  EXPECT_FALSE(open.edited());
}

TEST(OpenExperimentTest, ABrokenFileLeavesWhatWasOpen) {
  const ScratchFolder folder;
  WriteFile(folder / "broken.toml", "scene = \n");
  OpenExperiment open;
  open.Open(kDrop);
  const auto before = open.experiment();
  EXPECT_THROW(open.Open(folder / "broken.toml"), FileError);
  EXPECT_EQ(open.experiment(), before);
}

}  // namespace
}  // namespace pliant
