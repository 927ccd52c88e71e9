// What holds or draws single points of a solid acts on the patches that these stand for, and what holds
// whole sides on the sides: neither lets go as the elements become finer.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "models/finite_elements/load_patches.h"
#include "solvers/finite_elements/scene_rows.h"
#include "solvers/finite_elements/statics.h"
#include "tests/scenes.h"
#include "tests/solvers/finite_elements/small_bodies.h"
#include "tests/solvers/finite_elements/started.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr ElasticLaw kLaw = ElasticLaw::kCorotated;

TEST(HoldPatches, TurnAndStrainWithTheBody) {
  for (const auto& [body, dimension] :
       {std::pair(Block(kLaw), 3), std::pair(Tetrahedra(kLaw), 3), std::pair(Profile(kLaw), 2)}) {
    const Scene scene = SceneOf({body}, dimension);
    std::vector<int> all;
    for (int p = 0; p < body.size(); ++p) all.push_back(p);
    for (const int refinement : {1, 2, 3}) {
      const Discretisation bodies = PartsOf(scene, refinement);
      const auto patches = HoldPatches(bodies.part(0), all);
      const VectorXd sums = patches * VectorXd::Ones(bodies.node_count());
      EXPECT_LT((sums - VectorXd::Ones(body.size())).norm(), 1e-11);
      const Matrix3Xd means = bodies.part(0).rest() * patches.transpose();
      EXPECT_LT((means - body.rest).norm(), 1e-11) << body.size() << " " << refinement;
    }
  }
}

// ∫ φ P f over the faces around the point, by Gauss's rule of 8 points on each, against the normal matrix of φ:
// for cells of 1/3, 0.3 and 0.2 m, by a program of its own in NumPy.
TEST(HoldPatches, AreTheSameAtEveryRefinement) {
  const Body body = Block(kLaw);
  const Scene scene = SceneOf({body});
  const int corner = GridPoint(body, {0, 0, 0}), edge = GridPoint(body, {1, 0, 0});
  for (const int refinement : {1, 2, 3}) {
    const Discretisation bodies = PartsOf(scene, refinement);
    const auto patches = HoldPatches(bodies.part(0), {corner, edge});
    const auto mean = [&](int row, int point, int i, int j) {
      const Matrix3Xd from = bodies.part(0).rest().colwise() - Vector3d(body.rest.col(point));
      return (patches.row(row) * from.row(i).cwiseProduct(from.row(j)).transpose())[0];
    };
    EXPECT_NEAR(mean(0, corner, 0, 0), -0.00816993464052382, 1e-13);
    EXPECT_NEAR(mean(0, corner, 1, 1), -0.006352941176471309, 1e-13);
    EXPECT_NEAR(mean(0, corner, 2, 2), -0.002235294117647308, 1e-13);
    EXPECT_NEAR(mean(0, corner, 0, 1), -0.004901960784314066, 1e-13);
    EXPECT_NEAR(mean(0, corner, 1, 2), -0.0017647058823530585, 1e-13);
    EXPECT_NEAR(mean(0, corner, 2, 0), -0.0021786492374729145, 1e-13);
    EXPECT_NEAR(mean(1, edge, 0, 0), 0.018518518518518268, 1e-13);
    EXPECT_NEAR(mean(1, edge, 1, 1), -0.0054, 1e-13);
    EXPECT_NEAR(mean(1, edge, 2, 2), -0.0016, 1e-13);
    EXPECT_NEAR(mean(1, edge, 0, 1), 0.0, 1e-13);
  }
}

// The elastic energy and that of springs, at rest under the weight times `gravity`.
double EnergyAtRest(const Scene& scene, int refinement, double gravity,
                    bool springs_on_patches = true) {
  const Discretisation bodies = PartsOf(scene, refinement);
  const HeldRows rows(scene, bodies);
  const PointForces springs(
      scene, springs_on_patches ? rows.places().rows()
                                : Eigen::SparseMatrix<double, Eigen::RowMajor>(bodies.embedding()));
  StaticLoad load;
  load.rows = rows.rows();
  load.zero = rows.zero();
  load.begin = load.end = rows.Values(0.0);
  load.springs = &springs;
  load.force = Vector3d(0.0, -gravity, 0.0) *
               (bodies.mass() * VectorXd::Ones(bodies.node_count())).transpose();
  Matrix3Xd q = bodies.InitialNodes(scene);
  EXPECT_TRUE(SolveStatics(bodies, load, {}, &q).converged);
  return bodies.Energy(q) + springs.SpringEnergy(q * springs.places().transpose());
}

// How much smaller the second of two differences is under refinement by 1, 2 and 4.
double Settling(const Scene& scene, double gravity, bool springs_on_patches = true) {
  const double one = EnergyAtRest(scene, 1, gravity, springs_on_patches),
               two = EnergyAtRest(scene, 2, gravity, springs_on_patches),
               four = EnergyAtRest(scene, 4, gravity, springs_on_patches);
  return std::abs(two - one) / std::abs(four - two);
}

// As stiff as the block is where a patch of it is pulled.
Scene DrawnBlock(const std::vector<int>& point) {
  const Body body = Block(kLaw);
  Scene scene = SceneOf({body});
  const int drawn = GridPoint(body, point);
  for (const int p : PointGroup(body, "y-")) {
    scene.nails.push_back({"floor", {0, p}, Path::Still(body.rest.col(p))});
  }
  Spring spring;
  spring.name = "finger";
  spring.a = {0, drawn};
  spring.anchor = body.rest.col(drawn) + Vector3d(0.0, 1e-3, 0.0);
  spring.stiffness = 3e5;
  scene.springs.push_back(spring);
  return scene;
}

// At the points themselves the spring holds less and less: its energy tends to 0 with the size of the elements.
TEST(HeldPoints, OfSpringsSettleUnderRefinement) {
  for (const std::vector<int>& point : {std::vector<int>{2, 2, 1}, {3, 2, 2}}) {
    const Scene scene = DrawnBlock(point);
    EXPECT_GT(Settling(scene, 0.0), 3.0) << point[0] << point[1] << point[2];
    EXPECT_LT(Settling(scene, 0.0, false), 2.1) << point[0] << point[1] << point[2];
  }
}

TEST(HeldPoints, OfNailsSettleUnderRefinement) {
  const Body body = Block(kLaw);
  Scene scene = SceneOf({body});
  for (const std::vector<int>& point :
       std::vector<std::vector<int>>{{0, 2, 0}, {3, 2, 0}, {0, 2, 2}, {3, 2, 2}, {1, 1, 1}}) {
    scene.nails.push_back(NailWhereItStarts(scene, "n" + std::to_string(scene.nails.size()),
                                            {0, GridPoint(body, point)}));
  }
  EXPECT_GT(Settling(scene, 1e-3), 3.0);
}

TEST(HeldPoints, OfAProfileSettleUnderRefinement) {
  const Body body = Profile(kLaw);
  Scene scene = SceneOf({body}, 2);
  for (const int point : {0, 3}) {
    scene.nails.push_back(NailWhereItStarts(scene, "n" + std::to_string(point), {0, point}));
  }
  EXPECT_GT(Settling(scene, 1e-3), 3.0);
}

// An edge of a solid is singular, too.
TEST(HeldPoints, OfANailedEdgeSettleUnderRefinement) {
  const Body body = Block(kLaw);
  Scene scene = SceneOf({body});
  for (int i = 0; i < 4; ++i) {
    for (const int z : {0, 2}) {
      const int point = GridPoint(body, {i, 2, z});
      scene.nails.push_back(NailWhereItStarts(scene, "edge", {0, point}));
    }
  }
  EXPECT_GT(Settling(scene, 1e-3), 3.0);
}

// A face between rollers is even; the block is pulled to a shear by nothing.
TEST(HeldSides, OnASliderStayInItsPlane) {
  const Body body = Block(kLaw);
  Scene scene = SceneOf({body});
  for (const int p : PointGroup(body, "y-")) {
    Slider slider;
    slider.name = "rollers";
    slider.point = {0, p};
    slider.kind = Slider::Kind::kPlane;
    slider.through = body.rest.col(p);
    slider.direction = Vector3d::UnitY();
    scene.sliders.push_back(slider);
  }
  for (const int refinement : {1, 2}) {
    const Discretisation bodies = PartsOf(scene, refinement);
    const HeldRows rows(scene, bodies);
    const int nodes = (6 * refinement + 1) * (4 * refinement + 1);
    EXPECT_EQ(rows.size(), nodes);
  }
}

// Two halves that are joined on a whole face are one block, to rounding.
TEST(HeldSides, ThatAreJoinedAreOneBody) {
  const auto beam = [](int cells, const std::string& name) {
    Body body = MakeBlock(name, {0.2 * cells, 0.2, 0.2}, {cells + 1, 2, 2}, 1.0);
    body.material = Rubber(kLaw);
    return body;
  };
  Scene whole = SceneOf({beam(4, "whole")});
  Scene halves = SceneOf({beam(2, "left"), beam(2, "right")});
  halves.bodies[0].position.x() = -0.2;
  halves.bodies[1].position.x() = 0.2;
  const std::vector<int> right_of_left = PointGroup(halves.bodies[0], "x+"),
                         left_of_right = PointGroup(halves.bodies[1], "x-");
  for (size_t i = 0; i < right_of_left.size(); ++i) {
    halves.attachments.push_back({"glue", {0, right_of_left[i]}, {1, left_of_right[i]}});
  }
  for (Scene* scene : {&whole, &halves}) {
    for (const int p : PointGroup(scene->bodies[0], "x-")) {
      scene->nails.push_back(NailWhereItStarts(*scene, "wall", {0, p}));
    }
  }
  for (const int refinement : {1, 2}) {
    const double one = EnergyAtRest(whole, refinement, 1.0);
    EXPECT_NEAR(EnergyAtRest(halves, refinement, 1.0), one, 1e-9 * one) << refinement;
  }
}

// A spring between the corners of two free blocks turns them: forces have their moments about the points.
TEST(HeldPoints, OfSpringsKeepMomentumAndAngularMomentum) {
  Scene scene = Weightless({Block(kLaw), Block(kLaw)});
  scene.bodies[1].name = "other";
  scene.bodies[1].position = {0.3, 1.2, 0.7};
  Spring spring;
  spring.name = "band";
  spring.a = {0, GridPoint(scene.bodies[0], {3, 2, 2})};
  spring.b = PointRef{1, GridPoint(scene.bodies[1], {0, 0, 0})};
  spring.stiffness = 3e3;
  spring.rest_length = 0.3;
  scene.springs.push_back(spring);
  const auto simulation = Start(scene);
  const double energy = TotalEnergy(Observe(*simulation));
  for (int step = 0; step < 10; ++step) simulation->Advance(0.01);
  const Observation o = Observe(*simulation);
  EXPECT_GT(o.sums->kinetic_energy, 0.01 * energy);
  EXPECT_LT(o.sums->momentum.norm(), 1e-6);
  EXPECT_LT(o.sums->angular_momentum.norm(), 1e-6);
  EXPECT_NEAR(TotalEnergy(o), energy, 1e-6 * energy);
}

}  // namespace
}  // namespace pliant::finite_elements
