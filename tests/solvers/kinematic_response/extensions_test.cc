// What goes beyond the source's algorithm: a layer over an inner surface, times that are solved
// for, inertia of offsets, volume made good, and surfaces that share a penetration.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/kinematic_response/controls.h"
#include "solvers/kinematic_response/pressure.h"
#include "solvers/kinematic_response/sharing.h"
#include "tests/scenes.h"
#include "tests/solvers/kinematic_response/runs.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Vector3d;
using testing::HasSubstr;

// A curve of 4 m that faces up, and a ball that goes 0.3 m into it within 0.5 s and stays.
Scene Curve(int points = 65) {
  Scene scene = Weightless({MakeChain("curve", {-2, 0, 0}, {2, 0, 0}, points, 1.0)}, 2);
  scene.obstacles.push_back(
      {"ball", Sphere{0.5}, PathThrough({0.0, 0.5}, {{0, 0.5, 0}, {0, 0.2, 0}}), 0.0});
  return scene;
}

// A coarsest level that takes all it is shown, and a finest.
ParameterValues Stiff(int levels) {
  Numbers absorption(levels, 0.0);
  absorption[0] = 1.0;
  return {{"absorption", absorption},
          {"relaxation_time", Numbers{INFINITY}},
          {"restriction", std::string("maximum")}};
}
// --- Layers ---------------------------------------------------------------------------------

TEST(CompliantLayer, PassesOnWhatIsBeyondItsThickness) {
  for (const double thickness : {0.0, 0.05, 0.2, 1.0}) {
    const auto simulation = Started(Curve(), With(Stiff(7), "layer_thickness", Numbers{thickness}));
    const Observation o = After(simulation.get(), 0.01, 60);
    const double inner = std::max(0.0, 0.3 - thickness);  // as one, so also at the ends
    EXPECT_NEAR(o.points(1, 0), -inner, 1e-9) << thickness;
    EXPECT_NEAR(o.points(1, 64), -inner, 1e-9) << thickness;
    EXPECT_NEAR(o.points(1, 32), -0.3, 1e-9) << thickness;
  }
}

TEST(CompliantLayer, IsPressedThroughWhereItIsThin) {
  const auto inner = [](double at) {
    Scene scene = Curve();
    scene.obstacles[0].motion = PathThrough({0.0, 0.5}, {{at, 0.5, 0}, {at, 0.2, 0}});
    const auto simulation = Started(scene, With(Stiff(7), "layer_thickness", Numbers{0.0, 0.4}));
    return -After(simulation.get(), 0.01, 60).points(1, 32 + (at < 0 ? 31 : -31));
  };
  // 0.1 m thick at −1, 0.3 m at 1.
  EXPECT_NEAR(inner(-1.0), 0.2, 0.03);
  EXPECT_LT(inner(1.0), 0.03);
}

TEST(CompliantLayer, StandsStillInAHeldContact) {
  const ParameterValues controls =
      With(With(Stiff(7), "layer_thickness", Numbers{0.1}), "relaxation_time", Numbers{0.3});
  const auto simulation = Started(Curve(), controls);
  const Eigen::Matrix3Xd once = After(simulation.get(), 0.01, 55).points;
  const Eigen::Matrix3Xd later = After(simulation.get(), 0.01, 300).points;
  EXPECT_LT(DistanceBetween(once, later).max, 1e-9);
}

// --- Timing ---------------------------------------------------------------------------------

TEST(AtRestBy, LeavesTheFractionThatWasAskedForAtThatTime) {
  // The ball stops at 0.5 s.
  const ParameterValues slow = {{"absorption", Numbers{0.0}},
                                {"damping_time", Numbers{5.0}},
                                {"relaxation_time", Numbers{INFINITY}},
                                {"at_rest_by", 1.7},
                                {"rest_fraction", 0.02}};
  const auto simulation = Started(Curve(), slow);
  const double h = 0.005;
  const auto depth = [&](int steps) {
    const Observation o = After(simulation.get(), h, steps);
    return MeasurePenetration(simulation->scene(), o.time, o.points)->max;
  };
  const double then = depth(100), at_rest = depth(240);
  EXPECT_GT(then, 0.05);
  EXPECT_NEAR(at_rest, 0.02 * then, 1e-9);
}

TEST(AtRestBy, SolvesForTheRecoveryTooAndKeepsItsLevelsInProportion) {
  KinematicResponseOptions options = {.damping_time = {0.0, 0.1},
                                      .relaxation_time = {4.0, 2.0, INFINITY},
                                      .at_rest_by = 3.0,
                                      .rest_fraction = std::exp(-2.0)};
  options.SolveForRest(1.0);
  EXPECT_THAT(options.damping_time, testing::ElementsAre(0.0, 0.1));  // quick enough
  EXPECT_THAT(options.relaxation_time, testing::ElementsAre(1.0, 0.5, INFINITY));
}

TEST(AtRestBy, MustComeAfterTheObstaclesHaveStopped) {
  EXPECT_THAT(
      Complaint(Curve(), {{"at_rest_by", 0.4}}),
      HasSubstr("at_rest_by: the surface cannot be at rest by 0.4 s: the obstacles move until "
                "0.5 s; give a later time"));
}

TEST(OffsetInertia, StartsAsABodyUnderAConstantForceDoes) {
  // A plane is 1 m in from the start; the finest level would be there at once.
  Scene scene = Curve(2);
  scene.obstacles[0].shape = Plane{-Vector3d::UnitY()};
  scene.obstacles[0].motion = Path::Still({0, -1, 0});
  const ParameterValues controls = {{"absorption", Numbers{0.0}},
                                    {"relaxation_time", Numbers{INFINITY}},
                                    {"acceleration_limit", Numbers{2.0}}};
  const auto simulation = Started(scene, controls);
  const double h = 0.01;
  for (const int n : {1, 20, 50}) {
    const auto fresh = Started(scene, controls);
    EXPECT_NEAR(After(fresh.get(), h, n).points(1, 0), -0.5 * 2.0 * h * h * n * (n + 1), 1e-12);
  }
  // It overshoots as far as it takes to stop, and stays: nothing relaxes it.
  const double end = After(simulation.get(), h, 400).points(1, 0);
  EXPECT_LT(end, -1.8);
  EXPECT_GT(end, -2.2);
}

// --- Volume ---------------------------------------------------------------------------------

TEST(Swelling, MakesGoodWhatIsSweptInwards) {
  const ParameterValues local = {{"absorption", Numbers{0.0}}, {"relaxation_time", Numbers{0.2}}};
  const auto plain = Started(Curve(), local);
  const auto swelling = Started(Curve(), With(local, "volume_kept", 1.0));
  const Observation without = After(plain.get(), 0.01, 150);
  const Observation with = After(swelling.get(), 0.01, 150);
  EXPECT_LT(*without.extras[6], -0.1);
  EXPECT_LT(std::abs(*with.extras[6]), 0.05 * std::abs(*without.extras[6]));
  EXPECT_GT(with.points(1, 0), 0.02);  // it came out at the ends
  EXPECT_LT(MeasurePenetration(swelling->scene(), with.time, with.points)->max, 0.02);
}

TEST(Swelling, NeedsALevelThatIsThere) {
  EXPECT_THAT(Complaint(Curve(5), {{"volume_kept", 0.5}, {"volume_level", std::int64_t{3}}}),
              HasSubstr("there is no level 3 in the surface of body 'curve'; give 1 to 2"));
}

// --- Sharing --------------------------------------------------------------------------------

TEST(ExitThroughFront, LeavesACurveAndASheetWhereTheRayDoes) {
  std::vector<SurfaceRays::Crossing> room;
  Body chain = MakeChain("curve", {1, -0.2, 0}, {-1, -0.2, 0}, 3, 1.0);  // front on its left: down
  const SurfaceRays curve(chain, chain.rest.transpose());
  EXPECT_NEAR(ExitThroughFront(curve, {0.3, 0, 0}, -Vector3d::UnitY(), &room), 0.2, 1e-15);
  EXPECT_NEAR(ExitThroughFront(curve, {0.3, 0, 0}, Vector3d(-0.6, -0.8, 0), &room), 0.25, 1e-15);
  EXPECT_EQ(ExitThroughFront(curve, {0.3, 0, 0}, Vector3d::UnitY(), &room), INFINITY);
  EXPECT_EQ(ExitThroughFront(curve, {0.3, -0.4, 0}, Vector3d::UnitY(), &room), INFINITY);  // back
  EXPECT_EQ(ExitThroughFront(curve, {1.3, 0, 0}, -Vector3d::UnitY(), &room), INFINITY);

  // A tilted flat sheet, hit at random places: the distance is that of its plane.
  Body flat = MakeSheet("sheet", {2, 2}, {5, 5}, 1.0);
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(0.4, Vector3d(1, 2, 0).normalized()).matrix();
  const SurfaceRays sheet(flat, (turn * flat.rest).transpose());
  std::mt19937 generator(6);
  std::uniform_real_distribution<double> uniform(-0.95, 0.95);
  for (int k = 0; k < 200; ++k) {
    const Vector3d hit = turn * Vector3d(uniform(generator), uniform(generator), 0);
    const Vector3d g = (turn * Vector3d(uniform(generator), uniform(generator), 1)).normalized();
    EXPECT_NEAR(ExitThroughFront(sheet, hit - 0.7 * g, g, &room), 0.7, 1e-12);
    EXPECT_EQ(ExitThroughFront(sheet, hit + 0.7 * g, -g, &room), INFINITY);
    EXPECT_EQ(ExitThroughFront(sheet, hit + 0.1 * g, g, &room), INFINITY);
  }
}

// Two sheets that face each other and have passed through each other by 0.2 m.
Scene Facing() {
  Scene scene;
  scene.name = "facing";
  scene.gravity.setZero();
  for (const double side : {1.0, -1.0}) {
    scene.bodies.push_back(MakeSheet(side > 0 ? "lower" : "upper", {2, 2}, {9, 9}, 1.0));
    scene.bodies.back().orientation =
        Eigen::AngleAxisd(-side * std::numbers::pi / 2, Vector3d::UnitX());
    scene.bodies.back().position = {0, 0.1 * side, 0};
  }
  return scene;
}
ParameterValues Sharing(double lower, double upper) {
  return {{"relative_stiffness", Numbers{lower, upper}}, {"relaxation_time", Numbers{INFINITY}}};
}

TEST(Sharing, IsByRelativeStiffness) {
  const auto simulation = Started(Facing(), Sharing(3.0, 1.0));
  const Observation o = After(simulation.get(), 0.01, 1);
  const double meet = 0.1 - 0.25 * 0.2;
  EXPECT_LT((o.points.row(1).array() - meet).abs().maxCoeff(), 1e-9);
  const auto unseen = Started(Facing(), {});
  const Observation apart = After(unseen.get(), 0.01, 1);
  EXPECT_LT(DistanceBetween(apart.points, Facing().InitialPoints()).max, 1e-12);
}

TEST(Sharing, ConvergesByTheStepSize) {
  for (const double step_size : {0.3, 0.5, 0.9}) {
    for (const int passes : {1, 3, 6}) {
      const ParameterValues controls = With(With(Sharing(1.0, 1.0), "step_size", step_size),
                                            "sharing_passes", std::int64_t{passes});
      const auto simulation = Started(Facing(), controls);
      const Observation o = After(simulation.get(), 0.01, 1);
      EXPECT_NEAR(o.points(1, 40) - o.points(1, 81 + 40), 0.2 * std::pow(1.0 - step_size, passes),
                  1e-9)
          << step_size << " " << passes;
    }
  }
}

TEST(Sharing, SmallStepsLeaveLessToTheFinestLevel) {
  // A stiff bulge meets a soft sheet. In one pass the finest level absorbs what the coarse levels
  // would have shared; repeated in small steps it is asked for less.
  const auto finest_share = [](double step_size) {
    Scene scene = Facing();
    scene.bodies[0].position = {0.8, 0.1, 0.8};  // they overlap in a corner
    const ParameterValues controls = With(With(Sharing(1.0, 1.0), "step_size", step_size),
                                          "absorption", Numbers{0.4, 0.4, 0.4, 0});
    const auto simulation = Started(scene, controls);
    const Observation o = After(simulation.get(), 0.01, 1);
    const Eigen::Matrix3Xd moved = o.points - scene.InitialPoints();
    // Unevenness between neighbours in the middle of the lower sheet.
    double roughness = 0.0;
    for (int v = 0; v < 9; ++v) {
      for (int u = 1; u < 8; ++u) {
        const int i = u + 9 * v;
        roughness += std::abs(moved(1, i - 1) - 2 * moved(1, i) + moved(1, i + 1));
      }
    }
    return roughness;
  };
  EXPECT_LT(finest_share(0.2), finest_share(1.0));
}

TEST(Sharing, IsByTheStiffnessOfThePlace) {
  // The lower sheet is three times as stiff as the upper one on its left.
  MatrixTable table;
  const NamedMatrix map = {
      .name = "stiff side",
      .texts = {
          {"control", "relative_stiffness"}, {"body", "lower"}, {"formula", "x < 0 ? 3 : 1"}}};
  table.entries = {map};
  const ParameterValues controls =
      With(With(Sharing(1.0, 1.0), "maps", table), "absorption", Numbers{0.0});
  const auto simulation = Started(Facing(), controls);
  const Observation o = After(simulation.get(), 0.01, 1);
  for (Eigen::Index i = 0; i < o.points.cols(); ++i) {
    const double x = o.points(0, i);
    if (x < -0.7) {
      EXPECT_NEAR(o.points(1, i), 0.05, 0.01) << i;
    }
    if (x > 0.7) {
      EXPECT_NEAR(o.points(1, i), 0.0, 0.01) << i;
    }
  }
}

TEST(Sharing, NeedsAStiffnessForEachBody) {
  EXPECT_THAT(Complaint(Facing(), {{"relative_stiffness", Numbers{1.0}}}),
              HasSubstr("relative_stiffness has 1 values, but there are 2 bodies"));
}

TEST(CompliantLayer, IsFiniteEverywhereWhenItVaries) {
  EXPECT_THAT(Complaint(Curve(), {{"layer_thickness", Numbers{0.1, INFINITY}}}),
              HasSubstr("layer_thickness: a varying layer must be finite everywhere"));
}

// --- Pressure --------------------------------------------------------------------------------

ReactionOptions Bed(double stiffness) { return {.foundation_stiffness = stiffness}; }

GridVectors PressureOf(const MultiresolutionSurface& model, const SurfaceOffsets& offsets,
                       const ReactionOptions& law) {
  LevelVectors surface = model.ZeroVectors();
  FramedRows rows(model.finest());
  model.Place(offsets, std::vector<VertexValues>(model.levels(), 1.0), &rows, &surface);
  return PressureOn(model, surface, offsets, law);
}

MultiresolutionSurface FlatSheet(int points) {
  const Body sheet = MakeSheet("sheet", {2, 2}, {points, points}, 1.0);
  return {{points, points}, sheet.rest.transpose(), Prolongation::kCubic};
}

TEST(Pressure, IsCarriedUpAsDisplacementsAre) {
  const MultiresolutionSurface model = FlatSheet(17);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-0.1, 0.1);
  SurfaceOffsets offsets = model.ZeroOffsets();
  GridVectors wanted = offsets.elastic[0];
  for (int level = 0; level < 2; ++level) {
    GridVectors& o = offsets.elastic[level];
    if (level == 0) o.setConstant(-0.07);  // as one: no frame turns
    if (level == 1) {
      GridVectors carried = o;
      Prolongate(Prolongation::kCubic, model.grid(0), wanted, model.grid(1), &carried);
      o = o.unaryExpr([&](double) { return uniform(random); });
      wanted = carried - 500.0 * o;
    } else {
      wanted = -500.0 * o;
    }
  }
  for (int level = 2; level < model.levels(); ++level) {
    GridVectors carried = offsets.elastic[level];
    Prolongate(Prolongation::kCubic, model.grid(level - 1), wanted, model.grid(level), &carried);
    wanted = carried;
  }
  const GridVectors f = PressureOf(model, offsets, Bed(500.0));
  EXPECT_LT((f - wanted).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_GT(f.cwiseAbs().maxCoeff(), 35.0);
}

// A level that was turned by the one below presses along its turned normal.
TEST(Pressure, TurnsWithTheFrames) {
  const MultiresolutionSurface model = FlatSheet(9);
  SurfaceOffsets offsets = model.ZeroOffsets();
  const GridVectors& corners = model.rest(0);
  offsets.elastic[0].col(2) = corners.col(0);  // a plane of 45°, its normal (−1, 0, 1)/√2
  offsets.plastic[0].col(2) = offsets.elastic[0].col(2);
  offsets.elastic[0].setZero();  // and plastic offsets do not press
  const int finest = model.levels() - 1, vertex = model.finest().Index(3, 4);
  offsets.elastic[finest](vertex, 2) = -0.02;
  const GridVectors f = PressureOf(model, offsets, Bed(1000.0));
  EXPECT_LT((f.row(vertex) - 20.0 * Eigen::RowVector3d(-1, 0, 1).normalized()).norm(), 1e-9);
  EXPECT_LT(f.norm(), 20.0 + 1e-9);
}

TEST(Pressure, GrowsBeyondTheKneeAsTheReactionDoes) {
  const MultiresolutionSurface model = FlatSheet(5);
  ReactionOptions law = Bed(200.0);
  law.knee = 0.03;
  law.stiffness_beyond = 4.0 * law.contact.stiffness;
  SurfaceOffsets offsets = model.ZeroOffsets();
  offsets.elastic[0].col(2).setConstant(-0.05);
  const GridVectors f = PressureOf(model, offsets, law);
  EXPECT_LT((f.col(2).array() - 200.0 * (0.03 + 4.0 * 0.02)).abs().maxCoeff(), 1e-9);
  // Shared by two levels each stays below its knee.
  offsets.elastic[0].col(2).setConstant(-0.025);
  offsets.elastic[1].col(2).setConstant(-0.025);
  EXPECT_LT((PressureOf(model, offsets, law).col(2).array() - 10.0).abs().maxCoeff(), 1e-9);
}

// A curve of 4 m that gives way by 0.3 m as one.
TEST(Pressure, IsAColumnOfItsOwn) {
  const auto simulation = Started(Curve(), With(Stiff(7), "foundation_stiffness", 1000.0));
  const Observation o = After(simulation.get(), 0.01, 60);
  EXPECT_NEAR(*o.extras[9], 300.0, 1e-6);
  EXPECT_NEAR(*o.extras[10], 1200.0, 1e-5);
  const Observation none = After(Started(Curve(), Stiff(7)).get(), 0.01, 2);
  EXPECT_FALSE(none.extras[9] || none.extras[10]);
}

}  // namespace
}  // namespace pliant::kinematic_response
