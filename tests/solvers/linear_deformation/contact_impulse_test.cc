// Contact by impulses: closed forms of bounces, friction and the energy they take.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "models/scene/validate.h"
#include "solvers/contact/impulse.h"
#include "tests/solvers/linear_deformation/scenes.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

const ParameterValues kImpulse = {{"contact", std::string("impulse")}, {"damping", 0.0}};

// A body of one point.
Body Ball(const Vector3d& position, const Vector3d& velocity, double mass = 0.5) {
  Body body;
  body.name = "ball";
  body.rest = Eigen::Matrix3Xd::Zero(3, 1);
  body.mass = Eigen::VectorXd::Constant(1, mass);
  body.position = position;
  body.velocity = velocity;
  return body;
}

Obstacle Wall(const ObstacleShape& shape, double restitution, double friction = 0.0) {
  Obstacle obstacle;
  obstacle.name = "wall";
  obstacle.shape = shape;
  obstacle.restitution = restitution;
  obstacle.friction = friction;
  return obstacle;
}

Observation RunScene(const Scene& scene, double duration, double h,
                     const ParameterValues& parameters = kImpulse) {
  Validate(scene);
  return RunFor(Translate(scene, parameters).simulation.get(), duration, h);
}

TEST(Impulse, BouncesOffEveryShapeAlongItsNormal) {
  const double e = 0.6;
  struct Case {
    ObstacleShape shape;
    Vector3d start, velocity, normal;
  };
  const Vector3d slant = Vector3d(1, 1, 0).normalized();
  for (const Case& c : {Case{Plane{slant}, {0.5, 0.5, 0}, {-1, -2, 0.3}, slant},
                        Case{Sphere{0.5}, {1, 0, 0}, {-2, 0, 0}, {1, 0, 0}},
                        Case{Box{{0.5, 0.4, 0.3}}, {0.1, 1, 0}, {0.5, -2, 0.1}, {0, 1, 0}},
                        Case{Capsule{{0, 0.5, 0}, 0.25}, {0.1, 0.2, 1}, {0, 0.5, -2}, {0, 0, 0}}}) {
    Scene scene;
    scene.gravity.setZero();
    scene.bodies = {Ball(c.start, c.velocity)};
    scene.obstacles = {Wall(c.shape, e)};
    Vector3d n = c.normal;
    if (n.isZero()) n = Vector3d(0.1, 0, std::sqrt(0.25 * 0.25 - 0.01)).normalized();  // capsule
    const Observation o = RunScene(scene, 1.0, 1e-4);
    const Vector3d expected = c.velocity - (1.0 + e) * c.velocity.dot(n) * n;
    EXPECT_LT((o.velocities->col(0) - expected).norm(), 5e-3);
    const double u = c.velocity.dot(n);
    EXPECT_NEAR((*o.work)[WorkClass::kContact], -0.5 * 0.5 * (1.0 - e * e) * u * u, 3e-3);
  }
}

// Coulomb: what slides loses μ (1 + e) u_n along the surface, what would stop stops.
TEST(Impulse, FrictionTakesNoMoreThanItsConeAllows) {
  for (double mu : {0.0, 0.2, 5.0}) {
    Scene scene;
    scene.gravity.setZero();
    scene.bodies = {Ball({0, 0.5, 0}, {3, -2, 0})};
    scene.obstacles = {Wall(Plane{}, 0.5, mu)};
    const Observation o = RunScene(scene, 0.5, 1e-3);
    EXPECT_NEAR((*o.velocities)(0, 0), std::max(0.0, 3.0 - mu * 1.5 * 2.0), 1e-9) << mu;
    // 1 mm too deep at most, which the rate of 50 1/s would lift with less than the bounce.
    EXPECT_NEAR((*o.velocities)(1, 0), 1.0, 1e-9) << mu;
  }
}

// Frictionless, of any body: P = −(1 + e) G⁻¹ u and ΔE = −½ (1 − e²) u G⁻¹ u.
TEST(Impulse, EnergyLossIsTheClosedForm) {
  const double e = 0.3;
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = {MakeBlock("block", {0.4, 0.4, 0.4}, {3, 3, 3}, 2.0)};
  scene.bodies[0].orientation = Eigen::AngleAxisd(0.6, Vector3d(1, 0.3, 2).normalized());
  const double lowest = scene.InitialPoints().row(1).minCoeff();
  scene.bodies[0].position.y() = -lowest + 1e-9;
  scene.bodies[0].velocity = {0.2, -1.0, 0.1};
  scene.obstacles = {Wall(Plane{}, e)};
  const auto system = MakeSystem(scene);
  Eigen::Index touching;
  scene.InitialPoints().row(1).minCoeff(&touching);
  // G of one point: pᵀ W p.
  const LinearBody& body = system->bodies()[0];
  const double g = body.terms().col(touching).dot(body.inverse_mass() * body.terms().col(touching));
  const double expected = -0.5 * (1.0 - e * e) * 1.0 / g;
  const Observation o = RunScene(scene, 1e-5, 1e-5);
  EXPECT_NEAR((*o.work)[WorkClass::kContact], expected, 1e-3 * std::abs(expected));
  EXPECT_NEAR((*o.velocities)(1, touching), e, 2e-3);
}

TEST(Impulse, ABlockComesToRestOnTheFloor) {
  Scene scene;
  scene.bodies = {MakeBlock("block", {0.4, 0.4, 0.4}, {3, 3, 3}, 2.0)};
  scene.bodies[0].position.y() = 0.25;
  scene.bodies[0].velocity.x() = 0.5;
  scene.obstacles = {Wall(Plane{}, 0.0, 0.5)};
  ParameterValues parameters = kImpulse;
  parameters["damping"] = 20.0;
  const Observation o = RunScene(scene, 2.0, 1e-3, parameters);
  EXPECT_LT(o.velocities->cwiseAbs().maxCoeff(), 5.0 * 9.81e-3);
  EXPECT_NEAR(o.points.row(1).minCoeff(), 0.0, 1e-3);
  // It flies on for √(2·0.05/g) s; landing alone takes μ √(2 g 0.05) = 0.495 of its 0.5 m/s.
  const double flight = std::sqrt(2.0 * 0.05 / 9.81);
  EXPECT_NEAR(CentreOfMass(scene.Masses(), o.points).x(), 0.5 * flight, 0.01);
}

// The weight of what rests never becomes velocity: alone or in a stack it stands still, and lower by the depth that keeps touches,
// 10⁻⁶ of the diagonal, at each of them, at any step. docs/linear-deformation.md says so.
TEST(Impulse, WhatRestsStandsStill) {
  const double kept = 1e-6 * std::sqrt(2.0);  // m
  for (const int blocks : {1, 3}) {
    for (const double h : {2e-3, 1e-3, 5e-4}) {
      SCOPED_TRACE(testing::Message() << blocks << " blocks, " << h << " s");
      Scene scene;
      scene.dimension = 2;
      scene.gravity = {0.0, -9.81, 0.0};
      for (int b = 0; b < blocks; ++b) {
        scene.bodies.push_back(MakeSheet("block-" + std::to_string(b), {1.0, 1.0}, {2, 2}, 1.0));
        scene.bodies.back().rigid = true;
        scene.bodies.back().position.y() = 0.5 + b;
        if (b > 0) scene.contacts.push_back({b - 1, b, false, 0.5, 0.0});
      }
      scene.obstacles = {Wall(Plane{Vector3d::UnitY()}, 0.0, 0.5)};
      const Observation o = RunScene(scene, 0.5, h, {{"contact", std::string("impulse")}});
      const double sunk = 0.5 * blocks - CentreOfMass(scene.Masses(), o.points).y();
      EXPECT_NEAR(sunk, 0.5 * (blocks + 1) * kept, 1e-3 * kept);
      EXPECT_LT(o.velocities->cwiseAbs().maxCoeff(), 1e-10);
    }
  }
}

// A nailed rod hits a wall: the nail holds through the bounce.
TEST(Impulse, KeepsConstraints) {
  Scene scene = Pendulum(2);
  for (int i : {0, 1}) {  // of three points, so that a blow on one of them moves the others
    scene.bodies[i] = MakeChain("rod" + std::to_string(i), {0, 0, 0}, {0.5, 0, 0}, 3, 1.0);
    scene.bodies[i].position = Vector3d(0.5 * i, 0, 0);
  }
  scene.attachments[0].a = {0, 2};
  scene.obstacles = {Wall(Plane{Vector3d::UnitX()}, 0.8)};
  scene.obstacles[0].motion = Path::Still({-0.3, 0, 0});
  Validate(scene);
  ParameterValues parameters = kImpulse;
  parameters["damping"] = 5.0;
  parameters["integrator"] = std::string("rk4");
  const auto simulation = Translate(scene, parameters).simulation;
  double work = 0.0, residual = 0.0;
  std::optional<double> start;
  for (int i = 0; i < 100; ++i) {
    const Observation o = RunFor(simulation.get(), 0.01, 1e-4);
    EXPECT_LT(o.constraint_error.value(), 1e-10);
    EXPECT_LT(o.constraint_rate.value(), 1e-9);
    const double balance = TotalEnergy(scene, o) - o.work->TotalWork();
    if (!start) start = balance;
    residual = std::max(residual, std::abs(balance - *start));
    work = (*o.work)[WorkClass::kContact];
  }
  EXPECT_LT(work, -0.1);
  EXPECT_LT(residual, 1e-6);  // J
}

// A nail that moves works against the blows that a wall gives to its body: without that work the
// ledger does not close.
TEST(Impulse, AgainstABodyThatIsLedIsInTheLedger) {
  Scene scene = Pendulum(1);
  scene.bodies = {MakeChain("rod", {0, 0, 0}, {0.5, 0, 0}, 3, 1.0)};
  Eigen::Matrix3Xd keys = Eigen::Matrix3Xd::Zero(3, 2);
  keys.col(1) = Vector3d(0.6, -0.3, 0);
  scene.nails[0].path = Path({0.0, 0.8}, keys, Path::Interpolation::kCubic);
  scene.obstacles = {Wall(Plane{Vector3d::UnitY()}, 0.2, 0.5)};
  scene.obstacles[0].motion = Path::Still({0, -0.4, 0});
  ParameterValues parameters = kImpulse;
  parameters["damping"] = 5.0;
  parameters["integrator"] = std::string("rk4");
  parameters["stretch_stiffness"] = 50.0;
  const auto simulation = Translate(scene, parameters).simulation;
  Observation o = RunFor(simulation.get(), 1e-3, 2.5e-4);
  const double start = TotalEnergy(scene, o) - o.work->TotalWork();
  for (int i = 0; i < 80; ++i) {
    o = RunFor(simulation.get(), 0.01, 2.5e-4);
    EXPECT_NEAR(TotalEnergy(scene, o) - o.work->TotalWork(), start, 1e-5) << o.time;
  }
  EXPECT_LT((*o.work)[WorkClass::kContact], -0.1);
}

// So does a point that is led to its nail: then it is work of control.
TEST(Impulse, AgainstABodyThatIsPrerolledIsWorkOfControl) {
  Scene scene = Pendulum(1);
  scene.bodies = {MakeChain("rod", {0, 0, 0}, {0.5, 0, 0}, 3, 1.0)};
  scene.nails[0].path = Path::Still({0.6, -0.3, 0});
  scene.nails[0].hold.from = scene.nails[0].preroll = 0.8;
  scene.obstacles = {Wall(Plane{Vector3d::UnitY()}, 0.2, 0.5)};
  scene.obstacles[0].motion = Path::Still({0, -0.4, 0});
  ParameterValues parameters = kImpulse;
  parameters["damping"] = 5.0;
  parameters["integrator"] = std::string("rk4");
  parameters["stretch_stiffness"] = 50.0;
  const auto simulation = Translate(scene, parameters).simulation;
  Observation o = RunFor(simulation.get(), 1e-3, 2.5e-4);
  const double start = TotalEnergy(scene, o) - o.work->TotalWork();
  for (int i = 0; i < 75; ++i) {  // up to where the nail holds
    o = RunFor(simulation.get(), 0.01, 2.5e-4);
    EXPECT_NEAR(TotalEnergy(scene, o) - o.work->TotalWork(), start, 1e-4) << o.time;
  }
  EXPECT_LT((*o.work)[WorkClass::kContact], -0.1);
  EXPECT_GT(std::abs((*o.work)[WorkClass::kControl]), 0.1);
}

// A wall that comes with 1 m/s leaves a ball at rest with (1 + e) of that.
TEST(Impulse, AMovingWallGivesItsVelocity) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = {Ball({0, 0.05, 0}, {0, 0, 0})};
  scene.obstacles = {Wall(Plane{}, 0.5)};
  Eigen::Matrix3Xd keys = Eigen::Matrix3Xd::Zero(3, 2);
  keys(1, 1) = 1.0;
  scene.obstacles[0].motion = Path({0.0, 1.0}, keys, Path::Interpolation::kLinear);
  const Observation o = RunScene(scene, 0.3, 1e-3);
  EXPECT_NEAR((*o.velocities)(1, 0), 1.5, 1e-9);
  // P = m (1 + e) u: P·u from the wall, of which restitution keeps less.
  EXPECT_NEAR((*o.work)[WorkClass::kMovedObstacle], 0.5 * 1.5 * 1.0, 1e-9);
  EXPECT_NEAR((*o.work)[WorkClass::kContact], -0.5 * 0.5 * (1.0 - 0.5 * 0.5), 1e-9);
}

// The response of a point that touches is that under the rows that hold now: with a nail that has
// come meanwhile the point still leaves as restitution says, and the nail holds.
TEST(Impulse, KnowsWhenOtherConstraintsHold) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = {MakeBlock("block", {0.4, 0.4, 0.4}, {3, 3, 3}, 2.0)};
  scene.bodies[0].orientation = Eigen::AngleAxisd(0.6, Vector3d(1, 0.3, 2).normalized());
  Eigen::Index lowest, side;
  scene.bodies[0].position.y() = -scene.InitialPoints().row(1).minCoeff(&lowest) - 1e-3;
  scene.InitialPoints().row(0).maxCoeff(&side);
  scene.bodies[0].velocity = {0.2, -1.0, 0.1};
  scene.obstacles = {Wall(Plane{}, 0.5)};
  scene.nails = {NailWhereItStarts(scene, "late", {0, static_cast<int>(side)})};
  scene.nails[0].hold.from = 1.0;
  ContactOptions contact;
  contact.by = ContactBy::kImpulse;
  std::vector<LinearBody> bodies = {LinearBody(scene.bodies[0], 3, 1)};
  LinearDeformationSystem system(scene, std::move(bodies),
                                 std::vector<LinearMaterial>(scene.bodies.size()), contact, {});
  Eigen::VectorXd q, start, v;
  Exchange work;
  system.InitialState(scene, &q, &start);
  Eigen::Matrix3Xd velocities;
  v = start;
  system.BeginTally();
  EXPECT_TRUE(system.Bounce(0.0, 1e-3, q, &v, &work));
  system.Points(v, &velocities);
  EXPECT_NEAR(velocities(1, lowest), 0.5, 1e-9);
  const std::vector<ConstraintRow> rows = SceneRows(scene);
  system.SetConstraints({&rows[0]});
  v = start;
  system.MatchVelocities(0.0, 0.0, q, &v, &work);
  system.Points(v, &velocities);
  const double approach = velocities(1, lowest);
  ASSERT_LT(approach, -0.2);
  system.BeginTally();
  EXPECT_TRUE(system.Bounce(0.0, 1e-3, q, &v, &work));
  system.Points(v, &velocities);
  EXPECT_NEAR(velocities(1, lowest), -0.5 * approach, 1e-9);
  EXPECT_LT(velocities.col(side).norm(), 1e-9);
}

// A point that is nailed inside an obstacle stays where it is and takes no impulse.
TEST(Impulse, DoesNotPushWhatIsNailed) {
  Scene scene;
  scene.dimension = 2;
  scene.gravity.setZero();
  scene.bodies = {MakeSheet("plate", {0.3, 0.2}, {3, 3}, 0.7)};
  scene.bodies[0].orientation = Eigen::AngleAxisd(0.3, Vector3d::UnitZ());
  Eigen::Index foremost;
  const double reach = scene.InitialPoints().row(0).minCoeff(&foremost);
  scene.nails = {NailWhereItStarts(scene, "pivot", {0, static_cast<int>(foremost)})};
  scene.obstacles = {Wall(Plane{Vector3d::UnitX()}, 0.8)};
  scene.obstacles[0].motion = Path::Still({reach + 0.01, 0, 0});
  const Observation o = RunScene(scene, 0.1, 1e-3);
  EXPECT_LT((o.points - scene.InitialPoints()).norm(), 1e-12);
  EXPECT_NEAR((*o.work)[WorkClass::kContact], 0.0, 1e-15);
}

// Three blocks side by side, of which an attachment joins two: the others move as if alone.
TEST(Impulse, BodiesThatNothingJoinsDoNotAnswerEachOther) {
  Scene alone[2], together;
  const auto block = [](const char* name, double x, double tilt) {
    Body body = MakeBlock(name, {0.4, 0.4, 0.4}, {2, 2, 2}, 2.0);
    body.name = name;
    body.orientation = Eigen::AngleAxisd(tilt, Vector3d(1, 0.3, 2).normalized());
    body.position = {x, 0.4, 0};
    body.velocity = {0.3, -1.0, 0.1};
    return body;
  };
  alone[0].bodies = {block("a", 0, 0.0), block("b", 0.4, 0.0)};
  alone[0].attachments.push_back({"joint", {0, 1}, {1, 0}});
  alone[1].bodies = {block("c", 2.0, 0.3)};
  together.bodies = {alone[0].bodies[0], alone[1].bodies[0], alone[0].bodies[1]};
  together.attachments.push_back({"joint", {0, 1}, {2, 0}});
  for (Scene* scene : {&alone[0], &alone[1], &together}) {
    scene->gravity = {0, -9.81, 0};
    scene->obstacles = {Wall(Plane{}, 0.2, 0.4)};
  }
  const Eigen::Matrix3Xd x = RunScene(together, 0.6, 1e-3).points;
  const Eigen::Matrix3Xd pair = RunScene(alone[0], 0.6, 1e-3).points;
  EXPECT_LT((x.leftCols(8) - pair.leftCols(8)).norm(), 1e-7);
  EXPECT_LT((x.rightCols(8) - pair.rightCols(8)).norm(), 1e-7);
  EXPECT_LT((x.middleCols(8, 8) - RunScene(alone[1], 0.6, 1e-3).points).norm(), 1e-7);
}

VectorXd LeastOf(const std::vector<ImpulseTouch>& touches, const Eigen::Matrix3Xd& v) {
  VectorXd least(v.cols());
  for (Eigen::Index j = 0; j < v.cols(); ++j) {
    const ImpulseTouch& touch = touches[static_cast<size_t>(j)];
    least[j] = std::max(touch.LeastAfterBounce(v.col(j)), touch.LeastOnSupport(50.0, 0.0));
  }
  return least;
}

// Gauss–Seidel against a dense complementarity by hand: two coupled points, one of which leaves.
TEST(SolveImpulses, MeetsTheConditionsOfContact) {
  MatrixXd factor(6, 6);
  for (int i = 0; i < 36; ++i) factor.data()[i] = std::sin(1.0 + 1.7 * i * i);
  const MatrixXd response = factor * factor.transpose() + 0.2 * MatrixXd::Identity(6, 6);
  const Vector3d n = Vector3d(1, 2, -0.5).normalized();
  for (double second : {-1.0, 0.4}) {
    const std::vector<ImpulseTouch> touches = {
        {0, Vector3d::UnitY(), Vector3d(0.1, 0, 0), 1e-3, 0.4, 0.3},
        {1, n, Vector3d::Zero(), 2e-3, 0.4, 0.3}};
    Eigen::Matrix3Xd v(3, 2);
    v.col(0) = Vector3d(1, -2, 0.5);
    v.col(1) = second * n + Vector3d(0.3, 0, 0.6);
    const SolvedImpulses solved =
        SolveImpulses(touches, {{{0, 1}}, {response}}, v, LeastOf(touches, v), 0.0);
    EXPECT_TRUE(solved.converged);
    const Eigen::Matrix3Xd& impulses = solved.at;
    const Eigen::VectorXd p = Eigen::Map<const Eigen::VectorXd>(impulses.data(), 6);
    const Eigen::VectorXd after = Eigen::Map<const Eigen::VectorXd>(v.data(), 6) + response * p;
    for (int j = 0; j < 2; ++j) {
      const ImpulseTouch& touch = touches[j];
      const Vector3d u = after.segment<3>(3 * j) - touch.velocity;
      const double approach = (v.col(j) - touch.velocity).dot(touch.normal);
      const double wanted = std::max(-0.4 * approach, 50.0 * touch.depth);
      const double pressed = impulses.col(j).dot(touch.normal);
      const Vector3d along = impulses.col(j) - pressed * touch.normal;
      EXPECT_GE(pressed, -1e-12);
      EXPECT_GE(u.dot(touch.normal), wanted - 1e-8);
      EXPECT_NEAR(pressed * (u.dot(touch.normal) - wanted), 0.0, 1e-8);
      EXPECT_LE(along.norm(), 0.3 * pressed + 1e-10);
      const Vector3d slide = u - u.dot(touch.normal) * touch.normal;
      // Within the cone it sticks; on the cone it slides against the impulse.
      if (along.norm() < 0.3 * pressed - 1e-6) {
        EXPECT_LT(slide.norm(), 1e-7);
      }
    }
  }
}

TEST(SolveImpulses, OfIslandsIsThatOfTheWhole) {
  MatrixXd factor(9, 9);
  for (int i = 0; i < 81; ++i) factor.data()[i] = std::sin(1.0 + 1.7 * i * i);
  MatrixXd response = factor * factor.transpose() + 0.2 * MatrixXd::Identity(9, 9);
  // Touches 0 and 2 answer each other, touch 1 none.
  for (int i : {0, 2}) {
    response.block<3, 3>(3 * i, 3).setZero();
    response.block<3, 3>(3, 3 * i).setZero();
  }
  std::vector<ImpulseTouch> touches;
  Eigen::Matrix3Xd v(3, 3);
  for (int j = 0; j < 3; ++j) {
    touches.push_back({j, Vector3d::UnitY(), Vector3d(0.1, 0, 0), 1e-3, 0.4, 0.3});
    v.col(j) = Vector3d(1, -2 + 0.3 * j, 0.5);
  }
  MatrixXd outer(6, 6);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      outer.block<3, 3>(3 * i, 3 * j) = response.block<3, 3>(6 * i, 6 * j);
    }
  }
  const VectorXd least = LeastOf(touches, v);
  const Eigen::Matrix3Xd whole =
      SolveImpulses(touches, {{{0, 1, 2}}, {response}}, v, least, 0.0).at;
  const Eigen::Matrix3Xd parts =
      SolveImpulses(touches, {{{0, 2}, {1}}, {outer, response.block<3, 3>(3, 3)}}, v, least, 0.0)
          .at;
  EXPECT_GT(whole.row(1).minCoeff(), 0.0);
  EXPECT_LT((whole - parts).norm(), 1e-12 * whole.norm());
}

}  // namespace
}  // namespace pliant::linear_deformation
