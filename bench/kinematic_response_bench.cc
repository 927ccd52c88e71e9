// One full step of the kinematic response: relax, cast against a sphere, restrict, deform, all
// levels, by one thread and by two; and its stages one by one. Each step starts from the same saved
// state, in contact. Beside it the step of a local contact, and what the memory of this machine
// allows at the same sizes.

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/scene/shapes.h"
#include "solvers/kinematic_response/backend.h"
#include "solvers/kinematic_response/casting.h"
#include "solvers/kinematic_response/kinematic_response.h"
#include "solvers/parallel/thread_team.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr double kStep = 0.002;  // s

// A sheet of 2 m, facing +z, and a sphere on its way into it, 0.2 m deep after 0.1 s.
Scene PressScene(int points) {
  Scene scene;
  scene.name = "press";
  scene.gravity.setZero();
  scene.bodies.push_back(MakeSheet("slab", {2, 2}, {points, points}, 8.0));
  Eigen::Matrix3Xd keys(3, 2);
  keys << 0.03, 0.05, 0.02, 0.02, 0.4, 0.1;
  scene.obstacles.push_back(
      {"ball", Sphere{0.4}, Path({0.0, 0.15}, keys, Path::Interpolation::kLinear), 0.2});
  return scene;
}

void PerVertex(benchmark::State& state, int points) {
  state.counters["per_vertex"] = benchmark::Counter(
      static_cast<double>(points) * points,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void BM_Step(benchmark::State& state, int threads) {
  const int points = static_cast<int>(state.range(0));
  const auto scene = std::make_shared<const Scene>(PressScene(points));
  auto in_use = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
  const size_t before = in_use();
  const ParameterValues parameters = {{"threads", static_cast<std::int64_t>(threads)}};
  const auto simulation = kinematic_response::TheBackend().Translate(scene, parameters).simulation;
  state.counters["bytes_per_vertex"] =
      static_cast<double>(in_use() - before) / (static_cast<double>(points) * points);
  for (int i = 0; i < 50; ++i) simulation->Advance(kStep);
  const Eigen::VectorXd start = simulation->Save();
  simulation->Advance(kStep);
  const Eigen::VectorXd expected = simulation->Save();
  Observation observation;
  simulation->Observe(&observation);
  if (!(observation.points.row(2).minCoeff() < -0.15)) state.SkipWithError("nothing is pressed");

  for (auto _ : state) {
    state.PauseTiming();
    simulation->Restore(start);
    state.ResumeTiming();
    simulation->Advance(kStep);
  }
  if (simulation->Save() != expected) state.SkipWithError("another result than the first step");
  PerVertex(state, points);
}
BENCHMARK_CAPTURE(BM_Step, one, 1)
    ->Arg(17)
    ->Arg(33)
    ->Arg(65)
    ->Arg(129)
    ->Arg(257)
    ->Arg(513)
    ->Arg(1025);
BENCHMARK_CAPTURE(BM_Step, two, 2)->Arg(513)->Arg(1025)->UseRealTime();
BENCHMARK_CAPTURE(BM_Step, one_wall, 1)->Arg(513)->Arg(1025)->UseRealTime();

// A small ball on a sheet of which only the three finest levels absorb: what does not change is not
// looked at. The step before the one that is timed finds out where that is.
void BM_LocalStep(benchmark::State& state) {
  const int points = static_cast<int>(state.range(0));
  Scene scene = PressScene(points);
  scene.obstacles[0].shape = Sphere{0.04};
  Eigen::Matrix3Xd keys(3, 2);
  keys << 0.31, 0.33, 0.22, 0.22, 0.05, 0.02;
  scene.obstacles[0].motion = Path({0.0, 0.15}, keys, Path::Interpolation::kLinear);
  int levels = 1;
  while ((1 << (levels - 1)) + 1 < points) ++levels;
  std::vector<double> absorption(levels, 0.0);
  for (int level = levels - 3; level < levels; ++level) absorption[level] = 0.1;
  const auto simulation =
      kinematic_response::TheBackend()
          .Translate(std::make_shared<const Scene>(scene), {{"absorption", absorption}})
          .simulation;
  for (int i = 0; i < 50; ++i) simulation->Advance(kStep);
  const Eigen::VectorXd start = simulation->Save();
  Observation observation;
  simulation->Observe(&observation);
  if (!(observation.points.row(2).minCoeff() < -0.005)) state.SkipWithError("nothing is pressed");
  for (auto _ : state) {
    state.PauseTiming();
    simulation->Restore(start);
    simulation->Advance(kStep);
    state.ResumeTiming();
    simulation->Advance(kStep);
  }
  PerVertex(state, points);
}
BENCHMARK(BM_LocalStep)->Arg(513)->Arg(1025);

// Three arrays of as many vectors as the finest level has vertices, a = b + 3 c: 72 bytes a vertex.
// A full step reads and writes about 170 bytes a vertex: of the finest level rest offsets and
// surface once, where something may be pressed twice, of the coarser levels twice. With two threads
// this is as fast as two can be where memory is the limit.
void BM_Triad(benchmark::State& state, int threads) {
  constexpr int kPieces = 16;
  const std::int64_t count = 3 * state.range(0) * state.range(0);
  std::vector<double> a(count, 1.0), b(count, 2.0), c(count, 3.0);
  ThreadTeam team(threads);
  for (auto _ : state) {
    team.Run(kPieces, [&](int piece, int) {
      const std::int64_t end = count * (piece + 1) / kPieces;
      for (std::int64_t i = count * piece / kPieces; i < end; ++i) a[i] = b[i] + 3.0 * c[i];
    });
    benchmark::DoNotOptimize(a.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>(3 * count * sizeof(double)));
  PerVertex(state, static_cast<int>(state.range(0)));
}
BENCHMARK_CAPTURE(BM_Triad, one, 1)->Arg(513)->Arg(1025)->UseRealTime();
BENCHMARK_CAPTURE(BM_Triad, two, 2)->Arg(513)->Arg(1025)->UseRealTime();

// Work that needs no memory, in pieces as long as those of a step: no step by two threads gains
// more than this does. Virtual processors that share a core gain little.
void BM_Arithmetic(benchmark::State& state, int threads) {
  constexpr int kPieces = 16;
  std::array<double, kPieces> sums = {};
  ThreadTeam team(threads);
  for (auto _ : state) {
    team.Run(kPieces, [&](int piece, int) {
      double sum = 0.0;
      for (int i = 1; i <= 20000; ++i) sum += kinematic_response::InverseLengthByNewton(i);
      sums[piece] = sum;
    });
    benchmark::DoNotOptimize(sums);
  }
}
BENCHMARK_CAPTURE(BM_Arithmetic, one, 1)->UseRealTime();
BENCHMARK_CAPTURE(BM_Arithmetic, two, 2)->UseRealTime();

// The stages alone, on the flat sheet with the sphere in it.
enum Stage { kRelax, kCast, kRestrict, kDeform };
void BM_Stage(benchmark::State& state, Stage stage) {
  const int points = static_cast<int>(state.range(0));
  const Scene scene = PressScene(points);
  kinematic_response::KinematicResponse response(
      kinematic_response::MultiresolutionSurface({points, points},
                                                 scene.InitialPoints().transpose(),
                                                 kinematic_response::Prolongation::kCubic),
      kinematic_response::Restriction::kAverage);
  const std::vector<kinematic_response::LevelControls> controls(
      response.model().levels(), {.absorption = 0.1, .retention = 0.99});
  const kinematic_response::SurfaceOffsets zero = response.model().ZeroOffsets();
  kinematic_response::SurfaceOffsets offsets = zero;
  const std::vector<kinematic_response::CastObstacle> obstacles = {
      {&scene.obstacles[0].shape, {0.03, 0.02, 0.2}, -Vector3d::UnitZ(), 0.2}};
  auto cast = [&] { kinematic_response::CastDisplacements(obstacles, &response); };
  response.Relax(controls, offsets);
  cast();
  response.RestrictDisplacements();
  const kinematic_response::DeformationSummary expected = response.Deform(controls, &offsets);

  kinematic_response::DeformationSummary last = expected;
  for (auto _ : state) {
    state.PauseTiming();
    offsets = zero;
    if (stage == kDeform) {  // from the relaxed surface, whose place the last one took
      response.Place(offsets);
      response.Relax(controls, offsets);
      cast();
      response.RestrictDisplacements();
    }
    state.ResumeTiming();
    switch (stage) {
      case kRelax:
        response.Relax(controls, offsets);
        break;
      case kCast:
        cast();
        break;
      case kRestrict:
        response.RestrictDisplacements();
        break;
      case kDeform:
        last = response.Deform(controls, &offsets);
        break;
    }
  }
  if (last.pressed != expected.pressed || last.largest_move != expected.largest_move) {
    state.SkipWithError("another result than the first step");
  }
  PerVertex(state, points);
}
BENCHMARK_CAPTURE(BM_Stage, relax, kRelax)->Arg(129)->Arg(513);
BENCHMARK_CAPTURE(BM_Stage, cast, kCast)->Arg(129)->Arg(513);
BENCHMARK_CAPTURE(BM_Stage, restrict, kRestrict)->Arg(129)->Arg(513);
BENCHMARK_CAPTURE(BM_Stage, deform, kDeform)->Arg(129)->Arg(513);

}  // namespace
}  // namespace pliant
