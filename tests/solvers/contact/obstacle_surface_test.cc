// obstacle_contact = "surface" in every formulation that has it, through the interface of all backends.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <memory>
#include <set>

#include "models/contact/clearance.h"
#include "models/contact/scene_parts.h"
#include "models/problem.h"
#include "models/scene/shapes.h"
#include "solvers/backends.h"
#include "solvers/contact_forces.h"
#include "solvers/data_table.h"
#include "solvers/step_limit.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using testing::HasSubstr;

struct Way {
  std::string backend, name;
  ParameterValues parameters;
};

MatrixTable NoModes(int dimension) {
  MatrixTable table;
  table.scalars = {{"degree_x", 1}, {"degree_y", 1}};
  if (dimension == 3) table.scalars["degree_z"] = 1;
  return table;
}

constexpr double kStiffness = 4500.0;  // N/m

std::vector<Way> Ways(int dimension) {
  const std::string rk4 = "rk4", surface = "surface";
  const ParameterValues sweeps = {{"obstacle_contact", surface},
                                  {"bounce", 0.0},
                                  {"rigid_bodies", std::vector<std::string>{"*"}}};
  return {{"dynamic-ffd",
           "ffd",
           {{"obstacle_contact", surface},
            {"modes", NoModes(dimension)},
            {"contact_stiffness", kStiffness},
            {"contact_damping", 60.0},
            {"integrator", rk4}}},
          {"linear-deformation",
           "linear",
           {{"obstacle_contact", surface},
            {"stretch_stiffness", 200.0},
            {"contact_stiffness", kStiffness},
            {"contact_damping", 60.0},
            {"integrator", rk4}}},
          {"linear-deformation",
           "impulse",
           {{"obstacle_contact", surface},
            {"stretch_stiffness", 200.0},
            {"contact", std::string("impulse")}}},
          {"displacement-constraints", "displacement", sweeps},
          {"position-based", "position", sweeps}};
}

std::unique_ptr<Simulation> Start(const Way& way, const Scene& scene) {
  Translation translation =
      FindBackend(way.backend)->Translate(std::make_shared<const Scene>(scene), way.parameters);
  EXPECT_NE(translation.simulation, nullptr) << translation.record.WhyUnsupported();
  return std::move(translation.simulation);
}

// A beam of three edges of 1 m above a ball of 0.2 m, `off` from its middle.
Scene Beam(double off = 0.0) {
  Scene scene;
  scene.dimension = 2;
  scene.gravity = {0, -9.81, 0};
  scene.bodies = {MakeChain("beam", {-1.5 + off, 0.4, 0}, {1.5 + off, 0.4, 0}, 4, 1.0)};
  scene.obstacles = {{"ball", Sphere{0.2}}};
  return scene;
}

// A sheet of 9 × 9 points falls on a ball of 3 cm under the middle of a face.
Scene Sheet() {
  Scene scene;
  scene.dimension = 3;
  scene.gravity = {0, 0, -9.81};
  scene.bodies = {MakeSheet("sheet", {1.0, 1.0}, {9, 9}, 1.0)};
  scene.bodies[0].position = {0.04, 0.08, 0.05};
  scene.obstacles = {{"ball", Sphere{0.03}}};
  return scene;
}

// How deep some edge or face is in the obstacles.
double DepthOf(const Scene& scene, const Matrix3Xd& x) {
  double depth = 0.0;
  for (const SceneParts::Part& part : SceneParts(scene).parts) {
    for (const Obstacle& obstacle : scene.obstacles) {
      depth = std::max(depth, -ClearanceOf(obstacle.shape, Vector3d::Zero(), part.At(x)).distance);
    }
  }
  return depth;
}

class SurfaceMeetsObstacle : public testing::TestWithParam<int> {
 protected:
  static Way way(int dimension) { return Ways(dimension)[GetParam()]; }
};
INSTANTIATE_TEST_SUITE_P(All, SurfaceMeetsObstacle, testing::Range(0, 5),
                         [](const auto& info) { return Ways(2)[info.param].name; });

TEST_P(SurfaceMeetsObstacle, ABeamComesToRestOnABallBetweenItsPoints) {
  const Scene scene = Beam();
  const auto simulation = Start(way(2), scene);
  ASSERT_NE(simulation, nullptr);
  Observation o;
  double deepest = 0.0;
  for (int i = 0; i < 3000; ++i) {
    simulation->Advance(1e-3);
    simulation->Observe(&o);
    deepest = std::max(deepest, DepthOf(scene, o.points));
  }
  EXPECT_LT(deepest, 0.06);  // springs stop 2 m/s in v √(m/K) = 0.03 m
  const bool springs = way(2).parameters.contains("contact_stiffness");
  const double sinks = springs ? 9.81 / kStiffness : 0.0;
  EXPECT_NEAR(o.points.row(1).mean(), 0.2 - sinks, springs ? 1e-5 : 2e-4);
}

TEST_P(SurfaceMeetsObstacle, ASheetDoesNotFallPastABallUnderItsFace) {
  const Scene scene = Sheet();
  const auto simulation = Start(way(3), scene);
  ASSERT_NE(simulation, nullptr);
  Observation o;
  for (int i = 0; i < 100; ++i) {
    simulation->Advance(1e-3);
    simulation->Observe(&o);
    EXPECT_LT(DepthOf(scene, o.points), 0.025) << i;
    if (i > 80) {
      EXPECT_GT(DepthOf(scene, o.points), -1e-9);
    }
  }
  EXPECT_GT(o.velocities->row(2).mean(), -0.5);  // 0.98 in free fall
}

// The same with points alone: this is what the option is for.
TEST_P(SurfaceMeetsObstacle, PointsAloneLetTheBeamPass) {
  Way points = way(2);
  points.parameters["obstacle_contact"] = std::string("points");
  const auto simulation = Start(points, Beam());
  ASSERT_NE(simulation, nullptr);
  Observation o;
  for (int i = 0; i < 600; ++i) simulation->Advance(1e-3);
  simulation->Observe(&o);
  EXPECT_NEAR(o.points.row(1).mean(), 0.4 - 0.5 * 9.81 * 0.36, 0.01);
}

// The mirrored scene moves as the mirror image.
TEST_P(SurfaceMeetsObstacle, AMirroredBeamMovesAsItsMirrorImage) {
  const auto one = Start(way(2), Beam(0.17)), other = Start(way(2), Beam(-0.17));
  ASSERT_TRUE(one && other);
  Observation a, b;
  for (int i = 0; i < 600; ++i) {
    one->Advance(1e-3);
    other->Advance(1e-3);
  }
  one->Observe(&a);
  other->Observe(&b);
  for (Eigen::Index p = 0; p < 4; ++p) {
    const Vector3d mirrored(-b.points(0, 3 - p), b.points(1, 3 - p), 0.0);
    // Sweeps visit points in an order that has a direction, and leave gaps up to their tolerance.
    EXPECT_LT((a.points.col(p) - mirrored).norm(), GetParam() < 3 ? 1e-9 : 1e-6) << p;
  }
  EXPECT_GT(std::abs(a.points(1, 0) - a.points(1, 3)), 0.1);  // it has tilted
}

// Saved in contact, with friction, a run goes on bit for bit.
TEST_P(SurfaceMeetsObstacle, ARestoredStateGoesOnBitForBit) {
  Scene scene = Beam(0.1);
  scene.obstacles[0].friction = 0.4;
  const auto one = Start(way(2), scene), other = Start(way(2), scene);
  ASSERT_TRUE(one && other);
  Observation a, b;
  for (int i = 0; i < 400; ++i) {
    one->Advance(1e-3);
    if (i == 250) other->Restore(one->Save());
    if (i > 250) other->Advance(1e-3);
  }
  one->Observe(&a);
  other->Observe(&b);
  EXPECT_EQ(a.points, b.points);
  EXPECT_EQ(*a.velocities, *b.velocities);
  EXPECT_EQ(a.work->Numbers(), b.work->Numbers());
}

// A beam that lies on the ball with one end on a second one between points: the balls carry it by the
// rule of the lever.
TEST_P(SurfaceMeetsObstacle, TwoBallsCarryABeamByTheRuleOfTheLever) {
  Scene scene = Beam();
  scene.obstacles = {{"left", Sphere{0.2}, Path::Still({-1.2, 0, 0})},
                     {"right", Sphere{0.2}, Path::Still({0.3, 0, 0})}};
  for (Obstacle& obstacle : scene.obstacles) obstacle.friction = 0.5;  // else it slides off slowly
  scene.bodies[0].position.y() -= 0.199;
  const auto simulation = Start(way(2), scene);
  ASSERT_NE(simulation, nullptr);
  const auto* contact = simulation->AsKnowsContactForces();
  ASSERT_NE(contact, nullptr);
  Eigen::Matrix3Xd mean = Eigen::Matrix3Xd::Zero(3, 4);
  for (int i = 0; i < 4000; ++i) {
    simulation->Advance(1e-3);
    const auto forces = contact->ContactForces();
    ASSERT_TRUE(forces.has_value());
    if (i >= 3000) mean += *forces / 1000.0;
  }
  const double weight = 9.81, left = weight * 0.3 / 1.5, right = weight * 1.2 / 1.5;
  // The left ball is at 0.3 of the first edge, the right one at 0.8 of the second.
  const Eigen::RowVector4d expected(0.7 * left, 0.3 * left + 0.2 * right, 0.8 * right, 0.0);
  EXPECT_LT((mean.row(1) - expected).norm(), 0.02 * weight) << mean.row(1);
  EXPECT_NEAR(mean.row(1).sum(), weight, 2e-3 * weight);
}

// Bodies that fold: a rope and a sheet lie over a ball that fits between their points.
class SweepsOverABall : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, SweepsOverABall,
                         testing::Values("displacement-constraints", "position-based"),
                         [](const auto& info) { return info.param.substr(0, 8); });

TEST_P(SweepsOverABall, ARopeAndASheetThatFoldDoNotCutIntoIt) {
  for (const int dimension : {2, 3}) {
    Scene scene;
    scene.dimension = dimension;
    if (dimension == 2) {
      scene.gravity = {0, -9.81, 0};
      scene.bodies = {MakeChain("rope", {-1.03, 0.3, 0}, {0.97, 0.3, 0}, 9, 1.0)};
      scene.obstacles = {{"ball", Sphere{0.08}, Path::Still(Vector3d::Zero()), 0.5}};
    } else {
      scene = Sheet();
      scene.bodies[0].position = {0.03, 0.045, 0.1};
      scene.obstacles[0].friction = 0.5;
    }
    const auto deepest = [&](const std::string& meet) {
      const auto simulation =
          Start({GetParam(), "", {{"obstacle_contact", meet}, {"bounce", 0.0}}}, scene);
      Observation o;
      double depth = 0.0;
      for (int i = 0; i < 500 && simulation != nullptr; ++i) {
        EXPECT_EQ(simulation->Advance(1e-3).kind, StepOutcome::Kind::kAdvanced) << i;
        simulation->Observe(&o);
        depth = std::max(depth, DepthOf(scene, o.points));
      }
      return depth;
    };
    EXPECT_LT(deepest("surface"), 1e-3) << dimension;
    EXPECT_GT(deepest("points"), 0.02) << dimension;
  }
}

// Five balls under one edge of two points are five springs, of which the estimate for every point in contact knew but
// two: in steps that it allowed, the beam is thrown off.
TEST(SurfaceMeetsObstacleByPenalty, EdgesInContactShortenTheStableStep) {
  for (int w = 0; w < 2; ++w) {
    Way way = Ways(2)[w];
    way.parameters["integrator"] = std::string("semi-implicit-euler");
    way.parameters["contact_damping"] = 0.0;
    if (w == 1) way.parameters["stretch_stiffness"] = 1.0;
    Scene scene = Beam();
    scene.bodies = {MakeChain("beam", {-1.5, 0.2, 0}, {1.5, 0.2, 0}, 2, 1.0)};
    scene.obstacles.clear();
    for (int o = 0; o < 5; ++o) {
      scene.obstacles.push_back(
          {"ball " + std::to_string(o), Sphere{0.2}, Path::Still({0.5 * (o - 2), 0, 0})});
    }
    const auto highest = [&](double step) {
      const auto simulation = Start(way, scene);
      Observation o;
      double y = 0.0;
      for (int i = 0; i < 400; ++i) {
        simulation->Advance(step);
        simulation->Observe(&o);
        y = std::max(y, o.points.row(1).maxCoeff());
      }
      return y;
    };
    const auto allowed = [&] {
      double least = INFINITY;
      const auto simulation = Start(way, scene);
      for (const StepLimit& limit : simulation->AsStepLimited()->StepLimits()) {
        if (limit.of.find("every point in contact") != std::string::npos) least = limit.step;
      }
      return least;
    };
    const double with_edges = allowed();
    way.parameters["obstacle_contact"] = std::string("points");
    const double of_points = allowed();
    way.parameters["obstacle_contact"] = std::string("surface");
    EXPECT_LT(highest(0.99 * with_edges), 0.2 + 1e-3) << way.name;
    EXPECT_GT(highest(0.99 * of_points), 0.3) << way.name;
    const double actual = 2.0 / std::sqrt(5.0 * kStiffness);
    EXPECT_LT(with_edges, actual) << way.name;
    EXPECT_GT(with_edges, 0.3 * actual) << way.name;  // it counts dampers along the surface too
  }
}

// A backend that has the option is tried here, finite elements in their own room (obstacle_cells_test.cc); of the others docs/formulations.md says why they have none.
TEST(SurfaceMeetsObstacleByPenalty, EveryBackendThatHasItIsTriedHere) {
  std::set<std::string> having, tried = {"finite-elements"};
  for (const Backend* backend : Backends()) {
    for (const ParameterInfo& parameter : backend->Parameters()) {
      if (parameter.name == "obstacle_contact") having.insert(backend->info().name);
    }
  }
  for (const Way& way : Ways(2)) tried.insert(way.backend);
  EXPECT_EQ(having, tried);
}

// The ledger of springs closes at the order of the method as steps are halved.
TEST(SurfaceMeetsObstacleByPenalty, TheLedgerClosesAtItsOrder) {
  for (int w = 0; w < 2; ++w) {
    Way way = Ways(2)[w];
    way.parameters["contact_damping"] = 0.0;
    Scene scene = Beam(0.13);
    scene.gravity.setZero();
    scene.bodies[0].velocity = {0.1, -1.0, 0.0};
    std::array<double, 4> residual;
    for (size_t k = 0; k < residual.size(); ++k) {
      const double h = std::ldexp(2e-3, -static_cast<int>(k));
      const auto simulation = Start(way, scene);
      ASSERT_NE(simulation, nullptr);
      Observation o;
      const auto energy = [&] {
        simulation->Observe(&o);
        double sum = o.elastic_energy.value_or(0.0) + o.contact_energy.value_or(0.0);
        for (Eigen::Index p = 0; p < o.points.cols(); ++p) {
          sum += 0.5 * scene.Masses()[p] * o.velocities->col(p).squaredNorm();
        }
        return sum;
      };
      const double before = energy();
      double stored = 0.0;
      for (int i = 0; i < std::lround(0.4 / h); ++i) {
        simulation->Advance(h);
        stored = std::max(stored, (simulation->Observe(&o), o.contact_energy.value_or(0.0)));
      }
      EXPECT_GT(stored, 0.1);
      residual[k] = std::abs(energy() - before);
    }
    // Contact begins and ends within steps: second order.
    EXPECT_LT(residual[3], residual[0] / 20.0)
        << residual[0] << " " << residual[1] << " " << residual[2] << " " << residual[3];
    EXPECT_LT(residual[3], 1e-5);
  }
}

// A finer beam moves as a coarse one with the same places: where all lies between points, the number
// of points has no part in it but for the places of masses.
TEST(SurfaceMeetsObstacleByPenalty, AFineBeamConvergesToTheMotionOfManyPoints) {
  Way way = Ways(2)[0];
  const auto ends = [&](int points) {
    Scene scene = Beam(0.13);
    scene.bodies = {MakeChain("beam", {-1.37, 0.4, 0}, {1.63, 0.4, 0}, points, 1.0)};
    scene.gravity.setZero();
    scene.bodies[0].velocity = {0.0, -1.0, 0.0};
    const auto simulation = Start(way, scene);
    Observation o;
    for (int i = 0; i < 400; ++i) simulation->Advance(1e-3);
    simulation->Observe(&o);
    return o.points(1, 0);
  };
  // Masses at points: the moment of inertia goes as 1 + 2/(n − 1).
  const double a = ends(7), b = ends(13), c = ends(25);
  EXPECT_LT(std::abs(c - b), 0.8 * std::abs(b - a)) << a << " " << b << " " << c;
}

TEST(SurfaceMeetsObstacleByPenalty, ABarrierAtPointsRefusesIt) {
  Way way = Ways(2)[0];
  way.parameters["contact"] = std::string("barrier");
  way.parameters.erase("contact_stiffness");
  way.parameters.erase("contact_damping");
  try {
    Start(way, Beam());
    FAIL();
  } catch (const BadInput& bad) {
    EXPECT_THAT(bad.what(), HasSubstr("no deepest place"));
  }
}

TEST(SurfaceMeetsObstacleByPenalty, CheckWarnsOfWhatPassesBetweenPoints) {
  for (Way way : Ways(2)) {
    const auto warned = [&] {
      const Translation translation =
          FindBackend(way.backend)
              ->Translate(std::make_shared<const Scene>(Beam()), way.parameters);
      int count = 0;
      for (const std::string& warning : translation.warnings) {
        if (warning.find("obstacle_contact = \"surface\"") != std::string::npos) ++count;
      }
      return count;
    };
    EXPECT_EQ(warned(), 0) << way.name;
    way.parameters["obstacle_contact"] = std::string("points");
    EXPECT_EQ(warned(), 1) << way.name;
  }
}

}  // namespace
}  // namespace pliant
