// Surfaces that see themselves, surround a skeleton or keep their area.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/kinematic_response/area.h"
#include "solvers/kinematic_response/body_surface.h"
#include "solvers/kinematic_response/self_contact.h"
#include "solvers/kinematic_response/skin.h"
#include "tests/scenes.h"
#include "tests/solvers/kinematic_response/runs.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using testing::HasSubstr;

constexpr double kPi = std::numbers::pi;

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

// --- Self-contact ---------------------------------------------------------------------------

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

double SelfDepth(const Body& body, double deepest) {
  KinematicResponse response(SurfaceOf(body, body.rest, Prolongation::kCubic),
                             Restriction::kMaximum);
  const SurfaceRays rays(body, response.surface());
  std::vector<SurfaceRays::Crossing> crossings;
  return SelfContact(body, deepest).Cast(rays, 1.0, &response, &crossings);
}

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

// --- Skeletons ------------------------------------------------------------------------------

NamedMatrix MakeBone(const std::string& name, const Vector3d& from, const Vector3d& to,
                     double radius, const std::string& parent = "") {
  NamedMatrix bone = {.name = name};
  bone.values.resize(2, 3);
  bone.values << from.transpose(), to.transpose();
  bone.scalars["radius"] = radius;
  if (!parent.empty()) bone.texts["parent"] = parent;
  return bone;
}
NamedMatrix MakeTurn(const std::string& bone, double angle, double until = 0.5) {
  NamedMatrix turn = {.name = bone};
  turn.values.resize(2, 2);
  turn.values << 0.0, 0.0, until, angle;
  turn.texts["interpolation"] = "linear";
  return turn;
}
// Two bones along x with an elbow.
MatrixTable Arm(double angle, double radius = 0.05, double elbow = 0.0) {
  MatrixTable table;
  table.groups["bone"] = {MakeBone("upper", {-0.5, 0, 0}, {elbow, 0, 0}, radius),
                          MakeBone("lower", {elbow, 0, 0}, {0.5, 0, 0}, radius, "upper")};
  table.groups["turn"] = {MakeTurn("lower", angle)};
  return table;
}
// Skin around them, 0.1 m in radius.
Scene ArmScene() {
  Scene scene = Weightless({MakeTube("skin", 0.1, 1.0, {48, 17}, 1.0)});
  scene.bodies[0].orientation = Eigen::AngleAxisd(kPi / 2, Vector3d::UnitY());
  return scene;
}
ParameterValues ArmControls(const MatrixTable& skeleton) {
  return {{"skeleton", skeleton},
          {"skeleton_level", std::int64_t{2}},
          {"sharing_passes", std::int64_t{10}},
          {"relaxation_time", Numbers{0.1}},
          {"absorption", Numbers{0.0}}};
}

TEST(Skeleton, CarriesWhatHangsOnABone) {
  MatrixTable table = Arm(kPi / 2);
  NamedMatrix shoulder = MakeTurn("upper", kPi / 2);
  shoulder.weights["axis"] = {{"y", -2.0}};
  table.groups["turn"].push_back(shoulder);
  const Skeleton skeleton = ReadSkeleton(table);
  std::vector<Eigen::Isometry3d> pose;
  skeleton.Place(0.0, &pose);
  EXPECT_LT((pose[1] * Vector3d(0.5, 0, 0) - Vector3d(0.5, 0, 0)).norm(), 1e-15);
  skeleton.Place(0.5, &pose);
  // The upper arm turns from +x to +z about −y, and with it the lower one, which has turned to +y.
  EXPECT_LT((pose[0] * Vector3d(0, 0, 0) - Vector3d(-0.5, 0, 0.5)).norm(), 1e-12);
  EXPECT_LT((pose[1] * Vector3d(0.5, 0, 0) - Vector3d(-0.5, 0.5, 0.5)).norm(), 1e-12);
  EXPECT_EQ(skeleton.Nearest({-0.2, 0.3, 0}), 0);
  EXPECT_EQ(skeleton.Nearest({0.2, 0.3, 0}), 1);
  EXPECT_EQ(skeleton.Nearest({1e-14, 0.3, 0}), 0);  // equally near but for rounding: the first
  EXPECT_NEAR(skeleton.Distance(1, {0.7, 0, 0}), 0.15, 1e-12);
}

TEST(Skin, OnOneBoneMovesAsARigidBody) {
  const PolygonMesh cube{
      8, {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};
  Matrix3Xd corners(3, 8);
  for (int i = 0; i < 8; ++i) corners.col(i) << i % 2 - 0.5, i / 2 % 2 - 0.5, i / 4 - 0.5;
  const std::vector<Body> bodies = {
      MakeTube("skin", 0.4, 1.0, {12, 5}, 1.0),
      MakeMesh("skin", corners, cube, SubdivisionScheme::kCatmullClark, 2, 1.0)};
  for (const Body& body : bodies) {
    for (const int level : {0, 1, 2}) {
      MatrixTable table;
      table.groups["bone"] = {MakeBone("bone", {0.1, 0, 0}, {0.1, 0, 0.3}, 0.01)};
      table.groups["turn"] = {MakeTurn("bone", 2.0)};
      const auto simulation = Started(
          Weightless({body}), {{"skeleton", table}, {"skeleton_level", std::int64_t{level}}});
      const Matrix3Xd points = After(simulation.get(), 0.05, 7).points;
      const Vector3d at(0.1, 0, 0);
      const Matrix3Xd expected = (Eigen::AngleAxisd(2.0 * 0.35 / 0.5, Vector3d::UnitZ()).matrix() *
                                  (body.rest.colwise() - at))
                                     .colwise() +
                                 at;
      EXPECT_LT(DistanceBetween(points, expected).max, 1e-12) << level;
    }
  }
}

TEST(Skin, IsPushedOutByTheBonesTheNearestWay) {
  // Bones thicker than the skin they are in.
  const auto simulation = Started(ArmScene(), ArmControls(Arm(0.0, 0.13)));
  const Observation o = After(simulation.get(), 0.02, 1);
  EXPECT_LT(*o.extras[8], 1e-6);
  for (const int around : {0, 7, 30}) {
    const Vector3d x = o.points.col(around + 48 * 8);
    const Vector3d start = ArmScene().InitialPoints().col(around + 48 * 8);
    EXPECT_LT((x - 1.3 * start).tail<2>().norm(), 1e-4);  // outwards, not through the bone
    EXPECT_NEAR(x.x(), 0.0, 1e-12);
  }
}

TEST(Skin, PressesAgainstItselfWhereTheArmBends) {
  const ParameterValues controls =
      With(ArmControls(Arm(1.85, 0.05, 0.125)), "relaxation_time", Numbers{0.0});
  const auto blind = Started(ArmScene(), controls);
  const auto seeing = Started(ArmScene(), With(controls, "self_contact_depth", 0.05));
  const Observation deep = After(blind.get(), 0.02, 30);
  const Observation o = After(seeing.get(), 0.02, 30);
  // How deep the blind one is, seen by the other's eyes.
  Body blind_body = ArmScene().bodies[0];
  blind_body.rest = deep.points;
  EXPECT_GT(SelfDepth(blind_body, 0.15), 0.005);
  EXPECT_LT(*o.extras[7], 1e-3);
  EXPECT_GT(*o.extras[7], -1e-12);
  // The bend is in the plane z = 0: the answer is its own mirror image, but for how
  // its cells are halved into triangles.
  double asymmetry = 0.0, blind_asymmetry = 0.0;
  const auto apart = [](const Vector3d& x, const Vector3d& y) {
    return (x - Vector3d(y.x(), y.y(), -y.z())).norm();
  };
  for (int v = 0; v < 17; ++v) {
    for (int u = 0; u < 48; ++u) {
      const int i = u + 48 * v, j = (72 - u) % 48 + 48 * v;
      asymmetry = std::max(asymmetry, apart(o.points.col(i), o.points.col(j)));
      blind_asymmetry = std::max(blind_asymmetry, apart(deep.points.col(i), deep.points.col(j)));
    }
  }
  EXPECT_LT(asymmetry, 1e-4);
  EXPECT_LT(blind_asymmetry, 1e-12);  // bones know no triangles
}

// However it relaxes: what presses a vertex, be it bone, skin or ball, holds it.
TEST(Skin, ComesToRestInTheCrookWhileItRelaxes) {
  Scene scene = ArmScene();
  scene.obstacles.push_back({"ball", Sphere{0.1}, Path::Still({-0.25, -0.17, 0}), 0.0});
  for (const double relaxation : {0.02, 0.1}) {
    ParameterValues controls = ArmControls(Arm(2.2, 0.05, 0.125));
    controls["self_contact_depth"] = 0.05;
    controls["restriction"] = std::string("full-weighting");
    controls["absorption"] = Numbers{0, 0, 0, 0.2, 0};
    controls["relaxation_time"] = Numbers{relaxation};
    const auto simulation = Started(scene, controls);
    Observation before = After(simulation.get(), 0.02, 75), o;
    for (int i = 0; i < 10; ++i) {
      o = After(simulation.get(), 0.02, 1);
      EXPECT_LT(DistanceBetween(o.points, before.points).max, 1e-4) << relaxation << " " << i;
      before = o;
    }
    EXPECT_LT(*o.extras[7], 1e-3) << relaxation;
    EXPECT_LT(*o.extras[8], 1e-3) << relaxation;
    EXPECT_LT(MeasurePenetration(scene, o.time, o.points)->max, 1e-9) << relaxation;
  }
}

// Without memory, bone and crook push against each other in every step: neither yields.
TEST(Skin, IsNotPressedIntoItsBonesWithoutRetention) {
  ParameterValues controls = ArmControls(Arm(2.2, 0.05, 0.125));
  controls["sharing_passes"] = std::int64_t{40};
  controls["self_contact_depth"] = 0.05;
  controls["restriction"] = std::string("full-weighting");
  controls["absorption"] = Numbers{0, 0, 0, 0.2, 0};
  controls["relaxation_time"] = Numbers{0.0};
  const auto simulation = Started(ArmScene(), controls);
  After(simulation.get(), 0.02, 30);
  for (int i = 0; i < 45; ++i) {
    const Observation o = After(simulation.get(), 0.02, 1);
    EXPECT_LT(*o.extras[7], 1e-4) << i;
    EXPECT_LT(*o.extras[8], 1e-6) << i;
  }
}

TEST(Skin, AnswersToBonesFirstAndToObstaclesLast) {
  // A ball comes so far into the arm that the skin cannot be outside both: the obstacle wins.
  Scene scene = ArmScene();
  scene.obstacles.push_back({"ball", Sphere{0.1}, Path::Still({-0.25, -0.1, 0}), 0.0});
  const auto simulation =
      Started(scene, With(ArmControls(Arm(0.0, 0.07)), "casting", std::string("ray")));
  const Observation o = After(simulation.get(), 0.02, 3);
  EXPECT_LT(MeasurePenetration(scene, o.time, o.points)->max, 1e-9);
  EXPECT_GT(*o.extras[8], 0.02);
}

TEST(Skin, DividesStepsInWhichABoneSwingsPastAnObstacle) {
  Scene scene = ArmScene();
  scene.obstacles.push_back({"ball", Sphere{0.02}, Path::Still({0.3, 0.3, 0}), 0.0});
  const auto simulation = Started(scene, ArmControls(Arm(1.5)));
  const Observation o = After(simulation.get(), 0.5, 1);
  // The end of the lower bone goes 0.75 m, half the ball is 0.02 m.
  EXPECT_GE(*o.iterations, 37);
  EXPECT_LE(*o.iterations, 39);
}

TEST(SkeletonTable, SaysWhatIsWrongWithIt) {
  EXPECT_EQ(Complaint(ArmScene(), ArmControls(Arm(1.0))), "");
  using Entries = std::vector<NamedMatrix>;
  const auto expect = [](const std::string& said, void (*spoil)(Entries & bones, Entries & turns)) {
    MatrixTable table = Arm(1.0);
    spoil(table.groups["bone"], table.groups["turn"]);
    EXPECT_THAT(Complaint(ArmScene(), ArmControls(table)), HasSubstr(said));
  };
  expect(
      "skeleton: the parent 'uper' of bone 'lower' is not a bone listed before it; did you mean "
      "'upper'?",
      [](Entries& bones, Entries&) { bones[1].texts["parent"] = "uper"; });
  expect("the radius of bone 'upper' is out of range; it is more",
         [](Entries& bones, Entries&) { bones[0].scalars["radius"] = 0.0; });
  expect("bone 'upper' lacks 'radius'", [](Entries& bones, Entries&) { bones[0].scalars.clear(); });
  expect("bone 'upper' has no length", [](Entries& bones, Entries&) { bones[0].values.setZero(); });
  expect("bone 'upper' needs its two ends",
         [](Entries& bones, Entries&) { bones[0].values.setZero(3, 3); });
  expect("two bones are named 'upper'", [](Entries& bones, Entries&) { bones[1].name = "upper"; });
  expect("a turn is of 'lowr', which is not a bone; did you mean",
         [](Entries&, Entries& turns) { turns[0].name = "lowr"; });
  expect("two turns of bone 'lower'",
         [](Entries&, Entries& turns) { turns.push_back(NamedMatrix(turns[0])); });
  expect("key frames of the turn of bone 'lower'",
         [](Entries&, Entries& turns) { turns[0].values(1, 0) = -1.0; });
  expect("needs key frames", [](Entries&, Entries& turns) { turns[0].values.setZero(1, 2); });
  expect("has no direction", [](Entries&, Entries& turns) {
    turns[0].weights["axis"] = {{"x", 0.0}};
  });
  expect("cannot be 'lineal'; did you mean 'linear'?",
         [](Entries&, Entries& turns) { turns[0].texts["interpolation"] = "lineal"; });
  expect("the skeleton has no bones", [](Entries& bones, Entries&) { bones.clear(); });
  MatrixTable table = Arm(1.0);
  table.groups["bones"] = table.groups["bone"];
  EXPECT_THAT(Complaint(ArmScene(), ArmControls(table)),
              HasSubstr("unknown key 'bones' in the skeleton; did you mean"));
}

TEST(SkeletonTable, SaysWhereASkeletonHasNoPlace) {
  EXPECT_THAT(Complaint(ArmScene(), With(ArmControls(Arm(1.0)), "skeleton_level", std::int64_t{5})),
              HasSubstr("skeleton_level: there is no level 5 in the surface of body 'skin'; give 0 "
                        "to 4"));
  EXPECT_THAT(Complaint(ArmScene(), With(ArmControls(Arm(1.0)), "rides", std::string("always"))),
              HasSubstr("skeleton: skeleton is for held surfaces, but body 'skin' rides"));
  Scene two = ArmScene();
  two.bodies.push_back(two.bodies[0]);
  two.bodies[1].name = "other";
  EXPECT_THAT(Complaint(two, ArmControls(Arm(1.0))),
              HasSubstr("a skeleton needs a scene with one body, but this one has 2"));
  const Scene flat = Weightless({MakeRing("ring", 0.1, 24, 1.0)}, 2);
  MatrixTable table = Arm(1.0);
  EXPECT_EQ(Complaint(flat, {{"skeleton", table}}), "");
  table.groups["turn"][0].weights["axis"] = {{"x", 1.0}};
  EXPECT_THAT(Complaint(flat, {{"skeleton", table}}),
              HasSubstr("bone 'lower' leaves the plane of a planar scene"));
}

// --- Area -----------------------------------------------------------------------------------

TEST(Area, GradientIsItsDerivative) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(-0.2, 0.2);
  for (const Body& body : {MakeSheet("sheet", {2, 2}, {3, 3}, 1.0), MakeRing("ring", 1, 6, 1.0)}) {
    const MultiresolutionSurface model = SurfaceOf(body, body.rest, Prolongation::kLinear);
    const AreaKeeper area(body, model, 0);
    GridVectors x = body.rest.transpose();
    x += GridVectors::NullaryExpr(x.rows(), 3, [&] { return uniform(generator); });
    GridVectors gradient(x.rows(), 3);
    area.Gradient(x, &gradient);
    const double h = 1e-6;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      GridVectors more = x, less = x;
      more.data()[i] += h;
      less.data()[i] -= h;
      EXPECT_NEAR(gradient.data()[i], (area.Measure(more) - area.Measure(less)) / (2 * h), 1e-8);
    }
  }
}

// A curve or a sheet of 4 m that a ball presses 0.3 m into, from 0.5 s on.
Scene Pressed(Body body, int dimension) {
  Scene scene = Weightless({std::move(body)}, dimension);
  if (dimension == 3) {
    scene.bodies[0].orientation = Eigen::AngleAxisd(-kPi / 2, Vector3d::UnitX());
  }
  scene.obstacles.push_back(
      {"ball", Sphere{0.5}, PathThrough({0.0, 0.5}, {{0, 0.5, 0}, {0, 0.2, 0}}), 0.0});
  return scene;
}

TEST(Area, OfAPressedCurveIsKeptByItsEndsComingIn) {
  const Scene scene = Pressed(MakeChain("curve", {-2, 0, 0}, {2, 0, 0}, 65, 1.0), 2);
  const ParameterValues local = {{"absorption", Numbers{0.0}}, {"relaxation_time", Numbers{0.2}}};
  const auto length = [&scene](const Matrix3Xd& x) {
    double sum = 0.0;
    for (const auto& [a, b] : scene.bodies[0].edges) sum += (x.col(b) - x.col(a)).norm();
    return sum;
  };
  const Observation without = After(Started(scene, local).get(), 0.01, 80);
  EXPECT_GT(length(without.points), 4.15);
  for (const int level : {0, 2}) {
    const auto keeping =
        Started(scene, With(With(local, "area_kept", 1.0), "area_level", std::int64_t{level}));
    const Observation with = After(keeping.get(), 0.01, 80);
    EXPECT_NEAR(length(with.points), 4.0, 1e-9) << level;
    EXPECT_GT(with.points(0, 0), -1.98) << level;  // an end came in
    EXPECT_NEAR(with.points(0, 0), -with.points(0, 64), 1e-6) << level;
    EXPECT_LT(MeasurePenetration(scene, with.time, with.points)->max, 0.02) << level;
  }
  // What is pressed does not follow: offsets of the finest level lift no vertex into the ball.
  const Observation finest = After(
      Started(scene, With(With(local, "area_kept", 1.0), "area_level", std::int64_t{6})).get(),
      0.01, 80);
  EXPECT_LT(MeasurePenetration(scene, finest.time, finest.points)->max, 5e-4);
  EXPECT_LT(length(finest.points), length(without.points) - 0.01);
  // Half of it is made good in each pass.
  const Observation half = After(Started(scene, With(local, "area_kept", 0.5)).get(), 0.01, 80);
  EXPECT_GT(length(half.points), 4.0);
  EXPECT_LT(length(half.points), length(without.points));
}

TEST(Area, OfSheetsAndClosedSurfacesIsKeptToo) {
  const std::vector<Body> bodies = {MakeSheet("sheet", {4, 4}, {33, 33}, 1.0),
                                    MakeTorus("ring", 1.0, 0.4, {48, 24}, 1.0)};
  for (const Body& body : bodies) {
    Scene scene = Pressed(body, 3);
    const bool torus = body.shape == ShapeKind::kTorus;
    if (torus) {
      scene.obstacles[0].motion = PathThrough({0.0, 0.5}, {{1, 0.9, 0}, {1, 0.7, 0}});
    }
    const ParameterValues local = {{"absorption", Numbers{0.0}}, {"relaxation_time", Numbers{0.2}}};
    const Observation without = After(Started(scene, local).get(), 0.02, 40);
    const Observation with = After(Started(scene, With(local, "area_kept", 1.0)).get(), 0.02, 40);
    const AreaKeeper area(body, SurfaceOf(body, scene.InitialPoints(), Prolongation::kLinear), 0);
    EXPECT_GT(std::abs(area.Measure(without.points.transpose()) / area.start() - 1.0), 5e-4);
    EXPECT_NEAR(area.Measure(with.points.transpose()) / area.start(), 1.0, 1e-9) << body.name;
  }
}

TEST(Area, NeedsALevelThatIsThereAndAHeldSurface) {
  const Scene scene = Pressed(MakeChain("curve", {-2, 0, 0}, {2, 0, 0}, 5, 1.0), 2);
  EXPECT_THAT(Complaint(scene, {{"area_kept", 0.5}, {"area_level", std::int64_t{3}}}),
              HasSubstr("area_level: there is no level 3 in the surface of body 'curve'"));
  EXPECT_THAT(Complaint(scene, {{"area_kept", 0.5}, {"rides", std::string("always")}}),
              HasSubstr("area_kept is for held surfaces"));
  EXPECT_THAT(Complaint(scene, {{"area_kept", 1.5}}), HasSubstr("between 0 and 1"));
  EXPECT_THAT(Complaint(scene, {{"self_contact_depth", -0.1}}), HasSubstr("at least 0"));
  EXPECT_THAT(Complaint(scene, {{"step_size", 0.0}}),
              HasSubstr("step_size = 0 is out of range; it must be more than 0 and at most 1"));
}

// --- What is said ---------------------------------------------------------------------------

TEST(ResponseEvents, TellOnceOfASwallowedSurface) {
  Scene scene = Pressed(MakeChain("curve", {-2, 0, 0}, {2, 0, 0}, 17, 1.0), 2);
  const auto pressed = Started(scene, {});
  After(pressed.get(), 0.01, 20);
  EXPECT_TRUE(pressed->events().empty());
  scene.obstacles[0].shape = Sphere{9.0};
  const auto swallowed = Started(scene, {{"relaxation_time", Numbers{0.1}}});
  const Eigen::VectorXd before = swallowed->Save();
  After(swallowed.get(), 0.01, 20);
  ASSERT_EQ(swallowed->events().size(), 1u);
  EXPECT_THAT(swallowed->events()[0].what, HasSubstr("body 'curve' is swallowed"));
  swallowed->Restore(before);
  EXPECT_TRUE(swallowed->events().empty());
  After(swallowed.get(), 0.01, 20);
  EXPECT_EQ(swallowed->events().size(), 1u);
}

TEST(ResponseEvents, TellOnceOfDividedSteps) {
  Scene scene = Pressed(MakeChain("curve", {-2, 0, 0}, {2, 0, 0}, 17, 1.0), 2);
  scene.obstacles[0].shape = Sphere{0.6};
  scene.obstacles[0].motion = PathThrough({0.0, 0.2}, {{0, 2, 0}, {0, -2, 0}});
  const auto simulation = Started(scene, {});
  const Observation o = After(simulation.get(), 0.1, 2);
  EXPECT_EQ(*o.iterations, 8);  // 2 m a step, half the ball is 0.6 m
  ASSERT_EQ(simulation->events().size(), 1u);
  EXPECT_THAT(
      simulation->events()[0].what,
      HasSubstr(
          "steps are divided; this one takes 4 passes, because 'ball' and what it meets would move "
          "too far in one: by 3.33 times half of what it measures along its way"));
}

// A thin plate that slides along itself far above a curve divides nothing, nor does one that comes
// down face on but stays far away; one that comes near does.
TEST(ResponseEvents, PlatesFarAwayDivideNoStep) {
  struct Flight {
    Vector3d from, to;
    bool divides;
  };
  for (const Flight& flight : {Flight{{-2, 3, 0}, {2, 3, 0}, false},
                               {{0, 9, 0}, {0, 5, 0}, false},
                               {{-0.1, 0.05, 0}, {0.1, 0.05, 0}, false},
                               {{0, 2, 0}, {0, -2, 0}, true}}) {
    Scene scene = Pressed(MakeChain("curve", {-2, 0, 0}, {2, 0, 0}, 17, 1.0), 2);
    scene.obstacles[0].shape = Box{{0.5, 0.05, 0.5}};
    scene.obstacles[0].motion = PathThrough({0.0, 0.2}, {flight.from, flight.to});
    const auto simulation = Started(scene, {});
    const Observation o = After(simulation.get(), 0.1, 2);
    EXPECT_EQ(*o.iterations > 2, flight.divides) << *o.iterations;
  }
}

}  // namespace
}  // namespace pliant::kinematic_response
