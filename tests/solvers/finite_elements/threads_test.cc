// Sums over elements that threads share, and steps that are cancelled.

#include <gtest/gtest.h>

#include <stop_token>
#include <string>
#include <vector>

#include "models/scene/shapes.h"
#include "solvers/finite_elements/element_colours.h"
#include "solvers/parallel/cancellation.h"
#include "tests/scenes.h"
#include "tests/solvers/finite_elements/started.h"

namespace pliant::finite_elements {
namespace {

using Eigen::VectorXd;

// Two damped blocks that are joined, so that elements share unknowns beyond their nodes, and fall onto a floor.
Scene JoinedBlocks() {
  Scene scene;
  for (int b = 0; b < 2; ++b) {
    Body block = MakeBlock("block" + std::to_string(b), {0.3, 0.2, 0.2}, {4, 3, 3}, 12.0);
    block.material = Material{.density = 1000.0, .youngs_modulus = 5e4, .poisson_ratio = 0.3};
    block.material->stiffness_damping = 0.01;
    block.position = {0.3 * b, 0.001 - block.rest.row(1).minCoeff(), 0.0};
    scene.bodies.push_back(block);
  }
  scene = SceneOf(scene.bodies);
  scene.gravity = {0.0, -9.81, 0.0};
  scene.attachments.push_back({"joint", {0, 19}, {1, 16}});
  scene.contacts = {{0, 1, true}};
  scene.obstacles.push_back(
      {"floor", Plane{Eigen::Vector3d::UnitY()}, Path::Still(Eigen::Vector3d::Zero()), 0.3});
  return scene;
}

TEST(ElementThreads, GiveTheSameBytesAtAnyNumber) {
  for (const char* scheme : {"energy-momentum", "generalised-alpha", "static"}) {
    Scene scene = JoinedBlocks();
    if (scheme == std::string("static")) {  // it has to be held
      scene.obstacles.clear();
      for (const int point : {0, 3, 24, 27}) {
        const Body& block = scene.bodies[0];
        scene.nails.push_back({"nail" + std::to_string(point),
                               {0, point},
                               Path::Still(block.position + block.rest.col(point))});
      }
    }
    std::vector<VectorXd> ends;
    for (const int threads : {1, 3}) {
      const auto simulation =
          Start(scene, {{"time_scheme", std::string(scheme)}, {"threads", threads}});
      for (int i = 0; i < 3; ++i) simulation->Advance(5e-3);
      ends.push_back(simulation->Save());
    }
    EXPECT_EQ(ends[0], ends[1]) << scheme;
  }
}

TEST(ElementThreads, AddElementsOfOneGroupThatShareNothing) {
  const std::vector<std::vector<int>> unknowns = {{0, 1}, {1, 2}, {3}, {2, 3}, {4, 0}, {1, 4}};
  const ElementColours colours(6, 5, [&](int e) { return unknowns[e]; });
  std::vector<int> met(6, 0);
  for (const std::vector<int>& group : colours.groups()) {
    std::vector<int> owners(5, 0);
    for (const int e : group) {
      ++met[e];
      for (const int u : unknowns[e]) EXPECT_EQ(owners[u]++, 0);
    }
  }
  EXPECT_EQ(met, std::vector<int>(6, 1));
  // A hundred that share one unknown: more than there are colours.
  const ElementColours star(100, 1, [](int) { return std::vector<int>{0}; });
  EXPECT_EQ(star.groups().size(), 100u);
}

TEST(ElementThreads, StopInTheMidstOfAStepAndGoOnFromTheStateBefore) {
  const Scene scene = JoinedBlocks();
  const auto simulation = Start(scene), other = Start(scene);
  for (int i = 0; i < 3; ++i) simulation->Advance(5e-3);
  const VectorXd before = simulation->Save();
  {
    std::stop_source stop;
    stop.request_stop();
    const CancelScope cancel(stop.get_token());
    EXPECT_THROW(simulation->Advance(5e-3), Cancelled);
  }
  simulation->Restore(before);
  EXPECT_EQ(simulation->Save(), before);
  simulation->Advance(5e-3);
  other->Restore(before);
  other->Advance(5e-3);
  EXPECT_EQ(simulation->Save(), other->Save());
}

}  // namespace
}  // namespace pliant::finite_elements
