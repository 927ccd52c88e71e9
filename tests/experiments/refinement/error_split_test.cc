// What a distance is made of, on a fall whose errors are known: semi-implicit Euler falls ½ g t h further than the exact motion,
// a drag α of the mass keeps back g (t²/2 − t/α + (1 − e^{−α t})/α²).

#include "experiments/refinement/error_split.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/experiments/bundles/scratch.h"

namespace pliant {
namespace {

constexpr double kGravity = 9.81, kUntil = 0.2, kStep = 0.01, kDrag = 0.8;

constexpr char kFall[] = R"(
title = "A rod falls"
reference = "exact"
[run]
duration = 0.2
step = 0.01
record_every = 0.04
[scene]
name = "rod"
dimension = 2
[[scene.body]]
name = "rod"
shape = "chain"
from = [0, 0]
to = [1, 0]
points = 3
mass = 1.0
[backends.exact]
formulation = "linear-deformation"
integrator = "rk4"
[backends.euler]
formulation = "linear-deformation"
integrator = "semi-implicit-euler"
[backends.dragged]
formulation = "linear-deformation"
integrator = "rk4"
rayleigh_mass = 0.8
[backends.both]
formulation = "linear-deformation"
integrator = "semi-implicit-euler"
rayleigh_mass = 0.8
)";

class SplitFall : public testing::Test {
 protected:
  SplitFall() {
    WriteFile(folder_ / "fall.toml", kFall);
    const Ladder ladder = ReadLadders(folder_ / "fall.toml").at(0);
    refinement_ = CollectLadder(ladder, RunLadder(ladder, folder_ / "runs", 1));
  }
  ErrorPart Of(const std::string& label) const {
    const auto run = std::ranges::find(refinement_.runs, label, &RefinedRun::label);
    return SplitError(refinement_, *run).value();
  }

  const ScratchFolder folder_;
  Refinement refinement_;
  // Of the scheme at the file's step, and of the drag.
  const double scheme_ = 0.5 * kGravity * kUntil * kStep;
  const double drag_ = kGravity * (0.5 * kUntil * kUntil - kUntil / kDrag +
                                   (1.0 - std::exp(-kDrag * kUntil)) / (kDrag * kDrag));
};

TEST_F(SplitFall, TheErrorOfASchemeIsThatOfItsStep) {
  const ErrorPart euler = Of("euler");
  EXPECT_NEAR(euler.part, 0.75 * scheme_, 1e-9) << "from the step to a quarter of it";
  EXPECT_NEAR(euler.band, 1.25 * 0.25 * scheme_, 1e-9);
  EXPECT_GE(euler.part + euler.band, scheme_);
  EXPECT_LE(euler.part - euler.band, scheme_);
  EXPECT_NEAR(euler.beyond.value(), 0.25 * scheme_, 1e-9);
  EXPECT_LE(*euler.beyond, euler.beyond_band.value()) << "nothing beyond the step";
}

TEST_F(SplitFall, TheErrorOfAFormulationIsBeyondTheStep) {
  const ErrorPart dragged = Of("dragged");
  EXPECT_LT(dragged.part, 1e-7 * drag_);
  EXPECT_NEAR(dragged.beyond.value(), drag_, 1e-7 * drag_);
  EXPECT_LT(dragged.beyond_band.value(), 1e-6 * drag_);
}

// The scheme falls further and the drag keeps back: the file's run is nearer than its formulation.
TEST_F(SplitFall, ErrorsThatCancelAreBothSeen) {
  const ErrorPart both = Of("both");
  EXPECT_NEAR(both.part, 0.75 * scheme_, 0.1 * scheme_);
  EXPECT_NEAR(both.beyond.value(), std::abs(drag_ - 0.25 * scheme_), 0.1 * scheme_);
  const auto figure =
      std::ranges::find(refinement_.figures, "distance_to_reference_rms_m", &SeriesColumn::name);
  const auto run = std::ranges::find(refinement_.runs, "both", &RefinedRun::label);
  const double whole =
      run->figures[refinement_.file_rung][static_cast<size_t>(figure - refinement_.figures.begin())]
          .value();
  EXPECT_LE(*both.beyond, whole + both.part + both.band) << "the triangle inequality";
  EXPECT_LE(both.part, whole + *both.beyond + *both.beyond_band);
}

TEST_F(SplitFall, IsInTheTableOfTheFilesRuns) {
  ComparisonTable table;
  table.rows.resize(2);
  table.rows[0].label = "euler";
  table.rows[1].label = "another";
  AddErrorSplit(refinement_, &table);
  ASSERT_EQ(table.columns.size(), 4u);
  EXPECT_EQ(table.columns[0].name, "error_from_step_m");
  EXPECT_EQ(table.columns[2].name, "error_beyond_step_m");
  EXPECT_NEAR(table.rows[0].values[0].value(), 0.75 * scheme_, 1e-9);
  EXPECT_NEAR(table.rows[0].values[2].value(), 0.25 * scheme_, 1e-9);
  for (const auto& value : table.rows[1].values) EXPECT_FALSE(value);
}

}  // namespace
}  // namespace pliant
