// ./pliant with a build that only pretends, so that nothing is installed or compiled: what it hands over,
// and when it refuses.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/app/cli/program.h"
#include "tests/says.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kAllInstalled =
    "shift 2; for one in \"$@\"; do echo \"$one installed\"; done";

class Launcher : public ::testing::Test {
 protected:
  Launcher() {
    std::filesystem::create_directories(folder_ / "bin");
    std::filesystem::create_directories(folder_ / "build/app/cli");
    std::filesystem::create_directories(folder_ / "build/bench");
    Command("bin/dpkg-query", kAllInstalled);
    Command("bin/cmake", "echo configured \"$@\" >&2; touch \"$4/build.ninja\"");
    Command("bin/ninja", "echo 'ninja: no work to do.'");
    Command("bin/ctest", "echo ctest \"$@\"; exit 8");
    Command("build/app/cli/pliant", "echo handed over: \"$@\"; exit 7");
    Command("build/bench/bench_step", "echo bench_step \"$@\"");
    start_.program = std::filesystem::absolute("pliant");
    start_.environment = {{"PATH", (folder_ / "bin").string() + ":" + std::getenv("PATH")},
                          {"PLIANT_BUILD", folder_ / "build"},
                          {"PLIANT_QT", "ON"},
                          {"PLIANT_NO_INSTALL", ""}};
  }
  void Command(const std::string& name, const std::string& text) {
    WriteText(folder_ / name, "#!/bin/sh\n" + text + "\n");
    std::filesystem::permissions(folder_ / name, std::filesystem::perms::owner_all);
  }
  const ScratchFolder folder_;
  Start start_;
};

TEST_F(Launcher, HandsItsArgumentsAndTheExitStatusOver) {
  const Ended ended = Pliant({"run", "a file.toml", "--set", "run.step=1"}, start_);
  EXPECT_EQ(ended.status, 7);
  EXPECT_EQ(ended.out, "handed over: run a file.toml --set run.step=1\n");
}

TEST_F(Launcher, TestRunsCtest) {
  const Ended ended = Pliant({"test", "-R", "Law"}, start_);
  EXPECT_EQ(ended.status, 8);
  EXPECT_THAT(ended.out, Says({"ctest --output-on-failure", "-R Law\n"}));
}

TEST_F(Launcher, BenchRunsEachBenchmark) {
  const Ended ended = Pliant({"bench", "--benchmark_list_tests"}, start_);
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.out, "bench_step --benchmark_list_tests\n");
}

TEST_F(Launcher, PythonFindsTheModuleOfTheBuildAndGetsItsArguments) {
  const Ended ended = Pliant(
      {"python", "-c", "import sys; print(sys.path[1], sys.argv[1:]); sys.exit(5)", "a b"}, start_);
  EXPECT_EQ(ended.status, 5);
  EXPECT_EQ(ended.out, (folder_ / "build").string() + "/app/python ['a b']\n");
  EXPECT_THAT(TextOf(folder_ / "build/configure.log"), HasSubstr("-DPLIANT_PYTHON=ON"));
  Command("bin/dpkg-query", "exit 1");
  start_.environment["PLIANT_NO_INSTALL"] = "1";
  EXPECT_THAT(Pliant({"python"}, start_).err, HasSubstr("pybind11-dev"));
  EXPECT_THAT(Pliant({"run"}, start_).err, Not(HasSubstr("pybind11-dev")));
}

TEST_F(Launcher, ConfiguresWhenTheOptionsChangeAndOnlyThen) {
  for (const char* qt : {"ON", "OFF", "ON"}) {
    start_.environment["PLIANT_QT"] = qt;
    EXPECT_THAT(Pliant({"run"}, start_).err, HasSubstr("configuring in")) << qt;
    EXPECT_THAT(Pliant({"list"}, start_).err, Not(HasSubstr("configuring in"))) << qt;
  }
}

TEST_F(Launcher, OnePackageThatIsMissingIsNamedAlone) {
  Command("bin/dpkg-query", std::string(kAllInstalled) + " | grep -v libpng; exit 1");
  start_.environment["PLIANT_NO_INSTALL"] = "1";
  EXPECT_THAT(Pliant({"run"}, start_).err, HasSubstr("missing packages: libpng-dev;"));
}

// What the program works without is asked for once; when it has come, it is looked for again.
TEST_F(Launcher, OptionalPackagesStopNothing) {
  Command("bin/dpkg-query", std::string(kAllInstalled) + " | grep -v libipopt");
  Command("bin/apt-get", "echo asked for \"$@\" >> " + (folder_ / "asked").string() + "; exit 1");
  Command("bin/id", "echo 0");
  start_.environment["PLIANT_NO_INSTALL"] = "1";
  Ended ended = Pliant({"run"}, start_);
  EXPECT_EQ(ended.status, 7) << ended.err;
  EXPECT_THAT(ended.err, Not(HasSubstr("ipopt")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "asked"));
  std::filesystem::remove(folder_ / "build/build.ninja");
  start_.environment["PLIANT_NO_INSTALL"] = "";
  ended = Pliant({"run"}, start_);
  EXPECT_EQ(ended.status, 7) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("goes on without coinor-libipopt-dev"));
  EXPECT_THAT(TextOf(folder_ / "asked"), HasSubstr("coinor-libipopt-dev"));
  EXPECT_THAT(Pliant({"run"}, start_).err, IsEmpty());
  Command("bin/dpkg-query", kAllInstalled);
  EXPECT_THAT(Pliant({"run"}, start_).err, HasSubstr("configuring in"));
  EXPECT_THAT(Pliant({"run"}, start_).err, IsEmpty());
}

TEST_F(Launcher, NothingIsSaidWhereFoldersAreOnlyLookedThroughAgain) {
  Command("bin/ninja",
          "echo \"ninja: Entering directory\"; echo '[0/2] Re-checking globbed directories...'\n"
          "case \"$*\" in *' -n '*) echo '[1/2] Re-running CMake...' ;; *) echo 'ninja: no work to "
          "do.' ;; esac");
  const Ended first = Pliant({"run"}, start_);
  EXPECT_THAT(first.err, HasSubstr("configuring in"));
  EXPECT_EQ(Pliant({"run"}, start_).err, "");
  Command("bin/ninja", "echo \"[1/1] Building $*\"");
  EXPECT_THAT(Pliant({"run"}, start_).err, Says({"building (once", "[1/1] Building -C"}));
  Command("bin/ninja", "exit 3");
  const Ended failed = Pliant({"run"}, start_);
  EXPECT_EQ(failed.status, 1);
  EXPECT_THAT(failed.err, HasSubstr("the build failed"));
}

TEST_F(Launcher, MissingPackagesAreNamedWhereNoneMayBeInstalled) {
  Command("bin/dpkg-query", "exit 1");
  start_.environment["PLIANT_NO_INSTALL"] = "1";
  const Ended ended = Pliant({"run"}, start_);
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.out, IsEmpty());
  EXPECT_THAT(ended.err, HasSubstr("missing packages: g++ cmake"));
}

TEST_F(Launcher, WithoutQtNeitherIsBuiltNorInstalled) {
  Command("bin/dpkg-query", "exit 1");
  start_.environment["PLIANT_NO_INSTALL"] = "1";
  EXPECT_THAT(Pliant({"run"}, start_).err, HasSubstr("qt6-base-dev"));
  start_.environment["PLIANT_QT"] = "OFF";
  EXPECT_THAT(Pliant({"run"}, start_).err, Not(HasSubstr("qt6-base-dev")));
  Command("bin/dpkg-query", kAllInstalled);
  EXPECT_THAT(Pliant({"run"}, start_).err, Not(HasSubstr("failed")));
  EXPECT_THAT(TextOf(folder_ / "build/configure.log"), HasSubstr("-DPLIANT_QT=OFF"));
}

}  // namespace
}  // namespace pliant
