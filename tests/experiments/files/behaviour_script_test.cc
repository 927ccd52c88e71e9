// Sliders, combinations, holds and behaviours of a scene file: what is read, and how every mistake
// is told.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "experiments/files/experiment.h"
#include "tests/experiments/complaints.h"
#include "tests/experiments/files/samples.h"

namespace pliant {
namespace {

using Eigen::Vector3d;
using samples::ErrorOf;
using samples::Folder;
using samples::Replaced;
using testing::HasSubstr;

constexpr char kScene[] = R"TOML(name = "puppets"
dimension = 2

[[body]]
name = "hook"
shape = "chain"
from = [0, 0]
to = [1, 0]
points = 3
mass = 1
marks = {tip = "end", eye = 0}

[[body]]
name = "pyr-amid"
shape = "sheet"
size = [1, 1]
points = [3, 3]
mass = 1
position = [5, 5]
marks = {top = [1, 2]}

[[obstacle]]
name = "floor"
shape = "plane"
restitution = 0.5

[[nail]]
name = "lead"
body = "hook"
point = "eye"
path = {times = [1, 2], offsets = [[0, 0], [0, 1]]}
from = 1.5
until = 3
preroll = 0.5

[[attachment]]
name = "later"
a = {body = "hook", point = "tip"}
b = {body = "pyr-amid", point = "top"}
from = 2

[[slider]]
name = "rail"
body = "hook"
point = 1
direction = [0, 2]

[[combination]]
name = "middle"
terms = [{body = "hook", point = 0, weight = 0.5}, {body = "pyr-amid", point = [0, 0], weight = -1}]

[[behaviour]]
name = "swoop"
places = {sky = [1, 2]}
script = [
  "WaitFor(distance(hook.tip, pyr-amid.top) < 0.5)  # near",
  "Grab(hook.tip, pyr-amid.top, 0.8, 1.5, -2)",
  "Repeat(3) {",
  "  Parallel { Chase(hook[1], sky, 1) Sequence { Wait(2) Wait(1) } }",
  "}",
  "Disconnect(hook.tip)",
  "Connect(pyr-amid[0, 0], [3, 4])",
  "WaitFor(inside(hook.end, [0, 0], [1, 1]))",
]
)TOML";

constexpr char kExperiment[] = R"(scene = "scene.toml"

[run]
duration = 1.0
step = 0.1
record_every = 0.1

[backends.linear-deformation]
)";

Experiment Read(const std::string& scene) {
  const Folder folder;
  folder.Write("scene.toml", scene);
  return ReadExperiment(folder.Write("sample.toml", kExperiment));
}

TEST(MotionControl, IsReadAsWritten) {
  const Experiment experiment = Read(kScene);
  const Scene& scene = *experiment.scene;
  EXPECT_EQ(scene.obstacles[0].restitution, 0.5);
  EXPECT_EQ(scene.nails[0].point, (PointRef{0, 0}));
  EXPECT_EQ(scene.nails[0].hold.from, 1.5);
  EXPECT_EQ(scene.nails[0].hold.until, 3.0);
  EXPECT_EQ(scene.nails[0].preroll, 0.5);
  EXPECT_EQ(scene.attachments[0].a, (PointRef{0, 2}));
  EXPECT_EQ(scene.attachments[0].b, (PointRef{1, 7}));
  EXPECT_EQ(scene.attachments[0].hold.from, 2.0);
  EXPECT_EQ(scene.sliders[0].kind, Slider::Kind::kLine);
  EXPECT_EQ(scene.sliders[0].direction, Vector3d(0, 1, 0));
  EXPECT_EQ(scene.sliders[0].through, Vector3d(0.5, 0, 0));
  ASSERT_EQ(scene.combinations[0].terms.size(), 2u);
  EXPECT_EQ(scene.combinations[0].terms[1].weight, -1.0);
  EXPECT_LT((scene.combinations[0].path.At(0.0).position - Vector3d(-4.5, -4.5, 0)).norm(), 1e-14);
}

TEST(MotionControl, ScriptIsATreeOfActions) {
  const Experiment experiment = Read(kScene);
  ASSERT_EQ(experiment.scene->behaviours.size(), 1u);
  const std::vector<Action>& actions = experiment.scene->behaviours[0].actions;
  using Kind = Action::Kind;
  std::vector<Kind> kinds;
  for (const Action& action : actions) kinds.push_back(action.kind);
  EXPECT_EQ(kinds, (std::vector<Kind>{Kind::kWaitFor, Kind::kChase, Kind::kConnect, Kind::kRepeat,
                                      Kind::kDisconnect, Kind::kConnect, Kind::kWaitFor}));
  EXPECT_EQ(actions[0].condition.kind, Condition::Kind::kNear);
  EXPECT_EQ(actions[0].condition.value, 0.5);
  EXPECT_EQ(actions[1].point, (PointRef{0, 2}));
  EXPECT_EQ(std::get<PointRef>(*actions[1].goal), (PointRef{1, 7}));
  EXPECT_EQ(actions[1].duration, 0.8);
  EXPECT_EQ(*actions[1].final_velocity, Vector3d(1.5, -2, 0));
  EXPECT_EQ(actions[3].count, 3);
  ASSERT_EQ(actions[3].actions.size(), 1u);
  const Action& parallel = actions[3].actions[0];
  ASSERT_EQ(parallel.kind, Kind::kParallel);
  ASSERT_EQ(parallel.actions.size(), 2u);
  EXPECT_EQ(std::get<Vector3d>(*parallel.actions[0].goal), Vector3d(1, 2, 0));
  EXPECT_FALSE(parallel.actions[0].final_velocity.has_value());
  EXPECT_EQ(parallel.actions[1].actions.size(), 2u);
  EXPECT_FALSE(actions[4].goal.has_value());
  EXPECT_EQ(std::get<Vector3d>(*actions[5].goal), Vector3d(3, 4, 0));
  EXPECT_EQ(actions[6].condition.upper, Vector3d(1, 1, 0));
}

TEST(MotionControl, WaitsForWhatIsFarToo) {
  const Experiment far = Read(Replaced(kScene, ") < 0.5)", ") > 0.5)"));
  EXPECT_EQ(far.scene->behaviours[0].actions[0].condition.kind, Condition::Kind::kFar);
}

// Inside Parallel a Grab is still a chase and then a connection.
TEST(MotionControl, GrabsBesideOneAnotherConnectWhenTheyArrive) {
  const std::string text =
      Replaced(kScene, "Sequence { Wait(2) Wait(1) }", "Grab(hook.eye, pyr-amid.top, 2)");
  using Kind = Action::Kind;
  const Experiment experiment = Read(text);
  const Action& parallel = experiment.scene->behaviours[0].actions[3].actions[0];
  ASSERT_EQ(parallel.kind, Kind::kParallel);
  ASSERT_EQ(parallel.actions.size(), 2u);
  EXPECT_EQ(parallel.actions[0].kind, Kind::kChase);
  ASSERT_EQ(parallel.actions[1].kind, Kind::kSequence);
  ASSERT_EQ(parallel.actions[1].actions.size(), 2u);
  EXPECT_EQ(parallel.actions[1].actions[0].kind, Kind::kChase);
  EXPECT_EQ(parallel.actions[1].actions[1].kind, Kind::kConnect);
}

TEST(MotionControl, WarnsOfStepsThatAreTooLongForItsFeedback) {
  for (const auto& [step, warnings] : {std::pair{"0.02", 1}, std::pair{"0.001", 0}}) {
    const Folder folder;
    folder.Write("scene.toml", kScene);
    const std::string text =
        Replaced(Replaced(kExperiment, "step = 0.1", "step = " + std::string(step)),
                 "[backends.linear-deformation]",
                 "[backends.linear-deformation]\nstretch_stiffness = 0.1\nvolume_stiffness = "
                 "0.1\ndamping = 0");
    const Translation translation =
        TranslateFor(ReadExperiment(folder.Write("sample.toml", text)), 0);
    const auto told = [&](const char* of) {
      return std::count_if(translation.warnings.begin(), translation.warnings.end(),
                           [&](const std::string& warning) {
                             return warning.find("too long") != std::string::npos &&
                                    warning.find(of) != std::string::npos;
                           });
    };
    EXPECT_EQ(told("feedback_frequency = 50 rad/s is stable for steps below about 0.0166 s"),
              warnings);
    EXPECT_EQ(told("internal_energy"), 0);
  }
}

TEST(MotionControl, ResolvedExperimentReadsBack) {
  const Experiment experiment = Read(kScene);
  const Folder folder;
  const Experiment again = ReadExperiment(folder.Write("again.toml", experiment.Resolved(0)));
  EXPECT_EQ(Elements(*again.scene), Elements(*experiment.scene));
  EXPECT_EQ(again.Resolved(0), experiment.Resolved(0));
  EXPECT_EQ(again.scene->behaviours[0].actions.size(), 7u);
}

// The script of kScene in a file of its own.
constexpr char kScript[] = R"(# swoops down

WaitFor(distance(hook.tip, pyr-amid.top) < 0.5)  # near
Grab(hook.tip, pyr-amid.top, 0.8,
     1.5, -2)
Repeat(3) {
  Parallel { Chase(hook[1], sky, 1) Sequence { Wait(2) Wait(1) } }
}
Disconnect(hook.tip)
Connect(pyr-amid[0, 0], [3, 4])
WaitFor(inside(hook.end, [0, 0], [1, 1]))
)";

std::string SceneWithScriptFile() {
  const std::string text = kScene;
  return text.substr(0, text.find("script = [")) + "script = \"swoop.behaviour\"\n";
}

TEST(ScriptFile, StandsForTheLinesItHolds) {
  const Folder folder;
  folder.Write("scene.toml", SceneWithScriptFile());
  const std::string text = kScript;
  for (const char* ending : {"\n", "\r\n"}) {
    std::string with_ending;
    for (const char c : text) with_ending += c == '\n' ? std::string(ending) : std::string(1, c);
    folder.Write("swoop.behaviour", with_ending);
    const Experiment experiment = ReadExperiment(folder.Write("sample.toml", kExperiment));
    EXPECT_EQ(Elements(*experiment.scene), Elements(*Read(kScene).scene));
    const auto& actions = experiment.scene->behaviours[0].actions;
    const Experiment in_place = Read(kScene);
    const auto& expected = in_place.scene->behaviours[0].actions;
    ASSERT_EQ(actions.size(), expected.size());
    for (size_t i = 0; i < actions.size(); ++i) EXPECT_EQ(actions[i].kind, expected[i].kind) << i;
    EXPECT_EQ(actions[1].final_velocity, expected[1].final_velocity);
  }
}

// The record needs the file no more, and has its text.
TEST(ScriptFile, IsKeptByTheResolvedExperiment) {
  std::string resolved;
  {
    const Folder folder;
    folder.Write("scene.toml", SceneWithScriptFile());
    folder.Write("swoop.behaviour", kScript);
    resolved = ReadExperiment(folder.Write("sample.toml", kExperiment)).Resolved(0);
  }
  EXPECT_THAT(resolved, HasSubstr("# swoops down"));
  const Folder folder;
  const Experiment again = ReadExperiment(folder.Write("again.toml", resolved));
  EXPECT_EQ(again.scene->behaviours[0].actions.size(), 7u);
  EXPECT_EQ(again.Resolved(0), resolved);
}

TEST(ScriptFile, IsWhereMistakesAreTold) {
  const Folder folder;
  const auto scene = folder.Write("scene.toml", SceneWithScriptFile());
  const auto script = folder.Write("swoop.behaviour", kScript);
  const auto sample = folder.Write("sample.toml", kExperiment);
  for (const auto& [from, to, place, says] :
       {std::array{"Grab(hook.tip", "Grap(hook.tip", ":4:1: ", "mean 'Grab'?"},
        std::array{"     1.5, -2)", "     1.5, +)", ":5:11: ", "not a number"},
        std::array{"hook[1], sky", "hook[1], skye", ":7:29: ", "mean 'sky'?"},
        std::array{"}\nDisc", "\nDisc", ":11:42: ", "expected '}'"}}) {
    folder.Write("swoop.behaviour", Replaced(kScript, from, to));
    EXPECT_THAT(ErrorOf(sample), testing::StartsWith(script.string() + place));
    EXPECT_THAT(ErrorOf(sample), HasSubstr(says));
  }
  folder.Write("swoop.behaviour", "# nothing yet\n");
  EXPECT_THAT(ErrorOf(sample), HasSubstr("the script has no line"));
  for (const auto& [text, says] : {std::pair{"\"no.behaviour\"", "there is no file '"},
                                   std::pair{"\".\"", "is a folder; name a file"},
                                   std::pair{"\"Wait(1)\"", "give a list of lines"},
                                   std::pair{"7", "expected text or list, each text"}}) {
    folder.Write("scene.toml", Replaced(SceneWithScriptFile(), "\"swoop.behaviour\"", text));
    EXPECT_THAT(ErrorOf(sample), testing::StartsWith(scene.string() + ":"));
    EXPECT_THAT(ErrorOf(sample), HasSubstr(":10: "));
    EXPECT_THAT(ErrorOf(sample), HasSubstr(says));
  }
}

// A slip of the pen in the scene, the text at which the complaint points, and what it says.
struct ScriptSlip {
  const char *from, *to, *at, *says;
};
void PrintTo(const ScriptSlip& slip, std::ostream* out) { *out << slip.to; }

void ExpectComplaintOf(const char* scene_text, const ScriptSlip& slip) {
  const Folder folder;
  const std::string text = Replaced(scene_text, slip.from, slip.to);
  const auto scene = folder.Write("scene.toml", text);
  ExpectComplaint(ErrorOf(folder.Write("sample.toml", kExperiment)), scene.string(),
                  PlaceOfText(text, slip.at), std::vector{slip.says});
}

class ScriptMistake : public testing::TestWithParam<ScriptSlip> {};

TEST_P(ScriptMistake, IsToldAtItsLineAndColumn) { ExpectComplaintOf(kScene, GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    All, ScriptMistake,
    testing::Values(
        ScriptSlip{"Grab(hook.tip", "Grap(hook.tip", "Grap", "mean 'Grab'?"},
        ScriptSlip{"Grab(hook.tip", "Grab(hok.tip", "hok.tip", "mean 'hook'?"},
        ScriptSlip{"Grab(hook.tip", "Grab(hook.top", "hook.top", "no mark 'top'"},
        ScriptSlip{"hook[1], sky", "hook[1], skye", "skye", "mean 'sky'?"},
        ScriptSlip{"hook[1], sky", "hook[3], sky", "[3], sky", "out of range"},
        ScriptSlip{"hook[1], sky", "hook, sky", "hook, sky", "a whole body"},
        ScriptSlip{"hook[1], sky, 1", "hook[1], hook[1], 1", "hook[1], hook[1]", "the same point"},
        ScriptSlip{"hook[1], sky, 1", "sky, sky, 1", "sky, sky", "cannot move"},
        ScriptSlip{"hook[1], sky, 1", "hook[1], sky, 0", "0) Seq", "longer than 0 s"},
        ScriptSlip{"1.5, -2)", "1.5)", ")\",\n  \"Repeat", "expected 2 numbers"},
        ScriptSlip{"1.5, -2)", "1.5, -2, 3)", ", 3)", "expected 2 numbers"},
        ScriptSlip{"[3, 4]", "[3, 4, 9]", ", 9]", "as many as the scene has dimensions"},
        ScriptSlip{"{sky = [1, 2]}", "{sky = [1, 2], hook = [0, 0]}", "[0, 0]}",
                   "name of a body, 'hook'"},
        ScriptSlip{"Wait(2)", "Wait(-2)", "-2) Wait", "negative"},
        ScriptSlip{"Wait(2)", "Wait 2)", "2) Wait", "expected '('"},
        ScriptSlip{"Wait(2)", "Wait(x)", "x) Wait", "expected a number, not 'x'"},
        ScriptSlip{"Wait(2) Wait(1)", "(2) Wait(1)", "(2) Wait", "expected an action, not '('"},
        ScriptSlip{"Sequence { Wait(2) Wait(1) }", "Sequence { }", "{ }", "this block is empty"},
        ScriptSlip{"hook[1], sky, 1", "hook[1], 3, 1", "3, 1", "expected a point or a place"},
        ScriptSlip{"hook[1], sky", "hook[0.5], sky", "0.5], sky", "an index is a whole number"},
        ScriptSlip{"Wait(2)", "Wait(2;)", ";) Wait", "not allowed"},
        ScriptSlip{"Sequence { Wait(2)", "Sequence { Chase(hook[1], pyr-amid.top, 2)",
                   "Sequence { Chase", "at the same time"},
        ScriptSlip{"Repeat(3)", "Repeat(0)", "0) {", "at least 1"},
        ScriptSlip{"\"}\",", "", "\",\n]", "expected '}'"},
        ScriptSlip{"distance(", "distanse(", "distanse", "mean 'distance'?"},
        ScriptSlip{"[1, 1]))", "[1, -1]))", "[0, 0], [1, -1]", "lower one"},
        ScriptSlip{"pyr-amid.top, 0.8", "hook.eye, 0.8", "hook.tip, hook.eye", "to itself"},
        ScriptSlip{"eye = 0", "eye = 7", "7}", "out of range"},
        ScriptSlip{"direction = [0, 2]", "direction = [0, 0]", "[0, 0]\n\n[[comb", "no direction"},
        ScriptSlip{"direction = [0, 2]", "", "[[slider]]", "'on' and 'within'"},
        ScriptSlip{"weight = -1", "weight = 0", "[{body = \"hook\", point = 0", "not 0"},
        ScriptSlip{"until = 3", "until = 1", "1\npreroll", "and ends at 1 s"},
        ScriptSlip{"preroll = 0.5", "preroll = 2.5", "2.5", "before the run"},
        ScriptSlip{"restitution = 0.5", "restitution = 1.5", "1.5\n\n[[nail", "restitution"},
        ScriptSlip{"times = [1, 2]", "times = [2, 1]", "[2, 1]", "must increase"},
        ScriptSlip{"{times = [1, 2], offsets = [[0, 0], [0, 1]]}",
                   "{times = [1], offsets = [[0, 0]]}", "[1], offsets", "one key"}));

// ── sliders and limits ──

constexpr char kGuides[] = R"TOML(name = "guides"
dimension = 2

[[body]]
name = "rope"
shape = "chain"
from = [0, 0]
to = [1, 0]
points = 5
mass = 1

[[obstacle]]
name = "floor"
shape = "plane"

[[slider]]
name = "track"
body = "rope"
points = [1, 2]
along = [[0, 0], [1, 1], [2, 0]]
closed = true

[[slider]]
name = "ground"
body = "rope"
point = 0
on = "floor"

[[slider]]
name = "cage"
body = "rope"
point = 4
within = 2

[[limit]]
name = "elbow"
measure = "angle"
points = [{body = "rope", point = 1}, {body = "rope", point = 2}, {body = "rope", point = "end"}]
at_least = 0.5

[[limit]]
name = "span"
measure = "length"
points = [{body = "rope", point = 0}, {body = "rope", point = 4}]
at_least = 0.2
at_most = 0.8
)TOML";

TEST(Guides, AreReadAsWritten) {
  const Experiment experiment = Read(kGuides);
  const Scene& scene = *experiment.scene;
  ASSERT_EQ(scene.sliders.size(), 4u);
  for (const int i : {0, 1}) {
    EXPECT_EQ(scene.sliders[i].kind, Slider::Kind::kCurve);
    EXPECT_EQ(scene.sliders[i].point, (PointRef{0, i + 1}));
    EXPECT_TRUE(scene.sliders[i].closed);
    ASSERT_EQ(scene.sliders[i].corners.cols(), 3);
    EXPECT_EQ(scene.sliders[i].corners.col(1), Vector3d(1, 1, 0));
  }
  EXPECT_EQ(scene.sliders[2].kind, Slider::Kind::kSurface);
  EXPECT_EQ(scene.sliders[2].obstacle, 0);
  EXPECT_EQ(scene.sliders[3].kind, Slider::Kind::kBall);
  EXPECT_EQ(scene.sliders[3].radius, 2.0);
  EXPECT_EQ(scene.sliders[3].through, Vector3d(1, 0, 0));
  ASSERT_EQ(scene.limits.size(), 2u);
  EXPECT_EQ(scene.limits[0].kind, Limit::Kind::kAngle);
  EXPECT_EQ(scene.limits[0].points[2], (PointRef{0, 4}));
  EXPECT_EQ(scene.limits[0].least, 0.5);
  EXPECT_EQ(scene.limits[0].most, std::numeric_limits<double>::infinity());
  EXPECT_EQ(scene.limits[1].size(), 2);
  EXPECT_EQ(scene.limits[1].most, 0.8);
}

class GuideMistake : public testing::TestWithParam<ScriptSlip> {};

TEST_P(GuideMistake, IsToldAtItsLineAndColumn) { ExpectComplaintOf(kGuides, GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    All, GuideMistake,
    testing::Values(
        ScriptSlip{"on = \"floor\"", "on = \"flor\"", "\"flor\"", "mean 'floor'?"},
        ScriptSlip{"on = \"floor\"", "on = \"floor\"\nwithin = 1", "1\n\n[[slider]]",
                   "both 'on' and 'within'"},
        ScriptSlip{"on = \"floor\"", "on = \"floor\"\nthrough = [1, 2]", "[1, 2]\n\n",
                   "has no 'through'"},
        ScriptSlip{"[1, 1], [2, 0]]", "[1, 1], [1, 1]]", "[[0, 0], [1, 1], [1, 1]]", "no length"},
        ScriptSlip{"[[0, 0], [1, 1], [2, 0]]", "[[0, 0]]", "[[0, 0]]", "at least two corners"},
        ScriptSlip{"within = 2", "within = 0", "0\n\n[[limit", "more than 0 m"},
        ScriptSlip{", {body = \"rope\", point = \"end\"}]", "]", "[{body = \"rope\", point = 1}",
                   "needs 3 points, not 2"},
        ScriptSlip{"point = \"end\"}", "point = 1}", "[{body = \"rope\", point = 1}", "twice"},
        ScriptSlip{"at_least = 0.5\n", "", "[[limit]]", "limits nothing"},
        ScriptSlip{"at_least = 0.5", "at_least = 3.5", "3.5",
                   "between 0 and pi rad, not 3.5; if degrees are meant, write 0.0611"},
        ScriptSlip{"at_most = 0.8", "at_most = 0.1", "0.2\nat_most",
                   "the lower bound, 0.2, is above the upper one, 0.1"}));

}  // namespace
}  // namespace pliant
