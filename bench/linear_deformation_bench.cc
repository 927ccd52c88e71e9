// Steps of linearly deformable bodies: a pendulum over its number of links (multipliers), a sheet
// pressed by a sphere over its number of points (point forces, and energies for second order).
// Each pass makes kSteps steps from the same saved state.

#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "models/scene/shapes.h"
#include "solvers/constrained_dynamics/backend.h"

namespace pliant {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kStep = 0.0005;  // s
constexpr int kSteps = 100;       // of a pass, so that restoring the state costs next to nothing

Scene Pendulum(int links) {
  Scene scene;
  scene.dimension = 2;
  for (int i = 0; i < links; ++i) {
    scene.bodies.push_back(
        MakeChain("link" + std::to_string(i), Vector3d::Zero(), Vector3d::UnitX(), 2, 1.0));
    scene.bodies.back().position = Vector3d(i, 0.0, 0.0);
    if (i > 0) scene.attachments.push_back({"joint", {i - 1, 1}, {i, 0}});
  }
  scene.nails = {{"hook", {0, 0}, Path::Still(Vector3d::Zero())}};
  return scene;
}

Scene PressedSheet(int points) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = {MakeSheet("sheet", {2.0, 2.0}, {points, points}, 8.0)};
  scene.obstacles = {{"ball", Sphere{0.4}, Path::Still(Vector3d(0.1, 0.2, 0.3)), 0.2}};
  return scene;
}

void RunSteps(benchmark::State& state, const Scene& scene, const ParameterValues& parameters,
              double size) {
  const auto simulation =
      LinearDeformationBackend().Translate(std::make_shared<Scene>(scene), parameters).simulation;
  for (int i = 0; i < kSteps; ++i) simulation->Advance(kStep);
  const VectorXd start = simulation->Save();
  auto pass = [&] {
    simulation->Restore(start);
    for (int i = 0; i < kSteps; ++i) simulation->Advance(kStep);
  };
  pass();
  const VectorXd expected = simulation->Save();
  if (!expected.allFinite() || expected == start) state.SkipWithError("nothing moves");

  for (auto _ : state) pass();
  if (simulation->Save() != expected) state.SkipWithError("another result than the first pass");
  using benchmark::Counter;
  state.counters["step"] = Counter(kSteps, Counter::kIsIterationInvariantRate | Counter::kInvert);
  state.counters["per_item"] =
      Counter(kSteps * size, Counter::kIsIterationInvariantRate | Counter::kInvert);
}

// Items are links.
void BM_Pendulum(benchmark::State& state) {
  const auto links = static_cast<int>(state.range(0));
  RunSteps(state, Pendulum(links), {}, links);
}
BENCHMARK(BM_Pendulum)->Arg(1)->Arg(3)->Arg(10)->Arg(30)->Arg(100)->Arg(1000);

// Items are points; arguments: points along a side, order.
void BM_PressedSheet(benchmark::State& state) {
  const auto points = static_cast<int>(state.range(0));
  RunSteps(state, PressedSheet(points), {{"order", state.range(1)}},
           static_cast<double>(points) * points);
}
BENCHMARK(BM_PressedSheet)->ArgsProduct({{5, 17, 65}, {1, 2}});

}  // namespace
}  // namespace pliant
