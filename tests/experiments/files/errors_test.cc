// Every mistake in a file is one line "file:line:column: what; how to mend".

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>

#include "tests/experiments/complaints.h"
#include "tests/experiments/files/samples.h"
#include "tests/says.h"

namespace pliant {
namespace {

using samples::ErrorOf;
using samples::Folder;
using samples::Replaced;
using samples::WriteSample;
using testing::HasSubstr;

// One slip of the pen in one of the sample files, and what the reader must say about it. The line
// is given as the text that stands there after the slip.
struct Slip {
  const char *file, *from, *to;
  const char* at;  // place of the complaint: text in `file` at which it points
  std::vector<const char*> says;
};

// Makes slips in one of the files.
auto In(const char* file) {
  return [file](const char* from, const char* to, const char* at, std::vector<const char*> says) {
    return Slip{file, from, to, at, std::move(says)};
  };
}
const auto in_sample = In("sample.toml"), in_scene = In("scene.toml"),
           in_outline = In("outline.toml"), in_modes = In("modes.toml");

void PrintTo(const Slip& slip, std::ostream* out) { *out << slip.file << ": " << slip.to; }

class ASlip : public testing::TestWithParam<Slip> {};

TEST_P(ASlip, IsToldAtItsPlaceInOneLine) {
  const Slip& slip = GetParam();
  const Folder folder;
  const auto experiment = WriteSample(folder);
  std::string text = slip.file == std::string("scene.toml")     ? samples::SampleScene()
                     : slip.file == std::string("outline.toml") ? samples::SampleOutline()
                     : slip.file == std::string("modes.toml")   ? samples::SampleModes()
                                                                : samples::SampleExperiment();
  text = Replaced(text, slip.from, slip.to);
  folder.Write(slip.file, text);
  ExpectComplaint(ErrorOf(experiment), (folder.path() / slip.file).string(),
                  PlaceOfText(text, slip.at), slip.says);
  // Nothing is said of what follows from it.
  Mistakes mistakes;
  ReadSoundParts(experiment, {}, &mistakes, {&samples::ProbeBackend()});
  EXPECT_EQ(mistakes.list().size(), 1U) << TextOf(mistakes.list());
}

INSTANTIATE_TEST_SUITE_P(
    Experiment, ASlip,
    testing::Values(
        in_sample("scene =", "secne =", "secne", {"unknown key", "did you mean 'scene'?"}),
        in_sample("scene = \"scene.toml\"\n", "", "# A probe", {"lacks the key 'scene'"}),
        in_sample("scene.toml", "scenes.toml", "\"scenes", {"no file", "scenes.toml"}),
        in_sample("\"scene.toml\"", "3", "3", {"a whole number", "expected text or table"}),
        in_sample("duration", "durration", "durration", {"did you mean 'duration'?"}),
        in_sample("0.3", "-0.3", "-0.3", {"duration must be more than 0 s"}),
        in_sample("0.01", "0", "0\nrecord", {"step must be more than 0 s"}),
        in_sample("[run]", "[run]\nlost_energy_share = -0.5", "-0.5",
                  {"lost_energy_share must not be negative"}),
        in_sample("0.01", "nan", "nan", {"not a finite number"}),
        in_sample("0.01", "1e-20", "1e-20", {"steps"}),
        in_sample("0.01", "\"0.01\"", "\"0.01\"", {"a text", "expected number"}),
        in_sample("0.01", "0.03", "0.1\n",
                  {"record_every", "nearest that fits every step is 0.09 s"}),
        in_sample("0.005", "0.007", "0.3", {"duration", "0.007"}),
        in_sample("record_every = 0.1", "seed = 2", "[run]", {"lacks", "record_every"}),
        in_sample("record_every = 0.1", "record_every = 0.1\nseed = -2", "-2", {"seed"}),
        in_sample("[backends.probe]", "[backends.prob]", "prob]",
                  {"no formulation 'prob'", "did you mean 'probe'?"}),
        in_sample("formulation = \"probe\"", "formulation = \"prob\"", "\"prob\"",
                  {"did you mean 'probe'?"}),
        in_sample("stiffness", "stifness", "stifness", {"did you mean 'stiffness'?"}),
        in_sample("stiffness = 4", "stiffness = -4", "-4", {"at least 0"}),
        in_sample("stiffness = 4", "stiffness = true", "true", {"expected number"}),
        in_sample("stiffness = 4", "pace = \"fats\"", "\"fats", {"mean 'fast'?"}),
        in_sample("stiffness = 4", "sweeps = 0", "0\n", {"at least 1"}),
        in_sample("stiffness = 4", "sweeps = 2.5", "2.5", {"expected whole number"}),
        in_sample("[1, 0.1]", "[1, 1.5]", "[1, 1.5]", {"between 0 and 1"}),
        in_sample("[1, 0.1]", "[1, \"x\"]", "\"x\"", {"entry 1", "expected number"}),
        in_sample("modes.toml", "mods.toml", "\"mods", {"no file", "mods.toml"}),
        in_sample("\"modes.toml\"", "7", "7", {"the name of a data file, or table"}),
        in_sample("[run]", "[run", "\nduration", {"not valid TOML"}),
        in_sample("[run]", "reference = \"prob\"\n[run]", "\"prob\"", {"did you mean 'probe'?"}),
        in_sample("[run]", "name = \"../up\"\n[run]", "\"../up\"", {"name of a folder"}),
        in_sample("[run]", "[set]\nscene.obstacle.flor.friction = 0\n[run]", "flor",
                  {"no element 'flor'", "did you mean 'floor'?"})));

INSTANTIATE_TEST_SUITE_P(
    Scene, ASlip,
    testing::Values(
        in_scene("name = \"rich\"\n", "", "# Everything", {"the scene lacks the key 'name'"}),
        in_scene("force = [0.1, 0, 0]\n", "", "[[force]]",
                 {"force 'push' needs one of the keys 'force' and 'history'", "add force ="}),
        in_scene("force = [0.1, 0, 0]", "history = {times = [0, 1], forces = [[1, 0, 0]]}",
                 "0.3\n\n[[impulse]]", {"a force with a history has no 'until'"}),
        in_scene("force = [0.1, 0, 0]\nuntil = 0.3",
                 "history = {times = [7], forces = [[1, 0, 0]]}", "[7]",
                 {"1 forces and 1 times", "and the end"}),
        in_scene("force = [0.1, 0, 0]\nuntil = 0.3",
                 "history = {times = [7, 7], forces = [[1, 0, 0]]}", "[7, 7]", {"must increase"}),
        in_scene("dimension = 3", "dimension = 4", "4\n", {"dimension 2 or 3, not 4"}),
        in_scene("dimension = 3", "gravty = [0, 0, 0]", "gravty", {"mean 'gravity'?"}),
        in_scene("dimension = 3", "gravity = [0, 1]", "[0, 1]\n", {"2 entries", "3"}),
        in_scene("dimension = 3", "gravity = [0, inf, 0]", "inf", {"finite"}),
        in_scene("[[nail]]\nname = \"edge\"", "[[nial]]\nname = \"edge\"", "nial",
                 {"mean 'nail'?"}),
        in_scene("\"profile\"", "\"profil\"", "\"profil\"", {"mean 'profile'?"}),
        in_scene("shape = \"profile\"", "shpae = \"profile\"", "shpae", {"mean 'shape'?"}),
        in_scene("\"outline.toml\"", "\"outlin.toml\"", "\"outlin.toml\"", {"no file"}),
        in_scene("file = \"outline.toml\"", "fiel = \"outline.toml\"", "fiel", {"mean 'file'?"}),
        in_scene("mass = 0.7", "masses = [1, 2, 3]", "masses", {"both", "remove one"}),
        in_scene("mass = 0.7", "mass = -0.7", "-0.7", {"mass", "positive"}),
        in_scene("mass = 0.3", "mass = 0", "0\nrotation", {"mass", "positive"}),
        in_scene("mass = 0.3\n", "", "[[body]]\nname = \"rope\"", {"lacks the key 'mass'"}),
        in_scene("mass = 0.9", "mas = 0.9", "mas =", {"mean 'mass'?"}),
        in_scene("points = 5", "points = 1", "1\nmass", {"too few", "at least 2"}),
        in_scene("points = 5", "points = 2000000", "2000000", {"a million"}),
        in_scene("points = 5", "points = 5000000000", "5000000000", {"out of range"}),
        in_scene("points = 5", "points = 5.5", "5.5", {"expected whole number"}),
        in_scene("points = [3, 5]", "points = [3, 5, 7]", "[3, 5, 7]", {"must have 2"}),
        in_scene("\"xz\"", "\"zx\"", "\"zx\"", {"mean 'xz'?"}),
        in_scene("axis = [1, 1, 0]", "axis = [0, 0, 0]", "[0, 0, 0], angle", {"no direction"}),
        in_scene("angle = 0.7", "angel = 0.7", "angel", {"mean 'angle'?"}),
        in_scene("[1.2, 1, 0.9]", "[1.2, -1, 0.9]", "[1.2, -1, 0.9]", {"mirrors"}),
        in_scene("[1.2, 1, 0.9]", "[1.2]", "[1.2]", {"must have 3"}),
        in_scene("name = \"cloth\"\nshape", "name = \"rope\"\nshape", "\"rope\"\nshape = \"s",
                 {"two elements named 'rope'"}),
        in_scene("\"floor\"", "\"flo.or\"", "\"flo.or\"", {"cannot contain '.'"}),
        in_scene("[0.1, 3, 0]", "[0, 0, 0]", "[0, 0, 0]\nfriction", {"no direction"}),
        in_scene("[0.1, 3, 0]", "[0.1, 3, 0]\nslope = 1", "1\nfriction", {"has both"}),
        in_scene("friction = 0.3", "friction = -0.3", "-0.3", {"friction", "negative"}),
        in_scene("radius = 0.4", "radius = -0.4", "-0.4", {"radius", "positive"}),
        in_scene("radius = 0.4", "radius = 0.4\nposition = [1, 1, 1]", "[1, 1, 1]", {"has both"}),
        in_scene("times = [0, 0.7]", "times = [0.7, 0]", "[0.7, 0]", {"must increase"}),
        in_scene("times = [0, 0.7]", "times = [0]", "[[0, 3, 0]", {"1 times but 2 keys"}),
        in_scene("\"linear\"", "\"liner\"", "\"liner\"", {"mean 'linear'?"}),
        in_scene("[0.1, 0.2, 0.3]\nrotation = 0.1", "[0.1, 0, 0.3]\nrotation = 0.1",
                 "[0.1, 0, 0.3]", {"half_size", "positive"}),
        in_scene("body = \"cloth\"\npoints = \"corners\"", "body = \"clot\"\npoints = \"corners\"",
                 "\"clot\"", {"mean 'cloth'?"}),
        in_scene("\"corners\"", "\"cornes\"", "\"cornes\"", {"mean 'corners'?"}),
        in_scene("\"corners\"", "[0, 0]", "[0, 0]\n\n[[nail]]", {"nailed twice"}),
        in_scene("\"corners\"", "[]", "[]", {"empty"}),
        in_scene("points = \"corners\"\n", "", "[[nail]]\nname = \"edge\"",
                 {"one of the keys 'point' and 'points'"}),
        in_scene("point = \"start\"", "point = \"all\"", "\"all\"\npath",
                 {"5 points, but only one is expected"}),
        in_scene("point = \"start\"", "point = 5", "5\npath", {"out of range", "0 to 4"}),
        in_scene("point = \"start\"", "point = -1", "-1\npath", {"out of range"}),
        in_scene("offsets", "offset", "offset =", {"mean 'offsets'?"}),
        in_scene("points = [[0, 0, 0]]", "points = [[0, 0, 4]]", "[0, 0, 4]",
                 {"grid index 4", "0 to 3"}),
        in_scene("points = [[0, 0, 0]]", "points = [[0, 0, 0], 1]",
                 "[[0, 0, 0], [0.1, 0, 0]]}\n\n[[spring", {"one path cannot move 2 points"}),
        in_scene("\"start\"\nstiffness", "\"begin\"\nstiffness", "\"begin\"", {"\"start\""}),
        in_scene("anchor = \"start\"\n", "", "[[spring]]\nname = \"hold\"", {"'anchor' and 'to'"}),
        in_scene("12.5", "-12.5", "-12.5", {"stiffness", "negative"}),
        in_scene("point = [1, 2, 3]}", "pont = [1, 2, 3]}", "pont", {"mean 'point'?"}),
        in_scene("until = 0.3", "until = 0", "0\n\n[[impulse]]", {"end after it begins"}),
        in_scene("until = 0.3", "until = 1979-05-27", "1979", {"dates"}),
        in_scene("time = 0.1", "time = -0.1", "-0.1", {"time", "negative"}),
        in_scene("[contact.cloth.brick]", "[contact.cloth.brik]", "brik]",
                 {"no body 'brik'", "did you mean 'brick'?"}),
        in_scene("[contact.cloth.brick]", "[contact.clot.brick]", "clot.",
                 {"did you mean 'cloth'?"}),
        in_scene("[contact.cloth.brick]", "[contact.cloth]", "friction = 0.75", {"[contact.A.B]"}),
        in_scene("[contact.cloth.cloth]\nignore = true", "[contact.brick.cloth]",
                 "[contact.brick.cloth]", {"stated twice", "remove one"}),
        in_scene("0.75", "-0.75", "-0.75", {"friction", "negative"}),
        in_scene("restitution = 0.5", "restitution = 1.5", "1.5", {"higher and higher"}),
        in_scene("restitution = 0.5", "restitutoin = 0.5", "restitutoin", {"mean 'restitution'?"}),
        in_scene("restitution = 0.5", "ignore = true", "true\n\n[contact", {"ignore each other"})));

INSTANTIATE_TEST_SUITE_P(
    DataFiles, ASlip,
    testing::Values(in_outline("masses =", "mases =", "mases", {"mean 'masses'?"}),
                    in_outline("0.2,", "-0.2,", "[0.1, -0.2", {"positive"}),
                    in_outline("0.1, 0.2, 0.3", "-1, -2, -3", "[-1, -2, -3]", {"positive"}),
                    in_outline("0.2,", "", "[0.1,", {"3 points but 2 masses"}),
                    in_outline("[1, 2]", "[1, 3]", "[[0, 1], [1, 3]", {"out of range"}),
                    in_outline("[0, 1, 2]", "[0, 1]", "[0, 1]]", {"must have 3"}),
                    in_outline("[1.1, 0]", "[1.1, 0, 0]", "[1.1, 0, 0]", {"must have 2"}),
                    in_modes("[0.3, 0.7]", "[0.3]", "[0.3]", {"row 1", "must have 2"}),
                    in_modes("0.7", "nan", "nan", {"finite"}),
                    in_modes("values = [[1, 2], [3, 4]]", "", "[[entry]]\nname = \"second",
                             {"values"}),
                    in_modes("name = \"first\"", "", "[[entry]]\n\nstiffness", {"name"}),
                    in_modes("length = 0.1", "length = true", "length", {"unknown key 'length'"}),
                    in_modes("stiffness = 3", "stiffness = true", "true", {"expected number"})));

// A mistake that two files make together is reported in the one that causes it.
TEST(ErrorsOfABackend, PointIntoTheDataFile) {
  const Folder folder;
  const Experiment experiment =
      samples::ReadProbe(WriteSample(folder), {"backends.probe.fail=true"});
  try {
    TranslateFor(experiment, 0);
    FAIL() << "the probe did not refuse";
  } catch (const FileError& error) {
    EXPECT_EQ(error.what(), (folder.path() / "modes.toml").string() + ":" +
                                PlaceOfText(samples::SampleModes(), "[[1, 2]") +
                                ": probe: modes 0 and 1 are parallel; remove one");
  }
}

// What a formulation asks of the scene is a mistake where nothing else runs it.
TEST(ErrorsOfABackend, AGridThatDoesNotFitIsToldAtItsPlaceOrIsNotRun) {
  const Folder folder;
  const std::string scene =
      "name = \"skin\"\ngravity = [0, 0, -1]\n[[body]]\nname = \"skin\"\nshape = \"sheet\"\n"
      "size = [1, 1]\npoints = [4, 4]\nmass = 1.0\n";
  folder.Write("scene.toml", scene);
  const std::string experiment =
      "scene = \"scene.toml\"\n[run]\nduration = 0.3\nstep = 0.01\nrecord_every = 0.1\n"
      "[backends.kinematic-response]\n";
  ExpectComplaint(samples::TranslationErrorOf(folder.Write("alone.toml", experiment)),
                  (folder.path() / "scene.toml").string(), PlaceOfText(scene, "[4, 4]"),
                  std::vector<const char*>{"kinematic-response", "the nearest sizes are 3 and 5"});
  const Experiment two = ReadExperiment(
      folder.Write("two.toml", experiment + "[backends.displacement-constraints]\n"));
  const Translation refused = TranslateFor(two, 0);
  EXPECT_EQ(refused.simulation, nullptr);
  EXPECT_THAT(refused.record.WhyUnsupported(), testing::StartsWith("body.skin: "));
  EXPECT_THAT(refused.record.WhyUnsupported(), HasSubstr("the nearest sizes are 3 and 5"));
  for (const TranslatedElement& entry : refused.record.Entries()) {
    const bool body = entry.element == "body.skin";
    EXPECT_EQ(entry.fidelity == Fidelity::kUnsupported, body);
    EXPECT_THAT(entry.reason, HasSubstr(body ? "nearest sizes" : "body.skin is refused"));
  }
  EXPECT_GT(refused.record.Entries().size(), 1U);
  EXPECT_NE(TranslateFor(two, 1).simulation, nullptr);
}

// A file that is older than a formulation gets one line at the word that chose it, whatever else it
// says there.
TEST(ErrorsOfABackend, ARetiredWordSaysWhatToWriteNow) {
  const Folder folder;
  folder.Write("scene.toml",
               "name = \"rope\"\n[[body]]\nname = \"rope\"\nshape = \"chain\"\nfrom = [0, 0, 0]\n"
               "to = [1, 0, 0]\npoints = 3\nmass = 1.0\n");
  const std::string experiment =
      "scene = \"scene.toml\"\n[run]\nduration = 0.1\nstep = 0.01\nrecord_every = 0.1\n"
      "[backends.soft]\nformulation = \"displacement-constraints\"\ncompliance = 1e-3\n"
      "correction = \"lengths\"\n";
  const auto file = folder.Write("old.toml", experiment);
  ExpectComplaint(samples::TranslationErrorOf(file), file.string(),
                  PlaceOfText(experiment, "\"lengths\""),
                  std::vector<const char*>{"has become a formulation of its own",
                                           "write formulation = \"position-based\""});
  const std::string now =
      samples::Replaced(samples::Replaced(experiment, "correction = \"lengths\"\n", ""),
                        "displacement-constraints", "position-based");
  EXPECT_NE(TranslateFor(ReadExperiment(folder.Write("new.toml", now)), 0).simulation, nullptr);
}

TEST(Chain, HasALength) {
  const Folder folder;
  const auto experiment = WriteSample(folder);
  EXPECT_THAT(ErrorOf(experiment, {"scene.body.rope.from=[1,2,0]", "scene.body.rope.to=[1,2,0]"}),
              HasSubstr("the chain of body 'rope' has no length"));
}

TEST(Twist, MustBeDefinedAtTheStart) {
  const Folder folder;
  const auto experiment = WriteSample(folder);
  const auto error = [&](const std::string& first, const std::string& fourth) {
    const auto of = [](const std::string& point) {
      return "{body = \"cloth\", point = " + point + "}";
    };
    folder.Write("scene.toml", samples::SampleScene() +
                                   "[[limit]]\nname = \"turn\"\nmeasure = \"twist\"\nat_most = 1\n"
                                   "points = [" +
                                   of(first) + ", " + of("[1, 0]") + ", " + of("[1, 1]") + ", " +
                                   of(fourth) + "]\n");
    return ErrorOf(experiment);
  };
  EXPECT_EQ(error("[0, 0]", "[0, 2]"), "");
  EXPECT_THAT(error("[1, 2]", "[0, 2]"), HasSubstr("its first point is on the line"));
  EXPECT_THAT(error("[0, 0]", "[1, 2]"), HasSubstr("its fourth point is on the line"));
}

TEST(AttachedPoints, MustStartTogether) {
  const Folder folder;
  const std::string attachment = R"([[attachment]]
name = "knot"
a = {body = "rope", point = "end"}
b = {body = "cloth", point = [1, 2]}
)";
  const auto experiment = WriteSample(folder);
  folder.Write("scene.toml", samples::SampleScene() + attachment);
  EXPECT_THAT(ErrorOf(experiment), Says({"'knot' start", "m apart", "apart = true"}));
  folder.Write("scene.toml", samples::SampleScene() + attachment + "apart = true\n");
  EXPECT_EQ(ErrorOf(experiment), "");
  folder.Write("scene.toml", samples::SampleScene() + attachment + "apart = false\n");
  EXPECT_THAT(ErrorOf(experiment), HasSubstr("m apart"));
  // The end of the rope, turned by 0.3 rad about z.
  const double x = std::cos(0.3) - 0.1 * std::sin(0.3), y = std::sin(0.3) + 0.1 * std::cos(0.3);
  std::ostringstream together;
  together.precision(17);
  together << "scene.body.cloth.position=[" << x << "," << y << ",0]";
  EXPECT_EQ(ErrorOf(experiment, {together.str()}), "");
}

TEST(MissingFile, IsNamed) {
  EXPECT_THAT(ErrorOf("no/such/file.toml"), HasSubstr("there is no file 'no/such/file.toml'"));
  EXPECT_THAT(ErrorOf("/"), HasSubstr("is a folder"));
}

TEST(EmptyExperiment, LacksItsBackends) {
  const Folder folder;
  const auto experiment = WriteSample(folder);
  std::string text = samples::SampleExperiment();
  text = text.substr(0, text.find("[backends.probe]")) + "[backends]\n";
  folder.Write("sample.toml", text);
  EXPECT_THAT(ErrorOf(experiment), HasSubstr("the experiment has no backend"));
}

struct BadOverride {
  const char* text;
  std::vector<const char*> says;
};
void PrintTo(const BadOverride& bad, std::ostream* out) { *out << bad.text; }

class Override : public testing::TestWithParam<BadOverride> {};

TEST_P(Override, IsRefusedWithItsText) {
  const Folder folder;
  const std::string error = ErrorOf(WriteSample(folder), {GetParam().text});
  EXPECT_THAT(error, testing::StartsWith(std::string("--set ") + GetParam().text + ": "));
  for (const char* word : GetParam().says) EXPECT_THAT(error, HasSubstr(word));
}

INSTANTIATE_TEST_SUITE_P(
    Wrong, Override,
    testing::Values(
        BadOverride{"run.stpe=0.1", {"unknown key 'stpe'", "mean 'step'?"}},
        BadOverride{"rnu.step=0.1", {"unknown key 'rnu'", "mean 'run'?"}},
        BadOverride{"run.step", {"needs a value"}}, BadOverride{"run.step=", {"not a TOML value"}},
        BadOverride{"run.step=[1,", {"not a TOML value"}},
        BadOverride{"run.step=1 2", {"not a TOML value"}}, BadOverride{"run..step=1", {"empty"}},
        BadOverride{"run.step=fast", {"a text", "expected number"}},
        BadOverride{"run.step=-1", {"more than 0"}},
        BadOverride{"run.step.x=1", {"a table", "expected number"}},
        BadOverride{"backends.prob.stiffness=1", {"no backend 'prob'", "mean 'probe'?"}},
        BadOverride{"backends.probe.stifness=1", {"mean 'stiffness'?"}},
        BadOverride{"scene.body.rop.mass=1", {"no element 'rop'", "mean 'rope'?"}},
        BadOverride{"scene.body[9].mass=1", {"no element '9'"}},
        BadOverride{"scene.body.rope.mass=-1", {"mass"}},
        BadOverride{"backends.probe.fractions[5].x=1", {"no element '5'", "[0] to [1]"}},
        BadOverride{"scene=nowhere.toml", {"no file", "nowhere.toml"}}));

TEST(OverridesOfAnEmptyList, SayThatItIsEmpty) {
  const Folder folder;
  const std::vector<std::string> changes = {"scene.spring=[]", "scene.spring.hold.stiffness=1"};
  EXPECT_THAT(ErrorOf(WriteSample(folder), changes),
              HasSubstr("there is no element 'hold' to change; the list is empty"));
}

// Devices never end, and pipes wait for ever.
TEST(Files, OnlyRegularFilesAreRead) {
  const Folder folder;
  const auto experiment = WriteSample(folder);
  const std::filesystem::path pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& file : {std::string("/dev/zero"), pipe.string()}) {
    const std::string text =
        Replaced(samples::SampleExperiment(), "\"scene.toml\"", ("\"" + file + "\"").c_str());
    folder.Write("sample.toml", text);
    ExpectComplaint(
        ErrorOf(experiment), experiment.string(), PlaceOfText(text, ("\"" + file).c_str()),
        std::vector<std::string>{"a device, a pipe or a socket", "name a regular file"});
    EXPECT_THAT(ErrorOf(file), HasSubstr("name a regular file"));
  }
}

TEST(Files, ASizeThatCannotBeMeantIsRefusedUnread) {
  const Folder folder;
  const auto experiment = WriteSample(folder);
  std::filesystem::resize_file(folder.path() / "scene.toml", std::uintmax_t{1} << 40);  // sparse
  EXPECT_THAT(ErrorOf(experiment), Says({"has 1048576 MB", "at most 256 MB"}));
}

TEST(Files, TextsThatWouldActOnATerminalAreRefused) {
  const Folder folder;
  const auto experiment = WriteSample(folder);
  for (const char* escape : {"\\u001b[2J", "\\u009b", "\\u007f", "\\r"}) {
    folder.Write("sample.toml", std::string("title = \"a") + escape + "\"\n");
    EXPECT_THAT(ErrorOf(experiment), Says({"sample.toml:1:9", "control character U+00"})) << escape;
  }
  folder.Write("sample.toml", "\"a\\u001b\" = 1\n");
  EXPECT_THAT(ErrorOf(experiment), Says({"sample.toml:1:1", "control character U+001B"}));
}

}  // namespace
}  // namespace pliant
