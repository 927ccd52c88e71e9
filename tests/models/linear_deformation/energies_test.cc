#include "models/linear_deformation/energies.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <complex>

#include "tests/models/linear_deformation/bodies.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr unsigned kEnergySeed = 1990;
constexpr double kStiffness = 3.7;

// ∂f/∂m by the complex step, exact to rounding: Im f(m + i h e) / h.
template <typename M, typename F>
M ComplexStep(const M& m, F energy) {
  constexpr double kStep = 1e-40;
  M gradient;
  for (Eigen::Index i = 0; i < m.size(); ++i) {
    auto moved = m.template cast<std::complex<double>>().eval();
    moved(i) += std::complex<double>(0.0, kStep);
    gradient(i) = energy(moved).imag() / kStep;
  }
  return gradient;
}

template <typename M>
M Random(std::mt19937* generator) {
  const Eigen::VectorXd values = RandomVector(M::SizeAtCompileTime, 1.5, generator);
  return Eigen::Map<const M>(values.data());
}

template <typename M>
class Energies : public ::testing::Test {
 protected:
  Energies() : generator_(kEnergySeed) { RecordProperty("seed", static_cast<int>(kEnergySeed)); }
  std::mt19937 generator_;
};
using Gradients =
    ::testing::Types<Eigen::Matrix<double, 2, 1>, Matrix2d, Eigen::Matrix<double, 3, 1>,
                     Eigen::Matrix<double, 3, 2>, Matrix3d>;
TYPED_TEST_SUITE(Energies, Gradients);

TYPED_TEST(Energies, StretchGradientIsItsDerivative) {
  for (int trial = 0; trial < 10; ++trial) {
    const auto m = Random<TypeParam>(&this->generator_);
    const TypeParam expected =
        ComplexStep(m, [](const auto& moved) { return StretchEnergy(moved, kStiffness); });
    EXPECT_LT((StretchGradient(m, kStiffness) - expected).norm(), 1e-12 * (1.0 + expected.norm()));
  }
}

TYPED_TEST(Energies, DissipationGradientIsItsDerivative) {
  for (int trial = 0; trial < 10; ++trial) {
    const auto m = Random<TypeParam>(&this->generator_);
    const auto m_dot = Random<TypeParam>(&this->generator_);
    const TypeParam expected = ComplexStep(m_dot, [&](const auto& moved) {
      using Scalar = std::complex<double>;
      return StrainDissipation(m.template cast<Scalar>().eval(), moved, kStiffness);
    });
    const TypeParam gradient = StrainDissipationGradient(m, m_dot, kStiffness);
    EXPECT_LT((gradient - expected).norm(), 1e-12 * (1.0 + expected.norm()));
    // A quadratic form: the power of its gradient is twice its value.
    EXPECT_NEAR(gradient.cwiseProduct(m_dot).sum(), 2.0 * StrainDissipation(m, m_dot, kStiffness),
                1e-11 * (1.0 + expected.norm()));
  }
}

TYPED_TEST(Energies, StretchVanishesExactlyForOrthonormalGradients) {
  const TypeParam rest = TypeParam::Identity();
  EXPECT_EQ(StretchEnergy(rest, kStiffness), 0.0);
  EXPECT_EQ(StretchGradient(rest, kStiffness).norm(), 0.0);
  TypeParam longer = rest;
  longer(0, 0) = 1.1;
  EXPECT_NEAR(StretchEnergy(longer, kStiffness), kStiffness * 0.21 * 0.21, 1e-14);
}

TYPED_TEST(Energies, StVenantKirchhoffGradientIsItsDerivative) {
  const Lame lame{2.3, 1.7};
  for (int trial = 0; trial < 10; ++trial) {
    const auto m = Random<TypeParam>(&this->generator_);
    const TypeParam expected =
        ComplexStep(m, [&](const auto& moved) { return StVenantKirchhoffEnergy(moved, lame); });
    EXPECT_LT((StVenantKirchhoffGradient(m, lame) - expected).norm(),
              1e-12 * (1.0 + expected.norm()));
  }
}

TYPED_TEST(Energies, TraceDragIsItsDerivative) {
  for (int trial = 0; trial < 10; ++trial) {
    const auto m = Random<TypeParam>(&this->generator_);
    const auto m_dot = Random<TypeParam>(&this->generator_);
    const TypeParam expected = ComplexStep(m_dot, [&](const auto& moved) {
      using Scalar = std::complex<double>;
      return StrainDissipation(m.template cast<Scalar>().eval(), moved, 0.8, 1.9);
    });
    EXPECT_LT((StrainDissipationGradient(m, m_dot, 0.8, 1.9) - expected).norm(),
              1e-12 * (1.0 + expected.norm()));
  }
}

template <typename M>
void ExpectNeoHookeanGradientIsItsDerivative(const M& m) {
  const Lame lame{2.3, 1.7};
  const M expected =
      ComplexStep(m, [&](const auto& moved) { return NeoHookeanEnergy(moved, lame); });
  EXPECT_LT((NeoHookeanGradient(m, lame) - expected).norm(), 1e-12 * (1.0 + expected.norm()));
}

TEST(NeoHookean, GradientIsItsDerivative) {
  std::mt19937 generator(kEnergySeed);
  for (int trial = 0; trial < 10; ++trial) {
    ExpectNeoHookeanGradientIsItsDerivative(Random<Matrix2d>(&generator));
    ExpectNeoHookeanGradientIsItsDerivative(Random<Matrix3d>(&generator));
  }
  ExpectNeoHookeanGradientIsItsDerivative(Matrix3d(Matrix3d::Zero()));
  const Matrix3d rest = Matrix3d::Identity();
  EXPECT_NEAR(NeoHookeanEnergy(rest, {2.3, 1.7}), 0.0, 1e-14);
  // The source's constants in 3-D.
  const StableNeoHookean k({2.3, 1.7}, 3);
  EXPECT_NEAR(k.mu, 4.0 / 3.0 * 1.7, 1e-15);
  EXPECT_NEAR(k.lambda, 2.3 + 5.0 / 6.0 * 1.7, 1e-15);
  EXPECT_NEAR(k.alpha, 1.0 + k.mu / k.lambda - k.mu / (4.0 * k.lambda), 1e-15);
}

template <typename M>
void ExpectVolumeGradientIsItsDerivative(const M& m) {
  const M expected =
      ComplexStep(m, [](const auto& moved) { return VolumeEnergy(moved, kStiffness); });
  EXPECT_LT((VolumeGradient(m, kStiffness) - expected).norm(), 1e-12 * (1.0 + expected.norm()));
  const M cofactor = ComplexStep(m, [](const auto& moved) { return moved.determinant(); });
  EXPECT_LT((Cofactor(m) - cofactor).norm(), 1e-13 * (1.0 + cofactor.norm()));
}

TEST(VolumeEnergy, GradientIsItsDerivative) {
  std::mt19937 generator(kEnergySeed);
  for (int trial = 0; trial < 10; ++trial) {
    ExpectVolumeGradientIsItsDerivative(Random<Matrix2d>(&generator));
    ExpectVolumeGradientIsItsDerivative(Random<Matrix3d>(&generator));
  }
}

// det(m) m⁻ᵀ has no value there; the minors have.
TEST(VolumeEnergy, PushesACollapsedBodyOpen) {
  const Matrix3d flat = Vector3d(1.0, 1.0, 0.0).asDiagonal();
  EXPECT_EQ(Cofactor(flat), Matrix3d(Vector3d(0.0, 0.0, 1.0).asDiagonal()));
  EXPECT_EQ(VolumeGradient(flat, kStiffness)(2, 2), -2.0 * kStiffness);
  ExpectVolumeGradientIsItsDerivative(flat);
}

// Rigidity alone is at rest in a mirrored body; the volume energy is not.
TEST(VolumeEnergy, SeparatesReflections) {
  const Matrix3d mirror = Vector3d(1.0, -1.0, 1.0).asDiagonal();
  EXPECT_EQ(StretchEnergy(mirror, kStiffness), 0.0);
  EXPECT_EQ(StretchGradient(mirror, kStiffness).norm(), 0.0);
  EXPECT_EQ(VolumeEnergy(mirror, kStiffness), 4.0 * kStiffness);
}

TEST(StrainRate, VanishesForRigidMotionOfADeformedBody) {
  std::mt19937 generator(kEnergySeed);
  for (int trial = 0; trial < 10; ++trial) {
    const auto m = Random<Matrix3d>(&generator);
    const Vector3d spin = Random<Vector3d>(&generator);
    Matrix3d m_dot;
    for (int c = 0; c < 3; ++c) m_dot.col(c) = spin.cross(m.col(c));
    EXPECT_LT(TwiceStrainRate(m, m_dot).norm(), 1e-14);
    // It is the time derivative of mᵀm.
    const auto other = Random<Matrix3d>(&generator);
    const Matrix3d difference =
        TwiceGreenStrain(m + 0.5 * other) - TwiceGreenStrain(m - 0.5 * other);
    EXPECT_LT((TwiceStrainRate(m, other) - difference).norm(), 1e-13);
  }
}

}  // namespace
}  // namespace pliant::linear_deformation
