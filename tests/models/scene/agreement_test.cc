// Constraints that no motion of the points could meet are reported before anything runs; those that
// agree, and those that only the deformation of a body forbids, are not.

#include "models/scene/agreement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/problem.h"
#include "models/scene/shapes.h"
#include "models/scene/validate.h"
#include "tests/says.h"
#include "tests/scenes.h"

namespace pliant {
namespace {

using Eigen::Vector3d;
using ::testing::HasSubstr;

// Three rods of two points, end to end along x; "joint0" and "joint1" hold them together.
Scene Rods() {
  Scene scene;
  scene.dimension = 2;
  for (int i = 0; i < 3; ++i) {
    scene.bodies.push_back(MakeChain("rod" + std::to_string(i), {0, 0, 0}, {1, 0, 0}, 2, 1.0));
    scene.bodies.back().position = Vector3d(i, 0, 0);
    if (i > 0) scene.attachments.push_back({"joint" + std::to_string(i - 1), {i - 1, 1}, {i, 0}});
  }
  return scene;
}

Nail Still(const std::string& name, PointRef point, const Vector3d& at) {
  return {name, point, Path::Still(at)};
}

Nail Led(const std::string& name, PointRef point, const Vector3d& from, const Vector3d& to) {
  Eigen::Matrix3Xd keys(3, 2);
  keys << from, to;
  return {name, point, Path({0.0, 1.0}, keys, Path::Interpolation::kCubic)};
}

Problem ProblemOf(const Scene& scene) {
  try {
    Validate(scene);
  } catch (const BadInput& bad) {
    return bad.problem();
  }
  return {};
}

TEST(Agreement, TwoNailsPullJoinedPointsApart) {
  Scene scene = Rods();
  scene.nails = {Still("left", {0, 1}, {1, 0, 0}), Led("right", {1, 0}, {1, 0, 0}, {1, 0.5, 0}),
                 Still("far", {2, 1}, {3, 0, 0})};
  const Problem problem = ProblemOf(scene);
  EXPECT_EQ(problem.where, "attachment[0]");
  EXPECT_EQ(problem.what,
            "constraints contradict each other: at 0.3 s nail.left, nail.right, attachment.joint0 "
            "cannot all hold");

  scene.nails[1] = Still("right", {1, 0}, {1, 1e-8, 0});
  EXPECT_EQ(ProblemOf(scene).what, "") << "the numbers of a file are rounded";
  scene.nails[0] = Led("left", {0, 1}, {1, 0, 0}, {1, 0.5, 0});
  scene.nails[1] = Led("right", {1, 0}, {1, 0, 0}, {1, 0.5, 0});
  EXPECT_EQ(ProblemOf(scene).what, "") << "the same way for both";
}

TEST(Agreement, IsAskedForWhileConstraintsHoldTogether) {
  Scene scene = Rods();
  scene.nails = {Still("left", {0, 1}, {1, 0, 0}), Still("right", {1, 0}, {1, 2, 0})};
  scene.nails[0].hold = {0.0, 1.0};
  scene.nails[1].hold = {1.0, 5.0};
  EXPECT_EQ(ProblemOf(scene).what, "");
  scene.nails[1].hold = {0.9, 5.0};
  EXPECT_THAT(ProblemOf(scene).what, HasSubstr("at 0.9 s"));
  scene.attachments[0].hold.until = 0.9;
  EXPECT_EQ(ProblemOf(scene).what, "");
}

// Whether a chain of points in one place leads from one nail to the other does not depend on order
// or length.
TEST(Agreement, FollowsPointsFromJointToJoint) {
  Scene scene = Rods();
  scene.bodies[2].position = scene.bodies[1].position;
  scene.attachments = {{"b", {2, 0}, {1, 0}}, {"a", {0, 1}, {1, 0}}, {"c", {0, 1}, {2, 0}}};
  scene.nails = {Still("hook", {2, 0}, {1, 0, 0})};
  EXPECT_EQ(ProblemOf(scene).what, "") << "a ring of joints is redundant, not contradictory";
  scene.nails.push_back(Still("wall", {0, 1}, {1, 0.25, 0}));
  const Problem problem = ProblemOf(scene);
  EXPECT_THAT(problem.what, Says({"nail.hook, nail.wall", "attachment.b"}));
}

TEST(Agreement, OfSlidersIsAlongTheirDirections) {
  Scene scene = Rods();
  const Vector3d slope = Vector3d(1, 1, 0).normalized();
  scene.sliders = {{"rail", {0, 0}, Slider::Kind::kLine, slope, {0, 0, 0}}};
  scene.nails = {Led("hand", {0, 0}, {0, 0, 0}, {2, 2, 0})};
  EXPECT_EQ(ProblemOf(scene).what, "") << "led along its rail";
  scene.nails = {Led("hand", {0, 0}, {0, 0, 0}, {2, 1, 0})};
  EXPECT_EQ(ProblemOf(scene).where, "slider[0]");
  scene.nails.clear();
  scene.sliders.push_back({"other", {0, 0}, Slider::Kind::kLine, slope, {0, 1, 0}});
  EXPECT_EQ(ProblemOf(scene).where, "slider[1]") << "two parallel rails";
  scene.sliders[1].direction = Vector3d::UnitX();
  EXPECT_EQ(ProblemOf(scene).what, "") << "where they cross";
}

TEST(Agreement, OfCombinationsCountsTheirWeights) {
  Scene scene = Rods();
  scene.nails = {Still("a", {0, 0}, {0, 0, 0}), Still("b", {0, 1}, {1, 0, 0})};
  Combination middle{"middle", {{{0, 0}, 0.5}, {{0, 1}, 0.5}}, Path::Still({0.5, 0, 0})};
  scene.combinations = {middle};
  EXPECT_EQ(ProblemOf(scene).what, "");
  scene.combinations[0].terms[1].weight = 0.75;
  EXPECT_EQ(ProblemOf(scene).where, "combination[0]");
}

// An affine body cannot be taken to four corners of its own; other formulations may.
TEST(Agreement, LeavesDeformationToTheFormulations) {
  Scene scene = SceneOf({MakeSheet("sheet", {1, 1}, {2, 2}, 1.0)}, 2);
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  for (int i = 0; i < 4; ++i) {
    const Vector3d way(0, i == 3 ? 0.5 : 0.0, 0);
    scene.nails.push_back(Led("n" + std::to_string(i), {0, i}, start.col(i), start.col(i) + way));
  }
  EXPECT_EQ(ProblemOf(scene).what, "");
}

}  // namespace
}  // namespace pliant
