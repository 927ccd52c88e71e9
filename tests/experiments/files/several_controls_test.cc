// Pose graphs and key frames of several bodies in one file each.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "experiments/files/experiment.h"
#include "solvers/control/tables.h"
#include "tests/experiments/complaints.h"
#include "tests/experiments/files/samples.h"

namespace pliant {
namespace {

using samples::Folder;
using samples::Replaced;
using samples::SourceRoot;
using testing::HasSubstr;

// A scene of two tables, each with a pose graph of its own in one file.
constexpr char kTwoGraphs[] = R"([[controller]]
body = "left"
[[controller.servo]]
mode = "vertical shear"
stiffness = 900.0
damping = 40.0
[[controller.sensor]]
name = "late"
kind = "time"
time = 0.05
[[controller.pose]]
name = "wait"
targets = {}
[[controller.pose.next]]
to = "lean"
when = "late"
[[controller.pose]]
name = "lean"
targets = {"vertical shear" = 0.2}
final = true
[[controller]]
body = "right"
[[controller.servo]]
mode = "horizontal bend"
stiffness = 800.0
damping = 30.0
[[controller.pose]]
name = "in"
duration = 0.1
targets = {"horizontal bend" = 0.2}
[[controller.pose]]
name = "out"
duration = 0.1
targets = {"horizontal bend" = -0.2}
)";

constexpr char kTwoMotions[] = R"([[motion]]
body = "left"
[[motion.key]]
time = 0.0
[[motion.key]]
time = 0.05
displacement = [0, 0.1]
[[motion]]
body = "right"
interpolation = "linear"
[[motion.key]]
time = 0.0
pin = 5
[[motion.key]]
time = 0.1
turn = 0.2
)";

std::filesystem::path WriteTwoTables(const Folder& folder, const std::string& poses,
                                     const std::string& keys) {
  folder.Write("poses.toml", poses);
  folder.Write("keys.toml", keys);
  return folder.Write("tables.toml", R"([run]
duration = 0.2
step = 0.001
record_every = 0.1
[scene]
name = "tables"
dimension = 2
[[scene.body]]
name = "left"
shape = "profile"
file = ")" + SourceRoot() + R"(/data/shapes/table.toml"
[[scene.body]]
name = "right"
shape = "profile"
file = ")" + SourceRoot() + R"(/data/shapes/table.toml"
position = [5, 0]
[backends.dynamic-ffd]
modes = ")" + SourceRoot() + R"(/data/modes/table.toml"
control = "poses.toml"
keyframes = "keys.toml"
)");
}

TEST(SeveralControls, ReadBackAlike) {
  const Folder folder;
  const Experiment experiment = ReadExperiment(WriteTwoTables(folder, kTwoGraphs, kTwoMotions));
  const auto& control = *ValueAs<ControlTable>(experiment.backends[0].parameters.at("control"));
  ASSERT_EQ(control.several.size(), 2u);
  EXPECT_EQ(control.several[0].sensors.at(0).threshold, 0.05);
  EXPECT_EQ(control.several[1].body, "right");
  samples::ExpectReadsBackAlike(experiment, 300);
}

TEST(SeveralControls, TellSlipsAtTheirLine) {
  const auto told = [](const char* file, const char* from, const char* to, const char* at,
                       const std::vector<const char*>& says) {
    SCOPED_TRACE(to);
    const Folder folder;
    const bool poses = file == std::string("poses.toml");
    const std::string text = Replaced(poses ? kTwoGraphs : kTwoMotions, from, to);
    const std::string said = samples::TranslationErrorOf(
        WriteTwoTables(folder, poses ? text : kTwoGraphs, poses ? kTwoMotions : text));
    ExpectComplaint(said, (folder / file).string(), LineOfText(text, at), says);
  };
  told("poses.toml", "body = \"right\"", "body = \"left\"",
       "body = \"left\"\n[[controller.servo]]\nmode = \"hor",
       {"'left' already has a [[controller]]", "give each body exactly one"});
  told("poses.toml", "body = \"right\"\n", "", "[[controller]]\n[[controller.servo]]",
       {"several bodies", "add body"});
  told("poses.toml", "[[controller]]\nbody = \"left\"",
       "start = \"in\"\n[[controller]]\nbody = \"left\"", "start =", {"unknown key 'start'"});
  told("poses.toml", "duration = 0.1\ntargets = {\"horizontal bend\" = 0.2}",
       "duration = 0.1\ntargets = {\"bend\" = 0.2}", "targets = {\"bend\"", {"no servo 'bend'"});
  told("keys.toml", "body = \"right\"", "body = \"left\"", "body = \"left\"\ninterpolation",
       {"'left' already has a [[motion]]"});
  told("keys.toml", "pin = 5", "pin = 11", "pin = 11", {"no point 11"});
  // Every [[motion]] becomes one of a [[motion]].
  const Folder nested;
  std::string inside = kTwoMotions;
  for (size_t at = 0; (at = inside.find("[motion", at)) != std::string::npos; at += 15)
    inside.replace(at, 7, "[motion.motion");
  EXPECT_THAT(
      samples::TranslationErrorOf(WriteTwoTables(nested, kTwoGraphs, "[[motion]]\n" + inside)),
      HasSubstr("[[motion]] stands in [[motion]]"));
  const Folder folder;
  EXPECT_THAT(samples::TranslationErrorOf(WriteTwoTables(folder, "controller = []\n", kTwoMotions)),
              HasSubstr("there is no [[controller]]"));
}

}  // namespace
}  // namespace pliant
