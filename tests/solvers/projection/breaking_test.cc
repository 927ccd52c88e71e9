// Edges break by the force that they bear, not by what sweeps leave over.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "models/scene/shapes.h"
#include "solvers/projection/scene_edges.h"
#include "tests/solvers/projection/scenes.h"

namespace pliant {
namespace {

// 1 kg in 11 points on a hook: each edge bears the weight of what is below it.
Scene Rope() {
  Scene scene = Weightless({MakeChain("rope", {0, 0, 0}, {0, -1, 0}, 11, 1.0)});
  scene.gravity = {0.0, -kG, 0.0};
  scene.nails = {NailWhereItStarts(scene, "hook", {0, 0})};
  return scene;
}
double Borne(const Scene& scene) { return kG * (scene.Masses().sum() - scene.bodies[0].mass[0]); }

TEST(Breaking, ARopeAtRestBreaksWhereItBearsMoreAndNotBefore) {
  const Scene scene = Rope();
  const double top = Borne(scene);
  for (const char* formulation : kSweepingFormulations) {
    for (const double h : {0.02, 0.005, 0.001}) {
      SCOPED_TRACE(testing::Message() << formulation << ", step " << h);
      const int steps = static_cast<int>(std::lround(0.2 / h));
      const Translation holds = TranslateBy(formulation, scene, {{"break_force", 1.05 * top}});
      EXPECT_THAT(holds.warnings, testing::IsEmpty());
      RunFor(holds.simulation.get(), steps, h);
      EXPECT_TRUE(holds.simulation->events().empty());

      const Translation parts = TranslateBy(formulation, scene, {{"break_force", 0.95 * top}});
      RunFor(parts.simulation.get(), steps, h);
      ASSERT_EQ(parts.simulation->events().size(), 1u);
      EXPECT_EQ(parts.simulation->events()[0].what,
                "the edge from point 0 of rope to point 1 of rope breaks");
    }
  }
}

// However much more than it bears breaks it: the first sweeps close gaps between neighbours fast, long
// before the load at the hook has come to the end.
TEST(Breaking, ARopeAtRestHoldsWhateverItCouldBear) {
  for (const char* formulation : kSweepingFormulations) {
    for (const double force : {10.0, 12.0, 15.0, 20.0, 30.0}) {
      for (const double h : {0.02, 0.005, 0.001}) {
        SCOPED_TRACE(testing::Message() << formulation << ", " << force << " N, step " << h);
        const Translation rope = TranslateBy(formulation, Rope(), {{"break_force", force}});
        RunFor(rope.simulation.get(), static_cast<int>(std::lround(0.1 / h)), h);
        EXPECT_TRUE(rope.simulation->events().empty());
      }
    }
  }
}

// Ways along edges and attachments.
TEST(Breaking, CountsTheEdgesAcrossAScene) {
  Scene scene = Rope();
  EXPECT_EQ(EdgesAcross(scene), 10);
  scene.bodies.push_back(MakeChain("tail", {0, -1, 0}, {1, -1, 0}, 5, 1.0));
  EXPECT_EQ(EdgesAcross(scene), 10) << "apart";
  scene.attachments = {{"knot", {0, 10}, {1, 0}}};
  EXPECT_EQ(EdgesAcross(scene), 15);
  EXPECT_EQ(EdgesAcross(Weightless({Sheet(5)})), 8);
}

// Where gaps within the tolerance suffice, it breaks at 15 N though it bears no more than 9.81 N;
// the record says so.
TEST(Breaking, UnresolvedTensionsBreakARopeAtRest) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const char* formulation : kSweepingFormulations) {
    const Translation translation =
        TranslateBy(formulation, Rope(), {{"break_force", 15.0}, {"break_resolution", inf}});
    EXPECT_THAT(translation.warnings,
                testing::ElementsAre(testing::HasSubstr("break_resolution = inf")));
    RunFor(translation.simulation.get(), 40, 0.005);
    EXPECT_FALSE(translation.simulation->events().empty()) << formulation;
  }
}

}  // namespace
}  // namespace pliant
