// Pose graphs and key frames of several bodies in one file each.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "experiments/experiment/experiment.h"
#include "tests/experiments/experiment/samples.h"

namespace pliant {
namespace {

using samples::Folder;
using samples::Replaced;
using testing::HasSubstr;

// Absolute: the files written here stand elsewhere.
const std::string kSourceRoot = std::filesystem::absolute(PLIANT_SOURCE_DIR).string();

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
file = ")" + kSourceRoot + R"(/data/shapes/table.toml"
[[scene.body]]
name = "right"
shape = "profile"
file = ")" + kSourceRoot + R"(/data/shapes/table.toml"
position = [5, 0]
[backends.dynamic-ffd]
modes = ")" + kSourceRoot + R"(/data/modes/table.toml"
control = "poses.toml"
keyframes = "keys.toml"
)");
}

std::string SaidOf(const std::filesystem::path& experiment) {
  try {
    TranslateFor(ReadExperiment(experiment), 0);
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

TEST(SeveralControls, ReadBackAlike) {
  const Folder folder;
  const Experiment experiment = ReadExperiment(WriteTwoTables(folder, kTwoGraphs, kTwoMotions));
  const auto& control = std::get<ControlTable>(experiment.backends[0].parameters.at("control"));
  ASSERT_EQ(control.several.size(), 2u);
  EXPECT_EQ(control.several[0].sensors.at(0).threshold, 0.05);
  EXPECT_EQ(control.several[1].body, "right");
  const std::string resolved = experiment.Resolved(0);
  const Experiment again = ReadExperiment(folder.Write("resolved.toml", resolved));
  EXPECT_EQ(again.Resolved(0), resolved);
  const auto first = TranslateFor(experiment, 0).simulation;
  const auto second = TranslateFor(again, 0).simulation;
  for (int i = 0; i < 300; ++i) {
    first->Advance(0.001);
    second->Advance(0.001);
  }
  EXPECT_EQ(first->Save(), second->Save());
}

TEST(SeveralControls, TellSlipsAtTheirLine) {
  struct {
    bool poses;
    const char *from, *to, *at;
    std::vector<const char*> says;
  } const slips[] = {
      {true,
       "body = \"right\"",
       "body = \"left\"",
       "body = \"left\"\n[[controller.servo]]\nmode = \"hor",
       {"'left' already has a [[controller]]", "give each body one"}},
      {true,
       "body = \"right\"\n",
       "",
       "[[controller]]\n[[controller.servo]]",
       {"several bodies", "add body"}},
      {true,
       "[[controller]]\nbody = \"left\"",
       "start = \"in\"\n[[controller]]\nbody = \"left\"",
       "start =",
       {"unknown key 'start'"}},
      {true,
       "duration = 0.1\ntargets = {\"horizontal bend\" = 0.2}",
       "duration = 0.1\ntargets = {\"bend\" = 0.2}",
       "targets = {\"bend\"",
       {"no servo 'bend'"}},
      {false,
       "body = \"right\"",
       "body = \"left\"",
       "body = \"left\"\ninterpolation",
       {"'left' already has a [[motion]]"}},
      {false, "pin = 5", "pin = 11", "pin = 11", {"no point 11"}},
  };
  for (const auto& slip : slips) {
    SCOPED_TRACE(slip.to);
    const Folder folder;
    const std::string text = Replaced(slip.poses ? kTwoGraphs : kTwoMotions, slip.from, slip.to);
    const std::string said = SaidOf(
        WriteTwoTables(folder, slip.poses ? text : kTwoGraphs, slip.poses ? kTwoMotions : text));
    const size_t at = text.find(slip.at);
    ASSERT_NE(at, std::string::npos);
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(at), '\n');
    EXPECT_THAT(
        said, HasSubstr((slip.poses ? "poses.toml:" : "keys.toml:") + std::to_string(line) + ":"));
    for (const char* word : slip.says) EXPECT_THAT(said, HasSubstr(word));
  }
  const Folder folder;
  EXPECT_THAT(SaidOf(WriteTwoTables(folder, "controller = []\n", kTwoMotions)),
              HasSubstr("there is no [[controller]]"));
}

}  // namespace
}  // namespace pliant
