// Surfaces that meet themselves and each other.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/kinematic_response/self_contact.h"
#include "tests/scenes.h"
#include "tests/solvers/kinematic_response/runs.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using testing::HasSubstr;

TEST(SurfaceRays, CrossACommonEdgeOrVertexOnce) {
  const Body sheet = MakeSheet("sheet", {2, 2}, {5, 5}, 1.0);
  const SurfaceRays rays(sheet, sheet.rest.transpose());
  std::vector<SurfaceRays::Crossing> found;
  for (const Vector3d& at : {Vector3d(0, 0, 0), Vector3d(0.5, 0.25, 0), Vector3d(0.25, 0.25, 0)}) {
    rays.Cross(at - Vector3d::UnitZ(), Vector3d::UnitZ(), &found);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].side, 1);
    rays.Cross(at + Vector3d::UnitZ(), -Vector3d::UnitZ(), &found);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].side, -1);
  }
  const Body chain = MakeChain("chain", {-1, 0, 0}, {1, 0, 0}, 3, 1.0);
  SurfaceRays(chain, chain.rest.transpose()).Cross({0, -1, 0}, Vector3d::UnitY(), &found);
  EXPECT_EQ(found.size(), 1u);
}

// Through the corners of a polygon, evenly along it.
Matrix3Xd Along(const Matrix3Xd& corners, int points) {
  std::vector<double> at = {0.0};
  for (Eigen::Index i = 1; i < corners.cols(); ++i) {
    at.push_back(at.back() + (corners.col(i) - corners.col(i - 1)).norm());
  }
  Matrix3Xd result(3, points);
  for (int i = 0; i < points; ++i) {
    const double s = at.back() * i / (points - 1);
    size_t piece = 1;
    while (piece + 1 < at.size() && at[piece] < s) ++piece;
    const double part = (s - at[piece - 1]) / (at[piece] - at[piece - 1]);
    result.col(i) = corners.col(piece - 1) + part * (corners.col(piece) - corners.col(piece - 1));
  }
  return result;
}

// A curve whose two arms face each other, 1 m long, and have passed through each other by 0.2 m.
Body Pincers(int points) {
  Matrix3Xd corners(3, 6);
  corners << 0.1, 0.1, -1.1, 1.1, -0.1, -0.1,  //
      1.2, 0.2, -0.6, -0.6, 0.2, 1.2,          //
      0, 0, 0, 0, 0, 0;
  Body body = MakeChain("pincers", {0, 0, 0}, {1, 0, 0}, points, 1.0);
  body.rest = Along(corners, points);
  return body;
}
// A sheet that is that curve along its first direction.
Body PincersAsSheet(int points) {
  Body body = MakeSheet("pincers", {2, 2}, {points, points}, 1.0);
  const Matrix3Xd curve = Pincers(points).rest;
  for (int v = 0; v < points; ++v) {
    for (int u = 0; u < points; ++u) {
      body.rest.col(u + points * v) = curve.col(u) - 2.0 * v / (points - 1) * Vector3d::UnitZ();
    }
  }
  return body;
}
const ParameterValues kFinestOnly = {{"absorption", Numbers{0.0}},
                                     {"relaxation_time", Numbers{INFINITY}},
                                     {"self_contact_depth", 0.5}};

TEST(SelfContact, HalvesThePenetrationByTheStepSize) {
  const int points = 65;
  for (const double step_size : {0.3, 0.5, 1.0}) {
    for (const int passes : {1, 3, 6}) {
      const auto simulation = Started(
          Weightless({Pincers(points)}, 2),
          With(With(kFinestOnly, "step_size", step_size), "sharing_passes", std::int64_t{passes}));
      const Observation o = After(simulation.get(), 0.01, 1);
      const int at = 7;  // well within the arm
      ASSERT_NEAR(Pincers(points).rest(0, at), 0.1, 1e-12);
      const double left = 0.2 * std::pow(1.0 - step_size, passes);
      EXPECT_NEAR(o.points(0, at), 0.5 * left, 1e-9) << step_size << " " << passes;
      EXPECT_NEAR(o.points(0, points - 1 - at), -0.5 * left, 1e-9);
    }
  }
}

TEST(SelfContact, LeavesNothingInItselfAndNoSideIsFirst) {
  const auto simulation = Started(Weightless({Pincers(65)}, 2), kFinestOnly);
  const auto blind =
      Started(Weightless({Pincers(65)}, 2), With(kFinestOnly, "self_contact_depth", 0.0));
  Observation o = Observed(*simulation);
  EXPECT_NEAR(*o.extras[7], 0.2, 0.03);  // measured along tilted normals too
  o = After(simulation.get(), 0.01, 10);
  EXPECT_LT(*o.extras[7], 1e-6);
  for (int i = 0; i < 65; ++i) {
    EXPECT_NEAR(o.points(0, i), -o.points(0, 64 - i), 1e-9);
    EXPECT_NEAR(o.points(1, i), o.points(1, 64 - i), 1e-9);
  }
  const Observation unseen = After(blind.get(), 0.01, 10);
  EXPECT_FALSE(unseen.extras[7]);
  EXPECT_LT(DistanceBetween(unseen.points, Pincers(65).rest).max, 1e-12);
}

TEST(SelfContact, OfASheetIsThatOfItsCrossSection) {
  const int points = 17;
  const auto curve = Started(Weightless({Pincers(points)}, 2), kFinestOnly);
  const auto sheet = Started(Weightless({PincersAsSheet(points)}), kFinestOnly);
  const Matrix3Xd in_plane = After(curve.get(), 0.01, 3).points;
  const Matrix3Xd in_space = After(sheet.get(), 0.01, 3).points;
  for (int u = 0; u < points; ++u) {
    const Vector3d middle = in_space.col(u + points * (points / 2));
    EXPECT_LT((middle - in_plane.col(u)).head<2>().norm(), 1e-9) << u;
  }
  EXPECT_GT(DistanceBetween(in_plane, Pincers(points).rest).max, 0.05);
}

TEST(SelfContact, IsTheSameSeenFromElsewhere) {
  Scene scene = Weightless({PincersAsSheet(17)});
  const ParameterValues controls = With(kFinestOnly, "area_kept", 0.5);
  const Matrix3Xd here = After(Started(scene, controls).get(), 0.01, 3).points;
  scene.bodies[0].orientation = Eigen::AngleAxisd(1.1, Vector3d(1, -2, 0.5).normalized());
  scene.bodies[0].position = {3, 1, -2};
  const Matrix3Xd there = After(Started(scene, controls).get(), 0.01, 3).points;
  const Matrix3Xd back = scene.bodies[0].orientation.conjugate().toRotationMatrix() *
                         (there.colwise() - scene.bodies[0].position);
  EXPECT_LT(DistanceBetween(here, back).max, 1e-9);
}

TEST(SelfContact, DoesNotMistakeTheFarSideOfABodyForAnotherPart) {
  for (const Body& body :
       {MakeTorus("ring", 1.0, 0.4, {24, 12}, 1.0), MakeTube("tube", 0.5, 2.0, {12, 5}, 1.0)}) {
    const auto simulation =
        Started(Weightless({body}), {{"self_contact_depth", 10.0}, {"absorption", Numbers{0.1}}});
    const Observation o = After(simulation.get(), 0.01, 2);
    EXPECT_EQ(*o.extras[7], 0.0) << body.name;
    EXPECT_LT(DistanceBetween(o.points, body.rest).max, 1e-12) << body.name;
  }
  const Body ring = MakeRing("ring", 1.0, 24, 1.0);
  EXPECT_EQ(*After(Started(Weightless({ring}, 2), {{"self_contact_depth", 10.0}}).get(), 0.01, 2)
                 .extras[7],
            0.0);
}

// The middle of its tube is an ellipse so narrow that two sides are 0.3 m into each other.
Body SquashedTorus(std::array<int, 2> points) {
  Body torus = MakeTorus("ring", 1.0, 0.4, points, 1.0);
  for (int i = 0; i < torus.size(); ++i) {
    torus.rest(1, i) -= 0.75 * torus.rest(1, i) / torus.rest.col(i).head<2>().norm();
  }
  return torus;
}
// The same as a mesh, refined from fewer points.
Body SquashedMesh(std::array<int, 2> points, int subdivisions) {
  const Body torus = SquashedTorus(points);
  const auto [nu, nv] = points;
  PolygonMesh cage{torus.size(), {}};
  for (int v = 0; v < nv; ++v) {
    for (int u = 0; u < nu; ++u) {
      const int right = (u + 1) % nu, above = (v + 1) % nv;
      cage.faces.push_back({u + nu * v, right + nu * v, right + nu * above, u + nu * above});
    }
  }
  return MakeMesh("ring", torus.rest, cage, SubdivisionScheme::kCatmullClark, subdivisions, 1.0);
}

TEST(SelfContact, PressesASquashedTorusApart) {
  for (const Body& torus : {SquashedTorus({48, 24}), SquashedMesh({24, 12}, 1)}) {
    const auto simulation =
        Started(Weightless({torus}), With(kFinestOnly, "self_contact_depth", 0.4));
    Observation o = Observed(*simulation);
    EXPECT_GT(*o.extras[7], 0.15);
    o = After(simulation.get(), 0.01, 10);
    EXPECT_LT(*o.extras[7], 0.01);
    // Both sides gave way alike, and what is far from there not at all.
    const Matrix3Xd moved = o.points - torus.rest;
    EXPECT_LT(std::abs(moved.row(1).sum()), 1e-6);
    EXPECT_GT(moved.row(1).maxCoeff(), 0.08);
    for (int i = 0; i < torus.size(); ++i) {
      if (std::abs(torus.rest(0, i)) < 1.2) continue;
      EXPECT_LT(moved.col(i).norm(), 1e-12);
    }
  }
}

TEST(SelfContact, DoesNotSeeWhatIsDeeperThanItMayBe) {
  const auto shallow =
      Started(Weightless({Pincers(65)}, 2), With(kFinestOnly, "self_contact_depth", 0.1));
  const Observation o = After(shallow.get(), 0.01, 1);
  EXPECT_NEAR(o.points(0, 7), 0.1, 1e-12);
}

TEST(SelfContact, WarnsOfASurfaceThatIsInItselfFromTheStart) {
  const auto warnings = Translated(Weightless({Pincers(65)}, 2), kFinestOnly).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("body 'pincers' penetrates itself at the start, by 0.2"));
  EXPECT_TRUE(
      Translated(Weightless({MakeChain("line", {0, 0, 0}, {1, 0, 0}, 65, 1.0)}, 2), kFinestOnly)
          .warnings.empty());
}

TEST(SelfContact, SharesAlsoWithClosedBodies) {
  // Two tubes side by side, 0.1 m into each other; they touch along their sides.
  Scene scene = Weightless({MakeTube("left", 0.5, 2.0, {24, 9}, 1.0)});
  scene.bodies.push_back(MakeTube("right", 0.5, 2.0, {24, 9}, 1.0));
  scene.bodies[1].position = {0.9, 0, 0};
  const auto simulation = Started(scene, {{"relative_stiffness", Numbers{1.0, 3.0}},
                                          {"absorption", Numbers{0.0}},
                                          {"relaxation_time", Numbers{INFINITY}}});
  const Matrix3Xd start = scene.InitialPoints();
  const Matrix3Xd moved = After(simulation.get(), 0.01, 1).points - start;
  const int half = static_cast<int>(moved.cols() / 2);
  EXPECT_NEAR(moved.leftCols(half).colwise().norm().maxCoeff(), 0.075, 1e-3);
  EXPECT_NEAR(moved.rightCols(half).colwise().norm().maxCoeff(), 0.025, 1e-3);
}

}  // namespace
}  // namespace pliant::kinematic_response
