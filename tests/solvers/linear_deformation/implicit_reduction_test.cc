// Many constraints on the same bodies, with implicit internal energy: as few that imply them all, at their cost.

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "models/scene/shapes.h"
#include "solvers/cpu_clock.h"
#include "tests/solvers/linear_deformation/scenes.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::Vector3d;

// Two sheets of n² points that meet in an edge, held at a corner, and joined at these points of the edge.
Scene Hinged(int n, const std::vector<int>& joined) {
  Scene scene;
  scene.bodies = {MakeSheet("a", {1, 1}, {n, n}, 1.0), MakeSheet("b", {1, 1}, {n, n}, 0.7)};
  scene.bodies[1].position = Vector3d(1.0, 0.0, 0.0);
  scene.bodies[1].angular_velocity = Vector3d(0.0, 0.4, 0.0);
  scene.nails = {NailWhereItStarts(scene, "hook", {0, n * (n - 1)})};
  for (const int j : joined) scene.attachments.push_back({"seam", {0, n - 1 + n * j}, {1, n * j}});
  return scene;
}

std::vector<int> AllOf(int n) {
  std::vector<int> all;
  for (int i = 0; i < n; ++i) all.push_back(i);
  return all;
}

class ImplicitReduction : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Treatments, ImplicitReduction, ::testing::Values("implicit", "linearised"),
                         [](const auto& treatment) { return std::string(treatment.param); });

// Affine edges that meet at their ends meet everywhere: forty more attachments change nothing.
TEST_P(ImplicitReduction, ManyAttachmentsAreAsTheFewThatImplyThem) {
  constexpr int kSide = 41;
  const ParameterValues parameters = {
      {"internal_energy", std::string(GetParam())}, {"stretch_stiffness", 300.0}, {"damping", 0.5}};
  const auto few = Translate(Hinged(kSide, {0, kSide - 1}), parameters).simulation;
  const auto many = Translate(Hinged(kSide, AllOf(kSide)), parameters).simulation;
  const Observation a = RunFor(few.get(), 0.3, 2e-3), b = RunFor(many.get(), 0.3, 2e-3);
  const Eigen::Matrix3Xd start = Hinged(kSide, {}).InitialPoints();
  ASSERT_GT((a.points - start).colwise().norm().maxCoeff(), 0.2) << "it moves";
  EXPECT_LT((a.points - b.points).colwise().norm().maxCoeff(), 1e-9);
  EXPECT_LT((*a.velocities - *b.velocities).colwise().norm().maxCoeff(), 1e-7);
  ASSERT_TRUE(a.work && b.work);
  EXPECT_NEAR(a.work->TotalWork(), b.work->TotalWork(), 1e-8);
}

// Nails on every point of a sheet hold it where it is, whatever pulls.
TEST_P(ImplicitReduction, NailsOnEveryPointHold) {
  constexpr int kSide = 21;
  Scene scene;
  scene.bodies = {MakeSheet("sheet", {1, 1}, {kSide, kSide}, 1.0)};
  for (int i = 0; i < kSide * kSide; ++i)
    scene.nails.push_back(NailWhereItStarts(scene, "all", {0, i}));
  const auto simulation =
      Translate(scene, {{"internal_energy", std::string(GetParam())}}).simulation;
  const Observation o = RunFor(simulation.get(), 0.1, 1e-3);
  EXPECT_LT((o.points - scene.InitialPoints()).colwise().norm().maxCoeff(), 1e-10);
}

// All pairs of 2500 nails were 78 million blocks: minutes and gigabytes.
TEST_P(ImplicitReduction, ThousandsOfNailsArePreparedAtOnce) {
  constexpr int kSide = 50;
  Scene scene;
  scene.bodies = {MakeSheet("sheet", {1, 1}, {kSide, kSide}, 1.0)};
  for (int i = 0; i < kSide * kSide; ++i)
    scene.nails.push_back(NailWhereItStarts(scene, "all", {0, i}));
  const double began = CpuSeconds();
  const auto simulation =
      Translate(scene, {{"internal_energy", std::string(GetParam())}}).simulation;
  RunFor(simulation.get(), 0.01, 1e-3);
  EXPECT_LT(CpuSeconds() - began, 2.0);
}

}  // namespace
}  // namespace pliant::linear_deformation
