// Strokes of a sculpting brush in place of an obstacle.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "models/problem.h"
#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "tests/scenes.h"
#include "tests/solvers/kinematic_response/runs.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using testing::HasSubstr;

constexpr int kBrushedSide = 65;

Scene Clay() { return Weightless({MakeSheet("clay", {2, 2}, {kBrushedSide, kBrushedSide}, 1.0)}); }

// From (−0.5, 0) to (0.5, 0) within a second.
NamedMatrix Furrow(double depth = 0.1, const std::string& falloff = "smooth") {
  NamedMatrix stroke = {.name = "furrow"};
  stroke.values.resize(2, 4);
  stroke.values << 0, -0.5, 0, 0, 1, 0.5, 0, 0;
  stroke.scalars = {{"radius", 0.3}, {"depth", depth}};
  stroke.texts = {{"falloff", falloff}};
  return stroke;
}
ParameterValues Sculpted(const std::vector<NamedMatrix>& strokes, double relaxation = INFINITY,
                         const Numbers& absorption = {0.0}) {
  MatrixTable table;
  table.entries = strokes;
  return {{"strokes", table},
          {"absorption", absorption},
          {"relaxation_time", Numbers{relaxation}},
          {"prolongation", std::string("linear")}};
}
Matrix3Xd BrushedAfter(const ParameterValues& parameters, int steps = 110) {
  return After(Started(Clay(), parameters).get(), 0.01, steps).points;
}

// Distance of a point of the sheet from the way of the furrow.
double FromWay(const Vector3d& x) {
  const double beyond = std::max(0.0, std::abs(x.x()) - 0.5);
  return std::hypot(beyond, x.y());
}

TEST(Brush, LeavesItsDepthAndFalloffBehind) {
  const Matrix3Xd start = Clay().InitialPoints();
  const std::map<std::string, std::function<double(double)>> weights = {
      {"smooth", [](double r) { return (1 - r * r) * (1 - r * r); }},
      {"linear", [](double r) { return 1 - r; }},
      {"flat", [](double) { return 1.0; }}};
  for (const auto& [falloff, weight] : weights) {
    for (const double depth : {0.1, -0.07}) {
      const Matrix3Xd points = BrushedAfter(Sculpted({Furrow(depth, falloff)}));
      for (int i = 0; i < points.cols(); ++i) {
        const double r = FromWay(start.col(i)) / 0.3;
        if (std::abs(r - 1.0) < 1e-9) continue;  // on the rim rounding decides
        const double expected = r < 1.0 ? -depth * weight(r) : 0.0;
        ASSERT_NEAR(points(2, i), expected, 1e-9) << falloff << " " << i;
      }
      EXPECT_EQ(points.topRows<2>(), start.topRows<2>());
    }
  }
}

TEST(Brush, MissesNothingHoweverFastItGoes) {
  const ParameterValues parameters = Sculpted({Furrow()});
  const Matrix3Xd slow = After(Started(Clay(), parameters).get(), 0.01, 110).points;
  const Matrix3Xd fast = After(Started(Clay(), parameters).get(), 0.5, 3).points;
  EXPECT_LT(DistanceBetween(slow, fast).max, 1e-9);
}

TEST(Brush, IsAtWorkInItsTimeOnly) {
  NamedMatrix stroke = Furrow();
  stroke.values << 0.5, -0.5, 0, 0, 1, 0.5, 0, 0;
  const auto simulation = Started(Clay(), Sculpted({stroke}, 0.1));
  EXPECT_EQ(After(simulation.get(), 0.01, 49).points.row(2).minCoeff(), 0.0);
  EXPECT_LT(After(simulation.get(), 0.01, 26).points.row(2).minCoeff(), -0.09);
  const double after = After(simulation.get(), 0.01, 26).points.row(2).minCoeff();
  EXPECT_NEAR(After(simulation.get(), 0.01, 20).points.row(2).minCoeff() / after, std::exp(-2.0),
              1e-9);
}

TEST(Brush, DabsOnceWithOneRow) {
  NamedMatrix dab = Furrow();
  dab.values.resize(1, 4);
  dab.values << 0.105, 0.25, 0.125, 0.0;
  const Matrix3Xd points = BrushedAfter(Sculpted({dab}), 20);
  Eigen::Index deepest;
  EXPECT_NEAR(points.row(2).minCoeff(&deepest), -0.1, 1e-9);
  EXPECT_NEAR(points(0, deepest), 0.25, 1e-9);
  EXPECT_NEAR(points(1, deepest), 0.125, 1e-9);
}

TEST(Brush, StandsStillWhereItIsHeld) {
  NamedMatrix held = Furrow();
  held.values << 0, 0.1, 0.2, 0, 9, 0.1, 0.2, 0;
  const auto simulation =
      Started(Clay(), Sculpted({held}, 0.2, Numbers{0, 0, 0.2, 0, 0.3, 0.2, 0}));
  const Matrix3Xd early = After(simulation.get(), 0.01, 300).points;
  const Matrix3Xd late = After(simulation.get(), 0.01, 200).points;
  EXPECT_LT(DistanceBetween(early, late).max, 1e-6);
  EXPECT_LT(late.row(2).minCoeff(), -0.09);
  EXPECT_GT(late.row(2).minCoeff(), -0.12);
}

TEST(Brush, KeepsTheDeeperOfStrokesThatCross) {
  NamedMatrix deep = Furrow(0.15);
  deep.values << 0.2, 0, -0.5, 0, 1, 0, 0.5, 0;
  const Matrix3Xd both = BrushedAfter(Sculpted({Furrow(), deep}));
  const Matrix3Xd one = BrushedAfter(Sculpted({Furrow()})), other = BrushedAfter(Sculpted({deep}));
  EXPECT_LT((both.row(2) - one.row(2).cwiseMin(other.row(2))).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Brush, FollowsTheNormalsOfTheSurfaceAndTheCoarseLevelsShareIt) {
  Scene scene = Clay();
  scene.bodies[0].orientation = Eigen::AngleAxisd(1.1, Vector3d(2, -1, 0.5).normalized());
  const Eigen::Matrix3d Q(scene.bodies[0].orientation);
  NamedMatrix turned = Furrow();
  for (int i : {0, 1})
    turned.values.row(i).tail<3>() = (Q * Furrow().values.row(i).tail<3>().transpose()).transpose();
  const Numbers stiff = {0, 0, 0.3, 0.3, 0, 0, 0};
  const auto sculpted = [&stiff](const NamedMatrix& furrow) {
    return With(Sculpted({furrow}, INFINITY, stiff), "restriction", std::string("average"));
  };
  const Matrix3Xd flat = BrushedAfter(sculpted(Furrow()));
  const Matrix3Xd tilted = After(Started(scene, sculpted(turned)).get(), 0.01, 110).points;
  EXPECT_LT(DistanceBetween(tilted, Q * flat).max, 1e-9);
  EXPECT_LT(flat(2, 32 + kBrushedSide * 48), -0.01);  // 0.5 m beside the way
}

TEST(Brush, WorksBesideObstacles) {
  Scene scene = Clay();
  scene.obstacles.push_back({"ball", Sphere{0.3}, Path::Still({0.6, 0.6, 0.25}), 0.0});
  const Matrix3Xd points = After(Started(scene, Sculpted({Furrow()})).get(), 0.01, 110).points;
  EXPECT_NEAR(points(2, 32 + kBrushedSide * 32), -0.1, 1e-9);
  EXPECT_LT(points.rightCols(kBrushedSide * 30).row(2).minCoeff(), -0.04);
}

std::string ComplaintOfStroke(const NamedMatrix& stroke, ParameterValues more = {}) {
  ParameterValues parameters = Sculpted({stroke});
  parameters.merge(more);
  return Complaint(Clay(), parameters);
}

TEST(Brush, IsRefusedWithItsPlace) {
  const auto changed = [](const std::function<void(NamedMatrix*)>& change) {
    NamedMatrix stroke = Furrow();
    change(&stroke);
    return ComplaintOfStroke(stroke);
  };
  EXPECT_EQ(ComplaintOfStroke(Furrow()), "");
  EXPECT_THAT(changed([](NamedMatrix* s) { s->scalars["radius"] = 0.0; }),
              testing::AllOf(HasSubstr("strokes.entry[0].radius"), HasSubstr("more than 0")));
  EXPECT_THAT(changed([](NamedMatrix* s) { s->scalars["depth"] = 0.0; }), HasSubstr("depth"));
  EXPECT_THAT(changed([](NamedMatrix* s) { s->scalars.erase("depth"); }),
              HasSubstr("lacks the key 'depth'"));
  EXPECT_THAT(changed([](NamedMatrix* s) { s->texts["falloff"] = "smoth"; }),
              HasSubstr("did you mean 'smooth'?"));
  EXPECT_THAT(changed([](NamedMatrix* s) { s->texts["body"] = "cley"; }),
              HasSubstr("did you mean 'clay'?"));
  EXPECT_THAT(changed([](NamedMatrix* s) { s->scalars["dept"] = 1.0; }),
              HasSubstr("did you mean 'depth'?"));
  EXPECT_THAT(changed([](NamedMatrix* s) { s->values(1, 0) = 0.0; }), HasSubstr("increas"));
  EXPECT_THAT(changed([](NamedMatrix* s) { s->values = Eigen::MatrixXd::Zero(2, 3); }),
              HasSubstr("give rows of a time, x, y and z"));
  EXPECT_THAT(ComplaintOfStroke(Furrow(), {{"rides", std::string("always")}}),
              HasSubstr("no held surface"));
}

TEST(Brush, CountsForTheTimeToRest) {
  EXPECT_THAT(ComplaintOfStroke(Furrow(), {{"at_rest_by", 0.8}}), HasSubstr("until 1 s"));
}

}  // namespace
}  // namespace pliant::kinematic_response
