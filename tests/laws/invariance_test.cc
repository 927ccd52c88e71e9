// Laws of symmetry: the laws of nature do not know where the origin is, nor which way is up.

#include <gtest/gtest.h>

#include "models/scene/metrics.h"
#include "tests/laws/subjects.h"

namespace pliant::laws {
namespace {

class Invariance : public testing::TestWithParam<Subject> {};
INSTANTIATE_TEST_SUITE_P(Backends, Invariance,
                         testing::ValuesIn(SubjectsThat([](const Promises& promises) {
                           return promises.invariant;
                         })),
                         [](const auto& info) { return Name(info.param); });

constexpr double kTolerance = 1e-9;  // m

// Largest distance between the carried run and the run of the carried scene.
double Disagreement(const Subject& subject, const Scene& scene, const Eigen::Isometry3d& motion) {
  const auto here = Start(subject, scene);
  const auto there = Start(subject, Carried(scene, motion));
  if (!here || !there) return std::numeric_limits<double>::infinity();
  const Observation a = RunFor(here.get(), 1e-3, 250);
  const Observation b = RunFor(there.get(), 1e-3, 250);
  const Eigen::Matrix3Xd carried = (motion.linear() * a.points).colwise() + motion.translation();
  // The scene must have done something, or the law is empty.
  const double moved = DistanceBetween(a.points, scene.InitialPoints()).max;
  EXPECT_GT(moved, 1e-3);
  return DistanceBetween(carried, b.points).max;
}

std::vector<Scene> ScenesFor(const Subject& subject) {
  if (!subject.promises.inertia) return {Pressed(subject.matter)};
  return {Flying(subject.matter), Pressed(subject.matter)};
}

TEST_P(Invariance, UnderTranslation) {
  for (const Scene& scene : ScenesFor(GetParam())) {
    Eigen::Isometry3d motion = Eigen::Isometry3d::Identity();
    motion.translation() = Eigen::Vector3d(1.5, -2.25, scene.dimension == 2 ? 0.0 : 0.75);
    EXPECT_LT(Disagreement(GetParam(), scene, motion), kTolerance);
  }
}

TEST_P(Invariance, UnderRotation) {
  for (const Scene& scene : ScenesFor(GetParam())) {
    if (GetParam().matter == Matter::kLamp && !scene.gravity.isZero()) continue;  // along −y only
    Eigen::Isometry3d motion = Eigen::Isometry3d::Identity();
    const Eigen::Vector3d axis =
        scene.dimension == 2 ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d(1.0, 2.0, -0.5);
    motion.linear() = Eigen::AngleAxisd(1.1, axis.normalized()).toRotationMatrix();
    EXPECT_LT(Disagreement(GetParam(), scene, motion), kTolerance);
  }
}

TEST_P(Invariance, WhatRestsStaysAtRest) {
  if (GetParam().parameters.contains("control")) GTEST_SKIP() << "its poses move it";
  const Scene scene = Resting(GetParam().matter);
  const auto simulation = Start(GetParam(), scene);
  ASSERT_NE(simulation, nullptr);
  const Observation end = RunFor(simulation.get(), 1e-3, 100);
  EXPECT_LT(DistanceBetween(end.points, scene.InitialPoints()).max, 1e-10);
}

}  // namespace
}  // namespace pliant::laws
