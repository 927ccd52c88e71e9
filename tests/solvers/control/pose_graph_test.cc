// Times, sensors and limits of pose graphs; servos.

#include "solvers/control/pose_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/problem.h"
#include "solvers/control/pd_controller.h"
#include "tests/reference/complaints.h"

namespace pliant {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;
using reference::ProblemOf;
using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<PoseChannel> kChannels = {{"bend", -1, 1}, {"shear", -0.5, 0.5}};

PoseGraph ThreePoses(double a, double b, double c) {
  return PoseGraph::Cycle(
      kChannels,
      {{"one", Vector2d(0.1, 0.2)}, {"two", Vector2d(0.3, 0.4)}, {"three", Vector2d(-0.1, -0.2)}},
      {a, b, c});
}

// Steps at whose end another pose became active, over `steps` steps of h.
std::vector<int> Switches(const PoseGraph& graph, double h, int steps) {
  std::vector<int> switches;
  PoseGraph::State state = graph.Start(0.0, {});
  for (int i = 1; i <= steps; ++i) {
    if (graph.Advance(i * h, h, {}, &state)) switches.push_back(i);
  }
  return switches;
}

// A sensor's readings at the ends of steps of 0.1 s, and which steps changed the pose.
std::vector<int> Fired(const PoseGraph& graph, const std::vector<bool>& readings) {
  std::vector<int> fired;
  PoseGraph::State state = graph.Start(0.0, {readings[0]});
  for (size_t i = 1; i < readings.size(); ++i) {
    if (graph.Advance(0.1 * static_cast<double>(i), 0.1, {readings[i]}, &state)) {
      fired.push_back(static_cast<int>(i));
    }
  }
  return fired;
}

TEST(PoseGraph, TimesThatAreWholeStepsAreKeptExactly) {
  // 0.3, 0.2 and 0.7 s in steps of 0.1 s, none of which a double can hold.
  const std::vector<int> switches = Switches(ThreePoses(0.3, 0.2, 0.7), 0.1, 1200);
  ASSERT_EQ(switches.size(), 300u);
  for (int cycle = 0; cycle < 100; ++cycle) {
    EXPECT_EQ(switches[3 * cycle], 12 * cycle + 3);
    EXPECT_EQ(switches[3 * cycle + 1], 12 * cycle + 5);
    EXPECT_EQ(switches[3 * cycle + 2], 12 * cycle + 12);
  }
}

TEST(PoseGraph, OtherTimesAreLateByLessThanAStepAndTheCycleKeepsItsPeriod) {
  const double times[3] = {0.123, 0.217, 0.341}, h = 0.01;
  const std::vector<int> switches = Switches(ThreePoses(times[0], times[1], times[2]), h, 68100);
  ASSERT_EQ(switches.size(), 3000u);
  double due = 0.0;
  for (size_t i = 0; i < switches.size(); ++i) {
    due += times[i % 3];
    EXPECT_GE(switches[i] * h - due, -1e-7);
    EXPECT_LT(switches[i] * h - due, h);
  }
}

TEST(PoseGraph, TargetsAreThoseOfTheActivePose) {
  const PoseGraph graph = ThreePoses(0.2, 0.2, 0.2);
  PoseGraph::State state = graph.Start(0.0, {});
  EXPECT_EQ(graph.Targets(state), Vector2d(0.1, 0.2));
  EXPECT_FALSE(graph.Advance(0.1, 0.1, {}, &state));
  EXPECT_EQ(graph.Targets(state), Vector2d(0.1, 0.2));
  EXPECT_TRUE(graph.Advance(0.2, 0.1, {}, &state));
  EXPECT_EQ(graph.Targets(state), Vector2d(0.3, 0.4));
}

PoseGraph TwoPosesOnASensor(double after = 0.0) {
  const VectorXd zero = VectorXd::Zero(2);
  return PoseGraph(kChannels, {{{"a", zero}, {{1, after, 0}}}, {{"b", zero}, {{0, after, 0}}}}, 1);
}

TEST(PoseGraph, ASensorFiresOnceEachTimeItTurnsTrue) {
  const bool t = true, f = false;
  // It stays true for four steps: one transition, not four.
  EXPECT_THAT(Fired(TwoPosesOnASensor(), {f, f, t, t, t, t, f, f, t, f, t}), ElementsAre(2, 8, 10));
}

TEST(PoseGraph, ASensorThatReadsTrueFromTheStartHasToTurnFalseFirst) {
  const bool t = true, f = false;
  EXPECT_THAT(Fired(TwoPosesOnASensor(), {t, t, t, f, t, t}), ElementsAre(4));
}

TEST(PoseGraph, ASensorWaitsForTheTimeOfItsTransition) {
  const bool t = true, f = false;
  // Turns true at step 1, is heard at step 3, 0.3 s after the start, while it still reads true.
  EXPECT_THAT(Fired(TwoPosesOnASensor(0.3), {f, t, t, t, t, t}), ElementsAre(3));
  EXPECT_THAT(Fired(TwoPosesOnASensor(0.3), {f, t, f, f, f, t}), ElementsAre(5));
}

TEST(PoseGraph, ATimeAfterASensorCountsFromWhenItFired) {
  const bool t = true, f = false;
  const VectorXd zero = VectorXd::Zero(2);
  const PoseGraph graph(kChannels,
                        {{{"a", zero}, {{1, 0.0, 0}}}, {{"b", zero}, {{0, 0.3, std::nullopt}}}}, 1);
  EXPECT_THAT(Fired(graph, {f, f, f, f, f, t, t, t, t, t}), ElementsAre(5, 8));
}

TEST(PoseGraph, TheFirstTransitionOfTheListThatIsDueIsTaken) {
  const VectorXd zero = VectorXd::Zero(2);
  const PoseGraph graph(kChannels,
                        {{{"a", zero}, {{1, 0.0, 0}, {2, 0.2, std::nullopt}}},
                         {{"felt", zero}, {}, true},
                         {{"timed", zero}, {}, true}},
                        1);
  PoseGraph::State felt = graph.Start(0.0, {false});
  graph.Advance(0.2, 0.2, {true}, &felt);
  EXPECT_EQ(felt.pose, 1);
  PoseGraph::State timed = graph.Start(0.0, {false});
  graph.Advance(0.2, 0.2, {false}, &timed);
  EXPECT_EQ(timed.pose, 2);
  EXPECT_FALSE(graph.Advance(5.0, 0.2, {true}, &timed)) << "a final pose is kept";
}

TEST(PoseGraph, AStateAsNumbersContinuesAlike) {
  const PoseGraph graph = TwoPosesOnASensor(0.25);
  PoseGraph::State state = graph.Start(0.0, {true});
  graph.Advance(0.1, 0.1, {false}, &state);
  VectorXd numbers(graph.StateSize());
  graph.Save(state, numbers);
  PoseGraph::State restored = graph.Restored(numbers);
  int switches = 0;
  for (int i = 2; i < 12; ++i) {
    const std::vector<bool> reading = {i % 4 == 2};
    const bool switched = graph.Advance(0.1 * i, 0.1, reading, &state);
    switches += switched ? 1 : 0;
    EXPECT_EQ(graph.Advance(0.1 * i, 0.1, reading, &restored), switched);
    EXPECT_EQ(state.pose, restored.pose);
    EXPECT_EQ(state.since, restored.since);
    EXPECT_EQ(state.armed, restored.armed);
  }
  EXPECT_EQ(switches, 2);
}

TEST(PoseGraph, ASavedStateKnowsThatItsSensorHasNotTurnedFalse) {
  const PoseGraph graph = TwoPosesOnASensor();
  for (const bool reading : {true, false}) {
    const PoseGraph::State state = graph.Start(0.0, {reading});
    VectorXd numbers(graph.StateSize());
    graph.Save(state, numbers);
    PoseGraph::State restored = graph.Restored(numbers);
    EXPECT_EQ(graph.Advance(0.1, 0.1, {true}, &restored), !reading);
  }
}

TEST(PoseGraph, NumbersOfASearchAreTimesThenTargetsWithTheirLimits) {
  PoseGraph graph = ThreePoses(0.3, 0.2, 0.7);
  const std::vector<PoseGraph::Number> described = graph.DescribeNumbers();
  ASSERT_EQ(described.size(), 9u);
  EXPECT_EQ(described[1].name, "two → three [s]");
  EXPECT_TRUE(described[1].is_time);
  EXPECT_EQ(described[1].lower, PoseTimes().shortest);
  EXPECT_EQ(described[8].name, "three: shear");
  EXPECT_FALSE(described[8].is_time);
  EXPECT_EQ(described[8].upper, 0.5);
  VectorXd numbers = graph.Numbers();
  EXPECT_EQ(numbers, (VectorXd(9) << 0.3, 0.2, 0.7, 0.1, 0.2, 0.3, 0.4, -0.1, -0.2).finished());
  numbers << 0.4, 0.1, 0.1, 0, 0.1, 0.2, 0.3, 0.4, 0.5;
  graph.SetNumbers(numbers);
  EXPECT_EQ(graph.Numbers(), numbers);
  EXPECT_THAT(Switches(graph, 0.1, 6), ElementsAre(4, 5, 6));
  const VectorXd kept = numbers;
  numbers[8] = 0.6;
  EXPECT_THAT(ProblemOf([&] { graph.SetNumbers(numbers); }).what, HasSubstr("'three: shear'"));
  EXPECT_EQ(graph.Numbers(), kept);
}

TEST(PoseGraph, NumbersOfASearchLeaveTransitionsOnSensorsAsTheyAre) {
  PoseGraph graph(kChannels,
                  {{{"a", Vector2d(0.1, 0.2)}, {{1, 0.25, 0}, {1, 0.4, std::nullopt}}},
                   {{"b", Vector2d(0.3, 0.4)}, {{0, 0.3, std::nullopt}}}},
                  1);
  ASSERT_EQ(graph.DescribeNumbers().size(), 6u);
  const VectorXd numbers = (VectorXd(6) << 0.5, 0.6, 0.2, 0.1, 0.4, 0.3).finished();
  graph.SetNumbers(numbers);
  EXPECT_EQ(graph.Numbers(), numbers);
}

TEST(PoseGraph, RefusesWhatDoesNotFitAndSaysWhere) {
  EXPECT_EQ(ProblemOf([] { ThreePoses(0.3, 0.0, 0.7); }).where, "pose[1].next[0].after");
  EXPECT_EQ(ProblemOf([] { ThreePoses(0.3, 0.2, -1.0); }).where, "pose[2].next[0].after");
  EXPECT_EQ(ProblemOf([] { ThreePoses(0.3, 0.2, 11.0); }).where, "pose[2].next[0].after");
  EXPECT_EQ(ProblemOf([] { ThreePoses(0.009, 0.2, 0.7); }).where, "pose[0].next[0].after");
  const VectorXd zero = VectorXd::Zero(2);
  Problem problem = ProblemOf([&] {
    PoseGraph(kChannels, {{{"high", Vector2d(0, 0.7)}, {}, true}});
  });
  EXPECT_EQ(problem.where, "pose[0].targets.shear");
  EXPECT_THAT(problem.mend, HasSubstr("between -0.5 and 0.5"));
  EXPECT_THAT(ProblemOf([&] {
                PoseGraph(kChannels, {{{"stuck", zero}, {}}});
              }).what,
              HasSubstr("'stuck' can never be left"));
  EXPECT_THAT(ProblemOf([&] {
                PoseGraph(kChannels, {{{"self", zero}, {{0, 0.1, {}}}}});
              }).what,
              HasSubstr("'self' can never be left"));
  EXPECT_THAT(ProblemOf([&] {
                PoseGraph(kChannels, {{{"a", zero}, {}, true}, {{"lost", zero}, {{0, 0.1, {}}}}});
              }).what,
              HasSubstr("no transition leads from the start to pose 'lost'"));
  EXPECT_EQ(ProblemOf([&] {
              PoseGraph(kChannels, {{{"a", zero}, {{7, 0.1, {}}}}});
            }).where,
            "pose[0].next[0].to");
}

TEST(PdController, PullsToItsTargetAgainstItsRateAndTellsItsPower) {
  const PdController servos({{2, 40.0, 3.0}, {0, 10.0, 0.5}});
  const Eigen::Vector3d x(0.5, 9.0, -0.2), rate(2.0, 9.0, -4.0);
  Eigen::Vector3d Q(1, 1, 1);
  const double power = servos.AddForces(Vector2d(0.1, 0.2), x, rate, Q);
  const double first = -40.0 * (-0.2 - 0.1) - 3.0 * -4.0, second = -10.0 * 0.3 - 0.5 * 2.0;
  EXPECT_DOUBLE_EQ(Q[2], 1 + first);
  EXPECT_DOUBLE_EQ(Q[0], 1 + second);
  EXPECT_EQ(Q[1], 1.0);
  EXPECT_DOUBLE_EQ(power, first * -4.0 + second * 2.0);
}

}  // namespace
}  // namespace pliant
