// The backend: what it makes of scenes and parameters.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/step_pictures.h"
#include "tests/says.h"
#include "tests/scenes.h"
#include "tests/solvers/kinematic_response/press.h"
#include "tests/solvers/kinematic_response/runs.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Vector3d;
using testing::HasSubstr;

std::string WhyNot(const Scene& scene, const ParameterValues& parameters = {}) {
  return Translated(scene, parameters).record.WhyUnsupported();
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

}  // namespace
}  // namespace pliant::kinematic_response
