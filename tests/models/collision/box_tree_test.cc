#include "models/collision/box_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "tests/counted_allocations.h"
#include "tests/random_numbers.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

std::vector<Bounds> RandomBoxes(int count, std::uint64_t seed) {
  RandomNumbers random(seed);
  std::vector<Bounds> boxes;
  for (int i = 0; i < count; ++i) {
    Bounds box = Bounds::Of(random.Vector(), Vector3d::Zero());
    box.lower = random.Vector();
    box.upper = box.lower + 0.15 * random.Vector().cwiseAbs();
    boxes.push_back(box);
  }
  return boxes;
}

using Pairs = std::set<std::pair<int, int>>;

TEST(BoxTree, FindsTheOverlapsThatComparingAllBoxesFinds) {
  for (const int count : {1, 2, 3, 64, 301}) {
    const std::vector<Bounds> built = RandomBoxes(count, 1), boxes = RandomBoxes(count, 2),
                              others = RandomBoxes(77, 3);
    BoxTree tree(built);
    tree.Refit([&](int i) { return boxes[i]; });  // all of them elsewhere
    const BoxTree other(others);
    EXPECT_EQ(tree.size(), count);
    Pairs expected, expected_within, found, found_within, found_by_box;
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j < 77; ++j) {
        if (boxes[i].Overlaps(others[j])) expected.insert({i, j});
      }
      for (int j = i + 1; j < count; ++j) {
        if (boxes[i].Overlaps(boxes[j])) expected_within.insert({i, j});
      }
    }
    int visits = 0;
    tree.ForEachPair(other, [&](int i, int j) {
      found.insert({i, j});
      ++visits;
    });
    EXPECT_EQ(visits, static_cast<int>(found.size())) << "a pair is visited twice";
    visits = 0;
    tree.ForEachPairWithin([&](int i, int j) {
      found_within.insert({std::min(i, j), std::max(i, j)});
      ++visits;
    });
    EXPECT_EQ(visits, static_cast<int>(found_within.size())) << "a pair is visited twice";
    for (int j = 0; j < 77; ++j) {
      tree.ForEachOverlap(others[j], [&](int i) { found_by_box.insert({i, j}); });
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(found_by_box, expected);
    EXPECT_EQ(found_within, expected_within);
    EXPECT_TRUE(count < 64 || !expected.empty());
  }
  EXPECT_EQ(BoxTree().size(), 0);
  BoxTree(std::vector<Bounds>()).ForEachPairWithin([](int, int) { FAIL(); });
}

TEST(BoxTree, FindsTheNearestOfAllBoxes) {
  const std::vector<Bounds> boxes = RandomBoxes(200, 4);
  const BoxTree tree(boxes);
  RandomNumbers random(6);
  for (int i = 0; i < 300; ++i) {
    const Vector3d x = 1.5 * random.Vector();
    const auto squared = [&](int part) { return boxes[part].SquaredDistance(x); };
    int nearest = 0;
    for (int part = 1; part < 200; ++part) {
      if (squared(part) < squared(nearest)) nearest = part;
    }
    EXPECT_EQ(tree.FindNearest(x, 1e9, squared).part, nearest);
    EXPECT_EQ(tree.FindNearest(x, squared(nearest), squared).part,
              squared(nearest) > 0.0 ? -1 : tree.FindNearest(x, 0.0, squared).part);
  }
}

TEST(BoxTree, RefitsAndAsksWithoutAllocation) {
  const std::vector<Bounds> boxes = RandomBoxes(500, 1), moved = RandomBoxes(500, 8);
  BoxTree tree(boxes), other(boxes);
  int pairs = 0;
#ifdef PLIANT_COUNTS_ALLOCATIONS
  const long before = allocations;
#endif
  tree.Refit([&](int i) { return moved[i]; });
  tree.ForEachPair(other, [&](int, int) { ++pairs; });
  tree.ForEachPairWithin([&](int, int) { ++pairs; });
#ifdef PLIANT_COUNTS_ALLOCATIONS
  EXPECT_EQ(allocations, before);
#endif
  EXPECT_GT(pairs, 0);
}

// The same order each time: what follows from it is the same to the last bit.
TEST(BoxTree, VisitsInTheSameOrder) {
  const std::vector<Bounds> boxes = RandomBoxes(300, 9);
  const auto order = [&boxes] {
    std::vector<int> visited;
    BoxTree(boxes).ForEachPairWithin([&](int i, int j) {
      visited.push_back(i);
      visited.push_back(j);
    });
    return visited;
  };
  EXPECT_EQ(order(), order());
}

}  // namespace
}  // namespace pliant
