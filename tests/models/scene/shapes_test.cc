#include "models/scene/shapes.h"

#include <gtest/gtest.h>

#include "models/scene/metrics.h"
#include "models/scene/problem.h"
#include "models/scene/validate.h"

namespace pliant {
namespace {

Scene SceneOf(Body body) {
  Scene scene;
  scene.bodies.push_back(std::move(body));
  return scene;
}

TEST(Shapes, SpreadTheirMassEvenly) {
  for (const Body& body :
       {MakeChain("c", {0, 0, 0}, {1, 0, 0}, 5, 2.0), MakeSheet("s", {1, 2}, {3, 5}, 2.0),
        MakeBlock("b", {1, 2, 3}, {2, 3, 4}, 2.0)}) {
    EXPECT_NEAR(body.mass.sum(), 2.0, 1e-15);
    EXPECT_EQ(body.mass.minCoeff(), body.mass.maxCoeff());
    EXPECT_NO_THROW(Validate(SceneOf(body)));
  }
}

TEST(Shapes, ClosedSurfaceOfABlockHasItsVolume) {
  Scene scene = SceneOf(MakeBlock("b", {1, 2, 3}, {3, 4, 2}, 1.0));
  scene.bodies[0].stretch = Eigen::Vector3d(1.1, 0.9, 2.0).asDiagonal();
  EXPECT_NEAR(*ExtentRatio(scene, scene.InitialPoints()), 1.1 * 0.9 * 2.0, 1e-14);
}

TEST(Shapes, FacesOfASheetPointAlongItsNormal) {
  const Body sheet = MakeSheet("s", {1, 1}, {3, 3}, 1.0);
  for (const auto& face : sheet.faces) {
    const Eigen::Vector3d u = sheet.rest.col(face[1]) - sheet.rest.col(face[0]);
    const Eigen::Vector3d v = sheet.rest.col(face[2]) - sheet.rest.col(face[0]);
    EXPECT_GT(u.cross(v).z(), 0.0);
  }
  EXPECT_EQ(sheet.edges.size(), 12u);
}

TEST(Shapes, GroupsNameTheRightPoints) {
  const Body sheet = MakeSheet("s", {1, 1}, {4, 3}, 1.0);
  EXPECT_EQ(PointGroup(sheet, "all").size(), 12u);
  EXPECT_EQ(PointGroup(sheet, "corners"), (std::vector<int>{0, 3, 8, 11}));
  EXPECT_EQ(PointGroup(sheet, "border").size(), 10u);
  EXPECT_EQ(PointGroup(sheet, "top"), (std::vector<int>{8, 9, 10, 11}));
  EXPECT_EQ(PointGroup(sheet, "end"), (std::vector<int>{11}));
  const Body block = MakeBlock("b", {1, 1, 1}, {3, 3, 3}, 1.0);
  EXPECT_EQ(PointGroup(block, "border").size(), 26u);
  EXPECT_EQ(PointGroup(block, "corners").size(), 8u);
  EXPECT_EQ(PointGroup(block, "bottom").size(), 9u);
  EXPECT_EQ(GridPoint(sheet, {1, 2}), 9);
}

TEST(Shapes, RefuseWhatTheyLack) {
  Body profile = MakeChain("c", {0, 0, 0}, {1, 0, 0}, 3, 1.0);
  profile.grid = {0, 0, 0};
  EXPECT_THROW(PointGroup(profile, "corners"), BadInput);
  EXPECT_THROW(PointGroup(profile, "cornres"), BadInput);
  EXPECT_THROW(GridPoint(profile, {0}), BadInput);
  EXPECT_THROW(GridPoint(MakeSheet("s", {1, 1}, {4, 3}, 1.0), {4, 0}), BadInput);
  EXPECT_THROW(MakeChain("c", {0, 0, 0}, {1, 0, 0}, 1, 1.0), BadInput);
  EXPECT_THROW(MakeSheet("s", {1, 1}, {4, 3}, -1.0), BadInput);
}

}  // namespace
}  // namespace pliant
