// Bodies with volume that go through one another where no corner does, and corners that are only clipped.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "models/contact/passages.h"
#include "models/scene/shapes.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

constexpr double kThick = 0.05;  // m, of a beam of 0.8 m

// A beam along x at rest, and above it one along y, turned by `turn` about z and by `lean` about x.
std::shared_ptr<Scene> CrossedBeams(double turn, double lean, const Eigen::Quaterniond& all) {
  auto scene = std::make_shared<Scene>();
  scene->bodies.push_back(MakeBlock("lying", {0.8, kThick, kThick}, {2, 2, 2}, 1.0));
  scene->bodies.push_back(MakeBlock("thrown", {kThick, 0.8, kThick}, {2, 2, 2}, 1.0));
  scene->bodies[0].orientation = all;
  scene->bodies[1].position = all * Vector3d(0.013, 0.021, 0.2);
  scene->bodies[1].orientation =
      all * Eigen::AngleAxisd(turn, Vector3d::UnitZ()) * Eigen::AngleAxisd(lean, Vector3d::UnitX());
  return scene;
}

// The second beam moves along −z by `way(t)`, shown so often; z is that of `all`.
template <typename Way>
std::vector<Passage> Thrown(const std::shared_ptr<Scene>& scene, const Eigen::Quaterniond& all,
                            int shows, const Way& way) {
  Passages passages(scene);
  for (int i = 0; i <= shows; ++i) {
    const double t = static_cast<double>(i) / shows;
    Matrix3Xd x = scene->InitialPoints();
    x.rightCols<8>().colwise() -= way(t) * (all * Vector3d::UnitZ());
    passages.Add(t, x);
  }
  return passages.found();
}

// Through when its upper side is below the lower side of the other: at 0.2 + 0.05 m of 0.5.
TEST(EdgePassages, ABeamGoesThroughAnotherBetweenTheirCorners) {
  const Eigen::Quaterniond plain = Eigen::Quaterniond::Identity(),
                           turned(Eigen::AngleAxisd(1.1, Vector3d(1, 2, -1).normalized()));
  for (const Eigen::Quaterniond& all : {plain, turned}) {
    for (const auto& [turn, lean] :
         {std::pair(0.0, 0.0), std::pair(0.3, 0.0), std::pair(-0.5, 0.2), std::pair(0.7, -0.1)}) {
      const auto scene = CrossedBeams(turn, lean, all);
      for (const int shows : {1, 3, 40, 500}) {
        const auto passed = Thrown(scene, all, shows, [](double t) { return 0.5 * t; });
        ASSERT_EQ(passed.size(), 1u) << turn << ' ' << lean << ' ' << shows;
        EXPECT_EQ(std::pair(passed[0].body + passed[0].other, passed[0].obstacle),
                  std::pair(1, -1));
        EXPECT_NEAR(passed[0].time, 0.4, 0.12);
        EXPECT_LT((all.conjugate() * passed[0].place).head<2>().norm(), 0.1);
      }
      // Half the way and back, in several records and in two.
      for (const int shows : {2, 60}) {
        EXPECT_TRUE(Thrown(scene, all, shows, [](double t) {
                      return 0.36 * std::min(t, 1.0 - t);
                    }).empty());
      }
    }
  }
}

TEST(EdgePassages, ABeamThatIsPressedInAndSlidesOffHasNotGoneThrough) {
  const auto scene = CrossedBeams(0.2, 0.0, Eigen::Quaterniond::Identity());
  Passages passages(scene);
  for (int i = 0; i <= 200; ++i) {
    const double t = i / 200.0;
    Matrix3Xd x = scene->InitialPoints();
    // Down until it lies a tenth of the thickness deep, then along the other beam and over its end.
    x.rightCols<8>().row(2).array() -= std::min(t / 0.2, 1.0) * (0.2 - 0.9 * kThick);
    x.rightCols<8>().row(0).array() += 0.8 * std::max(0.0, t - 0.2);
    passages.Add(t, x);
  }
  EXPECT_TRUE(passages.found().empty());
}

// In the plane: a corner that comes in by one side and goes out by the next, a little more than a right angle further, near
// the corner between them.
TEST(EdgePassages, AClippedCornerHasNotGoneThrough) {
  for (const double clip : {0.007, 0.012}) {
    auto scene = std::make_shared<Scene>();
    scene->dimension = 2;
    scene->bodies.push_back(MakeSheet("one", {0.2, 0.2}, {2, 2}, 1.0));
    scene->bodies.push_back(MakeSheet("other", {0.2, 0.2}, {2, 2}, 1.0));
    // Its sides lean, so that the normals of the two make more than a right angle.
    scene->bodies[0].rest(0, 0) -= 0.05;
    const Matrix3Xd start = scene->InitialPoints();
    Passages passages(scene);
    for (int i = 0; i <= 100; ++i) {
      const double t = i / 100.0;
      Matrix3Xd x = start;
      // Its upper right corner goes past the lower left corner of the first, from below it to the left of it.
      const Vector3d corner = start.col(0), from = corner + Vector3d(clip + 0.01, -0.01, 0),
                     to = from + (clip + 0.03) * Vector3d(-1, 1, 0);
      const Vector3d own = start.rightCols<4>().rowwise().maxCoeff();
      x.rightCols<4>().colwise() += (1.0 - t) * from + t * to - own;
      passages.Add(t, x);
    }
    EXPECT_TRUE(passages.found().empty()) << clip;
  }
}

}  // namespace
}  // namespace pliant
