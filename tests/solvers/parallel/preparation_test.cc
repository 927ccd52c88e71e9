// Preparations say what they are at, and can be given up there.

#include <gtest/gtest.h>

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "models/scene/shapes.h"
#include "solvers/backends.h"
#include "solvers/parallel/cancellation.h"
#include "solvers/parameters.h"
#include "tests/scenes.h"

namespace pliant {
namespace {

constexpr size_t kBodies = 30;

// Loose elastic bodies: something that all formulations but the lamp prepare body by body. A free lattice
// holds the material of blocks; surfaces are sheets.
std::shared_ptr<const Scene> Loose(const std::string& backend) {
  const bool blocks = backend == "dynamic-ffd";
  std::vector<Body> bodies;
  for (size_t i = 0; i < kBodies; ++i) {
    const std::string name = "b" + std::to_string(i);
    Body& body = bodies.emplace_back(blocks ? MakeBlock(name, {1, 1, 1}, {3, 3, 3}, 1.0)
                                            : MakeSheet(name, {1, 1}, {5, 5}, 1.0));
    body.position.x() = 2.0 * static_cast<double>(i);
    Material material;
    material.density = 1000.0;
    material.youngs_modulus = 1e5;
    material.poisson_ratio = 0.3;
    material.thickness = blocks ? 0.0 : 0.001;
    body.material = material;
  }
  return std::make_shared<const Scene>(SceneOf(std::move(bodies)));
}

// The free lattice of dynamic-ffd; the others have what they need by default.
ParameterValues Parameters(const std::string& backend) {
  if (backend != "dynamic-ffd") return {};
  MatrixTable lattice;
  lattice.scalars = {{"degree_x", 1}, {"degree_y", 1}, {"degree_z", 1}};
  return {{"modes", lattice}, {"free_lattice", true}};
}

class Preparation : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Backends, Preparation,
                         ::testing::Values("dynamic-ffd", "linear-deformation",
                                           "displacement-constraints", "position-based",
                                           "kinematic-response", "finite-elements"),
                         [](const auto& backend) {
                           std::string name = backend.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(Preparation, SaysEachBody) {
  std::vector<size_t> heard(kBodies, 0);
  const CancelScope scope({}, [&](std::string_view what, size_t done, size_t of) {
    if (of != kBodies || what.find("body") == std::string_view::npos) return;
    ASSERT_LT(done, kBodies);
    ++heard[done];
  });
  FindBackend(GetParam())->Translate(Loose(GetParam()), Parameters(GetParam()));
  for (size_t i = 0; i < kBodies; ++i) EXPECT_GT(heard[i], 0u) << i;
}

TEST_P(Preparation, IsGivenUpAtTheNextBody) {
  std::stop_source stop;
  size_t after = 0;
  const CancelScope scope(stop.get_token(), [&](std::string_view, size_t done, size_t) {
    if (stop.stop_requested()) ++after;
    if (done == 7) stop.request_stop();
  });
  EXPECT_THROW(FindBackend(GetParam())->Translate(Loose(GetParam()), Parameters(GetParam())),
               Cancelled);
  EXPECT_EQ(after, 0u);
}

TEST(CancelScope, TheInnermostListenerHears) {
  size_t outer = 0, inner = 0;
  const CancelScope around({}, [&](std::string_view, size_t, size_t) { ++outer; });
  {
    const CancelScope scope({}, [&](std::string_view, size_t, size_t) { ++inner; });
    AtPreparation("body", 0, 2);
    const CancelScope silent({});
    AtPreparation("body", 1, 2);
  }
  AtPreparation("row", 0);
  EXPECT_EQ(inner, 2u);
  EXPECT_EQ(outer, 1u);
}

}  // namespace
}  // namespace pliant
