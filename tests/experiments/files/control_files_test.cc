// Pose graphs and key frames in files: what Pliant brings along is right, slips are reported at their
// place, and a resolved experiment reads back.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "experiments/files/experiment.h"
#include "experiments/files/listing.h"
#include "solvers/control/tables.h"
#include "tests/experiments/complaints.h"
#include "tests/experiments/files/samples.h"

namespace pliant {
namespace {

using samples::Folder;
using samples::Replaced;
using samples::SourceRoot;

constexpr char kPoses[] = R"(# Two servos, two poses and a way out.
body = "table"
[[servo]]
mode = "vertical shear"
stiffness = 900.0
damping = 40.0
lower = -0.4
upper = 0.4
[[servo]]
mode = "horizontal bend"
stiffness = 800.0
damping = 30.0
[[sensor]]
name = "feet"
kind = "contact"
points = [5, 8]
[[pose]]
name = "crouch"
duration = 0.3
targets = {"vertical shear" = 0.2}
[[pose]]
name = "leap"
targets = {"horizontal bend" = -0.2}
[[pose.next]]
to = "crouch"
after = 0.25
[[pose.next]]
to = "rest"
when = "feet"
[[pose]]
name = "rest"
final = true
targets = {}
)";

constexpr char kKeys[] = R"(body = "table"
[[key]]
time = 0.0
pin = 5
[[key]]
time = 0.4
pose = {"horizontal bend" = 0.3}
displacement = [0.1, 0.2]
turn = 0.1
[[key]]
time = 0.8
displacement = [0.5, 0.4, 0]
)";

std::filesystem::path WriteExperiment(const Folder& folder, const std::string& poses,
                                      const std::string& keys) {
  folder.Write("poses.toml", poses);
  folder.Write("keys.toml", keys);
  return folder.Write("leap.toml", "scene = \"" + SourceRoot() + R"(/data/scenes/drop.toml"
[run]
duration = 0.2
step = 0.001
record_every = 0.1
[backends.dynamic-ffd]
modes = ")" + SourceRoot() + R"(/data/modes/table.toml"
control = "poses.toml"
keyframes = "keys.toml"
)");
}

TEST(ControlFiles, AreReadIntoASimulation) {
  const Folder folder;
  const Experiment experiment = ReadExperiment(WriteExperiment(folder, kPoses, kKeys));
  const auto& control = *ValueAs<ControlTable>(experiment.backends[0].parameters.at("control"));
  EXPECT_EQ(control.body, "table");
  ASSERT_EQ(control.servos.size(), 2u);
  EXPECT_EQ(control.servos[0].upper, 0.4);
  EXPECT_EQ(control.servos[1].stiffness, 800.0);
  ASSERT_EQ(control.poses.size(), 3u);
  EXPECT_EQ(control.poses[0].targets.at("vertical shear"), 0.2);
  EXPECT_EQ(control.poses[1].next[0].after, 0.25);
  EXPECT_EQ(control.poses[1].next[1].when, "feet");
  EXPECT_TRUE(control.poses[2].is_final);
  EXPECT_EQ(control.sensors[0].points, (std::vector<int>{5, 8}));
  const auto& keys = *ValueAs<KeyFrameTable>(experiment.backends[0].parameters.at("keyframes"));
  ASSERT_EQ(keys.keys.size(), 3u);
  EXPECT_EQ(keys.keys[0].pin, 5);
  EXPECT_EQ(keys.keys[1].displacement, Eigen::Vector3d(0.1, 0.2, 0.0));
  EXPECT_EQ(keys.keys[1].turn, 0.1);
  const Translation translation = TranslateFor(experiment, 0);
  ASSERT_NE(translation.simulation, nullptr);
  EXPECT_EQ(translation.simulation->Advance(0.001).kind, StepOutcome::Kind::kAdvanced);
}

// Each file is called by its body.
TEST(ControlFiles, OfPliantFitTheirBodies) {
  int files = 0;
  for (const ListedFile& file : ListScenes(SourceRoot() + "/data/poses")) {
    SCOPED_TRACE(file.file.string());
    ++files;
    const bool keys = file.name == "table-cliff" || file.name == "table-modes";
    const bool lamp = file.name.starts_with("lamp-");
    const Folder folder;
    const auto experiment =
        lamp ? std::filesystem::path(SourceRoot()) / "experiments/chitimalli-2008/lamp-dance.toml"
             : WriteExperiment(folder, "", "");
    const std::string key =
        std::string(lamp ? "consistent" : "dynamic-ffd") + (keys ? ".keyframes" : ".control");
    std::vector<std::string> changes = {"backends." + key + "=\"" + file.file.string() + "\""};
    if (file.name.starts_with("pot-")) {
      changes.push_back("scene=\"" + SourceRoot() + "/data/scenes/worm.toml\"");
      changes.push_back("backends.dynamic-ffd.modes=\"" + SourceRoot() + "/data/modes/pot.toml\"");
    }
    const Experiment read = ReadExperiment(experiment, changes);
    EXPECT_NE(TranslateFor(read, 0).simulation, nullptr);
  }
  EXPECT_GE(files, 3);
}

TEST(ControlFiles, ResolvedTheyReadBackAlike) {
  const Folder folder;
  const Experiment experiment = ReadExperiment(WriteExperiment(folder, kPoses, kKeys));
  samples::ExpectReadsBackAlike(experiment, 900);
}

// A mistake in one of the two files, the text the message must point at, and the expected message.
struct FileSlip {
  const char *file, *from, *to, *at;
  std::vector<const char*> says;
};
// Makes slips in one of the files.
auto SlipsIn(const char* file) {
  return [file](const char* from, const char* to, const char* at, std::vector<const char*> says) {
    return FileSlip{file, from, to, at, std::move(says)};
  };
}
const auto in_poses = SlipsIn("poses.toml"), in_keys = SlipsIn("keys.toml");
void PrintTo(const FileSlip& slip, std::ostream* out) { *out << slip.file << ": " << slip.to; }

class ControlSlip : public testing::TestWithParam<FileSlip> {};

TEST_P(ControlSlip, IsToldAtItsLineWithAWayOut) {
  const FileSlip& slip = GetParam();
  const bool poses = slip.file == std::string("poses.toml");
  const std::string text = Replaced(poses ? kPoses : kKeys, slip.from, slip.to);
  const Folder folder;
  const std::string said = samples::TranslationErrorOf(
      WriteExperiment(folder, poses ? text : kPoses, poses ? kKeys : text));
  ExpectComplaint(said, (folder / slip.file).string(), LineOfText(text, slip.at), slip.says);
}

INSTANTIATE_TEST_SUITE_P(
    Poses, ControlSlip,
    testing::Values(
        in_poses("mode = \"horizontal bend\"", "mode = \"horizontal bent\"",
                 "mode = \"horizontal bent\"", {"no mode 'horizontal bent'", "'horizontal bend'?"}),
        in_poses("{\"horizontal bend\" = -0.2}", "{\"horizontal bendy\" = -0.2}",
                 "{\"horizontal bendy\" =", {"no servo 'horizontal bendy'", "'horizontal bend'?"}),
        in_poses("to = \"crouch\"", "to = \"crounch\"", "to = \"crounch\"",
                 {"no pose 'crounch'", "did you mean 'crouch'?"}),
        in_poses("when = \"feet\"", "when = \"foot\"", "when = \"foot\"",
                 {"no sensor 'foot'", "feet"}),
        in_poses("duration = 0.3", "duration = 0.0", "duration = 0.0",
                 {"duration of pose 'crouch' must be more than 0 s"}),
        in_poses("after = 0.25", "after = -0.25", "after = -0.25", {"-0.25 s", "more than 0"}),
        in_poses("after = 0.25", "after = 25.0", "after = 25.0", {"between 0.01 and 10"}),
        in_poses("{\"vertical shear\" = 0.2}", "{\"vertical shear\" = 0.5}",
                 "{\"vertical shear\" = 0.5}", {"target 'vertical shear'", "between -0.4 and 0.4"}),
        in_poses("final = true\n", "", "[[pose]]\nname = \"rest\"",
                 {"pose 'rest' can never be left", "make it final"}),
        in_poses("to = \"rest\"", "to = \"crouch\"", "[[pose]]\nname = \"rest\"",
                 {"no transition leads from the start to pose 'rest'"}),
        in_poses("points = [5, 8]", "points = [5, 11]", "points = [5, 11]",
                 {"point 11", "0 to 10"}),
        in_poses("damping = 40.0", "damping = -40.0", "damping = -40.0",
                 {"must be finite and not negative"}),
        in_poses("body = \"table\"", "body = \"tabel\"", "body = \"tabel\"",
                 {"no body 'tabel'", "'table'?"}),
        in_poses("points = [5, 8]", "height = 1.0", "height = 1.0",
                 {"sensor 'feet' does not feel a height"}),
        in_poses("kind = \"contact\"\npoints = [5, 8]", "kind = \"above\"", "[[sensor]]",
                 {"sensor 'feet' lacks the key 'height'", "add height"}),
        in_poses("kind = \"contact\"", "kind = \"contacts\"", "kind = \"contacts\"",
                 {"'kind' cannot be 'contacts'"}),
        in_poses("stiffness = 900.0", "stifness = 900.0", "stifness",
                 {"unknown key 'stifness'", "did you mean 'stiffness'?"})));

INSTANTIATE_TEST_SUITE_P(
    Keys, ControlSlip,
    testing::Values(in_keys("time = 0.8", "time = 0.3", "time = 0.3", {"must increase"}),
                    in_keys("time = 0.0", "time = 0.1", "time = 0.1", {"first key must be at 0 s"}),
                    in_keys("{\"horizontal bend\" = 0.3}", "{\"bend\" = 0.3}", "{\"bend\"",
                            {"no mode 'bend'", "horizontal bend"}),
                    in_keys("pin = 5", "pin = 15", "pin = 15", {"no point 15", "0 to 10"}),
                    in_keys("[0.5, 0.4, 0]", "[0.5, 0.4, 1]", "[0.5, 0.4, 1]", {"z = 0"}),
                    in_keys("turn = 0.1", "turn = {axis = [1, 0, 0], angle = 0.1}", "turn = {axis",
                            {"turns about z only"})));

}  // namespace
}  // namespace pliant
