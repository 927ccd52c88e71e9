// Displacement constraints and position-based dynamics on sheets of several sizes: one step of ten
// sweeps, on one level and on all levels, and one sweep by itself. Each starts from the same
// saved state, a free sheet whose corner was struck; every step must lead to the same state, and on
// one level keep the momentum of the blow.

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <memory>
#include <vector>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/displacement_constraints/backend.h"
#include "solvers/displacement_constraints/corrector.h"
#include "solvers/displacement_constraints/displacement_simulation.h"
#include "solvers/displacement_constraints/ordering.h"
#include "solvers/position_based/backend.h"
#include "solvers/position_based/distance_solver.h"
#include "solvers/projection/scene_edges.h"

namespace pliant {
namespace {

constexpr double kStep = 0.002;                 // s
constexpr std::int64_t kSweeps = 10;            // of every step
const Eigen::Vector3d kBlow(0.01, 0.02, 0.05);  // N s

Scene StruckSheet(int points) {
  Scene scene;
  scene.name = "sheet";
  scene.gravity.setZero();
  scene.bodies.push_back(MakeSheet("sheet", {1.0, 1.0}, {points, points}, 1.0));
  Impulse blow;
  blow.name = "blow";
  blow.point = {0, 0};
  blow.impulse = kBlow;
  scene.impulses.push_back(blow);
  return scene;
}

std::unique_ptr<Simulation> Start(int points, const std::vector<double>& force_fractions) {
  ParameterValues parameters = {
      {"min_sweeps", kSweeps}, {"max_sweeps", kSweeps}, {"force_fractions", force_fractions}};
  auto simulation = displacement_constraints::TheBackend()
                        .Translate(std::make_shared<const Scene>(StruckSheet(points)), parameters)
                        .simulation;
  for (int i = 0; i < 25; ++i) simulation->Advance(kStep);
  return simulation;
}

// Of the heap.
size_t BytesInUse() { return mallinfo2().uordblks + mallinfo2().hblkhd; }

void PerNodeAndSweep(benchmark::State& state, double nodes, double sweeps) {
  state.counters["per_node_and_sweep"] = benchmark::Counter(
      nodes * sweeps, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

// Arguments: points along a side, levels.
void BM_Step(benchmark::State& state) {
  const int points = static_cast<int>(state.range(0)), levels = static_cast<int>(state.range(1));
  const auto simulation = Start(points, std::vector<double>(levels, 1.0 / levels));
  const Eigen::VectorXd start = simulation->Save();
  simulation->Advance(kStep);
  const Eigen::VectorXd expected = simulation->Save();
  for (auto _ : state) {
    simulation->Restore(start);
    benchmark::DoNotOptimize(simulation->Advance(kStep));
  }
  if (simulation->Save() != expected) state.SkipWithError("the step does not repeat itself");
  Observation end;
  simulation->Observe(&end);
  const Eigen::VectorXd masses = simulation->scene().Masses();
  if (levels == 1 && (LinearMomentum(masses, *end.velocities) - kBlow).norm() > 1e-12) {
    state.SkipWithError("momentum is lost");
  }
  double nodes = 0.0;  // of all levels
  for (int l = 0, n = points; l < levels; ++l, n = (n + 1) / 2) nodes += 1.0 * n * n;
  PerNodeAndSweep(state, nodes, static_cast<double>(kSweeps));
}
BENCHMARK(BM_Step)
    ->Args({17, 1})
    ->Args({17, 5})
    ->Args({33, 1})
    ->Args({33, 6})
    ->Args({65, 1})
    ->Args({65, 7})
    ->Unit(benchmark::kMicrosecond);

// Argument: points along a side.
void BM_Sweep(benchmark::State& state) {
  const int points = static_cast<int>(state.range(0));
  const auto simulation = Start(points, {1.0});
  const auto& shown =
      dynamic_cast<const displacement_constraints::DisplacementConstraintsSimulation&>(*simulation);
  displacement_constraints::SegmentSystem start = shown.levels()[0].segments;
  start.Dynamics(kStep);  // opens gaps
  displacement_constraints::SegmentSystem swept = start;
  displacement_constraints::Corrector corrector(swept.net(), swept.geometry(), {}, &swept.centres,
                                                &swept.axes);
  const std::vector<int> order = PointsInOrder(swept.net(), SweepOrder::kSequential);
  for (auto _ : state) {
    swept.centres = start.centres;
    swept.axes = start.axes;
    corrector.SweepJoints(order);
  }
  const Eigen::Vector3d moved =
      (swept.centres - start.centres) * swept.net().masses();  // Σ m ΔG = 0
  if (moved.norm() > 1e-12) state.SkipWithError("a sweep moves the centre of mass");
  if (swept.centres == start.centres) state.SkipWithError("a sweep does nothing");
  PerNodeAndSweep(state, 1.0 * points * points, 1.0);
}
BENCHMARK(BM_Sweep)->Arg(17)->Arg(33)->Arg(65)->Unit(benchmark::kMicrosecond);

// Arguments: points along a side; levels that sweeps go through.
void BM_PositionBasedStep(benchmark::State& state) {
  const int points = static_cast<int>(state.range(0));
  const ParameterValues parameters = {
      {"tolerance", 1e3}, {"min_sweeps", kSweeps}, {"solver_levels", std::int64_t{state.range(1)}}};
  const auto scene = std::make_shared<const Scene>(StruckSheet(points));
  const size_t before = BytesInUse();
  const auto simulation = position_based::TheBackend().Translate(scene, parameters).simulation;
  for (int i = 0; i < 5; ++i) simulation->Advance(kStep);
  state.counters["bytes_per_node"] = static_cast<double>(BytesInUse() - before) / (points * points);
  const Eigen::VectorXd start = simulation->Save();
  simulation->Advance(kStep);
  const Eigen::VectorXd expected = simulation->Save();
  for (auto _ : state) {
    simulation->Restore(start);
    benchmark::DoNotOptimize(simulation->Advance(kStep));
  }
  if (simulation->Save() != expected) state.SkipWithError("the step does not repeat itself");
  PerNodeAndSweep(state, 1.0 * points * points, static_cast<double>(kSweeps));
}
BENCHMARK(BM_PositionBasedStep)
    ->Args({65, 1})
    ->Args({65, 7})
    ->Args({129, 1})
    ->Args({129, 8})
    ->Args({257, 1})
    ->Args({257, 9})
    ->Args({513, 1})
    ->Args({513, 10})
    ->Unit(benchmark::kMicrosecond);

// Arguments: points along a side; 0: row by row, 1: in colours.
void BM_PositionBasedSweep(benchmark::State& state) {
  const int points = static_cast<int>(state.range(0));
  const Scene scene = StruckSheet(points);
  const Body& sheet = scene.bodies[0];
  const Eigen::Matrix3Xd start = 1.01 * scene.InitialPoints();  // stretched
  position_based::DistanceSolver solver(
      sheet.edges, EdgeLengths(sheet.edges, sheet.rest), sheet.mass, {{0, {points, points}}},
      {state.range(1) == 0 ? SweepOrder::kSequential : SweepOrder::kColoured});
  solver.Load(start);
  int sweeps = 0;
  for (auto _ : state) solver.Sweep(sweeps++);
  Eigen::Matrix3Xd end(3, start.cols());
  solver.Store(end);
  if (((end - start) * sheet.mass).norm() > 1e-9) {
    state.SkipWithError("sweeps move the centre of mass");
  }
  if (end == start) state.SkipWithError("sweeps do nothing");
  PerNodeAndSweep(state, 1.0 * points * points, 1.0);
}
BENCHMARK(BM_PositionBasedSweep)
    ->Args({65, 0})
    ->Args({129, 0})
    ->Args({257, 0})
    ->Args({257, 1})
    ->Args({513, 0})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace pliant
