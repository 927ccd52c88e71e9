// What joints bore in the last step, and sweeps that begin with it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/scene/shapes.h"
#include "solvers/displacement_constraints/backend.h"
#include "tests/solvers/displacement_constraints/scenes.h"

namespace pliant::displacement_constraints {
namespace {

using Eigen::Vector3d;

// A chain that hangs still from a nail, and an impulse to its end that is zero unless given.
Scene HangingChain(int points, const Vector3d& blow = Vector3d::Zero()) {
  Scene scene = SceneOf({MakeChain("chain", {0, 0, 0}, {0, -2, 0}, points, 1.0)});
  scene.nails = {NailWhereItStarts(scene, "hook", {0, 0})};
  if (!blow.isZero(0.0)) scene.impulses = {{"blow", {0, points - 1}, blow, 0.0}};
  return scene;
}

DisplacementConstraintsOptions WarmStart(double share) {
  DisplacementConstraintsOptions options;
  options.warm_start = share;
  return options;
}

// A joint bears the weight of what hangs below it, a nail that of all.
TEST(WarmStart, ForcesOfAHangingChainAreTheWeightsBelow) {
  const auto simulation = Start(HangingChain(9), SweptTo(1e-9, 20000, WarmStart(1.0)));
  RunFor(simulation.get(), 5, 0.01);
  const Level& level = simulation->levels()[0];
  const SegmentNet& net = level.segments.net();
  ASSERT_EQ(level.joint_forces.cols(), 7);
  double below = 0.0;
  for (int joint = 6; joint >= 0; --joint) {
    below += net.masses()[joint + 1] * kG;
    const Vector3d pull = level.joint_forces.col(joint);  // on the segment above
    EXPECT_LT((pull - Vector3d(0, -below, 0)).norm(), 1e-4 * below) << "joint " << joint;
  }
  EXPECT_NEAR(level.holds[0].force.y(), kG, 1e-4 * kG);
}

// Where the load stays the same little is left for the sweeps; without a warm start the gap that
// gravity opens has to travel up the chain in every step. What a loose tolerance leaves open is
// closed in the next step, and would be closed again in the one after it: a half is a safe share,
// and the whole wants a tolerance that leaves nothing.
TEST(WarmStart, SparesTheSweepsOfAConstantLoad) {
  const auto sweeps = [](double share, double tolerance) {
    const auto simulation = Start(HangingChain(17), SweptTo(tolerance, 20000, WarmStart(share)));
    const Observation before = RunFor(simulation.get(), 50, 0.01);
    const Observation after = RunFor(simulation.get(), 50, 0.01);
    return static_cast<double>(*after.iterations - *before.iterations);
  };
  EXPECT_GT(sweeps(0.0, 0.004), 50 * 10);
  EXPECT_LT(sweeps(0.5, 0.004), 0.6 * sweeps(0.0, 0.004));
  EXPECT_LT(sweeps(1.0, 1e-6), 0.1 * sweeps(0.0, 1e-6));
}

// The start differs, the motion does not: a struck chain ends where it does without.
TEST(WarmStart, LeadsToTheSameMotion) {
  const auto end = [](double share, const std::vector<double>& fractions) {
    DisplacementConstraintsOptions options = SweptTo(1e-7, 200000, WarmStart(share));
    options.force_fractions = fractions;
    return RunFor(Start(HangingChain(5, {0.1, 0.0, 0.05}), options).get(), 30, 0.005).points;
  };
  const Eigen::Matrix3Xd cold = end(0.0, {1.0});
  EXPECT_LT((end(0.9, {1.0}) - cold).norm(), 1e-3);
  EXPECT_GT((cold.col(4) - Vector3d(0, -2, 0)).norm(), 0.05) << "it swings";
  EXPECT_LT((end(0.9, {0.7, 0.3}) - end(0.0, {0.7, 0.3})).norm(), 2e-3);
}

// A step of another length begins with the same forces. (With the default update what hangs still
// has the velocity ½ g h of its step and not of the next one.)
TEST(WarmStart, ForcesHoldForStepsOfAnyLength) {
  DisplacementConstraintsOptions options = SweptTo(1e-7, 20000, WarmStart(1.0));
  options.velocity_update = VelocityUpdate::kEulerCromer;
  const auto simulation = Start(HangingChain(17), options);
  RunFor(simulation.get(), 50, 0.01);
  double gap = 0.0;
  simulation->WatchPhases([&gap](const PhaseView& view) {
    if (view.phase == StepPhase::kDynamics) gap = view.gap;
  });
  RunFor(simulation.get(), 1, 0.002);
  EXPECT_LT(gap, 0.01 * 0.5 * kG * 0.01 * 0.01) << "of what an unscaled start opens";
}

TEST(WarmStart, IsStateOnEveryLevel) {
  Scene scene = SceneOf({Sheet(5)});
  scene.nails = {NailWhereItStarts(scene, "hook", {0, 7})};
  DisplacementConstraintsOptions options = WarmStart(0.8);
  options.force_fractions = {0.6, 0.4};
  const auto one = Start(scene, options), two = Start(scene, options);
  ExpectContinuesBitForBit(one.get(), two.get(), 0.005, 20, 20);
  for (const Level& level : two->levels()) {
    EXPECT_GT(level.joint_forces.norm(), 0.1);
    EXPECT_GT(level.holds[0].force.norm(), 0.1);
  }
}

TEST(UnweightedRule, WarnsWhereItsFactorsDoNotConverge) {
  const auto warnings = [](double translation, double rotation) {
    return TheBackend()
        .Translate(std::make_shared<const Scene>(Weightless({Sheet(5)})),
                   {{"correction", std::string("unweighted")},
                    {"translation_factor", translation},
                    {"rotation_factor", rotation}})
        .warnings;
  };
  ASSERT_EQ(warnings(1.0, 1.2).size(), 1u);
  EXPECT_THAT(warnings(1.0, 1.2)[0],
              testing::HasSubstr("unweighted multiplies some gaps by -1.2 per correction"));
  EXPECT_TRUE(warnings(0.7, 0.3).empty());
}

// --- Phases --------------------------------------------------------------------------------------

struct SeenPhase {
  StepPhase phase;
  int level, sweeps;
  double gap;
  bool operator==(const SeenPhase& other) const {
    return phase == other.phase && level == other.level;
  }
};

// [Palazzi 1993, Fig. 4.3]: forces down the levels, then up from the coarsest: dynamics, sweeps,
// velocities, and what they move prolongated.
TEST(Phases, ComeInTheOrderOfTheAlgorithm) {
  Scene scene = Weightless({Sheet(5)});
  scene.impulses = {{"blow", {0, 24}, {0.1, 0.0, 0.3}, 0.0}};
  DisplacementConstraintsOptions options;
  options.force_fractions = {0.4, 0.3, 0.3};
  const auto watched = Start(scene, options), alone = Start(scene, options);
  std::vector<SeenPhase> seen;
  std::vector<double> sum_of_forces;
  watched->WatchPhases([&](const PhaseView& view) {
    if (view.phase == StepPhase::kForces) sum_of_forces.push_back(view.forces.sum());
    if (view.phase == StepPhase::kDynamics) {
      EXPECT_NEAR(view.gap, view.segments.LargestGap().size, 0.0);
      EXPECT_GT(view.gap, 1e-4);
    }
    // Of sweeps only the first of each level.
    if (view.phase == StepPhase::kSweep && view.sweeps > 1) {
      EXPECT_EQ(view.sweeps, seen.back().sweeps + 1);
      seen.back() = {view.phase, view.level, view.sweeps, view.gap};
      return;
    }
    seen.push_back({view.phase, view.level, view.sweeps, view.gap});
  });
  const double h = 0.01;
  RunFor(watched.get(), 1, h);
  std::vector<SeenPhase> expected;
  for (const int l : {0, 1, 2}) expected.push_back({StepPhase::kForces, l, 0, 0});
  for (const int l : {2, 1, 0}) {
    if (l < 2) expected.push_back({StepPhase::kProlongation, l, 0, 0});
    for (const StepPhase phase :
         {StepPhase::kDynamics, StepPhase::kSweep, StepPhase::kVelocities}) {
      expected.push_back({phase, l, 0, 0});
    }
  }
  EXPECT_EQ(seen, expected);
  for (const double sum : sum_of_forces) EXPECT_NEAR(sum, 0.4 / h, 1e-12);
  int sweeps = 0;
  for (const SeenPhase& phase : seen) {
    if (phase.phase != StepPhase::kSweep) continue;
    sweeps += phase.sweeps;
    EXPECT_LE(phase.gap, 0.004 * 0.25 * (1 << phase.level));
  }
  const Observation observed = Observed(*watched);
  EXPECT_EQ(sweeps, *observed.iterations);

  RunFor(alone.get(), 1, h);
  EXPECT_EQ(watched->Save(), alone->Save()) << "watching changes nothing";
}

}  // namespace
}  // namespace pliant::displacement_constraints
