// Nails of one name hold the face between their points.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/finite_elements/shell.h"
#include "models/scene/shapes.h"
#include "solvers/finite_elements/reduction.h"
#include "solvers/finite_elements/scene_parts.h"
#include "solvers/finite_elements/scene_rows.h"
#include "solvers/finite_elements/statics.h"
#include "tests/scenes.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

constexpr double kLength = 1.0, kSide = 0.1, kYoung = 1e6, kDensity = 1000.0;

// A beam along x, nailed at its face x-.
Scene NailedBeam(double poisson_ratio) {
  Body beam = MakeBlock("beam", {kLength, kSide, kSide}, {11, 3, 3}, 1.0);
  beam.material = Material{.density = kDensity,
                           .youngs_modulus = kYoung,
                           .poisson_ratio = poisson_ratio,
                           .law = ElasticLaw::kStVenantKirchhoff};
  beam.mass = kDensity * VolumeShares(beam, 0.0);
  Scene scene = SceneOf({beam});
  for (const int point : PointGroup(beam, "x-")) {
    scene.nails.push_back({"wall", {0, point}, Path::Still(beam.rest.col(point))});
  }
  return scene;
}

Discretisation PartsOf(const Scene& scene, int refinement) {
  std::vector<std::unique_ptr<const ElasticPart>> parts;
  for (int b = 0; b < static_cast<int>(scene.bodies.size()); ++b) {
    parts.push_back(MakePart(scene, b, refinement, false).part);
  }
  return Discretisation(std::move(parts));
}

// How far the middle of the far end sinks under a small weight of its own.
double Sag(const Scene& scene, int refinement, double gravity) {
  const Discretisation bodies = PartsOf(scene, refinement);
  const HeldRows rows(scene, bodies);
  Matrix3Xd q = bodies.InitialNodes(scene);
  StaticLoad load;
  load.rows = rows.rows();
  load.begin = load.end = rows.Values(0.0);
  load.force = Vector3d(0.0, -gravity, 0.0) *
               (bodies.mass() * Eigen::VectorXd::Ones(bodies.node_count())).transpose();
  EXPECT_TRUE(SolveStatics(bodies, load, {}, &q).converged);
  const Matrix3Xd x = q * bodies.embedding().transpose();
  return -x.col(GridPoint(scene.bodies[0], {10, 1, 1})).y();
}

// Timoshenko's beam under its weight p per length: p L⁴/(8 E I) + p L²/(2 κ G A); without Poisson's
// effect nothing is singular at the wall.
TEST(NailedFaces, ClampABeamAsBeamTheoryDoes) {
  constexpr double kGravity = 1e-4;
  const double area = kSide * kSide, inertia = area * area / 12.0,
               load = kDensity * kGravity * area;
  const double shear = 5.0 / 6.0 * 0.5 * kYoung * area;
  const double exact = load * std::pow(kLength, 4) / (8.0 * kYoung * inertia) +
                       load * kLength * kLength / (2.0 * shear);
  const Scene scene = NailedBeam(0.0);
  EXPECT_NEAR(Sag(scene, 1, kGravity), exact, 2e-3 * exact);
  EXPECT_NEAR(Sag(scene, 2, kGravity), exact, 1e-3 * exact);
}

// With Poisson's effect the clamped corners are singular, so that the sag settles slowly; nails at
// points alone let go as the mesh gets finer.
TEST(NailedFaces, AreStifferThanNailsOfTheirPoints) {
  Scene scene = NailedBeam(0.3);
  const double coarse = Sag(scene, 1, 1e-4), fine = Sag(scene, 2, 1e-4);
  for (size_t n = 0; n < scene.nails.size(); ++n) scene.nails[n].name += std::to_string(n);
  const double points_coarse = Sag(scene, 1, 1e-4), points_fine = Sag(scene, 2, 1e-4);
  EXPECT_LT(fine / coarse - 1.0, 0.01);
  EXPECT_GT(points_coarse, 1.02 * coarse);
  EXPECT_GT(points_fine, 1.02 * fine);
  EXPECT_LT(points_fine, 1.1 * fine);
}

TEST(NailedFaces, HaveTheNodesOfTheFaceAndNoOthers) {
  const Scene scene = NailedBeam(0.3);
  for (const int refinement : {1, 2}) {
    const Discretisation bodies = PartsOf(scene, refinement);
    const int along = 4 * refinement + 1;  // nodes along two cells
    EXPECT_EQ(HeldRows(scene, bodies).size(), 3 * along * along);
  }
}

// Between four nails of a side nodes follow the mean of their corners, and forces are shared.
TEST(NailedFaces, FollowTheMeanOfTheirNails) {
  Scene scene = NailedBeam(0.3);
  const Body& beam = scene.bodies[0];
  scene.nails.clear();
  for (const int corner : {0, 1, 2, 3}) {
    const int j = corner % 2, k = corner / 2, point = GridPoint(beam, {0, j, k});
    const Vector3d start = beam.rest.col(point);
    scene.nails.push_back(
        {"four", {0, point}, PathThrough({0.0, 1.0}, {start, start + Vector3d(j, 3.0 * k, 0)})});
  }
  const Discretisation bodies = PartsOf(scene, 1);
  const HeldRows rows(scene, bodies);
  ASSERT_EQ(rows.size(), 3 * 9);
  const Eigen::VectorXd moved = rows.Values(0.5) - rows.Values(0.0), rates = rows.Rates(0.5);
  std::vector<std::pair<double, double>> between;  // along x and y [mm]
  int middle = -1;
  for (int row = 12; row < 27; row += 3) {
    between.emplace_back(std::round(1e3 * moved[row]), std::round(1e3 * moved[row + 1]));
    EXPECT_EQ(moved[row + 2], 0.0);
    EXPECT_NEAR(rates[row], 2.0 * moved[row], 1e-14);
    EXPECT_NEAR(rates[row + 1], 2.0 * moved[row + 1], 1e-14);
    if (between.back() == std::pair(250.0, 750.0)) middle = row;
  }
  std::sort(between.begin(), between.end());
  const std::vector<std::pair<double, double>> means = {
      {0, 750}, {250, 0}, {250, 750}, {250, 1500}, {500, 750}};
  EXPECT_EQ(between, means);
  ASSERT_GE(middle, 0);
  Eigen::VectorXd multipliers = Eigen::VectorXd::Zero(27);
  multipliers[middle + 2] = 2.0;
  Matrix3Xd forces = Matrix3Xd::Zero(3, beam.size());
  rows.AddPointForces(scene, multipliers, &forces);
  for (const Nail& nail : scene.nails) EXPECT_NEAR(forces(2, nail.point.point), 0.5, 1e-15);
}

// A sheet nailed along its edge y+, all its points under one name.
Scene NailedSheet() {
  Body sheet = MakeSheet("sheet", {1.0, 1.0}, {5, 5}, 1.0);
  sheet.material = Material{.density = kDensity,
                            .youngs_modulus = kYoung,
                            .poisson_ratio = 0.3,
                            .law = ElasticLaw::kStVenantKirchhoff,
                            .thickness = 0.02};
  Scene scene = SceneOf({sheet});
  for (const int point : PointGroup(sheet, "y+"))
    scene.nails.push_back({"hem", {0, point}, Path::Still(sheet.rest.col(point))});
  return scene;
}

// The whole edge stays, however many control points it has, and nothing else does.
TEST(NailedEdges, OfASheetHoldAllControlPointsOfTheEdge) {
  const Scene scene = NailedSheet();
  for (const int refinement : {1, 2, 4}) {
    const Discretisation bodies = PartsOf(scene, refinement);
    const auto& shell = dynamic_cast<const Shell&>(bodies.part(0));
    const HeldRows rows(scene, bodies);
    const Reduction reduction(3 * bodies.node_count(), rows.rows());
    const std::vector<int> edge = shell.EdgeRow(Shell::Edge::kVEnd, 0);
    EXPECT_EQ(reduction.size(), 3 * (bodies.node_count() - static_cast<int>(edge.size())));
    const Matrix3Xd start = bodies.InitialNodes(scene);
    Eigen::VectorXd pulled = Eigen::VectorXd::LinSpaced(3 * bodies.node_count(), -1.0, 1.0);
    reduction.Complete(rows.Values(0.0), pulled);
    for (const int node : edge) {
      EXPECT_LT((pulled.segment<3>(3 * node) - start.col(node)).norm(), 1e-12) << refinement;
    }
  }
}

// Nails along half of the edge hold that half, and the other half is free.
TEST(NailedEdges, HoldOnlyWhatLiesBetweenTheirNails) {
  Scene scene = NailedSheet();
  scene.nails.resize(3);  // the points at 0, ¼ and ½ of the edge
  const Discretisation bodies = PartsOf(scene, 4);
  const auto& shell = dynamic_cast<const Shell&>(bodies.part(0));
  const HeldRows rows(scene, bodies);
  const Reduction reduction(3 * bodies.node_count(), rows.rows());
  const Matrix3Xd start = bodies.InitialNodes(scene);
  Eigen::VectorXd pulled = Eigen::VectorXd::LinSpaced(3 * bodies.node_count(), -1.0, 1.0);
  reduction.Complete(rows.Values(0.0), pulled);
  const std::vector<int> edge = shell.EdgeRow(Shell::Edge::kVEnd, 0);
  for (size_t i = 0; i < edge.size(); ++i) {
    const double off = (pulled.segment<3>(3 * edge[i]) - start.col(edge[i])).norm();
    if (shell.u().Greville(static_cast<int>(i)) < 0.5 - 0.1) {
      EXPECT_LT(off, 1e-12) << i;
    } else if (shell.u().Greville(static_cast<int>(i)) > 0.5 + 0.1) {
      EXPECT_GT(off, 1e-3) << i;
    }
  }
}

// A hem that turns about the edge's direction and moves takes its control points along.
TEST(NailedEdges, FollowTheirNails) {
  Scene scene = NailedSheet();
  for (Nail& nail : scene.nails) {
    const Vector3d start = scene.bodies[0].rest.col(nail.point.point);
    nail.path = PathThrough({0.0, 1.0}, {start, 2.0 * start + Vector3d(0.0, 0.0, start.x())});
  }
  const Discretisation bodies = PartsOf(scene, 2);
  const auto& shell = dynamic_cast<const Shell&>(bodies.part(0));
  const HeldRows rows(scene, bodies);
  const Reduction reduction(3 * bodies.node_count(), rows.rows());
  const Matrix3Xd start = bodies.InitialNodes(scene);
  Eigen::VectorXd q = Eigen::VectorXd::Zero(3 * bodies.node_count());
  reduction.Complete(rows.Values(1.0), q);
  for (const int node : shell.EdgeRow(Shell::Edge::kVEnd, 0)) {
    const Vector3d x = start.col(node);
    EXPECT_LT((q.segment<3>(3 * node) - 2.0 * x - Vector3d(0.0, 0.0, x.x())).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace pliant::finite_elements
