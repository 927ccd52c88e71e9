// The tangents of an element, and a step of a block over the number of unknowns and of threads.

#include <benchmark/benchmark.h>

#include <memory>

#include "models/finite_elements/solid_part.h"
#include "models/scene/shapes.h"
#include "solvers/finite_elements/backend.h"

namespace pliant::finite_elements {
namespace {

Body Block(int points) {
  Body block = MakeBlock("block", {1.0, 1.0, 1.0}, {points, points, points}, 1000.0);
  block.material = Material{.density = 1000.0, .youngs_modulus = 1e5, .poisson_ratio = 0.3};
  block.material->stiffness_damping = 0.01;
  return block;
}

// Elastic and viscous, of one hexahedron of 27 nodes.
void BM_StepTangent(benchmark::State& state) {
  const Body block = Block(2);
  const auto part =
      MakeSolidPart(MeshOfCells(block.rest, Hexahedra(block), 1),
                    {ElasticLaw::kNeoHookeanStable, 1e5, 0.3, Law::Kind::kSolid}, 1000.0, 1.0);
  const Eigen::Matrix3Xd x0 = part->rest(), x1 = 1.01 * x0;
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(81, 81);
  for (auto _ : state) {
    k.setZero();
    part->AddDiscreteTangent(0, x0, x1, k);
    part->AddViscousTangent(0, x0, x1, 0.1, k);
    benchmark::DoNotOptimize(k.data());
  }
}
BENCHMARK(BM_StepTangent);

// A stretched block that is let go, with points along each edge and threads; each step from the same state.
void BM_Step(benchmark::State& state) {
  Scene scene;
  scene.bodies.push_back(Block(static_cast<int>(state.range(0))));
  scene.bodies[0].stretch = Eigen::Vector3d(1.05, 0.98, 1.0).asDiagonal();
  const Translation translation = TheBackend().Translate(
      std::make_shared<const Scene>(scene), {{"threads", static_cast<int>(state.range(1))}});
  Simulation& simulation = *translation.simulation;
  const Eigen::VectorXd start = simulation.Save();
  for (auto _ : state) {
    simulation.Restore(start);
    if (simulation.Advance(0.01).kind != StepOutcome::Kind::kAdvanced) {
      state.SkipWithError("the step was not solved");
    }
  }
}
BENCHMARK(BM_Step)->ArgsProduct({{3, 5, 9}, {1, 2}})->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace pliant::finite_elements
