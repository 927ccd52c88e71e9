// What bodies hold of their materials, measured: the measure itself against closed forms, then the
// bodies that formulations build against the constants that the scene asks for.

#include "solvers/effective_material.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <string>

#include "models/scene/material.h"
#include "models/scene/shapes.h"
#include "solvers/displacement_constraints/backend.h"
#include "solvers/dynamic_ffd/backend.h"
#include "solvers/finite_elements/backend.h"
#include "solvers/linear_deformation/backend.h"
#include "solvers/position_based/backend.h"

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kE = 3e4, kNu = 0.35, kDensity = 1200.0, kAlpha = 0.4, kBeta = 0.02;

// 1 + ε of Hooke's law with viscosity β, in a volume of 0.5 m³ of 2 m length.
MaterialProbe Hooke(int axes) {
  MaterialProbe probe;
  for (int a = 0; a < axes; ++a) probe.axes.emplace_back(Vector3d::Unit(a));
  probe.volume = 0.5;
  probe.length = 2.0;
  probe.mass = kDensity * 0.5;
  probe.mass_damping = kAlpha;
  const double mu = kE / (2.0 * (1.0 + kNu));
  // Plane stress in a plane, E along a line.
  const double lambda = axes == 3   ? kE * kNu / ((1.0 + kNu) * (1.0 - 2.0 * kNu))
                        : axes == 2 ? kE * kNu / (1.0 - kNu * kNu)
                                    : kE - 2.0 * mu;
  const auto energy = [=](const Matrix3d& strain) {
    return 0.5 * (mu * strain.squaredNorm() + 0.5 * lambda * strain.trace() * strain.trace());
  };
  probe.energy = [=](const Matrix3d& F) { return std::optional(energy(F - Matrix3d::Identity())); };
  probe.loss = [=](const Matrix3d& rate) { return 2.0 * kBeta * energy(rate); };
  return probe;
}

double RatioAt(double omega) { return 0.5 * (kAlpha / omega + kBeta * omega); }

TEST(Measure, FindsTheConstantsOfHookesLaw) {
  const double omega = std::numbers::pi / 2.0 * std::sqrt(kE / kDensity);
  for (const int axes : {1, 2, 3}) {
    const EffectiveMaterial held = Measure(Hooke(axes));
    ASSERT_EQ(held.youngs_moduli.size(), static_cast<size_t>(axes));
    for (const auto& E : held.youngs_moduli) EXPECT_NEAR(E.value(), kE, 1e-6 * kE);
    EXPECT_EQ(held.poisson_ratio.has_value(), axes > 1);
    if (axes > 1) {
      EXPECT_NEAR(held.poisson_ratio.value(), kNu, 1e-6);
    }
    EXPECT_NEAR(held.density, kDensity, 1e-9);
    EXPECT_NEAR(held.frequency.value(), omega / (2.0 * std::numbers::pi), 1e-5);
    EXPECT_NEAR(held.damping_ratio.value(), RatioAt(omega), 1e-5 * RatioAt(omega));
  }
}

// What keeps its width is stiffer by 1/(1 − ν²) in a plane, and has no contraction; what keeps its
// length is rigid.
TEST(Measure, TakesStrainsThatTheBodyHasNotAsKept) {
  MaterialProbe probe = Hooke(2);
  const auto all = probe.energy;
  probe.energy = [all](const Matrix3d& F) {
    return std::abs(F(1, 1) - 1.0) > 1e-12 ? std::nullopt : all(F);
  };
  EffectiveMaterial held = Measure(probe);
  EXPECT_NEAR(held.youngs_moduli[0].value(), kE / (1.0 - kNu * kNu), 1e-6 * kE);
  EXPECT_FALSE(held.youngs_moduli[1].has_value());
  EXPECT_EQ(held.poisson_ratio, 0.0);
  probe.energy = [all](const Matrix3d& F) {
    return std::abs(F(0, 0) - 1.0) > 1e-12 ? std::nullopt : all(F);
  };
  held = Measure(probe);
  EXPECT_FALSE(held.youngs_moduli[0].has_value());
  EXPECT_FALSE(held.poisson_ratio.has_value());
  EXPECT_FALSE(held.damping_ratio.has_value());
}

TEST(Measure, TakesABodyThatCanOnlyBendAsRigid) {
  MaterialProbe probe = Hooke(3);
  probe.energy = [](const Matrix3d&) { return std::optional<double>(); };
  const EffectiveMaterial held = Measure(probe);
  ASSERT_EQ(held.youngs_moduli.size(), 3u);
  for (const auto& E : held.youngs_moduli) EXPECT_FALSE(E.has_value());
  EXPECT_FALSE(held.poisson_ratio.has_value());
  EXPECT_NEAR(held.density, kDensity, 1e-9);
}

// A net of springs along the diagonals and sides of squares has E along its sides and along none of
// its shears the isotropic relation: E_x = E_y, and ν is what C gives.
TEST(Measure, FindsPoissonsRatioOfATriangularNet) {
  // Equilateral triangles of unit springs of unit length: the isotropic net, ν = 1/3 in its plane.
  MaterialProbe probe = Hooke(2);
  probe.loss = {};
  probe.energy = [](const Matrix3d& F) -> std::optional<double> {
    double energy = 0.0;
    for (const double angle : {0.0, std::numbers::pi / 3.0, 2.0 * std::numbers::pi / 3.0}) {
      const Vector3d edge(std::cos(angle), std::sin(angle), 0.0);
      const double stretch = (F * edge).norm() - 1.0;
      energy += 0.5 * stretch * stretch;
    }
    return energy;
  };
  const EffectiveMaterial held = Measure(probe);
  EXPECT_NEAR(held.poisson_ratio.value(), 1.0 / 3.0, 1e-6);
  EXPECT_NEAR(*held.youngs_moduli[0], *held.youngs_moduli[1], 1e-6 * *held.youngs_moduli[0]);
}

Scene BlockScene(ElasticLaw law) {
  Scene scene;
  Body block = MakeBlock("block", {2.0, 0.6, 0.8}, {3, 3, 3}, 1.0);
  block.material = Material{.density = kDensity,
                            .youngs_modulus = kE,
                            .poisson_ratio = kNu,
                            .law = law,
                            .mass_damping = kAlpha,
                            .stiffness_damping = kBeta};
  block.mass = kDensity * VolumeShares(block, 0.0);
  scene.bodies.push_back(block);
  return scene;
}

// The one row of the table of what bodies hold.
std::vector<std::string> HeldBy(const Backend& backend, const Scene& scene,
                                const ParameterValues& parameters) {
  const Translation translation =
      backend.Translate(std::make_shared<const Scene>(scene), parameters);
  for (const FindingTable& table : translation.findings) {
    if (!table.title.starts_with("effective material constants")) continue;
    EXPECT_EQ(table.rows.size(), 1u);
    for (const TranslatedElement& entry : translation.record.Entries()) {
      if (entry.element == "body.block.material") {
        EXPECT_THAT(entry.reason,
                    testing::HasSubstr("holds E = " +
                                       table.rows[0][1].substr(0, table.rows[0][1].find(' '))));
      }
    }
    return table.rows[0];
  }
  ADD_FAILURE() << "no table";
  return {};
}

void ExpectWhatWasAsked(const std::vector<std::string>& row) {
  ASSERT_EQ(row.size(), 6u);
  const double omega = std::numbers::pi / 2.0 * std::sqrt(kE / kDensity);
  EXPECT_NEAR(std::stod(row[1]), kE, 1e-3 * kE);
  EXPECT_EQ(row[1].find('/'), std::string::npos) << row[1];
  EXPECT_NEAR(std::stod(row[2]), kNu, 1e-3);
  EXPECT_NEAR(std::stod(row[3]), kDensity, 1e-3 * kDensity);
  EXPECT_NEAR(std::stod(row[4]), RatioAt(omega), 1e-3 * RatioAt(omega));
  EXPECT_NEAR(std::stod(row[5]), omega / (2.0 * std::numbers::pi), 1e-3 * omega);
}

MatrixTable Lattice() {
  MatrixTable table;
  table.scalars = {{"degree_x", 2}, {"degree_y", 1}, {"degree_z", 1}};
  return table;
}

TEST(HeldBy, TheBodiesOfFormulationsHoldWhatTheSceneAsksFor) {
  for (const ElasticLaw law : {ElasticLaw::kStVenantKirchhoff, ElasticLaw::kNeoHookeanStable}) {
    const Scene scene = BlockScene(law);
    ExpectWhatWasAsked(HeldBy(linear_deformation::TheBackend(), scene, {}));
    ExpectWhatWasAsked(
        HeldBy(dynamic_ffd::TheBackend(), scene, {{"modes", Lattice()}, {"free_lattice", true}}));
  }
}

TEST(HeldBy, FiniteElementsHoldWhatTheSceneAsksFor) {
  for (const ElasticLaw law : {ElasticLaw::kLinear, ElasticLaw::kCorotated}) {
    ExpectWhatWasAsked(HeldBy(finite_elements::TheBackend(), BlockScene(law), {}));
  }
}

// Modes of a lattice have no rigid part; a shear of a block that is not a cube has one. A block that
// lies aslant in its box is stretched by such shears.
TEST(HeldBy, AFreeLatticeTakesEveryStrain) {
  Scene scene = BlockScene(ElasticLaw::kCorotated);
  Body& block = scene.bodies[0];
  block.hexahedra = Hexahedra(block);
  block.shape = ShapeKind::kMesh;
  const Matrix3d aslant = Eigen::AngleAxisd(0.3, Vector3d(1, 2, 3).normalized()).matrix();
  block.rest = (aslant * block.rest).eval();
  const std::vector<std::string> row =
      HeldBy(dynamic_ffd::TheBackend(), scene, {{"modes", Lattice()}, {"free_lattice", true}});
  ASSERT_EQ(row.size(), 6u);
  EXPECT_NEAR(std::stod(row[1]), kE, 1e-3 * kE);
  EXPECT_EQ(row[1].find('/'), std::string::npos) << row[1];
  EXPECT_NEAR(std::stod(row[2]), kNu, 1e-3);
}

// A square of 5 × 5 points whose edges are springs of compliance α: 5 rows of 0.25 m edges give
// E = 5 · 0.25/(α t), and rows do not contract: ν = 0 whatever the material asks for.
TEST(HeldBy, ANetOfSquaresHasNoPoissonsRatio) {
  Scene scene;
  Body sheet = MakeSheet("block", {1.0, 1.0}, {5, 5}, 1.0);
  sheet.material = Material{.density = kDensity,
                            .youngs_modulus = kE,
                            .poisson_ratio = kNu,
                            .law = ElasticLaw::kCorotated,
                            .thickness = 0.02};
  sheet.mass = kDensity * VolumeShares(sheet, 0.02);
  scene.bodies.push_back(sheet);
  const std::vector<std::string> soft =
      HeldBy(position_based::TheBackend(), scene, {{"compliance", 1e-4}});
  ASSERT_EQ(soft.size(), 6u);
  EXPECT_NEAR(std::stod(soft[1]), 1.25 / (1e-4 * 0.02), 700.0);
  EXPECT_EQ(std::stod(soft[2]), 0.0);
  EXPECT_NEAR(std::stod(soft[3]), kDensity, 1e-3 * kDensity);
  for (const Backend* rigid :
       {&position_based::TheBackend(), &displacement_constraints::TheBackend()}) {
    EXPECT_EQ(HeldBy(*rigid, scene, {})[1], "rigid");
  }
}

// A body that can stretch along x only keeps its sections: the modulus is that of uniaxial strain.
TEST(HeldBy, ABodyOfFewModesHoldsWhatTheyLeave) {
  MatrixTable modes = Lattice();
  modes.entries = {{"stretch", {}, {}, {{"shape", "stretch"}, {"axis", "x"}}}};
  const std::vector<std::string> row =
      HeldBy(dynamic_ffd::TheBackend(), BlockScene(ElasticLaw::kCorotated), {{"modes", modes}});
  const double confined = kE * (1.0 - kNu) / ((1.0 + kNu) * (1.0 - 2.0 * kNu));
  ASSERT_EQ(row.size(), 6u);
  EXPECT_NEAR(std::stod(row[1]), confined, 1e-3 * confined);
  EXPECT_THAT(row[1], testing::EndsWith(" along, rigid and rigid across"));
  EXPECT_EQ(row[2], "0");
}

}  // namespace
}  // namespace pliant
