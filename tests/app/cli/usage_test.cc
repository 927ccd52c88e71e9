// What is answered without running anything: help, lists, checks, and every way to ask wrongly.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/app/cli/program.h"
#include "tests/says.h"

namespace pliant {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

// Bad usage and bad files: status 2, nothing on stdout, one line on stderr.
std::string WhyRefused(const std::vector<std::string>& arguments) {
  const Ended ended = Pliant(arguments);
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.out, IsEmpty());
  EXPECT_EQ(ended.err.find('\n') + 1, ended.err.size()) << "more than one line: " << ended.err;
  return ended.err;
}

TEST(Usage, HelpNamesEveryCommandAndTheExitStatuses) {
  const Ended help = Pliant({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.err, IsEmpty());
  for (const char* command :
       {"run", "compare", "check", "list", "optimize", "sweep", "script", "reproduce", "report",
        "export", "workbench", "refine", "verify", "explain", "Exit status"}) {
    EXPECT_THAT(help.out, HasSubstr(command));
  }
}

TEST(Usage, EveryCommandHasHelp) {
  for (const char* command :
       {"run", "compare", "check", "list", "optimize", "sweep", "script", "reproduce", "report",
        "export", "workbench", "refine", "verify", "explain"}) {
    const Ended help = Pliant({command, "--help"});
    EXPECT_EQ(help.status, 0) << command;
    EXPECT_THAT(help.out, HasSubstr(std::string("Usage: pliant ") + command));
    EXPECT_THAT(help.err, IsEmpty());
  }
}

TEST(Usage, AShippedExperimentIsFoundByItsName) {
  const Ended checked = Pliant({"check", "faloutsos-worm"});
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_THAT(WhyRefused({"check", "experiments/faloutsos-worm.toml"}),
              HasSubstr("did you mean 'experiments/faloutsos-1995/faloutsos-worm.toml'?"));
  EXPECT_THAT(WhyRefused({"run", "pres"}), HasSubstr("did you mean 'press'?"));
}

TEST(Usage, VersionIsThreeNumbers) {
  const Ended version = Pliant({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.out, MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_THAT(version.err, IsEmpty());
}

TEST(Usage, WithoutACommandHelpGoesToStderr) {
  const Ended nothing = Pliant({});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_THAT(nothing.out, IsEmpty());
  EXPECT_THAT(nothing.err, HasSubstr("Usage: pliant"));
}

TEST(Usage, UnknownCommandsAndOptionsAreRefused) {
  EXPECT_EQ(WhyRefused({"runn", "x"}), "pliant: unknown command 'runn'; did you mean 'run'?\n");
  EXPECT_THAT(WhyRefused({"nonsense"}), HasSubstr("one of: compare, run,"));
  EXPECT_THAT(WhyRefused({"test"}), HasSubstr("command of the launcher"));
  EXPECT_THAT(WhyRefused({"check", "experiments/hang.toml", "--bogus"}), HasSubstr("--bogus"));
  EXPECT_THAT(WhyRefused({"run"}), HasSubstr("FILE is required"));
  EXPECT_THAT(WhyRefused({"sweep", "experiments/studies/step-length.toml", "--jobs", "0"}),
              HasSubstr("--jobs"));
  EXPECT_THAT(WhyRefused({"run", "experiments/hang.toml", "--seed", "x"}), HasSubstr("--seed"));
}

TEST(Usage, AMistakeInAFileIsOneLineWithItsPlace) {
  const ScratchFolder folder;
  const std::string file = folder / "bad.toml";
  const std::string scene = std::filesystem::absolute("data/scenes/pendulum.toml");
  WriteText(file, "title = 'x'\nscene = '" + scene +
                      "'\n[run]\n  duraton = 1.0\nstep = 0.01\nrecord_every = 0.1\n"
                      "[backends.displacement-constraints]\n");
  for (const char* command : {"check", "run", "compare", "sweep", "optimize"}) {
    EXPECT_EQ(WhyRefused({command, file}),
              file + ":4:3: unknown key 'duraton' in [run]; did you mean 'duration'?\n");
  }
  WriteText(file, "title = 'x\n");
  EXPECT_THAT(WhyRefused({"check", file}), StartsWith(file + ":1:"));
  const std::string script = folder / "bad.txt";
  WriteText(script, "load_def def_pot\ntrans 0 0 0\nsett spring F\n");
  EXPECT_THAT(WhyRefused({"script", script}), StartsWith(script + ":"));
}

TEST(Usage, AllMistakesAreToldAtOnceInOrder) {
  const ScratchFolder folder;
  const std::string file = folder / "bad.toml", scene = folder / "scene.toml";
  WriteText(scene,
            "name = 'x'\n[[body]]\nname = 'a'\nshape = 'chain'\nfrom = [0, 0, 0]\n"
            "to = [1, 0, 0]\npoints = 3\nmass = 'heavy'\n");
  WriteText(file,
            "scene = 'scene.toml'\n[run]\nduraton = 1.0\nstep = 0.01\nrecord_every = 0.1\n"
            "[backends.displacement-constraints]\n[backends.dynamic-fdd]\n");
  for (const char* command : {"check", "run", "compare"}) {
    const Ended ended = Pliant({command, file});
    EXPECT_EQ(ended.status, 2) << command;
    EXPECT_THAT(ended.out, IsEmpty());
    EXPECT_THAT(ended.err, MatchesRegex(file + ":3:1: unknown key 'duraton'[^\n]*\n" + file +
                                        ":7:11: there is no formulation[^\n]*\n" + scene +
                                        ":8:8: 'mass' is a text; expected number, as 0.5\n"));
  }
  const Ended json = Pliant({"check", file, "--json"});
  EXPECT_EQ(json.status, 2);
  EXPECT_THAT(json.err, IsEmpty());
  const auto said = nlohmann::json::parse(json.out);
  EXPECT_FALSE(said.at("ok").get<bool>());
  ASSERT_EQ(said.at("mistakes").size(), 3U);
  EXPECT_EQ(said.at("mistakes")[2].at("file"), scene);
  EXPECT_EQ(said.at("mistakes")[2].at("line"), 8);
  EXPECT_EQ(said.at("mistakes")[2].at("column"), 8);
  EXPECT_EQ(said.at("mistakes")[2].at("what"), "'mass' is a text");
  EXPECT_EQ(said.at("mistakes")[2].at("mend"), "expected number, as 0.5");
  EXPECT_THAT(WhyRefused({"check", scene}), StartsWith(scene + ":8:8: "));
}

TEST(Usage, AMistakeInAnOverrideNamesTheOverride) {
  const std::string file = "experiments/hang.toml";
  EXPECT_EQ(WhyRefused({"run", file, "--set", "run.stepp=1"}),
            "--set run.stepp=1: unknown key 'stepp' in [run]; did you mean 'step'?\n");
  EXPECT_THAT(WhyRefused({"check", file, "--set", "run.step"}), HasSubstr("write key=value"));
  EXPECT_THAT(WhyRefused({"run", file, "--set", "run.step=-1"}), HasSubstr("step"));
  EXPECT_THAT(WhyRefused({"run", file, "--backend", "dynamic-fdd"}),
              HasSubstr("did you mean 'dynamic-ffd'?"));
}

TEST(Usage, WhatIsNotThereIsRefused) {
  for (const char* command : {"run", "compare", "check", "sweep", "optimize", "script"}) {
    EXPECT_THAT(WhyRefused({command, "nowhere.toml"}), HasSubstr("nowhere.toml")) << command;
  }
  EXPECT_THAT(WhyRefused({"reproduce", "nowhere"}), HasSubstr("not a run bundle"));
  EXPECT_THAT(WhyRefused({"export", "nowhere", "--format", "vtk"}), HasSubstr("not a run bundle"));
  EXPECT_THAT(WhyRefused({"report", "nowhere"}), HasSubstr("no run bundle"));
}

TEST(Usage, FilesWithoutATableToSweepOrSearchAreRefused) {
  EXPECT_THAT(WhyRefused({"sweep", "experiments/pendulum.toml"}), HasSubstr("no [sweep]"));
  EXPECT_THAT(WhyRefused({"optimize", "experiments/pendulum.toml"}), HasSubstr("no [optimize]"));
}

TEST(Usage, TheWorkbenchNeedsQtAndADisplay) {
  Start no_display;
  no_display.environment = {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}, {"QT_QPA_PLATFORM", ""}};
  const Ended ended = Pliant({"workbench", "experiments/press.toml"}, no_display);
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.out, IsEmpty());
#ifdef PLIANT_QT
  EXPECT_THAT(ended.err, HasSubstr("needs a display"));
#else
  EXPECT_THAT(ended.err, HasSubstr("this build has no workbench"));
#endif
}

TEST(List, PrintsWhatThereIs) {
  const std::map<std::string, std::string> one_of = {{"backends", "linear-deformation"},
                                                     {"scenes", "pendulum"},
                                                     {"experiments", "press"},
                                                     {"metrics", "total_energy_J"},
                                                     {"parameters", "stretch_stiffness"}};
  for (const auto& [what, name] : one_of) {
    const Ended list = Pliant({"list", what});
    EXPECT_EQ(list.status, 0) << what;
    EXPECT_THAT(list.out, HasSubstr(name));
    EXPECT_THAT(list.err, IsEmpty());
  }
}

TEST(List, ANameNarrowsTheList) {
  const Ended backend = Pliant({"list", "parameters", "linear-deformation"});
  EXPECT_THAT(backend.out, StartsWith("linear-deformation\n"));
  EXPECT_THAT(backend.out, Not(HasSubstr("kinematic-response\n")));
  const Ended scene = Pliant({"list", "scenes", "pendulum"});
  EXPECT_THAT(scene.out, HasSubstr("pendulum  "));
  EXPECT_THAT(scene.out, Not(HasSubstr("press  ")));
  const Ended folder = Pliant({"list", "experiments", "studies"});
  EXPECT_THAT(folder.out, HasSubstr("step-length"));
  EXPECT_THAT(folder.out, Not(HasSubstr("pendulum  ")));
}

TEST(List, UnknownNamesAreRefused) {
  EXPECT_THAT(WhyRefused({"list", "backend"}), HasSubstr("did you mean 'backends'?"));
  EXPECT_THAT(WhyRefused({"list", "backends", "linear"}), HasSubstr("no backend 'linear'"));
  EXPECT_THAT(WhyRefused({"list", "scenes", "pendulun"}), EndsWith("did you mean 'pendulum'?\n"));
  EXPECT_THAT(WhyRefused({"list", "scenes", "--markdown"}), HasSubstr("--markdown"));
}

// Claims are about the backend, whose mistake leaves nothing of it.
TEST(Check, ReportsTheMistakeOfABackendThatClaimsAreAbout) {
  const Ended check =
      Pliant({"check", "experiments/pendulum.toml", "--set", "backends.dynamic-ffd.modes=lnik"});
  EXPECT_EQ(check.status, 2);
  EXPECT_THAT(check.err, AllOf(HasSubstr("--set backends.dynamic-ffd.modes=lnik: there is no file"),
                               HasSubstr("did you mean 'link'?")));
}

TEST(Check, TakesTheNameOfATableOfModesWithoutItsFolder) {
  for (const char* name : {"link", "link.toml", "../data/modes/link.toml"}) {
    const Ended check = Pliant({"check", "experiments/pendulum.toml", "--set",
                                std::string("backends.dynamic-ffd.modes=") + name, "--set",
                                "backends.dynamic-ffd.modes.entry[0].stiffness=20"});
    EXPECT_EQ(check.status, 0) << name << check.err;
  }
}

TEST(Check, PrintsTheRecordOfEachBackendAndLeavesNothing) {
  const Ended check = Pliant({"check", "experiments/pendulum.toml"});
  EXPECT_EQ(check.status, 0);
  EXPECT_THAT(check.err, IsEmpty());
  EXPECT_THAT(check.out, StartsWith("pendulum: A triple pendulum\n"));
  EXPECT_THAT(check.out, Says({"approximated", "step 0.0005 s: refused", "  loses: "}));
}

// As of a run: status 1 where no backend can run the scene, though the file is in order.
TEST(Check, ASceneThatEveryBackendRefusesIsStatusOne) {
  const std::vector<std::string> refused = {
      "check", "experiments/witkin-kass-1988/lamp-jump-hurdle.toml", "--set",
      "backends.articulated-lamp.hinge_upper=[0.8, 0.7, 0.7]"};
  const Ended check = Pliant(refused);
  EXPECT_EQ(check.status, 1);
  EXPECT_THAT(check.err, IsEmpty());
  EXPECT_THAT(check.out, Says({"refused", "no plan for its jump", "limit of hinge 2"}));
  std::vector<std::string> as_json = refused;
  as_json.emplace_back("--json");
  EXPECT_EQ(Pliant(as_json).status, 1);
}

TEST(Check, AsJsonSaysTheSameToOtherPrograms) {
  const Ended check = Pliant({"check", "experiments/pendulum.toml", "--json"});
  EXPECT_EQ(check.status, 0);
  EXPECT_THAT(check.err, IsEmpty());
  const auto said = nlohmann::json::parse(check.out);
  EXPECT_TRUE(said.at("ok").get<bool>());
  EXPECT_EQ(said.at("mistakes").size(), 0U);
  EXPECT_GT(said.at("scene").at("tables").size(), 0U);
  bool any_refused = false;
  for (const auto& backend : said.at("backends")) {
    EXPECT_GT(backend.at("elements").size(), 0U);
    any_refused |= !backend.at("runs").get<bool>();
  }
  EXPECT_TRUE(any_refused);
}

TEST(Check, ASceneAloneIsCheckedToo) {
  const Ended check = Pliant({"check", "data/scenes/press.toml"});
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_THAT(check.out, StartsWith("scene "));
  EXPECT_THAT(WhyRefused({"check", "data/scenes/press.toml", "--set", "x=1"}),
              HasSubstr("a scene file is checked as it is"));
}

// What bash offers for the last of `words`, the first of which is the program.
std::string Completed(const std::string& words) {
  const std::string program = BuiltProgram();
  Start bash;
  bash.program = "/bin/bash";
  const Ended ended = Pliant(
      {"-c", "source <(" + program + " completion bash); COMP_WORDS=(" + program + " " + words +
                 "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _pliant; echo \"${COMPREPLY[@]}\""},
      bash);
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err, IsEmpty());
  return ended.out;
}

TEST(Completion, OffersCommandsOptionsAndShippedNames) {
  EXPECT_EQ(Completed("com"), "compare completion\n");
  EXPECT_EQ(Completed("run --ov"), "--overwrite\n");
  EXPECT_EQ(Completed("compare textbook-p"), "textbook-pendulum\n");
  EXPECT_EQ(Completed("figure harrison-5.1"), "harrison-5.1\n");
  EXPECT_THAT(Completed("report READ"), HasSubstr("README.md"));  // any command takes files
  EXPECT_THAT(Pliant({"completion", "zsh"}).out, StartsWith("#compdef pliant\n"));
  EXPECT_THAT(WhyRefused({"completion", "bish"}), HasSubstr("did you mean 'bash'?"));
}

}  // namespace
}  // namespace pliant
