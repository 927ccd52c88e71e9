// explain: what the manual says of words and messages, and that it says something of every one.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

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
using ::testing::Not;
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
  // What it is stands before the other tables that name it.
  EXPECT_THAT(Explained("extent_ratio"),
              StartsWith("extent_ratio  (columns of series.csv)\n  unit: 1\n"));
  EXPECT_THAT(Explained("extent_ratio"),
              HasSubstr("range of which the tolerance is a share: largest less smallest ratio"));
  EXPECT_THAT(Explained("first_contact.bridge.ball_s"),
              HasSubstr("up to one record_every after the touch"));
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

// A word that has no row of its own, and of which the manual speaks all the same.
TEST(Explain, AWordWithoutAnEntryByThePlacesThatUseIt) {
  for (const char* word :
       {"sag", "first touch", "gap", "settle", "carried", "resume", "Ctrl-C", "period", "msh"}) {
    const std::string text = Explained(word);
    EXPECT_THAT(
        text, StartsWith(std::string("the manual has no entry '") + word + "'; it stands in:\n\n"))
        << word;
    EXPECT_THAT(text, HasSubstr(".md, ")) << word;
    EXPECT_LT(text.size(), 2500u) << text;
  }
  EXPECT_THAT(Explained("resume"), HasSubstr("--resume"));
  // The words that a key may be are in its row.
  EXPECT_THAT(Explained("contact-force"),
              AllOf(StartsWith("contact-force, a value of measure  (experiment-file.md"),
                    HasSubstr("contact-force [N]")));
  // The column that a file of the user's own adds.
  EXPECT_THAT(Explained("drawbar_N"),
              AllOf(StartsWith("drawbar_N  (experiment-file.md, [[probe]])\n  unit: N\n"),
                    HasSubstr("a [[probe]] named 'drawbar' of your file adds")));
}

// The words of somebody who has not read the manual lead to the page that helps, among the first places.
TEST(Explain, TheWordsOfANewcomerByThePageThatHelps) {
  for (const auto& [word, place] : std::vector<std::pair<std::string, std::string>>{
           {"wobbly", "tuning.md, It is wobbly"},
           {"printing", "bundles.md, Exports"},
           {"slow motion", "tuning.md, It moves in slow motion"},
           {"how long", "tuning.md, It is slow: how long a run takes"},
           {"time step", "tuning.md, Which time step"},
           {"floor", "tuning.md, It sinks into obstacles, or through the floor"},
           {"ball", "tutorial.md, A ball that falls on it"},
           {"bounce", "tuning.md, The bounce is too high"},
           {"stiff", "tuning.md, It is too stiff"},
           {"explode", "tuning.md, It explodes"},
           {"memory", "tuning.md, It is slow: how long a run takes, and how much memory"},
           {"slow", "tuning.md, It is slow"}}) {
    EXPECT_THAT(Explained(word), HasSubstr(place)) << word;
  }
}

TEST(Explain, WhatIsNeitherIsOneShortLine) {
  EXPECT_EQ(Pliant({"explain", "xyzqqy"}).err,
            "pliant: the manual has no entry 'xyzqqy'; search docs/ for it\n");
  const Ended misspelled = Pliant({"explain", "sagg"});
  EXPECT_EQ(misspelled.status, 2);
  EXPECT_THAT(misspelled.out, IsEmpty());
  EXPECT_EQ(misspelled.err, "pliant: the manual has no entry 'sagg'; did you mean 'sag'?\n");
}

TEST(Explain, CostFunctionsFiguresOfProbesAndColumnsOfBodies) {
  EXPECT_THAT(Explained("energy/distance"), HasSubstr("cost function to minimise"));
  EXPECT_THAT(Explained("weighted-sum"), HasSubstr("cost function to minimise"));
  EXPECT_THAT(Explained("gap_crossing_s"),
              AllOf(HasSubstr("[[probe]]"), HasSubstr("the probe 'gap': first time at which")));
  EXPECT_THAT(Explained("swing_period_s"), HasSubstr("unit: s"));
  EXPECT_THAT(Explained("pull_impulse_N_s"), HasSubstr("unit: N s"));
  EXPECT_THAT(Explained("contact_force.bridge.ball_N"), HasSubstr("resultant contact force"));
}

TEST(Explain, ErrorsAgainstAReference) {
  EXPECT_THAT(Explained("error_of_swing_max_rad"),
              AllOf(HasSubstr("difference of the column swing_rad from that of a reference table, "
                              "largest over time"),
                    Not(HasSubstr("probe"))));
  EXPECT_THAT(Explained("error_of_kinetic_energy_final_J"),
              AllOf(HasSubstr("unit: J"), HasSubstr("difference of the kinetic energy"),
                    HasSubstr("at the end")));
  // The unit stays at the end.
  EXPECT_EQ(Pliant({"explain", "error_of_swing_rad_max"}).status, 2);
}

TEST(Explain, WhatColumnsOfManyNamesBeginWith) {
  EXPECT_THAT(Explained("first_contact"), StartsWith("first_contact.{pair}_s"));
  EXPECT_THAT(Explained("contact_force"), StartsWith("contact_force.{pair}_N"));
}

TEST(Explain, ArraysOfExports) {
  for (const char* array : {"contact_force_N", "displacement_m", "stress_Pa"}) {
    const std::string text = Explained(array);
    EXPECT_THAT(text, HasSubstr("(bundles.md, Exports)"));
    EXPECT_THAT(text, Not(HasSubstr("  : ")));
  }
  EXPECT_THAT(Pliant({"explain", "mass_damping"}).err, HasSubstr("'damping.mass'"));
  EXPECT_THAT(Explained("damping.mass"), HasSubstr("(materials.md, Damping)"));
}

TEST(Explain, OfAMessageTheNamesItQuotes) {
  const std::string text = Explained(
      "pliant: bridge.toml:7:1: unknown key 'stifness' in [[spring]]; did you mean 'stiffness'?");
  EXPECT_THAT(text, AllOf(HasSubstr("stiffness  ("), HasSubstr("Scene file, [[spring]]"),
                          HasSubstr("N/m")));
}

// Whole messages of runs, as they are printed.
TEST(Explain, OfAMessageWhatItsOwnWordsMean) {
  EXPECT_THAT(Explained("joint at point 127 of db did not converge, first at step 598"),
              AllOf(StartsWith("did not converge"), HasSubstr("raise `max_sweeps`"),
                    Not(HasSubstr("articulated-lamp"))));
  EXPECT_THAT(Explained("gained energy: passive parts made 10.3 J, 4.61 % of the energy at stake, "
                        "most of it by contact, first at 0.4 s"),
              AllOf(HasSubstr("passive parts made  (messages.md"),
                    HasSubstr("\"Gained energy\" in tuning.md"), Not(HasSubstr("The ledger"))));
  EXPECT_THAT(
      Explained("body 'db' holds no material here, so that nothing keeps its control points "
                "together"),
      AllOf(StartsWith("holds no material here"), HasSubstr("mesh of tetrahedra")));
  EXPECT_THAT(Explained("estimate: a: none, its first steps do not advance: a run ends there"),
              StartsWith("first steps do not advance"));
  EXPECT_THAT(Explained("penalised"), HasSubstr("has no cost by this function"));
  EXPECT_THAT(Explained("body 'db' had no positive volume at 0.3 s"),
              HasSubstr("turned inside out"));
}

// A phrase of the page on messages that the program does not print explains nothing.
TEST(Explain, KnowsOnlyMessagesThatThereAre) {
  std::string sources;
  for (const char* room : {"models", "solvers", "experiments", "app"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(room)) {
      if (entry.path().extension() == ".cc") sources += TextOf(entry.path());
    }
  }
  // A text over several lines is one.
  sources = std::regex_replace(sources, std::regex("\"\\s*\n\\s*\""), "");
  const Manual manual("docs");
  size_t phrases = 0;
  for (const std::string& word : manual.Words()) {
    for (const Definition& definition : manual.DefinitionsOf(word)) {
      if (!definition.place.starts_with("messages.md")) continue;
      ++phrases;
      const size_t last = word.rfind(' ');
      const bool is_there =
          sources.find(word) != std::string::npos ||
          (last != std::string::npos && sources.find(word.substr(0, last)) != std::string::npos);
      EXPECT_TRUE(is_there) << word;
    }
  }
  EXPECT_GT(phrases, 15u);
}

TEST(Explain, NeitherRulesNorCommandsAreEntries) {
  const Manual manual("docs");
  for (const char* no_word : {"---", "", ">", "./pliant test", ".ci/run"})
    EXPECT_TRUE(manual.DefinitionsOf(no_word).empty()) << no_word;
  EXPECT_FALSE(manual.DefinitionsOf("contact of two bodies").empty());
  EXPECT_THAT(Pliant({"explain", "rigid"}).out, HasSubstr("[[body]]"));
  EXPECT_THAT(Pliant({"explain", "energy_lost"}).err, HasSubstr("'lost energy'"));
}

TEST(Explain, WhatTheManualDoesNotMentionIsOneLine) {
  const Ended ended = Pliant({"explain", "contact_stifness"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.out, IsEmpty());
  EXPECT_EQ(ended.err,
            "pliant: the manual has no entry 'contact_stifness'; did you mean "
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

// Endings of a few letters count; sections whose heading has the word come first.
TEST(Manual, FindsWhereAWordIsUsed) {
  const ScratchFolder folder;
  WriteText(folder / "a.md",
            "# A\n\n## One\n\nIt falls. It settles\nslowly. It settles. It settled.\n\n"
            "| a | b |\n|---|---|\n| x | a resettlement |\n\n## To settle\n\nNothing.\n");
  const Manual manual(folder.path());
  const std::vector<ManualSection> found = manual.MentionsOf("settle", 5);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].place, "a.md, To settle");
  EXPECT_EQ(found[1].place, "a.md, One");
  EXPECT_EQ(found[1].text, "It settles slowly.");
  EXPECT_TRUE(manual.MentionsOf("settlement", 5).empty());
  EXPECT_TRUE(manual.MentionsOf("?", 5).empty());
}

TEST(Manual, AColumnWithoutAHeadingHasNone) {
  const ScratchFolder folder;
  WriteText(folder / "a.md", "# A\n\n| array | unit | |\n|---|---|---|\n| `push` | N | of it |\n");
  const std::vector<Definition> found = Manual(folder.path()).DefinitionsOf("push");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].text, "unit: N\nof it\n");
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
