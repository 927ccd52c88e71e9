// Steps of linearly deformable bodies: pendulums over their number of links (multipliers), a sheet
// pressed by a sphere over its number of points (point forces, and energies for second order).
// Each pass makes kSteps steps from the same saved state.
//
// Three pendulums: links of two masses, whose ends do not feel each other, so that S is diagonal;
// bars of three masses, S tridiagonal; and plates, with all six coordinates of a planar affine
// body. The stiff one is of bars of 100 MJ at 1 ms, which only the implicit treatment can step; its
// stretch is shown.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "models/scene/shapes.h"
#include "solvers/linear_deformation/backend.h"

namespace pliant {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kStep = 0.0005;  // s
constexpr int kSteps = 100;       // of a pass, so that restoring the state costs next to nothing

Body Link() { return MakeChain("link", Vector3d::Zero(), Vector3d::UnitX(), 2, 1.0); }

// Of the inertia of a uniform bar.
Body Bar() {
  Body bar = MakeChain("bar", Vector3d::Zero(), Vector3d::UnitX(), 3, 1.0);
  bar.mass = Vector3d(1.0, 4.0, 1.0) / 6.0;
  return bar;
}

// 1 m × 0.1 m, joined at points 2 and 3, the middles of its short sides.
Body Plate() { return MakeSheet("plate", {1.0, 0.1}, {2, 3}, 1.0); }

// `a` and `b` are the points by which a link hangs from the one before.
Scene Pendulum(int links, const Body& link, int a, int b) {
  Scene scene;
  scene.dimension = 2;
  for (int i = 0; i < links; ++i) {
    scene.bodies.push_back(link);
    scene.bodies.back().name += std::to_string(i);
    scene.bodies.back().position = Vector3d(i, 0.0, 0.0);
    if (i > 0) scene.attachments.push_back({"joint", {i - 1, b}, {i, a}});
  }
  scene.nails = {{"hook", {0, a}, Path::Still(scene.InitialPoints().col(a))}};
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
              double size, double step = kStep) {
  const auto simulation = linear_deformation::TheBackend()
                              .Translate(std::make_shared<Scene>(scene), parameters)
                              .simulation;
  for (int i = 0; i < kSteps; ++i) simulation->Advance(step);
  const VectorXd start = simulation->Save();
  auto pass = [&] {
    simulation->Restore(start);
    for (int i = 0; i < kSteps; ++i) simulation->Advance(step);
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
  RunSteps(state, Pendulum(links, Link(), 0, 1), {}, links);
}
BENCHMARK(BM_Pendulum)->Arg(1)->Arg(3)->Arg(10)->Arg(30)->Arg(100)->Arg(1000);

void BM_BarPendulum(benchmark::State& state) {
  const auto links = static_cast<int>(state.range(0));
  RunSteps(state, Pendulum(links, Bar(), 0, 2), {}, links);
}
BENCHMARK(BM_BarPendulum)->Arg(3)->Arg(100)->Arg(1000);

void BM_PlatePendulum(benchmark::State& state) {
  const auto links = static_cast<int>(state.range(0));
  RunSteps(state, Pendulum(links, Plate(), 2, 3), {}, links);
}
BENCHMARK(BM_PlatePendulum)->Arg(3)->Arg(100)->Arg(1000);

void BM_StiffPendulum(benchmark::State& state) {
  const auto links = static_cast<int>(state.range(0));
  const Scene scene = Pendulum(links, Bar(), 0, 2);
  const ParameterValues parameters = {{"stretch_stiffness", 1e8},
                                      {"internal_energy", std::string("implicit")}};
  const auto simulation = linear_deformation::TheBackend()
                              .Translate(std::make_shared<Scene>(scene), parameters)
                              .simulation;
  double stretch = 0.0;
  Observation seen;
  for (int i = 0; i < 1000; ++i) {
    simulation->Advance(1e-3);
    if (i % 50 != 49) continue;
    simulation->Observe(&seen);
    for (Eigen::Index b = 0; b < seen.points.cols(); b += 3) {
      const double length = (seen.points.col(b + 2) - seen.points.col(b)).norm();
      stretch = std::max(stretch, std::abs(length - 1.0));
    }
  }
  RunSteps(state, scene, parameters, links, 1e-3);
  state.counters["stretch"] = stretch;
}
BENCHMARK(BM_StiffPendulum)->Arg(3)->Arg(100)->Arg(1000);

// Items are points; arguments: points along a side, order.
void BM_PressedSheet(benchmark::State& state) {
  const auto points = static_cast<int>(state.range(0));
  RunSteps(state, PressedSheet(points), {{"order", state.range(1)}},
           static_cast<double>(points) * points);
}
BENCHMARK(BM_PressedSheet)->ArgsProduct({{5, 17, 65}, {1, 2}});

}  // namespace
}  // namespace pliant
