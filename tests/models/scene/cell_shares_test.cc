#include "models/scene/cell_shares.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/scene/material.h"
#include "models/scene/shapes.h"

namespace pliant {
namespace {

std::vector<int> AllOf(const Body& body) {
  std::vector<int> all;
  for (int p = 0; p < body.size(); ++p) all.push_back(p);
  return all;
}

double PartOf(const Body& body, const std::vector<int>& points, int point) {
  const Eigen::VectorXd parts = PartsOfLoad(body, points);
  EXPECT_NEAR(parts.sum(), 1.0, 1e-15);
  for (size_t i = 0; i < points.size(); ++i) {
    if (points[i] == point) return parts[static_cast<Eigen::Index>(i)];
  }
  return -1.0;
}

TEST(PartsOfLoad, OfAFaceAreThoseOfItsArea) {
  const Body block = MakeBlock("block", {2.0, 1.0, 0.5}, {3, 3, 3}, 1.0);
  const std::vector<int> face = PointGroup(block, "y+");
  EXPECT_NEAR(PartOf(block, face, GridPoint(block, {0, 2, 0})), 1.0 / 16.0, 1e-15);
  EXPECT_NEAR(PartOf(block, face, GridPoint(block, {1, 2, 0})), 1.0 / 8.0, 1e-15);
  EXPECT_NEAR(PartOf(block, face, GridPoint(block, {1, 2, 1})), 1.0 / 4.0, 1e-15);
}

TEST(PartsOfLoad, OfABodyAreThoseOfItsVolume) {
  for (const Body& body :
       {MakeBlock("body", {2.0, 1.0, 0.5}, {3, 4, 2}, 1.0),
        MakeSheet("body", {1.0, 2.0}, {3, 5}, 1.0), MakeTorus("body", 0.5, 0.1, {12, 8}, 1.0)}) {
    const Eigen::VectorXd shares = VolumeShares(body, 1.0);
    EXPECT_LT((PartsOfLoad(body, AllOf(body)) - shares / shares.sum()).norm(), 1e-15);
  }
}

// The edge of a block, an L of two faces, a line through the inside, and points with nothing between.
TEST(PartsOfLoad, AreThoseOfTheHighestDimensionBetween) {
  const Body block = MakeBlock("block", {3.0, 1.0, 1.0}, {4, 3, 3}, 1.0);
  std::vector<int> edge, ell, line;
  for (int p = 0; p < block.size(); ++p) {
    const Eigen::Vector3d x = block.rest.col(p);
    const bool top = x.y() > 0.49, front = x.z() > 0.49;
    if (top && front) edge.push_back(p);
    if (top || front) ell.push_back(p);
    if (std::abs(x.y()) < 1e-9 && std::abs(x.z()) < 1e-9) line.push_back(p);
  }
  EXPECT_NEAR(PartOf(block, edge, GridPoint(block, {0, 2, 2})), 1.0 / 6.0, 1e-15);
  EXPECT_NEAR(PartOf(block, edge, GridPoint(block, {1, 2, 2})), 1.0 / 3.0, 1e-15);
  EXPECT_NEAR(PartOf(block, line, GridPoint(block, {0, 1, 1})), 1.0 / 6.0, 1e-15);
  // 12 cells of 1 × ½: a point inside the common edge belongs to four of them.
  EXPECT_NEAR(PartOf(block, ell, GridPoint(block, {1, 2, 2})), 1.0 / 12.0, 1e-15);
  const std::vector<int> apart = {GridPoint(block, {0, 0, 0}), GridPoint(block, {3, 0, 0}),
                                  GridPoint(block, {0, 2, 2})};
  EXPECT_NEAR(PartOf(block, apart, apart[1]), 1.0 / 3.0, 1e-15);
}

// A cell between two others counts once, as one on the boundary does.
TEST(PartsOfLoad, CountEachCellOnce) {
  const Body block = MakeBlock("block", {2.0, 2.0, 2.0}, {3, 3, 3}, 1.0);
  std::vector<int> tee;  // the face y+ and the plane in the middle below it
  for (int p = 0; p < block.size(); ++p) {
    const Eigen::Vector3d x = block.rest.col(p);
    if (x.y() > 0.9 || std::abs(x.z()) < 0.1) tee.push_back(p);
  }
  EXPECT_NEAR(PartOf(block, tee, GridPoint(block, {0, 2, 0})), 1.0 / 32.0, 1e-15);
  EXPECT_NEAR(PartOf(block, tee, GridPoint(block, {0, 0, 1})), 1.0 / 32.0, 1e-15);
}

// Columns of unlike widths: a line of two edges, 1 and 3 m long.
TEST(PartsOfLoad, FollowTheSizesOfCells) {
  Body chain = MakeChain("chain", {0.0, 0.0, 0.0}, {4.0, 0.0, 0.0}, 3, 1.0);
  chain.rest.col(1) = 0.75 * chain.rest.col(0) + 0.25 * chain.rest.col(2);
  const Eigen::VectorXd parts = PartsOfLoad(chain, {0, 1, 2});
  EXPECT_NEAR(parts[0], 1.0 / 8.0, 1e-15);
  EXPECT_NEAR(parts[1], 0.5, 1e-15);
  EXPECT_NEAR(parts[2], 3.0 / 8.0, 1e-15);
}

}  // namespace
}  // namespace pliant
