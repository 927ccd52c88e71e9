// Tables of compare and report: the figures that are asked for, in the order of the experiment, and what is noted of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/app/cli/program.h"
#include "tests/says.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Tables, AreNarrowedToTheFiguresThatAreChosen) {
  const ScratchFolder folder;
  const Ended compared =
      Pliant({"compare", "pendulum", "--backend", "linear-deformation", "--backend",
              "position-based", "--set", "run.duration=0.02", "--only", "made_energy", "--only",
              "strain", "--out", folder.path()});
  EXPECT_EQ(compared.status, 0) << compared.err;
  EXPECT_THAT(compared.out, Says({"made_energy_max_J", "edge_strain_max", "outcome"}));
  EXPECT_THAT(compared.out, Not(HasSubstr("residual_energy")));
  const Ended reported = Pliant({"report", (folder / "pendulum").string(), "--only", "residual"});
  EXPECT_EQ(reported.status, 0) << reported.err;
  EXPECT_THAT(reported.out, HasSubstr("residual_energy_max_J"));
  EXPECT_THAT(reported.out, Not(HasSubstr("made_energy")));
  // What is in no name hides nothing, and is no success.
  const Ended none = Pliant({"report", (folder / "pendulum").string(), "--only", "residul"});
  EXPECT_EQ(none.status, 1);
  EXPECT_THAT(none.out,
              Says({"problem: no figure has 'residul' in its name", "made_energy_max_J"}));
  const Ended run =
      Pliant({"compare", "pendulum", "--backend", "position-based", "--set", "run.duration=0.02",
              "--only", "residul", "--out", (folder / "b").string()});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err,
              HasSubstr("1 run: 1 completed; exit status 1, since a problem is named above"));
}

// The outcome is a row of every table, so that it may be asked for.
TEST(Tables, TheOutcomeAloneIsATable) {
  const ScratchFolder folder;
  const Ended compared = Pliant({"compare", "pendulum", "--backend", "position-based", "--set",
                                 "run.duration=0.02", "--only", "outcome", "--out", folder.path()});
  EXPECT_EQ(compared.status, 0) << compared.err;
  EXPECT_THAT(compared.out, Says({"outcome", "completed"}));
  EXPECT_THAT(compared.out, Not(HasSubstr("problem")));
  EXPECT_THAT(compared.out, Not(HasSubstr("made_energy")));
  const Ended both = Pliant(
      {"report", (folder / "pendulum").string(), "--only", "outcome", "--only", "made_energy"});
  EXPECT_EQ(both.status, 0) << both.err;
  EXPECT_THAT(both.out, HasSubstr("made_energy_max_J"));
}

// As compare has them, not by their names.
TEST(Tables, AReportHasTheOrderOfTheExperiment) {
  const ScratchFolder folder;
  EXPECT_EQ(
      Pliant({"compare", "pendulum", "--backend", "linear-deformation", "--backend",
              "displacement-constraints", "--set", "run.duration=0.02", "--out", folder.path()})
          .status,
      0);
  const Ended reported = Pliant({"report", (folder / "pendulum").string()});
  EXPECT_EQ(reported.status, 0) << reported.err;
  EXPECT_THAT(reported.out, HasSubstr("linear-deformation  displacement-constraints"));
}

// From 2 rad the period is 33 % longer than that of small swings; position-based dynamics lose amplitude at this step.
TEST(Tables, APeriodThatDriftsIsSaidToBeAMean) {
  const ScratchFolder folder;
  const auto run = [&](const std::string& duration, const std::string& step) {
    const Ended ran =
        Pliant({"run", "experiments/textbook-pendulum.toml", "--backend", "position-based", "--set",
                "scene.body[0].rotation=2.0", "--set", "run.duration=" + duration, "--set",
                "run.step=" + step, "--out", folder.path().string(), "--overwrite"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    return Pliant({"report", (folder / "textbook-pendulum/position-based").string()}).out;
  };
  EXPECT_THAT(run("10", "0.002"),
              Says({"note: swing_period_s of position-based is a mean: the second half of the "
                    "records swings ",
                    " % faster than the first, and the amplitude falls by "}));
  EXPECT_THAT(run("6", "0.002"), HasSubstr("is a mean: the amplitude falls by "));
  EXPECT_THAT(run("20", "0.002"), HasSubstr("leaves more than a tenth of the variance"));
  EXPECT_THAT(run("1", "0.002"),
              HasSubstr("note: swing_period_s of position-based is blank: no whole period"));
  // A small swing has one period at any amplitude.
  const Ended small = Pliant({"run", "experiments/textbook-pendulum.toml", "--backend",
                              "linear-deformation", "--out", (folder / "small").string()});
  EXPECT_EQ(small.status, 0) << small.err;
  EXPECT_THAT(
      Pliant({"report", (folder / "small/textbook-pendulum/linear-deformation").string()}).out,
      Not(HasSubstr("note: ")));
}

}  // namespace
}  // namespace pliant
