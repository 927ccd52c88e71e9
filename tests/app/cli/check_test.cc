// What check says of an experiment before anything runs: whether and where it can begin, what it costs, and what is hardly
// meant.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/app/cli/program.h"
#include "tests/says.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A bound for every point in contact at once is none for a run in which a corner touches.
TEST(Check, ABoundOfEveryPointInContactSaysSo) {
  const ScratchFolder folder;
  WriteText(folder / "block.toml", R"(
[run]
duration = 0.1
step = 0.01
record_every = 0.01
[scene]
name = "block"
[[scene.body]]
name = "block"
shape = "block"
size = [1, 1, 1]
points = [2, 2, 2]
mass = 1
position = [0, 2, 0]
rigid = true
[[scene.obstacle]]
name = "floor"
shape = "plane"
[backends.linear-deformation]
contact_stiffness = 1e5
[backends.dynamic-ffd]
contact_stiffness = 1e5
)");
  const Ended check = Pliant({"check", (folder / "block.toml").string()});
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_THAT(
      check.out,
      Says({"the step of 0.01 s is too long if every point touches: semi-implicit Euler with",
            "; where fewer touch, longer ones are"}));
  const Ended why = Pliant({"explain", "the step of 0.01 s is too long if every point touches"});
  EXPECT_THAT(why.out, HasSubstr("That is the worst that can happen"));
}

TEST(Check, FailsWhereARunWouldEndAtOnce) {
  const ScratchFolder folder;
  const std::vector<std::string> changes = {
      "--backend", "dynamic-ffd",          "--set", "run.step=1.0",
      "--set",     "run.record_every=1.0", "--set", "run.duration=10.0"};
  std::vector<std::string> check = {"check", "press"};
  check.insert(check.end(), changes.begin(), changes.end());
  const Ended checked = Pliant(check);
  EXPECT_THAT(checked.out, HasSubstr("its first steps do not advance"));
  EXPECT_EQ(checked.status, 1);
}

// Forces beyond what can be computed end a run at its first step; they crashed.
TEST(Check, SaysWhereNoYardstickCanBegin) {
  const ScratchFolder folder;
  WriteText(folder / "heavy.toml", R"(title = "t"
reference = "yardstick"
[scene]
name = "s"
dimension = 3
gravity = [0, -1e300, 0]
[[scene.body]]
name = "block"
shape = "block"
size = [1, 1, 1]
points = [2, 2, 2]
[scene.body.material]
density = 1000
youngs_modulus = 1e5
poisson_ratio = 0.3
[run]
duration = 0.1
step = 0.01
record_every = 0.01
[backends.finite-elements]
)");
  const Ended checked = Pliant({"check", (folder / "heavy.toml").string()});
  EXPECT_EQ(checked.status, 1) << checked.err;
  EXPECT_THAT(checked.out + checked.err,
              Says({"finite-elements: none, its first steps do not advance",
                    "no yardstick: finite-elements: the first steps do not advance"}));
  const Ended ran = Pliant({"run", (folder / "heavy.toml").string(), "--out", folder.path()});
  EXPECT_THAT(ran.out + ran.err, HasSubstr("diverged"));
}

// It looked in runs/, wherever the runs go.
TEST(Check, LooksForTheYardstickWhereTheRunsGo) {
  const ScratchFolder folder;
  const std::string file = "experiments/accuracy/printed-or-corrected.toml";
  const std::vector<std::string> check = {"check", file, "--out", folder.path()};
  const std::string none = "estimate: yardstick: none of this scene is kept";
  EXPECT_THAT(Pliant(check).out, HasSubstr(none));
  const Ended made = Pliant({"yardstick", file, "--out", folder.path()});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_THAT(Pliant(check).out, Not(HasSubstr(none)));
}

TEST(Check, ASearchThatVariesTheSceneIsToldOfSweeps) {
  const Ended check = Pliant({"check", "faloutsos-worm", "--set",
                              "optimize.vary.0.numbers=scene.obstacle.floor.friction"});
  EXPECT_EQ(check.status, 2);
  EXPECT_THAT(check.err,
              Says({"a search varies numbers of the backend, not of the scene", "sweep"}));
}

constexpr char kRodOnFloor[] = R"([run]
duration = 0.01
step = 0.001
record_every = 0.01
[scene]
name = "rod"
gravity = [0, GRAVITY, 0]
[[scene.body]]
name = "rod"
shape = "block"
size = [0.1, 0.5, 0.1]
points = [2, 6, 2]
position = [0, 1, 0]
rotation = {axis = [0, 1, 0], angle = ANGLE}
[scene.body.material]
density = 1000
youngs_modulus = YOUNGS
poisson_ratio = 0.3
[[scene.obstacle]]
name = "floor"
shape = "plane"
[backends.dynamic-ffd]
free_lattice = true
modes = {degree_x = 1, degree_y = 1, degree_z = 1, size_x = 0.1, size_y = 0.5, size_z = 0.1}
)";

std::string RodOnFloor(std::vector<std::array<std::string, 2>> values) {
  std::string text = kRodOnFloor;
  for (const auto& [word, value] : values) text.replace(text.find(word), word.size(), value);
  return text;
}

// What is no mistake, but hardly meant.
TEST(Check, NotesWhatIsHardlyMeant) {
  const ScratchFolder folder;
  const std::string file = (folder / "rod.toml").string();
  WriteText(file, RodOnFloor({{"GRAVITY", "9.81"}, {"ANGLE", "90"}, {"YOUNGS", "0.1"}}));
  const Ended noted = Pliant({"check", file});
  EXPECT_EQ(noted.status, 0) << noted.err;
  EXPECT_THAT(
      noted.out,
      Says(
          {"note: " + file +
               ":7:11: gravity points up: y is up, and this is 9.81 m/s² along it; "
               "write -9.81",
           "note: " + file +
               ":14:39: angle = 90 rad is 5160°; angles are in "
               "radians; if degrees are meant, write 1.57",
           "note: " + file +
               ":17:18: body 'rod' collapses under its own weight: its "
               "youngs_modulus of 0.1 Pa is not above density × gravity × height = 4900 Pa; if MPa "
               "are meant, write 1e+05"}));
  const Ended json = Pliant({"check", file, "--json"});
  EXPECT_THAT(json.out, Says({"\"notes\"", "gravity points up"}));
  WriteText(file, RodOnFloor({{"GRAVITY", "-9.81"}, {"ANGLE", "1.5"}, {"YOUNGS", "1e5"}}));
  EXPECT_THAT(Pliant({"check", file}).out, Not(HasSubstr("note:")));
}

TEST(Check, ASceneFileIsNotedToo) {
  const ScratchFolder folder;
  WriteText(folder / "scene.toml",
            "name = \"a\"\ngravity = [0, 9.81, 0]\n[[body]]\nname = \"b\"\nshape = "
            "\"block\"\nsize = [1, 1, 1]\npoints = [2, 2, 2]\nmass = 1\n");
  EXPECT_THAT(Pliant({"check", (folder / "scene.toml").string()}).out,
              HasSubstr("scene.toml:2:11: gravity points up"));
}

// m g / (K N): 5 kg on 4 corners of 4500 N/m.
TEST(Check, SaysHowFarAPenaltyLetsABodySink) {
  const ScratchFolder folder;
  const std::string file = (folder / "rod.toml").string();
  WriteText(file, RodOnFloor({{"GRAVITY", "-9.81"}, {"ANGLE", "0"}, {"YOUNGS", "1e5"}}));
  EXPECT_THAT(
      Pliant({"check", file}).out,
      HasSubstr("; at rest 'rod' sinks in by 0.00273 m where its 4 nearest points carry it"));
}

TEST(Check, MessagesGiveAnExample) {
  const ScratchFolder folder;
  const std::string file = (folder / "rod.toml").string();
  const auto complaint = [&](const std::string& from, const std::string& to) {
    std::string text = RodOnFloor({{"GRAVITY", "-9.81"}, {"ANGLE", "0"}, {"YOUNGS", "1e5"}});
    text.replace(text.find(from), from.size(), to);
    WriteText(file, text);
    const Ended refused = Pliant({"check", file});
    EXPECT_EQ(refused.status, 2);
    return refused.err;
  };
  EXPECT_THAT(complaint("[0, -9.81, 0]", "9.81"),
              HasSubstr("'gravity' is a number; expected [x, y, z], as [0, -9.81, 0]"));
  EXPECT_THAT(
      complaint("[0.1, 0.5, 0.1]", "1"),
      HasSubstr("'size' is a whole number; expected [number, number, number], as [3, 2, 1]"));
  EXPECT_THAT(complaint("density = 1000", "density = 1,5"),
              HasSubstr("write a decimal point: 1.5"));
  EXPECT_THAT(complaint("shape = \"plane\"", "shape = \"plane\"\nfriction = -1"),
              HasSubstr("friction of obstacle 'floor' must be finite and not negative"));
  EXPECT_THAT(Pliant({"check", file, "--sett", "run.step=1"}).err,
              HasSubstr("did you mean --set?"));
}

// A plane has its angle as a slope; a figure at a time that no run reaches has no value.
TEST(Check, NotesASlopeInDegreesAndATimeBeyondTheEnd) {
  const ScratchFolder folder;
  const std::string file = (folder / "rod.toml").string();
  std::string text = RodOnFloor({{"GRAVITY", "-9.81"}, {"ANGLE", "1.5"}, {"YOUNGS", "1e5"}});
  const std::string plane = "shape = \"plane\"";
  text.replace(text.find(plane), plane.size(), plane + "\nslope = 20");
  text +=
      "\n[[probe]]\nname = \"tip\"\nmeasure = \"position\"\ncomponent = \"y\"\n"
      "of = {body = \"rod\"}\nat = [0.0, 7.9]\nduring = [0.0, 8]\n";
  WriteText(file, text);
  EXPECT_THAT(
      Pliant({"check", file}).out,
      Says({"slope = 20 rad is 1150°; angles are in radians",
            "at = 7.9 s of probe 'tip' is after the end of the run; give a time of at most ",
            "during = [0, 8] s of probe 'tip' ends after the end of the run; give a time within "
            "the run, which ends at "}));
}

// The cost of a sweep is that of all of its points.
TEST(Check, SaysWhatAWholeSweepCosts) {
  const ScratchFolder folder;
  const std::string file = (folder / "rod.toml").string();
  WriteText(file, RodOnFloor({{"GRAVITY", "-9.81"}, {"ANGLE", "0"}, {"YOUNGS", "1e5"}}) +
                      "[sweep]\n[[sweep.vary]]\nkey = \"run.step\"\nvalues = [0.001, 0.0005]\n");
  EXPECT_THAT(
      Pliant({"check", file}).out,
      Says({"the sweep has 2: ",
            " of CPU time in 2 runs, if every step costs as much; their 4 records, the table"}));
}

}  // namespace
}  // namespace pliant
