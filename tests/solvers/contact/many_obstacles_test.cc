// Contact of points with many obstacles, which are looked up in a tree and whose entry points are sparse,
// is what it is with each obstacle by itself.

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <memory>

#include "models/scene/shapes.h"
#include "solvers/contact/penalty.h"
#include "tests/random_numbers.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

constexpr int kPoints = 200;

double CpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Balls, boxes and a plane among them, some without friction, one of them moving.
Scene Many(int count) {
  RandomNumbers random(21);
  Scene scene;
  scene.dimension = 3;
  scene.bodies = {MakeChain("points", {-1, 0, 0}, {1, 0, 0}, kPoints, 1.0)};
  for (int o = 0; o < count; ++o) {
    Obstacle obstacle{"o" + std::to_string(o), Sphere{0.15}, Path::Still(random.Vector())};
    if (o % 5 == 1) obstacle.shape = Box{Vector3d(0.1, 0.2, 0.1)};
    if (o == 7) obstacle = {"floor", Plane{}, Path::Still({0, -0.9, 0})};
    if (o == 9) {
      Matrix3Xd keys(3, 2);
      keys << Vector3d(-1, 0, 0), Vector3d(1, 0, 0);
      obstacle.motion = Path({0.0, 1.0}, keys, Path::Interpolation::kLinear);
    }
    obstacle.friction = o % 4 == 3 ? 0.0 : 0.4;
    scene.obstacles.push_back(obstacle);
  }
  return scene;
}

TEST(ManyObstacles, PushAsEachByItself) {
  for (const int count : {12, 60}) {
    const Scene scene = Many(count);
    PenaltyOptions options;
    PenaltyContact all(scene, options);
    std::vector<std::unique_ptr<PenaltyContact>> single;
    for (const Obstacle& obstacle : scene.obstacles) {
      Scene one = scene;
      one.obstacles = {obstacle};
      single.push_back(std::make_unique<PenaltyContact>(one, options));
    }
    PenaltyContact restored(scene, options);
    RandomNumbers random(22);
    Matrix3Xd x = random.Vectors(kPoints), v = random.Vectors(kPoints);
    int entered = 0;
    for (int step = 0; step < 150; ++step) {
      const double t = 0.007 * step;
      Matrix3Xd forces = Matrix3Xd::Zero(3, kPoints), of_single = forces, of_restored = forces;
      Exchange rates, ignored;
      all.AddForces(t, x, v, forces, &rates);
      double energy = 0.0, work = 0.0;
      for (const auto& one : single) {
        one->AddForces(t, x, v, of_single, &ignored);
        energy += one->Energy(t, x);
      }
      EXPECT_EQ(forces, of_single) << step;
      EXPECT_NEAR(all.Energy(t, x), energy, 1e-12 * energy);
      for (const auto& one : single) work += one->Update(t, x, v);
      EXPECT_NEAR(all.Update(t, x, v), work, 1e-12 * (1.0 + std::abs(work)));
      all.ForEachEntry([&](int, int) { ++entered; });

      Eigen::VectorXd state(all.StateSize());
      all.Save(state);
      restored.Restore(state);
      forces.setZero();
      all.AddForces(t, x, v, forces, &rates);
      restored.AddForces(t, x, v, of_restored, &rates);
      EXPECT_EQ(forces, of_restored) << step;
      Eigen::VectorXd again(all.StateSize());
      restored.Save(again);
      EXPECT_EQ(state, again);
      x += 0.03 * v;
      if (step % 7 == 6) v = random.Vectors(kPoints);
    }
    EXPECT_GT(entered, 50);
  }
}

// All points of a chain on two planes with friction leave at once, by one call or one by one: the cost is linear.
TEST(ManyObstacles, EntryPointsLeaveInLinearTime) {
  const auto seconds = [](int points, bool one_by_one) {
    Scene scene;
    scene.bodies = {MakeChain("points", {-1, 0, 0}, {1, 0, 0}, points, 1.0)};
    scene.obstacles = {{"floor", Plane{Vector3d::UnitY()}, Path::Still({0, 0.01, 0}), 0.5},
                       {"wall", Plane{Vector3d::UnitZ()}, Path::Still({0, 0, 0.01}), 0.5}};
    PenaltyContact contact(scene, {});
    const Matrix3Xd x = scene.InitialPoints(), v = Matrix3Xd::Zero(3, points);
    const Matrix3Xd away = x.colwise() + Vector3d(0, 1, 1);
    double least = INFINITY;
    for (int trial = 0; trial < 3; ++trial) {
      contact.Update(0.0, x, v);
      int entries = 0;
      contact.ForEachEntry([&](int, int) { ++entries; });
      EXPECT_EQ(entries, 2 * points);
      const double start = CpuSeconds();
      if (one_by_one) {
        for (int p = 0; p < points; ++p) contact.Leave(0, p);
        for (int p = 0; p < points; ++p) contact.ForgetAllBut(-1, p);
      } else {
        contact.Update(0.0, away, v);
      }
      least = std::min(least, CpuSeconds() - start);
      entries = 0;
      contact.ForEachEntry([&](int, int) { ++entries; });
      EXPECT_EQ(entries, 0);
    }
    return least;
  };
  // It takes about 10 ms. Erasing from a sorted vector took 8 s for 40 000.
  for (const bool one_by_one : {false, true}) EXPECT_LT(seconds(100'000, one_by_one), 1.0);
}

// The state of many obstacles grows with the points alone; that of few is as it was.
TEST(ManyObstacles, HaveAStateOfTheSizeOfThePoints) {
  PenaltyOptions options;
  const auto size = [&](int count) { return PenaltyContact(Many(count), options).StateSize(); };
  EXPECT_EQ(size(4), 7 * 3 * kPoints);
  EXPECT_EQ(size(60), size(120));
  EXPECT_LT(size(60), 7 * 8 * kPoints);
}

}  // namespace
}  // namespace pliant
