// What probes measure, against what is known of simple figures.

#include "models/scene/probe.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "models/problem.h"
#include "models/scene/shapes.h"
#include "tests/scenes.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

// A triangle of unequal masses that starts elsewhere than at rest, and a link.
Scene Figures() {
  Body triangle;
  triangle.name = "triangle";
  triangle.rest = Matrix3Xd{{0.0, 3.0, 0.0}, {0.0, 0.0, 4.0}, {0.0, 0.0, 0.0}};
  triangle.mass = Eigen::Vector3d(1.0, 2.0, 5.0);
  triangle.edges = {{0, 1}, {1, 2}, {2, 0}};
  triangle.faces = {{0, 1, 2}};
  triangle.position = {1.0, 1.0, 0.0};
  Body link;
  link.name = "link";
  link.rest = Matrix3Xd{{0.0, 1.0}, {0.0, 0.0}, {0.0, 0.0}};
  link.mass = Eigen::Vector2d(1.0, 1.0);
  link.edges = {{0, 1}};
  return SceneOf({triangle, link});
}

Probe Of(ProbeKind kind, std::vector<ProbeSet> of) { return {"p", kind, std::move(of)}; }
ProbeSet Point(int body, int point) { return {body, {point}, "x"}; }

std::optional<double> Measured(const Scene& scene, const Probe& probe, const Matrix3Xd& x,
                               const Matrix3Xd* v = nullptr) {
  RequireMeasurable(scene, probe);
  return ProbeMeter(scene, {probe}).Measure(0, x, v);
}

TEST(Probe, PlacesOfSetsAreCentresOfMass) {
  const Scene scene = Figures();
  Matrix3Xd x = scene.InitialPoints();
  Probe probe = Of(ProbeKind::kPosition, {{0, {}, "triangle"}});
  probe.component = 1;
  EXPECT_NEAR(*Measured(scene, probe, x), 1.0 + 4.0 * 5.0 / 8.0, 1e-14);
  probe.of = {{0, {0, 1}, "two"}};
  probe.component = 0;
  EXPECT_NEAR(*Measured(scene, probe, x), 1.0 + 3.0 * 2.0 / 3.0, 1e-14);
  probe.of = {Point(1, 1)};  // the column of the second body
  EXPECT_EQ(*Measured(scene, probe, x), 1.0);
}

TEST(Probe, DisplacementsAreFromWhereTheSceneStarts) {
  const Scene scene = Figures();
  Matrix3Xd x = scene.InitialPoints();
  x.col(2) += Vector3d(3.0, 0.0, -4.0);
  Probe probe = Of(ProbeKind::kDisplacement, {Point(0, 2)});
  EXPECT_NEAR(*Measured(scene, probe, x), 5.0, 1e-14);
  probe.component = 2;
  EXPECT_NEAR(*Measured(scene, probe, x), -4.0, 1e-14);
}

TEST(Probe, ReactionsAreSumsOfForces) {
  const Scene scene = Figures();
  const Matrix3Xd x = scene.InitialPoints();
  ProbeForces forces;
  forces.holds = Matrix3Xd::Zero(3, x.cols());
  forces.holds->col(0) = Vector3d(1.0, 2.0, 0.0);
  forces.holds->col(2) = Vector3d(2.0, 2.0, 0.0);
  forces.holds->col(3) = Vector3d(100.0, 0.0, 0.0);  // of the other body
  const auto measured = [&](const Probe& probe) {
    RequireMeasurable(scene, probe);
    return ProbeMeter(scene, {probe}).Measure(0, x, nullptr, &forces);
  };
  Probe probe = Of(ProbeKind::kReaction, {{0, {}, "triangle"}});
  EXPECT_NEAR(*measured(probe), 5.0, 1e-14) << "the masses do not weigh them";
  probe.component = 0;
  EXPECT_EQ(*measured(probe), 3.0);
  probe.of = {{0, {0, 1}, "two"}};
  EXPECT_EQ(*measured(probe), 1.0);
  EXPECT_EQ(Measured(scene, probe, x), std::nullopt);
}

// Pairs: triangle.floor, link.floor, triangle.link.
Scene FiguresOnAFloor() {
  Scene scene = Figures();
  scene.obstacles.push_back({.name = "floor", .shape = Plane{}});
  return scene;
}

TEST(Probe, ContactIsTheSumOverPointsOrOfPairsWithTheirSign) {
  const Scene scene = FiguresOnAFloor();
  const Matrix3Xd x = scene.InitialPoints();
  ProbeForces forces;
  forces.contact_force.points = Matrix3Xd::Zero(3, x.cols());
  forces.contact_force.points->col(0) = Vector3d(1.0, 2.0, 0.0);
  forces.contact_force.points->col(2) = Vector3d(2.0, 2.0, 0.0);
  forces.contact_force.points->col(4) = Vector3d(0.0, -7.0, 0.0);
  forces.contact_force.pairs = Matrix3Xd{{1.0, 0.0, 2.0}, {2.0, 0.0, 2.0}, {0.0, 0.0, 0.0}};
  forces.contact_impulse.pairs = Matrix3Xd{{0.0, 0.0, 0.0}, {3.0, 5.0, 7.0}, {0.0, 0.0, 0.0}};
  const auto measured = [&](const Probe& probe) {
    RequireMeasurable(scene, probe);
    return ProbeMeter(scene, {probe}).Measure(0, x, nullptr, &forces);
  };
  Probe probe = Of(ProbeKind::kContactForce, {{0, {}, "triangle"}});
  EXPECT_NEAR(*measured(probe), 5.0, 1e-14);
  EXPECT_EQ(MeaningOf(probe), "contact-force of triangle, mean since the record before");
  probe.of = {Point(0, 2)};
  probe.component = 0;
  EXPECT_EQ(*measured(probe), 2.0);
  // Of bodies, by one obstacle or body.
  probe.of = {{0, {}, "triangle"}};
  probe.from = TouchingNamed(scene, "floor");
  EXPECT_EQ(*measured(probe), 1.0);
  EXPECT_EQ(MeaningOf(probe),
            "contact-force x of triangle from floor, mean since the record before");
  probe.from = TouchingNamed(scene, "link");
  EXPECT_EQ(*measured(probe), 2.0);
  probe.of = {{1, {}, "link"}};
  probe.from = TouchingNamed(scene, "triangle");
  EXPECT_EQ(*measured(probe), -2.0) << "the reaction";
  // Of pairs alone a whole body is known, and points are not.
  probe = Of(ProbeKind::kContactImpulse, {{1, {}, "link"}});
  probe.component = 1;
  EXPECT_EQ(*measured(probe), 5.0 - 7.0);
  probe.of = {Point(1, 1)};
  EXPECT_EQ(measured(probe), std::nullopt);
  EXPECT_EQ(Measured(scene, probe, x), std::nullopt);
}

std::string WhyNotMeasured(const Scene& scene, const Probe& probe) {
  try {
    RequireMeasurable(scene, probe);
  } catch (const BadInput& bad) {
    return bad.problem().where + ": " + bad.what();
  }
  return "";
}

TEST(Probe, ContactWithOneThatDoesNotMeetTheBodyIsRefused) {
  Scene scene = FiguresOnAFloor();
  Probe probe = Of(ProbeKind::kContactForce, {{0, {}, "triangle"}});
  probe.from = TouchingNamed(scene, "triangle");
  EXPECT_EQ(
      WhyNotMeasured(scene, probe),
      "from: body 'triangle' and 'triangle' do not meet; name an obstacle or body that meets it");
  probe.from = TouchingNamed(scene, "floor");
  probe.of = {Point(0, 1)};
  EXPECT_EQ(WhyNotMeasured(scene, probe),
            "of: contact with one obstacle or body is known of a whole body; "
            "of = {body = \"triangle\"}, or remove from");
  probe.kind = ProbeKind::kReaction;
  EXPECT_EQ(WhyNotMeasured(scene, probe), "from: 'from' applies only to contact; remove it");
  try {
    TouchingNamed(scene, "flor");
    ADD_FAILURE();
  } catch (const BadInput& bad) {
    EXPECT_EQ(std::string(bad.what()),
              "the scene has no obstacle or body 'flor'; did you mean 'floor'?");
  }
  for (int i = 0; i < 40; ++i) scene.obstacles.push_back(scene.obstacles[0]);
  probe = Of(ProbeKind::kContactForce, {{0, {}, "triangle"}});
  probe.from = TouchingNamed(scene, "floor");
  EXPECT_EQ(WhyNotMeasured(scene, probe),
            "from: more than 64 pairs may touch in this scene: no pair is counted; measure all "
            "contact of the body: remove from");
}

TEST(Probe, VelocitiesAreNotDefinedWithoutVelocities) {
  const Scene scene = Figures();
  const Matrix3Xd x = scene.InitialPoints();
  Matrix3Xd v = Matrix3Xd::Zero(3, 5);
  v.col(0) = Vector3d(0.0, 8.0, 0.0);
  Probe probe = Of(ProbeKind::kVelocity, {{0, {}, "triangle"}});
  EXPECT_FALSE(Measured(scene, probe, x));
  EXPECT_NEAR(*Measured(scene, probe, x, &v), 1.0, 1e-14);  // 1 kg of 8
}

TEST(Probe, DistancesAndStrainsAreThoseOfTheLine) {
  const Scene scene = Figures();
  Matrix3Xd x = scene.InitialPoints();
  EXPECT_NEAR(*Measured(scene, Of(ProbeKind::kDistance, {Point(0, 1), Point(0, 2)}), x), 5.0,
              1e-14);
  EXPECT_NEAR(*Measured(scene, Of(ProbeKind::kStrain, {Point(0, 1), Point(0, 2)}), x), 0.0, 1e-14);
  x.col(2) = x.col(1) + Vector3d(0.0, 0.0, 6.0);  // 5 m at rest
  EXPECT_NEAR(*Measured(scene, Of(ProbeKind::kStrain, {Point(0, 1), Point(0, 2)}), x), 0.2, 1e-14);
  // The edge from the third to the first was 4 m and is √45 m.
  EXPECT_NEAR(*Measured(scene, Of(ProbeKind::kStrain, {{0, {}, "triangle"}}), x),
              std::sqrt(45.0) / 4.0 - 1.0, 1e-14);
}

TEST(Probe, AnglesHaveASignAboutAnAxisAlone) {
  const Scene scene = Figures();
  Matrix3Xd x = scene.InitialPoints();
  Probe corner = Of(ProbeKind::kAngle, {Point(0, 0), Point(0, 1), Point(0, 2)});
  EXPECT_NEAR(*Measured(scene, corner, x), std::atan2(4.0, 3.0), 1e-14);
  corner.about = Vector3d::UnitZ();  // from the line to the first to that to the third: clockwise
  EXPECT_NEAR(*Measured(scene, corner, x), -std::atan2(4.0, 3.0), 1e-14);
  Probe line = Of(ProbeKind::kAngle, {Point(1, 0), Point(1, 1)});
  line.against = -Vector3d::UnitY();
  for (const double angle : {0.3, -2.9}) {
    x.col(4) = x.col(3) + Vector3d(std::sin(angle), -std::cos(angle), 0.0);
    line.about.reset();
    EXPECT_NEAR(*Measured(scene, line, x), std::abs(angle), 1e-14);
    line.about = Vector3d::UnitZ();
    EXPECT_NEAR(*Measured(scene, line, x), angle, 1e-14);
    x.col(4).z() += 0.7;  // along the axis
    EXPECT_NEAR(*Measured(scene, line, x), angle, 1e-14);
  }
  x.col(4) = x.col(3);
  EXPECT_FALSE(Measured(scene, line, x));
}

TEST(Probe, AreaAndVolumeAreThoseOfTheShape) {
  const Scene scene = SceneOf({MakeBlock("block", {2.0, 3.0, 4.0}, {2, 3, 4}, 1.0)});
  Matrix3Xd x = scene.InitialPoints();
  x.colwise() += Vector3d(1e3, 0.0, 0.0);
  EXPECT_NEAR(*Measured(scene, Of(ProbeKind::kVolume, {{0, {}, "block"}}), x), 24.0, 1e-9);
  EXPECT_NEAR(*Measured(scene, Of(ProbeKind::kArea, {{0, {}, "block"}}), x), 52.0, 1e-9);
  x.row(1) *= -0.5;  // inside out
  EXPECT_NEAR(*Measured(scene, Of(ProbeKind::kVolume, {{0, {}, "block"}}), x), -12.0, 1e-9);
}

std::string WhereRefused(const Scene& scene, const Probe& probe) {
  try {
    RequireMeasurable(scene, probe);
  } catch (const BadInput& bad) {
    return bad.problem().where;
  }
  return "measurable";
}

TEST(Probe, WhatCannotBeMeasuredIsRefusedAtItsKey) {
  const Scene scene = Figures();
  EXPECT_EQ(WhereRefused(scene, Of(ProbeKind::kDistance, {Point(0, 1)})), "of");
  EXPECT_EQ(WhereRefused(scene, Of(ProbeKind::kPosition, {Point(0, 1)})), "");  // no component
  EXPECT_EQ(WhereRefused(scene, Of(ProbeKind::kAngle, {Point(0, 1), Point(0, 2)})), "of");
  EXPECT_EQ(WhereRefused(scene, Of(ProbeKind::kVolume, {{0, {}, "triangle"}})), "of");  // is open
  EXPECT_EQ(WhereRefused(scene, Of(ProbeKind::kArea, {{1, {}, "link"}})), "of");
  EXPECT_EQ(WhereRefused(scene, Of(ProbeKind::kArea, {Point(0, 1)})), "of");
  EXPECT_EQ(WhereRefused(scene, Of(ProbeKind::kStrain, {Point(0, 1), Point(1, 1)})), "of");
  EXPECT_EQ(WhereRefused(scene, Of(ProbeKind::kStrain, {Point(0, 1), Point(0, 1)})), "of");
  Probe distance = Of(ProbeKind::kDistance, {Point(0, 1), Point(0, 2)});
  distance.component = 0;
  EXPECT_EQ(WhereRefused(scene, distance), "component");
  distance.component.reset();
  distance.about = Vector3d::UnitZ();
  EXPECT_EQ(WhereRefused(scene, distance), "about");
  Probe angle = Of(ProbeKind::kAngle, {Point(0, 0), Point(0, 1), Point(0, 2)});
  angle.against = Vector3d::UnitZ();
  EXPECT_EQ(WhereRefused(scene, angle), "against");
}

}  // namespace
}  // namespace pliant
