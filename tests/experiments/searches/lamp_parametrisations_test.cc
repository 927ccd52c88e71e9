// What searches and plans of the lamp hand to each other, and what searches vary: targets of splines, and gains of servos.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "experiments/comparison/comparison.h"
#include "experiments/files/chosen_value.h"
#include "experiments/searches/run_searches.h"
#include "tests/experiments/bundles/scratch.h"
#include "tests/experiments/shipped_file.h"

namespace pliant {
namespace {

// Of a translation that plans: J, and how often motions were evaluated.
struct PlanFound {
  double cost = 0.0;
  int evaluations = 0;
};
PlanFound PlanOf(const Experiment& experiment, size_t index) {
  const Translation translation = TranslateFor(experiment, index);
  PlanFound found;
  for (const auto& row : translation.findings.at(0).rows) {
    if (row[0] == "cost J") found.cost = std::stod(row[1]);
    if (row[0] == "evaluations") found.evaluations = std::stoi(row[1]);
  }
  return found;
}

// An experiment of the shipped lamp with these tables of backends.
Experiment OfLamp(const ScratchFolder& folder, const std::string& backends) {
  const auto scene = std::filesystem::absolute(PLIANT_SOURCE_DIR) / "data/scenes/lamp.toml";
  WriteFile(folder / "lamp.toml",
            "title = \"Lamp\"\nscene = \"" + scene.string() +
                "\"\n[run]\nduration = 2.0\nstep = 0.001\nrecord_every = 0.02\n" + backends);
  return ReadExperiment(folder / "lamp.toml");
}

constexpr char kPlanned[] =
    "formulation = \"articulated-lamp\"\ncontroller = \"planned\"\n"
    "plan_step = 0.02\nplan_refinements = 0\nplan_method = \"augmented-lagrangian\"\n";

TEST(LampParametrisations, AMotionThatASearchFoundStartsAPlanThatEndsAtTheSameOptimum) {
  const ScratchFolder folder;
  const SearchPlan search = ReadSearchPlan(
      ReadExperiment(ShippedFile("lamp-jump-search"),
                     {"optimize.trials=60", "optimize.restarts=1", "optimize.against=[]"}),
      {"hill-climbing"});
  const SearchesResult result = RunSearches(search, folder / "runs", 1, false, {});
  ASSERT_TRUE(std::filesystem::exists(result.folder / "best"));
  const std::string planned = kPlanned;
  const Experiment experiment =
      OfLamp(folder, "[backends.own]\n" + planned + "[backends.found]\n" + planned +
                         "timed = true\ncontrol = \"runs/lamp-jump-search/optimize/best\"\n");
  const PlanFound own = PlanOf(experiment, 0), found = PlanOf(experiment, 1);
  EXPECT_GT(own.cost, 5.0);
  EXPECT_NEAR(found.cost, own.cost, 1e-7 * own.cost);
  EXPECT_NE(found.evaluations, own.evaluations);
  // What it was started from is in the file that reproduces it.
  std::filesystem::remove_all(folder / "runs");
  WriteFile(folder / "again.toml", experiment.Resolved(1));
  EXPECT_EQ(PlanOf(ReadExperiment(folder / "again.toml"), 0).cost, found.cost);
}

// Poses of a plan, its targets and the gains of the servos varied: every method makes the same number of trials, and the
// start, which is the plan, lands.
TEST(LampParametrisations, SearchesOverASplineStartFromAPlanAndVaryGainsToo) {
  const ScratchFolder folder;
  const Experiment planned = OfLamp(folder, std::string("[backends.planned]\n") + kPlanned);
  RunIntoBundle(planned, 0, TranslateFor(planned, 0), folder / "runs", {});
  const Experiment experiment = OfLamp(folder, R"(
[backends.poses]
formulation = "articulated-lamp"
control = "runs/planned/plan_poses.toml"
timed = true
interpolation = "spline"
[optimize]
trials = 40
[optimize.cost]
function = "jump"
goal = 0.3
tolerance = 0.1
penalty = 1000
[[optimize.vary]]
numbers = "control.pose.knot 12.targets"
lower = -2
upper = 2
[[optimize.vary]]
numbers = "control.servo.*.stiffness"
lower = 5
upper = 300
[[optimize.vary]]
numbers = "control.servo.*.damping"
lower = 0.1
upper = 10
[optimize.methods.hill-climbing]
[optimize.methods.cma-es]
[optimize.methods.random-search]
)");
  const SearchPlan search = ReadSearchPlan(experiment);
  EXPECT_EQ(search.Problem()->numbers().names[3], "control.servo.0.stiffness");
  const SearchesResult result = RunSearches(search, folder / "runs", 1, false, {});
  ASSERT_EQ(result.histories.size(), 3u);
  for (const SearchHistory& history : result.histories) {
    EXPECT_EQ(history.trials.size(), 40u);
    EXPECT_EQ(history.trials[0].score.cost, result.histories[0].trials[0].score.cost);
    EXPECT_EQ(history.trials[0].score.violation, 0.0);
  }
  // Gains count: a descent finds others that cost less.
  const Trial& best = *result.histories[0].Best();
  EXPECT_LT(best.score.cost, result.histories[0].trials[0].score.cost);
  EXPECT_NE(best.numbers[3], search.Problem()->numbers().start[3]);
}

}  // namespace
}  // namespace pliant
