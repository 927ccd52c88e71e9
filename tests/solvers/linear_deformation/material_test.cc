// Bodies whose material is in the scene.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "models/elasticity/law.h"
#include "models/linear_deformation/material.h"
#include "models/scene/shapes.h"
#include "tests/solvers/linear_deformation/scenes.h"

namespace pliant::linear_deformation {
namespace {

Material Soft(ElasticLaw law) {
  return {.density = 1000.0, .youngs_modulus = 1e5, .poisson_ratio = 0.3, .law = law};
}

// A block that starts stretched along x by a little and swings freely, without gravity.
Scene SwingingBlock(const Material& material, double stretch) {
  Scene scene;
  scene.name = "swing";
  scene.gravity.setZero();
  Body block = MakeBlock("block", {1.0, 1.0, 1.0}, {3, 3, 3}, 1.0);
  block.material = material;
  block.mass = material.density * VolumeShares(block, 0.0);
  block.stretch.diagonal() = Eigen::Vector3d(1.0 + stretch, 1.0 + stretch, 1.0 + stretch);
  scene.bodies.push_back(block);
  return scene;
}

TranslatedElement EntryOf(const Scene& scene, const std::string& element) {
  for (const TranslatedElement& entry : Translate(scene).record.Entries()) {
    if (entry.element == element) return entry;
  }
  ADD_FAILURE() << "no entry of " << element;
  return {};
}

TEST(SceneMaterial, IsHeldExactlyWhereTheLawIsTheSame) {
  EXPECT_EQ(EntryOf(SwingingBlock(Soft(ElasticLaw::kStVenantKirchhoff), 0.0), "body.block.material")
                .fidelity,
            Fidelity::kExact);
  EXPECT_EQ(EntryOf(SwingingBlock(Soft(ElasticLaw::kNeoHookeanStable), 0.0), "body.block.material")
                .fidelity,
            Fidelity::kExact);
  const TranslatedElement log =
      EntryOf(SwingingBlock(Soft(ElasticLaw::kNeoHookeanLog), 0.0), "body.block.material");
  EXPECT_EQ(log.fidelity, Fidelity::kApproximated);
  EXPECT_NE(log.reason.find("neo-hookean-stable"), std::string::npos) << log.reason;
}

// What the record calls exact has the energy of the law at any strain.
TEST(SceneMaterial, HeldExactlyIsTheEnergyOfTheLaw) {
  Eigen::Matrix3d F;
  F << 1.3, 0.2, -0.1, 0.05, 0.8, 0.15, 0.1, -0.2, 1.1;
  for (const ElasticLaw law : {ElasticLaw::kStVenantKirchhoff, ElasticLaw::kNeoHookeanStable}) {
    const Body block = SwingingBlock(Soft(law), 0.0).bodies[0];
    const LinearBody linear(block, 3, 1);
    const HeldMaterial held = MaterialOf(block, linear, {});
    EXPECT_EQ(held.differs, "");
    const double energy = DeformationEnergy(linear, held.material,
                                            linear.AffineCoordinates(F, Eigen::Vector3d::Zero()));
    const double expected =
        elasticity::Law(*block.material, false).Energy(F.transpose() * F, 1.0);  // of 1 m³
    EXPECT_NEAR(energy, expected, 1e-10 * expected);
  }
}

// An affine cube of density ρ and side L that dilates by s in all directions: kinetic energy
// ½ (ρ L⁵/12) 3 ṡ² with the points' ∫ x² dV, energy ½ (9 κ) L³ s² with the bulk modulus κ = λ + ⅔ μ.
TEST(SceneMaterial, DilatesWithTheFrequencyOfTheContinuum) {
  const Material material = Soft(ElasticLaw::kStVenantKirchhoff);
  const Scene scene = SwingingBlock(material, 1e-5);
  const Body& block = scene.bodies[0];
  const double moment = block.rest.row(0).array().square().matrix().dot(block.mass);  // kg m²
  const double bulk = material.Lambda() + 2.0 / 3.0 * material.Mu();
  const double omega = std::sqrt(9.0 * bulk / (3.0 * moment));
  const double period = 2.0 * std::numbers::pi / omega;
  const auto simulation = Start(scene, {{"integrator", std::string("rk4")}});
  constexpr int kSteps = 400;
  for (int i = 0; i < kSteps; ++i) simulation->Advance(0.5 * period / kSteps);
  Observation half;
  simulation->Observe(&half);
  // After half a period it is as thin as it was thick.
  const double stretch =
      half.points.col(block.size() - 1).x() / block.rest.col(block.size() - 1).x();
  EXPECT_NEAR(stretch - 1.0, -1e-5, 2e-9);
}

TEST(SceneMaterial, OfTwoBodiesAreTwo) {
  Scene scene = SwingingBlock(Soft(ElasticLaw::kStVenantKirchhoff), 1e-4);
  Body second = scene.bodies[0];
  second.name = "second";
  second.position.x() = 5.0;
  second.material->youngs_modulus *= 4.0;
  scene.bodies.push_back(second);
  const auto simulation = Start(scene, {});
  Observation start;
  simulation->Observe(&start);
  const auto alone = Start(SwingingBlock(Soft(ElasticLaw::kStVenantKirchhoff), 1e-4), {});
  Observation one;
  alone->Observe(&one);
  EXPECT_NEAR(*start.elastic_energy, 5.0 * *one.elastic_energy, 1e-12 * *start.elastic_energy);
}

TEST(SceneMaterial, OfAClosedSurfaceIsIgnoredInWords) {
  Scene scene;
  scene.name = "tube";
  Body tube = MakeTube("tube", 0.3, 1.0, {8, 5}, 1.0);
  tube.material = Soft(ElasticLaw::kStVenantKirchhoff);
  tube.material->thickness = 0.01;
  scene.bodies.push_back(tube);
  const TranslatedElement entry = EntryOf(scene, "body.tube.material");
  EXPECT_EQ(entry.fidelity, Fidelity::kIgnored);
  EXPECT_NE(entry.reason.find("fills the surface"), std::string::npos) << entry.reason;
}

}  // namespace
}  // namespace pliant::linear_deformation
