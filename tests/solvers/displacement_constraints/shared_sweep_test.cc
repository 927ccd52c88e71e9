// Sweeps on several threads give the bytes of one.

#include "solvers/displacement_constraints/shared_sweep.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/solvers/projection/scenes.h"

namespace pliant::displacement_constraints {
namespace {

// Each item maps what it touches to something that depends on all of it and on the item: no two items of
// one slot commute.
class Slots {
 public:
  explicit Slots(int count) : values_(count, 1) {}
  void Apply(const SweptItems& items, int item) {
    std::uint64_t sum = 0;
    items.ForEachSlot(item, [&](int slot) { sum = 31 * sum + values_[slot]; });
    items.ForEachSlot(item, [&](int slot) {
      values_[slot] = 6364136223846793005U * (values_[slot] ^ (sum >> 7)) + item;
    });
  }
  bool operator==(const Slots&) const = default;

 private:
  std::vector<std::uint64_t> values_;
};

void ExpectTheSameOnThreads(const SweptItems& items, int slots, bool shared) {
  for (const bool back : {false, true}) {
    Slots alone(slots);
    for (int i = 0; i < items.size(); ++i) alone.Apply(items, back ? items.size() - 1 - i : i);
    for (const int threads : {2, 3, 7}) {
      SCOPED_TRACE(testing::Message() << threads << " threads, backwards: " << back);
      const SharedSweep sweep(items, threads);
      ASSERT_EQ(sweep.shared(), shared);
      if (!shared) continue;
      ThreadTeam team(threads);
      for (int repeat = 0; repeat < 5; ++repeat) {
        Slots together(slots);
        sweep.Run(&team, back, [&](int item, int) { together.Apply(items, item); });
        EXPECT_EQ(together, alone);
      }
    }
  }
}

// Chains one after the other, each item between neighbours.
TEST(SharedSweep, OfLooseChains) {
  SweptItems items;
  const int chains = 100, points = 9;
  for (int c = 0; c < chains; ++c) {
    for (int p = 1; p < points; ++p) {
      items.Add(c * points + p);
      items.Touches(c * points + p - 1);
      items.Touches(c * points + p);
    }
  }
  ExpectTheSameOnThreads(items, chains * points, true);
}

// A few long ones: they are not cut.
TEST(SharedSweep, OfTwoLongChains) {
  SweptItems items;
  for (int p = 1; p < 2000; ++p) {
    if (p == 1000) continue;
    items.Add(p);
    items.Touches(p - 1);
    items.Touches(p);
  }
  ExpectTheSameOnThreads(items, 2000, true);
}

// A grid of points, which touch the edges around them.
SweptItems GridItems(int side, const std::vector<int>& order) {
  SweptItems items;
  const auto right = [side](int u, int v) { return v * side + u; };
  const auto down = [side](int u, int v) { return side * side + v * side + u; };
  for (const int p : order) {
    const int u = p % side, v = p / side;
    items.Add(p);
    items.Touches(right(u, v));
    items.Touches(down(u, v));
    if (u > 0) items.Touches(right(u - 1, v));
    if (v > 0) items.Touches(down(u, v - 1));
  }
  return items;
}

TEST(SharedSweep, OfAGridInTwoColours) {
  const int side = 201;
  std::vector<int> order;
  for (const int colour : {0, 1}) {
    for (int p = 0; p < side * side; ++p) {
      if ((p % side + p / side) % 2 == colour) order.push_back(p);
    }
  }
  ExpectTheSameOnThreads(GridItems(side, order), 2 * side * side, true);
}

TEST(SharedSweep, IsNotOfAGridRowByRow) {
  std::vector<int> order(41 * 41);
  for (int p = 0; p < 41 * 41; ++p) order[p] = p;
  ExpectTheSameOnThreads(GridItems(41, order), 2 * 41 * 41, false);
}

TEST(SharedSweep, OfNothingIsNotShared) { EXPECT_FALSE(SharedSweep(SweptItems(), 4).shared()); }

// The state after 40 steps.
Eigen::VectorXd EndOf(const Scene& scene, ParameterValues parameters, int threads) {
  parameters["threads"] = std::int64_t{threads};
  const Translation translation = TranslateBy("displacement-constraints", scene, parameters);
  for (int i = 0; i < 40; ++i) translation.simulation->Advance(0.005);
  return translation.simulation->Save();
}

void ExpectTheSameMotion(const Scene& scene, const ParameterValues& parameters) {
  const Eigen::VectorXd alone = EndOf(scene, parameters, 1);
  for (const int threads : {2, 3}) {
    EXPECT_EQ(EndOf(scene, parameters, threads), alone) << threads << " threads";
  }
}

Scene HungSheet(int side) {
  Scene scene = Weightless({Sheet(side)});
  scene.gravity = {0.0, -kG, -kG};
  scene.nails = {NailWhereItStarts(scene, "hook", {0, 0})};
  return scene;
}

TEST(SharedSweep, OfASheetGivesTheSameMotion) {
  ExpectTheSameMotion(HungSheet(81), {{"order", "coloured"}, {"max_sweeps", std::int64_t{7}}});
}

TEST(SharedSweep, OfATearingSheetGivesTheSameMotion) {
  ExpectTheSameMotion(HungSheet(81), {{"order", "coloured"},
                                      {"max_sweeps", std::int64_t{7}},
                                      {"break_force", 3.0},
                                      {"break_resolution", 1.0}});
}

TEST(SharedSweep, OfManySheetsGivesTheSameMotion) {
  Scene scene = Weightless({});
  scene.gravity = {0.0, -kG, -kG};
  for (int b = 0; b < 50; ++b) {
    Body sheet = Sheet(5);
    sheet.name += std::to_string(b);
    sheet.position.x() = 2.0 * b;
    scene.bodies.push_back(sheet);
  }
  for (int b = 0; b < 50; ++b) {
    scene.nails.push_back(NailWhereItStarts(scene, "hook" + std::to_string(b), {b, 0}));
  }
  for (const char* order : {"sequential", "symmetric"})
    ExpectTheSameMotion(scene, {{"order", order}});
}

}  // namespace
}  // namespace pliant::displacement_constraints
