// One step of dynamic-ffd over the number of points and of modes: in free flight and above a floor
// (which cost the same however many points there are), on a floor (which looks at every point), and
// the experiment of the source's search for gaits. Each repetition starts from the same saved
// state; the end is held against the parabola of the centre of mass, or against the momentum that
// gravity and the floor gave.

#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>

#include "models/scene/metrics.h"
#include "models/scene/scene.h"
#include "solvers/dynamic_ffd/backend.h"

namespace pliant {
namespace {

constexpr double kStep = 1e-4;  // s
constexpr int kSteps = 100;     // a repetition

// n points spread over the unit disc (in space lifted to a shallow bowl), 1 kg in all.
Body Disc(int dimension, int n) {
  constexpr double kGoldenAngle = 2.399963229728653;
  Body body;
  body.name = "disc";
  body.rest.resize(3, n);
  for (int i = 0; i < n; ++i) {
    const double r = std::sqrt((i + 0.5) / n), angle = kGoldenAngle * i;
    body.rest.col(i) << r * std::cos(angle), r * std::sin(angle),
        dimension == 3 ? 0.2 * r * r : 0.0;
  }
  body.mass = Eigen::VectorXd::Constant(n, 1.0 / n);
  return body;
}

// Modes without symmetry, on the lattice of 4×4 control points.
MatrixTable Modes(int dimension, int count) {
  MatrixTable table;
  table.scalars = {{"degree_z", 0.0}};
  for (int k = 0; k < count; ++k) {
    NamedMatrix mode;
    mode.name = std::to_string(k);
    mode.values.resize(dimension, 16);
    for (int row = 0; row < dimension; ++row) {
      for (int c = 0; c < 16; ++c) {
        mode.values(row, c) = 0.1 * std::cos(1.0 + 1.7 * k + (2.3 + row + 0.9 * k) * c);
      }
    }
    mode.scalars = {{"stiffness", 20.0}, {"initial", 0.1}};
    table.entries.push_back(mode);
  }
  return table;
}

Scene Thrown(int dimension, int points) {
  Scene scene;
  scene.dimension = dimension;
  scene.bodies.push_back(Disc(dimension, points));
  scene.bodies[0].velocity = {1.0, 2.0, 0.0};
  scene.bodies[0].angular_velocity = {0.0, 0.0, 3.0};
  return scene;
}

std::unique_ptr<Simulation> Start(const Scene& scene, int modes) {
  return dynamic_ffd::TheBackend()
      .Translate(std::make_shared<const Scene>(scene), {{"modes", Modes(scene.dimension, modes)}})
      .simulation;
}

// Time per step of repetitions of kSteps steps from `state`; returns the last observation.
Observation Measure(benchmark::State& state, Simulation* simulation) {
  const Eigen::VectorXd start = simulation->Save();
  for (auto _ : state) {
    simulation->Restore(start);
    for (int i = 0; i < kSteps; ++i) benchmark::DoNotOptimize(simulation->Advance(kStep));
  }
  state.counters["step"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * kSteps,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  Observation end;
  simulation->Observe(&end);
  return end;
}

void FreeFlight(benchmark::State& state) {
  const Scene scene = Thrown(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  const auto simulation = Start(scene, static_cast<int>(state.range(2)));
  const Observation end = Measure(state, simulation.get());
  const Eigen::VectorXd m = scene.Masses();
  // Semi-implicit Euler falls g h t/2 below the parabola.
  const double t = kSteps * kStep;
  const Eigen::Vector3d expected = CentreOfMass(m, scene.InitialPoints()) +
                                   t * scene.bodies[0].velocity +
                                   0.5 * t * (t + kStep) * scene.gravity;
  if (!((CentreOfMass(m, end.points) - expected).norm() < 1e-12)) {
    state.SkipWithError("the centre of mass left its parabola");
  }
}
BENCHMARK(FreeFlight)
    ->ArgNames({"dimension", "points", "modes"})
    ->ArgsProduct({{2, 3}, {11, 100, 1000, 10000}, {4}})
    ->ArgsProduct({{2, 3}, {100}, {1, 2, 8, 16}});

// In free flight, with a floor far below that must be found to be far.
void AboveTheFloor(benchmark::State& state) {
  Scene scene = Thrown(2, static_cast<int>(state.range(0)));
  scene.obstacles.push_back({"floor", Plane{}, Path::Still({0.0, -5.0, 0.0}), 0.5});
  const auto simulation = Start(scene, 4);
  const Observation end = Measure(state, simulation.get());
  if ((*end.work)[WorkClass::kContact] != 0.0) state.SkipWithError("it must not touch the floor");
}
BENCHMARK(AboveTheFloor)->ArgName("points")->RangeMultiplier(10)->Range(10, 10000);

void OnTheFloor(benchmark::State& state) {
  Scene scene = Thrown(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  scene.bodies[0].velocity = {0.0, -1.0, 0.0};
  const double floor = scene.InitialPoints().row(1).minCoeff() + 0.05;  // the lower rim is in it
  scene.obstacles.push_back({"floor", Plane{}, Path::Still({0.0, floor, 0.0}), 0.0});
  const auto simulation = Start(scene, static_cast<int>(state.range(2)));
  const Observation end = Measure(state, simulation.get());
  const Eigen::VectorXd m = scene.Masses();
  const Eigen::Vector3d fallen = scene.bodies[0].velocity + kSteps * kStep * scene.gravity;
  const Eigen::Vector3d push = LinearMomentum(m, *end.velocities) - fallen;  // of 1 kg
  if (!(push.y() > 1e-3 && std::abs(push.x()) < 1e-9)) {
    state.SkipWithError("a smooth floor must push upwards and nowhere else");
  }
}
BENCHMARK(OnTheFloor)
    ->ArgNames({"dimension", "points", "modes"})
    ->ArgsProduct({{2, 3}, {11, 100, 1000, 10000}, {4}});

// The table of the source: 11 points, 108 kg, 400 m × 300 m (one pixel is one metre).
Body Table() {
  Body body;
  body.name = "table";
  body.rest.resize(3, 11);
  body.mass.resize(11);
  int n = 0;
  auto add = [&](double s, double t, double mass) {
    body.rest.col(n) << 400.0 * s, 300.0 * t, 0.0;
    body.mass[n++] = mass;
  };
  for (double s : {0.0, 0.25, 0.5, 0.75, 1.0}) add(s, 1.0, 12.0);
  for (double s : {0.125, 0.875}) {
    for (double t : {0.0, 0.3, 0.6}) add(s, t, 8.0);
  }
  return body;
}

// Vertical shear, horizontal bend, vertical and horizontal squash on 4×4 control points, with the
// gains of the source's poses.
MatrixTable TableModes() {
  MatrixTable table;
  table.scalars = {{"size_x", 400.0}, {"size_y", 300.0}};
  auto add = [&table](const char* name, double stiffness, auto displacement) {
    NamedMatrix mode;
    mode.name = name;
    mode.values.resize(2, 16);
    for (int j = 0; j < 4; ++j) {
      for (int i = 0; i < 4; ++i) mode.values.col(i + 4 * j) = displacement(i, j);
    }
    mode.scalars = {{"stiffness", stiffness}, {"damping", 0.625 * stiffness}, {"initial", 0.2}};
    table.entries.push_back(mode);
  };
  using Eigen::Vector2d;
  add("shear", 4e5, [](int i, int) { return Vector2d(0.0, -100.0 * (1.0 - 2.0 * i / 3.0)); });
  add("bend", 4e5, [](int i, int j) {
    return Vector2d((i < 2 ? 1.0 : -1.0) * (150.0 - 100.0 * j), i == 1 || i == 2 ? 100.0 : 0.0);
  });
  add("vertical squash", 4e5, [](int, int j) { return Vector2d(0.0, -60.0 * j); });
  add("horizontal squash", 4e5, [](int i, int) { return Vector2d(-60.0 * (i - 1.5), 0.0); });
  return table;
}

// The source's search: 60 trials of 1200 steps of 0.01 s on the ground [Faloutsos 1995, Ch. 5],
// without the controller. The table lands, and stands.
void SixtyTrials(benchmark::State& state) {
  Scene scene;
  scene.dimension = 2;
  scene.bodies.push_back(Table());
  scene.bodies[0].position = {0.0, 5.0, 0.0};
  scene.obstacles.push_back({"ground", Plane{}, Path::Still(Eigen::Vector3d::Zero()), 0.1});
  const auto simulation =
      dynamic_ffd::TheBackend()
          .Translate(std::make_shared<const Scene>(scene), {{"modes", TableModes()},
                                                            {"contact_stiffness", 4500.0},
                                                            {"contact_damping", 550.0},
                                                            {"contact_tangential_damping", 50.0}})
          .simulation;
  const Eigen::VectorXd start = simulation->Save();
  for (auto _ : state) {
    for (int trial = 0; trial < 60; ++trial) {
      simulation->Restore(start);
      for (int i = 0; i < 1200; ++i) benchmark::DoNotOptimize(simulation->Advance(0.01));
    }
  }
  Observation end;
  simulation->Observe(&end);
  const double speed = end.velocities->colwise().norm().maxCoeff();
  if (!(end.points.row(1).minCoeff() < 0.0 && speed < 5.0)) {
    state.SkipWithError("the table must land and stay");
  }
}
BENCHMARK(SixtyTrials)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace pliant
