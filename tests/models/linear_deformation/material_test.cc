#include "models/linear_deformation/material.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "models/problem.h"
#include "models/scene/shapes.h"
#include "tests/models/linear_deformation/bodies.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr unsigned kMaterialSeed = 1990;

VectorXd Force(const LinearBody& body, const LinearMaterial& material, const VectorXd& q,
               const VectorXd& v, double* power = nullptr) {
  VectorXd force = VectorXd::Zero(body.coordinates());
  const double of_damping = AddMaterialForces(body, material, q, v, force);
  if (power != nullptr) *power = of_damping;
  return force;
}

// Rates of the rigid motion of the points now at q: translations and rotations of the world.
std::vector<VectorXd> RigidRates(const LinearBody& body, const VectorXd& q) {
  const int d = body.world_dimension(), k = body.columns();
  const RowMajorMatrix R = Eigen::Map<const RowMajorMatrix>(q.data(), d, k);
  std::vector<VectorXd> rates;
  auto add = [&](const RowMajorMatrix& rate) {
    rates.emplace_back(Eigen::Map<const VectorXd>(rate.data(), rate.size()));
  };
  for (int a = 0; a < d; ++a) {
    RowMajorMatrix shift = RowMajorMatrix::Zero(d, k);
    shift.row(a) = body.constant().transpose();
    add(shift);
    for (int b = a + 1; b < d; ++b) {  // rotation in the plane of the axes a, b
      MatrixXd generator = MatrixXd::Zero(d, d);
      generator(a, b) = -1.0;
      generator(b, a) = 1.0;
      add(generator * R);
    }
  }
  return rates;
}

class Materials : public ::testing::TestWithParam<BodyCase> {
 protected:
  Materials() : body_(GetParam().Make()) {
    RecordProperty("seed", static_cast<int>(kMaterialSeed));
  }
  // Every law that this body can have, undamped.
  std::vector<LinearMaterial> Laws() const {
    LinearMaterial material = elastic_;
    material.youngs_modulus = 3e3;
    material.poisson_ratio = 0.35;
    material.thickness = 0.3;
    std::vector<LinearMaterial> laws = {material};
    material.law = MaterialLaw::kStVenantKirchhoff;
    laws.push_back(material);
    material.law = MaterialLaw::kNeoHookean;
    if (body_.has_volume()) laws.push_back(material);
    return laws;
  }
  LinearBody body_;
  const LinearMaterial elastic_{700.0, 400.0, 0.0, 0.0};
  const LinearMaterial damped_{700.0, 400.0, 3.0, 0.01};
  std::mt19937 generator_{kMaterialSeed};
};
INSTANTIATE_TEST_SUITE_P(All, Materials, ::testing::ValuesIn(AllBodyCases()),
                         [](const auto& info) { return info.param.name; });

TEST_P(Materials, ElasticForceIsMinusTheGradientOfTheEnergy) {
  const VectorXd q = RandomState(body_, 0.05, &generator_);
  for (const LinearMaterial& material : Laws()) {
    const VectorXd force = Force(body_, material, q, VectorXd::Zero(q.size()));
    // Sixth-order differences.
    const double h = 4e-3;
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      auto energy = [&](double steps) {
        return DeformationEnergy(body_, material, q + steps * h * VectorXd::Unit(q.size(), i));
      };
      const double slope = (45.0 * (energy(1) - energy(-1)) - 9.0 * (energy(2) - energy(-2)) +
                            (energy(3) - energy(-3))) /
                           (60.0 * h);
      EXPECT_NEAR(force[i], -slope, 1e-7 * force.norm()) << "coordinate " << i;
    }
  }
}

TEST_P(Materials, RestHasNeitherEnergyNorForce) {
  const VectorXd q = RandomState(body_, 0.0, &generator_);
  const VectorXd still = VectorXd::Zero(q.size());
  EXPECT_LT(Force(body_, damped_, q, still).norm(), 1e-9);
  for (const LinearMaterial& material : Laws()) {
    EXPECT_LT(std::abs(DeformationEnergy(body_, material, q)), 1e-11);
    EXPECT_LT(Force(body_, material, q, still).norm(), 1e-9);
  }
}

TEST_P(Materials, EnergyIsInvariantUnderRigidMotion) {
  const VectorXd q = RandomState(body_, 0.2, &generator_);
  const int d = body_.world_dimension(), k = body_.columns();
  const Eigen::Matrix3d turn =
      Eigen::AngleAxisd(1.1, d == 2 ? Vector3d(0, 0, 1) : Vector3d(Vector3d(1, 2, 2) / 3.0))
          .toRotationMatrix();
  RowMajorMatrix R = turn.topLeftCorner(d, d) * Eigen::Map<const RowMajorMatrix>(q.data(), d, k);
  R += VectorXd::LinSpaced(d, 1.0, -3.0) * body_.constant().transpose();
  const VectorXd moved = Eigen::Map<const VectorXd>(R.data(), R.size());
  for (const LinearMaterial& material : Laws()) {
    const double energy = DeformationEnergy(body_, material, q);
    EXPECT_GT(energy, 1e-4);
    EXPECT_NEAR(DeformationEnergy(body_, material, moved), energy, 1e-11 * energy);
  }
}

// Virtual work in rigid motion vanishes: no resultant force and no moment, damping included.
TEST_P(Materials, InternalForcesKeepLinearAndAngularMomentum) {
  const VectorXd q = RandomState(body_, 0.2, &generator_);
  const VectorXd v = RandomVector(body_.coordinates(), 1.0, &generator_);
  std::vector<LinearMaterial> materials = Laws();
  for (LinearMaterial& material : materials) material.rayleigh_stiffness = 0.02;
  materials.push_back(damped_);
  for (const LinearMaterial& material : materials) {
    const VectorXd force = Force(body_, material, q, v);
    for (const VectorXd& rigid : RigidRates(body_, q)) {
      EXPECT_LT(std::abs(force.dot(rigid)), 1e-12 * force.norm() * rigid.norm());
    }
  }
}

// The force is −C(q) v: C by its columns, and the largest eigenvalue of M⁻¹C, C of one or two ranks.
TEST_P(Materials, SourceDecayBoundsTheRateOfTheSourcesDamping) {
  const VectorXd q = RandomState(body_, 0.2, &generator_);
  const int k = body_.columns(), d = body_.world_dimension();
  MatrixXd mass = MatrixXd::Zero(d * k, d * k);
  for (int r = 0; r < d; ++r) mass.block(r * k, r * k, k, k) = body_.mass_matrix();
  for (LinearMaterial material : Laws()) {
    material.damping = 0.0;
    const VectorXd none = VectorXd::Zero(d * k);
    VectorXd scratch = none;
    EXPECT_EQ(SourceDecay(body_, material, q, scratch), 0.0);
    material.source_damping = 0.03;
    MatrixXd C(d * k, d * k);
    for (int i = 0; i < d * k; ++i) {
      C.col(i) =
          Force(body_, material, q, none) - Force(body_, material, q, VectorXd::Unit(d * k, i));
    }
    const double largest =
        Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(0.5 * (C + C.transpose()), mass)
            .eigenvalues()
            .maxCoeff();
    const double decay = SourceDecay(body_, material, q, scratch);
    EXPECT_GE(decay, largest * (1.0 - 1e-9));
    const bool two = material.law == MaterialLaw::kWitkinWelch && body_.has_volume();
    EXPECT_LE(decay, (two ? 2.0 : 1.0) * largest * (1.0 + 1e-9));
  }
}

TEST_P(Materials, DampingTakesEnergyAndReportsItsPower) {
  for (int trial = 0; trial < 10; ++trial) {
    const VectorXd q = RandomState(body_, 0.2, &generator_);
    const VectorXd v = RandomVector(body_.coordinates(), 1.0, &generator_);
    double power = 0.0;
    const VectorXd damping = Force(body_, damped_, q, v, &power) - Force(body_, elastic_, q, v);
    EXPECT_LT(power, 0.0);
    EXPECT_NEAR(damping.dot(v), power, 1e-10 * std::abs(power));
    for (const VectorXd& rigid : RigidRates(body_, q)) {
      const VectorXd none =
          Force(body_, damped_, q, rigid, &power) - Force(body_, elastic_, q, rigid);
      EXPECT_LT(none.norm(), 1e-10 * damping.norm());
      EXPECT_LT(std::abs(power), 1e-18);
    }
  }
}

// Q = −k_d V̇ ∂V/∂R for each potential by itself.
TEST_P(Materials, SourceDampingIsThatOfThePrint) {
  const VectorXd q = RandomState(body_, 0.2, &generator_);
  const VectorXd v = RandomVector(body_.coordinates(), 1.0, &generator_);
  const double k_d = 0.02;
  VectorXd expected = VectorXd::Zero(q.size());
  for (const LinearMaterial& potential :
       {LinearMaterial{700.0, 0.0, 0.0, 0.0}, LinearMaterial{0.0, 400.0, 0.0, 0.0}}) {
    const VectorXd gradient = -Force(body_, potential, q, v);
    expected -= k_d * gradient.dot(v) * gradient;
  }
  const LinearMaterial damped{700.0, 400.0, 0.0, k_d};
  double power = 0.0;
  const VectorXd damping = Force(body_, damped, q, v, &power) - Force(body_, elastic_, q, v);
  EXPECT_LT((damping - expected).norm(), 1e-10 * expected.norm());
  EXPECT_NEAR(power, expected.dot(v), 1e-10 * std::abs(power));
}

// The largest eigenvalue of the differentiated force at rest, against the masses.
TEST_P(Materials, StiffestMotionIsThatOfTheLinearisedForces) {
  const VectorXd q = body_.AffineCoordinates(Eigen::Matrix3d::Identity(), Vector3d::Zero());
  const Eigen::Index size = q.size();
  const VectorXd still = VectorXd::Zero(size);
  const int k = body_.columns();
  auto spectral = [&](const MatrixXd& form) {
    MatrixXd rates(size, size);
    for (int r = 0; r < body_.world_dimension(); ++r) {
      rates.middleRows(r * k, k) = body_.inverse_mass() * form.middleRows(r * k, k);
    }
    return rates.eigenvalues().cwiseAbs().maxCoeff();
  };
  for (const LinearMaterial& elastic : Laws()) {
    LinearMaterial damped = elastic;
    damped.damping = 3.0;
    damped.rayleigh_stiffness = 0.01;
    MatrixXd stiffness(size, size), drag(size, size);
    const double h = 1e-4;
    for (Eigen::Index i = 0; i < size; ++i) {
      const VectorXd step = h * VectorXd::Unit(size, i);
      stiffness.col(i) =
          (Force(body_, elastic, q - step, still) - Force(body_, elastic, q + step, still)) /
          (2.0 * h);
      drag.col(i) = -Force(body_, damped, q, VectorXd::Unit(size, i));
    }
    const StiffestMotion stiffest = FindStiffestMotion(body_, damped);
    EXPECT_NEAR(stiffest.frequency, std::sqrt(spectral(stiffness)), 1e-5 * stiffest.frequency);
    EXPECT_NEAR(stiffest.decay, spectral(drag), 1e-9 * stiffest.decay);
    // Rayleigh's part of the drag is β times the stiffness.
    LinearMaterial rayleigh = elastic;
    rayleigh.rayleigh_stiffness = 0.01;
    for (Eigen::Index i = 0; i < size; ++i) {
      const VectorXd force = Force(body_, rayleigh, q, VectorXd::Unit(size, i));
      EXPECT_LT((force + 0.01 * stiffness.col(i)).norm(), 1e-7 * stiffness.norm());
    }
  }
}

// α M Ṙ takes the momentum of every point alike, and reports its power.
TEST_P(Materials, MassDampingBrakesEveryMotion) {
  LinearMaterial material = elastic_;
  material.rayleigh_mass = 0.7;
  const VectorXd q = RandomState(body_, 0.2, &generator_);
  const VectorXd v = RandomVector(body_.coordinates(), 1.0, &generator_);
  double power = 0.0;
  const VectorXd damping = Force(body_, material, q, v, &power) - Force(body_, elastic_, q, v);
  const RowMajorMatrix rates =
      Eigen::Map<const RowMajorMatrix>(v.data(), body_.world_dimension(), body_.columns());
  const RowMajorMatrix expected = -0.7 * rates * body_.mass_matrix();
  EXPECT_LT((damping - Eigen::Map<const VectorXd>(expected.data(), v.size())).norm(), 1e-9);
  EXPECT_NEAR(power, expected.cwiseProduct(rates).sum(), 1e-12 * std::abs(power));
}

// Pulled along by a strain ε, a bar carries the stress E ε and thins by ν ε: of solids, of sheets
// under plane stress, of lines.
TEST(Material, HasItsYoungsModulusAndPoissonRatio) {
  LinearMaterial material = {.youngs_modulus = 2e5, .poisson_ratio = 0.3, .thickness = 0.02};
  const double strain = 1e-5;
  const std::vector<std::pair<LinearBody, double>> bars = {
      {LinearBody(MakeBlock("b", {2.0, 0.5, 0.4}, {3, 3, 3}, 1.0), 3, 1), 0.2},
      {LinearBody(MakeSheet("s", {2.0, 0.5}, {3, 3}, 1.0), 2, 1), 0.01},
      {LinearBody(MakeSheet("s", {2.0, 0.5}, {3, 3}, 1.0), 3, 1), 0.01},
      {LinearBody(MakeChain("c", {0, 0, 0}, {2.0, 0, 0}, 3, 1.0), 3, 1), 0.0004}};
  for (const auto& [bar, section] : bars) {
    for (MaterialLaw law : {MaterialLaw::kStVenantKirchhoff, MaterialLaw::kNeoHookean}) {
      if (law == MaterialLaw::kNeoHookean && !bar.has_volume()) continue;
      material.law = law;
      const Eigen::Matrix3d map = Eigen::Matrix3d::Identity() +
                                  strain * Eigen::Matrix3d(Vector3d(1.0, -0.3, -0.3).asDiagonal());
      const VectorXd q = bar.AffineCoordinates(map, Vector3d::Zero());
      const VectorXd v =
          bar.AffineCoordinates(Vector3d(1.0, 0.0, 0.0).asDiagonal(), Vector3d::Zero());
      const VectorXd across =
          bar.AffineCoordinates(Vector3d(0.0, 1.0, 0.0).asDiagonal(), Vector3d::Zero());
      const VectorXd force = Force(bar, material, q, VectorXd::Zero(q.size()));
      const double expected = -2e5 * section * 2.0 * strain;  // per unit of strain rate
      EXPECT_NEAR(force.dot(v), expected, 1e-4 * std::abs(expected));
      EXPECT_LT(std::abs(force.dot(across)), 1e-4 * std::abs(expected));
    }
  }
}

TEST(Material, NeoHookeanNeedsABodyThatFillsTheWorld) {
  const LinearMaterial material = {.law = MaterialLaw::kNeoHookean};
  const LinearBody sheet(MakeSheet("s", {1.0, 1.0}, {3, 3}, 1.0), 3, 1);
  try {
    RequireLaw(sheet, "flag", material);
    FAIL() << "accepted";
  } catch (const BadInput& bad) {
    EXPECT_EQ(bad.problem().where, "material");
    EXPECT_NE(bad.problem().what.find("'flag' is a sheet in 3-D"), std::string::npos);
  }
  RequireLaw(LinearBody(MakeSheet("s", {1.0, 1.0}, {3, 3}, 1.0), 2, 1), "flag", material);
}

// Pressed flat or mirrored, the stable form has a finite force that pushes it open.
TEST(Material, NeoHookeanRecoversFromInversion) {
  const LinearMaterial material = {.law = MaterialLaw::kNeoHookean};
  const LinearBody block(MakeBlock("b", {1.0, 1.0, 1.0}, {3, 3, 3}, 1.0), 3, 1);
  const VectorXd open =
      block.AffineCoordinates(Vector3d(0.0, 0.0, 1.0).asDiagonal(), Vector3d::Zero());
  for (double height : {0.0, -0.2}) {
    const VectorXd q =
        block.AffineCoordinates(Vector3d(1.0, 1.0, height).asDiagonal(), Vector3d::Zero());
    const VectorXd force = Force(block, material, q, VectorXd::Zero(q.size()));
    EXPECT_GT(force.dot(open), 1e3);
    EXPECT_LT(force.norm(), 1e7);
  }
}

// A link of two points, masses m/2 at ±L/2: V = k_e((ℓ/L)² − 1)², so ω² = 8 k_e/(m (L/2)²).
TEST(StiffestMotion, OfALinkIsItsStretchMode) {
  const double length = 0.5, mass = 1.3;
  const LinearBody link(MakeChain("link", {0, 0, 0}, {length, 0, 0}, 2, mass), 2, 1);
  const LinearMaterial material{900.0, 0.0, 2.5, 0.0};
  const StiffestMotion stiffest = FindStiffestMotion(link, material);
  EXPECT_NEAR(stiffest.frequency, std::sqrt(8.0 * 900.0 / (mass * length * length / 4.0)), 1e-9);
  EXPECT_NEAR(stiffest.decay, 2.5, 1e-12);
}

// A cube that dilates freely: the parameter is its rate of decay.
TEST(Damping, IsTheDecayRateOfAFreeDilation) {
  const LinearBody cube(MakeBlock("cube", {0.8, 0.8, 0.8}, {3, 3, 3}, 2.0), 3, 1);
  const LinearMaterial drag_only{0.0, 0.0, 1.7, 0.0};
  const VectorXd q = cube.AffineCoordinates(Eigen::Matrix3d::Identity(), Vector3d::Zero());
  const VectorXd v = 0.3 * q;
  const VectorXd force = Force(cube, drag_only, q, v);
  EXPECT_LT((force + 1.7 * 2.0 * v).norm(), 1e-12);  // M_b = 2 kg · identity
}

// x ↦ x + ¼ u² e_x: det m = 1 + ½ u/extent grows along the block, and its least is at one end.
TEST(SmallestDeterminant, IsThatOfTheWorstSample) {
  const LinearBody block(MakeBlock("block", {2.0, 1.0, 1.0}, {3, 3, 3}, 2.0), 3, 2);
  VectorXd q = block.AffineCoordinates(Eigen::Matrix3d::Identity(), Vector3d::Zero());
  q[7] += 0.25;  // row x, column x²
  const double extent = block.frame().extent[0];
  EXPECT_NEAR(SmallestDeterminant(block, q).value(), 1.0 - 0.5 * (1.0 / extent) / extent, 1e-12);
}

TEST(SmallestDeterminant, IsDefinedOnlyForSquareGradients) {
  for (const BodyCase& c : AllBodyCases()) {
    const LinearBody body = c.Make();
    const Eigen::Matrix3d map = Vector3d(1.1, 1.2, c.world_dimension == 3 ? 0.5 : 1.0).asDiagonal();
    const VectorXd q = body.AffineCoordinates(map, Vector3d::Zero());
    const std::optional<double> smallest = SmallestDeterminant(body, q);
    EXPECT_EQ(smallest.has_value(), body.has_volume()) << c.name;
    if (body.has_volume()) {
      EXPECT_NEAR(smallest.value(), map.determinant(), 1e-12) << c.name;
    }
  }
}

}  // namespace
}  // namespace pliant::linear_deformation
