#include "solvers/spacetime/lamp_jump.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/problem.h"
#include "tests/reference/complaints.h"

namespace pliant {
namespace {

using Landing = LampJumpProblem::Landing;

struct Jump {
  double distance, flight;
};
constexpr Jump kJumps[] = {{0.3, 0.28}, {0.6, 0.36}, {0.9, 0.44}, {1.2, 0.52}};

LampJumpProblem Problem(const Jump& jump) {
  return {.distance = jump.distance, .flight_duration = jump.flight};
}

class LampJump : public testing::TestWithParam<Jump> {};
INSTANTIATE_TEST_SUITE_P(Distances, LampJump, testing::ValuesIn(kJumps), [](const auto& info) {
  return "Cm" + std::to_string(std::lround(100 * info.param.distance));
});

TEST_P(LampJump, IsFoundFromAStraightLine) {
  const LampJumpProblem problem = Problem(GetParam());
  const LampJumpMotion motion = SolveLampJump(problem, {});
  const SpacetimeSummary& summary = motion.summary();
  ASSERT_TRUE(summary.converged()) << summary.FullReport();
  EXPECT_LT(summary.violation, 1e-8);
  double sum = 0.0;
  for (const auto& cost : summary.costs) sum += cost.value;
  EXPECT_NEAR(sum, summary.final_cost, 1e-12 * sum);

  // What the rows say, seen on the motion itself.
  const articulated_lamp::Lamp lamp(problem.lamp, problem.gravity);
  const LampPhase& flight = motion.trajectory.phases[1];
  for (int i = 0; i < flight.intervals(); ++i) {
    for (const double s : kGaussPoints) {
      const double time = flight.start + (i + s) * flight.step();
      EXPECT_LT(motion.trajectory.At(lamp, time).force.head<3>().norm(), 1e-7);
    }
  }
  EXPECT_EQ(flight.nodes.front().v.head<3>().norm(), 0.0);
  EXPECT_EQ(flight.nodes.back().q[0], problem.distance);
  const articulated_lamp::Impact impact =
      PlasticImpact(lamp, flight.nodes.back().q, flight.nodes.back().v);
  const LampPhase& landing = motion.trajectory.phases[2];
  EXPECT_LT((impact.rates - landing.nodes.front().v.tail<3>()).norm(), 1e-6);
  EXPECT_GE(problem.friction * impact.impulse[1], std::abs(impact.impulse[0]) - 1e-7);
  EXPECT_EQ(landing.nodes.back().v.norm(), 0.0);
}

// Nodes moved by up to 0.1 rad and 5 cm, rates by up to 0.5 rad/s and m/s. All twenty starts of
// every distance are in bench/spacetime_bench.cc.
TEST_P(LampJump, PerturbedStartsReachTheSameMotion) {
  const LampJumpProblem problem = Problem(GetParam());
  const double cost = SolveLampJump(problem, {}).summary().final_cost;
  for (unsigned seed = 1; seed <= 2; ++seed) {
    const LampTrajectory start = PerturbedLine(problem, 0.02, seed, {});
    const LampJumpMotion motion = SolveLampJump(problem, {}, &start);
    ASSERT_TRUE(motion.summary().converged()) << "seed " << seed << "\n"
                                              << motion.summary().FullReport();
    EXPECT_NEAR(motion.summary().final_cost, cost, 1e-3 * cost) << "seed " << seed;
  }
}

TEST(LampJump, RefinementStartsNearAndReportsItsOrder) {
  const LampJumpOptions options = {.meshes = {.refinements = 3}};
  const LampJumpMotion motion = SolveLampJump(Problem(kJumps[0]), options);
  ASSERT_EQ(motion.levels.size(), 4u);
  for (const auto& level : motion.levels) EXPECT_TRUE(level.summary.converged());
  EXPECT_DOUBLE_EQ(motion.levels[3].step, 0.0025);
  // A fine mesh starts from the coarse motion: little is left to do.
  EXPECT_NEAR(motion.levels[3].summary.initial_cost, motion.levels[3].summary.final_cost, 0.01);
  EXPECT_EQ(motion.levels[3].summary.history.front().stage, "warm");
  ASSERT_TRUE(motion.observed_order.has_value());
  EXPECT_GT(*motion.observed_order, 2.0);
  const double best = *motion.extrapolated_cost;
  EXPECT_NEAR(motion.levels[0].summary.final_cost, best, 0.01 * best);
  EXPECT_NEAR(motion.levels[3].summary.final_cost, best, 0.0005 * best);
}

TEST(LampJump, SoftLandingArrivesWithoutVelocity) {
  LampJumpProblem problem = Problem(kJumps[0]);
  const double plastic = SolveLampJump(problem, {}).summary().final_cost;
  problem.landing = Landing::kSoft;
  const LampJumpMotion motion = SolveLampJump(problem, {});
  ASSERT_TRUE(motion.summary().converged()) << motion.summary().FullReport();
  EXPECT_EQ(motion.trajectory.phases[1].nodes.back().v.head<3>().norm(), 0.0);
  EXPECT_GT(motion.summary().final_cost, 2.0 * plastic);
}

TEST(LampJump, HeavierHeadNeedsMoreTorque) {
  LampJumpProblem problem = Problem(kJumps[1]);
  const double light = SolveLampJump(problem, {}).summary().final_cost;
  problem.lamp = problem.lamp.WithHeadMass(1.0);
  const LampJumpMotion motion = SolveLampJump(problem, {});
  ASSERT_TRUE(motion.summary().converged());
  EXPECT_GT(motion.summary().final_cost, light);
}

TEST(LampJump, BindingTorqueLimitIsKeptAndCosts) {
  LampJumpProblem problem = Problem(kJumps[0]);
  const double free = SolveLampJump(problem, {}).summary().final_cost;
  problem.torque_limit = 7.0;
  const LampJumpMotion motion = SolveLampJump(problem, {});
  ASSERT_TRUE(motion.summary().converged());
  EXPECT_GT(motion.summary().final_cost, 1.01 * free);
  const articulated_lamp::Lamp lamp(problem.lamp);
  double peak = 0.0;
  for (const LampPhase& phase : motion.trajectory.phases) {
    for (int i = 0; i < phase.intervals(); ++i) {
      for (const double s : kGaussPoints) {
        const double time = phase.start + (i + s) * phase.step();
        peak = std::max(peak, LampTrajectory::Torques(lamp, phase, time).cwiseAbs().maxCoeff());
      }
    }
  }
  EXPECT_NEAR(peak, 7.0, 1e-8);
}

TEST(LampJump, SameGuessGivesTheSameHistory) {
  const LampJumpProblem problem = Problem(kJumps[0]);
  const LampJumpMotion a = SolveLampJump(problem, {}), b = SolveLampJump(problem, {});
  ASSERT_EQ(a.summary().history.size(), b.summary().history.size());
  for (size_t i = 0; i < a.summary().history.size(); ++i) {
    EXPECT_EQ(a.summary().history[i].cost, b.summary().history[i].cost);
    EXPECT_EQ(a.summary().history[i].violation, b.summary().history[i].violation);
  }
}

// Infeasible goals are results that name what stands in the way and when.
void ExpectInfeasible(const LampJumpProblem& problem, const std::string& worst, double time) {
  const LampJumpMotion motion = SolveLampJump(problem, {});
  EXPECT_EQ(motion.summary().termination, SpacetimeTermination::kInfeasible)
      << motion.summary().FullReport();
  EXPECT_EQ(motion.summary().message.find("did not converge: infeasible"), 0u);
  EXPECT_EQ(motion.summary().worst.name, worst);
  if (!std::isnan(time)) {
    EXPECT_DOUBLE_EQ(motion.summary().worst.time, time);
  }
}

TEST(LampJump, StartPoseOutsideItsLimitsIsInfeasible) {
  LampJumpProblem problem;
  problem.start_pose[1] = 2.0;
  ExpectInfeasible(problem, "limit of hinge 2", 0.0);
}

TEST(LampJump, EndPoseOutsideItsLimitsIsInfeasible) {
  LampJumpProblem problem;
  problem.end_pose[0] = -1.2;
  ExpectInfeasible(problem, "limit of hinge 1", StraightLine(problem).duration());
}

TEST(LampJump, NegativeTimeIsInfeasible) {
  const LampJumpProblem problem = {.flight_duration = -0.2};
  ExpectInfeasible(problem, "duration of the flight", problem.stance_duration);
}

// The verdict of the augmented Lagrangian is local: the interior point finds a motion far from its start (interior_point_test.cc).
const LampJumpOptions kLocal = {.strategy = SpacetimeStrategy::kAugmentedLagrangian};

// The momentum along the floor has to come from somewhere: whichever of the two rows is broken most
// where the violation comes to rest.
TEST(LampJump, TooLittleFrictionIsLocallyInfeasible) {
  const LampJumpProblem problem = {.friction = 0.02};
  const SpacetimeSummary summary = SolveLampJump(problem, kLocal).summary();
  EXPECT_EQ(summary.termination, SpacetimeTermination::kInfeasible) << summary.FullReport();
  EXPECT_TRUE(summary.worst.name == "friction cone" || summary.worst.name == "force in flight")
      << summary.worst.name;
  EXPECT_GT(summary.worst.scaled, 0.1);
}

// The worst row is one of a motion as near to the laws as there is one, which is not told here.
TEST(LampJump, GoalsTooFarOrTimesTooShortAreLocallyInfeasibleAndSayWhereAndWhen) {
  LampJumpProblem far, soon;
  far.distance = 2.0;
  far.torque_limit = 6.0;
  soon.distance = 0.6;
  soon.flight_duration = 0.1;
  for (const LampJumpProblem& problem : {far, soon}) {
    const SpacetimeSummary summary = SolveLampJump(problem, kLocal).summary();
    EXPECT_EQ(summary.termination, SpacetimeTermination::kInfeasible) << summary.FullReport();
    EXPECT_EQ(summary.message.find("did not converge: infeasible: worst is '" + summary.worst.name),
              0u)
        << summary.message;
    EXPECT_GT(summary.worst.scaled, 0.1);
    ASSERT_TRUE(summary.certificate);
    EXPECT_LT(*summary.certificate, 1e-3);
    EXPECT_FALSE(summary.feasible);
    EXPECT_GE(summary.worst.time, 0.0);
    EXPECT_LE(summary.worst.time, StraightLine(problem).duration());
  }
}

// Ipopt finds these, the first at J = 74.13, the others at 30.35 and above: a solver that misses one must
// not report that no solution exists.
TEST(LampJump, AJumpThatIsOnlyHardIsNotCalledInfeasible) {
  for (const LampJumpProblem& problem :
       {LampJumpProblem{.friction = 0.5, .distance = 1.2, .flight_duration = 0.52},
        LampJumpProblem{.distance = 0.6, .flight_duration = 0.36, .torque_limit = 12.0},
        LampJumpProblem{.friction = 0.15, .distance = 0.3, .flight_duration = 0.28}}) {
    const SpacetimeSummary summary = SolveLampJump(problem, kLocal).summary();
    EXPECT_NE(summary.termination, SpacetimeTermination::kInfeasible) << summary.FullReport();
    EXPECT_FALSE(summary.certificate);
    if (!summary.converged()) {
      EXPECT_EQ(summary.message.find("did not converge: not found"), 0u) << summary.message;
    }
  }
}

// A heavier head over 0.5 m, and a shorter stance before 0.4 m, on a mesh eight times finer: rounding
// of accelerations grows with 1/h², and so does the tolerance.
TEST(LampJump, AFineMeshIsNotRefusedForItsRounding) {
  LampJumpProblem heavy = {.distance = 0.5, .flight_duration = 0.333};
  heavy.lamp = heavy.lamp.WithHeadMass(0.55);
  const LampJumpProblem quick = {.distance = 0.4, .stance_duration = 0.46, .flight_duration = 0.31};
  const auto cost_of = [](const LampJumpProblem& problem) {
    const LampJumpMotion motion = SolveLampJump(problem, {.meshes = {.refinements = 3}});
    EXPECT_EQ(motion.levels.size(), 4u);
    EXPECT_EQ(motion.level, 3u);
    EXPECT_TRUE(motion.summary().converged()) << motion.summary().message;
    EXPECT_LT(motion.summary().violation, 64e-8);
    EXPECT_LT(motion.summary().residuals.stationarity, 1e-2);
    return motion.summary().final_cost;
  };
  EXPECT_NEAR(cost_of(heavy), 17.0084, 2e-4);
  EXPECT_NEAR(cost_of(quick), 12.5104, 2e-4);
}

TEST(LampJump, FallsBackToTheFinestMeshThatConverged) {
  LampJumpOptions options = {.meshes = {.refinements = 2}};
  options.watch = [](double step, const SpacetimeIteration&, const LampTrajectory&) {
    return step > 0.008;  // is stopped on the third mesh
  };
  const LampJumpMotion motion = SolveLampJump(Problem(kJumps[0]), options);
  ASSERT_EQ(motion.levels.size(), 3u);
  EXPECT_FALSE(motion.levels[2].summary.converged());
  EXPECT_EQ(motion.level, 1u);
  EXPECT_TRUE(motion.summary().converged());
  EXPECT_NEAR(motion.summary().final_cost, motion.levels[1].summary.final_cost, 0.0);
  EXPECT_NEAR(motion.trajectory.phases[0].step(), 0.01, 1e-12);
  EXPECT_FALSE(motion.observed_order);
}

// Where no optimum is found, a motion that violates nothing is one all the same: the cheapest seen.
TEST(LampJump, KeepsAMotionThatViolatesNothing) {
  LampJumpOptions options;
  options.solver.cost_tolerance = 1e-300;  // is not met before it is stopped
  options.watch = [](double, const SpacetimeIteration& iteration, const LampTrajectory&) {
    return iteration.violation > 1e-8;
  };
  const LampJumpMotion motion = SolveLampJump(Problem(kJumps[0]), options);
  EXPECT_FALSE(motion.summary().converged());
  EXPECT_TRUE(motion.summary().feasible);
  EXPECT_LE(motion.summary().violation, 1e-8);
  const double best = SolveLampJump(Problem(kJumps[0]), {}).summary().final_cost;
  EXPECT_NEAR(motion.summary().final_cost, best, 0.02 * best);
}

TEST(LampJump, ATorqueLimitFarTooLowIsInfeasibleBeforeTheSchedulesAreUsedUp) {
  const LampJumpProblem problem = {.torque_limit = 2.0};
  const SpacetimeSummary summary = SolveLampJump(problem, kLocal).summary();
  EXPECT_EQ(summary.termination, SpacetimeTermination::kInfeasible) << summary.FullReport();
  const auto& solver = kLocal.solver;
  EXPECT_LT(summary.outer_iterations,
            solver.fast.max_outer_iterations + solver.robust.max_outer_iterations);
}

TEST(LampJump, WrongInputIsNamed) {
  const auto refused = [](const LampJumpProblem& problem, const LampJumpOptions& options,
                          const std::string& where) {
    reference::ExpectBadInput(where, [&] { SolveLampJump(problem, options); });
  };
  LampJumpProblem p = {.friction = 0.0};
  refused(p, {}, "friction");
  p = {};
  p.distance = std::nan("");
  refused(p, {}, "distance");
  p = {};
  p.torque_limit = -1.0;
  refused(p, {}, "torque_limit");
  p = {};
  p.lamp.links[3].mass = 0.0;
  refused(p, {}, "links[3].mass");
  LampJumpOptions o = {.step = 0.0};
  refused({}, o, "step");
  for (const double step : {1e-4, 1e-300}) {  // meshes on which no search would end
    o.step = step;
    refused({}, o, "plan_step");
  }
  o = {.step = 0.02, .meshes = {.refinements = 10}};
  refused({}, o, "plan_step");
  o = {};
  o.solver.cost_tolerance = 0.0;
  refused({}, o, "cost_tolerance");
}

}  // namespace
}  // namespace pliant
