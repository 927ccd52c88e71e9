// Surfaces other than sheets: rings, tubes, tori and meshes.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <random>

#include "models/scene/shapes.h"
#include "solvers/kinematic_response/casting.h"
#include "solvers/kinematic_response/kinematic_response.h"
#include "tests/models/geometry/meshes.h"
#include "tests/solvers/kinematic_response/stepped_surface.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

struct Round {
  Body body;
  int around;
};
std::vector<Round> RoundBodies() {
  return {{MakeTube("tube", 0.5, 2.0, {48, 17}, 1.0), 48},
          {MakeTorus("torus", 1.0, 0.4, {48, 24}, 1.0), 48}};
}

TEST(Wrapped, SurfacesAnswerAlikeAllAround) {
  const ObstacleShape shape = Sphere{0.3};
  const Matrix3d turn =
      Eigen::AngleAxisd(2.0 * std::numbers::pi / 3.0, Vector3d::UnitZ()).toRotationMatrix();
  for (const Round& round : RoundBodies()) {
    SteppedSurface here(round.body), there(round.body);
    const std::vector<LevelControls> controls(here.levels(),
                                              {.absorption = 0.15, .retention = 0.9});
    const double radius = round.body.rest.topRows<2>().colwise().norm().maxCoeff();
    double moved = 0.0;
    for (int step = 0; step < 6; ++step) {
      // Near the first column, so that the answer reaches across the corner.
      const Vector3d centre(radius + 0.2 - 0.03 * step, 0.04, 0.05);
      here.Step(controls, {{&shape, centre, -Vector3d::UnitX(), 0.2}});
      there.Step(controls, {{&shape, turn * centre, turn * -Vector3d::UnitX(), 0.2}});
      moved = std::max(moved,
                       (here.surface() - round.body.rest.transpose()).rowwise().norm().maxCoeff());
    }
    EXPECT_GT(moved, 0.05);
    const GridSize& grid = here.response.model().finest();
    for (int v = 0; v < grid.nv; ++v) {
      for (int u = 0; u < grid.nu; ++u) {
        const Vector3d expected = turn * here.surface().row(grid.Index(u, v)).transpose();
        const int shifted = grid.Index((u + grid.nu / 3) % grid.nu, v);
        ASSERT_LT((there.surface().row(shifted).transpose() - expected).norm(), 1e-12);
      }
    }
  }
}

TEST(Wrapped, SurfacesLeaveNoPenetrationAndFaceOutwards) {
  const ObstacleShape shape = Sphere{0.3};
  for (const Round& round : RoundBodies()) {
    SteppedSurface subject(round.body);
    const std::vector<LevelControls> controls(subject.levels(), LevelControls{.absorption = 0.0});
    const double radius = round.body.rest.topRows<2>().colwise().norm().maxCoeff();
    const Vector3d centre(radius + 0.2, 0, 0);
    for (int v = 0; v < round.body.size(); ++v) {
      const Vector3d x = round.body.rest.col(v);
      const Vector3d n = subject.response.model().Normal(subject.surface(), v);
      EXPECT_NEAR(n.norm(), 1.0, 1e-12);
      const Vector3d core =
          round.body.closed ? Vector3d(x.x(), x.y(), 0.0).normalized() : Vector3d(0.0, 0.0, x.z());
      EXPECT_GT(n.dot(x - core), 0.0);
    }
    subject.Step(controls, {{&shape, centre, -Vector3d::UnitX(), 0.0}});
    const Eigen::VectorXd distance =
        (subject.surface().rowwise() - centre.transpose()).rowwise().norm();
    EXPECT_GT(distance.minCoeff(), 0.3 - 1e-13);
    const GridSize& grid = subject.response.model().finest();
    const int nearest = round.body.closed ? 0 : grid.Index(0, grid.nv / 2);
    EXPECT_LT(subject.surface()(nearest, 0), radius - 0.09);  // it did go in
  }
}

TEST(Wrapped, RingIsPressedFromOutside) {
  const ObstacleShape shape = Sphere{0.3};
  SteppedSurface subject(MakeRing("ring", 1.0, 96, 1.0));
  const std::vector<LevelControls> controls(subject.levels(), LevelControls{.absorption = 0.0});
  subject.Step(controls, {{&shape, {1.2, 0, 0}, -Vector3d::UnitX(), 0.0}});
  EXPECT_NEAR(subject.surface()(0, 0), 0.9, 1e-12);
  EXPECT_LT((subject.surface().row(48) - Eigen::RowVector3d(-1, 0, 0)).norm(), 1e-12);
}

Body BallMesh(SubdivisionScheme scheme, int subdivisions) {
  const meshes::Shape shape =
      scheme == SubdivisionScheme::kLoop ? meshes::Octahedron() : meshes::Cube();
  return MakeMesh("ball", shape.vertices, shape.mesh, scheme, subdivisions, 1.0);
}

class EveryScheme : public testing::TestWithParam<std::tuple<SubdivisionScheme, Prolongation>> {};
INSTANTIATE_TEST_SUITE_P(
    Mesh, EveryScheme,
    testing::Combine(testing::Values(SubdivisionScheme::kCatmullClark, SubdivisionScheme::kLoop),
                     testing::Values(Prolongation::kLinear, Prolongation::kSubdivision)));

TEST_P(EveryScheme, WithoutOffsetsIsTheTarget) {
  const auto [scheme, prolongation] = GetParam();
  Body body = BallMesh(scheme, 4);
  std::mt19937 generator(7);
  for (double& x : body.rest.reshaped()) x += 0.01 * (generator() / 4294967296.0 - 0.5);
  const SteppedSurface subject(body, Restriction::kAverage, prolongation);
  EXPECT_EQ(subject.levels(), 5);
  EXPECT_LT((subject.surface() - body.rest.transpose()).cwiseAbs().maxCoeff(), 1e-14);
}

TEST_P(EveryScheme, SmoothMeshesNeedSmallRestOffsetsWithTheirOwnMasks) {
  const auto [scheme, prolongation] = GetParam();
  if (prolongation == Prolongation::kLinear) return;
  // A level's target is the finest mesh at its vertices and not its own refined cage, so that rest
  // offsets are not zero, but they shrink quickly from level to level.
  const SteppedSurface subject(BallMesh(scheme, 5), Restriction::kAverage, prolongation);
  auto largest = [&](int level) {
    return subject.response.model().rest(level).rowwise().norm().maxCoeff();
  };
  EXPECT_LT(largest(5), 0.5 * largest(4));
  EXPECT_LT(largest(4), 0.5 * largest(3));
}

TEST_P(EveryScheme, DetailsTurnWithTheCage) {
  const auto [scheme, prolongation] = GetParam();
  const Body body = BallMesh(scheme, 3);
  SteppedSurface subject(body, Restriction::kAverage, prolongation);
  const Matrix3d turn =
      Eigen::AngleAxisd(0.8, Vector3d(1, -2, 0.5).normalized()).toRotationMatrix();
  const GridVectors& cage = subject.response.model().rest(0);
  subject.offsets.elastic[0] = cage * turn.transpose() - cage;
  subject.response.Place(subject.offsets);
  const GridVectors expected = (turn * body.rest).transpose();
  EXPECT_LT((subject.surface() - expected).cwiseAbs().maxCoeff(), 1e-13);
}

TEST_P(EveryScheme, NormalsPointOutwards) {
  const auto [scheme, prolongation] = GetParam();
  const Body body = BallMesh(scheme, 3);
  const SteppedSurface subject(body, Restriction::kAverage, prolongation);
  for (int v = 0; v < body.size(); ++v) {
    const Vector3d n = subject.response.model().Normal(subject.surface(), v);
    EXPECT_GT(n.dot(Vector3d(body.rest.col(v)).normalized()), 0.8) << v;
  }
}

TEST_P(EveryScheme, PressedMeshLeavesNothingInsideAndRecovers) {
  const auto [scheme, prolongation] = GetParam();
  const Body body = BallMesh(scheme, 4);
  for (const Restriction restriction : {Restriction::kMaximum, Restriction::kAverage,
                                        Restriction::kFullWeighting, Restriction::kCombined}) {
    SteppedSurface subject(body, restriction, prolongation);
    std::vector<LevelControls> controls(subject.levels(), {.absorption = 0.0, .retention = 0.5});
    const double top = body.rest.row(2).maxCoeff();
    const ObstacleShape shape = Sphere{0.4};
    const std::vector<CastObstacle> ball = {
        {&shape, {0.02, 0.03, top + 0.25}, -Vector3d::UnitZ(), 1.0}};
    const DeformationSummary summary = subject.Step(controls, ball);
    EXPECT_GT(summary.pressed, 3);
    EXPECT_LT(subject.surface().col(2).maxCoeff(), top);
    // Full friction casts along one direction: what was pressed is out after one step.
    const GridVectors pressed = subject.surface();
    for (int v = 0; v < body.size(); ++v) {
      if ((body.rest.col(v) - ball[0].origin).norm() >= 0.4) continue;
      EXPECT_GT((pressed.row(v).transpose() - ball[0].origin).norm(), 0.4 - 1e-12);
    }
    controls[2].absorption = 0.3;
    subject.Step(controls, ball);
    for (int step = 0; step < 80; ++step) subject.Step(controls, {});
    EXPECT_LT((subject.surface() - body.rest.transpose()).cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST(Mesh, RegularQuadMeshAnswersAsTheGridDoes) {
  // Inside, where no border is near, Catmull–Clark of a grid is the grid's own subdivision and its
  // blocks of children are the grid's.
  const int n = 4, levels = 3, side = n * (1 << levels) + 1;
  meshes::Shape cage = meshes::QuadGrid(n);
  const Body mesh =
      MakeMesh("mesh", cage.vertices, cage.mesh, SubdivisionScheme::kCatmullClark, levels, 1.0);
  Body sheet = MakeSheet("sheet", {4, 4}, {side, side}, 1.0);
  sheet.rest.topRows<2>().array() += 2.0;
  SteppedSurface of_mesh(mesh, Restriction::kMaximum, Prolongation::kSubdivision);
  SteppedSurface of_grid(sheet, Restriction::kMaximum, Prolongation::kSubdivision);
  // The grid has two more, coarser levels, which do nothing here.
  std::vector<LevelControls> controls(of_grid.levels(), LevelControls{.absorption = 0.0});
  controls[of_grid.levels() - 2].absorption = 0.4;
  const std::vector<LevelControls> fine(controls.end() - of_mesh.levels(), controls.end());
  const ObstacleShape shape = Sphere{0.35};
  const std::vector<CastObstacle> ball = {{&shape, {2.03, 1.96, 0.2}, -Vector3d::UnitZ(), 1.0}};
  of_mesh.Step(fine, ball);
  of_grid.Step(controls, ball);
  int compared = 0;
  for (int v = 0; v < mesh.size(); ++v) {
    const Vector3d at = mesh.rest.col(v);
    if ((at - Vector3d(2, 2, 0)).cwiseAbs().maxCoeff() > 0.9) continue;
    const int u = static_cast<int>(std::lround(at.x() * (1 << levels)));
    const int w = static_cast<int>(std::lround(at.y() * (1 << levels)));
    EXPECT_NEAR(of_mesh.surface()(v, 2), of_grid.surface()(u + side * w, 2), 1e-12);
    compared += of_grid.surface()(u + side * w, 2) < -0.01 ? 1 : 0;
  }
  EXPECT_GT(compared, 20);
}

}  // namespace
}  // namespace pliant::kinematic_response
