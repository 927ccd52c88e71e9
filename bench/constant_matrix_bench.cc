// What it is worth that the constraint matrix of linearly deformable bodies is constant
// [Witkin & Welch 1990, Sec. 3.3]: accelerations of a chain of n bodies with the matrix factorised
// once, and with the matrix built and factorised anew each time. Both must give the same.

#include <benchmark/benchmark.h>

#include <vector>

#include "models/scene/shapes.h"
#include "solvers/constrained_dynamics/deformable_system.h"

namespace pliant {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

Scene Chain(int links) {
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

void Accelerations(benchmark::State& state, bool anew) {
  const auto links = static_cast<int>(state.range(0));
  const Scene scene = Chain(links);
  std::vector<LinearBody> bodies;
  for (const Body& body : scene.bodies) bodies.emplace_back(body, scene.dimension, 1);
  DeformableSystem system(scene, std::move(bodies), {}, {}, {});
  const std::vector<ConstraintRow> rows = SceneRows(scene);
  const std::vector<const ConstraintRow*> holding = RowsAtStart(rows);
  VectorXd q, v, a, expected;
  system.InitialState(scene, &q, &v);
  WorkByClass power;
  system.Rates(0.0, q, v, &expected, &power);
  for (auto _ : state) {
    if (anew) system.SetConstraints(holding);
    system.Rates(0.0, q, v, &a, &power);
    benchmark::DoNotOptimize(a.data());
  }
  if (!a.isApprox(expected, 1e-9)) state.SkipWithError("another acceleration");
  state.SetComplexityN(links);
}

void Constant(benchmark::State& state) { Accelerations(state, false); }
void FactorisedAnew(benchmark::State& state) { Accelerations(state, true); }

BENCHMARK(Constant)->RangeMultiplier(10)->Range(10, 1000)->Complexity();
BENCHMARK(FactorisedAnew)->RangeMultiplier(10)->Range(10, 1000)->Complexity();

}  // namespace
}  // namespace pliant
