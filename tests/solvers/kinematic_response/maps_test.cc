// Controls that vary over the surface, by formulas and images, and offsets that wrinkle it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "tests/says.h"
#include "tests/scenes.h"
#include "tests/solvers/kinematic_response/runs.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using testing::HasSubstr;

constexpr int kSide = 33;  // levels 0 … 5

// A sheet of 2 m that faces up, and a ball that goes 0.2 m into it within 0.2 s, stays until 0.5 s
// and is gone by 0.51 s.
Scene Sheet(double x = 0.0, double y = 0.0) {
  Scene scene = Weightless({MakeSheet("skin", {2, 2}, {kSide, kSide}, 1.0)});
  scene.obstacles.push_back(
      {"ball", Sphere{0.5},
       PathThrough({0.0, 0.2, 0.5, 0.51}, {{x, y, 0.5}, {x, y, 0.3}, {x, y, 0.3}, {x, y, 2.0}}),
       0.0});
  return scene;
}

using Texts = std::map<std::string, std::string>;
NamedMatrix Map(const Texts& texts, std::map<std::string, double> scalars = {},
                Eigen::MatrixXd values = {}) {
  return {"a map", std::move(values), std::move(scalars), texts};
}
// Of one control by a formula, on one level or all.
NamedMatrix Of(const std::string& control, const std::string& formula, Texts more = {},
               const std::map<std::string, double>& scalars = {}) {
  more.emplace("control", control);
  more.emplace("formula", formula);
  return Map(more, scalars);
}
ParameterValues WithMaps(ParameterValues values, const std::vector<NamedMatrix>& maps) {
  MatrixTable table;
  table.entries = maps;
  values["maps"] = table;
  return values;
}

Matrix3Xd PointsAfter(Simulation* simulation, double h, int steps) {
  return After(simulation, h, steps).points;
}
Matrix3Xd PointsAfter(const Scene& scene, const ParameterValues& parameters, int steps) {
  return PointsAfter(Started(scene, parameters).get(), 0.01, steps);
}
int At(int u, int v) { return u + kSide * v; }

TEST(BehaviourMaps, SayWhatTheListsSayWhenTheyAreEven) {
  const ParameterValues lists = {{"absorption", Numbers{0.1, 0.2, 0.3, 0.1, 0.2, 0}},
                                 {"damping_time", Numbers{0.02}},
                                 {"relaxation_time", Numbers{0.3}},
                                 {"yield", Numbers{0.01}},
                                 {"acceleration_limit", Numbers{20.0}}};
  const std::vector<NamedMatrix> maps = {
      Of("absorption", "level == 0 || level == 3 ? 0.1 : level == 2 ? 0.3 : level == 5 ? 0 : 0.2"),
      Of("damping_time", "0.02"), Of("relaxation_time", "0.3"), Of("yield", "0.01"),
      Of("acceleration_limit", "20")};
  EXPECT_EQ(PointsAfter(Sheet(), lists, 70), PointsAfter(Sheet(), WithMaps({}, maps), 70));
  // In all three directions alike: but for rounding.
  std::vector<NamedMatrix> directed;
  for (const NamedMatrix& map : maps) {
    for (const char* axis : {"u", "v", "n"}) {
      directed.push_back(map);
      directed.back().texts["direction"] = axis;
    }
  }
  ParameterValues finite = lists;
  for (auto& [name, value] : finite) value = Numbers{0.015};  // what no map leaves
  EXPECT_LT(DistanceBetween(PointsAfter(Sheet(), lists, 70),
                            PointsAfter(Sheet(), WithMaps(finite, directed), 70))
                .max,
            1e-12);
}

TEST(BehaviourMaps, HoldOnTheirLevelAndBodyAlone) {
  const ParameterValues list = {{"absorption", Numbers{0, 0, 0.3, 0, 0, 0}}};
  const ParameterValues none = {{"absorption", Numbers{0.0}}};
  const Matrix3Xd expected = PointsAfter(Sheet(), list, 30);
  EXPECT_EQ(
      expected,
      PointsAfter(Sheet(), WithMaps(none, {Of("absorption", "0.3", {}, {{"level", 2.0}})}), 30));
  Scene two = Sheet();
  two.bodies.push_back(two.bodies[0]);
  two.bodies[1].name = "other";
  const Matrix3Xd points = PointsAfter(
      two, WithMaps(none, {Of("absorption", "0.3", {{"body", "other"}}, {{"level", 2.0}})}), 30);
  EXPECT_EQ(points.rightCols(kSide * kSide), expected);
  EXPECT_EQ(points.leftCols(kSide * kSide), PointsAfter(Sheet(), none, 30));
}

TEST(BehaviourMaps, StandOnWhatTheEarlierOnesMade) {
  const std::vector<NamedMatrix> maps = {Of("absorption", "2 * value"),
                                         Of("absorption", "value + 0.1", {}, {{"level", 2.0}})};
  EXPECT_EQ(
      PointsAfter(Sheet(), WithMaps({{"absorption", Numbers{0, 0, 0.1, 0, 0.2, 0}}}, maps), 30),
      PointsAfter(Sheet(), {{"absorption", Numbers{0, 0, 2 * 0.1 + 0.1, 0, 0.4, 0}}}, 30));
}

TEST(BehaviourMaps, FollowTheStages) {
  const ParameterValues staged = {{"absorption", Numbers{0, 0, 0, 0, 0, 0, 0, 0, 0.3, 0, 0, 0}},
                                  {"stage_times", Numbers{0.1}}};
  const ParameterValues halved = {{"absorption", Numbers{0, 0, 0, 0, 0, 0, 0, 0, 0.6, 0, 0, 0}},
                                  {"stage_times", Numbers{0.1}}};
  EXPECT_EQ(PointsAfter(Sheet(), staged, 30),
            PointsAfter(Sheet(), WithMaps(halved, {Of("absorption", "value / 2")}), 30));
}

TEST(BehaviourMaps, KnowWhereTheVertexIs) {
  // u along the first direction of the grid, from 0 to 1; x of the vertex at rest.
  for (const char* half : {"u < 0.5", "x < -1e-9"}) {
    const ParameterValues parameters =
        WithMaps({{"absorption", Numbers{0.0}}, {"relaxation_time", Numbers{INFINITY}}},
                 {Of("yield", std::string(half) + " ? 0 : 1"), Of("relaxation_time", "0.01")});
    const Matrix3Xd points = PointsAfter(Sheet(), parameters, 200);
    EXPECT_NEAR(points(2, At(15, 16)), -0.2, 0.01) << half;  // plastic: stays
    EXPECT_NEAR(points(2, At(16, 16)), 0.0, 1e-9) << half;   // elastic: is back
  }
  const ParameterValues parameters =
      WithMaps({{"absorption", Numbers{0.0}}, {"relaxation_time", Numbers{0.01}}},
               {Of("yield", "v < 0.5 && y < 0 ? 0 : 1")});
  const Matrix3Xd points = PointsAfter(Sheet(), parameters, 200);
  EXPECT_NEAR(points(2, At(16, 15)), -0.2, 0.01);
  EXPECT_NEAR(points(2, At(16, 17)), 0.0, 1e-9);
}

TEST(BehaviourMaps, AreSeenAsAnImageIs) {
  // One white pixel at the top right: u = v = 1.
  Eigen::MatrixXd image = Eigen::MatrixXd::Zero(kSide, kSide);
  image(0, kSide - 1) = 1.0;
  image(kSide - 1, 2) = 0.5;  // bottom row: v = 0
  const Matrix3Xd points =
      PointsAfter(Sheet(10, 10), WithMaps({}, {Map({{"control", "offset"}}, {}, image)}), 1);
  EXPECT_NEAR(points(2, At(kSide - 1, kSide - 1)), 1.0, 1e-12);
  EXPECT_NEAR(points(2, At(2, 0)), 0.5, 1e-12);
  EXPECT_NEAR(points.row(2).sum(), 1.5, 1e-12);
  EXPECT_LT((points.topRows<2>() - Sheet().InitialPoints().topRows<2>()).cwiseAbs().maxCoeff(),
            1e-12);
}

TEST(BehaviourMaps, CoarseLevelsTakeTheirPartOfTheFinestImage) {
  Eigen::MatrixXd finest(kSide, kSide), own(5, 5);
  for (int row = 0; row < kSide; ++row) {
    for (int column = 0; column < kSide; ++column) {
      finest(row, column) = 0.01 * ((7 * row + 3 * column) % 30);
      if (row % 8 == 0 && column % 8 == 0) own(row / 8, column / 8) = finest(row, column);
    }
  }
  const auto press = [](const Eigen::MatrixXd& image) {
    return PointsAfter(Sheet(0.3, -0.2),
                       WithMaps({{"absorption", Numbers{0.0}}},
                                {Map({{"control", "absorption"}}, {{"level", 2.0}}, image)}),
                       30);
  };
  const Matrix3Xd points = press(finest);
  EXPECT_EQ(points, press(own));
  EXPECT_GT(DistanceBetween(points, press(Eigen::MatrixXd(own.reverse()))).max, 1e-3);
}

TEST(BehaviourMaps, RecoverInTheTimeOfEachVertex) {
  // A broad box, so that both halves are pressed alike.
  Scene scene = Sheet();
  scene.obstacles[0].shape = Box{{0.8, 0.8, 0.5}, Eigen::Matrix3d::Identity()};
  const auto simulation = Started(scene, WithMaps({{"absorption", Numbers{0.0}}},
                                                  {Of("relaxation_time", "u < 0.5 ? 0.1 : 0.4")}));
  const Matrix3Xd pressed = PointsAfter(simulation.get(), 0.01, 51);
  const Matrix3Xd later = PointsAfter(simulation.get(), 0.01, 20);
  EXPECT_NEAR(later(2, At(10, 16)) / pressed(2, At(10, 16)), std::exp(-0.2 / 0.1), 1e-9);
  EXPECT_NEAR(later(2, At(22, 16)) / pressed(2, At(22, 16)), std::exp(-0.2 / 0.4), 1e-9);
}

TEST(BehaviourMaps, GiveWayInTheTimeOfEachVertex) {
  Scene scene = Sheet();
  scene.obstacles[0].shape = Box{{0.8, 0.8, 0.5}, Eigen::Matrix3d::Identity()};
  const ParameterValues parameters =
      WithMaps({{"absorption", Numbers{0.0}}, {"relaxation_time", Numbers{INFINITY}}},
               {Of("damping_time", "u < 0.5 ? 0.1 : 0.4")});
  const auto simulation = Started(scene, parameters);
  const Matrix3Xd early = PointsAfter(simulation.get(), 0.01, 20);
  const Matrix3Xd late = PointsAfter(simulation.get(), 0.01, 20);
  const auto left = [](const Matrix3Xd& points, int u) { return points(2, At(u, 16)) + 0.2; };
  EXPECT_NEAR(left(late, 10) / left(early, 10), std::exp(-0.2 / 0.1), 1e-9);
  EXPECT_NEAR(left(late, 22) / left(early, 22), std::exp(-0.2 / 0.4), 1e-9);
  // Another step, the same times.
  const auto other = Started(scene, parameters);
  PointsAfter(other.get(), 0.01, 20);
  const Matrix3Xd finer = PointsAfter(other.get(), 0.005, 40);
  for (const int u : {10, 22}) EXPECT_NEAR(finer(2, At(u, 16)), late(2, At(u, 16)), 1e-12) << u;
}

TEST(BehaviourMaps, AreCutByTheTimeToRest) {
  Scene scene = Sheet();
  scene.obstacles[0].motion = Path({0.0, 0.2}, (Matrix3Xd(3, 2) << 0, 0, 0, 0, 0.5, 0.3).finished(),
                                   Path::Interpolation::kLinear);
  const ParameterValues slow = WithMaps({{"absorption", Numbers{0.0}},
                                         {"damping_time", Numbers{0.05}},
                                         {"relaxation_time", Numbers{INFINITY}},
                                         {"at_rest_by", 0.6},
                                         {"rest_fraction", 0.02}},
                                        {Of("damping_time", "u < 0.4 ? 0.01 : 3")});
  const auto simulation = Started(scene, slow);
  const auto left = [](const Matrix3Xd& points) { return points(2, At(16, 16)) + 0.2; };
  const double first = left(PointsAfter(simulation.get(), 0.01, 20));
  EXPECT_NEAR(left(PointsAfter(simulation.get(), 0.01, 40)) / first, 0.02, 1e-8);
}

TEST(BehaviourMaps, VaryALayerInBothDirections) {
  const ParameterValues stiff = {{"absorption", Numbers{1, 0, 0, 0, 0, 0}},
                                 {"relaxation_time", Numbers{INFINITY}},
                                 {"restriction", std::string("maximum")}};
  ParameterValues list = stiff;
  list["layer_thickness"] = Numbers{0.05, 0.15};
  EXPECT_LT(
      DistanceBetween(
          PointsAfter(Sheet(), list, 30),
          PointsAfter(Sheet(), WithMaps(stiff, {Of("layer_thickness", "0.05 + 0.1 * u")}), 30))
          .max,
      1e-12);
  // Across the other direction the list cannot: thin at v = 0.
  const auto inner = [&](double y) {
    const Matrix3Xd points =
        PointsAfter(Sheet(0, y), WithMaps(stiff, {Of("layer_thickness", "0.2 * v")}), 30);
    return -points(2, At(0, 0));
  };
  EXPECT_NEAR(inner(-0.5), 0.15, 0.02);
  EXPECT_NEAR(inner(0.5), 0.05, 0.03);
}

TEST(BehaviourMaps, AnswerByTheDirectionOfWhatPresses) {
  // The ball drags the sheet along x or along y; level 1 gives way along u alone.
  const auto dragged = [](int axis) {
    Scene scene = Sheet();
    Matrix3Xd keys(3, 3);
    keys << 0, 0, 0, 0, 0, 0, 0.5, 0.45, 0.45;
    keys(axis, 2) = 0.2;
    scene.obstacles[0].motion = Path({0.0, 0.1, 0.3}, keys, Path::Interpolation::kLinear);
    scene.obstacles[0].friction = 1.0;
    const Matrix3Xd points =
        PointsAfter(scene,
                    WithMaps({{"absorption", Numbers{0.0}},
                              {"restriction", std::string("maximum")},
                              {"casting", std::string("ray")}},
                             {Of("absorption", "0.8", {{"direction", "u"}}, {{"level", 1.0}})}),
                    30);
    // The ring around what the ball reaches.
    return std::abs(points(axis, At(16, 24)) - scene.InitialPoints()(axis, At(16, 24)));
  };
  EXPECT_GT(dragged(0), 0.01);
  EXPECT_LT(dragged(1), 0.05 * dragged(0));
}

TEST(BehaviourMaps, WrinkleASurfaceAtRestAlongItsNormals) {
  Scene scene = Sheet(10, 10);
  scene.bodies[0].orientation = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized());
  const Vector3d normal = scene.bodies[0].orientation * Vector3d::UnitZ();
  const auto simulation = Started(scene, WithMaps({}, {Of("offset", "0.01 * sin(16 * pi * u)")}));
  const Matrix3Xd points = PointsAfter(simulation.get(), 0.01, 3);
  const Matrix3Xd flat = scene.InitialPoints();
  for (int u = 0; u < kSide; ++u) {
    const double expected = 0.01 * std::sin(16 * M_PI * u / (kSide - 1));
    EXPECT_NEAR(normal.dot(points.col(At(u, 7)) - flat.col(At(u, 7))), expected, 1e-12) << u;
  }
  // Nothing has been displaced: the surface starts like this.
  const Observation observation = Observed(*simulation);
  EXPECT_EQ(observation.extras[4].value(), 0.0);
}

TEST(BehaviourMaps, WrinklesRideOnTheCoarseLevels) {
  const ParameterValues stiff = {{"absorption", Numbers{1, 0, 0, 0, 0, 0}},
                                 {"relaxation_time", Numbers{INFINITY}},
                                 {"restriction", std::string("maximum")}};
  const NamedMatrix ridge = Of("offset", "u > 0.9 ? 0.03 : 0");
  const Matrix3Xd smooth = PointsAfter(Sheet(), stiff, 30);
  const Matrix3Xd wrinkled = PointsAfter(Sheet(), WithMaps(stiff, {ridge}), 30);
  EXPECT_NEAR(wrinkled(2, At(31, 3)) - smooth(2, At(31, 3)), 0.03, 1e-9);
  EXPECT_NEAR(wrinkled(2, At(20, 3)) - smooth(2, At(20, 3)), 0.0, 1e-9);
}

TEST(BehaviourMaps, AreRestoredWithTheState) {
  const ParameterValues parameters = WithMaps(
      {{"absorption", Numbers{0.2}}},
      {Of("relaxation_time", "0.1 + u", {{"direction", "n"}}), Of("absorption", "0.5 * v")});
  const auto simulation = Started(Sheet(), parameters);
  PointsAfter(simulation.get(), 0.01, 40);
  const Eigen::VectorXd state = simulation->Save();
  const Matrix3Xd expected = PointsAfter(simulation.get(), 0.01, 20);
  const auto other = Started(Sheet(), parameters);
  other->Advance(0.003);
  other->Restore(state);
  EXPECT_EQ(PointsAfter(other.get(), 0.01, 20), expected);
}

TEST(BehaviourMaps, ReachBodiesThatRide) {
  Scene scene = SceneOf({MakeChain("rope", {1, 0.2, 0}, {-1, 0.2, 0}, 17, 1.0)}, 2);
  scene.obstacles.push_back({"floor", Plane{Vector3d::UnitY()}, Path::Still({0, 0, 0}), 0.3});
  const ParameterValues list = {{"relaxation_time", Numbers{0.1}},
                                {"rides", std::string("always")}};
  const ParameterValues other = {{"relaxation_time", Numbers{0.7}},
                                 {"rides", std::string("always")}};
  const Matrix3Xd expected = PointsAfter(scene, list, 60);
  const NamedMatrix map = Of("relaxation_time", "0.1");
  EXPECT_EQ(PointsAfter(scene, WithMaps(other, {map}), 60), expected);
  EXPECT_NE(PointsAfter(scene, other, 60), expected);
}

// A plank that is put on a floor whose reaction is three times as stiff under its right half begins
// to turn to the left, as on springs.
TEST(BehaviourMaps, ContactStiffnessVariesUnderABodyThatRides) {
  Scene scene = SceneOf({MakeChain("plank", {-0.5, 0, 0}, {0.5, 0, 0}, 9, 3.0)}, 2);
  scene.obstacles.push_back({"floor", Plane{Vector3d::UnitY()}, Path::Still({0, 0, 0}), 0.0});
  const ParameterValues springs = {{"absorption", Numbers{0.0}},
                                   {"relaxation_time", Numbers{0.0}},
                                   {"contact_stiffness", 2000.0},
                                   {"contact_damping", 0.0}};
  const NamedMatrix map = Of("contact_stiffness", "x > 0.01 ? 3 * value : value");
  const double h = 1e-4;
  const int steps = 300;
  const auto simulation = Started(scene, WithMaps(springs, {map}));
  const Observation o = After(simulation.get(), h, steps);

  const Eigen::VectorXd m = scene.Masses(), x = scene.InitialPoints().row(0);
  double y = 0.0, angle = 0.0, rise = 0.0, spin = 0.0;
  for (int i = 0; i < 10 * steps; ++i) {
    double up = -kGravity * m.sum(), turning = 0.0;
    for (int point = 0; point < 9; ++point) {
      const double stiffness = x[point] > 0.01 ? 6000.0 : 2000.0;
      const double force = stiffness * std::max(0.0, -y - angle * x[point]);
      up += force;
      turning += force * x[point];
    }
    rise += 0.1 * h * up / m.sum();
    spin += 0.1 * h * turning / m.dot(x.cwiseAbs2());
    y += 0.1 * h * rise;
    angle += 0.1 * h * spin;
  }
  const Eigen::RowVectorXd v = o.velocities->row(1);
  const double measured = v.transpose().cwiseProduct(m).dot(x) / m.dot(x.cwiseAbs2());
  EXPECT_GT(spin, 0.05);
  EXPECT_NEAR(measured, spin, 0.01 * spin);
}

std::string ComplaintOfMap(const NamedMatrix& map) {
  return Complaint(Sheet(), WithMaps({}, {map}));
}

TEST(BehaviourMaps, AreRefusedWithTheirPlace) {
  EXPECT_THAT(ComplaintOfMap(Of("absorption", "1 + u")),
              Says({"maps.entry[0]: map 'a map' on body 'skin': absorption = 2",
                    "at vertex 1 (1, 0) of level 0", "between -1 and 1"}));
  EXPECT_THAT(ComplaintOfMap(Of("damping_time", "-u")), HasSubstr("at least 0"));
  EXPECT_THAT(ComplaintOfMap(Of("yield", "0 / 0 * u")), HasSubstr("yield = "));
  EXPECT_THAT(ComplaintOfMap(Of("layer_thickness", "1 / 0")), HasSubstr("layer_thickness = inf"));
  EXPECT_THAT(ComplaintOfMap(Of("offset", "log(u)")), HasSubstr("offset = -inf"));
  EXPECT_THAT(ComplaintOfMap(Of("absorbtion", "1")), HasSubstr("did you mean 'absorption'?"));
  EXPECT_THAT(ComplaintOfMap(Of("absorption", "uu")), Says({"maps.entry[0].formula", "column 1"}));
  EXPECT_THAT(ComplaintOfMap(Of("absorption", "map")), HasSubstr("add an image or values"));
  EXPECT_THAT(ComplaintOfMap(Of("absorption", " ")), HasSubstr("says nothing"));
  EXPECT_THAT(ComplaintOfMap(Map({{"formula", "1"}})), HasSubstr("lacks the key 'control'"));
  EXPECT_THAT(ComplaintOfMap(Map({{"control", "yield"}, {"formla", "1"}})),
              HasSubstr("did you mean 'formula'?"));
  EXPECT_THAT(ComplaintOfMap(Of("yield", "1", {{"body", "skn"}})),
              HasSubstr("did you mean 'skin'?"));
  EXPECT_THAT(ComplaintOfMap(Of("yield", "1", {}, {{"level", 6.0}})), HasSubstr("give 0 to 5"));
  EXPECT_THAT(ComplaintOfMap(Of("offset", "1", {}, {{"level", 0.0}})), HasSubstr("give 1 to 5"));
  EXPECT_THAT(ComplaintOfMap(Of("yield", "1", {}, {{"level", 1.5}})),
              HasSubstr("not a whole number"));
  EXPECT_THAT(ComplaintOfMap(Of("yield", "1", {}, {{"lvel", 1}})),
              HasSubstr("did you mean 'level'?"));
  EXPECT_THAT(ComplaintOfMap(Of("yield", "1", {{"direction", "x"}})), HasSubstr("\"n\""));
  EXPECT_THAT(ComplaintOfMap(Of("offset", "1", {{"direction", "u"}})),
              HasSubstr("cannot depend on the direction"));
  // A mean over directions has no room for infinity: inf is what yield is by itself.
  EXPECT_THAT(ComplaintOfMap(Of("yield", "1 / 0", {{"direction", "u"}})), HasSubstr("yield = inf"));
}

TEST(BehaviourMaps, OfAnotherSizeAreRefused) {
  EXPECT_THAT(ComplaintOfMap(Map({{"control", "absorption"}}, {}, Eigen::MatrixXd::Zero(33, 32))),
              testing::AllOf(HasSubstr("has 32 by 33 values"), HasSubstr("give 33 by 33")));
  EXPECT_THAT(ComplaintOfMap(
                  Map({{"control", "absorption"}}, {{"level", 3.0}}, Eigen::MatrixXd::Zero(5, 5))),
              Says({"9 by 9 vertices", "33 by 33; coarser", "or 9 by 9"}));
}

TEST(BehaviourMaps, OfAMeshAreInSpace) {
  Scene scene = Sheet();
  Matrix3Xd corners(3, 4);
  corners << -1, 1, 1, -1, -1, -1, 1, 1, 0, 0, 0, 0;
  const PolygonMesh cage = {.vertices = 4, .faces = {{0, 1, 2, 3}}};
  scene.bodies[0] = MakeMesh("skin", corners, cage, SubdivisionScheme::kCatmullClark, 4, 1.0);
  EXPECT_EQ(Complaint(scene, WithMaps({}, {Of("absorption", "x > 0 ? 0.2 : 0")})), "");
  EXPECT_THAT(Complaint(scene, WithMaps({}, {Of("absorption", "u")})), HasSubstr("use x, y and z"));
}

TEST(BehaviourMaps, OfStiffnessAreWhereThereIsOne) {
  EXPECT_THAT(ComplaintOfMap(Of("contact_stiffness", "1000")),
              HasSubstr("applies to riding bodies only, but body 'skin' is held"));
  EXPECT_THAT(ComplaintOfMap(Of("relative_stiffness", "1")),
              HasSubstr("give relative_stiffness too"));
  const ParameterValues one = {{"relative_stiffness", Numbers{1.0}}};
  EXPECT_EQ(Complaint(Sheet(), WithMaps(one, {Of("relative_stiffness", "1 + u")})), "");
  EXPECT_THAT(Complaint(Sheet(), WithMaps(one, {Of("relative_stiffness", "u")})),
              HasSubstr("relative_stiffness = 0"));
  EXPECT_THAT(Complaint(Sheet(), WithMaps({{"rides", std::string("always")}},
                                          {Of("contact_stiffness", "-1")})),
              HasSubstr("contact_stiffness = -1"));
}

TEST(BehaviourMaps, OfHeldSurfacesAreNotForThoseThatRide) {
  const NamedMatrix map = Of("offset", "0.01");
  EXPECT_THAT(Complaint(Sheet(), WithMaps({{"rides", std::string("always")}}, {map})),
              HasSubstr("body 'skin' rides"));
}

}  // namespace
}  // namespace pliant::kinematic_response
