// Several starts of one plan: what their guesses are, which plan counts, and that neither threads nor those who look on change it.

#include "solvers/spacetime/jump_starts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>
#include <stop_token>

#include "solvers/parallel/cancellation.h"
#include "tests/reference/complaints.h"

namespace pliant {
namespace {

using articulated_lamp::Lamp;

LampJumpOptions CoarseLagrangian() {
  LampJumpOptions options;
  options.step = 0.05;
  options.strategy = SpacetimeStrategy::kAugmentedLagrangian;
  return options;
}

TEST(JumpStarts, GuessesAreSmoothMotionsOfTheSamePhases) {
  LampJumpProblem problem;
  problem.longest_flight = 0.5;
  const Lamp lamp(problem.lamp);
  const LampTrajectory line = StraightLine(problem);
  std::set<double> durations;
  for (unsigned start = 1; start < 30; ++start) {
    const LampTrajectory guess = PerturbedGuess(problem, line, start);
    ASSERT_EQ(guess.phases.size(), 3u);
    double begin = 0.0;
    for (size_t p = 0; p < 3; ++p) {
      const LampPhase& phase = guess.phases[p];
      EXPECT_EQ(phase.contact, line.phases[p].contact);
      EXPECT_DOUBLE_EQ(phase.start, begin);
      begin += phase.duration;
      // A rate is the derivative of its value: both halves of a phase are cubics, of which differences of fourth order are exact.
      const double h = phase.step();
      const size_t middle = (phase.nodes.size() - 1) / 2;
      for (size_t i = 2; i + 2 < phase.nodes.size(); ++i) {
        if (i + 1 >= middle && i <= middle + 1) continue;
        const auto q = [&](size_t node) { return phase.nodes[node].q; };
        const articulated_lamp::LampVector slope =
            (8.0 * (q(i + 1) - q(i - 1)) - (q(i + 2) - q(i - 2))) / (12.0 * h);
        EXPECT_LT((slope - phase.nodes[i].v).norm(), 1e-9 * (1.0 + phase.nodes[i].v.norm()));
      }
      if (p > 0) {
        const LampNode &before = guess.phases[p - 1].nodes.back(), &after = phase.nodes.front();
        EXPECT_LT((before.q - after.q).norm(), 1e-12);
        EXPECT_LT((before.v - after.v).tail<3>().norm(), 1e-9);
      }
      // At the end of a phase every hinge is between its limits.
      for (int j = 0; j < 3; ++j) {
        EXPECT_GE(phase.nodes.back().q[3 + j], problem.lamp.hinge_limits[j].lower - 1e-12);
        EXPECT_LE(phase.nodes.back().q[3 + j], problem.lamp.hinge_limits[j].upper + 1e-12);
      }
      if (phase.contact != LampContact::kStance) continue;
      for (const LampNode& node : phase.nodes) {
        EXPECT_EQ(node.q.head<3>(), phase.nodes.front().q.head<3>());
        EXPECT_EQ(node.v.head<3>().norm(), 0.0);
      }
    }
    const double flight = guess.phases[1].duration;
    EXPECT_GE(flight, problem.flight_duration);
    EXPECT_LE(flight, problem.longest_flight);
    EXPECT_EQ(guess.phases[0].duration, problem.stance_duration);
    durations.insert(flight);
    double highest = 0.0;
    for (const LampNode& node : guess.phases[1].nodes) highest = std::max(highest, node.q[1]);
    EXPECT_LE(highest, 2.0 * problem.gravity * flight * flight / 8.0);
    EXPECT_LT((guess.phases[0].nodes.front().q - line.phases[0].nodes.front().q).norm(), 1e-12);
    EXPECT_LT((guess.phases[2].nodes.back().q - line.phases[2].nodes.back().q).norm(), 1e-12);
    EXPECT_EQ(PerturbedGuess(problem, line, start).phases[1].nodes[7].q,
              guess.phases[1].nodes[7].q);
  }
  EXPECT_EQ(durations.size(), 29u);
}

TEST(JumpStarts, OneStartIsTheJumpFromTheGuess) {
  const LampJumpOptions options = CoarseLagrangian();
  const LampJumpMotion alone = SolveLampJump({}, options);
  for (const int threads : {1, 3}) {
    const BestOfStarts best = SolveFromStarts({}, options, {.starts = 1, .threads = threads});
    EXPECT_EQ(best.motion.unknowns, alone.unknowns);
    EXPECT_EQ(best.motion.row_multipliers, alone.row_multipliers);
    EXPECT_EQ(best.from, 0u);
    ASSERT_EQ(best.starts.size(), 1u);
    EXPECT_EQ(best.starts[0].cost, alone.summary().final_cost);
    EXPECT_EQ(best.converged(), 1);
  }
}

// A jump of which start 0 finds a plan that is dearer by two fifths: far, with a heavy head, on a coarse mesh.
LampJumpProblem Dear() {
  LampJumpProblem problem;
  problem.distance = 1.2;
  problem.flight_duration = 0.52;
  problem.lamp = problem.lamp.WithHeadMass(1.0);
  return problem;
}

TEST(JumpStarts, TheCheapestPlanCountsWhateverTheThreads) {
  const LampJumpOptions options = CoarseLagrangian();
  const BestOfStarts one = SolveFromStarts(Dear(), options, {.starts = 6, .threads = 1});
  ASSERT_EQ(one.starts.size(), 6u);
  EXPECT_GT(one.from, 0u);
  EXPECT_LT(one.motion.summary().final_cost, 0.9 * one.starts[0].cost);
  EXPECT_EQ(one.motion.summary().final_cost, one.starts[one.from].cost);
  for (const JumpStartResult& start : one.starts) {
    if (start.termination != SpacetimeTermination::kConvergence) continue;
    EXPECT_GE(start.cost * (1.0 + BestOfStarts::kSameCost), one.motion.summary().final_cost);
    EXPECT_LE(start.violation, 1e-8);
  }
  EXPECT_LT(one.motion.summary().residuals.feasibility, 1e-8);
  const BestOfStarts three = SolveFromStarts(Dear(), options, {.starts = 6, .threads = 3});
  EXPECT_EQ(one.from, three.from);
  EXPECT_EQ(one.motion.unknowns, three.motion.unknowns);
  EXPECT_EQ(one.motion.row_multipliers, three.motion.row_multipliers);
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(one.starts[i].cost, three.starts[i].cost) << i;
    EXPECT_EQ(one.starts[i].violation, three.starts[i].violation) << i;
    EXPECT_EQ(one.starts[i].termination, three.starts[i].termination) << i;
  }
}

// Equal optima: the first start counts, whichever is cheaper by rounding (here a later one, by 3e-10).
TEST(JumpStarts, OfEqualPlansTheFirstCounts) {
  LampJumpOptions options = CoarseLagrangian();
  options.step = 0.02;
  const BestOfStarts best = SolveFromStarts({}, options, {.starts = 5, .threads = 2});
  EXPECT_EQ(best.from, 0u);
  for (const JumpStartResult& start : best.starts) {
    EXPECT_GE(start.cost, (1.0 - BestOfStarts::kSameCost) * best.starts[0].cost);
  }
}

TEST(JumpStarts, AllStartsOfAGoalWithoutTimeEndWithIt) {
  LampJumpProblem problem;
  problem.flight_duration = 0.0;
  const BestOfStarts best =
      SolveFromStarts(problem, CoarseLagrangian(), {.starts = 3, .threads = 2});
  EXPECT_EQ(best.converged(), 0);
  EXPECT_EQ(best.motion.summary().termination, SpacetimeTermination::kInfeasible);
  EXPECT_EQ(best.from, 0u);
}

TEST(JumpStarts, AreWatchedOneAtATimeAndStopTogether) {
  std::set<size_t> seen;
  bool inside = false;
  JumpStartsOptions starts = {.starts = 4, .threads = 3};
  starts.watch = [&](size_t start, double step, const SpacetimeIteration&, const LampTrajectory&) {
    EXPECT_FALSE(inside);
    inside = true;
    EXPECT_EQ(step, 0.05);
    seen.insert(start);
    inside = false;
    return true;
  };
  const BestOfStarts watched = SolveFromStarts({}, CoarseLagrangian(), starts);
  EXPECT_EQ(seen, (std::set<size_t>{0, 1, 2, 3}));
  const BestOfStarts alone = SolveFromStarts({}, CoarseLagrangian(), {.starts = 4, .threads = 3});
  EXPECT_EQ(watched.motion.unknowns, alone.motion.unknowns);

  int calls = 0;
  starts.watch = [&](size_t, double, const SpacetimeIteration&, const LampTrajectory&) {
    return ++calls < 3;
  };
  const BestOfStarts stopped = SolveFromStarts({}, CoarseLagrangian(), starts);
  EXPECT_EQ(calls, 3) << "nobody is asked again";
  EXPECT_EQ(stopped.converged(), 0);

  starts.watch = [](size_t, double, const SpacetimeIteration&, const LampTrajectory&) -> bool {
    throw std::domain_error("seen enough");
  };
  EXPECT_THROW(SolveFromStarts({}, CoarseLagrangian(), starts), std::domain_error);
}

// Whoever loses interest ends the starts on all threads, and hears which one began.
TEST(JumpStarts, AreCancelledOnEveryThread) {
  std::stop_source stop;
  const CancelScope scope(stop.get_token(), [&](std::string_view what, size_t done, size_t of) {
    EXPECT_EQ(what, "start of the plan");
    EXPECT_EQ(of, 40u);
    EXPECT_LE(done, of);
  });
  std::set<size_t> seen;
  JumpStartsOptions starts = {.starts = 40, .threads = 3};
  starts.watch = [&](size_t start, double, const SpacetimeIteration&, const LampTrajectory&) {
    seen.insert(start);
    stop.request_stop();
    return true;
  };
  EXPECT_THROW(SolveFromStarts({}, CoarseLagrangian(), starts), Cancelled);
  EXPECT_LT(seen.size(), 30u) << "those under way end, no other begins";
  starts.threads = 1;
  EXPECT_THROW(SolveFromStarts({}, CoarseLagrangian(), starts), Cancelled);
}

TEST(JumpStarts, WrongNumbersAreNamed) {
  reference::ExpectBadInput("starts", [] { SolveFromStarts({}, {}, {.starts = 0}); });
  reference::ExpectBadInput("threads", [] { SolveFromStarts({}, {}, {.threads = 0}); });
}

}  // namespace
}  // namespace pliant
