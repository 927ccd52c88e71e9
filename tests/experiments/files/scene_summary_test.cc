#include "experiments/files/scene_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/scene/shapes.h"
#include "tests/scenes.h"

namespace pliant {
namespace {

using testing::ElementsAre;
using Row = std::vector<std::string>;

TEST(SceneSummary, OfABareBodyIsTheBody) {
  Scene scene = SceneOf({MakeBlock("box", {1, 2, 3}, {2, 2, 2}, 8.0)});
  scene.bodies[0].position = {0, 5, 0};
  const std::vector<FindingTable> tables = SummaryOf(scene);
  ASSERT_EQ(tables.size(), 1u);
  // Eight corners of 1 kg: m (b² + c²) about each axis, with half sides.
  EXPECT_THAT(tables[0].rows, ElementsAre(Row{"box", "8", "8", "0 5 0", "1 2 3", "10 20 26"}));
}

TEST(SceneSummary, CountsThePointsOfEachName) {
  Scene scene = SceneOf({MakeBlock("box", {2, 2, 2}, {3, 3, 3}, 1.0)});
  for (int point : PointGroup(scene.bodies[0], "x-")) {
    scene.nails.push_back({"wall", {0, point}, Path::Still({0, 0, 0})});
  }
  scene.forces.push_back({"pull", {0, 26}, {1, 0, 0}});
  const std::vector<FindingTable> tables = SummaryOf(scene);
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_THAT(tables[1].rows, ElementsAre(Row{"nail.wall", "9", "-1 -1 -1", "-1 1 1"},
                                          Row{"force.pull", "1", "1 1 1", ""}));
}

// A cubic spline through 0, 1, 1, 0 rises above its keys.
TEST(SceneSummary, SaysWhereAPathOvershoots) {
  Scene scene = SceneOf({MakeChain("rod", {0, 0, 0}, {1, 0, 0}, 2, 1.0)});
  scene.dimension = 2;
  Eigen::Matrix3Xd keys = Eigen::Matrix3Xd::Zero(3, 4);
  keys.row(1) << 0, 1, 1, 0;
  scene.obstacles.push_back(
      {"lift", Plane{}, Path({0, 1, 2, 3}, keys, Path::Interpolation::kCubic)});
  const std::vector<FindingTable> tables = SummaryOf(scene);
  ASSERT_EQ(tables.size(), 2u);
  ASSERT_EQ(tables[1].rows.size(), 1u);
  const Row& row = tables[1].rows[0];
  EXPECT_EQ(row[0], "obstacle.lift");
  EXPECT_EQ(row[1], "0 0");
  // At rest at its ends it has the slope m at 1 s with 4 m − m = 3, so that its top is 1 + 2 m/8.
  EXPECT_EQ(row[2], "0 1.25");
}

}  // namespace
}  // namespace pliant
