// Forces on points act on the patches that these stand for: an even load on a face is a traction, to
// rounding, and what a single point is given does not sink in.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "models/finite_elements/load_patches.h"
#include "models/scene/cell_shares.h"
#include "solvers/finite_elements/node_loads.h"
#include "solvers/finite_elements/scene_rows.h"
#include "solvers/finite_elements/statics.h"
#include "tests/scenes.h"
#include "tests/solvers/finite_elements/small_bodies.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr ElasticLaw kLaw = ElasticLaw::kLinear;

// `body` with a load of 12 N on its face x+, as a whole.
Scene Pulled(const Body& body, const Vector3d& load, int dimension) {
  Scene scene = SceneOf({body});
  scene.dimension = dimension;
  const std::vector<int> face = PointGroup(body, "x+");
  const VectorXd parts = PartsOfLoad(body, face);
  for (size_t p = 0; p < face.size(); ++p) {
    scene.forces.push_back({"pull", {0, face[p]}, parts[static_cast<Eigen::Index>(p)] * load});
  }
  return scene;
}

// u = σ (x, −ν y, −ν z)/E: the face x− is held along x, one of its points at all, another one along z or y.
void ExpectEvenStrain(const Body& body, int dimension, double section, int refinement) {
  const Vector3d load(12.0, 0.0, 0.0);
  const Scene scene = Pulled(body, load, dimension);
  const Discretisation bodies = PartsOf(scene, refinement);
  const Matrix3Xd start = bodies.InitialNodes(scene);
  const double left = start.row(0).minCoeff();
  StaticLoad pull;
  std::vector<double> values;
  const auto hold = [&](int node, int axis) {
    pull.rows.push_back({{3 * node + axis, 1.0}});
    values.push_back(start(axis, node));
  };
  int corner = -1, other = -1;
  for (int n = 0; n < bodies.node_count(); ++n) {
    if (std::abs(start(0, n) - left) < 1e-12) {
      hold(n, 0);
      if (corner < 0) corner = n;
      const Vector3d away = start.col(n) - start.col(corner);
      if (std::abs(away.y()) > 1e-3 && std::abs(away.z()) < 1e-12) other = n;
    }
    if (dimension == 2) hold(n, 2);
  }
  hold(corner, 1);
  if (dimension == 3) {
    hold(corner, 2);
    hold(other, 2);
  }
  pull.begin = pull.end = Eigen::Map<VectorXd>(values.data(), values.size());
  pull.force = Matrix3Xd::Zero(3, bodies.node_count());
  NodeLoads(scene, bodies).AddForces(0.0, &pull.force);
  EXPECT_LT((pull.force.rowwise().sum() - load).norm(), 1e-12 * load.norm());
  Matrix3Xd q = start;
  ASSERT_TRUE(SolveStatics(bodies, pull, {}, &q).converged);
  const double strain = load.x() / section / kYoung;
  for (int n = 0; n < bodies.node_count(); ++n) {
    const Vector3d at = start.col(n) - start.col(corner);
    Vector3d moved = strain * Vector3d(at.x(), -kPoisson * at.y(), -kPoisson * at.z());
    if (dimension == 2) moved.z() = 0.0;
    ASSERT_LT((q.col(n) - start.col(n) - moved).norm(), 1e-8 * strain) << refinement << " " << n;
  }
}

TEST(SharedLoads, OnAFaceOfHexahedraAreATraction) {
  for (const int refinement : {1, 2}) {
    ExpectEvenStrain(Block(kLaw), 3, kSize.y() * kSize.z(), refinement);
  }
}

TEST(SharedLoads, OnAFaceOfTetrahedraAreATraction) {
  for (const int refinement : {1, 2}) {
    ExpectEvenStrain(Tetrahedra(kLaw), 3, kSize.y() * kSize.z(), refinement);
  }
}

TEST(SharedLoads, OnASideOfAProfileAreATraction) {
  for (const int refinement : {1, 2, 3})
    ExpectEvenStrain(Profile(kLaw), 2, kSize.y() * 0.1, refinement);
}

// How far the mean of the patch of `point` is pressed in by 1 N down.
double Dent(int refinement, bool patch) {
  Body body = Block(kLaw);
  Scene scene = SceneOf({body});
  const int point = GridPoint(body, {2, 2, 1});  // inside the face y+
  scene.forces.push_back({"finger", {0, point}, {0.0, -1.0, 0.0}});
  for (const int p : PointGroup(body, "y-")) {
    scene.nails.push_back({"floor", {0, p}, Path::Still(body.rest.col(p))});
  }
  const Discretisation bodies = PartsOf(scene, refinement);
  const HeldRows rows(scene, bodies);
  const Matrix3Xd start = bodies.InitialNodes(scene);
  StaticLoad load;
  load.rows = rows.rows();
  load.begin = load.end = rows.Values(0.0);
  load.force = Matrix3Xd::Zero(3, bodies.node_count());
  if (patch) {
    NodeLoads(scene, bodies).AddForces(0.0, &load.force);
  } else {
    load.force = Vector3d(0.0, -1.0, 0.0) * Eigen::RowVectorXd(bodies.embedding().row(point));
  }
  Matrix3Xd q = start;
  EXPECT_TRUE(SolveStatics(bodies, load, {}, &q).converged);
  return load.force.cwiseProduct(q - start).sum();  // force of 1 N · way
}

// On a patch the differences fall with refinement, at a point they rise: there is no limit.
TEST(PointForces, OnAPatchDoNotSinkIn) {
  const double one = Dent(1, true), two = Dent(2, true), four = Dent(4, true);
  EXPECT_GT((two - one) / (four - two), 4.0) << one << " " << two << " " << four;
  const double point_one = Dent(1, false), point_two = Dent(2, false), point_four = Dent(4, false);
  EXPECT_LT((point_two - point_one) / (point_four - point_two), 0.7);
  EXPECT_LT((four - two) / four, 0.005);
}

// A patch has its force and, inside a face of even cells, its moment; at a corner it lies on the three
// faces around it.
TEST(PointForces, HavePatchesAroundTheirPoints) {
  const Body body = Block(kLaw);
  const Scene scene = SceneOf({body});
  for (const int refinement : {1, 2}) {
    const Discretisation bodies = PartsOf(scene, refinement);
    const int inside_a_face = GridPoint(body, {1, 2, 1}), inside = GridPoint(body, {1, 1, 1}),
              corner = GridPoint(body, {0, 0, 0});
    const auto patches = LoadPatches(bodies.part(0), {inside_a_face, inside, corner});
    const Matrix3Xd centres = bodies.part(0).rest() * patches.transpose();
    EXPECT_LT((patches * VectorXd::Ones(bodies.node_count()) - VectorXd::Ones(3)).norm(), 1e-14);
    EXPECT_LT((centres.col(0) - body.rest.col(inside_a_face)).norm(), 1e-14);
    EXPECT_LT((centres.col(1) - body.rest.col(inside)).norm(), 1e-14);
    // A third of each side of the cells, weighted by the areas of the three faces.
    const Vector3d cell(kSize.x() / 3.0, kSize.y() / 2.0, kSize.z() / 2.0);
    const Vector3d areas(cell.y() * cell.z(), cell.x() * cell.z(), cell.x() * cell.y());
    const Vector3d away =
        (areas.sum() * Vector3d::Ones() - areas).cwiseProduct(cell) / 3.0 / areas.sum();
    EXPECT_LT((centres.col(2) - body.rest.col(corner) - away).norm(), 1e-14);
  }
}

// On a sheet an even load becomes that of its weight, in second order.
TEST(SharedLoads, OnASheetAreEvenInTheLimit) {
  Body sheet = MakeSheet("body", {1.0, 0.5}, {5, 4}, 1.0);
  sheet.material = Rubber(kLaw, 0.01);
  const Scene scene = SceneOf({sheet});
  std::vector<int> all;
  for (int p = 0; p < sheet.size(); ++p) all.push_back(p);
  std::vector<double> errors;
  for (const int refinement : {4, 8, 16}) {
    const Discretisation bodies = PartsOf(scene, refinement);
    const VectorXd on_nodes =
        LoadPatches(bodies.part(0), all).transpose() * PartsOfLoad(sheet, all);
    EXPECT_NEAR(on_nodes.sum(), 1.0, 1e-14);
    EXPECT_LT((bodies.part(0).rest() * on_nodes).norm(), 1e-14);
    // The bow of the load, ∫ x² − that of an even one.
    const VectorXd x_squared = bodies.part(0).rest().row(0).transpose().array().square();
    const VectorXd weights = bodies.mass() * VectorXd::Ones(bodies.node_count());
    errors.push_back(std::abs(x_squared.dot(on_nodes - weights / weights.sum())));
  }
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(std::log2(errors[i] / errors[i + 1]), 2.0, 0.2);
}

}  // namespace
}  // namespace pliant::finite_elements
