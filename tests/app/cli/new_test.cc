// new: every first experiment runs as it is written, in every backend that it lists.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/bundles/bundle.h"
#include "experiments/manual/first_experiment.h"
#include "tests/app/cli/program.h"
#include "tests/says.h"

namespace pliant {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class NewExperiment : public ::testing::TestWithParam<std::string> {
 protected:
  Ended New(const std::string& name, const std::string& held, const std::string& below) const {
    return Pliant({"new", (folder_ / name).string(), "--shape", GetParam(), "--held", held,
                   "--below", below});
  }

  ScratchFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Shape, NewExperiment, ::testing::ValuesIn(FirstShapes()));

TEST_P(NewExperiment, IsTakenByEveryBackendThatItLists) {
  for (const std::string& held : FirstHolds()) {
    for (const std::string& below : FirstObstacles()) {
      SCOPED_TRACE(held + " " + below);
      const std::string name = held + "-" + below + ".toml";
      const Ended made = New(name, held, below);
      ASSERT_EQ(made.status, 0) << made.err;
      EXPECT_THAT(made.out, HasSubstr((folder_ / name).string() + "\n"));
      const Ended checked = Pliant({"check", (folder_ / name).string()});
      EXPECT_EQ(checked.status, 0) << checked.err;
      EXPECT_THAT(checked.err, IsEmpty());
      EXPECT_THAT(checked.out, AllOf(Not(HasSubstr("refused")), Not(HasSubstr("too long")),
                                     Not(HasSubstr("plays no part")), HasSubstr("centre_m")));
      for (const char* backend :
           {"dynamic-ffd (", "linear-deformation (", "position-based (", "finite-elements ("}) {
        EXPECT_THAT(checked.out, HasSubstr(backend));
      }
      // What is left out is said.
      if (held == "both-sides" && GetParam() != "rigid-block") {
        EXPECT_THAT(TextOf(folder_ / name), HasSubstr("# Not here: displacement-constraints."));
      } else {
        EXPECT_THAT(checked.out, HasSubstr("displacement-constraints ("));
      }
    }
  }
}

TEST_P(NewExperiment, RunsAsItIsWritten) {
  ASSERT_EQ(New("first.toml", "one-side", "floor").status, 0);
  const Ended ran = Pliant({"run", (folder_ / "first.toml").string(), "--set", "run.duration=0.04",
                            "--out", (folder_ / "runs").string()});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("5 runs: 5 completed; exit status 0"));
}

// Of each quick backend; finite elements take a minute.
TEST_P(NewExperiment, MeetsWhatLiesBelowAndKeepsItsEnergy) {
  const ScratchFolder runs;
  for (const std::string& held : FirstHolds()) {
    for (const std::string& below : FirstObstacles()) {
      SCOPED_TRACE(held + " " + below);
      const std::string name = held + "-" + below;
      ASSERT_EQ(New(name + ".toml", held, below).status, 0);
      std::vector<std::string> command = {"run", (folder_ / (name + ".toml")).string(), "--out",
                                          runs.path().string()};
      std::vector<std::string> backends = {"dynamic-ffd", "linear-deformation", "position-based"};
      if (held != "both-sides") backends.push_back("displacement-constraints");
      for (const std::string& backend : backends) {
        command.insert(command.end(), {"--backend", backend});
      }
      const Ended ran = Pliant(command);
      EXPECT_EQ(ran.status, 0) << ran.err;
      for (const std::string& backend : backends) {
        const Bundle bundle = Bundle::Open(runs / name / backend);
        EXPECT_EQ(bundle.outcome().kind, OutcomeKind::kCompleted) << backend;
        if (below == "nothing") continue;
        EXPECT_GT(bundle.summary().at("contact_force.body." + below + "_max_N").value_or(0.0), 0.0)
            << backend;
      }
    }
  }
}

TEST(New, OverwritesNothingAndRefusesWhatItDoesNotKnow) {
  ScratchFolder folder;
  const std::string file = (folder / "a.toml").string();
  WriteText(file, "mine");
  Ended refused = Pliant({"new", file, "--shape", "block"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("there is already a file"));
  EXPECT_EQ(TextOf(file), "mine");
  // The mode table beside it is not overwritten either.
  WriteText(folder / "b-modes.toml", "mine");
  EXPECT_EQ(Pliant({"new", (folder / "b.toml").string(), "--shape", "sheet"}).status, 2);
  EXPECT_EQ(TextOf(folder / "b-modes.toml"), "mine");
  EXPECT_FALSE(std::filesystem::exists(folder / "b.toml"));
  refused = Pliant({"new", (folder / "c.toml").string(), "--shape", "shet"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("did you mean 'sheet'?"));
  EXPECT_THAT(Pliant({"new", (folder / "d").string(), "--shape", "block"}).err,
              HasSubstr("d.toml"));
}

}  // namespace
}  // namespace pliant
