#include "models/contact/excess.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "models/contact/barrier.h"
#include "tests/models/geometry/meshes.h"
#include "tests/random_numbers.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

const Vector3d kOrigin(0.3, -0.2, 0.1);

Vector3d DepthsOf(const ObstacleShape& shape, const PartCorners& x) {
  Vector3d depths = Vector3d::Zero();
  for (Eigen::Index j = 0; j < x.cols(); ++j) {
    depths[j] = std::max(0.0, -SignedDistance(shape, kOrigin, x.col(j)).distance);
  }
  return depths;
}

double ValueOf(const ObstacleShape& shape, const PartCorners& x) {
  return ExcessOf(shape, kOrigin, x, DepthsOf(shape, x)).value;
}

// By trying many places.
double Tried(const ObstacleShape& shape, const PartCorners& x, int parts) {
  const Vector3d depths = DepthsOf(shape, x);
  double most = 0.0;
  for (int i = 0; i <= parts; ++i) {
    for (int j = 0; i + j <= (x.cols() == 2 ? i : parts); ++j) {
      const double u = static_cast<double>(i) / parts, v = static_cast<double>(j) / parts;
      Vector3d w(1.0 - u - v, u, v);
      if (x.cols() == 2 && j > 0) break;
      const Vector3d place = x * w.head(x.cols());
      const double depth = std::max(0.0, -SignedDistance(shape, kOrigin, place).distance);
      most = std::max(most, 0.5 * depth * depth - 0.5 * w.dot(depths.cwiseAbs2()));
    }
  }
  return most;
}

std::vector<ObstacleShape> Shapes() {
  const Eigen::Matrix3d axes =
      Eigen::AngleAxisd(0.7, Vector3d(1, 2, -1).normalized()).toRotationMatrix();
  const meshes::Shape solid = meshes::Octahedron();
  return {Plane{Vector3d(0.6, 0.8, 0.0)},
          Sphere{0.8},
          Sphere{0.1},
          Capsule{Vector3d(0.3, 0.6, -0.2), 0.4},
          Capsule{Vector3d(0.3, 0.6, -0.2), 0.05},
          Box{Vector3d(0.5, 0.9, 0.2), axes},
          Solid{ConvexPieces(axes * solid.vertices, solid.mesh)}};
}

PartCorners SomePart(RandomNumbers* random, int i) {
  const double size = i % 3 == 0 ? 0.3 : 1.2;
  return (size * random->Matrix(3, 2 + i % 2)).colwise() +
         Vector3d(kOrigin + 0.4 * random->Matrix(3, 1));
}

TEST(Excess, IsTheMostThatAnyPlaceHasBeyondThePoints) {
  RandomNumbers random(5);
  for (const ObstacleShape& shape : Shapes()) {
    int counted = 0;
    for (int i = 0; i < 800; ++i) {
      const PartCorners x = SomePart(&random, i);
      const double found = ValueOf(shape, x), tried = Tried(shape, x, 60);
      const double size = (x.rightCols(x.cols() - 1).colwise() - x.col(0)).norm();
      // The axis of a round shape through the part: it has gone through, and there is no place.
      const double deepest = -ClearanceOf(shape, kOrigin, x).distance;
      if (deepest > 0.999999 * HalfThickness(shape)) continue;
      EXPECT_GE(found, tried - 1e-12) << shape.index() << " " << i;
      EXPECT_LE(found, tried + 0.02 * size) << shape.index() << " " << i;
      if (found > 1e-6) ++counted;
    }
    if (PlaneOf(shape) != nullptr) {
      EXPECT_EQ(counted, 0);
    } else {
      EXPECT_GT(counted, 20) << shape.index();
    }
  }
}

// A barrier of the depth that is left of a thickness.
class BarrierOfDepth final : public DepthEnergy {
 public:
  explicit BarrierOfDepth(double thickness) : barrier_(thickness) {}
  double Value(double depth) const override { return barrier_.Value(barrier_.thickness() - depth); }
  double Slope(double depth) const override {
    return -barrier_.Slope(barrier_.thickness() - depth);
  }

 private:
  Barrier barrier_;
};

// With another energy of the depth than ½ d² too: tried at many places, and the gradient of its weights.
TEST(Excess, OfABarrierIsTheMostThatAnyPlaceHas) {
  RandomNumbers random(7);
  int counted = 0, with_corner_inside = 0;
  for (const ObstacleShape& shape : {ObstacleShape(Sphere{0.8}), ObstacleShape(Sphere{0.3})}) {
    const double thickness = 0.8 * HalfThickness(shape);
    const BarrierOfDepth energy(thickness);
    for (int i = 0; i < 600; ++i) {
      const PartCorners x = SomePart(&random, i);
      if (-ClearanceOf(shape, kOrigin, x).distance > 0.9 * thickness) continue;
      const Vector3d depths = DepthsOf(shape, x);
      const Excess excess = ExcessOf(shape, kOrigin, x, depths, energy);
      const auto stored = [&](const Vector3d& w) {
        double sum = 0.0;
        for (Eigen::Index j = 0; j < x.cols(); ++j) sum += w[j] * energy.Value(depths[j]);
        return sum;
      };
      double most = 0.0;
      constexpr int kParts = 200;
      for (int k = 0; k <= kParts; ++k) {
        for (int l = 0; k + l <= kParts && (l == 0 || x.cols() == 3); ++l) {
          const double u = static_cast<double>(k) / kParts, v = static_cast<double>(l) / kParts;
          const Vector3d w(1.0 - u - v, u, v);
          const Vector3d place = x * w.head(x.cols());
          const double depth = std::max(0.0, -SignedDistance(shape, kOrigin, place).distance);
          most = std::max(most, energy.Value(depth) - stored(w));
        }
      }
      EXPECT_GE(excess.value, most - 1e-9) << i;
      EXPECT_LE(excess.value, most + 0.02 * energy.Slope(0.9 * thickness)) << i;
      if (!(excess.value > 1e-4)) continue;
      ++counted;
      if (depths.maxCoeff() > 0.0) ++with_corner_inside;
      const Vector3d place = x * excess.weights.head(x.cols());
      EXPECT_NEAR(-SignedDistance(shape, kOrigin, place).distance, excess.depth, 1e-12);
      EXPECT_NEAR(energy.Value(excess.depth) - stored(excess.weights), excess.value, 1e-12);
    }
  }
  EXPECT_GT(counted, 100);
  EXPECT_GT(with_corner_inside, 20);
}

// Where no corner is inside, the place is the deepest one and the value ½ d².
TEST(Excess, OfAnEdgeAcrossASphereIsThatOfItsMiddle) {
  PartCorners x(3, 2);
  x.col(0) = kOrigin + Vector3d(-1.0, 0.15, 0.0);
  x.col(1) = kOrigin + Vector3d(3.0, 0.15, 0.0);
  const Excess excess = ExcessOf(Sphere{0.2}, kOrigin, x, DepthsOf(Sphere{0.2}, x));
  EXPECT_NEAR(excess.depth, 0.05, 1e-15);
  EXPECT_NEAR(excess.value, 0.5 * 0.05 * 0.05, 1e-16);
  EXPECT_NEAR(excess.weights[0], 0.75, 1e-14);
  EXPECT_LT((excess.normal - Vector3d::UnitY()).norm(), 1e-14);
}

// The gradient with constant weights is that of the value, corner by corner.
TEST(Excess, HasTheGradientOfItsWeights) {
  RandomNumbers random(6);
  int counted = 0, with_corner_inside = 0;
  for (const ObstacleShape& shape : Shapes()) {
    if (std::holds_alternative<Solid>(shape) || std::holds_alternative<Box>(shape)) continue;
    for (int i = 0; i < 300; ++i) {
      PartCorners x = SomePart(&random, i);
      const Vector3d depths = DepthsOf(shape, x);
      const Excess excess = ExcessOf(shape, kOrigin, x, depths);
      if (!(excess.value > 1e-4)) continue;
      if (-ClearanceOf(shape, kOrigin, x).distance > 0.999999 * HalfThickness(shape)) continue;
      ++counted;
      if (depths.maxCoeff() > 0.0) ++with_corner_inside;
      for (Eigen::Index j = 0; j < x.cols(); ++j) {
        const Vector3d normal = SignedDistance(shape, kOrigin, x.col(j)).normal;
        const Vector3d gradient =
            excess.weights[j] * (depths[j] * normal - excess.depth * excess.normal);
        Vector3d numerical;
        for (int c = 0; c < 3; ++c) {
          constexpr double kStep = 1e-6;
          const double at = x(c, j);
          x(c, j) = at + kStep;
          const double up = ValueOf(shape, x);
          x(c, j) = at - kStep;
          numerical[c] = (up - ValueOf(shape, x)) / (2.0 * kStep);
          x(c, j) = at;
        }
        EXPECT_LT((gradient - numerical).norm(), 2e-6) << shape.index() << " " << i << " " << j;
      }
    }
  }
  EXPECT_GT(counted, 200);
  EXPECT_GT(with_corner_inside, 50);
}

// As an edge slides lengthwise over a ball, the place comes to its end: the value and its gradient go
// to 0 there, and neither jumps anywhere.
TEST(Excess, FallsToNothingAsThePlaceComesToACorner) {
  PartCorners x(3, 2);
  const Sphere ball{0.2};
  double before = NAN, slope_before = NAN;
  constexpr double kStep = 1e-4;
  for (int i = 0; i <= 8000; ++i) {
    const double at = -0.5 + kStep * i;
    x.col(0) = kOrigin + Vector3d(at, 0.12, 0.0);
    x.col(1) = kOrigin + Vector3d(at + 0.15, 0.13, 0.0);
    const double value = ValueOf(ball, x), slope = (value - before) / kStep;
    if (i > 1) {
      EXPECT_LT(std::abs(slope), 0.1);
      EXPECT_LT(std::abs(slope - slope_before), 20.0 * kStep) << at;
    }
    slope_before = slope;
    before = value;
  }
}

// Of second order in the size of the part, where its corners are inside.
TEST(Excess, IsSmallOfSecondOrderOnASmallPart) {
  const Sphere ball{0.5};
  double before = NAN;
  for (const double size : {0.2, 0.1, 0.05, 0.025}) {
    PartCorners x(3, 2);
    x.col(0) = kOrigin + Vector3d(-0.5 * size, 0.4, 0.0);
    x.col(1) = kOrigin + Vector3d(0.5 * size, 0.4, 0.0);
    const double value = ValueOf(ball, x);
    EXPECT_GT(value, 0.0);
    if (size < 0.2) {
      EXPECT_NEAR(std::log2(before / value), 2.0, 0.15) << size;
    }
    before = value;
  }
}

}  // namespace
}  // namespace pliant
