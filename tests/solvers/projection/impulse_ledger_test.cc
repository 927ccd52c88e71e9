// The ledger of segments and rigid bodies: the work of each impulse by itself explains their energy up
// to what a step turns them, so that the residual falls with the step and shows a correction that no
// element made.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "tests/solvers/displacement_constraints/scenes.h"
#include "tests/solvers/projection/scenes.h"

namespace pliant {
namespace {

using displacement_constraints::DisplacementConstraintsOptions;
using displacement_constraints::DisplacementConstraintsSimulation;
using displacement_constraints::PhaseView;
using displacement_constraints::SegmentSystem;
using displacement_constraints::StepPhase;
using Eigen::Vector3d;

constexpr double kDuration = 0.4;  // s

double Gained(const Scene& scene, const Observation& start, const Observation& end) {
  return EnergyOf(scene, end) - EnergyOf(scene, start);
}

// A chain that swings from a nail, with a tail attached to its end.
Scene Swinging() {
  Scene scene = SceneOf({MakeChain("chain", {0, 0, 0}, {1, -0.5, 0.3}, 5, 1.0),
                         MakeChain("tail", {0, 0, 0}, {0.4, 0.1, -0.2}, 3, 0.5)});
  scene.bodies[1].position = {1, -0.5, 0.3};
  scene.nails = {NailWhereItStarts(scene, "hook", {0, 0})};
  scene.attachments = {{"joint", {0, 4}, {1, 0}}};
  return scene;
}

// The same with wind, springs, a nail that moves and a floor that rubs.
Scene Rough() {
  Scene scene = Swinging();
  scene.nails[0].path = PathThrough({0.0, 0.1, 0.3}, {{0, 0, 0}, {0.05, 0.1, 0}, {0.1, 0, 0.1}},
                                    Path::Interpolation::kCubic);
  scene.obstacles = {Floor("floor", Vector3d::UnitY(), 0.4)};
  scene.obstacles[0].motion = Path::Still({0.0, -0.7, 0.0});
  scene.forces = {{"wind", {0, 2}, {0.0, 0.0, 2.0}, 0.05, 0.25}};
  scene.springs = {{"spring", {0, 1}, PointRef{1, 2}, {}, 5.0, 0.3, 0.1}};
  return scene;
}

struct LedgerCase {
  const char* name;
  const char* formulation;
  Scene scene;
  ParameterValues parameters;
};

class ImpulseLedger : public testing::TestWithParam<LedgerCase> {};

std::vector<LedgerCase> Cases() {
  const char *segments = kSweepingFormulations[0], *points = kSweepingFormulations[1];
  const auto all = std::vector<std::string>{"*"};
  const auto one = std::vector<std::string>{"tail"};
  const std::string rod = "rod", unit = "identity";
  return {
      {"Segments", segments, Swinging(), {}},
      {"Rods", segments, Swinging(), {{"inertia", rod}}},
      {"UnitInertia", segments, Swinging(), {{"inertia", unit}}},
      {"Relaxed", segments, Swinging(), {{"relaxation", 1.3}}},
      {"WarmStart", segments, Swinging(), {{"warm_start", 0.5}}},
      {"Levels", segments, Swinging(), {{"solver_levels", std::int64_t{2}}}},
      {"RigidBodies", segments, Swinging(), {{"rigid_bodies", all}}},
      {"RigidOfUnitInertia", segments, Swinging(), {{"rigid_bodies", all}, {"inertia", unit}}},
      {"OneRigidBody", segments, Swinging(), {{"rigid_bodies", one}}},
      {"RigidAmongPoints", points, Swinging(), {{"rigid_bodies", one}}},
      {"RoughSegments", segments, Rough(), {}},
      {"RoughBouncing", segments, Rough(), {{"bounce", 0.5}}},
      {"RoughRigid", segments, Rough(), {{"rigid_bodies", all}}},
      {"RoughRigidAmongPoints", points, Rough(), {{"rigid_bodies", one}}},
  };
}

INSTANTIATE_TEST_SUITE_P(Cases, ImpulseLedger, testing::ValuesIn(Cases()),
                         [](const auto& info) { return info.param.name; });

// Summed over the steps, of either sign: what one step leaves does not cancel that of another. At third
// order in smooth motion, at second where something hits or dampers act.
TEST_P(ImpulseLedger, TheResidualFallsWithTheStep) {
  const LedgerCase& one = GetParam();
  std::array<double, 3> left{};
  double exchanged = 0.0;
  for (size_t i = 0; i < left.size(); ++i) {
    const double h = 4e-3 / (1 << i);
    ParameterValues parameters = one.parameters;
    parameters.emplace("tolerance", 1e-8);
    parameters.emplace("max_sweeps", std::int64_t{100000});
    const auto translation = TranslateBy(one.formulation, one.scene, parameters);
    Observation start;
    translation.simulation->Observe(&start);
    Observation before = start, now = start;
    const int steps = static_cast<int>(std::lround(kDuration / h));
    for (int k = 0; k < steps; ++k) {
      now = RunFor(translation.simulation.get(), 1, h);
      left[i] += std::abs(Gained(one.scene, before, now) -
                          (now.work->TotalWork() - before.work->TotalWork()));
      before = now;
    }
    exchanged = std::abs(Gained(one.scene, start, now)) +
                KineticEnergy(one.scene.Masses(), *now.velocities);
  }
  EXPECT_LT(left[2], 1e-4 * exchanged);
  if (left[2] < 1e-9) return;  // rounding of so many steps
  EXPECT_GT(0.5 * std::log2(left[0] / left[2]), 1.75);
}

// Displaces the free motion of every step by what no element gave. The view is const for watchers that
// keep their promise.
template <typename Displace>
void DisplaceFalsely(DisplacementConstraintsSimulation* simulation, const Displace& displace) {
  simulation->WatchPhases([displace](const PhaseView& view) {
    if (view.phase == StepPhase::kDynamics) displace(view);
  });
}

void PushSegments(const PhaseView& view, const Vector3d& by) {
  const_cast<SegmentSystem&>(view.segments).centres.colwise() += by;  // NOLINT
}

struct Seen {
  double gained, residual;
};

template <typename Displace>
Seen RunFalsely(const Scene& scene, const DisplacementConstraintsOptions& options, double h,
                const Displace& displace) {
  const auto simulation = displacement_constraints::Start(scene, options);
  Observation start;
  simulation->Observe(&start);
  DisplaceFalsely(simulation.get(), displace);
  const Observation end = RunFor(simulation.get(), static_cast<int>(std::lround(0.2 / h)), h);
  const double gained = Gained(scene, start, end);
  return {gained, gained - end.work->TotalWork()};
}

// A free rod that a false correction accelerates by a: all it gains is left over.
TEST(ImpulseLedgerFalse, OfAFreeRodEverythingIsLeftOver) {
  const Scene scene = Weightless({MakeChain("rod", {0, 0, 0}, {1, 0, 0}, 2, 2.0)});
  const Vector3d a(0.0, 3.0, 0.0);
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    for (const bool rigid : {false, true}) {
      DisplacementConstraintsOptions options;
      if (rigid) options.rigid_bodies = {"*"};
      const Seen seen = RunFalsely(scene, options, h, [&](const PhaseView& view) {
        if (!rigid) return PushSegments(view, h * h * a);
        auto& pieces = const_cast<RigidPieces&>(view.rigid);  // NOLINT
        for (const int p : {0, 1}) pieces.Push({1, {p}, {1.0}}, h * h * a);
      });
      EXPECT_NEAR(seen.gained, 0.5 * 2.0 * 0.36, 1e-10) << rigid;
      EXPECT_NEAR(seen.residual, seen.gained, 1e-10) << rigid;
    }
  }
}

// Of a chain on a nail too: what the false correction gave, while the ledger of the true ones keeps a
// residual that falls with the step. What it gave stays, whatever the step.
TEST(ImpulseLedgerFalse, OfASwingingChainItIsLeftOverAtEveryStep) {
  const Scene scene = Swinging();
  DisplacementConstraintsOptions options;
  options.tolerance = 1e-8;
  options.max_sweeps = 100000;
  const Vector3d a(2.0, 0.0, 1.0);
  double smallest = INFINITY, largest = 0.0, truly = 0.0;
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    const Seen seen = RunFalsely(scene, options, h,
                                 [&](const PhaseView& view) { PushSegments(view, h * h * a); });
    smallest = std::min(smallest, std::abs(seen.residual));
    largest = std::max(largest, std::abs(seen.residual));
    truly = std::abs(RunFalsely(scene, options, h, [](const PhaseView&) {}).residual);
    EXPECT_GT(std::abs(seen.residual), 20.0 * truly) << h;
  }
  EXPECT_GT(smallest, 0.05) << "J";
  EXPECT_LT(largest, 1.3 * smallest);
}

}  // namespace
}  // namespace pliant
