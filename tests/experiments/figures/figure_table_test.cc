#include "experiments/figures/figure_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "experiments/bundles/storage.h"
#include "experiments/searches/run_searches.h"
#include "experiments/sweeps/sweep.h"
#include "tests/experiments/bundles/scratch.h"
#include "tests/experiments/shipped_file.h"
#include "tests/says.h"

namespace pliant {
namespace {

std::vector<FigureSource> Shipped() { return ReadFigureSources(PLIANT_SOURCE_DIR "/data/figures"); }

TEST(ShippedFigures, NameExperimentsClaimsBackendsColumnsAndTimesThatExist) {
  for (const FigureSource& source : Shipped()) {
    for (const SourceFigure& figure : source.figures) {
      if (!figure.experiment) continue;
      SCOPED_TRACE(figure.name);
      const Experiment experiment =
          ReadExperiment(ShippedFile(*figure.experiment), figure.picture->set);
      EXPECT_NO_THROW(RequireFigure(figure, experiment));
    }
  }
}

// 17 of Faloutsos, 4 of Witkin & Welch, 14 of Palazzi, 16 of Harrison; the results of Chitimalli and of Witkin & Kass.
TEST(ShippedFigures, AreAllThatTheSourcesHave) {
  std::map<std::string, size_t> counts;
  for (const FigureSource& source : Shipped()) counts[source.title] = source.figures.size();
  EXPECT_EQ(counts["Faloutsos 1995"], 21u) << "Table 5.1 has a row for each of its five motions";
  EXPECT_EQ(counts["Witkin & Welch 1990"], 4u);
  EXPECT_EQ(counts["Palazzi 1993"], 14u);
  EXPECT_EQ(counts["Harrison 1994"], 16u);
  EXPECT_EQ(counts["Chitimalli 2008, with Witkin & Kass 1988"], 10u);
}

TEST(ShippedFigures, PageIsCurrent) {
  EXPECT_EQ(FiguresPage(Shipped(), PLIANT_SOURCE_DIR "/experiments"),
            ReadFile(PLIANT_SOURCE_DIR "/docs/figures.md"))
      << "pliant list figures --markdown > docs/figures.md";
}

class FigureTable : public testing::Test {
 protected:
  void Says(const std::string& figure, const std::vector<std::string>& words) {
    WriteFile(folder_ / "paper.toml", "title = 'A paper'\n[[figure]]\n" + figure);
    std::string error;
    try {
      const auto sources = ReadFigureSources(folder_.path());
      const SourceFigure& read = sources.at(0).figures.at(0);
      RequireFigure(read, ReadExperiment(ShippedFile(*read.experiment)));
    } catch (const FileError& wrong) {
      error = wrong.what();
    }
    if (words.empty()) {
      EXPECT_EQ(error, "") << figure;
    }
    EXPECT_THAT(error, pliant::Says(words)) << figure;
  }

  ScratchFolder folder_;
  const std::string head_ = "name = 'p-1'\nnumber = 'Fig. 1'\nshows = 'a fall'\n";
  const std::string pot_ =
      head_ + "verdict = 'reproduced'\nexperiment = 'faloutsos-pot-friction'\n";
  const std::string rest_ = pot_ + "claims = ['the pot is at rest']\n";
};

TEST_F(FigureTable, MistakesHaveTheirPlace) {
  Says(rest_ + "picture = {frames = [0, 1]}\n", {});
  Says(head_ + "verdict = 'proved'\n", {"paper.toml:", "cannot be 'proved'"});
  Says(head_ + "verdict = 'contradicted'\n", {"paper.toml:6", "does not say why"});
  Says(head_ + "verdict = 'reproduced'\n", {"names no experiment"});
  Says(pot_ + "picture = {frames = [0]}\n", {"names no claim"});
  Says(rest_, {"has no picture"});
  Says(rest_ + "picture = {}\n", {"the picture needs one of the keys 'frames'"});
  Says(rest_ + "picture = {frames = [0], curves = ['centre_x_m']}\n", {"both"});
  Says(rest_ + "picture = {frames = [0.005]}\n", {"paper.toml:3", "no record at 0.005 s"});
  Says(rest_ + "picture = {frames = [7]}\n", {"no record at 7 s"});
  Says(rest_ + "picture = {frames = [0], of = ['dynamic-fdd']}\n",
       {"has no backend 'dynamic-fdd'", "did you mean 'dynamic-ffd'"});
  Says(rest_ + "picture = {curves = ['centre_x']}\n",
       {"records 'centre_x'", "did you mean 'centre_x_m'"});
  Says(rest_ + "picture = {sweep = ['penetration_max_m']}\n", {"has no [sweep]"});
  Says(rest_ + "picture = {search = ['cost']}\n", {"has no [optimize]"});
  Says(rest_ + "picture = {search = ['costs']}\n", {"a search has no picture 'costs'"});
  Says(rest_ + "picture = {search = ['motion']}\n", {"no time of the motion is given"});
  Says(rest_ + "picture = {frames = [0], across = 0}\n", {"'across' must be at least 1"});
  Says(rest_ + "picture = {frames = [0], omitted = -1}\n", {"'omitted' must not be negative"});
  Says(pot_ + "claims = ['the pot is at resd']\npicture = {frames = [0]}\n",
       {"does not claim 'the pot is at resd'", "did you mean 'the pot is at rest'"});
  Says(head_ + "verdict = 'not possible'\nwhy = 'a photograph'\nexperiment = 'press'\n",
       {"is not possible, but has an experiment"});
}

TEST_F(FigureTable, ANameIsGivenOnce) {
  const std::string row = "[[figure]]\n" + head_ + "verdict = 'not possible'\nwhy = 'a sketch'\n";
  WriteFile(folder_ / "paper.toml", "title = 'A paper'\n" + row + row);
  EXPECT_THROW(ReadFigureSources(folder_.path()), FileError);
  WriteFile(folder_ / "paper.toml", "title = 'A paper'\n" + row);
  const auto sources = ReadFigureSources(folder_.path());
  EXPECT_EQ(FindFigure(sources, "p-1").number, "Fig. 1");
  EXPECT_THROW(FindFigure(sources, "p-2"), BadInput);
}

}  // namespace
}  // namespace pliant
