#include "models/geometry/rotation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace pliant {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr unsigned kRotationSeed = 11;

Vector3d RandomVector(std::mt19937* generator) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  return {number(*generator), number(*generator), number(*generator)};
}

// [cos θ/2, a sin θ/2], (B.1)–(B.3).
Quaterniond HalfAngle(const Vector3d& rotation) {
  const double angle = rotation.norm();
  if (angle == 0.0) return Quaterniond::Identity();
  const Vector3d w = std::sin(0.5 * angle) / angle * rotation;
  return {std::cos(0.5 * angle), w.x(), w.y(), w.z()};
}

// (B.4)–(B.6) written out: q v q⁻¹.
Vector3d ByQuaternion(const Quaterniond& q, const Vector3d& v) {
  const Quaterniond p(0.0, v.x(), v.y(), v.z());
  return (q * p * q.conjugate()).vec();
}

TEST(Rotation, IsTheQuaternionProduct) {
  SCOPED_TRACE(testing::Message() << "seed " << kRotationSeed);
  std::mt19937 generator(kRotationSeed);
  // Both sides of the switch from series to functions at θ = 0.1, and beyond a full turn.
  for (const double angle : {0.0, 1e-9, 1e-4, 0.0999999, 0.1000001, 1.0, 3.0, 6.0, 7.0}) {
    for (int i = 0; i < 20; ++i) {
      const Vector3d v = RandomVector(&generator);
      const Vector3d rotation = angle * RandomVector(&generator).normalized();
      EXPECT_LT((Rotated(v, rotation) - ByQuaternion(HalfAngle(rotation), v)).norm(), 2e-15)
          << "angle " << angle;
    }
  }
}

TEST(Rotation, OfTheWorldMultipliesFromTheLeft) {
  const Vector3d first(0.3, -0.2, 0.5), second(-0.1, 0.7, 0.2), v(1.0, 2.0, -0.5);
  const Quaterniond q = HalfAngle(second) * HalfAngle(first);
  EXPECT_LT((Rotated(Rotated(v, first), second) - ByQuaternion(q, v)).norm(), 1e-15);
}

TEST(Rotation, MinimalOneTakesADirectionToAnotherByTheAngleBetweenThem) {
  SCOPED_TRACE(testing::Message() << "seed " << kRotationSeed);
  std::mt19937 generator(kRotationSeed);
  for (int i = 0; i < 100; ++i) {
    const Vector3d a = RandomVector(&generator).normalized();
    const Vector3d b = RandomVector(&generator).normalized();
    const Vector3d rotation = MinimalRotation(a, b);
    EXPECT_LT((Rotated(a, rotation) - b).norm(), 1e-15);
    EXPECT_NEAR(rotation.norm(), std::acos(a.dot(b)), 1e-12);
    EXPECT_NEAR(rotation.dot(a), 0.0, 1e-15);
  }
  const Vector3d a = Vector3d(1.0, 2.0, 0.0).normalized();
  EXPECT_EQ(MinimalRotation(a, a), Vector3d::Zero());
}

TEST(Rotation, HalfATurnStaysInThePlane) {
  const Vector3d a = Vector3d(0.6, 0.8, 0.0);
  EXPECT_LT((Rotated(a, MinimalRotation(a, -a)) + a).norm(), 1e-15);
  EXPECT_NEAR(Rotated(Vector3d(0.1, -0.3, 0.0), MinimalRotation(a, -a)).z(), 0.0, 1e-16);
}

}  // namespace
}  // namespace pliant
