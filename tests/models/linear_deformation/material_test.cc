#include "models/linear_deformation/material.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "models/scene/shapes.h"
#include "tests/models/linear_deformation/bodies.h"

namespace pliant {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr unsigned kSeed = 1990;

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
    shift(a, 0) = 1.0;
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
  Materials() : body_(GetParam().body, GetParam().world_dimension, GetParam().order) {
    RecordProperty("seed", static_cast<int>(kSeed));
  }
  LinearBody body_;
  const LinearMaterial elastic_{700.0, 400.0, 0.0, 0.0};
  const LinearMaterial damped_{700.0, 400.0, 3.0, 0.01};
  std::mt19937 generator_{kSeed};
};
INSTANTIATE_TEST_SUITE_P(All, Materials, ::testing::ValuesIn(AllBodyCases()),
                         [](const auto& info) { return info.param.name; });

TEST_P(Materials, ElasticForceIsMinusTheGradientOfTheEnergy) {
  const VectorXd q = RandomState(body_, 0.1, &generator_);
  const VectorXd force = Force(body_, elastic_, q, VectorXd::Zero(q.size()));
  // Sixth-order differences.
  const double h = 1e-2;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    auto energy = [&](double steps) {
      return DeformationEnergy(body_, elastic_, q + steps * h * VectorXd::Unit(q.size(), i));
    };
    const double slope = (45.0 * (energy(1) - energy(-1)) - 9.0 * (energy(2) - energy(-2)) +
                          (energy(3) - energy(-3))) /
                         (60.0 * h);
    EXPECT_NEAR(force[i], -slope, 1e-7 * force.norm()) << "coordinate " << i;
  }
}

TEST_P(Materials, RestHasNeitherEnergyNorForce) {
  const VectorXd q = RandomState(body_, 0.0, &generator_);
  const VectorXd still = VectorXd::Zero(q.size());
  EXPECT_LT(DeformationEnergy(body_, elastic_, q), 1e-24);
  EXPECT_LT(Force(body_, damped_, q, still).norm(), 1e-9);
}

TEST_P(Materials, EnergyIsInvariantUnderRigidMotion) {
  const VectorXd q = RandomState(body_, 0.2, &generator_);
  const int d = body_.world_dimension(), k = body_.columns();
  const Eigen::Matrix3d turn =
      Eigen::AngleAxisd(1.1, d == 2 ? Vector3d(0, 0, 1) : Vector3d(Vector3d(1, 2, 2) / 3.0))
          .toRotationMatrix();
  RowMajorMatrix R = turn.topLeftCorner(d, d) * Eigen::Map<const RowMajorMatrix>(q.data(), d, k);
  R.col(0) += VectorXd::LinSpaced(d, 1.0, -3.0);
  const VectorXd moved = Eigen::Map<const VectorXd>(R.data(), R.size());
  const double energy = DeformationEnergy(body_, elastic_, q);
  EXPECT_GT(energy, 1.0);
  EXPECT_NEAR(DeformationEnergy(body_, elastic_, moved), energy, 1e-12 * energy);
}

// Virtual work in rigid motion vanishes: no resultant force and no moment, damping included.
TEST_P(Materials, InternalForcesKeepLinearAndAngularMomentum) {
  const VectorXd q = RandomState(body_, 0.2, &generator_);
  const VectorXd v = RandomVector(body_.coordinates(), 1.0, &generator_);
  const VectorXd force = Force(body_, damped_, q, v);
  for (const VectorXd& rigid : RigidRates(body_, q)) {
    EXPECT_LT(std::abs(force.dot(rigid)), 1e-12 * force.norm() * rigid.norm());
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
  const LinearMaterial damped{700.0, 400.0, 3.0, 0.0};
  MatrixXd stiffness(size, size), drag(size, size);
  const double h = 1e-4;
  for (Eigen::Index i = 0; i < size; ++i) {
    const VectorXd step = h * VectorXd::Unit(size, i);
    stiffness.col(i) =
        (Force(body_, elastic_, q - step, still) - Force(body_, elastic_, q + step, still)) /
        (2.0 * h);
    drag.col(i) = -Force(body_, damped, q, VectorXd::Unit(size, i));
  }
  const int k = body_.columns();
  auto spectral = [&](const MatrixXd& form) {
    MatrixXd rates(size, size);
    for (int r = 0; r < body_.world_dimension(); ++r) {
      rates.middleRows(r * k, k) = body_.inverse_mass() * form.middleRows(r * k, k);
    }
    return rates.eigenvalues().cwiseAbs().maxCoeff();
  };
  const StiffestMotion stiffest = FindStiffestMotion(body_, damped);
  EXPECT_NEAR(stiffest.frequency, std::sqrt(spectral(stiffness)), 1e-5 * stiffest.frequency);
  EXPECT_NEAR(stiffest.decay, spectral(drag), 1e-9 * stiffest.decay);
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
    const LinearBody body(c.body, c.world_dimension, c.order);
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
}  // namespace pliant
