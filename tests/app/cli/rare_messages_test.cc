// Messages of the command line that need an unusual moment: what takes long is interrupted, a bundle is changed by hand, the
// program ships other files.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include "experiments/bundles/sha256.h"
#include "tests/app/cli/program.h"
#include "tests/says.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;

namespace fs = std::filesystem;

void Replace(const std::string& old, const std::string& with, std::string* text) {
  const size_t at = text->find(old);
  ASSERT_NE(at, std::string::npos) << old;
  text->replace(at, old.size(), with);
}

// A run of so many frames; its bundle.
fs::path Hang(const ScratchFolder& folder, const std::string& duration) {
  const Ended ended = Pliant({"run", "experiments/pendulum.toml", "--backend", "dynamic-ffd",
                              "--set", "run.duration=" + duration, "--set",
                              "run.record_every=0.001", "--out", folder.path()});
  EXPECT_EQ(ended.status, 0) << ended.err;
  return folder / "pendulum" / "dynamic-ffd";
}

TEST(RareMessages, AnExportThatIsInterruptedSaysWhatIsIncomplete) {
  const ScratchFolder folder;
  const fs::path bundle = Hang(folder, "20");
  Program program({"export", bundle, "--format", "obj", "--out", folder / "frames"});
  // With its first frames, of twenty thousand: it may end before it says how far it is.
  for (int i = 0; i < 4000 && (!fs::exists(folder / "frames") || fs::is_empty(folder / "frames"));
       ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  program.Send(SIGINT);
  const Ended ended = program.Wait();
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err,
              HasSubstr("cancelled: " + (folder / "frames").string() + " is incomplete\n"));
}

// Gravity is another one, and the manifest says that it was so: the steps made again lead elsewhere.
TEST(RareMessages, AnExportSaysThatTheStepsMadeAgainLeadElsewhere) {
  const ScratchFolder folder;
  const fs::path bundle = Hang(folder, "0.02");
  const std::string before = Sha256OfFile(bundle / "experiment.toml");
  std::string text = TextOf(bundle / "experiment.toml");
  Replace("-9.81", "-9.0", &text);
  WriteText(bundle / "experiment.toml", text);
  std::string manifest = TextOf(bundle / "manifest.json");
  Replace(before, Sha256OfFile(bundle / "experiment.toml"), &manifest);
  WriteText(bundle / "manifest.json", manifest);
  const Ended ended = Pliant({"export", bundle, "--format", "vtk", "--out", folder / "frames"});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err, Says({" of 21 frames: the steps made again lead elsewhere",
                               "forces of their last step are NaN"}));
}

// Each bar goes through a ball of its own, and each time it is said; more than a dozen are counted.
TEST(RareMessages, MoreThanADozenEventsAreCounted) {
  const ScratchFolder folder;
  std::string text =
      "title = 't'\n[run]\nduration = 0.3\nstep = 0.001\nrecord_every = 0.01\n"
      "[backends.linear-deformation]\n[scene]\nname = 'rain'\n";
  for (int i = 0; i < 14; ++i) {
    const std::string n = std::to_string(i);
    text += "[[scene.body]]\nname = 'bar" + n + "'\nshape = 'chain'\nfrom = [" + n +
            ", 0, 0]\nto = [" + n + ".5, 0, 0]\npoints = 2\nmass = 1\n" +
            "[[scene.obstacle]]\nname = 'ball" + n + "'\nshape = 'sphere'\nposition = [" + n +
            ".25, -0.1, 0]\nradius = 0.02\n";
  }
  WriteText(folder / "rain.toml", text);
  const Ended ended = Pliant({"run", folder / "rain.toml", "--out", folder.path()});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("      and 2 more events, in summary.json\n"));
}

// The plan that the search begins with takes minutes on this mesh.
TEST(RareMessages, ASearchThatIsInterruptedBeforeItsFirstTrialSaysSo) {
  const ScratchFolder folder;
  Program program({"optimize", "experiments/witkin-kass-1988/lamp-jump.toml", "--set",
                   "optimize={backend = \"tracked\", trials = 2, cost = {function = \"jump\", "
                   "goal = 0.3}, vary = [{numbers = \"tracking_stiffness\", lower = 10, "
                   "upper = 50}]}",
                   "--set", "backends.tracked.tracking_stiffness=40.0", "--set",
                   "backends.tracked.plan_step=0.0005", "--out", folder.path()});
  ASSERT_TRUE(program.WaitToCatch(SIGINT));
  program.Send(SIGINT);
  const Ended ended = program.Wait();
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, HasSubstr("cancelled before the first trial\n"));
}

// What a terminal shows until it shows `text`; what it has shown where a minute passes first.
std::string ShownBy(int terminal, const std::string& text) {
  std::string shown;
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (shown.find(text) == std::string::npos && std::chrono::steady_clock::now() < end) {
    pollfd ready{terminal, POLLIN, 0};
    char bytes[256];
    if (poll(&ready, 1, 100) <= 0) continue;
    const ssize_t read_bytes = read(terminal, bytes, sizeof bytes);
    if (read_bytes > 0) shown.append(bytes, static_cast<size_t>(read_bytes));
  }
  return shown;
}

// After a moment; where stderr is no terminal after ten seconds.
TEST(RareMessages, ATerminalShowsWhatALongPreparationIsAt) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_GE(terminal, 0);
  ASSERT_EQ(grantpt(terminal), 0);
  ASSERT_EQ(unlockpt(terminal), 0);
  Start start;
  start.err = ptsname(terminal);
  Program program({"check", "experiments/witkin-kass-1988/lamp-jump.toml", "--set",
                   "backends.tracked.plan_starts=1000"},
                  start);
  EXPECT_THAT(ShownBy(terminal, "preparing tracked: "), HasSubstr("preparing tracked: "));
  program.Send(SIGINT);
  EXPECT_EQ(program.Wait().status, 128 + SIGINT);
  close(terminal);
}

#ifdef PLIANT_QT
// A program finds what it ships with beside itself: here a table of figures with a point that no sweep has.
TEST(RareMessages, AFigureOfAPointThatItsSweepDoesNotHaveIsRefused) {
  const ScratchFolder folder;
  const fs::path share = folder / "share" / "pliant";
  fs::create_directories(folder / "bin");
  fs::create_directories(share / "experiments");
  fs::create_directories(share / "data" / "figures");
  fs::copy_file(BuiltProgram(), folder / "bin" / "pliant");
  WriteText(share / "data" / "figures" / "own.toml",
            "title = 'Own'\n[[figure]]\nname = 'own'\nnumber = 'Fig. 1'\nshows = 'a fall'\n"
            "verdict = 'reproduced'\nexperiment = 'fall'\nclaims = ['it falls']\n"
            "picture = {points = ['step=0.03'], frames = [0]}\n");
  WriteText(share / "experiments" / "fall.toml",
            "title = 't'\n[run]\nduration = 0.1\nstep = 0.01\nrecord_every = 0.1\n"
            "[backends.position-based]\n[scene]\nname = 's'\n[[scene.body]]\nname = 'bar'\n"
            "shape = 'chain'\nfrom = [0, 0, 0]\nto = [1, 0, 0]\npoints = 2\nmass = 1\n"
            "[sweep]\n[[sweep.vary]]\nkey = 'run.step'\nvalues = [0.01, 0.02]\n"
            "[[claim]]\ntext = 'it falls'\nof = 'position-based'\n"
            "figure = 'edge_strain_max'\nat_most = 1\n");
  Start start;
  start.program = folder / "bin" / "pliant";
  const Ended ended = Pliant({"figure", "own", "--out", folder / "out"}, start);
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, Says({"the sweep of 'fall' has no point 'step=0.03'", "did you mean"}));
}
#endif

}  // namespace
}  // namespace pliant
