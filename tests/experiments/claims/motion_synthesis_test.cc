// What the files of [Faloutsos 1995, Table 5.1] claim at their top.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "experiments/bundles/bundle.h"
#include "experiments/bundles/reproduce.h"
#include "experiments/searches/run_searches.h"
#include "tests/experiments/bundles/scratch.h"
#include "tests/experiments/claims/shipped.h"
#include "tests/experiments/searches/history_text.h"

namespace pliant {
namespace {

using Outcome = SearchesResult::Outcome;

struct Searched {
  SearchesResult result;
  Trial start, best;

  double start_of(Measure measure) const { return start.score.terms[static_cast<size_t>(measure)]; }
  double best_of(Measure measure) const { return best.score.terms[static_cast<size_t>(measure)]; }
};

Searched Search(const SearchPlan& plan, const std::filesystem::path& out, int threads = 2) {
  Searched searched;
  searched.result = RunSearches(plan, out, threads, false, {});
  EXPECT_EQ(searched.result.outcome, Outcome::kCompleted);
  const auto& histories = searched.result.histories;
  searched.start = histories.front().trials.front();
  if (searched.result.best) {
    searched.best = histories[searched.result.best->search].trials[searched.result.best->trial];
  } else {
    ADD_FAILURE() << "no trial has a cost";
  }
  return searched;
}

class MotionSynthesis : public testing::TestWithParam<std::string> {};

// The cost falls in every search, the best gait comes farther than the start, and what is left is
// that gait.
TEST_P(MotionSynthesis, FindsABetterGait) {
  const ScratchFolder folder;
  const Searched searched = Search(ReadSearchPlan(Shipped(GetParam())), folder.path());
  EXPECT_LT(searched.best.score.cost, 0.5 * searched.start.score.cost);
  EXPECT_EQ(searched.best.score.violation, 0.0);
  EXPECT_GT(searched.best_of(Measure::kDistance), searched.start_of(Measure::kDistance));
  for (const SearchHistory& history : searched.result.histories) {
    EXPECT_LT(history.trials.back().best_cost, history.trials.front().score.cost);
    for (const Trial& trial : history.trials) EXPECT_EQ(trial.score.failure, "");
  }
  // What is left is that motion: run again it covers the same way.
  const Bundle bundle = Bundle::Open(searched.result.folder / "best");
  const auto x = bundle.Column("centre_x_m");
  EXPECT_NEAR(*x.back() - *x.front(), searched.best_of(Measure::kDistance), 1e-12);
  const auto effort = bundle.Column("deformation_effort_J");
  EXPECT_EQ(*effort.back(), searched.best_of(Measure::kEnergy));
}

INSTANTIATE_TEST_SUITE_P(Table51, MotionSynthesis,
                         testing::Values("faloutsos-bounding-distance", "faloutsos-bounding-energy",
                                         "faloutsos-bounding-speed", "faloutsos-bounding-faster"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// The pot never leaves the ground; by other transition times alone it comes farther for no more.
TEST(Worm, CrawlsFartherForTheSameEnergy) {
  const ScratchFolder folder;
  const Searched searched = Search(ReadSearchPlan(Shipped("faloutsos-worm")), folder.path());
  EXPECT_LT(searched.best.score.cost, 0.5 * searched.start.score.cost);
  EXPECT_GT(searched.best_of(Measure::kDistance), 3.0 * searched.start_of(Measure::kDistance));
  EXPECT_LT(searched.best_of(Measure::kEnergy), searched.start_of(Measure::kEnergy));
  const Bundle bundle = Bundle::Open(searched.result.folder / "best");
  const auto depth = bundle.Column("penetration_m");
  for (size_t i = 1; i < depth.size(); ++i) EXPECT_GT(*depth[i], 0.0) << i;
}

TEST(Upright, TheTableStaysOnItsLegs) {
  const ScratchFolder folder;
  const Searched searched =
      Search(ReadSearchPlan(Shipped("faloutsos-bounding-upright")), folder.path());
  EXPECT_LT(searched.start_of(Measure::kUprightness), 0.9);
  EXPECT_GT(searched.best_of(Measure::kUprightness), 0.95);
  EXPECT_GT(searched.best_of(Measure::kDistance), 2.0 * searched.start_of(Measure::kDistance));
}

TEST(Table51, SameSeedSameHistoryOnAnyNumberOfThreads) {
  const ScratchFolder folder;
  const SearchPlan plan = ReadSearchPlan(
      Shipped("faloutsos-bounding-speed", {"optimize.trials=12", "optimize.restarts=3"}));
  const Searched one = Search(plan, folder / "one", 1);
  const Searched three = Search(plan, folder / "three", 3);
  EXPECT_EQ(HistoryWithoutSeconds(one.result.folder), HistoryWithoutSeconds(three.result.folder));
}

// Without key frames the net energy of the modes is what controls and damping did less what is
// stored. The modes integrate their power by the trapezoidal rule, the ledger by the scheme. How
// far the two are apart after 0.6 s of the gait, over the energy spent.
double NetEnergyGap(const std::string& scheme, double step) {
  const Experiment experiment =
      Shipped("faloutsos-bounding-upright", {"backends.dynamic-ffd.integrator=" + scheme});
  const Translation translation = TranslateFor(experiment, 0);
  Simulation& simulation = *translation.simulation;
  Observation start, end;
  simulation.Observe(&start);
  for (int i = 0; i < std::lround(0.6 / step); ++i) simulation.Advance(step);
  simulation.Observe(&end);
  double net = 0.0, spent = 0.0;
  for (const ModeEnergy& mode : simulation.mode_energies()) {
    net += mode.work;
    spent += mode.spent;
  }
  const double booked = (*end.work)[WorkClass::kControl] + (*end.work)[WorkClass::kDamping] -
                        (*end.elastic_energy - *start.elastic_energy);
  return std::abs(net - booked) / spent;
}

TEST(NetEnergy, ComesToThatOfTheLedgerAtTheOrderOfTheSchemeOrOfTheTrapezoidalRule) {
  // Euler's order shows where the step is short against the dampers of the servos, 1 ms.
  const double step = 3.125e-5, damper = 1e-3;
  const double euler = NetEnergyGap("semi-implicit-euler", step);
  EXPECT_NEAR(std::log2(NetEnergyGap("semi-implicit-euler", 2.0 * step) / euler), 1.0, 0.05);
  EXPECT_LT(euler, 0.1 * step / damper);
  const double rk4 = NetEnergyGap("rk4", 1.25e-4);
  EXPECT_NEAR(std::log2(NetEnergyGap("rk4", 2.5e-4) / rk4), 2.0, 0.05);
  EXPECT_LT(rk4, 1e-3);
}

TEST(WeightedSum, WeighsTheEnergiesOfSingleModes) {
  const std::string weights = "optimize.cost.weights=";
  const auto weighing = [&](const std::string& modes) {
    return ReadSearchPlan(Shipped(
        "faloutsos-bounding-upright",
        {"optimize.trials=4", "optimize.restarts=1",
         weights + "{distance = -1.0, uprightness = 0.0, energy = 0.0, net_energy = 0.25, " +
             modes + "}"}));
  };
  const SearchPlan plan = weighing(
      R"(energy_of = {"vertical shear" = 0.5, "horizontal bend" = 0.0, "vertical squash" = 0.0, )"
      R"("horizontal squash" = 0.0}, net_energy_of = {"horizontal bend" = 2.0})");
  const ScratchFolder folder;
  const Searched searched = Search(plan, folder.path());
  const Bundle start = Bundle::Open(searched.result.folder / "start");
  const std::vector<double>& terms = searched.start.score.terms;
  const std::vector<std::string> names = TermsOf(plan.cost);
  ASSERT_EQ(terms.size(), names.size());
  const auto term = [&](const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    EXPECT_NE(found, names.end()) << name;
    return terms[found - names.begin()];
  };
  EXPECT_DOUBLE_EQ(searched.start.score.cost, -term("distance_m") + 0.25 * term("net_energy_J") +
                                                  0.5 * term("energy_of.vertical shear_J") +
                                                  2.0 * term("net_energy_of.horizontal bend_J"));
  EXPECT_NEAR(term("energy_J"),
              term("energy_of.vertical shear_J") + term("energy_of.horizontal bend_J") +
                  term("energy_of.vertical squash_J") + term("energy_of.horizontal squash_J"),
              1e-9 * term("energy_J"));
  EXPECT_GT(term("energy_of.vertical shear_J"), 0.0);
  const std::string history = ReadFile(searched.result.folder / "history.csv");
  EXPECT_NE(history.find("net_energy_of.horizontal bend_J"), std::string::npos);

  EXPECT_THAT([&] { weighing(R"(energy_of = {"vertical sheer" = 0.5})"); },
              testing::ThrowsMessage<FileError>(
                  testing::AllOf(testing::HasSubstr("no body has a mode 'vertical sheer'"),
                                 testing::HasSubstr("did you mean 'vertical shear'?"))));
}

// Nothing asks what a jump costs.
TEST(Table51, DistanceAloneSpendsMoreThanEnergyPerDistance) {
  const ScratchFolder folder;
  const Searched far =
      Search(ReadSearchPlan(Shipped("faloutsos-bounding-distance")), folder.path());
  const Searched thrifty =
      Search(ReadSearchPlan(Shipped("faloutsos-bounding-energy")), folder.path());
  EXPECT_GT(far.best_of(Measure::kDistance), thrifty.best_of(Measure::kDistance));
  EXPECT_GT(far.best_of(Measure::kEnergy) / far.best_of(Measure::kDistance),
            thrifty.best_of(Measure::kEnergy) / thrifty.best_of(Measure::kDistance));
}

// Rows 3 and 4 of the table are one function.
TEST(Table51, RowsThatDifferInTheirScaleCostAlikeInProportion) {
  const auto slow = ReadSearchPlan(Shipped("faloutsos-bounding-speed")).Problem();
  const auto fast = ReadSearchPlan(Shipped("faloutsos-bounding-faster")).Problem();
  const Eigen::VectorXd& start = slow->numbers().start;
  EXPECT_NEAR(slow->Evaluate(start).cost / fast->Evaluate(start).cost, 5.0, 1e-9);
}

}  // namespace
}  // namespace pliant
