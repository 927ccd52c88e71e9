// Surfaces that surround a skeleton.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
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

double SelfDepth(const Body& body, double deepest) {
  KinematicResponse response(SurfaceOf(body, body.rest, Prolongation::kCubic),
                             Restriction::kMaximum);
  const SurfaceRays rays(body, response.surface());
  std::vector<SurfaceRays::Crossing> crossings;
  return SelfContact(body, deepest).Cast(rays, 1.0, &response, &crossings);
}

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

}  // namespace
}  // namespace pliant::kinematic_response
