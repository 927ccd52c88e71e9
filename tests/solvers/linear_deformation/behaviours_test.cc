// Behaviours: where and when chases arrive, what they cost, what happens together.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "models/scene/shapes.h"
#include "tests/solvers/linear_deformation/scenes.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::Vector3d;
using testing::HasSubstr;

Action Chase(PointRef point, const Goal& goal, double duration,
             std::optional<Vector3d> velocity = std::nullopt) {
  Action action;
  action.kind = Action::Kind::kChase;
  action.point = point;
  action.goal = goal;
  action.duration = duration;
  action.final_velocity = velocity;
  return action;
}

Action Tie(Action::Kind kind, PointRef point, const Goal& goal) {
  Action action;
  action.kind = kind;
  action.point = point;
  action.goal = goal;
  return action;
}

Action Wait(double duration) {
  Action action;
  action.kind = Action::Kind::kWait;
  action.duration = duration;
  return action;
}

TEST(Chase, ArrivesInTimeWithTheVelocityAsked) {
  Scene scene;
  scene.bodies = {Block("hook", {0, 0, 0}, 1.0)};
  scene.bodies[0].velocity = {0.5, -1.0, 0.2};
  const Vector3d there(1.0, 0.6, -0.4), velocity(0.3, -0.2, 1.0);
  scene.behaviours = {{"swoop", {Chase({0, kCentre}, Goal(there), 0.6, velocity)}}};
  const auto simulation = Start(scene);
  const Observation o = RunFor(simulation.get(), 0.6, 1e-3);
  EXPECT_LT((o.points.col(kCentre) - there).norm(), 1e-6);
  EXPECT_LT((o.velocities->col(kCentre) - velocity).norm(), 1e-4);
  // Then it goes ballistic.
  const Observation later = RunFor(simulation.get(), 0.2, 1e-3);
  const Vector3d flown = 0.2 * o.velocities->col(kCentre) + 0.02 * scene.gravity;
  EXPECT_LT((later.points.col(kCentre) - o.points.col(kCentre) - flown).norm(), 1e-9);
  EXPECT_EQ(later.extras[4].value(), 1.0);
}

// Without a final velocity the way has constant acceleration: half way in time it is at
// x₀ + v₀ τ/2 + ¼ (x₁ − x₀ − v₀ τ).
TEST(Chase, WithoutAFinalVelocityHasConstantAcceleration) {
  Scene scene;
  scene.bodies = {Block("hook", {0, 0, 0}, 1.0)};
  const Vector3d v0(0.5, -1.0, 0.2), there(1.0, 0.6, -0.4);
  scene.bodies[0].velocity = v0;
  scene.behaviours = {{"swoop", {Chase({0, kCentre}, Goal(there), 0.6)}}};
  const auto simulation = Start(scene);
  const Observation half = RunFor(simulation.get(), 0.3, 1e-3);
  const Vector3d expected = 0.3 * v0 + 0.25 * (there - 0.6 * v0);
  EXPECT_LT((half.points.col(kCentre) - expected).norm(), 1e-6);
  const Observation o = RunFor(simulation.get(), 0.3, 1e-3);
  EXPECT_LT((o.velocities->col(kCentre) - (2.0 / 0.6 * there - v0)).norm(), 1e-4);
}

TEST(Chase, FollowsATargetThatMoves) {
  Scene scene;
  scene.bodies = {Block("hook", {0, 0, 0}, 1.0), Block("prey", {2, 1, 0}, 0.5)};
  scene.bodies[1].velocity = {-0.7, 2.0, 0.3};  // and falls, which the prediction leaves out
  scene.contacts = {{0, 1, true}};              // the middle of one goes to that of the other
  scene.behaviours = {
      {"hunt", {Chase({0, kCentre}, Goal(PointRef{1, kCentre}), 0.8, Vector3d::Zero())}}};
  const Observation o = RunFor(Start(scene).get(), 0.8, 1e-3);
  EXPECT_LT((o.points.col(kCentre) - o.points.col(27 + kCentre)).norm(), 1e-4);
  const Vector3d prey = Vector3d(2, 1, 0) + 0.8 * Vector3d(-0.7, 2.0, 0.3) + 0.32 * scene.gravity;
  EXPECT_LT((o.points.col(27 + kCentre) - prey).norm(), 1e-9);
  // Without a final velocity it has the one that its first prediction asks for.
  scene.behaviours = {{"hunt", {Chase({0, kCentre}, Goal(PointRef{1, kCentre}), 0.8)}}};
  const Observation other = RunFor(Start(scene).get(), 0.8, 1e-3);
  const Vector3d predicted = Vector3d(2, 1, 0) + 0.8 * Vector3d(-0.7, 2.0, 0.3);
  EXPECT_LT((other.velocities->col(kCentre) - 2.0 / 0.8 * predicted).norm(), 1e-2);
}

// A path rebuilt until its last step would be corrected by ever larger forces.
TEST(Chase, NeedsNoLargerForceAtItsEnd) {
  Scene scene;
  scene.bodies = {Block("hook", {0, 0, 0}, 1.0)};
  scene.bodies[0].velocity = {0.5, -1.0, 0.2};
  scene.behaviours = {{"swoop", {Chase({0, 0}, Goal(Vector3d(1, 0.6, -0.4)), 0.6)}}};
  const auto simulation = Start(scene, {{"stretch_stiffness", 20.0}, {"volume_stiffness", 20.0}});
  const double before = RunFor(simulation.get(), 0.59, 1e-3).extras[1].value();
  for (int step = 0; step < 9; ++step) {
    EXPECT_NEAR(RunFor(simulation.get(), 1e-3, 1e-3).extras[1].value(), before, 0.2 * before);
  }
}

// Letting go of what holds a point neither ends its chase nor lets other points go.
TEST(Behaviours, DisconnectLeavesChasesAndOtherPointsAlone) {
  Scene scene;
  scene.bodies = {Block("hook", {0, 0, 0}, 1.0), Block("lamp", {2, 0, 0}, 1.0)};
  scene.nails = {NailWhereItStarts(scene, "ceiling", {1, kCentre})};
  const Vector3d there(1.0, 0.6, -0.4);
  Action let_go;
  let_go.kind = Action::Kind::kDisconnect;
  let_go.point = {0, kCentre};
  scene.behaviours = {{"swoop", {Chase({0, kCentre}, Goal(there), 0.4, Vector3d::Zero())}},
                      {"let go", {Wait(0.398), let_go}}};
  const Observation o = RunFor(Start(scene).get(), 0.4, 1e-3);
  EXPECT_LT(o.velocities->col(kCentre).norm(), 1e-3);
  EXPECT_LT((o.points.col(27 + kCentre) - Vector3d(2, 0, 0)).norm(), 1e-9);
}

// Its work is that of control and the ledger closes.
TEST(Chase, WorkOfTheWayIsControlAndTheLedgerCloses) {
  Scene scene;
  scene.bodies = {Block("hook", {0, 0, 0}, 1.0)};
  scene.behaviours = {{"lift", {Chase({0, 0}, Goal(Vector3d(0.5, 1, 0)), 0.5, Vector3d::Zero())}}};
  const auto simulation = Start(scene);
  Observation o = RunFor(simulation.get(), 1e-3, 1e-3);
  const double start = TotalEnergy(scene, o) - o.work->TotalWork();
  o = RunFor(simulation.get(), 0.499, 1e-3);
  EXPECT_GT((*o.work)[WorkClass::kControl], 5.0);
  EXPECT_NEAR(TotalEnergy(scene, o) - o.work->TotalWork(), start, 1e-4);
  // What the point does beside its way falls at the order of the scheme.
  const auto beside_its_way = [&](double h) {
    return std::abs((*RunFor(Start(scene).get(), 0.5, h).work)[WorkClass::kConstraint]);
  };
  EXPECT_GT(ObservedOrder(beside_its_way(2e-3), beside_its_way(1e-3)), 3.5);
}

// Grab, then, at the instant a second Grab ends, Disconnect: the claw stops dead at its place, the
// prey flies on as fast as the chase made it. A Connect of its own would have stopped both.
TEST(Behaviours, WhatHappensAtOneInstantHappensTogether) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = {Block("claw", {0, 0, 0}, 1.0), Block("prey", {1, 0, 0}, 0.5)};
  scene.contacts = {{0, 1, true}};
  const PointRef claw{0, kCentre}, prey{1, kCentre};
  const Goal mouth(Vector3d(0, 1, 0));
  const Vector3d velocity(-1.5, 0.5, 0);
  using Kind = Action::Kind;
  scene.behaviours = {{"feed",
                       {Chase(claw, prey, 0.5, Vector3d::Zero()), Tie(Kind::kConnect, claw, prey),
                        Chase(claw, mouth, 0.5, velocity), Tie(Kind::kConnect, claw, mouth),
                        Tie(Kind::kDisconnect, claw, prey)}}};
  const auto simulation = Start(scene);
  const Observation o = RunFor(simulation.get(), 1.2, 1e-3);
  EXPECT_LT((o.points.col(kCentre) - Vector3d(0, 1, 0)).norm(), 1e-5);
  EXPECT_LT(o.velocities->col(kCentre).norm(), 1e-3);
  EXPECT_LT((o.velocities->col(27 + kCentre) - velocity).norm(), 1e-3);
  std::vector<std::string> told;
  for (const SimulationEvent& event : simulation->events()) told.push_back(event.what);
  ASSERT_EQ(told.size(), 6u);
  EXPECT_THAT(told[0], HasSubstr("claw[13] reached prey[13]"));
  EXPECT_THAT(told[4], HasSubstr("claw[13] disconnected from prey[13]"));
  EXPECT_EQ(simulation->events()[2].time, simulation->events()[4].time);
  EXPECT_NEAR(simulation->events()[2].time, 1.0, 1e-9);
}

// Two behaviours move one point: the later one wins, a warning says so, and the end of the other
// does not release the point.
TEST(Behaviours, OfTwoChasesOfAPointTheLaterOneHasIt) {
  Scene scene;
  scene.bodies = {Block("hook", {0, 0, 0}, 1.0)};
  const Vector3d there(1.0, 0.6, -0.4);
  scene.behaviours = {{"first", {Chase({0, kCentre}, Goal(Vector3d(0, 3, 0)), 0.3985)}},
                      {"second", {Chase({0, kCentre}, Goal(there), 0.4, Vector3d::Zero())}}};
  const auto simulation = Start(scene);
  const Observation o = RunFor(simulation.get(), 0.4, 1e-3);
  EXPECT_LT((o.points.col(kCentre) - there).norm(), 1e-6);
  EXPECT_LT(o.velocities->col(kCentre).norm(), 1e-3);
  ASSERT_FALSE(simulation->events().empty());
  EXPECT_THAT(simulation->events()[0].what, HasSubstr("moved by two chases at once"));
  // The first did not arrive, and does not say so.
  int ended = 0, reached = 0;
  for (const SimulationEvent& event : simulation->events()) {
    if (event.what.find("was moved by a later chase: that of (0, 3, 0) ends 2.") !=
        std::string::npos) {
      ++ended;
    }
    if (event.what.find(" reached ") != std::string::npos) ++reached;
  }
  EXPECT_EQ(ended, 1);
  RunFor(simulation.get(), 1e-3, 1e-3);
  for (const SimulationEvent& event : simulation->events()) {
    if (event.what.find("reached (1, 0.6, -0.4)") != std::string::npos) ++reached;
  }
  EXPECT_EQ(reached, 1);
}

// A later chase has the point up to its last step, also in the last three, in which its own cubic
// is kept; then the earlier one goes on from there.
TEST(Behaviours, AChaseGoesOnAfterALaterOne) {
  Scene scene;
  scene.bodies = {Block("hook", {0, 0, 0}, 1.0)};
  const Vector3d first(0, 3, 0), second(1.0, 0.6, -0.4);
  scene.behaviours = {{"first", {Chase({0, kCentre}, Goal(first), 0.8, Vector3d::Zero())}},
                      {"second", {Chase({0, kCentre}, Goal(second), 0.4, Vector3d::Zero())}}};
  const auto simulation = Start(scene);
  const Observation half = RunFor(simulation.get(), 0.4, 1e-3);
  EXPECT_LT((half.points.col(kCentre) - second).norm(), 1e-6);
  const Observation o = RunFor(simulation.get(), 0.4, 1e-3);
  EXPECT_LT((o.points.col(kCentre) - first).norm(), 1e-6);
}

// A chase of a few steps asks for forces that no scheme resolves: an event says so. The work of
// semi-implicit Euler is that of its forces at the mean velocity of a step, however large they are.
TEST(Chase, LedgerClosesOverAFewSteps) {
  for (const int steps : {1, 2, 3, 8}) {
    Scene scene;
    scene.gravity.setZero();
    scene.bodies = {Block("hook", {0, 0, 0}, 1.0)};
    const double h = 1e-3;
    scene.behaviours = {
        {"snap", {Chase({0, kCentre}, Goal(Vector3d(0.1, 0.05, 0)), steps * h, Vector3d::Zero())}}};
    const auto simulation = Start(scene, {});
    Observation o;
    simulation->Observe(&o);
    const double start = TotalEnergy(scene, o);
    o = RunFor(simulation.get(), 6 * h, h);
    const double given = (*o.work)[WorkClass::kControl];
    EXPECT_GT(std::abs(given), 1.0);
    EXPECT_NEAR(TotalEnergy(scene, o) - start - o.work->TotalWork(), 0.0, 1e-9 * std::abs(given))
        << steps << " steps";
    const bool said = std::any_of(
        simulation->events().begin(), simulation->events().end(), [](const SimulationEvent& event) {
          return event.what.find("too few to be followed") != std::string::npos;
        });
    EXPECT_EQ(said, steps < 8) << steps << " steps";
  }
}

// The corner of a block chased over 0.33 m within `duration`, in `steps` steps of rk4.
struct Snap {
  double residual = 0.0;        // of the ledger at its end [J]
  std::vector<double> elastic;  // energy after each step, and before the first [J]
};

Snap SnapIn(double duration, int steps) {
  Scene scene;
  scene.bodies = {Block("hook", {0, 0, 0}, 1.0)};
  scene.behaviours = {{"snap", {Chase({0, 0}, Goal(Vector3d(0.3, -0.1, 0.1)), duration)}}};
  const auto simulation = Start(scene, {{"integrator", std::string("rk4")},
                                        {"stretch_stiffness", 200.0},
                                        {"volume_stiffness", 200.0},
                                        {"damping", 0.0}});
  Observation o;
  simulation->Observe(&o);
  const double start = TotalEnergy(scene, o);
  Snap snap{0.0, {*o.elastic_energy}};
  for (int step = 0; step < steps; ++step) {
    o = RunFor(simulation.get(), duration / steps, duration / steps);
    snap.elastic.push_back(*o.elastic_energy);
  }
  EXPECT_GT((*o.work)[WorkClass::kControl], 1e3);
  snap.residual = TotalEnergy(scene, o) - start - o.work->TotalWork();
  return snap;
}

// Runge–Kutta integrates the work of a chase with the motion: what the ledger does not close by
// falls at the order of the scheme, also where all of the chase is inside a few steps.
TEST(Chase, ResidualOfRungeKuttaOverAFewStepsFallsAtItsOrder) {
  const double three = SnapIn(3e-3, 3).residual, six = SnapIn(3e-3, 6).residual,
               twelve = SnapIn(3e-3, 12).residual, twenty_four = SnapIn(3e-3, 24).residual;
  EXPECT_NEAR(three, -1.52, 0.01);
  EXPECT_NEAR(ObservedOrder(three, six), 4.0, 0.2) << three << " " << six;
  EXPECT_NEAR(ObservedOrder(six, twelve), 4.0, 0.05) << twelve;
  EXPECT_NEAR(ObservedOrder(twelve, twenty_four), 4.0, 0.02) << twenty_four;
}

// Its value where the block has no time to answer: the share s of the way that every coordinate has
// gone is quadratic in time, the elastic energy V is of degree four in s, and the residual is the
// error of Runge–Kutta for s̈ = 2 and Ẇ = V'(s) ṡ. One and two steps are not yet where the order
// shows: their residuals differ in sign.
TEST(Chase, ResidualOfRungeKuttaIsThatOfAParabola) {
  constexpr double kDuration = 1e-4;
  const std::vector<double> elastic = SnapIn(kDuration, 64).elastic;
  Eigen::Matrix<double, 5, 5> powers;
  Eigen::Matrix<double, 5, 1> energies;
  for (int i = 0; i < 5; ++i) {
    for (int k = 0; k < 5; ++k) powers(i, k) = std::pow(i / 4.0, 2 * k);
    energies[i] = elastic[static_cast<size_t>(16 * i)];
  }
  const Eigen::Matrix<double, 5, 1> V = powers.fullPivLu().solve(energies);
  const auto power = [&](double s, double rate) {
    return rate * (V[1] + s * (2.0 * V[2] + s * (3.0 * V[3] + s * 4.0 * V[4])));
  };
  const auto residual = [&](int steps) {
    const double h = 1.0 / steps;
    double s = 0.0, rate = 0.0, work = 0.0;
    for (int step = 0; step < steps; ++step) {
      const double half = rate + h, end = rate + 2.0 * h;  // ṡ at the middle and at the end
      work += h / 6.0 *
              (power(s, rate) + 2.0 * power(s + 0.5 * h * rate, half) +
               2.0 * power(s + 0.5 * h * half, half) + power(s + h * half, end));
      s += h * half;
      rate = end;
    }
    return energies[4] - energies[0] - work;
  };
  for (const int steps : {1, 2, 3, 4, 8}) {
    const double observed = SnapIn(kDuration, steps).residual;
    EXPECT_NEAR(observed, residual(steps), 1e-3 * std::abs(observed)) << steps << " steps";
  }
  EXPECT_GT(residual(1), 90.0);
  EXPECT_LT(residual(2), -5.0);
}

TEST(Behaviours, WaitRepeatAndDoThingsBesideOneAnother) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = {Block("a", {0, 0, 0}, 1.0), Block("b", {3, 0, 0}, 1.0)};
  scene.bodies[1].velocity = {-1, 0, 0};
  Action near;
  near.kind = Action::Kind::kWaitFor;
  near.condition.kind = Condition::Kind::kNear;
  near.condition.point = {0, kCentre};
  near.condition.goal = PointRef{1, kCentre};
  near.condition.value = 2.0;
  Action both;
  both.kind = Action::Kind::kParallel;
  both.actions = {Wait(0.2), Wait(0.3)};
  Action twice;
  twice.kind = Action::Kind::kRepeat;
  twice.count = 2;
  twice.actions = {both};
  scene.behaviours = {{"near", {near}}, {"count", {twice}}, {"box", {Wait(0.0)}}};
  near.condition.kind = Condition::Kind::kInside;
  near.condition.point = {1, kCentre};
  near.condition.lower = {1.4, -1, -1};
  near.condition.upper = {1.5, 1, 1};
  scene.behaviours[2].actions = {near};
  const auto simulation = Start(scene);
  RunFor(simulation.get(), 2.0, 1e-2);
  ASSERT_EQ(simulation->events().size(), 3u);
  EXPECT_EQ(simulation->events()[0].what, "behaviour 'count' is done");
  EXPECT_NEAR(simulation->events()[0].time, 0.61, 1e-9);  // a pass begins in a step of its own
  EXPECT_NEAR(simulation->events()[1].time, 1.0, 0.0101);
  EXPECT_EQ(simulation->events()[2].what, "behaviour 'box' is done");
  EXPECT_NEAR(simulation->events()[2].time, 1.5, 0.0101);
}

// A nailed point cannot be led away. That is told when it begins and when it ends, also by a
// simulation that goes on from a saved state, and by none twice.
TEST(Behaviours, AChaseThatANailForbidsIsToldAsAContradiction) {
  Scene scene;
  scene.bodies = {Block("block", Vector3d::Zero(), 1.0)};
  scene.nails = {NailWhereItStarts(scene, "hook", {0, kCentre})};
  scene.behaviours = {{"pull", {Wait(0.1), Chase({0, kCentre}, Vector3d(1, 0, 0), 0.5)}}};
  const auto simulation = Start(scene);
  RunFor(simulation.get(), 0.3, 1e-2);
  const auto other = Start(scene);
  other->Restore(simulation->Save());
  RunFor(simulation.get(), 0.7, 1e-2);
  RunFor(other.get(), 0.7, 1e-2);
  const auto told = [](const Simulation& of) {
    std::vector<std::string> contradictions;
    for (const SimulationEvent& event : of.events()) {
      if (event.what.find("contradict") == std::string::npos) continue;
      contradictions.push_back(std::to_string(std::lround(100.0 * event.time)) + ": " + event.what);
    }
    return contradictions;
  };
  const std::string ends = "61: constraints no longer contradict each other";
  EXPECT_THAT(
      told(*simulation),
      testing::ElementsAre(HasSubstr("11: contradictory constraints: nail.hook, chase."), ends));
  EXPECT_THAT(told(*other), testing::ElementsAre(ends));
}

TEST(Behaviours, RestoredInTheMiddleGoOnBitForBit) {
  Scene scene;
  scene.bodies = {Block("hook", {0, 0, 0}, 1.0), Block("prey", {2, 1, 0}, 0.5)};
  const PointRef hook{0, kCentre}, prey{1, kCentre};
  scene.behaviours = {{"hunt",
                       {Chase(hook, prey, 0.4), Tie(Action::Kind::kConnect, hook, prey),
                        Chase(hook, Goal(Vector3d(0, 1, 0)), 0.4)}}};
  for (double middle : {0.55, 0.398}) {  // the way of the last steps is kept
    const auto simulation = Start(scene), other = Start(scene);
    RunFor(simulation.get(), middle, 1e-3);
    other->Restore(simulation->Save());
    const Observation a = RunFor(simulation.get(), 0.3, 1e-3), b = RunFor(other.get(), 0.3, 1e-3);
    EXPECT_EQ(a.points, b.points);
    EXPECT_EQ(simulation->Save(), other->Save());
  }
}

// The same hunt in the plane and in space.
TEST(Behaviours, PlaneOfAWorldInSpaceIsThePlanarWorld) {
  Scene scene = Pendulum(2);
  scene.behaviours = {{"pull", {Chase({1, 1}, Goal(Vector3d(0.4, -0.5, 0)), 0.4)}}};
  scene.sliders = {SliderAt(scene, {0, 1}, Slider::Kind::kPlane, {1, 1, 0})};
  scene.nails.clear();
  const auto planar = RunFor(Start(scene).get(), 0.5, 1e-3).points;
  scene.dimension = 3;
  const auto spatial = RunFor(Start(scene).get(), 0.5, 1e-3).points;
  EXPECT_LT((planar - spatial).norm(), 1e-9);
}

}  // namespace
}  // namespace pliant::linear_deformation
