#include "models/geometry/grid_hierarchy.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(GridHierarchy, KnowsWhichCountsArePowersOfTwoAndOne) {
  for (int k = 0; k < 12; ++k) EXPECT_EQ(DyadicLevel((1 << k) + 1), k);
  for (int n : {0, 1, 4, 6, 7, 8, 10, 16, 18, 1024}) EXPECT_EQ(DyadicLevel(n), std::nullopt) << n;
}

TEST(GridHierarchy, NamesTheSizesOnBothSides) {
  EXPECT_EQ(NearestDyadic(2).below, 2);
  EXPECT_EQ(NearestDyadic(16).below, 9);
  EXPECT_EQ(NearestDyadic(16).above, 17);
  EXPECT_EQ(NearestDyadic(17).below, 17);
  EXPECT_EQ(NearestDyadic(17).above, 17);
  EXPECT_EQ(NearestDyadic(20).above, 33);
}

TEST(GridHierarchy, HalvesTheCellsOfSheetsAndCurves) {
  const std::vector<GridSize> sheet = GridHierarchy({9, 9});
  ASSERT_EQ(sheet.size(), 4u);
  EXPECT_EQ(sheet[0], (GridSize{2, 2}));
  EXPECT_EQ(sheet[1], (GridSize{3, 3}));
  EXPECT_EQ(sheet[3], (GridSize{9, 9}));
  const std::vector<GridSize> curve = GridHierarchy({5, 1});
  ASSERT_EQ(curve.size(), 3u);
  EXPECT_EQ(curve[0], (GridSize{2, 1}));
  EXPECT_EQ(curve[2], (GridSize{5, 1}));
}

TEST(GridHierarchy, SubsampleTakesTheVerticesThatCoincide) {
  const GridSize fine{5, 5};
  GridVectors values(25, 3);
  for (int v = 0; v < 5; ++v) {
    for (int u = 0; u < 5; ++u) values.row(fine.Index(u, v)) << u, v, 10 * u + v;
  }
  const GridVectors taken = Subsample(fine, values, {3, 3});
  for (int v = 0; v < 3; ++v) {
    for (int u = 0; u < 3; ++u) {
      EXPECT_EQ(taken.row(u + 3 * v), Eigen::RowVector3d(2 * u, 2 * v, 20 * u + 2 * v));
    }
  }
}

}  // namespace
}  // namespace pliant
