// One step of the lamp: in flight, standing on both ends of its base, turning over one of them, and
// the whole way of a run with a pose controller behind the common interface. Each repetition starts
// from the same state and checks where it ended.

#include <benchmark/benchmark.h>

#include <cmath>

#include "solvers/articulated_lamp/backend.h"
#include "solvers/articulated_lamp/lamp_simulation.h"
#include "tests/solvers/articulated_lamp/lamp_scene.h"

namespace pliant {
namespace {

using articulated_lamp::LampScene;
using articulated_lamp::LampStepper;
using articulated_lamp::LampVector;
using articulated_lamp::RestPose;

constexpr double kStep = 1e-3;  // s
constexpr int kSteps = 100;     // a repetition

articulated_lamp::HingeTorques Locked() {
  articulated_lamp::HingeTorques torques;
  torques.resistance.setConstant(1e9);
  return torques;
}

// Runs `kSteps` steps from (q, v); `holds` says whether it ended where it should.
template <typename Holds>
void Steps(benchmark::State& state, const LampStepper& stepper, const LampVector& start,
           const articulated_lamp::HingeTorques& torques, const Holds& holds) {
  for (auto _ : state) {
    LampVector q = start, v = LampVector::Zero();
    for (int i = 0; i < kSteps; ++i) {
      benchmark::DoNotOptimize(
          stepper.Step(kStep, articulated_lamp::LampPlacement(q), torques, &q, &v));
    }
    if (!holds(q, v)) state.SkipWithError("the lamp is not where it should be");
  }
  state.counters["step"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * kSteps,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void LampFlies(benchmark::State& state) {
  LampVector start = RestPose();
  start[1] = 1.0;
  const double t = kSteps * kStep;
  Steps(state,
        LampStepper(articulated_lamp::Lamp(articulated_lamp::LampParameters{}),
                    articulated_lamp::LampFloor{}),
        start, {}, [&](const LampVector& q, const LampVector& v) {
          return std::abs(v[1] + 9.81 * t) < 1e-9 && q[1] < 1.0;
        });
}
BENCHMARK(LampFlies);

void LampStands(benchmark::State& state) {
  Steps(state,
        LampStepper(articulated_lamp::Lamp(articulated_lamp::LampParameters{}),
                    articulated_lamp::LampFloor{}),
        RestPose(), Locked(),
        [](const LampVector& q, const LampVector&) { return q.head<3>().norm() < 1e-12; });
}
BENCHMARK(LampStands);

void LampTopples(benchmark::State& state) {
  LampVector start = RestPose();
  start.tail<3>() << 0.9, 0.8, 0.0;
  Steps(state,
        LampStepper(articulated_lamp::Lamp(articulated_lamp::LampParameters{}),
                    articulated_lamp::LampFloor{}),
        start, Locked(), [](const LampVector& q, const LampVector& v) {
          return v[2] > 0.1 && std::abs(q[0] + 0.1 * (std::cos(q[2]) - 1.0)) < 1e-2;
        });
}
BENCHMARK(LampTopples);

void LampDances(benchmark::State& state) {
  ControlTable table;
  table.servos = {{"base hinge", 60.0, 6.0, -2.0, 2.0},
                  {"mid hinge", 40.0, 3.0, -2.0, 2.0},
                  {"head hinge", 10.0, 0.5, -2.0, 2.0}};
  ControlTable::Entry rest, nod;
  rest.name = "rest";
  rest.targets = {{"base hinge", Radians(-25)}, {"mid hinge", Radians(50)}};
  nod.name = "nod";
  nod.targets = {{"base hinge", -0.35}, {"mid hinge", 0.7}, {"head hinge", 0.3}};
  rest.duration = nod.duration = 0.03;
  table.poses = {nod, rest};
  const auto simulation =
      std::move(articulated_lamp::TheBackend()
                    .Translate(std::make_shared<const Scene>(LampScene()), {{"control", table}})
                    .simulation);
  const Eigen::VectorXd start = simulation->Save();
  for (auto _ : state) {
    simulation->Restore(start);
    for (int i = 0; i < kSteps; ++i) simulation->Advance(kStep);
    const auto& lamp =
        dynamic_cast<const articulated_lamp::ArticulatedLampSimulation&>(*simulation);
    if (!(lamp.q().head<3>().norm() < 1e-3) || !(lamp.v().tail<3>().norm() > 1e-3)) {
      state.SkipWithError("the lamp does not dance on its base");
    }
  }
  state.counters["step"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * kSteps,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(LampDances);

}  // namespace
}  // namespace pliant
