#include "models/scene/material.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "models/scene/scene.h"
#include "models/scene/shapes.h"
#include "tests/reference/complaints.h"

namespace pliant {
namespace {

using reference::ExpectBadInput;

TEST(Material, HasTheConstantsOfLame) {
  // Turek and Hron's bar: E = 1.4e6 and ν = 0.4 are μ = 0.5e6 and λ = 2e6.
  const Material material{.youngs_modulus = 1.4e6, .poisson_ratio = 0.4};
  EXPECT_NEAR(material.Mu(), 0.5e6, 1e-6);
  EXPECT_NEAR(material.Lambda(), 2e6, 1e-6);
}

TEST(VolumeShares, OfABlockAreEighthsOfItsCells) {
  const Body block = MakeBlock("block", {2.0, 1.0, 0.5}, {3, 3, 2}, 1.0);
  const Eigen::VectorXd shares = VolumeShares(block, 0.0);
  const double cell = 1.0 * 0.5 * 0.5;
  EXPECT_NEAR(shares[GridPoint(block, {0, 0, 0})], cell / 8, 1e-15);
  EXPECT_NEAR(shares[GridPoint(block, {1, 0, 1})], cell / 4, 1e-15);
  EXPECT_NEAR(shares[GridPoint(block, {1, 1, 0})], cell / 2, 1e-15);
  EXPECT_NEAR(shares.sum(), 1.0, 1e-14);
}

TEST(VolumeShares, OfASkewedHexahedronAreItsShapeFunctions) {
  Body body = MakeBlock("block", {1.0, 1.0, 1.0}, {2, 2, 2}, 1.0);
  body.rest.row(0) += 0.5 * body.rest.row(1);          // a shear keeps the volume
  body.rest.col(7) += Eigen::Vector3d(0.1, 0.1, 0.1);  // and a corner that sticks out
  const Eigen::VectorXd shares = VolumeShares(body, 0.0);
  // The volume by the divergence theorem, over the bilinear faces, by 64² midpoints each.
  double volume = 0.0;
  const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                           {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  constexpr int kSamples = 64;
  for (const auto& f : faces) {
    const auto x = [&](int a) -> Eigen::Vector3d { return body.rest.col(f[a]); };
    for (int s = 0; s < kSamples * kSamples; ++s) {
      const double u = (s % kSamples + 0.5) / kSamples, v = (s / kSamples + 0.5) / kSamples;
      const Eigen::Vector3d at =
          (1 - u) * (1 - v) * x(0) + u * (1 - v) * x(1) + u * v * x(2) + (1 - u) * v * x(3);
      const Eigen::Vector3d du = (1 - v) * (x(1) - x(0)) + v * (x(2) - x(3));
      const Eigen::Vector3d dv = (1 - u) * (x(3) - x(0)) + u * (x(2) - x(1));
      volume += at.dot(du.cross(dv)) / 3.0 / (kSamples * kSamples);
    }
  }
  EXPECT_NEAR(shares.sum(), volume, 1e-5);
  EXPECT_GT(shares[7], shares[0]);
}

// ∫ x² dV of a box is L³ A / 12: point masses of the shares meet it to second order, evenly spread
// masses only to first.
TEST(VolumeShares, GiveTheInertiaOfTheContinuumToSecondOrder) {
  double error[3], even[3];
  for (int level = 0; level < 3; ++level) {
    const int n = 1 + (4 << level);
    const Body block = MakeBlock("block", {1.0, 1.0, 1.0}, {n, 3, 3}, 1.0);
    const auto moment = [&](const Eigen::VectorXd& mass) {
      return block.rest.row(0).array().square().matrix().dot(mass);
    };
    error[level] = moment(VolumeShares(block, 0.0)) - 1.0 / 12.0;
    even[level] = moment(block.mass) - 1.0 / 12.0;
  }
  for (int level = 0; level < 2; ++level) {
    EXPECT_NEAR(std::log2(error[level] / error[level + 1]), 2.0, 1e-9);
    EXPECT_NEAR(std::log2(even[level] / even[level + 1]), 1.0, 0.2);
  }
}

TEST(VolumeShares, OfASheetAreTheSameForItsMirrorImage) {
  const Body sheet = MakeSheet("sheet", {1.0, 2.0}, {3, 5}, 1.0);
  const Eigen::VectorXd shares = VolumeShares(sheet, 0.01);
  EXPECT_NEAR(shares.sum(), 0.02, 1e-15);
  for (int j = 0; j < 5; ++j) {
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(shares[GridPoint(sheet, {i, j})], shares[GridPoint(sheet, {2 - i, j})], 1e-17);
    }
  }
}

TEST(VolumeShares, OfTubesAndTorusesConvergeToTheirVolumes) {
  using std::numbers::pi;
  const double exact_tube = 2.0 * pi * 0.3 * 1.0 * 0.01;
  const double exact_torus = 4.0 * pi * pi * 0.5 * 0.2 * 0.01;
  double tube[3], torus[3];
  for (int level = 0; level < 3; ++level) {
    const int n = 16 << level;
    tube[level] = exact_tube - VolumeShares(MakeTube("tube", 0.3, 1.0, {n, 5}, 1.0), 0.01).sum();
    torus[level] =
        exact_torus - VolumeShares(MakeTorus("torus", 0.5, 0.2, {n, n}, 1.0), 0.01).sum();
  }
  for (int level = 0; level < 2; ++level) {
    EXPECT_NEAR(std::log2(tube[level] / tube[level + 1]), 2.0, 0.02);
    EXPECT_NEAR(std::log2(torus[level] / torus[level + 1]), 2.0, 0.02);
  }
}

TEST(VolumeShares, OfAChainAreHalvesOfItsLinks) {
  const Body chain = MakeChain("chain", {0, 0, 0}, {2, 0, 0}, 5, 1.0);
  const Eigen::VectorXd shares = VolumeShares(chain, 0.1);
  EXPECT_NEAR(shares[0], 0.25 * 0.01, 1e-16);
  EXPECT_NEAR(shares[2], 0.5 * 0.01, 1e-16);
}

Body Tetrahedron() {
  Body body;
  body.name = "tetrahedron";
  body.shape = ShapeKind::kMesh;
  body.rest = Eigen::Matrix3Xd::Zero(3, 4);
  body.rest.rightCols(3) = Eigen::Matrix3d::Identity();
  body.mass = Eigen::VectorXd::Ones(4);
  body.tetrahedra = {{0, 1, 2, 3}};
  return body;
}

TEST(VolumeShares, OfATetrahedronAreQuarters) {
  EXPECT_TRUE(VolumeShares(Tetrahedron(), 0.0).isApproxToConstant(1.0 / 24.0, 1e-15));
}

TEST(VolumeShares, RefuseCellsThatAreInsideOutAndPointsOutsideAllCells) {
  Body body = Tetrahedron();
  body.tetrahedra = {{0, 2, 1, 3}};
  ExpectBadInput("shape", {"turned inside out"}, [&] { VolumeShares(body, 0.0); });
  body = Tetrahedron();
  body.rest.conservativeResize(3, 5);
  body.rest.col(4).setZero();
  ExpectBadInput("shape", {"no face or edge"}, [&] { VolumeShares(body, 0.0); });
}

TEST(CheckMaterial, NamesTheConstantThatCannotBe) {
  Body body = MakeSheet("sheet", {1.0, 1.0}, {3, 3}, 1.0);
  CheckMaterial(body);  // no material
  const Material good{
      .density = 1e3, .youngs_modulus = 1e5, .poisson_ratio = 0.3, .thickness = 0.01};
  body.material = good;
  CheckMaterial(body);
  const auto expect = [&](const char* where, const char* words, auto&& spoil) {
    body.material = good;
    spoil(*body.material);
    ExpectBadInput(where, {words}, [&] { CheckMaterial(body); });
  };
  expect("material.poisson_ratio", "below 0.5", [](Material& m) { m.poisson_ratio = 0.5; });
  expect("material.poisson_ratio", "above -1", [](Material& m) { m.poisson_ratio = -1.0; });
  expect("material.thickness", "positive", [](Material& m) { m.thickness = 0.0; });
  expect("material.density", "positive", [](Material& m) { m.density = std::nan(""); });
  expect("material.damping.stiffness", "negative", [](Material& m) { m.stiffness_damping = -1.0; });
  body.shape = ShapeKind::kTube;
  expect("material.plane_strain", "profile", [](Material& m) { m.plane_strain = true; });
}

}  // namespace
}  // namespace pliant
