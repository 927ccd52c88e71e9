// Where sliders admit points, and lengths and angles with their gradients.

#include "models/holds/measures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <utility>

#include "tests/scenes.h"

namespace pliant {
namespace {

using Eigen::Vector3d;
using Points = std::array<Vector3d, 4>;

constexpr double kPi = std::numbers::pi;

PointMeasure Of(Limit::Kind kind, const Points& x) {
  if (kind == Limit::Kind::kAngle) return AngleAt(x[0], x[1], x[2]);
  if (kind == Limit::Kind::kTwist) return TwistAbout(x[0], x[1], x[2], x[3]);
  return LengthBetween(x[0], x[1]);
}

TEST(Measures, GradientsAreDerivatives) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (const auto& [kind, points] :
       {std::pair{Limit::Kind::kLength, 2}, {Limit::Kind::kAngle, 3}, {Limit::Kind::kTwist, 4}}) {
    for (int trial = 0; trial < 20; ++trial) {
      Points x;
      for (Vector3d& v : x) {
        const double a = number(generator), b = number(generator);
        v = Vector3d(a, b, number(generator));
      }
      const PointMeasure at = Of(kind, x);
      for (int p = 0; p < points; ++p) {
        for (int c = 0; c < 3; ++c) {
          constexpr double kStep = 1e-6;
          Points ahead = x, behind = x;
          ahead[p][c] += kStep;
          behind[p][c] -= kStep;
          const double slope = (Of(kind, ahead).value - Of(kind, behind).value) / (2.0 * kStep);
          EXPECT_NEAR(at.gradient[p][c], slope, 1e-5 * (1.0 + std::abs(slope)));
        }
      }
    }
  }
}

TEST(Measures, HaveTheirSignsAndUnits) {
  const Vector3d o(0, 0, 0), x(2, 0, 0), y(0, 3, 0), z(0, 0, 1);
  EXPECT_DOUBLE_EQ(LengthBetween(x, o).value, 2.0);
  EXPECT_DOUBLE_EQ(AngleAt(x, o, y).value, kPi / 2);
  EXPECT_DOUBLE_EQ(AngleAt(x, o, y).lever, 2.0);
  EXPECT_DOUBLE_EQ(AngleAt(x, o, -x).value, kPi);
  EXPECT_DOUBLE_EQ(AngleAt(x, o, x).value, 0.0);
  // About z from o: y against x is a quarter turn, right-handed.
  EXPECT_DOUBLE_EQ(TwistAbout(x, o, z, y + z).value, kPi / 2);
  EXPECT_DOUBLE_EQ(TwistAbout(y, o, z, x + z).value, -kPi / 2);
  EXPECT_DOUBLE_EQ(TwistAbout(x, o, z, y + z).lever, 2.0);
}

// In line an angle has no derivative; the gradient still says how to bend, and stays in the plane.
TEST(Measures, AnglesInLineCanBend) {
  const Vector3d a(-1, 0, 0), o(0, 0, 0), c(2, 0, 0);
  for (const auto& [first, way] : {std::pair{a, -1.0}, std::pair{Vector3d(0.5 * c), 1.0}}) {
    const PointMeasure at = AngleAt(first, o, c);
    const double small = 1e-3 * way;  // closes what is open, opens what is closed
    const PointMeasure moved = AngleAt(first + small * at.gradient[0], o + small * at.gradient[1],
                                       c + small * at.gradient[2]);
    double squares = 0.0;
    for (int k = 0; k < 3; ++k) {
      squares += at.gradient[k].squaredNorm();
      EXPECT_EQ(at.gradient[k].z(), 0.0);
    }
    EXPECT_NEAR(moved.value - at.value, small * squares, 1e-5);
  }
}

Slider Along(std::initializer_list<Vector3d> corners, bool closed = false) {
  Slider slider = {.kind = Slider::Kind::kCurve, .closed = closed};
  slider.corners.resize(3, static_cast<Eigen::Index>(corners.size()));
  Eigen::Index k = 0;
  for (const Vector3d& corner : corners) slider.corners.col(k++) = corner;
  return slider;
}

// What is barred is orthonormal, and leads to the place that is admitted.
void ExpectBars(const Admitted& admitted, const Vector3d& x, int count) {
  ASSERT_EQ(admitted.count, count);
  const auto barred = admitted.barred.leftCols(count);
  EXPECT_LT((barred.transpose() * barred - Eigen::MatrixXd::Identity(count, count)).norm(), 1e-12);
  const Vector3d way = admitted.nearest - x;
  EXPECT_LT((barred * (barred.transpose() * way) - way).norm(), 1e-12);
}

TEST(Sliders, AdmitTheNearestPlace) {
  Scene scene;
  Slider slider;
  slider.through = {1, 1, 1};
  slider.direction = Vector3d(1, 2, 2) / 3.0;
  const Vector3d x(4, 0, 2);
  Admitted at = Admit(scene, slider, 0.0, x);
  ExpectBars(at, x, 2);
  EXPECT_NEAR((at.nearest - slider.through).cross(slider.direction).norm(), 0.0, 1e-12);

  slider.kind = Slider::Kind::kPlane;
  at = Admit(scene, slider, 0.0, x);
  ExpectBars(at, x, 1);
  EXPECT_NEAR((at.nearest - slider.through).dot(slider.direction), 0.0, 1e-12);

  slider.kind = Slider::Kind::kBall;
  slider.radius = 2.0;
  at = Admit(scene, slider, 0.0, x);
  ExpectBars(at, x, 1);
  EXPECT_NEAR((at.nearest - slider.through).norm(), 2.0, 1e-12);
  EXPECT_EQ(Admit(scene, slider, 0.0, slider.through).count, 0);

  scene.obstacles = {{"ball", Sphere{0.5}, PathThrough({0.0, 1.0}, {{0, 0, 0}, {1, 0, 0}})}};
  slider.kind = Slider::Kind::kSurface;
  at = Admit(scene, slider, 1.0, x);
  ExpectBars(at, x, 1);
  EXPECT_NEAR((at.nearest - Vector3d(1, 0, 0)).norm(), 0.5, 1e-12);
}

TEST(Sliders, LeadAlongCurvesAndBackFromTheirEnds) {
  const Scene scene;
  const Slider open = Along({{0, 0, 0}, {2, 0, 0}, {2, 2, 0}});
  Vector3d x(1, 0.3, 0.2);
  Admitted at = Admit(scene, open, 0.0, x);
  ExpectBars(at, x, 2);
  EXPECT_LT((at.nearest - Vector3d(1, 0, 0)).norm(), 1e-12);
  x = {-1, 0, 0.5};
  at = Admit(scene, open, 0.0, x);
  ExpectBars(at, x, 3);
  EXPECT_LT(at.nearest.norm(), 1e-12);
  x = {0.9, 1.1, 0};  // nearest to the side that only a closed curve has
  at = Admit(scene, Along({{0, 0, 0}, {2, 0, 0}, {2, 2, 0}}, true), 0.0, x);
  ExpectBars(at, x, 2);
  EXPECT_LT((at.nearest - Vector3d(1, 1, 0)).norm(), 1e-12);
}

}  // namespace
}  // namespace pliant
