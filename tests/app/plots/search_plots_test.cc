#include "app/plots/search_plots.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Trial MakeTrial(double cost, bool accepted, double current, double best) {
  Trial trial = {.numbers = Eigen::VectorXd::Zero(1)};
  trial.score.cost = cost;
  trial.accepted = accepted;
  trial.current_cost = current;
  trial.best_cost = best;
  return trial;
}

// Penalised, good, uphill accepted, failed, better.
SearchRecord Record(int searches = 1) {
  SearchRecord record;
  for (int s = 0; s < searches; ++s) {
    record.searches.push_back({s % 2 == 0 ? "annealing" : "hill-climbing", "annealing",
                               static_cast<std::uint64_t>(s + 1)});
    SearchHistory& history = record.histories.emplace_back();
    const double shift = searches - s;  // the last search is the best
    history.trials = {MakeTrial(1e6, true, 1e6, 1e6),
                      MakeTrial(5.0 + shift, true, 5.0 + shift, 5.0 + shift),
                      MakeTrial(7.0 + shift, true, 7.0 + shift, 5.0 + shift),
                      MakeTrial(INFINITY, false, 7.0 + shift, 5.0 + shift),
                      MakeTrial(2.0 + shift, true, 2.0 + shift, 2.0 + shift)};
    history.trials[0].score.violation = 1.0;
    history.trials[3].score.failure = "diverged";
    history.trials[4].temperature = 0.5;
    for (int t = 0; t < 5; ++t) history.trials[t].seconds = 0.5 * (t + 1);
  }
  return record;
}

TEST(SearchPlots, CostIsWhatWasTriedAcceptedAndBest) {
  const std::vector<Plot> plots = SearchPlots(Record());
  ASSERT_EQ(plots.size(), 2u);  // one search needs no plot of all searches
  ASSERT_EQ(plots[0].panels.size(), 1u);
  const std::vector<PlottedCurve>& curves = plots[0].panels[0].curves;
  ASSERT_EQ(curves.size(), 3u);
  EXPECT_THAT(curves[0].x, ElementsAre(1, 2, 3, 4, 5));
  const auto nan = testing::Truly([](double y) { return std::isnan(y); });
  EXPECT_THAT(curves[0].y, ElementsAre(nan, 6.0, 8.0, nan, 3.0));
  EXPECT_THAT(curves[1].y, ElementsAre(nan, 6.0, 8.0, 8.0, 3.0));
  EXPECT_THAT(curves[2].y, ElementsAre(nan, 6.0, 6.0, 6.0, 3.0));
  EXPECT_THAT(plots[0].notes, testing::Contains(HasSubstr("1 penalised and 1 failed trials of 5")));
  EXPECT_EQ(plots[1].key, "temperature");
}

TEST(SearchPlots, AcceptanceIsTheShareOfTheLastTrials) {
  SearchRecord record = Record();
  std::vector<Trial>& trials = record.histories[0].trials;
  trials.resize(120, trials[4]);
  for (size_t t = 0; t < trials.size(); ++t) {
    trials[t].accepted = t % 2 == 0;
    trials[t].decision = t % 4 == 0 ? Decision::kByChance : Decision::kWorse;
  }
  const std::vector<Plot> plots = SearchPlots(record);
  ASSERT_EQ(plots.back().key, "temperature");
  ASSERT_EQ(plots.back().panels.size(), 2u);
  const std::vector<PlottedCurve>& curves = plots.back().panels[1].curves;
  ASSERT_EQ(curves.size(), 2u);
  EXPECT_EQ(curves[0].y[0], 1.0);
  EXPECT_EQ(curves[0].y[2], 2.0 / 3.0);
  EXPECT_EQ(curves[0].y[119], 0.5);
  EXPECT_EQ(curves[1].y[119], 12.0 / 50.0);  // of the trials 70 to 119: 72, 76, … 116
}

TEST(SearchPlots, ManySearchesAreComparedAndTheBestOnesShown) {
  const std::vector<Plot> plots = SearchPlots(Record(8));
  ASSERT_EQ(plots.size(), 5u);
  ASSERT_EQ(plots[0].panels.size(), 6u);
  EXPECT_EQ(plots[0].panels[0].title, "annealing, seed 3");
  EXPECT_EQ(plots[0].panels[5].title, "hill-climbing, seed 8");
  EXPECT_THAT(plots[0].notes, testing::Contains(HasSubstr("6 best of 8 searches")));
  EXPECT_EQ(plots[1].key, "best-cost");
  ASSERT_EQ(plots[1].panels[0].curves.size(), 8u);
  EXPECT_EQ(plots[1].panels[0].curves[0].style.colour, plots[1].panels[0].curves[2].style.colour);
  EXPECT_FALSE(plots[1].panels[0].curves[0].style.colour ==
               plots[1].panels[0].curves[1].style.colour);
}

// Of costs 8 − s + 2 and so on: four searches of each method.
TEST(SearchPlots, MethodsOfSeveralSeedsAreBandsWithWhatTheyAreHeldAgainst) {
  SearchRecord record = Record(8);
  RecordedOther& planned = record.others.emplace_back();
  planned.label = "planned";
  planned.score.cost = 1.5;
  planned.seconds = 0.25;
  const std::vector<Plot> plots = SearchPlots(record);
  ASSERT_EQ(plots[2].key, "cost-by-trials");
  const std::vector<PlottedCurve>& curves = plots[2].panels[0].curves;
  ASSERT_EQ(curves.size(), 7u);  // median and quartiles of two methods, and a level
  EXPECT_EQ(curves[0].name, "annealing");
  EXPECT_THAT(curves[0].x, ElementsAre(1, 2, 3, 4, 5));
  EXPECT_DOUBLE_EQ(curves[0].y.back(), 7.0);  // of 10, 8, 6, 4
  EXPECT_DOUBLE_EQ(curves[1].y.back(), 5.5);
  EXPECT_DOUBLE_EQ(curves[2].y.back(), 8.5);
  EXPECT_EQ(curves[3].name, "hill-climbing");
  EXPECT_THAT(curves[6].y, ElementsAre(1.5, 1.5));
  ASSERT_EQ(plots[3].key, "cost-by-seconds");
  EXPECT_EQ(plots[3].x.unit, "s");
  EXPECT_THAT(plots[3].panels[0].curves[6].x, ElementsAre(0.25, 2.5));
  EXPECT_DOUBLE_EQ(plots[3].panels[0].curves[0].x.back(), 2.5);
}

TEST(SearchPlots, AWideRangeOfCostsIsLogarithmic) {
  SearchRecord record = Record();
  EXPECT_FALSE(SearchPlots(record)[0].panels[0].y.logarithmic);
  record.histories[0].trials[4].score.cost = 0.01;
  EXPECT_TRUE(SearchPlots(record)[0].panels[0].y.logarithmic);
  record.histories[0].trials[4].score.cost = -0.01;  // a weighted sum may be negative
  EXPECT_FALSE(SearchPlots(record)[0].panels[0].y.logarithmic);
}

}  // namespace
}  // namespace pliant
