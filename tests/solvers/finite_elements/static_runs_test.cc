// Equilibria of whole scenes, one per load step: time_scheme = "static".

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "models/scene/shapes.h"
#include "models/scene/validate.h"
#include "solvers/finite_elements/backend.h"
#include "tests/solvers/finite_elements/started.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

std::unique_ptr<Simulation> StartStatic(const Scene& scene, ParameterValues parameters = {}) {
  parameters["time_scheme"] = std::string("static");
  return Start(scene, parameters);
}

Material Elastic(double E, double thickness, ElasticLaw law) {
  Material material;
  material.density = 1000.0;
  material.youngs_modulus = E;
  material.poisson_ratio = 0.0;
  material.law = law;
  material.thickness = thickness;
  return material;
}

// [Bisshopp & Drucker 1945] α = P L²/(E I) = 0.25 … 10 at ten load steps of one run.
TEST(StaticRun, ElasticaAtTenLoads) {
  constexpr int kSpans = 50;  // of a half
  Scene scene;
  scene.name = "elastica";
  scene.dimension = 2;
  scene.gravity.setZero();
  Body chain = MakeChain("rod", {-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, 2 * kSpans + 1, 1.0);
  const double side = 0.004, E = 1e9;
  chain.material = Elastic(E, side, ElasticLaw::kCorotated);
  scene.bodies = {chain};
  const Matrix3Xd rest = scene.InitialPoints();
  ASSERT_NEAR((rest.col(2 * kSpans) - rest.col(0)).norm(), 2.0, 1e-12);
  const Vector3d along = (rest.col(2 * kSpans) - rest.col(0)).normalized();
  const Vector3d down(along.y(), -along.x(), 0.0);
  // Twice the length, nailed at its middle point alone: by its symmetry two cantilevers, whose tangent
  // at the middle is exact. The loads hold it level, since their points sink.
  scene.nails.push_back({"middle", {0, kSpans}, Path::Still(rest.col(kSpans))});
  const double force = 10.0 * E * side * side * side * side / 12.0;  // α = 10 at full load
  scene.forces.push_back({"left", {0, 0}, force * down});
  scene.forces.push_back({"right", {0, 2 * kSpans}, force * down});
  const auto simulation = StartStatic(scene, {{"load_time", 10.0}});
  const Observation start = Observe(*simulation);
  constexpr std::array<std::array<double, 3>, 10> kTable = {{{0.25, 0.082746, 0.995882},
                                                             {0.5, 0.162144, 0.984081},
                                                             {1.0, 0.301721, 0.943567},
                                                             {2.0, 0.493457, 0.839358},
                                                             {3.0, 0.603253, 0.745580},
                                                             {4.0, 0.669964, 0.671059},
                                                             {5.0, 0.713792, 0.612372},
                                                             {6.0, 0.744571, 0.565411},
                                                             {8.0, 0.784982, 0.495172},
                                                             {10.0, 0.810609, 0.445004}}};
  for (const auto& [alpha, sag, reach] : kTable) {
    while (simulation->time() < alpha - 1e-9) {
      ASSERT_EQ(simulation->Advance(0.25).kind, StepOutcome::Kind::kAdvanced) << alpha;
    }
    const Observation o = Observe(*simulation);
    const Vector3d tip = o.points.col(2 * kSpans) - o.points.col(kSpans);
    EXPECT_NEAR(tip.dot(down), sag, 1e-4) << alpha;
    EXPECT_NEAR(tip.dot(along), reach, 1e-4) << alpha;
  }
  // What the loads did is what the rod stores.
  const Observation end = Observe(*simulation);
  EXPECT_NEAR(*end.elastic_energy, end.work->TotalWork(), 0.01 * *end.elastic_energy);
  EXPECT_EQ(end.sums->kinetic_energy, 0.0);
}

// Linear, ν = 0: the tip of a bar sinks by ρ g L²/(2 E), in proportion to the part of the load.
TEST(StaticRun, HangingBar) {
  Scene scene;
  scene.name = "bar";
  scene.gravity = {9.81, 0.0, 0.0};
  Body bar = MakeBlock("bar", {0.4, 0.1, 0.1}, {5, 2, 2}, 1.0);
  bar.material = Elastic(2e5, 0.0, ElasticLaw::kLinear);
  bar.mass = bar.material->density * VolumeShares(bar, 0.0);
  scene.bodies = {bar};
  const Matrix3Xd rest = scene.InitialPoints();
  for (int p = 0; p < rest.cols(); p += 5)
    scene.nails.push_back({"wall", {0, p}, Path::Still(rest.col(p))});
  const auto simulation = StartStatic(scene, {{"load_time", 4.0}});
  for (int step = 1; step <= 4; ++step) {
    ASSERT_EQ(simulation->Advance(1.0).kind, StepOutcome::Kind::kAdvanced);
    const double sag = Observe(*simulation).points(0, 4) - rest(0, 4);
    EXPECT_NEAR(sag, step / 4.0 * 1000.0 * 9.81 * 0.16 / 4e5, 1e-9);
  }
}

Scene Bars(int count) {
  Scene scene;
  scene.name = "bars";
  for (int b = 0; b < count; ++b) {
    Body bar = MakeBlock("bar-" + std::to_string(b), {0.4, 0.1, 0.1}, {5, 2, 2}, 1.0);
    bar.material = Elastic(2e5, 0.0, ElasticLaw::kLinear);
    bar.rest.row(1).array() += b;
    scene.bodies.push_back(std::move(bar));
  }
  scene.gravity.setZero();
  return scene;
}

// Why no equilibrium of it is looked for; empty: it is.
std::string WhyNot(const Scene& scene) {
  const Translation translation = TheBackend().Translate(std::make_shared<const Scene>(scene),
                                                         {{"time_scheme", std::string("static")}});
  EXPECT_EQ(translation.simulation == nullptr, !translation.record.supported());
  return translation.record.WhyUnsupported();
}

bool Says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

TEST(StaticRun, RefusesImpulses) {
  Scene scene = Bars(1);
  scene.impulses.push_back({"kick", {0, 0}, {1.0, 0.0, 0.0}, 0.0});
  EXPECT_TRUE(Says(WhyNot(scene), "no momentum"));
}

TEST(StaticRun, RefusesForcesThatEnd) {
  Scene scene = Bars(1);
  scene.forces.push_back({"carried", {0, 0}, {0.0, 1.0, 0.0}});
  EXPECT_EQ(WhyNot(scene), "");
  scene.forces[0].until = 0.8;
  EXPECT_TRUE(Says(WhyNot(scene), "--unset scene.force.carried"));
  scene.forces[0].until = std::numeric_limits<double>::infinity();
  scene.forces[0].from = 0.1;
  EXPECT_TRUE(Says(WhyNot(scene), "no time at which a force begins or ends"));
}

// Through attachments, springs and contact a body may hang on one that is held.
TEST(StaticRun, RefusesWhatGravityTakesAway) {
  Scene scene = Bars(2);
  scene.gravity = {0.0, -9.81, 0.0};
  EXPECT_TRUE(Says(WhyNot(scene), "--unset scene.body.bar-0"));
  EXPECT_TRUE(Says(WhyNot(scene), "--unset scene.body.bar-1"));
  const Scene free = scene;
  const Vector3d corner = scene.bodies[0].rest.col(0);
  scene.nails.push_back({"wall", {0, 0}, Path::Still(corner)});
  EXPECT_EQ(WhyNot(scene), "");  // it falls onto the other one
  scene.contacts.push_back({0, 1, true});
  EXPECT_FALSE(Says(WhyNot(scene), "bar-0"));
  EXPECT_TRUE(Says(WhyNot(scene), "nothing holds it"));
  Scene spring = scene;
  spring.springs.push_back({"spring", {0, 19}, PointRef{1, 0}, Vector3d::Zero(), 100.0, 0.0, 1.0});
  EXPECT_EQ(WhyNot(spring), "");
  scene.springs.push_back({"spring", {1, 0}, std::nullopt, Vector3d::Zero(), 100.0, 0.0, 1.0});
  EXPECT_EQ(WhyNot(scene), "");
  Scene floor = free;
  Obstacle plane;
  plane.name = "floor";
  plane.shape = Plane{};
  plane.motion = Path::Still({0.0, -1.0, 0.0});
  floor.obstacles.push_back(plane);
  EXPECT_EQ(WhyNot(floor), "");
  Scene weightless = free;
  weightless.gravity.setZero();
  EXPECT_EQ(WhyNot(weightless), "");
}

// Of a block under its weight, g the acceleration, at rest above a floor or a block that is nailed to the ground: it falls
// through the gap and lies there.
struct Lying {
  double carried = 0.0;  // N, by what lies below
  double depth = 0.0;    // m, of its centre below the initial one
};
Lying LieDown(bool rigid, bool on_block, int load_steps) {
  Scene scene;
  scene.name = "lying";
  scene.gravity = {0.0, -9.81, 0.0};
  const auto block = [](const std::string& name, const Vector3d& size, const Vector3d& at) {
    Body body = MakeBlock(name, size, {3, 3, 3}, 1.0);
    body.material = Elastic(1e5, 0.0, ElasticLaw::kNeoHookeanStable);
    body.material->poisson_ratio = 0.3;
    body.mass = body.material->density * VolumeShares(body, 0.0);
    body.position = at;
    return body;
  };
  scene.bodies.push_back(block("above", {0.2, 0.2, 0.2}, {0.0, 0.15, 0.0}));
  scene.bodies[0].rigid = rigid;
  if (on_block) {
    scene.bodies.push_back(block("below", {0.4, 0.2, 0.4}, {0.0, -0.1, 0.0}));
    const Matrix3Xd x = scene.InitialPoints();
    const int first = scene.bodies[0].size();
    for (int p = first; p < x.cols(); ++p) {
      if (x(1, p) > -0.199) continue;
      scene.nails.push_back({"ground", {1, p - first}, Path::Still(x.col(p))});
    }
  } else {
    scene.obstacles.push_back({.name = "floor", .shape = Plane{Vector3d::UnitY()}});
  }
  // Without friction nothing else keeps it from sliding and turning about the vertical.
  const auto guide = [&scene](const char* name, int point, const Vector3d& normal) {
    scene.sliders.push_back({.name = name,
                             .point = {0, point},
                             .kind = Slider::Kind::kPlane,
                             .direction = normal,
                             .through = scene.InitialPoints().col(point)});
  };
  guide("x", 13, Vector3d::UnitX());
  guide("z", 12, Vector3d::UnitZ());
  guide("turn", 14, Vector3d::UnitZ());
  const auto simulation = StartStatic(scene, {{"load_time", 1.0}, {"contact_thickness", 0.002}});
  const double start = Observe(*simulation).points.leftCols(27).row(1).mean();
  for (int step = 0; step < load_steps; ++step) {
    EXPECT_EQ(simulation->Advance(1.0 / load_steps).kind, StepOutcome::Kind::kAdvanced)
        << rigid << on_block << " step " << step;
  }
  const Observation end = Observe(*simulation);
  Lying lying;
  lying.depth = start - end.points.leftCols(27).row(1).mean();
  // The force of the floor; of a block what its nails carry beside its weight. (Guides bear what is left across.)
  if (on_block) {
    lying.carried = simulation->ConstraintForces()->row(1).sum() - 32.0 * 9.81;
  } else {
    lying.carried = end.extras.at(end.extras.size() - 2).value();
  }
  return lying;
}

TEST(StaticRun, WhatNothingHoldsFallsUntilItLies) {
  for (const bool on_block : {false, true}) {
    for (const bool rigid : {false, true}) {
      const Lying once = LieDown(rigid, on_block, 1), often = LieDown(rigid, on_block, 4);
      const double weight = 8.0 * 9.81;
      EXPECT_NEAR(once.carried, weight, 1e-6 * weight) << on_block << rigid;
      EXPECT_NEAR(often.carried, weight, 1e-6 * weight);
      EXPECT_NEAR(once.depth, often.depth, 1e-6);
      EXPECT_GT(once.depth, 0.05 - 0.002);
      EXPECT_LT(once.depth, 0.07);
    }
  }
}

// One iteration finds no equilibrium. The loads have risen all the same, which is their work.
TEST(StaticRun, ALoadStepThatFailsMakesNoEnergy) {
  Scene scene = Bars(1);
  scene.gravity = {2.0, -9.81, 0.0};
  scene.bodies[0].position = {0.0, 1.0, 0.0};
  const Matrix3Xd rest = scene.InitialPoints();
  for (int p = 0; p < rest.cols(); p += 5)
    scene.nails.push_back({"wall", {0, p}, Path::Still(rest.col(p))});
  scene.bodies[0].material->law = ElasticLaw::kNeoHookeanStable;
  const auto simulation =
      StartStatic(scene, {{"load_time", 1.0}, {"newton_iterations", std::int64_t{1}}});
  const double start = TotalEnergy(Observe(*simulation));
  EXPECT_EQ(simulation->Advance(1.0).kind, StepOutcome::Kind::kNotConverged);
  const Observation end = Observe(*simulation);
  const double change = TotalEnergy(end) - start;
  EXPECT_GT(std::abs(change), 0.1);
  EXPECT_NEAR(change, end.work->TotalWork(), 1e-3 * std::abs(change));
}

}  // namespace
}  // namespace pliant::finite_elements
