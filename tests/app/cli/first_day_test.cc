// What stood in the way of people who had nothing but documentation and messages.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "experiments/bundles/bundle.h"
#include "tests/app/cli/program.h"
#include "tests/says.h"

namespace pliant {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

// The faces of a cube, from outside counter-clockwise; `inwards` the other way round.
void WriteCube(const std::filesystem::path& file, bool inwards) {
  std::string text = "# a cube\n";
  for (int a = 0; a < 8; ++a) {
    text += "v " + std::to_string(a & 1) + " " + std::to_string(a >> 1 & 1) + " " +
            std::to_string(a >> 2) + "\n";
  }
  for (const auto& [i, j, k, l] : {std::array{1, 3, 4, 2},
                                   {5, 6, 8, 7},
                                   {1, 2, 6, 5},
                                   {3, 7, 8, 4},
                                   {1, 5, 7, 3},
                                   {2, 4, 8, 6}}) {
    const std::array corners = inwards ? std::array{l, k, j, i} : std::array{i, j, k, l};
    text += "f";
    for (const int corner : corners) text += " " + std::to_string(corner);
    text += "\n";
  }
  WriteText(file, text);
}

constexpr char kCubeOnFloor[] = R"(
[run]
duration = 0.01
step = 0.001
record_every = 0.01
[scene]
name = "cube"
[[scene.body]]
name = "cube"
shape = "mesh"
file = "cube.obj"
mass = 1
position = [0, 2, 0]
)";

TEST(FirstDay, ABodyThatIsInsideOutIsWarnedOf) {
  const ScratchFolder folder;
  WriteText(folder / "cube.toml", std::string(kCubeOnFloor) + "[backends.position-based]\n");
  for (const bool inwards : {false, true}) {
    WriteCube(folder / "cube.obj", inwards);
    const Ended run = Pliant({"run", (folder / "cube.toml").string(), "--out", folder.path()});
    const Ended check = Pliant({"check", (folder / "cube.toml").string()});
    EXPECT_EQ(run.status, 0) << run.err;
    const auto warns = Says({"warning: body 'cube' is inside out: its faces enclose -1 m³",
                             "reverse the order of the corners"});
    if (inwards) {
      EXPECT_THAT(run.err, warns);
      EXPECT_THAT(check.out, warns);
    } else {
      EXPECT_THAT(run.err, Not(HasSubstr("inside out")));
      EXPECT_THAT(check.out, Not(HasSubstr("is inside out")));
    }
  }
}

// A bound for every point in contact at once is none for a run in which a corner touches.
TEST(FirstDay, ABoundOfEveryPointInContactSaysSo) {
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

// What is wrong for one backend is no reason to say nothing of the scene and of the others.
TEST(FirstDay, CheckDescribesWhatIsSoundBesideAnError) {
  const ScratchFolder folder;
  WriteCube(folder / "cube.obj", false);
  WriteText(folder / "cube.toml",
            std::string(kCubeOnFloor) + "[backends.dynamic-ffd]\n[backends.position-based]\n");
  const Ended check = Pliant({"check", (folder / "cube.toml").string()});
  EXPECT_EQ(check.status, 2);
  EXPECT_THAT(check.err, HasSubstr("cube.toml"));
  EXPECT_THAT(check.out, Says({"scene cube: 1 bodies", "position-based (", "runs"}));
  EXPECT_THAT(check.out, Not(HasSubstr("dynamic-ffd (")));
  // In one file what was said first comes first, and no line is cut in two.
  const Ended both = Pliant(
      {"-c", "\"$0\" check \"$1\" 2>&1", BuiltProgram().string(), (folder / "cube.toml").string()},
      {.program = "/bin/sh"});
  EXPECT_THAT(both.out, EndsWith("\n" + check.err));
  // What is wrong in the file itself comes first, and alone.
  const Ended wrong = Pliant({"check", (folder / "cube.toml").string(), "--set", "run.stpe=1"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.out, "");
}

TEST(FirstDay, ASurfaceThatHasAMaterialIsNotAskedForOne) {
  const ScratchFolder folder;
  WriteCube(folder / "cube.obj", false);
  std::string text = kCubeOnFloor;
  text.erase(text.find("mass = 1"), 8);
  WriteText(folder / "cube.toml",
            text +
                "[scene.body.material]\ndensity = 100\nyoungs_modulus = 1e4\n"
                "poisson_ratio = 0.3\nthickness = 0.01\n[backends.dynamic-ffd]\n"
                "free_lattice = true\n[backends.dynamic-ffd.modes]\ndegree_x = 2\n"
                "degree_y = 2\ndegree_z = 2\n");
  const Ended check = Pliant({"check", (folder / "cube.toml").string()});
  EXPECT_EQ(check.status, 2) << check.out;
  EXPECT_THAT(check.err, Says({"holds no material here", "use a block or a mesh of tetrahedra"}));
  EXPECT_THAT(check.err, Not(HasSubstr("give [body.material]")));
}

TEST(FirstDay, TablesAreNarrowedToTheFiguresThatAreChosen) {
  const ScratchFolder folder;
  const Ended compared =
      Pliant({"compare", "pendulum", "--backend", "linear-deformation", "--backend",
              "position-based", "--set", "run.duration=0.02", "--only", "made_energy", "--only",
              "strain", "--out", folder.path()});
  EXPECT_EQ(compared.status, 0) << compared.err;
  EXPECT_THAT(compared.out, Says({"made_energy_max_J", "edge_strain_max", "outcome"}));
  EXPECT_THAT(compared.out, Not(HasSubstr("residual_energy")));
  const Ended reported = Pliant({"report", (folder / "pendulum").string(), "--only", "residual"});
  EXPECT_EQ(reported.status, 0) << reported.err;
  EXPECT_THAT(reported.out, HasSubstr("residual_energy_max_J"));
  EXPECT_THAT(reported.out, Not(HasSubstr("made_energy")));
  // What is in no name hides nothing, and is no success.
  const Ended none = Pliant({"report", (folder / "pendulum").string(), "--only", "residul"});
  EXPECT_EQ(none.status, 1);
  EXPECT_THAT(none.out,
              Says({"problem: no figure has 'residul' in its name", "made_energy_max_J"}));
  const Ended run =
      Pliant({"compare", "pendulum", "--backend", "position-based", "--set", "run.duration=0.02",
              "--only", "residul", "--out", (folder / "b").string()});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err,
              HasSubstr("1 run: 1 completed; exit status 1, since a problem is named above"));
}

// The outcome is a row of every table, so that it may be asked for.
TEST(FirstDay, TheOutcomeAloneIsATable) {
  const ScratchFolder folder;
  const Ended compared = Pliant({"compare", "pendulum", "--backend", "position-based", "--set",
                                 "run.duration=0.02", "--only", "outcome", "--out", folder.path()});
  EXPECT_EQ(compared.status, 0) << compared.err;
  EXPECT_THAT(compared.out, Says({"outcome", "completed"}));
  EXPECT_THAT(compared.out, Not(HasSubstr("problem")));
  EXPECT_THAT(compared.out, Not(HasSubstr("made_energy")));
  const Ended both = Pliant(
      {"report", (folder / "pendulum").string(), "--only", "outcome", "--only", "made_energy"});
  EXPECT_EQ(both.status, 0) << both.err;
  EXPECT_THAT(both.out, HasSubstr("made_energy_max_J"));
}

TEST(FirstDay, TheOutcomeOfALadderIsALineLikeItsFigures) {
  const ScratchFolder folder;
  const std::vector<std::string> refine = {
      "refine",   "pendulum", "--backend", "position-based", "--set", "run.duration=0.02",
      "--levels", "3",        "--out",     folder.path()};
  const auto with = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), refine.begin(), refine.end());
    return Pliant(arguments);
  };
  const Ended outcome = with({"--only", "outcome"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, Says({"position-based  outcome", "completed", "on every rung"}));
  EXPECT_THAT(outcome.out, Not(HasSubstr("made_energy")));
  const Ended all = with({});
  EXPECT_THAT(all.out, Says({" outcome  ", "on every rung", "made_energy_max_J"}));
  const Ended none = with({"--only", "residul"});
  EXPECT_EQ(none.status, 1);
  EXPECT_THAT(none.out,
              Says({"problem: no figure has 'residul' in its name", "made_energy_max_J"}));
}

// As compare has them, not by their names.
TEST(FirstDay, AReportHasTheOrderOfTheExperiment) {
  const ScratchFolder folder;
  EXPECT_EQ(
      Pliant({"compare", "pendulum", "--backend", "linear-deformation", "--backend",
              "displacement-constraints", "--set", "run.duration=0.02", "--out", folder.path()})
          .status,
      0);
  const Ended reported = Pliant({"report", (folder / "pendulum").string()});
  EXPECT_EQ(reported.status, 0) << reported.err;
  EXPECT_THAT(reported.out, HasSubstr("linear-deformation  displacement-constraints"));
}

TEST(FirstDay, AMaterialThatNoBackendHoldsIsWarnedOf) {
  const ScratchFolder folder;
  WriteCube(folder / "cube.obj", false);
  std::string text = kCubeOnFloor;
  text.erase(text.find("mass = 1"), 8);
  text +=
      "[scene.body.material]\ndensity = 100\nyoungs_modulus = 1e4\npoisson_ratio = 0.3\n"
      "thickness = 0.01\n[backends.position-based]\n[backends.linear-deformation]\n";
  WriteText(folder / "cube.toml", text);
  const std::string file = (folder / "cube.toml").string();
  const auto warns = HasSubstr(
      "warning: no chosen backend holds the material of body 'cube': only masses follow from it");
  EXPECT_THAT(Pliant({"check", file}).out, warns);
  EXPECT_THAT(Pliant({"run", file, "--out", folder.path()}).err, warns);
  // A solid has its material in linear-deformation, and a rigid body needs none.
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    return changed.replace(changed.find(from), from.size(), to);
  };
  WriteText(folder / "cube.toml", replaced("thickness = 0.01", "") /* a block has none */);
  std::string solid = TextOf(folder / "cube.toml");
  solid.replace(solid.find("shape = \"mesh\"\nfile = \"cube.obj\""), 32,
                "shape = \"block\"\nsize = [1, 1, 1]\npoints = [2, 2, 2]\n");
  WriteText(folder / "cube.toml", solid);
  const Ended held = Pliant({"check", file});
  EXPECT_EQ(held.status, 0) << held.err;
  EXPECT_THAT(held.out, Not(HasSubstr("no chosen backend holds")));
  EXPECT_THAT(Pliant({"check", file, "--backend", "position-based"}).out, warns);
}

// The recipe of docs/tuning.md, "It should begin at rest", word for word but for the time: a stone is carried until its shelf
// has settled, by every formulation.
TEST(FirstDay, AStoneIsCarriedUntilItsShelfIsAtRest) {
  const std::string page = TextOf("docs/tuning.md");
  const size_t begin = page.find("  [[scene.force]]"), end = page.find("  ```\n", begin);
  ASSERT_NE(end, std::string::npos);
  std::string recipe = page.substr(begin, end - begin);
  recipe.replace(recipe.find("until = 2.0"), 11, "until = 0.4");
  const ScratchFolder folder;
  WriteText(folder / "rest.toml", R"(
[run]
duration = 0.5
step = 0.002
record_every = 0.02
[scene]
name = "shelf"
gravity = [0, -9.81, 0]
[[scene.body]]
name = "shelf"
shape = "block"
size = [1.0, 0.1, 0.2]
points = [5, 2, 2]
[scene.body.material]
density = 1000
youngs_modulus = 3e6
poisson_ratio = 0.3
damping = {mass = 35.0}
[[scene.body]]
name = "stone"
shape = "block"
size = [0.1, 0.1, 0.1]
points = [2, 2, 2]
mass = 1.0
position = [0, 1.0, 0]
rigid = true
[[scene.nail]]
name = "walls"
body = "shelf"
points = "x-"
[[scene.nail]]
name = "other"
body = "shelf"
points = "x+"
[[probe]]
name = "height"
measure = "position"
component = "y"
of = {body = "stone"}
at = [0.4, 0.5]
[backends.linear-deformation]
order = 1
[backends.dynamic-ffd]
free_lattice = true
modes = {degree_x = 2, degree_y = 1, degree_z = 1}
integrator = "rk4"
step = 0.0005
[backends.displacement-constraints]
[backends.position-based]
[backends.finite-elements]
step = 0.01
)" + recipe);
  const Ended run = Pliant({"run", (folder / "rest.toml").string(), "--out", folder.path()});
  EXPECT_EQ(run.status, 0) << run.err;
  const double fallen = 0.5 * 9.81 * 0.1 * 0.1;
  for (const char* backend : {"linear-deformation", "dynamic-ffd", "displacement-constraints",
                              "position-based", "finite-elements"}) {
    const Bundle bundle = Bundle::Open(folder / "rest" / backend);
    const auto height = bundle.Column("height_m"), moving = bundle.Column("kinetic_energy_J");
    ASSERT_EQ(height.size(), 26u) << backend;
    EXPECT_NEAR(*height[20], 1.0, 1e-6) << backend;
    EXPECT_NEAR(*height[25], 1.0 - fallen, 0.15 * fallen) << backend;
    EXPECT_LT(*moving[20], 0.1 * **std::ranges::max_element(moving)) << backend;
  }
}

std::vector<std::string> Refine(const ScratchFolder& folder, const std::vector<std::string>& more) {
  std::vector<std::string> command = {"refine",   "pendulum", "--set", "run.duration=0.1",
                                      "--levels", "3",        "--out", folder.path()};
  command.insert(command.end(), more.begin(), more.end());
  return command;
}

TEST(FirstDay, ASecondRefinementKeepsTheBackendsOfTheFirst) {
  const ScratchFolder folder;
  const std::vector<std::string> two = {"--backend", "linear-deformation", "--backend",
                                        "position-based"};
  EXPECT_EQ(Pliant(Refine(folder, two)).status, 0);
  const std::string kept = TextOf(folder / "pendulum/refine-step.json");
  const Ended one = Pliant(Refine(folder, {"--backend", "linear-deformation"}));
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_THAT(one.err, HasSubstr("has results of other backends or rungs, which stay"));
  EXPECT_THAT(one.out, HasSubstr((folder / "pendulum/refine-step-2.json").string()));
  EXPECT_EQ(TextOf(folder / "pendulum/refine-step.json"), kept);
  // The same again takes their place.
  EXPECT_THAT(Pliant(Refine(folder, two)).out,
              HasSubstr((folder / "pendulum/refine-step.json").string()));
}

constexpr char kBoard[] = R"(
[run]
duration = 0.04
step = 0.002
record_every = 0.004
[scene]
name = "board"
gravity = [0, -9.81, 0]
[[scene.body]]
name = "board"
shape = "block"
size = [4, 0.2, 1]
points = [5, 2, 3]
[scene.body.material]
density = 1000
youngs_modulus = 1e7
poisson_ratio = 0.3
[[scene.nail]]
name = "left"
body = "board"
points = "x-"
[[probe]]
name = "sag"
measure = "displacement"
component = "y"
of = {body = "board", point = [2, 1, 1]}
[[probe]]
name = "place"
measure = "position"
component = "y"
of = {body = "board", points = {centre = [0, 0, 0], radius = 0.2}}
crosses = -0.0001
cycles = true
[backends.finite-elements]
)";

TEST(FirstDay, AProbeThatIsElsewhereOnFinerRungsIsWarnedOf) {
  const ScratchFolder folder;
  WriteText(folder / "board.toml", kBoard);
  const Ended refined = Pliant({"refine", (folder / "board.toml").string(), "--in", "resolution",
                                "--levels", "2", "--out", folder.path()});
  EXPECT_EQ(refined.status, 0) << refined.err;
  EXPECT_THAT(refined.err, Says({"warning: probe 'sag' is elsewhere on finer rungs",
                                 "points = {centre = [x, y, z], radius = r}"}));
  EXPECT_THAT(refined.err, Not(HasSubstr("probe 'place'")));
}

TEST(FirstDay, CheckFailsWhereARunWouldEndAtOnce) {
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
TEST(FirstDay, CheckSaysWhereNoYardstickCanBegin) {
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
TEST(FirstDay, CheckLooksForTheYardstickWhereTheRunsGo) {
  const ScratchFolder folder;
  const std::string file = "experiments/accuracy/printed-or-corrected.toml";
  const std::vector<std::string> check = {"check", file, "--out", folder.path()};
  const std::string none = "estimate: yardstick: none of this scene is kept";
  EXPECT_THAT(Pliant(check).out, HasSubstr(none));
  const Ended made = Pliant({"yardstick", file, "--out", folder.path()});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_THAT(Pliant(check).out, Not(HasSubstr(none)));
}

TEST(FirstDay, ASearchThatVariesTheSceneIsToldOfSweeps) {
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
TEST(FirstDay, CheckNotesWhatIsHardlyMeant) {
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

TEST(FirstDay, ASceneFileIsNotedToo) {
  const ScratchFolder folder;
  WriteText(folder / "scene.toml",
            "name = \"a\"\ngravity = [0, 9.81, 0]\n[[body]]\nname = \"b\"\nshape = "
            "\"block\"\nsize = [1, 1, 1]\npoints = [2, 2, 2]\nmass = 1\n");
  EXPECT_THAT(Pliant({"check", (folder / "scene.toml").string()}).out,
              HasSubstr("scene.toml:2:11: gravity points up"));
}

// m g / (K N): 5 kg on 4 corners of 4500 N/m.
TEST(FirstDay, CheckSaysHowFarAPenaltyLetsABodySink) {
  const ScratchFolder folder;
  const std::string file = (folder / "rod.toml").string();
  WriteText(file, RodOnFloor({{"GRAVITY", "-9.81"}, {"ANGLE", "0"}, {"YOUNGS", "1e5"}}));
  EXPECT_THAT(
      Pliant({"check", file}).out,
      HasSubstr("; at rest 'rod' sinks in by 0.00273 m where its 4 nearest points carry it"));
}

TEST(FirstDay, MessagesGiveAnExample) {
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
TEST(FirstDay, CheckNotesASlopeInDegreesAndATimeBeyondTheEnd) {
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

// Patterns are looked for in whatever a file or a word holds, however long.
TEST(FirstDay, LongLinesAndWordsAreNoTrouble) {
  const ScratchFolder folder;
  const std::string file = (folder / "long.toml").string(), digits(300000, '1');
  for (const std::string& line : {"a = " + digits + ",5", "a = 1," + digits, "a = 1,5 #" + digits,
                                  "a = " + std::string(300000, ' ') + "1,5"}) {
    WriteText(file, line + "\n");
    EXPECT_EQ(Pliant({"check", file}).status, 2) << line.substr(0, 10);
  }
  const std::string word(60000, 'a');  // two of them are all that one argument takes
  for (const std::string& message : {"'" + word + "'", "[" + word + "]", word + ":1:1: " + word}) {
    EXPECT_EQ(Pliant({"explain", message}).status, 2) << message.substr(0, 10);
  }
}

// The cost of a sweep is that of all of its points.
TEST(FirstDay, CheckSaysWhatAWholeSweepCosts) {
  const ScratchFolder folder;
  const std::string file = (folder / "rod.toml").string();
  WriteText(file, RodOnFloor({{"GRAVITY", "-9.81"}, {"ANGLE", "0"}, {"YOUNGS", "1e5"}}) +
                      "[sweep]\n[[sweep.vary]]\nkey = \"run.step\"\nvalues = [0.001, 0.0005]\n");
  EXPECT_THAT(
      Pliant({"check", file}).out,
      Says({"the sweep has 2: ",
            " of CPU time in 2 runs, if every step costs as much; their 4 records, the table"}));
}

// From 2 rad the period is 33 % longer than that of small swings; position-based dynamics lose amplitude at this step.
TEST(FirstDay, APeriodThatDriftsIsSaidToBeAMean) {
  const ScratchFolder folder;
  const auto run = [&](const std::string& duration, const std::string& step) {
    const Ended ran =
        Pliant({"run", "experiments/textbook-pendulum.toml", "--backend", "position-based", "--set",
                "scene.body[0].rotation=2.0", "--set", "run.duration=" + duration, "--set",
                "run.step=" + step, "--out", folder.path().string(), "--overwrite"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    return Pliant({"report", (folder / "textbook-pendulum/position-based").string()}).out;
  };
  EXPECT_THAT(run("10", "0.002"),
              Says({"note: swing_period_s of position-based is a mean: the second half of the "
                    "records swings ",
                    " % faster than the first, and the amplitude falls by "}));
  EXPECT_THAT(run("6", "0.002"), HasSubstr("is a mean: the amplitude falls by "));
  EXPECT_THAT(run("20", "0.002"), HasSubstr("leaves more than a tenth of the variance"));
  EXPECT_THAT(run("1", "0.002"),
              HasSubstr("note: swing_period_s of position-based is blank: no whole period"));
  // A small swing has one period at any amplitude.
  const Ended small = Pliant({"run", "experiments/textbook-pendulum.toml", "--backend",
                              "linear-deformation", "--out", (folder / "small").string()});
  EXPECT_EQ(small.status, 0) << small.err;
  EXPECT_THAT(
      Pliant({"report", (folder / "small/textbook-pendulum/linear-deformation").string()}).out,
      Not(HasSubstr("note: ")));
}

// Load steps take the place of the step, whoever has it; those of backends that do not run need not fit.
TEST(Static, TakesThePlaceOfAStepOfTheBackendsOwn) {
  const ScratchFolder folder;
  const std::string file = (folder / "a.toml").string();
  const auto series_with = [&](const std::string& backends) {
    WriteText(file, R"(
[run]
duration = 0.3
step = 0.001
record_every = 0.1
[scene]
name = "bar"
gravity = [0, -9.81, 0]
[[scene.body]]
name = "bar"
shape = "block"
size = [1.0, 0.2, 0.2]
points = [3, 2, 2]
[scene.body.material]
density = 1000
youngs_modulus = 1e7
poisson_ratio = 0.3
[[scene.nail]]
name = "wall"
body = "bar"
points = "x-"
[[probe]]
name = "tip"
measure = "displacement"
component = "y"
of = {body = "bar", points = "x+"}
)" + backends);
    const Ended ended = Pliant(
        {"run", file, "--static", "--load-steps", "7", "--overwrite", "--out", folder.path()});
    EXPECT_EQ(ended.status, 0) << ended.err;
    return TextOf(folder / "a/finite-elements/series.csv");
  };
  const std::string common = series_with("[backends.finite-elements]\n");
  const auto lines_in = [](const std::string& series) {
    return std::count(series.begin(), series.end(), '\n');
  };
  EXPECT_EQ(lines_in(common), 9);  // a header, the start, and seven load steps
  EXPECT_EQ(lines_in(series_with("[backends.finite-elements]\nstep = 0.01\n")), 9);
  EXPECT_EQ(
      lines_in(series_with(
          "[backends.position-based]\nstep = 0.02\n[backends.finite-elements]\nstep = 0.01\n")),
      9);
}

}  // namespace
}  // namespace pliant
