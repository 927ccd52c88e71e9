// Each axis of refinement on a scene whose numbers are known at every size: in closed form, or from the file's own
// backends that have the next order or level.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "experiments/refinement/ladder_choice.h"
#include "tests/experiments/bundles.h"
#include "tests/experiments/shipped_file.h"

namespace pliant {
namespace {

// One ladder, run.
struct Climbed {
  Ladder ladder;
  Refinement refinement;
  const RefinedRun& run() const { return refinement.runs.at(0); }
  const Experiment& Rung(size_t rung) const { return ladder.rungs.points[rung].experiment; }

  std::vector<std::optional<double>> Figure(const std::string& name) const {
    std::vector<std::optional<double>> values;
    for (size_t f = 0; f < refinement.figures.size(); ++f) {
      if (refinement.figures[f].name != name) continue;
      for (const auto& of_rung : run().figures) values.push_back(of_rung[f]);
    }
    return values;
  }
  std::vector<std::optional<double>> At(const std::string& column, double time) const {
    for (size_t c = 0; c < run().columns.size(); ++c) {
      if (run().columns[c].name == column) return ColumnAt(run(), c, time);
    }
    return {};
  }
  Convergence Of(const std::vector<std::optional<double>>& values, const std::string& unit) const {
    return ConvergenceOf(refinement, run(), values, unit).value();
  }
};

Climbed Climb(const std::filesystem::path& file, const ScratchFolder& folder,
              const std::vector<std::string>& overrides = {},
              const std::vector<std::string>& labels = {},
              const std::vector<const Backend*>& backends = Backends()) {
  Climbed climbed{ReadLadders(file, overrides, labels, {}, backends).at(0), {}};
  climbed.refinement = CollectLadder(climbed.ladder, RunLadder(climbed.ladder, folder / "runs", 1));
  return climbed;
}

// A rigid block of 1 kg that is set down on two springs of contact.
constexpr char kSetDown[] = R"(
title = "set down"
[run]
duration = 0.1
step = 0.0005
record_every = 0.0005
[scene]
name = "set-down"
gravity = [0, -10, 0]
dimension = 2
[[scene.body]]
name = "block"
shape = "sheet"
size = [1.0, 1.0]
points = [2, 2]
mass = 1
position = [0, 0.5, 0]
[[scene.obstacle]]
name = "floor"
shape = "plane"
[backends.dynamic-ffd]
integrator = "rk4"
contact_stiffness = 1000
contact_damping = 0
[backends.dynamic-ffd.modes]
degree_x = 1
degree_y = 1
)";

// It sinks by 2 m g/2K, whatever K is: of order 1 in 1/K.
TEST(RefinedIn, ContactStiffness) {
  const ScratchFolder folder;
  WriteFile(folder / "down.toml", std::string(kSetDown) + "[refine]\nin = ['contact-stiffness']\n");
  const Climbed climbed = Climb(folder / "down.toml", folder);
  const auto depths = climbed.Figure("penetration_max_m");
  ASSERT_EQ(depths.size(), 3u);
  for (size_t rung = 0; rung < 3; ++rung) {
    const double stiffness =
        NumberAt(climbed.Rung(rung), "backends.dynamic-ffd.contact_stiffness").value();
    EXPECT_EQ(stiffness, 1000.0 * std::pow(2.0, rung));
    EXPECT_NEAR(depths[rung].value(), 10.0 / stiffness, 1e-6);
  }
  const Convergence c = climbed.Of(depths, "m");
  EXPECT_NEAR(c.order.value(), 1.0, 1e-3);
  EXPECT_NEAR(c.value, 0.0, 1e-5);
}

// All axes at once, and a damping that is tied to the step: C falls as the step, K grows as 1/step.
TEST(RefinedIn, StepAndContactStiffnessJointly) {
  const ScratchFolder folder;
  WriteFile(folder / "down.toml", std::string(kSetDown) + R"([refine]
in = ["step", "contact-stiffness"]
joint = true
[[refine.tied]]
key = "backends.dynamic-ffd.contact_damping"
power = 1
)");
  const Climbed climbed =
      Climb(folder / "down.toml", folder, {"backends.dynamic-ffd.contact_damping=4.0"});
  EXPECT_EQ(climbed.refinement.axis, "step+contact-stiffness");
  const auto depths = climbed.Figure("penetration_max_m");
  ASSERT_EQ(depths.size(), 3u);
  for (size_t rung = 0; rung < 3; ++rung) {
    const double size = std::pow(2.0, -static_cast<double>(rung));
    const Experiment& made = climbed.Rung(rung);
    EXPECT_EQ(made.plan.step, 0.0005 * size);
    EXPECT_EQ(NumberAt(made, "backends.dynamic-ffd.contact_stiffness"), 1000.0 / size);
    EXPECT_EQ(NumberAt(made, "backends.dynamic-ffd.contact_damping"), 4.0 * size);
    // ẍ = g − 2 (K x + C ẋ)/m from rest: the first maximum is x∞ (1 + e^(−π ζ/√(1−ζ²))), x∞ = g m/2K.
    const double ratio = 4.0 * size / std::sqrt(2000.0 / size);
    const double overshoot = std::exp(-std::numbers::pi * ratio / std::sqrt(1.0 - ratio * ratio));
    const double rest = 10.0 * size / 2000.0;
    EXPECT_NEAR(depths[rung].value(), rest * (1.0 + overshoot), 1e-3 * rest);
  }
}

// A bar that is squashed to and fro with a known frequency. The scheme of third order chooses its substeps by the
// error of one, so that the error of all falls as the tolerance.
TEST(RefinedIn, Tolerance) {
  const ScratchFolder folder;
  WriteFile(folder / "squash.toml", R"(
title = "squash"
[run]
duration = 1.0625
step = 0.0625
record_every = 0.0625
[scene]
name = "squash"
gravity = [0, 0, 0]
dimension = 2
[[scene.body]]
name = "bar"
shape = "sheet"
size = [1.0, 0.5]
points = [3, 3]
mass = 1
[backends.dynamic-ffd]
integrator = "bogacki-shampine"
relative_tolerance = 1e-3
absolute_tolerance = 1e-5
[[backends.dynamic-ffd.modes.entry]]
name = "squash"
shape = "squash"
axis = "x"
amount = 1.0
frequency = 2.0
initial = 0.1
[refine]
in = ["tolerance"]
ratio = 10
)");
  const Climbed climbed = Climb(folder / "squash.toml", folder);
  const auto strains = climbed.At("edge_strain_max", 1.0625);
  ASSERT_EQ(strains.size(), 3u);
  const double exact = 0.1 * std::cos(4.0 * std::numbers::pi * 1.0625);
  std::vector<double> errors;
  for (const auto& strain : strains) errors.push_back(std::abs(strain.value() - exact));
  EXPECT_LT(errors[0], 1e-2 * exact);
  for (size_t rung = 1; rung < 3; ++rung) {
    EXPECT_GT(errors[rung - 1] / errors[rung], 5.0) << rung;
    EXPECT_LT(errors[rung - 1] / errors[rung], 20.0) << rung;
  }
  const Convergence c = climbed.Of(strains, "1");
  EXPECT_NEAR(c.order.value(), 1.0, 0.2);
  EXPECT_NEAR(c.value, exact, c.band.value());
}

// n equal points along a line have the moment of inertia m l²/12 (1 + 2/(n − 1)) about their middle.
TEST(RefinedIn, Resolution) {
  const ScratchFolder folder;
  WriteFile(folder / "rod.toml", R"(
title = "rod"
[run]
duration = 0.01
step = 0.01
record_every = 0.01
[scene]
name = "rod"
gravity = [0, 0, 0]
dimension = 2
[[scene.body]]
name = "rod"
shape = "chain"
from = [-1, 0, 0]
to = [1, 0, 0]
points = 5
mass = 3
angular_velocity = 2.0
[backends.falling]
[refine]
in = ["resolution"]
)");
  const Climbed climbed = Climb(folder / "rod.toml", folder, {}, {}, TestBackends());
  const auto energies = climbed.At("kinetic_energy_J", 0.0);
  ASSERT_EQ(energies.size(), 3u);
  for (size_t rung = 0; rung < 3; ++rung) {
    const double spans = 4.0 * std::pow(2.0, rung);
    EXPECT_EQ(climbed.Rung(rung).scene->PointCount(), spans + 1.0);
    EXPECT_NEAR(energies[rung].value(), 2.0 * (1.0 + 2.0 / spans), 1e-12);
  }
  const Convergence c = climbed.Of(energies, "J");
  EXPECT_NEAR(c.order.value(), 1.0, 1e-6);
  EXPECT_NEAR(c.value, 2.0, 1e-9);
}

// Tubes are closed in one direction; a body that counts no points has more elements between them; the lattice of free
// modes has more control points.
TEST(RefinedIn, ResolutionOfWhatCountsOtherwise) {
  const ScratchFolder folder;
  WriteFile(folder / "tube.toml", R"(
title = "tube"
[run]
duration = 0.1
step = 0.01
record_every = 0.01
[scene]
name = "tube"
gravity = [0, 0, 0]
[[scene.body]]
name = "tube"
shape = "tube"
radius = 0.5
length = 1
points = [6, 3]
mass = 1
[backends.linear-deformation]
[refine]
in = ["resolution"]
levels = 2
)");
  const Ladder tube = ReadLadders(folder / "tube.toml").at(0);
  EXPECT_EQ(tube.rungs.points[1].experiment.scene->PointCount(), 12 * 5);
  const std::vector<std::string> in = {"refine.in=['resolution']", "refine.levels=2"};
  const Ladder lattice = ReadLadders(ShippedFile("order-of-the-basis"), in, {"modes-3"}).at(0);
  EXPECT_EQ(NumberAt(lattice.rungs.points[1].experiment, "backends.modes-3.modes.degree_x"), 4.0);
  EXPECT_EQ(NumberAt(lattice.rungs.points[1].experiment, "backends.modes-3.modes.degree_z"), 0.0);
}

// Elements between two points, where no body counts points: a cantilever of plane stress, ν = 0, under its weight w per length
// sinks by w L⁴/8EI + w L²/(2 κ G A), κ = 5/6 [Timoshenko].
TEST(RefinedIn, ElementsBetweenPoints) {
  const ScratchFolder folder;
  WriteFile(folder / "strip.toml", R"(title = "strip"
[run]
duration = 1.0
step = 0.5
record_every = 0.5
[scene]
name = "strip"
gravity = [0, -10, 0]
dimension = 2
[[scene.body]]
name = "strip"
shape = "profile"
points = [[0, -0.05], [0.5, -0.05], [1, -0.05], [0, 0.05], [0.5, 0.05], [1, 0.05]]
masses = [1, 1, 1, 1, 1, 1]
edges = [[0, 3]]
faces = [[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]]
[scene.body.material]
density = 1000
youngs_modulus = 2e8
poisson_ratio = 0.0
thickness = 0.01
law = "corotated"
[[scene.nail]]
name = "clamp"
body = "strip"
points = "x-"
[[probe]]
name = "tip"
measure = "displacement"
component = "y"
of = {body = "strip", point = 5}
[backends.finite-elements]
time_scheme = "static"
[refine]
in = ["resolution"]
levels = 4
)");
  const Climbed climbed = Climb(folder / "strip.toml", folder);
  const auto heights = climbed.At("tip_m", 1.0);
  ASSERT_EQ(heights.size(), 4u);
  for (size_t rung = 0; rung < 4; ++rung) {
    EXPECT_EQ(NumberAt(climbed.Rung(rung), "backends.finite-elements.refinement"),
              std::pow(2.0, rung));
    EXPECT_EQ(climbed.Rung(rung).scene->PointCount(), 6);
    if (rung > 0) {
      EXPECT_LT(heights[rung].value(), heights[rung - 1].value());
    }
  }
  const double w = 10.0, EI = 2e8 * 0.01 * 1e-3 / 12.0, GA = 1e8 * 1e-3;
  const double sag = w / (8.0 * EI) + w / (2.0 * 5.0 / 6.0 * GA);
  EXPECT_NEAR(heights[3].value(), -sag, 3e-3 * sag);
  const Convergence c = climbed.Of(heights, "m");
  EXPECT_GT(c.order.value(), 2.0);
  EXPECT_NEAR(c.value, -sag, 3e-3 * sag);
}

// The barrier yields by the same part of its thickness under the same weight: of order 1, to nothing.
TEST(RefinedIn, ThicknessOfTheContactBarrier) {
  const ScratchFolder folder;
  WriteFile(folder / "lies.toml", R"(
title = "lies"
[run]
duration = 2.0
step = 0.01
record_every = 0.5
[scene]
name = "lies"
gravity = [0, -10, 0]
dimension = 2
[[scene.body]]
name = "block"
shape = "profile"
points = [[-0.05,-0.05],[0.05,-0.05],[0.05,0.05],[-0.05,0.05]]
masses=[1,1,1,1]
edges=[[0,1]]
faces=[[0,1,2],[0,2,3]]
position = [0, 0.05, 0]
[scene.body.material]
density = 1000
youngs_modulus = 1e5
poisson_ratio = 0.3
thickness = 0.1
damping = {stiffness = 0.05}
[[scene.obstacle]]
name = "floor"
shape = "plane"
[backends.finite-elements]
contact_thickness = 0.004
[refine]
in = ["contact-stiffness"]
)");
  const Climbed climbed = Climb(folder / "lies.toml", folder);
  const auto depths = climbed.At("penetration_m", 2.0);
  ASSERT_EQ(depths.size(), 3u);
  for (size_t rung = 0; rung < 3; ++rung) {
    EXPECT_EQ(NumberAt(climbed.Rung(rung), "backends.finite-elements.contact_thickness"),
              0.004 * std::pow(0.5, rung));
    EXPECT_GT(depths[rung].value(), 1e-6);
  }
  const Convergence c = climbed.Of(depths, "m");
  EXPECT_NEAR(c.order.value(), 1.0, 0.05);
  EXPECT_NEAR(c.value, 0.0, 0.05 * depths[2].value());
}

// The next rungs are what the file calls order-2 and order-3.
TEST(RefinedIn, Order) {
  const ScratchFolder folder;
  const std::vector<std::string> shortly = {"run.duration=0.02", "refine.in=['order']",
                                            "reference='order-1'"};
  const auto file = ShippedFile("order-of-the-basis");
  const Climbed climbed = Climb(file, folder, shortly, {"order-1"});
  const auto heights = climbed.At("centre_y_m", 0.02);
  ASSERT_EQ(heights.size(), 3u);
  Ladder others = climbed.ladder;
  for (int order = 2; order <= 3; ++order) {
    const std::string label = "order-" + std::to_string(order);
    const Climbed other = Climb(file, folder, shortly, {label});
    EXPECT_EQ(other.At("centre_y_m", 0.02)[0], heights[static_cast<size_t>(order) - 1]);
    EXPECT_NE(heights[static_cast<size_t>(order) - 1], heights[static_cast<size_t>(order) - 2]);
  }
}

// Each coarse level of a solver carries a correction twice as far: sweeps leave less.
TEST(RefinedIn, Levels) {
  const ScratchFolder folder;
  const Climbed climbed = Climb(ShippedFile("palazzi-levels"), folder,
                                {"run.duration=0.1", "refine.in=['levels']"}, {"sweeps-10"});
  for (size_t rung = 0; rung < 3; ++rung) {
    EXPECT_EQ(NumberAt(climbed.Rung(rung), "backends.sweeps-10.solver_levels"), 1.0 + rung);
  }
  const auto strains = climbed.Figure("edge_strain_max");
  ASSERT_EQ(strains.size(), 3u);
  EXPECT_LT(strains[1].value(), 0.7 * strains[0].value());
  EXPECT_LT(strains[2].value(), 0.7 * strains[1].value());
}

// Twice the sweeps for half the step.
TEST(RefinedIn, StepWithSweepsTiedToIt) {
  const std::vector<Ladder> ladders =
      ReadLadders(ShippedFile("palazzi-levels"),
                  {"refine.tied=[{key='backends.sweeps-10.min_sweeps', power=-1}]"}, {"sweeps-10"});
  for (size_t rung = 0; rung < 3; ++rung) {
    EXPECT_EQ(NumberAt(ladders[0].rungs.points[rung].experiment, "backends.sweeps-10.min_sweeps"),
              10.0 * std::pow(2.0, rung));
  }
}

// A tolerance that no sweep waits for decides nothing, and the text says so.
TEST(RefinedIn, WhatDecidesNothingIsSaid) {
  const ScratchFolder folder;
  const auto file = ShippedFile("palazzi-levels");
  const std::vector<std::string> shortly = {"run.duration=0.05", "refine.levels=2"};
  std::vector<std::string> overrides = shortly;
  overrides.emplace_back("refine.in=['tolerance']");
  const Climbed tolerance = Climb(file, folder, overrides, {"sweeps-10"});
  EXPECT_THAT(RefinementText(tolerance.refinement),
              testing::HasSubstr("nothing depends on the tolerance here"));
  EXPECT_THAT(RefinementJson(tolerance.refinement, "palazzi-levels"),
              testing::HasSubstr("\"same_on_all_rungs\": true"));
  const Climbed step = Climb(file, folder, shortly, {"sweeps-10"});
  EXPECT_THAT(RefinementText(step.refinement), testing::Not(testing::HasSubstr("depends on")));
}

}  // namespace
}  // namespace pliant
