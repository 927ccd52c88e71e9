#include "models/dynamic_ffd/embedding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/problem.h"
#include "models/scene/shapes.h"
#include "tests/models/dynamic_ffd/subjects.h"
#include "tests/reference/complaints.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

DeformationMode Stretch(const Vector3d& axis, int lattice) {
  return {.name = "stretch",
          .shape = ModeShape{ModeShapeKind::kStretch, axis, Vector3d::UnitZ(), 0.5},
          .lattice = lattice};
}

TEST(Embedding, OneLatticeMovesEveryPointAsItsWeightsSay) {
  RandomNumbers random(17);
  const Body body = MakeBlock("block", {1, 0.6, 0.4}, {4, 3, 3}, 10.0);
  ModeTable table;
  table.lattices[0].bases = BernsteinBases({3, 2, 2});
  table.modes = {{"m", random.Matrix(3, 36)}};
  const auto lattices = EmbedLattices(body, table);
  const Matrix3Xd moved = PointDisplacements(body, table, lattices, 0);
  const Matrix3Xd drawn = table.DisplacementsOn(lattices[0].lattice, 0);
  for (int n = 0; n < body.size(); ++n) {
    const Vector3d expected = drawn * lattices[0].lattice.Weights(body.rest.col(n));
    EXPECT_LT((moved.col(n) - expected).norm(), 1e-15);
  }
}

TEST(Embedding, ALatticeOfAPartMovesThatPartOnly) {
  const Body body = ThesisTable();  // the top at y = 300, legs below
  ModeTable table;
  LatticePlan legs = {.name = "legs"};
  legs.upper.y() = 0.6;
  table.lattices.push_back(legs);
  table.modes = {Stretch(Vector3d::UnitY(), 1)};
  const Matrix3Xd moved = PointDisplacements(body, table, EmbedLattices(body, table), 0);
  for (int n = 0; n < body.size(); ++n) {
    const double y = body.rest(1, n);
    const Vector3d expected(0, y <= 180.0 + 1e-9 ? 0.5 * (y - 90.0) : 0.0, 0);
    EXPECT_LT((moved.col(n) - expected).norm(), 1e-11) << n;
  }
}

TEST(Embedding, AnExtendedLatticeIsScaledToTheBodyAndKeepsAffineModes) {
  const Body body = ThesisTable();
  ModeTable table;
  LatticePlan& plan = table.lattices[0];
  plan.size = {1, 1, 1};
  plan.points = Lattice(plan.bases, {-0.3, -0.2, 0.0}, {1.6, 1.4, 1.0}).ControlPoints();
  plan.points.row(1) += 0.1 * plan.points.row(0).cwiseAbs2();  // arched, around the body
  table.modes = {Stretch(Vector3d::UnitX(), 0)};
  const Matrix3Xd moved = PointDisplacements(body, table, EmbedLattices(body, table), 0);
  for (int n = 0; n < body.size(); ++n) {
    EXPECT_NEAR(moved(0, n), 0.5 * (body.rest(0, n) - 200.0), 1e-8);
    EXPECT_NEAR(moved(1, n), 0.0, 1e-8);
  }
}

TEST(Embedding, NamesThePointThatAnExtendedLatticeDoesNotHold) {
  const Body body = ThesisTable();
  ModeTable table;
  LatticePlan& plan = table.lattices[0];
  plan.name = "arch";
  plan.points = Lattice(plan.bases, {0, 0, 0}, {1, 0.9, 1}).ControlPoints();  // too low
  EXPECT_THAT(reference::ComplaintOf([&] { EmbedLattices(body, table); }),
              testing::HasSubstr("lattice 'arch' does not contain point 0 of body"));
}

}  // namespace
}  // namespace pliant::dynamic_ffd
