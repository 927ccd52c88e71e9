// Bodies that ride on rigid proxies, and the records that they get.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "tests/scenes.h"
#include "tests/solvers/kinematic_response/runs.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using testing::HasSubstr;

// A planar chain of 1 m and 3 kg lying above a floor, turned by `slope`.
Scene Plank(double height, double slope = 0.0) {
  Scene scene = SceneOf({MakeChain("plank", {-0.5, 0, 0}, {0.5, 0, 0}, 9, 3.0)}, 2);
  const Vector3d up(-std::sin(slope), std::cos(slope), 0);
  scene.bodies[0].position = height * up;
  scene.bodies[0].orientation = Eigen::AngleAxisd(slope, Vector3d::UnitZ());
  scene.obstacles.push_back({"floor", Plane{up}, Path::Still(Vector3d::Zero()), 0.0});
  return scene;
}

// A three-legged outline without any grid.
Scene Stool(double height) {
  Scene scene = Plank(height);
  Body stool = {.name = "stool", .shape = ShapeKind::kProfile, .rest = Matrix3Xd(3, 5)};
  stool.rest << -0.5, 0.5, -0.5, 0.0, 0.5,  //
      0.0, 0.0, 0.8, 0.8, 0.8,              //
      0, 0, 0, 0, 0;
  stool.mass = Eigen::VectorXd::Constant(5, 0.6);
  stool.edges = {{0, 2}, {2, 3}, {3, 4}, {4, 1}};
  stool.position = {0, height, 0};
  scene.bodies[0] = stool;
  return scene;
}

// Nothing is damped or kept: contact is a spring of 3 kN/m under each point.
ParameterValues Springs() {
  return {{"absorption", Numbers{0.0}},
          {"relaxation_time", Numbers{0.0}},
          {"contact_stiffness", 3000.0},
          {"contact_damping", 0.0},
          {"contact_tangential_stiffness", 3000.0},
          {"contact_tangential_damping", 20.0}};
}

Observation AfterSeconds(Simulation* simulation, double h, double duration) {
  return After(simulation, h, static_cast<int>(std::lround(duration / h)));
}

double CentreVelocity(const Scene& scene, const Observation& o) {
  return LinearMomentum(scene.Masses(), *o.velocities).y() / scene.Masses().sum();
}

TEST(Riding, WithoutRelaxationAPlankBouncesAsAMassOnSprings) {
  // It meets the floor at v with all 9 points: ẍ = −g + ω² x, ω² = 9 k/m.
  const Scene scene = Plank(0.2);
  const double v = std::sqrt(2 * kGravity * 0.2), omega = std::sqrt(9 * 3000.0 / 3.0);
  const double lands = v / kGravity;
  const auto simulation = Started(scene, Springs());
  const double h = 1e-4;
  const double static_depth = kGravity / (omega * omega);
  const double amplitude = std::hypot(static_depth, v / omega);
  // Contact lasts (π + 2 atan(g/(ω v)))/ω; then it flies up at v.
  const double contact = (std::numbers::pi + 2 * std::atan(kGravity / (omega * v))) / omega;
  double most = 0.0;
  Observation o;
  while (simulation->time() < lands + contact + 0.01) {
    simulation->Advance(h);
    simulation->Observe(&o);
    most = std::max(most, *o.extras[3]);
  }
  EXPECT_NEAR(most, 9 * 3000.0 * (amplitude + static_depth), 2e-3 * most);
  const double flown = simulation->time() - lands - contact;
  EXPECT_NEAR(CentreVelocity(scene, o), v - kGravity * flown, 2e-3 * v);
  EXPECT_LT(std::abs((*o.work)[WorkClass::kContact]), 4e-3 * 3.0 * kGravity * 0.2);
  EXPECT_LT((o.points - scene.InitialPoints()).row(0).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Riding, WhatRelaxesMoreSlowlyThanItLeavesGivesNothingBack) {
  const Scene scene = Plank(0.2);
  const auto fastest = [&scene](double relaxation) {
    const auto simulation = Started(scene, With(Springs(), "relaxation_time", Numbers{relaxation}));
    double up = 0.0;
    Observation o;
    for (int i = 0; i < 4000; ++i) {
      simulation->Advance(1e-4);
      simulation->Observe(&o);
      up = std::max(up, CentreVelocity(scene, o));
    }
    return up / std::sqrt(2 * kGravity * 0.2);
  };
  const double back_at_once = fastest(0.0), slowly = fastest(0.02), never = fastest(1e3);
  EXPECT_GT(back_at_once, 0.99);
  EXPECT_LT(slowly, 0.8);
  EXPECT_GT(slowly, 0.2);
  EXPECT_LT(never, 0.05);
}

TEST(Riding, AtRestTheReactionCarriesTheWeight) {
  for (const Scene& scene : {Plank(0.01), Stool(0.01)}) {
    const auto simulation =
        Started(scene, {{"relaxation_time", Numbers{0.05}}, {"contact_damping", 60.0}});
    Observation o = AfterSeconds(simulation.get(), 1e-3, 3.0);
    double mean = 0.0;
    for (int i = 0; i < 500; ++i) {
      o = AfterSeconds(simulation.get(), 1e-3, 1e-3);
      mean += *o.extras[3] / 500;
    }
    EXPECT_NEAR(mean, 3.0 * kGravity, 0.03 * 3.0 * kGravity) << scene.bodies[0].name;
    EXPECT_LT(std::abs(CentreVelocity(scene, o)), 0.02);
    EXPECT_LT(MeasurePenetration(scene, o.time, o.points)->max, 1e-9);
  }
}

TEST(Riding, FrictionIsCoulombs) {
  const double slope = 0.35, mu = 0.2;
  Scene scene = Plank(0.002, slope);
  const auto slid = [&scene, slope](double friction) {
    scene.obstacles[0].friction = friction;
    const auto simulation = Started(scene, With(Springs(), "contact_damping", 20.0));
    const Vector3d down(-std::cos(slope), -std::sin(slope), 0);
    AfterSeconds(simulation.get(), 1e-3, 0.5);
    const Observation at = Observed(*simulation);
    const Observation later = AfterSeconds(simulation.get(), 1e-3, 0.5);
    const Eigen::VectorXd m = scene.Masses();
    return down.dot(LinearMomentum(m, *later.velocities) - LinearMomentum(m, *at.velocities)) /
           m.sum() / 0.5;  // m/s²
  };
  EXPECT_NEAR(slid(0.0), kGravity * std::sin(slope), 1e-3);
  EXPECT_NEAR(slid(mu), kGravity * (std::sin(slope) - mu * std::cos(slope)), 0.02);
  EXPECT_NEAR(slid(0.6), 0.0, 0.01);  // holds
}

// Friction acts where the surface is, on the floor, not where the point would be below it.
TEST(Riding, FrictionTurnsABodyAtTheFloor) {
  Scene scene = Plank(0.0);
  scene.obstacles[0].friction = 0.5;
  Body& plank = scene.bodies[0];
  plank.orientation = Eigen::AngleAxisd(1.3, Vector3d::UnitZ());
  plank.position = {0, 0.5 * std::sin(1.3) + 0.01, 0};  // on its first point
  plank.velocity = {2.0, -1.0, 0.0};
  const auto simulation = Started(scene, With(Springs(), "contact_stiffness", 1000.0));
  const Eigen::VectorXd m = scene.Masses();
  const double h = 1e-4;
  struct Motion {
    Vector3d momentum, tip;
    double spin, weight;  // about the origin [N m s, N m]
  };
  const auto motion = [&](const Observation& o) {
    Matrix3Xd x = o.points;  // undeformed, as the proxy carries them
    x.col(0) = 2.0 * x.col(1) - x.col(2);
    // The floor touches it on the floor.
    return Motion{LinearMomentum(m, *o.velocities), Vector3d(x(0, 0), 0.0, 0.0),
                  AngularMomentum(m, x, *o.velocities, Vector3d::Zero()).z(),
                  -3.0 * kGravity * CentreOfMass(m, x).x()};
  };
  Observation o = Observed(*simulation);
  const Motion first = motion(o);
  Motion before = first;
  double expected = 0.0, deepest = 0.0;
  for (int i = 0; i < 1000; ++i) {
    o = After(simulation.get(), h, 1);
    ASSERT_GT(o.points(1, 1), 1e-3);  // no other point is pressed
    const Motion now = motion(o);
    const Vector3d impulse =
        now.momentum - before.momentum + 3.0 * kGravity * h * Vector3d::UnitY();
    expected += 0.5 * (before.tip + now.tip).cross(impulse).z() + h * before.weight;
    deepest = std::max(deepest, -(2.0 * o.points(1, 1) - o.points(1, 2)));
    before = now;
  }
  EXPECT_GT(deepest, 0.03);
  EXPECT_LT(before.momentum.x(), first.momentum.x() - 0.5);
  EXPECT_NEAR(before.spin - first.spin, expected, 1e-3);
}

TEST(Riding, ABiphasicPadIsPressedLess) {
  const auto most = [](const ParameterValues& parameters) {
    const auto simulation = Started(Plank(0.2), parameters);
    double lowest = 0.0;
    Observation o;
    for (int i = 0; i < 3000; ++i) {
      simulation->Advance(1e-4);
      simulation->Observe(&o);
      lowest = std::max(lowest, *o.extras[3]);
    }
    return lowest;
  };
  const ParameterValues pad =
      With(With(Springs(), "reaction_knee", 0.005), "reaction_stiffness_beyond", 30000.0);
  // ½ m v² + m g x = 9 (½ k_c x_c² + k_c x_c y + ½ k_r y²), x = x_c + y.
  const double a = 0.5 * 9 * 30000, b = 9 * 3000 * 0.005 - 3 * kGravity,
               c = 0.5 * 9 * 3000 * 0.005 * 0.005 - 3 * kGravity * (0.2 + 0.005);
  const double y = (-b + std::sqrt(b * b - 4 * a * c)) / (2 * a);
  EXPECT_NEAR(most(pad), 9 * (3000 * 0.005 + 30000 * y), 0.01 * most(pad));
}

TEST(Riding, CoarseLevelsOfTheLatticeCarryThePressThroughTheBody) {
  // One foot lands; a knot in the middle of the stool is half a metre from it.
  const auto knot_moved = [](double coarse) {
    Scene scene = Stool(0.3);
    Body& stool = scene.bodies[0];
    stool.rest.conservativeResize(3, 6);
    stool.rest.col(5) << 0.0, 0.4, 0.0;
    stool.mass = Eigen::VectorXd::Constant(6, 0.5);
    stool.edges.push_back({3, 5});
    scene.bodies[0].orientation = Eigen::AngleAxisd(0.3, Vector3d::UnitZ());
    const auto simulation = Started(scene, {{"absorption", Numbers{coarse, 0, 0, 0}},
                                            {"relaxation_time", Numbers{INFINITY}},
                                            {"restriction", std::string("average")}});
    const Observation o = AfterSeconds(simulation.get(), 1e-3, 0.3);
    EXPECT_GT(MeasureEdgeStrain(scene, o.points)->max, 1e-3);  // it has landed
    // Distances between points that are not pressed, which rigid motion keeps.
    return std::abs((o.points.col(5) - o.points.col(3)).norm() - 0.4);
  };
  EXPECT_GT(knot_moved(0.5), 1e-3);
  EXPECT_LT(knot_moved(0.0), 1e-12);
}

TEST(Riding, FastBodiesDoNotPassThroughObstaclesBetweenSteps) {
  // In one step it would move three times the thickness of the box; its springs stop it within
  // 0.08.
  Scene scene = Plank(1.0);
  scene.bodies[0].velocity = {0, -60, 0};
  scene.obstacles[0].shape = Box{{2.0, 0.1, 1.0}};
  const auto simulation = Started(scene, With(Springs(), "contact_stiffness", 2e5));
  const Observation o = AfterSeconds(simulation.get(), 0.01, 0.05);
  EXPECT_GT(o.points.row(1).minCoeff(), 0.0);
  EXPECT_GT(o.iterations, 5);
}

TEST(Riding, AnImpulseDoesNotDriveABodyThroughAnObstacle) {
  Scene scene = Plank(1.0);
  for (int i = 0; i < 9; ++i) {
    scene.impulses.push_back({"blow" + std::to_string(i), {0, i}, {0, -20, 0}, 0.0});  // 60 m/s
  }
  scene.obstacles[0].shape = Box{{2.0, 0.1, 1.0}};
  const auto simulation = Started(scene, With(Springs(), "contact_stiffness", 2e5));
  const Observation o = AfterSeconds(simulation.get(), 0.01, 0.05);
  EXPECT_GT(o.points.row(1).minCoeff(), 0.0);
}

TEST(Riding, AnOutlineAnswersAlikeSeenFromElsewhere) {
  const ParameterValues deep = {{"absorption", Numbers{0.5}}, {"contact_stiffness", 1500.0}};
  Scene scene = Stool(0.3);
  scene.bodies[0].orientation = Eigen::AngleAxisd(0.3, Vector3d::UnitZ());
  const Matrix3Xd here = AfterSeconds(Started(scene, deep).get(), 1e-3, 0.5).points;
  EXPECT_GT(MeasureEdgeStrain(scene, here)->max, 0.01);
  const Eigen::Matrix3d turn(Eigen::AngleAxisd(0.785, Vector3d::UnitZ()));
  Scene turned = scene;
  turned.gravity = turn * scene.gravity;
  turned.bodies[0].position = turn * scene.bodies[0].position;
  turned.bodies[0].orientation = Eigen::Quaterniond(turn) * scene.bodies[0].orientation;
  turned.obstacles[0].shape = Plane{turn * Vector3d::UnitY()};
  const Matrix3Xd there = AfterSeconds(Started(turned, deep).get(), 1e-3, 0.5).points;
  EXPECT_LT((there - turn * here).cwiseAbs().maxCoeff(), 1e-8);
}

// Points that were pushed up by d, on a plank that turns by ω, slide over the floor with −ω d:
// where the plank itself is, its middle axis, nothing slides.
TEST(Riding, FrictionActsOnWhatSlidesWhereTheSurfaceIs) {
  constexpr double kDepth = 0.05, kSpin = 1.0, kDamping = 20.0, kStep = 1e-4;
  Scene scene = Plank(0.0);
  scene.gravity.setZero();
  scene.bodies[0].angular_velocity = {0, 0, kSpin};
  scene.obstacles[0].motion = Path::Still({0, kDepth + scene.InitialPoints()(1, 0), 0});
  scene.obstacles[0].friction = 1.0;
  const auto simulation = Started(scene, {{"contact_tangential_stiffness", 0.0},
                                          {"contact_tangential_damping", kDamping},
                                          {"absorption", Numbers{0.0}}});
  const Observation o = After(simulation.get(), kStep, 1);
  // The reaction acts for the second half of the step.
  const double force = scene.PointCount() * kDamping * kSpin * kDepth;
  const Eigen::VectorXd m = scene.Masses();
  EXPECT_NEAR(LinearMomentum(m, *o.velocities)[0] / (0.5 * kStep * force), 1.0, 0.01);
}

TEST(RidingRecord, SaysWhatStandsInForInertia) {
  for (const char* element : {"gravity", "body.stool", "obstacle.floor"}) {
    const TranslatedElement entry = Entry(Stool(1.0), element);
    EXPECT_EQ(entry.fidelity, Fidelity::kApproximated) << element;
    EXPECT_THAT(entry.reason, HasSubstr("rigid prox")) << element;
  }
  EXPECT_THAT(Entry(Stool(1.0), "body.stool").reason, HasSubstr("lattice of 8 by 8"));
  EXPECT_FALSE(Translated(Stool(1.0), {{"rides", std::string("never")}}).record.supported());
  Scene block = Plank(1.0);
  block.dimension = 3;
  block.bodies[0] = MakeBlock("block", {1, 1, 1}, {3, 3, 3}, 1.0);
  EXPECT_FALSE(Translated(block).record.supported());
}

bool PlankRides(const Scene& scene, const ParameterValues& parameters = {}) {
  return Entry(scene, "body.plank", parameters).reason.find("rigid proxy") != std::string::npos;
}

TEST(RidingRecord, BodiesRideWhenSomethingWouldMoveThem) {
  Scene scene = Plank(1.0);
  EXPECT_TRUE(PlankRides(scene));
  scene.gravity.setZero();
  EXPECT_FALSE(PlankRides(scene));
  EXPECT_TRUE(PlankRides(scene, {{"rides", std::string("always")}}));
  scene.bodies[0].velocity = {1, 0, 0};
  EXPECT_TRUE(PlankRides(scene));
  EXPECT_FALSE(PlankRides(scene, {{"rides", std::string("never")}}));
  scene.bodies[0].velocity.setZero();
  scene.impulses.push_back({"kick", {0, 1}, {0, 1, 0}, 0.0});
  EXPECT_TRUE(PlankRides(scene));
  scene.springs.push_back({.name = "foundation",
                           .a = {0, 3},
                           .anchor = scene.InitialPoints().col(3),
                           .stiffness = 10.0});
  EXPECT_FALSE(PlankRides(scene));
  scene.impulses.clear();
  scene.springs[0].anchor.y() += 0.1;
  EXPECT_TRUE(PlankRides(scene));
}

TEST(RidingRecord, WarnsOfABodyThatYieldsBeforeItIsCarried) {
  const auto warnings = [](double yield) {
    return Translated(Plank(1.0), {{"yield", Numbers{yield}}}).warnings;
  };
  EXPECT_TRUE(warnings(INFINITY).empty());
  EXPECT_TRUE(warnings(0.001).empty());
  ASSERT_EQ(warnings(1e-5).size(), 1U);
  EXPECT_THAT(warnings(1e-5)[0], HasSubstr("body 'plank' yield before they carry its weight"));
  EXPECT_EQ(warnings(0.0).size(), 1U);
  // Half of the points are made a hundred times as stiff, or all as soft.
  const auto mapped = [](const std::string& control, const std::string& formula, double yield) {
    MatrixTable maps;
    const NamedMatrix entry = {.name = "map",
                               .texts = {{"control", control}, {"formula", formula}}};
    maps.entries = {entry};
    return Translated(Plank(1.0), {{"yield", Numbers{yield}}, {"maps", maps}}).warnings.size();
  };
  EXPECT_EQ(mapped("contact_stiffness", "x > 0 ? 100 * value : value", 1e-5), 0U);
  EXPECT_EQ(mapped("contact_stiffness", "0.01 * value", 0.001), 1U);
  EXPECT_EQ(mapped("yield", "value", 1e-5), 0U);
}

}  // namespace
}  // namespace pliant::kinematic_response
