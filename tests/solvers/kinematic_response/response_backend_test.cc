// The backend: what it makes of scenes and parameters, and the strip of a whole press.

#include "solvers/kinematic_response/backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "models/problem.h"
#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/step_pictures.h"
#include "tests/says.h"
#include "tests/scenes.h"
#include "tests/solvers/kinematic_response/runs.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Vector3d;
using testing::HasSubstr;

// A sheet lying flat, facing +y, with a ball that dips into it, slides and leaves.
Scene PressScene(int points = 17) {
  Scene scene = Weightless({MakeSheet("slab", {2, 2}, {points, points}, 8.0)});
  scene.bodies[0].orientation = Eigen::AngleAxisd(-std::numbers::pi / 2, Vector3d::UnitX());
  scene.obstacles.push_back(
      {"ball", Sphere{0.4},
       PathThrough(
           {0.0, 0.4, 0.8, 1.0},
           {{-0.31, 0.45, 0.04}, {-0.31, 0.15, 0.04}, {0.22, 0.15, 0.09}, {0.22, 0.9, 0.09}}),
       0.2});
  return scene;
}

const ParameterValues kHeld = {{"rides", std::string("never")}};

std::string WhyNot(const Scene& scene, const ParameterValues& parameters = {}) {
  return Translated(scene, parameters).record.WhyUnsupported();
}

// The rules of the source, which were the defaults.
ParameterValues AsInTheSource() {
  return {{"rides", std::string("never")},
          {"casting", std::string("ray")},
          {"restriction", std::string("average")}};
}

// Of the press and its mirror image, in which the ball comes from the other side: how far any point
// is from its image, and the longest displacement in the mirrored one [m].
struct Mirrored {
  double apart = 0.0, longest = 0.0;
};
Mirrored PressFromBothSides(const ParameterValues& parameters, double friction, double h) {
  Scene above = PressScene();
  above.obstacles[0].friction = friction;
  Scene below = above;
  below.obstacles[0].motion = PathThrough(
      {0.0, 0.4, 0.8, 1.0},
      {{-0.31, -0.45, 0.04}, {-0.31, -0.15, 0.04}, {0.22, -0.15, 0.09}, {0.22, -0.9, 0.09}});
  const auto one = Started(above, parameters), other = Started(below, parameters);
  Mirrored mirrored;
  for (int i = 0; i < static_cast<int>(std::lround(1.5 / h)); ++i) {
    const Observation a = After(one.get(), h, 1), b = After(other.get(), h, 1);
    Eigen::Matrix3Xd image = b.points;
    image.row(1) *= -1.0;
    mirrored.apart = std::max(mirrored.apart, DistanceBetween(a.points, image).max);
    mirrored.longest = std::max(mirrored.longest, *b.extras[4]);
  }
  return mirrored;
}

// Whatever the step and the friction. The rules of the source draw the surface through the ball.
TEST(Response, ToTheMirrorImageIsTheMirrorImage) {
  for (const double friction : {0.2, 1.0}) {
    std::vector<double> longest;
    for (const double h : {0.02, 0.01, 0.005}) {
      const Mirrored mirrored = PressFromBothSides(kHeld, friction, h);
      EXPECT_LT(mirrored.apart, 1e-12) << h;
      longest.push_back(mirrored.longest);
    }
    EXPECT_LT(longest[0], 0.5);
    EXPECT_NEAR(longest[1], longest[0], 0.02 * longest[0]);
    EXPECT_NEAR(longest[2], longest[1], 0.02 * longest[1]);
    EXPECT_GT(PressFromBothSides(AsInTheSource(), friction, 0.01).apart, 0.5) << friction;
  }
}

TEST(Response, WarnsOfTheRulesOfTheSourceWhereTheyShow) {
  const Scene scene = PressScene();
  EXPECT_TRUE(Translated(scene, kHeld).warnings.empty());
  const std::vector<std::string> warnings = Translated(scene, AsInTheSource()).warnings;
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_THAT(warnings[0], HasSubstr("casting = \"ray\" depends on the side"));
  EXPECT_THAT(warnings[1], HasSubstr("restriction = \"average\" depends on the step"));
  Scene slippery = scene;
  slippery.obstacles[0].friction = 0.0;
  EXPECT_EQ(Translated(slippery, AsInTheSource()).warnings.size(), 1U);
  const ParameterValues riding = With(AsInTheSource(), "rides", std::string("always"));
  for (const std::string& warning : Translated(scene, riding).warnings) {
    EXPECT_THAT(warning, HasSubstr("has no effect"));
  }
}

// [Harrison 1994, Fig. 4.1]: relaxed, cast, restricted level by level, deformed level by level; and
// nothing that looking at it changes.
TEST(ResponsePhases, ComeInTheirOrderAndChangeNothing) {
  const Scene scene = PressScene(9);  // levels 0 … 3
  const double h = 0.05;
  const ParameterValues options = With(kHeld, "restriction", std::string("maximum"));
  const auto seen = Started(scene, options), alone = Started(scene, options);
  std::vector<StepPicture> pictures;
  After(seen.get(), h, 7);
  seen->AsPhased()->ShowPhases([&](const StepPicture& picture) { pictures.push_back(picture); });
  const Observation before = After(alone.get(), h, 7), after = After(alone.get(), h, 1);
  seen->Advance(h);
  EXPECT_EQ(seen->Save(), alone->Save());
  std::vector<std::string> words;
  for (const StepPicture& picture : pictures) words.push_back(picture.phase);
  EXPECT_THAT(words,
              testing::ElementsAre("relaxed", "displacements cast on level 3",
                                   "displacements restricted to level 2",
                                   "displacements restricted to level 1",
                                   "displacements restricted to level 0", "deformed, level 0",
                                   "deformed, level 1", "deformed, level 2", "deformed, level 3"));
  // What is cast leads out of the ball, whose centre is (x, 0.19, z) then.
  const StepPicture& cast = pictures[1];
  ASSERT_GT(cast.vectors.cols(), 3);
  const Vector3d centre = scene.obstacles[0].motion.At(8 * h).position;
  for (Eigen::Index i = 0; i < cast.vectors.cols(); ++i) {
    EXPECT_LT((cast.origins.col(i) - centre).norm(), 0.4);
    EXPECT_NEAR((cast.origins.col(i) + cast.vectors.col(i) - centre).norm(), 0.4, 1e-9);
  }
  // A coarse vertex goes as far as the farthest of those around it.
  const auto longest = [](const StepPicture& picture) {
    return picture.vectors.colwise().norm().maxCoeff();
  };
  for (int i = 2; i <= 4; ++i) EXPECT_NEAR(longest(pictures[i]), longest(cast), 1e-12) << i;
  EXPECT_EQ(pictures[5].pieces.cols(), 2 * 4);          // the edges of one cell
  EXPECT_EQ(pictures[7].pieces.cols(), 2 * 2 * 4 * 5);  // of four by four
  EXPECT_EQ(pictures[8].points, after.points);
  EXPECT_NE(pictures[1].points, after.points);
  EXPECT_NE(before.points, after.points);
}

TEST(ResponseTranslation, AcceptsSquareSheetsOfTwoToTheKPlusOne) {
  for (int points : {2, 3, 5, 33}) {
    EXPECT_EQ(Entry(PressScene(points), "body.slab").fidelity, Fidelity::kExact) << points;
  }
}

TEST(ResponseTranslation, RefusesOtherGridsNamingTheNearestSizes) {
  const std::string twenty = Complaint(PressScene(20), {});
  EXPECT_THAT(twenty, Says({"scene.body.slab.points", "the nearest sizes are 17 and 33"}));
  Scene scene = PressScene();
  scene.bodies[0] = MakeSheet("slab", {2, 2}, {17, 9}, 8.0);
  EXPECT_THAT(Complaint(scene, {}), HasSubstr("not square"));
  EXPECT_THAT(Complaint(scene, {{"rides", std::string("always")}}), HasSubstr("not square"));
  scene.bodies[0] = MakeBlock("slab", {2, 2, 2}, {3, 3, 3}, 8.0);
  EXPECT_THAT(WhyNot(scene, {{"rides", std::string("always")}}), HasSubstr("surfaces only"));
  scene.bodies[0] = MakeChain("slab", {-1, 0, 0}, {1, 0, 0}, 17, 8.0);
  EXPECT_THAT(WhyNot(scene), HasSubstr("in the plane"));
}

TEST(ResponseTranslation, HeldSurfacesRefuseWhatNeedsForcesOrInertia) {
  Scene scene = PressScene();
  scene.bodies[0].velocity = {1, 0, 0};
  EXPECT_THAT(WhyNot(scene, kHeld), HasSubstr("body.slab.velocity"));
  scene = PressScene();
  scene.nails.push_back({"corner", {0, 0}, Path::Still(scene.InitialPoints().col(0))});
  EXPECT_THAT(WhyNot(scene, kHeld), HasSubstr("nail.corner"));
  scene = PressScene();
  const Impulse impulse = {.name = "kick"};
  scene.impulses.push_back(impulse);
  EXPECT_THAT(WhyNot(scene, kHeld), HasSubstr("impulse.kick"));
  scene = PressScene();
  const TimedForce force = {.name = "push"};
  scene.forces.push_back(force);
  EXPECT_THAT(WhyNot(scene, kHeld), HasSubstr("force.push"));
}

TEST(ResponseTranslation, HeldSurfacesIgnoreGravityOnlyWhereSomethingPresses) {
  Scene scene = PressScene();
  scene.gravity = {0, -9.81, 0};
  EXPECT_EQ(Entry(scene, "gravity", kHeld).fidelity, Fidelity::kIgnored);
  scene.obstacles[0].motion = Path::Still({0, 0.41, 0});  // waits for the sheet to come
  EXPECT_EQ(Entry(scene, "gravity", kHeld).fidelity, Fidelity::kUnsupported);
  scene.obstacles[0].motion = Path::Still({0, 0.39, 0});  // in it already
  EXPECT_EQ(Entry(scene, "gravity", kHeld).fidelity, Fidelity::kIgnored);
}

TEST(ResponseTranslation, KnowsAFoundationFromOtherSprings) {
  Scene scene = PressScene();
  Spring spring = {.name = "foundation", .a = {0, 3}, .anchor = scene.InitialPoints().col(3)};
  scene.springs.push_back(spring);
  const auto fidelity = [&scene] { return Entry(scene, "spring.foundation", kHeld).fidelity; };
  EXPECT_EQ(fidelity(), Fidelity::kIgnored);  // damps only
  scene.springs[0].stiffness = 40.0;
  EXPECT_EQ(fidelity(), Fidelity::kApproximated);
  scene.springs[0].anchor.y() += 0.1;
  EXPECT_EQ(fidelity(), Fidelity::kUnsupported);
  scene.springs[0].anchor.y() -= 0.1;
  scene.springs[0].rest_length = 0.1;
  EXPECT_EQ(fidelity(), Fidelity::kUnsupported);
  scene.springs[0].rest_length = 0.0;
  scene.springs[0].b = PointRef{0, 4};
  EXPECT_EQ(fidelity(), Fidelity::kUnsupported);
  spring.stiffness = 40.0;  // a good one of the same name does not hide it
  scene.springs.push_back(spring);
  EXPECT_EQ(fidelity(), Fidelity::kUnsupported);
}

TEST(ResponseTranslation, WarnsOfCoarseLevelsThatAreDampedMoreThanTheFinest) {
  ParameterValues parameters = {{"damping_time", Numbers{0.2, 0, 0, 0, 0}}};
  const auto warnings = Translated(PressScene(), parameters).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("damping_time of level 0"), std::string::npos) << warnings[0];
  parameters = {{"damping_time", Numbers{0.2, 0.1, 0.1, 0.1, 0.2}}};
  EXPECT_TRUE(Translated(PressScene(), parameters).warnings.empty());
}

// Of each parameter without effect one line says so; of one that has an effect none.
TEST(ResponseTranslation, WarnsOfParametersWithoutEffect) {
  using Words = std::vector<std::string>;
  const Scene scene = PressScene();
  const auto line = [](const std::string& name, const std::string& when) {
    return name + " has no effect: it counts only when " + when;
  };
  EXPECT_EQ(Translated(scene).warnings, Words());
  const std::vector<std::pair<ParameterValues, std::string>> idle = {
      {{{"skeleton_level", std::int64_t{2}}}, line("skeleton_level", "there is a skeleton")},
      {{{"area_level", std::int64_t{1}}}, line("area_level", "area_kept is more than 0")},
      {{{"rest_fraction", 0.1}}, line("rest_fraction", "at_rest_by is finite")},
      {{{"patch_degree", std::int64_t{2}}},
       line("patch_degree", "a held block or outline has a patch")}};
  for (const auto& [parameters, said] : idle) {
    EXPECT_EQ(Translated(scene, parameters).warnings, Words{said});
    const ParameterValues rides = With(parameters, "rides", std::string("always"));
    EXPECT_EQ(Translated(scene, rides).warnings, Words{said});
  }
  EXPECT_EQ(Translated(scene, {{"volume_level", std::int64_t{2}}}).warnings,
            Words{line("volume_level", "volume_kept is more than 0")});
  EXPECT_EQ(Translated(scene, {{"proxy", std::string("affine")}}).warnings,
            Words{line("proxy", "a body rides")});
  EXPECT_EQ(Translated(scene, {{"proxy_damping", 7.0}}).warnings,
            Words{line("proxy_damping", "a body rides")});
  EXPECT_EQ(Translated(scene, {{"contact_stiffness", 7.0}}).warnings.size(), 1U);
  const ParameterValues rides = {{"rides", std::string("always")}};
  EXPECT_EQ(Translated(scene, With(rides, "contact_stiffness", 7.0)).warnings, Words());
  EXPECT_EQ(Translated(scene, With(rides, "proxy_damping", 7.0)).warnings,
            Words{line("proxy_damping", "proxy = affine")});
  EXPECT_EQ(Translated(scene, With(rides, "volume_kept", 1.0)).warnings,
            Words{line("volume_kept", "a body is held")});
  EXPECT_EQ(
      Translated(scene, {{"step_size", 0.1}, {"sharing_passes", std::int64_t{3}}}).warnings.size(),
      2U);
  const ParameterValues used = {{"area_kept", 1.0},   {"area_level", std::int64_t{1}},
                                {"volume_kept", 1.0}, {"volume_level", std::int64_t{2}},
                                {"at_rest_by", 9.0},  {"rest_fraction", 0.1},
                                {"step_size", 0.1},   {"self_contact_depth", 0.01}};
  EXPECT_EQ(Translated(scene, used).warnings, Words());
}

TEST(ResponseTranslation, CallsFrictionADirectionOrNothing) {
  EXPECT_EQ(Entry(PressScene(), "obstacle.ball.friction", AsInTheSource()).fidelity,
            Fidelity::kApproximated);
  EXPECT_EQ(Entry(PressScene(), "obstacle.ball.friction").fidelity, Fidelity::kIgnored);
  EXPECT_EQ(Entry(PressScene(), "obstacle.ball").fidelity, Fidelity::kExact);
  EXPECT_EQ(Entry(PressScene(), "obstacle.ball.motion").fidelity, Fidelity::kExact);
}

TEST(ResponseParameters, ListsHaveOneValueOrOnePerLevel) {
  const Scene scene = PressScene();
  for (const char* name : {"absorption", "damping_time", "relaxation_time", "yield"}) {
    EXPECT_EQ(Complaint(scene, {{name, Numbers{0.1}}}), "");
    EXPECT_EQ(Complaint(scene, {{name, Numbers(5, 0.1)}}), "");
    const std::string complaint = Complaint(scene, {{name, Numbers(4, 0.1)}});
    EXPECT_THAT(complaint, HasSubstr(std::string(name) + ": "));
    EXPECT_THAT(complaint, Says({"has 4 values", "5 levels"}));
    EXPECT_THAT(Complaint(scene, {{name, Numbers{}}}), HasSubstr("has 0 values"));
  }
}

TEST(ResponseParameters, SayTheirRange) {
  const Scene scene = PressScene();
  auto complain = [&](const std::string& name, double value) {
    return Complaint(scene, {{name, Numbers{value}}});
  };
  EXPECT_THAT(complain("absorption", 1.5), HasSubstr("between -1 and 1"));
  EXPECT_EQ(complain("absorption", -1.0), "");
  EXPECT_THAT(complain("damping_time", -1.0), HasSubstr("at least 0"));
  EXPECT_THAT(complain("damping_time", INFINITY), HasSubstr("at least 0"));
  EXPECT_THAT(complain("relaxation_time", -0.1), HasSubstr("at least 0, inf allowed"));
  EXPECT_EQ(complain("relaxation_time", INFINITY), "");
  EXPECT_EQ(complain("yield", INFINITY), "");
  EXPECT_THAT(complain("yield", NAN), HasSubstr("out of range"));
  EXPECT_THAT(Complaint(scene, {{"restriction", std::string("mean")}}), HasSubstr("restriction"));
}

TEST(ResponseStrip, PressesHoldsAndRecovers) {
  const Scene scene = PressScene();
  const auto simulation = Started(scene, AsInTheSource());
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  Observation o = After(simulation.get(), 0.002, 200);  // at the deepest
  EXPECT_LT(o.points.row(1).minCoeff(), -0.23);
  EXPECT_LT(MeasurePenetration(scene, o.time, o.points)->max, 2e-3);
  EXPECT_GT(*o.extras[1], 0.0);
  EXPECT_GE(*o.extras[0], 0.9);
  EXPECT_FALSE(o.velocities.has_value());
  EXPECT_FALSE(o.elastic_energy.has_value());
  EXPECT_FALSE(o.work.has_value());
  EXPECT_FALSE(o.constraint_error.has_value());
  EXPECT_FALSE(o.condition_number.has_value());
  o = After(simulation.get(), 0.002, 300);  // away again
  EXPECT_EQ(*o.extras[1], 0.0);
  EXPECT_EQ(o.extras[0], std::nullopt);
  const double left = DistanceBetween(o.points, start).max;
  o = After(simulation.get(), 0.002, 150);  // one relaxation time later
  EXPECT_NEAR(DistanceBetween(o.points, start).max, left * std::exp(-1.0), 0.03 * left);
  o = After(simulation.get(), 0.5, 20);
  EXPECT_LT(DistanceBetween(o.points, start).max, 1e-12);
}

TEST(ResponseStrip, RelaxesAndDampsInTimeAndNotInSteps) {
  // All on the finest level, and nothing slides: the same in steps of any length.
  Scene scene = PressScene();
  scene.obstacles[0].motion = Path::Still({0, 0.2, 0});
  scene.obstacles[0].friction = 0.0;
  const ParameterValues controls = {{"absorption", Numbers{0.0}},
                                    {"damping_time", Numbers{0.2}},
                                    {"relaxation_time", Numbers{INFINITY}}};
  const int middle = 8 + 17 * 8;
  for (const int steps : {1, 10, 160}) {
    const auto simulation = Started(scene, controls);
    const Observation o = After(simulation.get(), 0.4 / steps, steps);
    EXPECT_NEAR(o.points(1, middle), -0.2 * (1.0 - std::exp(-2.0)), 1e-13) << steps;
  }
}

TEST(ResponseStrip, ConvergesAsTheStepShrinks) {
  const Scene scene = PressScene();
  auto at = [&](int steps) {
    const auto simulation = Started(scene);
    return After(simulation.get(), 0.7 / steps, steps).points;
  };
  const Eigen::Matrix3Xd reference = at(1600);
  const double coarse = DistanceBetween(at(50), reference).rms;
  const double fine = DistanceBetween(at(400), reference).rms;
  EXPECT_LT(fine, 0.5 * coarse);
  EXPECT_LT(fine, 5e-3);
}

TEST(ResponseStrip, RemembersAfterRestoreWhichWayAStoppedObstaclePushed) {
  Scene scene = PressScene();
  scene.obstacles[0].motion = PathThrough({0.0, 0.2}, {{-0.3, 0.2, 0}, {0.1, 0.2, 0}});
  scene.obstacles[0].friction = 0.9;
  const auto first = Started(scene, AsInTheSource());
  After(first.get(), 0.01, 30);  // it stopped at 0.2 s
  const auto second = Started(scene, AsInTheSource());
  second->Restore(first->Save());
  EXPECT_EQ(After(second.get(), 0.01, 5).points, After(first.get(), 0.01, 5).points);
}

TEST(ResponseStrip, ControlsGoOverToTheirNextStageInTime) {
  // All on the coarsest level: it takes half in the first stage, nothing later.
  Scene scene = PressScene(2);
  scene.obstacles[0].shape = Plane{-Vector3d::UnitY()};
  scene.obstacles[0].motion = PathThrough({0.0, 1.0}, {{0, 0, 0}, {0, -1, 0}});
  const ParameterValues staged = {{"relaxation_time", Numbers{INFINITY}},
                                  {"damping_time", Numbers{0.0, 1e15, 0.0}},
                                  {"stage_times", Numbers{0.3, 0.6}}};
  const auto simulation = Started(scene, staged);
  EXPECT_NEAR(After(simulation.get(), 0.1, 3).points(1, 0), -0.3, 1e-12);
  EXPECT_NEAR(After(simulation.get(), 0.1, 3).points(1, 0), -0.3, 1e-12);
  EXPECT_NEAR(After(simulation.get(), 0.1, 1).points(1, 0), -0.7, 1e-12);
}

TEST(ResponseParameters, NameTheStagesThatListsDoNotFit) {
  const Scene scene = PressScene();  // 5 levels
  EXPECT_THAT(Complaint(scene, {{"absorption", Numbers(7, 0.1)}, {"stage_times", Numbers{1.0}}}),
              HasSubstr("absorption has 7 values, but the surface of body 'slab' has 5 levels and "
                        "there are 2 stages; give 1 or 5 or 10 values"));
  EXPECT_EQ(Complaint(scene, {{"absorption", Numbers(10, 0.1)}, {"stage_times", Numbers{1.0}}}),
            "");
  EXPECT_THAT(Complaint(scene, {{"stage_times", Numbers{1.0, 0.5}}}),
              HasSubstr("stage_times: stages must begin one after the other, but stage 3"));
}

TEST(ResponseStrip, MeasuresHowFarHowWideAndHowMuch) {
  // A plane presses a patch of a sheet down by 0.1: the answer is closed form for a rigid shift.
  Scene scene = PressScene(9);
  scene.obstacles[0].shape = Plane{-Vector3d::UnitY()};
  scene.obstacles[0].motion = Path::Still({0, -0.1, 0});
  const auto whole = Started(scene);
  Observation o = After(whole.get(), 0.01, 1);
  EXPECT_NEAR(*o.extras[4], 0.1, 1e-12);
  EXPECT_NEAR(*o.extras[5], 1.0, 1e-12);
  EXPECT_NEAR(*o.extras[6], -0.4, 1e-12);           // 2 m × 2 m × 0.1 m
  scene.obstacles[0].shape = Box{{0.3, 0.1, 0.3}};  // 3 × 3 vertices of a quarter metre each
  scene.obstacles[0].motion = Path::Still({0, 0.0, 0});
  const auto patch = Started(scene, With(AsInTheSource(), "absorption", Numbers{0.0}));
  o = After(patch.get(), 0.01, 1);
  EXPECT_NEAR(*o.extras[5], 9 * 0.0625 / 4.0, 1e-12);
  EXPECT_NEAR(*o.extras[6], -9 * 0.0625 * 0.1, 1e-12);
}

TEST(ResponseStrip, PushesAlongTheWayInAlsoInTheStepInWhichTheObstacleTurns) {
  Scene scene = PressScene();
  scene.obstacles[0].motion =
      PathThrough({0.0, 0.2, 0.4}, {{0, 0.45, 0}, {0, 0.25, 0}, {0, 0.9, 0}});
  scene.obstacles[0].friction = 1.0;
  const ParameterValues clay =
      With(With(AsInTheSource(), "absorption", Numbers{0.0}), "yield", Numbers{0.0});
  const auto simulation = Started(scene, clay);
  const Observation o = After(simulation.get(), 0.02, 20);
  const Eigen::Matrix3Xd moved = o.points - scene.InitialPoints();
  EXPECT_NEAR(moved.row(1).minCoeff(), -0.15, 1e-12);
  EXPECT_LT(moved.row(0).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(moved.row(2).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(ResponseStrip, DividesStepsInWhichAnObstacleWouldPassThrough) {
  Scene scene = PressScene();
  scene.obstacles[0].motion = PathThrough({0.0, 0.1}, {{0, 1.95, 0}, {0, -1.95, 0}});
  const ParameterValues plastic = {{"yield", Numbers{0.0}}};
  const auto simulation = Started(scene, plastic);
  const Observation o = After(simulation.get(), 0.1, 1);  // 3.9 m, almost ten radii
  EXPECT_EQ(o.iterations, 10);
  EXPECT_LT(o.points.row(1).minCoeff(), -1.0);
  EXPECT_GT(*o.extras[2], 0.1);
}

TEST(ResponseStrip, SeesAnObstacleThatComesAndGoesWithinAStep) {
  Scene scene = PressScene();
  scene.obstacles[0].motion =
      PathThrough({0.0, 0.05, 0.1}, {{0, 1.25, 0}, {0, 0.15, 0}, {0, 1.25, 0}});
  const auto simulation = Started(scene, {{"yield", Numbers{0.0}}});
  EXPECT_GT(After(simulation.get(), 0.1, 1).extras[2].value(), 0.01);
}

TEST(ResponseStrip, PassesOfOneStepAreShorterStepsAndNotMoreOfThem) {
  Scene scene = PressScene();
  scene.obstacles[0].motion = PathThrough({0.0, 0.1}, {{0, 1.95, 0}, {0, -1.95, 0}});
  const ParameterValues slow = {{"relaxation_time", Numbers{0.02}},
                                {"damping_time", Numbers{0.01}}};
  const auto divided = Started(scene, slow), stepped = Started(scene, slow);
  const Observation one = After(divided.get(), 0.1, 1), ten = After(stepped.get(), 0.01, 10);
  EXPECT_EQ(one.iterations, ten.iterations);
  EXPECT_LT(DistanceBetween(one.points, ten.points).max, 1e-12);
}

TEST(ResponseStrip, FrictionDragsTheSurfaceAlong) {
  auto farthest = [](double friction) {
    Scene scene = PressScene();
    scene.obstacles[0].motion = PathThrough({0.0, 0.2}, {{-0.3, 0.25, 0}, {0.3, 0.25, 0}});
    scene.obstacles[0].friction = friction;
    const auto simulation = Started(scene, AsInTheSource());
    const Observation o = After(simulation.get(), 0.01, 20);
    return (o.points - scene.InitialPoints()).row(0).maxCoeff();
  };
  EXPECT_GT(farthest(0.5), 2.0 * farthest(0.0));
  EXPECT_GT(farthest(0.9), 1.5 * farthest(0.5));
  EXPECT_EQ(farthest(3.0), farthest(1.0));
}

TEST(ResponseStrip, ReportsObstaclesTooFastToDivideFor) {
  Scene scene = PressScene();
  scene.obstacles[0].motion = PathThrough({0.0, 0.1}, {{0, 500.0, 0}, {0, -500.0, 0}});
  const auto simulation = Started(scene);
  EXPECT_EQ(simulation->Advance(0.1).kind, StepOutcome::Kind::kNotConverged);
}

TEST(ResponseStrip, ShowsASwallowedSurfaceAndGoesOn) {
  Scene scene = PressScene();
  scene.obstacles[0].shape = Sphere{5.0};
  scene.obstacles[0].motion = Path::Still({0, 0.1, 0});
  const auto simulation = Started(scene);
  const Observation o = After(simulation.get(), 0.01, 1);
  EXPECT_EQ(*o.extras[1], 1.0);
  EXPECT_TRUE(o.points.allFinite());
  EXPECT_LT(MeasurePenetration(scene, o.time, o.points)->max, 1e-9);
}

TEST(ResponseStrip, ReportsABulgeThatFeedsItselfAsDiverged) {
  // Bulging into a half space makes the penetration it answers to deeper.
  Scene scene = PressScene();
  scene.obstacles[0].shape = Plane{-Vector3d::UnitY()};
  scene.obstacles[0].motion = Path::Still({0, -0.01, 0});
  const ParameterValues runaway = {{"absorption", Numbers{-1.0}},
                                   {"relaxation_time", Numbers{INFINITY}}};
  const auto simulation = Started(scene, runaway);
  const StepOutcome outcome = AdvanceUntilItStops(simulation.get(), 0.01, 100);
  EXPECT_EQ(outcome.kind, StepOutcome::Kind::kDiverged);
  EXPECT_THAT(outcome.quantity, HasSubstr("surface"));
}

TEST(ResponseStrip, MovesPlanarChainsToo) {
  Scene scene = Weightless({MakeChain("rope", {-1, 0, 0}, {1, 0, 0}, 33, 1.0)}, 2);
  scene.obstacles.push_back({"ball", Sphere{0.4}, Path::Still({0, 0.25, 0}), 0.0});
  const auto simulation = Started(scene, AsInTheSource());
  const Observation o = After(simulation.get(), 0.01, 20);
  EXPECT_NEAR(o.points(1, 16), -0.15, 5e-3);
  EXPECT_LT(MeasurePenetration(scene, o.time, o.points)->max, 2e-3);
  EXPECT_EQ(o.points.row(2).cwiseAbs().maxCoeff(), 0.0);  // stays in the plane
  EXPECT_LT(o.points(1, 0), -0.005);                      // the coarsest level answered
}

TEST(ResponseStrip, SurfacesOfOneSceneAnswerEachForItself) {
  Scene scene = PressScene();
  scene.bodies.push_back(MakeSheet("other", {1, 1}, {9, 9}, 1.0));
  scene.bodies[1].position = {5, 0, 0};
  const auto simulation = Started(scene);
  const Observation o = After(simulation.get(), 0.01, 40);
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  EXPECT_LT(o.points.row(1).head(17 * 17).minCoeff(), -0.2);
  EXPECT_LT((o.points - start).rightCols(81).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_THAT(Complaint(scene, {{"absorption", Numbers(5, 0.1)}}),
              HasSubstr("body 'other' has 4 levels"));
}

}  // namespace
}  // namespace pliant::kinematic_response
