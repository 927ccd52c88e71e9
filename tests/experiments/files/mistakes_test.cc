// All mistakes at once, each once, in the order of the files; what only follows from a mistake is not told.

#include "experiments/files/mistakes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/experiments/complaints.h"
#include "tests/experiments/files/samples.h"

namespace pliant {
namespace {

using samples::Folder;
using samples::Replaced;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::SizeIs;

// A line of TextOf() for each mistake, without the folder.
std::vector<std::string> Lines(const Folder& folder, const std::filesystem::path& file,
                               const std::vector<std::string>& overrides = {}) {
  Mistakes mistakes;
  ReadSoundParts(file, overrides, &mistakes, {&samples::ProbeBackend()});
  std::vector<std::string> lines;
  for (const Mistake& mistake : InOrder(mistakes.list(), file.string())) {
    std::string line = ToString(mistake);
    const std::string prefix = folder.path().string() + "/";
    if (line.starts_with(prefix)) line.erase(0, prefix.size());
    lines.push_back(line);
  }
  return lines;
}

// The lines about a scene that stands in sample.toml's place.
std::vector<std::string> LinesOfScene(const std::string& scene) {
  const Folder folder;
  const auto experiment = samples::WriteSample(folder);
  folder.Write("scene.toml", scene);
  return Lines(folder, experiment);
}

std::string Chain(const std::string& name, const std::string& more = "") {
  return "[[body]]\nname = \"" + name +
         "\"\nshape = \"chain\"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\npoints = 3\n" +
         (more.empty() ? "mass = 1.0\n" : more + "\n");
}

TEST(AllMistakes, OfExperimentAndSceneComeTogetherSortedByPlace) {
  const Folder folder;
  const auto experiment = samples::WriteSample(folder);
  folder.Write("scene.toml", "name = \"two\"\n" + Chain("rope", "mass = -1.0\nscheme = \"loop\"") +
                                 "[[nail]]\nname = \"left\"\nbody = \"ropw\"\npoint = \"start\"\n"
                                 "[[force]]\nname = \"pull\"\nbody = \"rope\"\npoint = 9\n"
                                 "force = [0, \"x\", 0]\n");
  folder.Write("sample.toml",
               "scene = \"scene.toml\"\nreference = \"prob\"\n[run]\nduration = 0.3\nstep = 0.01\n"
               "[backends.probe]\nstifness = 1\nsweeps = 0\nfractions = [2]\n"
               "[backends.other]\nformulation = \"prob\"\n");
  EXPECT_THAT(
      Lines(folder, experiment),
      ElementsAre(
          "sample.toml:2:13: the experiment has no backend 'prob'; did you mean 'probe'?",
          HasSubstr("sample.toml:3:1: [run] lacks the key 'record_every'; add "),
          "sample.toml:7:1: unknown key 'stifness' in [backends.probe]; did you mean "
          "'stiffness'?",
          HasSubstr("sample.toml:8:10: "), HasSubstr("sample.toml:9:13: "),
          HasSubstr("sample.toml:11:15: there is no formulation 'prob'"),
          HasSubstr("scene.toml:8:8: mass of body 'rope' must be positive"),
          HasSubstr("scene.toml:9:1: unknown key 'scheme' in [[body]] with shape = \"chain\"; "
                    "'scheme' belongs to "),
          "scene.toml:12:8: there is no body 'ropw'; did you mean 'rope'?",
          HasSubstr("scene.toml:18:13: ")));
}

TEST(AllMistakes, NothingIsSaidOfWhatFollowsFromAnother) {
  // The body is not read: all that names it would be wrong, and so would its points.
  EXPECT_THAT(
      LinesOfScene("name = \"x\"\n" + Chain("rope", "mass = \"heavy\"") +
                   "[[nail]]\nname = \"n\"\nbody = \"rope\"\npoint = 77\n"
                   "[[spring]]\nname = \"s\"\nbody = \"rope\"\npoint = \"end\"\n"
                   "anchor = [0, 0, 0]\nstiffness = 1\n[contact.rope.rope]\nignore = true\n"
                   "[[behaviour]]\nname = \"b\"\nscript = [\"Wait(1)\", \"Connect(rope.end, "
                   "rope.start)\"]\n"),
      ElementsAre("scene.toml:8:8: 'mass' is a text; expected number, as 0.5"));
  // Nor is a body missing that a probe names.
  const Folder with_probe;
  const auto probed = samples::WriteSample(with_probe);
  with_probe.Write("scene.toml", "name = \"x\"\n" + Chain("rope") + Chain("ball", "mass = \"1\""));
  for (const std::string name : {"ball", "bal"}) {
    with_probe.Write("sample.toml", samples::SampleExperiment() +
                                        "[[probe]]\nname = \"p\"\nmeasure = \"contact-force\"\n"
                                        "of = {body = \"rope\"}\nfrom = \"" +
                                        name + "\"\n");
    EXPECT_THAT(Lines(with_probe, probed),
                ElementsAre("scene.toml:15:8: 'mass' is a text; expected number; write 1 without "
                            "quotes"));
  }
  // A misspelled key is not also missing, and does not hide another one that is.
  EXPECT_THAT(LinesOfScene("name = \"x\"\n[[body]]\nname = \"rope\"\nshape = \"chain\"\n"
                           "form = [0, 0, 0]\nto = [1, 0, 0]\nmass = 1.0\n"),
              ElementsAre(HasSubstr("scene.toml:2:1: [[body]] with shape = \"chain\" lacks the key "
                                    "'points'"),
                          EndsWith("did you mean 'from'?")));
  // A scene that cannot be read: the experiment is checked all the same, its probes are not.
  const Folder folder;
  const auto experiment = samples::WriteSample(folder);
  folder.Write("sample.toml", Replaced(samples::SampleExperiment(), "scene.toml", "scenes.toml") +
                                  "stifness = 1\n[[probe]]\nname = \"p\"\nmeasure = \"position\"\n"
                                  "of = {body = \"rope\"}\ncomponent = \"x\"\n");
  EXPECT_THAT(Lines(folder, experiment),
              ElementsAre(HasSubstr("there is no file"), HasSubstr("did you mean 'stiffness'?")));
}

TEST(AllMistakes, ARuleThatTwoElementsBreakIsToldOfBoth) {
  EXPECT_THAT(
      LinesOfScene("name = \"x\"\n" + Chain("a", "mass = -1.0") + Chain("b", "mass = -2.0") +
                   "[[obstacle]]\nname = \"o\"\nshape = \"sphere\"\nradius = -1\n"),
      ElementsAre(HasSubstr("scene.toml:8:8: "), HasSubstr("scene.toml:15:8: "),
                  HasSubstr("scene.toml:19:10: ")));
}

TEST(AllMistakes, AnObstacleThatIsNotReadMayBeTheOneOfASlider) {
  const std::string scene = "name = \"x\"\n" + Chain("rope") +
                            "[[obstacle]]\nname = \"o\"\nshape = \"sphere\"\nradius = \"r\"\n"
                            "[[slider]]\nname = \"s\"\nbody = \"rope\"\npoint = 0\non = ";
  EXPECT_THAT(LinesOfScene(scene + "\"o\"\n"), SizeIs(1));
  EXPECT_THAT(LinesOfScene(scene + "\"p\"\n"),
              ElementsAre(testing::_, EndsWith("there is no obstacle 'p'; one of: o")));
}

TEST(AllMistakes, EveryOverrideIsReadBeforeOneIsRefused) {
  const Folder folder;
  const auto experiment = samples::WriteSample(folder);
  EXPECT_THAT(Lines(folder, experiment, {"run.step", "run.stpe=1", "scene.body.rop.mass=1"}),
              ElementsAre(HasSubstr("--set run.step: "), HasSubstr("--set run.stpe=1: "),
                          HasSubstr("--set scene.body.rop.mass=1: ")));
}

TEST(AllMistakes, TheSoundPartsAreThere) {
  const Folder folder;
  const auto file = samples::WriteSample(folder);
  folder.Write("sample.toml",
               Replaced(samples::SampleExperiment(), "stiffness = 4", "stiffness = true"));
  Mistakes mistakes;
  const Experiment sound = ReadSoundParts(file, {}, &mistakes, {&samples::ProbeBackend()});
  EXPECT_THAT(mistakes.list(), SizeIs(1));
  ASSERT_THAT(sound.backends, SizeIs(1));
  EXPECT_EQ(sound.backends[0].label, "probe");
  EXPECT_NE(sound.scene, nullptr);
}

TEST(AllMistakes, TwentyArePrinted) {
  std::vector<Mistake> mistakes;
  for (int i = 0; i < 23; ++i) mistakes.push_back({{}, "mistake " + std::to_string(i), ""});
  const std::string text = TextOf(mistakes);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 20);
  EXPECT_THAT(text, EndsWith("mistake 19\nand 3 more mistakes"));
  mistakes.resize(20);
  EXPECT_THAT(TextOf(mistakes), EndsWith("mistake 19"));
}

TEST(AKeyOfAnotherTable, IsToldWhereItLives) {
  const auto of = [](const std::string& key) {
    const std::vector<std::string> lines =
        LinesOfScene("name = \"x\"\n" + Chain("rope", "mass = 1.0\n" + key + " = 1"));
    return lines.size() == 1 ? lines[0] : "";
  };
  EXPECT_THAT(of("integrator"),
              EndsWith("'integrator' belongs to [backends.dynamic-ffd], "
                       "[backends.linear-deformation] and [backends.articulated-lamp], not to "
                       "[[body]] with shape = \"chain\""));
  EXPECT_THAT(of("half_size"),
              HasSubstr("belongs to [[obstacle]] with shape = \"box\", not to [[body]]"));
  EXPECT_THAT(of("mas"), EndsWith("did you mean 'mass'?"));
  EXPECT_THAT(of("zzzzzzzzz"), HasSubstr("one of: name, shape, "));
}

}  // namespace
}  // namespace pliant
