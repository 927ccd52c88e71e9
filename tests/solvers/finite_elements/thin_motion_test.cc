// Shells and rods through the backend: what motion keeps, a closed form, orders, translations.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "models/scene/shapes.h"
#include "models/scene/validate.h"
#include "solvers/finite_elements/backend.h"
#include "tests/observed.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector2d;
using Eigen::Vector3d;

Body OfRubber(Body body, double thickness = 0.02) {
  body.material = Material{.density = 1000.0,
                           .youngs_modulus = 2e5,
                           .poisson_ratio = 0.3,
                           .law = ElasticLaw::kStVenantKirchhoff,
                           .thickness = thickness};
  body.mass = body.material->density * VolumeShares(body, thickness);
  return body;
}

struct ThinBody {
  std::string name;
  Body body;
  int dimension;
};

std::vector<ThinBody> ThinBodies() {
  const Body chain = MakeChain("chain", Vector3d(-0.5, 0.1, 0.0), Vector3d(0.5, -0.1, 0.0), 6, 1.0);
  return {{"Sheet", OfRubber(MakeSheet("sheet", Vector2d(1.0, 0.6), {4, 3}, 1.0)), 3},
          {"Tube", OfRubber(MakeTube("tube", 0.3, 0.8, {6, 3}, 1.0)), 3},
          {"Torus", OfRubber(MakeTorus("torus", 0.5, 0.2, {6, 5}, 1.0)), 3},
          {"Chain", OfRubber(chain), 3},
          {"ChainInPlane", OfRubber(chain), 2},
          {"Ring", OfRubber(MakeRing("ring", 0.4, 8, 1.0)), 2}};
}

// Spins, flies and rings.
Scene FlyingScene(const ThinBody& thin) {
  Scene scene;
  scene.name = "flying";
  scene.dimension = thin.dimension;
  scene.gravity.setZero();
  scene.bodies = {thin.body};
  Body& body = scene.bodies[0];
  const bool planar = thin.dimension == 2;
  body.position = Vector3d(0.3, 0.2, planar ? 0.0 : -0.1);
  body.velocity = Vector3d(1.0, 2.0, planar ? 0.0 : -0.5);
  body.angular_velocity = planar ? Vector3d(0.0, 0.0, 4.0) : Vector3d(3.0, -2.0, 4.0);
  body.stretch = Vector3d(1.05, 0.97, planar ? 1.0 : 1.02).asDiagonal();
  return scene;
}

Translation Translated(const Scene& scene, const ParameterValues& parameters) {
  Validate(scene);
  return TheBackend().Translate(std::make_shared<const Scene>(scene), parameters);
}

std::unique_ptr<Simulation> StartThin(const Scene& scene,
                                      ParameterValues parameters = {{"newton_tolerance", 1e-12}}) {
  Translation translation = Translated(scene, parameters);
  EXPECT_NE(translation.simulation, nullptr) << translation.record.WhyUnsupported();
  return std::move(translation.simulation);
}

class ThinMotion : public testing::TestWithParam<ThinBody> {};

TEST_P(ThinMotion, KeepsEnergyAndMomenta) {
  const auto simulation = StartThin(FlyingScene(GetParam()));
  const Observation start = Observed(*simulation);
  const auto total = [](const Observation& o) {
    return o.sums->kinetic_energy + o.sums->gravitational_energy + StoredEnergy(o);
  };
  ASSERT_GT(StoredEnergy(start), 0.0);
  double most_stored = 0.0;
  for (int step = 0; step < 200; ++step) {
    ASSERT_EQ(simulation->Advance(0.004).kind, StepOutcome::Kind::kAdvanced) << step;
    if (step % 10 != 9) continue;
    const Observation o = Observed(*simulation);
    most_stored = std::max(most_stored, std::abs(StoredEnergy(o) - StoredEnergy(start)));
    EXPECT_NEAR(total(o), total(start), 1e-8 * total(start)) << step;
    EXPECT_LT((o.sums->momentum - start.sums->momentum).norm(), 1e-9 * start.sums->momentum.norm());
    EXPECT_LT((o.sums->angular_momentum - start.sums->angular_momentum).norm(),
              1e-8 * start.sums->angular_momentum.norm());
  }
  EXPECT_GT(most_stored, 0.01 * StoredEnergy(start));  // it did move
}

TEST_P(ThinMotion, IsOfSecondOrderInTime) {
  const auto at_end = [](int steps) {
    const auto simulation = StartThin(FlyingScene(GetParam()));
    for (int step = 0; step < steps; ++step) simulation->Advance(0.02 / steps);
    return Observed(*simulation).points;
  };
  const Matrix3Xd reference = at_end(512);
  const double coarse = (at_end(32) - reference).norm(), middle = (at_end(64) - reference).norm(),
               fine = (at_end(128) - reference).norm();
  EXPECT_NEAR(std::log2(coarse / middle), 2.0, 0.25);
  EXPECT_NEAR(std::log2(middle / fine), 2.0, 0.25);
}

INSTANTIATE_TEST_SUITE_P(All, ThinMotion, testing::ValuesIn(ThinBodies()),
                         [](const auto& info) { return info.param.name; });

// A ring that is stretched evenly breathes with ω² = E/(ρ R²), EA alone (Love 1927, §293b); bending
// adds (thickness/radius)²/12, 2·10⁻⁴ here.
TEST(ThinBodyMotion, ARingBreathes) {
  const double radius = 0.4, stretch = 1e-4;
  Scene scene;
  scene.name = "breathing";
  scene.dimension = 2;
  scene.gravity.setZero();
  scene.bodies = {OfRubber(MakeRing("ring", radius, 16, 1.0))};
  scene.bodies[0].stretch = Vector3d(1.0 + stretch, 1.0 + stretch, 1.0).asDiagonal();
  // The mass of the polygon is spread over the circle.
  const Body& ring = scene.bodies[0];
  const double area = ring.material->thickness * ring.material->thickness;
  const double density = ring.mass.sum() / (2.0 * std::numbers::pi * radius * area);
  const double omega = std::sqrt(ring.material->youngs_modulus / density) / radius;
  const auto simulation = StartThin(scene);
  constexpr int kSteps = 400;
  const double h = 2.0 * std::numbers::pi / omega / kSteps;  // one period
  for (int step = 1; step <= kSteps; ++step) {
    simulation->Advance(h);
    if (step % 50 != 0) continue;
    const double strain = Observed(*simulation).points.col(3).norm() / radius - 1.0;
    EXPECT_NEAR(strain, stretch * std::cos(omega * step * h), 0.01 * stretch) << step;
  }
}

// Two rows of nailed points clamp a chain: it hangs from them under its weight and rings on.
TEST(ThinBodyMotion, ANailedChainKeepsItsEnergy) {
  Scene scene;
  scene.name = "cantilever";
  scene.dimension = 2;
  scene.bodies = {
      OfRubber(MakeChain("chain", Vector3d::Zero(), Vector3d(1.0, 0.0, 0.0), 11, 1.0), 0.05)};
  for (const int point : {0, 1}) {
    scene.nails.push_back(
        {"wall", {0, point}, Path::Still(Vector3d(0.1 * point, 0.0, 0.0)), {}, 0.0});
  }
  const auto simulation = StartThin(scene);
  const Observation start = Observed(*simulation);
  double lowest = 0.0;
  for (int step = 0; step < 200; ++step) {
    ASSERT_EQ(simulation->Advance(0.005).kind, StepOutcome::Kind::kAdvanced);
    const Observation o = Observed(*simulation);
    lowest = std::min(lowest, o.points(1, 10));
    EXPECT_NEAR(o.sums->kinetic_energy + o.sums->gravitational_energy + StoredEnergy(o),
                start.sums->gravitational_energy, 1e-8);
    EXPECT_LT(o.points.col(0).norm(), 1e-12);
  }
  EXPECT_LT(lowest, -0.05);
}

TEST(ThinTranslation, SaysWhatBodiesBecome) {
  for (const ThinBody& thin : ThinBodies()) {
    const Translation translation = Translated(FlyingScene(thin), {});
    const TranslatedElement body = EntryOf(translation, "body." + thin.body.name);
    EXPECT_EQ(body.fidelity, Fidelity::kApproximated);
    EXPECT_NE(body.reason.find("control points"), std::string::npos) << body.reason;
    const bool line = thin.body.shape == ShapeKind::kChain || thin.body.shape == ShapeKind::kRing;
    EXPECT_EQ(EntryOf(translation, "body." + thin.body.name + ".material").fidelity,
              line ? Fidelity::kApproximated : Fidelity::kExact);
  }
  ThinBody sheet = ThinBodies()[0];
  sheet.body.material->law = ElasticLaw::kNeoHookeanStable;
  EXPECT_NE(EntryOf(Translated(FlyingScene(sheet), {}), "body.sheet.material")
                .reason.find("neo-hookean-stable at small strain"),
            std::string::npos);
}

TEST(ThinTranslation, RefusesARingInSpaceAndABodyWithoutMaterial) {
  ThinBody ring = ThinBodies()[5];
  ring.dimension = 3;
  const Translation twisted = Translated(FlyingScene(ring), {});
  EXPECT_EQ(twisted.simulation, nullptr);
  EXPECT_NE(twisted.record.WhyUnsupported().find("twist"), std::string::npos);
  ThinBody bare = ThinBodies()[0];
  bare.body.material.reset();
  EXPECT_EQ(Translated(FlyingScene(bare), {}).simulation, nullptr);
}

}  // namespace
}  // namespace pliant::finite_elements
