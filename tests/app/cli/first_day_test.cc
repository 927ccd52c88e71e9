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
