#include "models/dynamic_ffd/mode_shapes.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "models/dynamic_ffd/modes.h"
#include "models/problem.h"
#include "tests/models/dynamic_ffd/subjects.h"
#include "tests/reference/complaints.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

const Vector3d kCorner(-1, 0.5, 2), kExtent(2, 3, 0.8);
const Vector3d kCentre = kCorner + 0.5 * kExtent;

// The field itself, worked out component by component for an axis x and a direction y.
Vector3d FieldAlongX(ModeShapeKind kind, double a, const Vector3d& x) {
  const Vector3d r = x - kCentre;
  const double h = 0.5 * kExtent.x();
  switch (kind) {
    case ModeShapeKind::kStretch:
      return {a * r.x(), 0, 0};
    case ModeShapeKind::kSquash:
      return {-a * r.x(), 0, 0};
    case ModeShapeKind::kShear:
      return {0, a * r.x(), 0};
    case ModeShapeKind::kBend:
      return {-a / h * r.x() * r.y(), a / (2 * h) * r.x() * r.x(), 0};
    case ModeShapeKind::kTaper:
      return {0, a / h * r.x() * r.y(), a / h * r.x() * r.z()};
    case ModeShapeKind::kTwist:
      return {0, -a / h * r.x() * r.z(), a / h * r.x() * r.y()};
  }
  return {};
}

const std::vector<Vector3d>& Places() {
  static const std::vector<Vector3d> places = {
      kCorner, kCentre, {-0.3, 1.1, 2.7}, {0.9, 3.4, 2.1}, kCorner + kExtent};
  return places;
}

TEST(ModeShapes, AreTheFieldsThatTheirNamesSay) {
  for (const LatticeBases& bases :
       {BernsteinBases({2, 2, 2}), BernsteinBases({5, 3, 4}),
        LatticeBases{LatticeBasis::CubicBSpline(9), LatticeBasis::CubicBSpline(4),
                     LatticeBasis::Bernstein(2)}}) {
    const Lattice lattice(bases, kCorner, kExtent);
    for (const auto& [name, kind] : ModeShapeKinds()) {
      const ModeShape shape{kind, Vector3d::UnitX(), Vector3d::UnitY(), 0.4};
      const Matrix3Xd d = ShapeDisplacements(shape, lattice);
      for (const Vector3d& x : Places()) {
        EXPECT_LT((d * lattice.Weights(x) - FieldAlongX(kind, 0.4, x)).norm(), 1e-13) << name;
      }
    }
  }
}

TEST(ModeShapes, TurnWithTheirAxes) {
  // A cube looks alike along x and along y: what a shape does along y, turned back, it does along
  // x.
  const Lattice lattice({3, 3, 3}, {-1, -1, -1}, {2, 2, 2});
  const Eigen::AngleAxisd turn(0.5 * std::numbers::pi, Vector3d::UnitZ());
  for (const auto& [name, kind] : ModeShapeKinds()) {
    const Matrix3Xd along_x =
        ShapeDisplacements({kind, Vector3d::UnitX(), Vector3d::UnitY(), 0.3}, lattice);
    const Matrix3Xd along_y =
        ShapeDisplacements({kind, Vector3d::UnitY(), -Vector3d::UnitX(), 0.3}, lattice);
    for (const Vector3d& x : {Vector3d(0.3, -0.7, 0.2), Vector3d(-0.9, 0.1, 0.8)}) {
      const Vector3d turned = turn * Vector3d(along_x * lattice.Weights(x));
      EXPECT_LT((turned - along_y * lattice.Weights(turn * x)).norm(), 1e-14) << name;
    }
  }
}

TEST(ModeShapes, SquashTurnedByAnAngleIsTheOneOfTheSource) {
  for (double phi : {0.0, 0.4, 0.9, 1.3}) {
    const ModeShape squash{ModeShapeKind::kSquash,
                           {std::cos(phi), std::sin(phi), 0},
                           {-std::sin(phi), std::cos(phi), 0},
                           0.6};
    EXPECT_LT((ShapeDisplacements(squash, ThesisLattice()) - TurnedSquash(phi)).norm(), 1e-11);
  }
}

TEST(ModeShapes, AffineOnesAreExactInAnExtendedLattice) {
  const Lattice box({3, 2, 1}, {0, 0, 0}, {2, 1, 1});
  Matrix3Xd points = box.ControlPoints();
  points.row(1) += 0.2 * points.row(0).cwiseAbs2();
  const Lattice lattice = box.Extended(points);
  const Matrix3Xd d = ShapeDisplacements(
      {ModeShapeKind::kShear, Vector3d::UnitX(), Vector3d::UnitZ(), 0.5}, lattice);
  const Vector3d x = points * lattice.WeightsAt({0.3, 0.6, 0.1});
  EXPECT_LT((d * lattice.Weights(x) - Vector3d(0, 0, 0.5 * (x.x() - 1.0))).norm(), 1e-12);
}

TEST(ModeShapes, SayWhereTheLatticeIsTooStiffForThem) {
  const Lattice lattice({1, 3, 3}, {0, 0, 0}, {1, 1, 1});
  ModeTable table;
  const DeformationMode bend = {
      .name = "arch",
      .shape = ModeShape{ModeShapeKind::kBend, Vector3d::UnitX(), Vector3d::UnitY(), 0.3}};
  table.modes = {bend};
  EXPECT_EQ(reference::ComplaintOf([&] { table.DisplacementsOn(lattice, 0); }),
            "mode 'arch': a bend is of second order along x, where the lattice has degree 1; "
            "give the lattice degree 2 or more along x");
  // Across the axis a taper and a twist are of first order only.
  const Lattice thin({2, 1, 1}, {0, 0, 0}, {1, 1, 1});
  EXPECT_NO_THROW(ShapeDisplacements({ModeShapeKind::kTaper}, thin));
  EXPECT_NO_THROW(ShapeDisplacements({ModeShapeKind::kTwist}, lattice));
}

TEST(ModeTable, BlendIsTheWeightedSumOfItsParts) {
  const Lattice lattice({3, 3, 0}, {0, 0, 0}, {2, 1, 1});
  ModeTable table;
  RandomNumbers random(5);
  for (const char* name : {"a", "b"}) table.modes.push_back({name, random.Matrix(3, 16)});
  DeformationMode blend = {.blend = {{0, 2.0}, {1, -0.5}}};
  table.modes.push_back(blend);
  blend.blend = {{2, 3.0}, {0, 1.0}};
  table.modes.push_back(blend);
  const Matrix3Xd expected =
      7.0 * table.DisplacementsOn(lattice, 0) - 1.5 * table.DisplacementsOn(lattice, 1);
  EXPECT_LT((table.DisplacementsOn(lattice, 3) - expected).norm(), 1e-14);
}

}  // namespace
}  // namespace pliant::dynamic_ffd
