// A block of St. Venant–Kirchhoff slumps under its own weight. The energy of that law falls again where it is pressed
// together to less than 1/√3, so its elements turn inside out, earlier on finer meshes; nothing else shows it: the cells
// between the points stay as they should and the energy is kept.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "experiments/comparison/comparison.h"
#include "experiments/yardstick/yardstick.h"
#include "tests/experiments/bundles/scratch.h"

namespace pliant {
namespace {

constexpr char kSlump[] = R"(
title = "A block slumps"
[run]
duration = 0.4
step = 0.005
record_every = 0.005
[yardstick]
levels = 3
[backends.finite-elements]
refinement = 1
[scene]
name = "slump"
dimension = 2
[[scene.body]]
name = "block"
shape = "profile"
points = [[0, 0], [0.5, 0], [1, 0], [0, 0.5], [0.5, 0.5], [1, 0.5], [0, 1], [0.5, 1], [1, 1]]
masses = [1, 1, 1, 1, 1, 1, 1, 1, 1]
faces = [[0, 1, 4], [0, 4, 3], [1, 2, 4], [2, 5, 4], [3, 4, 6], [4, 7, 6], [4, 5, 8], [4, 8, 7]]
[scene.body.material]
density = 1000
youngs_modulus = 6e4
poisson_ratio = 0.3
law = "st-venant-kirchhoff"
thickness = 1
plane_strain = true
[[scene.nail]]
name = "floor"
body = "block"
points = [0, 1, 2]
)";

Experiment Slump(const ScratchFolder& folder, const std::vector<std::string>& changes = {}) {
  WriteFile(folder / "slump.toml", kSlump);
  return ReadExperiment(folder / "slump.toml", changes);
}

// A run on a mesh of so many elements along each edge.
Bundle Slumped(const ScratchFolder& folder, int refinement, std::vector<std::string> changes = {}) {
  changes.push_back("backends.finite-elements.refinement=" + std::to_string(refinement));
  const auto runs = RunComparison(Slump(folder, changes), folder / "runs", {});
  return Bundle::Open(runs[0].bundle);
}

// When the column is first not positive [s].
std::optional<double> FirstNotPositive(const Bundle& run, const std::string& column) {
  const auto values = run.Column(column);
  const auto first = std::ranges::find_if(values, [](const auto& v) { return !(*v > 0.0); });
  if (first == values.end()) return std::nullopt;
  return run.Time(static_cast<size_t>(first - values.begin()));
}

double LargestResidual(const Bundle& run) {
  double largest = 0.0;
  for (const auto& value : run.Column("residual_energy_J"))
    largest = std::max(largest, std::abs(*value));
  return largest;
}

TEST(InvertedElements, AreAnOutcomeThatNothingElseShowsEarlierOnFinerMeshes) {
  const ScratchFolder folder;
  const Bundle coarse = Slumped(folder, 1);
  EXPECT_EQ(coarse.outcome().kind, OutcomeKind::kCompleted);
  std::optional<double> before;
  for (const int refinement : {2, 4}) {
    SCOPED_TRACE(refinement);
    const Bundle fine = Slumped(folder, refinement);
    EXPECT_EQ(fine.outcome().kind, OutcomeKind::kTurnedInsideOut);
    EXPECT_THAT(fine.outcome().reason, testing::StartsWith("an element had det F = -"));
    const auto inverted = FirstNotPositive(fine, "element_det");
    ASSERT_TRUE(inverted);
    if (before) {
      EXPECT_LT(*inverted, *before - 0.05);
    }
    before = inverted;
    EXPECT_FALSE(FirstNotPositive(fine, "cell_ratio_min"));
    EXPECT_LT(LargestResidual(fine), 1e-7 * *fine.outcome().energy_at_stake);
    // The event is of the step, the outcome of a record: each step is recorded.
    ASSERT_EQ(fine.outcome().events.empty(), false);
    EXPECT_NEAR(fine.outcome().events[0].time, *inverted, 1e-9);
  }
}

TEST(InvertedElements, AreNoneOfALawThatResistsThem) {
  const ScratchFolder folder;
  const Bundle run = Slumped(folder, 2, {"scene.body.block.material.law='neo-hookean-log'"});
  EXPECT_EQ(run.outcome().kind, OutcomeKind::kCompleted);
  EXPECT_FALSE(FirstNotPositive(run, "element_det"));
}

TEST(InvertedElements, SpoilAYardstick) {
  const ScratchFolder folder;
  const Experiment slump = Slump(folder);
  const Yardstick made = MakeYardstick(slump, folder / kYardsticksFolder, 1);
  EXPECT_THAT(made.spoiled, testing::ElementsAre(testing::StartsWith("elements are inside out")));
}

}  // namespace
}  // namespace pliant
