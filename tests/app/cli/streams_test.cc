// Streams that are full or closed: a result that has not arrived is status 3; a notice that is lost stops
// nothing.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/cli/program.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> ShortRun(const ScratchFolder& folder) {
  return {"run",   "experiments/pendulum.toml", "--backend", "linear-deformation",
          "--set", "run.duration=0.02",         "--out",     folder.path()};
}

TEST(Streams, AFullStdoutIsStatus3) {
  const ScratchFolder folder;
  const std::vector<std::vector<std::string>> commands = {{"--help"},
                                                          {"--version"},
                                                          {"list", "parameters"},
                                                          {"list", "backends"},
                                                          {"check", "experiments/pendulum.toml"},
                                                          ShortRun(folder)};
  for (const auto& command : commands) {
    for (const char* out : {"/dev/full", "-"}) {
      Start start;
      start.out = out;
      const Ended ended = Pliant(command, start);
      EXPECT_EQ(ended.status, 3) << command.front() << " > " << out;
      EXPECT_THAT(ended.err, HasSubstr("pliant: cannot write to stdout: "));
    }
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "pendulum/linear-deformation/manifest.json"));
}

TEST(Streams, ALostNoticeStopsNothing) {
  for (const char* err : {"/dev/full", "-"}) {
    const ScratchFolder folder;
    Start start;
    start.err = err;
    EXPECT_EQ(Pliant(ShortRun(folder), start).status, 0) << err;
    const std::string bundle = folder / "pendulum/linear-deformation";
    EXPECT_EQ(Pliant({"reproduce", bundle}, start).out.substr(0, 9), "identical");
  }
}

}  // namespace
}  // namespace pliant
