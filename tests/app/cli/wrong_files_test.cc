// Mistakes that people make in their first file, and the line that they get for each.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

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
                        ":16:11: body 'bridge' has a density of 1.1 kg/m³, nearer to a gas than to "
                        "a solid; if g/cm³ are meant, write 1100"));
  EXPECT_THAT(Check("[0.8, 0.04]", "[800, 40]").out,
              HasSubstr("note: " + file_ +
                        ":13:8: body 'bridge' is 800 m long; lengths are in metres; if mm are "
                        "meant, divide all lengths by 1000"));
  EXPECT_THAT(Check("0.8", "0.9").out, Not(HasSubstr("note:")));
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
              Says({"'step' is a text; expected number\n"}));
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
