// explain: what the manual says of words and messages, and that it says something of every one.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/manual/manual.h"
#include "experiments/runs/series.h"
#include "solvers/backends.h"
#include "tests/app/cli/program.h"
#include "tests/says.h"

namespace pliant {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string Explained(const std::string& text) {
  const Ended ended = Pliant({"explain", text});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.err, IsEmpty());
  return ended.out;
}

TEST(Explain, AKeyWithItsUnitAndWhereItStands) {
  EXPECT_THAT(Explained("record_every"),
              AllOf(StartsWith("record_every  (experiment-file.md, Experiment file, [run])"),
                    HasSubstr("unit: s"), HasSubstr("time between records")));
  // The same words in several formulations are printed once.
  const std::string tolerance = Explained("midpoint_tolerance");
  EXPECT_THAT(tolerance,
              HasSubstr("(experiment-file.md, Parameters of the backends, dynamic-ffd; "
                        "experiment-file.md, Parameters of the backends, linear-deformation)\n"));
  const size_t meaning = tolerance.find("relative change at which");
  ASSERT_NE(meaning, std::string::npos);
  EXPECT_EQ(tolerance.find("relative change at which", meaning + 1), std::string::npos);
}

TEST(Explain, RecordedQuantitiesAndWords) {
  EXPECT_THAT(Explained("made_energy_J"),
              AllOf(HasSubstr("unit: J"), HasSubstr("energy that passive parts made")));
  EXPECT_THAT(Explained("made_energy_max_J"), HasSubstr("headline figures"));
  EXPECT_THAT(Explained("preroll"),
              AllOf(HasSubstr("words.md"), HasSubstr("before a hold begins")));
}

TEST(Explain, AnOutcomeAndASentenceByThePageAboutThem) {
  EXPECT_THAT(Explained("gained energy"),
              StartsWith("gained energy  (formulations.md, How a run ends)\n"));
  EXPECT_THAT(Explained("lost energy"),
              StartsWith("lost energy  (formulations.md, How a run ends)\n"));
  // No row of a table is called so: the section with these rare words is printed whole.
  EXPECT_THAT(Explained("Ctrl+S saves the edited experiment"), StartsWith("workbench.md"));
}

TEST(Explain, OfAMessageTheNamesItQuotes) {
  const std::string text = Explained(
      "pliant: bridge.toml:7:1: unknown key 'stifness' in [[spring]]; did you mean 'stiffness'?");
  EXPECT_THAT(text, AllOf(HasSubstr("stiffness  ("), HasSubstr("Scene file, [[spring]]"),
                          HasSubstr("N/m")));
}

TEST(Explain, WhatTheManualDoesNotMentionIsOneLine) {
  const Ended ended = Pliant({"explain", "contact_stifness"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.out, IsEmpty());
  EXPECT_EQ(ended.err,
            "pliant: the manual does not mention 'contact_stifness'; did you mean "
            "'contact_stiffness'?\n");
  EXPECT_EQ(Pliant({"explain"}).status, 2);
}

// The manual against the tables of the program: nothing that a user can meet is missing.
TEST(Explain, KnowsEveryParameterAndEveryColumn) {
  const Manual manual("docs");
  for (const Backend* backend : Backends()) {
    EXPECT_FALSE(manual.DefinitionsOf(backend->info().name).empty()) << backend->info().name;
    for (const ParameterInfo& parameter : backend->Parameters()) {
      bool here = false;
      for (const Definition& definition : manual.DefinitionsOf(parameter.name)) {
        here |= definition.place.find(backend->info().name) != std::string::npos;
      }
      EXPECT_TRUE(here) << parameter.name << " of " << backend->info().name;
    }
    for (const SeriesColumn& column : SeriesColumns(backend->info())) {
      EXPECT_FALSE(manual.DefinitionsOf(column.name).empty()) << column.name;
    }
  }
}

TEST(Explain, RanksTheRarerWordHigher) {
  ScratchFolder folder;
  WriteText(folder / "a.md",
            "# A\n\n## One\n\nthe step and the step\n\n## Two\n\nthe step tunnels\n");
  WriteText(folder / "b.md", "# B\n\n## Tunnels\n\nthrough\n\n## Three\n\nstep by step\n");
  const Manual manual(folder.path());
  const std::vector<ManualSection> best = manual.SectionsAbout("tunnels step", 10);
  ASSERT_GE(best.size(), 2u);
  EXPECT_EQ(best[0].place, "b.md, Tunnels");
  EXPECT_EQ(best[1].place, "a.md, Two");
}

TEST(Manual, DefinesOneOfManyColumns) {
  const ScratchFolder folder;
  WriteText(
      folder / "a.md",
      "# A\n\n| column | unit | meaning |\n|---|---|---|\n| `push.{pair}_N` | N | of a pair |\n");
  const Manual manual(folder.path());
  EXPECT_EQ(manual.DefinitionsOf("push.ball.bridge_N").size(), 1u);
  EXPECT_TRUE(manual.DefinitionsOf("push._N").empty());
  EXPECT_TRUE(manual.DefinitionsOf("pull.ball.bridge_N").empty());
}

}  // namespace
}  // namespace pliant
