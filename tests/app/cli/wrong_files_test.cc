// Mistakes that people make in their first file, and the line that they get for each.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/files/experiment.h"
#include "experiments/files/experiment_document.h"
#include "experiments/files/scene_notes.h"
#include "tests/app/cli/program.h"
#include "tests/says.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kBridge[] = R"(
[run]
duration = 1.4
step = 0.00005
record_every = 0.005
[scene]
name = "bridge"
dimension = 2
gravity = [0, -9.81]
[[scene.body]]
name = "bridge"
shape = "sheet"
size = [0.8, 0.04]
points = [5, 3]
[scene.body.material]
density = 1100
youngs_modulus = 1.5e6
poisson_ratio = 0.45
thickness = 0.2
[[scene.nail]]
name = "left"
body = "bridge"
points = "x-"
[backends.position-based]
[backends.finite-elements]
step = 0.005
)";

class ABridge : public ::testing::Test {
 protected:
  Ended Check(const std::string& from, const std::string& to) const {
    std::string text = kBridge;
    text.replace(text.find(from), from.size(), to);
    WriteText(file_, text);
    return Pliant({"check", file_});
  }

  const ScratchFolder folder_;
  const std::string file_ = (folder_ / "a.toml").string();
};

// Numbers that are everyday ones in other units.
TEST_F(ABridge, IsAskedForItsUnits) {
  EXPECT_THAT(Check("-9.81", "-981").out,
              HasSubstr("note: " + file_ +
                        ":9:11: gravity of 981 m/s² is 100 times that of the Earth; if cm/s² are "
                        "meant, write [0, -9.81, 0]; if mm/s², [0, -0.981, 0]"));
  EXPECT_THAT(Check("1100", "1.1").out,
              HasSubstr("note: " + file_ +
                        ":16:11: body 'bridge' has a density of 1.1 kg/m³; of solids only foams "
                        "and gels are so light; if g/cm³ are meant, write 1100"));
  EXPECT_THAT(Check("1100", "22.6").out, HasSubstr("if g/cm³ are meant, write 22600"));
  EXPECT_THAT(Check("1100", "24").out, Not(HasSubstr("note:")));
  EXPECT_THAT(Check("[0.8, 0.04]", "[800, 40]").out,
              HasSubstr("note: " + file_ +
                        ":13:8: body 'bridge' is 800 m long; lengths are in metres; if mm are "
                        "meant, divide all lengths by 1000"));
  EXPECT_THAT(Check("0.8", "0.9").out, Not(HasSubstr("note:")));
}

// A wrong unit of length or of gravity makes weights larger too: the stiffness is then not doubted for that.
TEST_F(ABridge, IsAskedForOneUnitWhereOneIsWrong) {
  const std::string soft = "collapses under its own weight";
  // ρ g L = 1100 · 9.81 · 160 Pa = 1.73 MPa in mm; 1.73 kPa in m.
  EXPECT_THAT(Check("[0.8, 0.04]", "[800, 160]").out, Not(HasSubstr(soft)));
  EXPECT_THAT(Check("1.5e6", "15").out, HasSubstr(soft));
  EXPECT_THAT(Check("[0.8, 0.04]", "[8, 4]").out, Not(HasSubstr("note:")));
  EXPECT_THAT(Check("gravity = [0, -9.81]", "gravity = [0, -5000000]").out, HasSubstr(soft));
  EXPECT_THAT(Check("gravity = [0, -9.81]", "gravity = [0, -3000000]").out, Not(HasSubstr(soft)));
}

struct Doubt {
  std::string from, to, says;
};

// What a check notes of a scene in space with a body of each kind, and does not note just below.
class ASceneInSpace : public ::testing::Test {
 protected:
  // The notes for this scene.
  std::string Notes(const std::string& from = "", const std::string& to = "") const {
    std::string text = R"(
[run]
duration = 1
step = 0.001
record_every = 0.01
[scene]
name = "pile"
gravity = [0, -9.81, 0]
[[scene.body]]
name = "bar"
shape = "block"
size = [1.0, 0.2, 0.2]
points = [3, 2, 2]
mass = 1
[[scene.body]]
name = "cloth"
shape = "sheet"
size = [0.5, 0.5]
points = [3, 3]
position = [0, 2, 0]
[scene.body.material]
density = 300
youngs_modulus = 1e6
poisson_ratio = 0.3
thickness = 0.001
[[scene.obstacle]]
name = "floor"
shape = "plane"
position = [0, -1, 0]
friction = 0.5
[[scene.nail]]
name = "wall"
body = "bar"
points = "x-"
from = 0
[[scene.force]]
name = "wind"
body = "cloth"
points = "all"
force = [1, 0, 0]
from = 0.5
[[scene.impulse]]
name = "kick"
body = "bar"
point = 3
impulse = [1, 0, 0]
time = 0.5
[contact.bar.cloth]
friction = 0.5
[backends.position-based]
)";
    text.replace(text.find("[contact"), 8, "[scene.contact");
    if (!from.empty()) text.replace(text.find(from), from.size(), to);
    WriteText(file_, text);
    const Ended check = Pliant({"check", file_});
    EXPECT_EQ(check.err, "") << to;
    std::istringstream lines(check.out);
    std::string notes;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("note: ")) notes += line.substr(6 + file_.size()) + '\n';
    }
    return notes;
  }

  const ScratchFolder folder_;
  const std::string file_ = (folder_ / "a.toml").string();
};

TEST_F(ASceneInSpace, HasNotesOfWhatItsAuthorMayNotHaveMeant) {
  EXPECT_EQ(Notes(), "");
  for (
      const Doubt& doubt : std::vector<Doubt>{
          {"position = [0, 2, 0]", "position = [0, 2, 0]\nrotation = {axis = [0, 0, 1], angle = 5}",
           ":21:39: angle = 5 rad is 286°; angles are in radians; if degrees are meant, write "
           "0.0873\n"},
          {"from = 0.5", "from = 1.5",
           ":41:8: force 'wind' begins at 1.5 s, when the run of 1 s is over: it does nothing; let "
           "it begin earlier, or give a longer duration\n"},
          {"time = 0.5", "time = 5.0", ":47:8: impulse 'kick' begins at 5 s, when the run of 1 s"},
          {"from = 0\n", "from = 7\n", ":35:8: nail 'wall' begins at 7 s, when the run of 1 s"},
          {"record_every = 0.01", "record_every = 5.0",
           ":5:16: record_every = 5 s is longer than the run of 1 s: only its start and its end "
           "are "
           "recorded; write a shorter one"},
          {"friction = 0.5", "friction = 30",
           ":30:12: with a friction of 30, obstacle 'floor' holds what lies on a slope of up to "
           "88.1°; 0.1 to 1 are usual; if percent are meant, write 0.3\n"},
          {"friction = 0.5\n[backends", "friction = 50\n[backends",
           ":49:12: with a friction of 50, [contact.bar.cloth] holds what lies on a slope of up to "
           "88.9°"},
          {"thickness = 0.001", "thickness = 1.0",
           ":25:13: body 'cloth' has a thickness of 1 m, more than its length of 0.5 m; if mm are "
           "meant, write 0.001\n"},
          {"density = 300", "density = 11.3", "if g/cm³ are meant, write 11300\n"}}) {
    EXPECT_THAT(Notes(doubt.from, doubt.to), HasSubstr(doubt.says));
  }
  for (const Doubt& fine :
       std::vector<Doubt>{{"position = [0, 2, 0]",
                           "position = [0, 2, 0]\nrotation = {axis = [0, 0, 1], angle = 3.14}", ""},
                          {"from = 0.5", "from = 0.99", ""},
                          {"record_every = 0.01", "record_every = 1.0", ""},
                          {"friction = 0.5", "friction = 2", ""},
                          {"thickness = 0.001", "thickness = 0.4", ""},
                          {"density = 300", "density = 23.1", ""}}) {
    EXPECT_EQ(Notes(fine.from, fine.to), "") << fine.to;
  }
}

TEST_F(ASceneInSpace, SaysWhichBodyBeginsInsideAnObstacle) {
  EXPECT_EQ(Notes("position = [0, -1, 0]", "position = [0, -0.1, 0]"), "");  // it touches
  EXPECT_THAT(Notes("position = [0, -1, 0]", "position = [0, -0.05, 0]"),
              HasSubstr(": body 'bar' begins 0.05 m inside obstacle 'floor'; move one of them\n"));
  EXPECT_THAT(Notes("shape = \"plane\"\nposition = [0, -1, 0]",
                    "shape = \"sphere\"\nradius = 0.5\nposition = [0, 0.5, 0]"),
              HasSubstr(": body 'bar' begins 0.1 m inside obstacle 'floor'; move one of them\n"));
  EXPECT_EQ(
      Notes("position = [0, 2, 0]",
            "position = [0, 0, 0]\nrotation = {axis = [1, 0, 0], angle = 1.57}"),
      ":20:12: bodies 'bar' and 'cloth' begin 0.1 m inside each other; move them apart, or set "
      "ignore = true in [scene.contact.bar.cloth]\n");
}

class AMistakeInABridge : public ABridge, public ::testing::WithParamInterface<Doubt> {};

TEST_P(AMistakeInABridge, IsToldWithItsRemedy) {
  const Ended check = Check(GetParam().from, GetParam().to);
  EXPECT_EQ(check.status, 2);
  EXPECT_EQ(check.err, file_ + GetParam().says + '\n');
}

INSTANTIATE_TEST_SUITE_P(
    OfKind, AMistakeInABridge,
    ::testing::Values(
        Doubt{"points = [5, 3]", "points = [5, 3",
              ":14:10: not valid TOML: a list begins here and is not closed before the next key or "
              "table; end it with ]"},
        Doubt{"[[scene.nail]]", "[scene.nail]",
              ":20:1: 'nail' is a table; write [[scene.nail]], because there may be several"},
        Doubt{"[[scene.nail]]", "[scene.nail.left]",
              ":20:1: 'nail' is a table; write [[scene.nail]], because there may be several"},
        Doubt{"gravity = [0, -9.81]", "gravity = [0, -9.81]\nobstacle = {name = 'floor'}",
              ":10:12: 'obstacle' is a table; put it in brackets, because there may be several: "
              "[{…}]"},
        Doubt{"[[scene.body]]\n", "[scene.body]\n",
              ":10:1: 'body' is a table; write [[scene.body]], because there may be several"},
        Doubt{"[scene.body.material]", "[[scene.body.material]]",
              ":15:1: 'material' is an array; write [scene.body.material], because there is only "
              "one"},
        Doubt{"[0, -9.81]", "-9.81",
              ":9:11: 'gravity' is a number; expected [x, y, z], as [0, -9.81, 0]"},
        Doubt{"thickness = 0.2", "thickness = \"thin\"",
              ":19:13: 'thickness' is a text; expected number, as 0.5"},
        Doubt{"thickness = 0.2", "thickness = \"20 cm\"",
              ":19:13: 'thickness' is a text; expected number; write the number alone, without "
              "quotes, in the unit that the manual gives: 20"},
        Doubt{"thickness = 0.2", "thickness = \"5µm\"",
              ":19:13: 'thickness' is a text; expected number; write the number alone, without "
              "quotes, in the unit that the manual gives: 5"},
        Doubt{"[backends.position-based]\n", "[position-based]\n",
              ":24:2: unknown key 'position-based' in the experiment; 'position-based' belongs to "
              "[backends], not to the experiment"},
        Doubt{
            "record_every", "title = \"Bridge\"\nrecord_every",
            ":5:1: unknown key 'title' in [run]; 'title' belongs to the experiment, not to [run]: "
            "write it above the first table of the file"},
        Doubt{
            "[[scene.nail]]\n",
            "[[scene.nail]]\nname = \"end\"\nbody = \"bridge\"\npoints = \"x-\"\n[[scene.nail]]\n",
            ":27:10: point 0 of body 'bridge' is nailed twice, by 'end' and 'left': the "
            "constraints are redundant or contradict; give one of them other points, or let it "
            "hold at another time"},
        Doubt{
            "[backends.position-based]", "[sweep]\nvary = \"run.step\"\n[backends.position-based]",
            ":25:8: 'vary' is a text; expected list, each table [[sweep.vary]]: begin each with a "
            "header, [[…vary]]"},
        Doubt{"shape = \"sheet\"\nsize = [0.8, 0.04]\npoints = [5, 3]",
              "shape = \"block\"\nsize = [0.8, -0.04, 0.1]\npoints = [5, 3, 2]",
              ":13:8: size of body 'bridge' must be positive, not -0.04"},
        Doubt{"points = \"x-\"", "points = 3",
              ":23:10: 'points' is a whole number; expected text or list, each point or table a "
              "region {x, y, z, centre, radius, from, to}, as \"left\" or [0, …] or {x = …, y = "
              "…}"},
        Doubt{"thickness = 0.2", "damping = 0.2",
              ":19:11: 'damping' is a number; expected table damping, as {mass = …, stiffness = "
              "…}"},
        Doubt{"points = \"x-\"", "points = \"x-\"\nuntil = 0.2\nfrom = 0.5",
              ":24:9: nail 'left' must end after it begins: it begins at 0.5 s and ends at 0.2 s; "
              "write a later 'until' or an earlier 'from'"},
        Doubt{"[backends.position-based]",
              "[[scene.force]]\nname = \"f\"\nbody = \"bridge\"\npoints = \"x+\"\nforce = [0, "
              "1]\nfrom = 0.5\nuntil = 0.2\n[backends.position-based]",
              ":30:9: force 'f' must end after it begins: it begins at 0.5 s and ends at 0.2 s; "
              "write a later 'until' or an earlier 'from'"},
        Doubt{"step = 0.00005", "step = 0.1",
              ":5:16: record_every = 0.005 s is not a whole number of steps of 0.1 s; the step is "
              "longer: write run.step = 0.005 or less, or record_every = 0.1 or a multiple; if "
              "run.step is in ms, write 0.0001"}));

// A figure that a probe would have, if it were told to.
TEST_F(ABridge, IsToldByWhichKeyAProbeHasAFigure) {
  for (const auto& [figure, keys] : std::vector<std::pair<std::string, std::string>>{
           {"tip_period_s", "oscillates = true"},
           {"tip_decay_1_s", "oscillates = true"},
           {"tip_crossing_s", "crosses = …, the value that it passes"},
           {"tip_falls", "cycles = true and crosses = …, the value that it falls to"},
           {"tip_at_0.5_s_m", "at = [0.5]"}}) {
    Check("[backends.position-based]",
          "[[probe]]\nname = \"tip\"\nmeasure = \"displacement\"\ncomponent = \"y\"\n"
          "of = {body = \"bridge\", points = \"x+\"}\n[[sweep.vary]]\nkey = \"run.step\"\n"
          "values = [0.00005, 0.0001]\n[[sweep.curve]]\nfigure = \"" +
              figure + "\"\n[backends.position-based]");
    const Ended sweep = Pliant({"sweep", file_, "--out", folder_.path()});
    EXPECT_EQ(sweep.status, 2);
    EXPECT_EQ(sweep.err, file_ + ":33:10: there is no headline figure '" + figure +
                             "'; add to probe 'tip': " + keys + "\n");
  }
}

// Nothing that ships is asked.
TEST(ShippedExperiments, HaveNoNotes) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator("experiments")) {
    if (entry.path().extension() != ".toml") continue;
    Experiment experiment;
    try {
      experiment = ReadExperiment(entry.path());
    } catch (const FileError&) {
      continue;  // a table beside an experiment
    }
    EXPECT_THAT(NotesOf(experiment, experiment.document->root), ::testing::IsEmpty())
        << entry.path();
  }
}

// One remedy for all steps.
TEST_F(ABridge, IsToldOneTimeThatFitsEveryStep) {
  const std::string recorded = Check("record_every = 0.005", "record_every = 0.00503").err;
  EXPECT_EQ(recorded,
            file_ +
                ":5:16: record_every = 0.00503 s is not a whole number of steps of 5e-05 s, nor of "
                "0.005 s, the step of backend 'finite-elements'; the nearest that fits every step "
                "is 0.005 s\n");
  EXPECT_THAT(Check("duration = 1.4", "duration = 1.401").err,
              HasSubstr(":3:12: duration = 1.401 s is not a whole number of steps of 0.005 s, the "
                        "step of backend 'finite-elements'; the nearest that fits every step is "
                        "1.4 s"));
  EXPECT_THAT(Check("step = 0.005\n", "step = 0.00007123457\n").err,
              HasSubstr("give steps of which each is a whole number of the shorter ones"));
}

TEST_F(ABridge, IsRefusedWithThePlaceOfItsBackend) {
  EXPECT_THAT(Check("[backends.position-based]\n[backends.finite-elements]\n",
                    "[[scene.body]]\nname = \"block\"\nshape = \"sheet\"\nsize = [0.1, 0.1]\n"
                    "points = [2, 2]\nmass = 1\nrigid = true\nposition = [0, 0.2]\n"
                    "[backends.position-based]\n[backends.finite-elements]\n"
                    "contact_thickness = 4\n")
                  .out,
              Says({"position-based (position-based dynamics), step 5e-05 s: runs",
                    "step 0.005 s: refused ([backends.finite-elements] at " + file_ + ":33:1)",
                    "use contact_thickness = "}));
}

TEST_F(ABridge, IsToldToWriteNumbersWithoutQuotes) {
  EXPECT_THAT(Check("thickness = 0.2", "thickness = \"0.2\"").err,
              HasSubstr("'thickness' is a text; expected number; write 0.2 without quotes"));
  EXPECT_THAT(Check("step = 0.005\n", "step = \"5 ms\"\n").err,
              Says({"'step' is a text; expected number; write the number alone, without quotes, in "
                    "the unit that the manual gives: 5\n"}));
  EXPECT_THAT(
      Check("[0.8, 0.04]", "[0, 8, 0, 4]").err,
      HasSubstr("'size' has 4 entries; it must have 2; decimals have a point, not a comma"));
}

TEST(AFirstFile, IsOfferedTheWordsOfItsOptions) {
  const ScratchFolder folder;
  EXPECT_THAT(Pliant({"new", (folder / "a.toml").string(), "--held", "both"}).err,
              HasSubstr("--held cannot be 'both'; one of: nothing, one-side, both-sides"));
}

TEST(AMeshThatIsMissing, IsLookedForAmongThoseThatShip) {
  const ScratchFolder folder;
  WriteText(folder / "a.toml",
            "name = \"a\"\n[[body]]\nname = \"b\"\nshape = \"mesh\"\nfile = \"elephant\"\n"
            "mass = 1\n");
  EXPECT_THAT(Pliant({"check", (folder / "a.toml").string()}).err,
              Says({"there is no file",
                    "file names are relative to the file that contains them; "
                    "or name one that ships: ball, "}));
}

}  // namespace
}  // namespace pliant
