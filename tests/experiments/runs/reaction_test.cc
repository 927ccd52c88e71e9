// What probes of reactions measure, against a pendulum: a point mass m at the end of a rod of length L, and as much where a nail
// holds it. It is let go at the angle θ₀ and passes its lowest place with v² = 2 g L (1 − cos θ₀), where the nail carries
//
//   R = 2 m g + m v²/L = m g (4 − 2 cos θ₀)
//
// Over any time the impulse of the nail and of gravity is the change of momentum.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "experiments/bundles/headline.h"
#include "experiments/bundles/storage.h"
#include "experiments/files/experiment.h"
#include "experiments/runs/run.h"
#include "tests/experiments/bundles/scratch.h"

namespace pliant {
namespace {

constexpr double kMass = 0.5, kGravity = 9.81, kAngle = 0.5, kDuration = 1.2;

constexpr char kPendulum[] = R"(
title = "A pendulum"
[run]
duration = 1.2
step = 0.001
record_every = 0.001
[scene]
name = "pendulum"
dimension = 2
[[scene.body]]
name = "rod"
shape = "chain"
from = [0, 0]
to = [0, -1]
points = 2
mass = 1.0
rotation = 0.5
[[scene.nail]]
name = "hook"
body = "rod"
point = "start"
[[probe]]
name = "hook"
measure = "reaction"
of = {body = "rod", point = "start"}
[[probe]]
name = "lift"
measure = "reaction"
component = "y"
of = {body = "rod"}
[[probe]]
name = "speed"
measure = "velocity"
component = "y"
of = {body = "rod", point = "end"}
[backends.linear-deformation]
integrator = "rk4"
damping = 0.0
[backends.displacement-constraints]
tolerance = 1e-9
[backends.position-based]
tolerance = 1e-9
)";

std::map<std::string, std::optional<double>> FiguresOfSwing(const std::string& label) {
  const ScratchFolder folder;
  WriteFile(folder / "swing.toml", kPendulum);
  const Experiment experiment = ReadExperiment(folder / "swing.toml");
  size_t index = 0;
  while (experiment.backends[index].label != label) ++index;
  Translation translation = TranslateFor(experiment, index);
  std::vector<SeriesRow> rows;
  RunHooks hooks;
  hooks.on_frame = [&](const Frame& frame) { rows.push_back(frame.row); };
  const RunOutcome outcome = Run(experiment, index, translation.simulation.get(), hooks);
  std::map<std::string, std::optional<double>> figures;
  for (const HeadlineFigure& figure : HeadlineFigures(
           *experiment.scene, outcome, ColumnsOf(experiment, index), rows, experiment.probes)) {
    figures[figure.name] = figure.value;
  }
  return figures;
}

// Not of linear-deformation: its rod stretches, and rings when it is let go.
TEST(ReactionProbe, OfANailIsTheForceThatAPendulumNeeds) {
  for (const char* label : {"displacement-constraints", "position-based"}) {
    auto figures = FiguresOfSwing(label);
    const double most = kMass * kGravity * (4.0 - 2.0 * std::cos(kAngle));
    EXPECT_NEAR(figures["hook_max_N"].value(), most, 5e-3 * most) << label;
    EXPECT_FALSE(figures.contains("hook_impulse_N_s")) << "a magnitude has no impulse";
  }
}

// The rods of the other two are held before their first step by nothing that is known: 0.01 N s.
TEST(ReactionProbe, AndGravityExplainTheMomentum) {
  for (const char* label : {"linear-deformation", "displacement-constraints", "position-based"}) {
    auto figures = FiguresOfSwing(label);
    const double change = kMass * figures["speed_m_s"].value();
    EXPECT_NEAR(figures["lift_impulse_N_s"].value(), change + 2.0 * kMass * kGravity * kDuration,
                0.03)
        << label;
  }
}

}  // namespace
}  // namespace pliant
