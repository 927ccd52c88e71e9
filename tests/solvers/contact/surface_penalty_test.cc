#include "solvers/contact/surface_penalty.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/scene/shapes.h"
#include "tests/random_numbers.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

Scene SheetAnd(const ObstacleShape& shape, const Vector3d& origin, double friction = 0.0,
               std::array<int, 2> points = {4, 4}) {
  Scene scene;
  scene.dimension = 3;
  scene.bodies = {MakeSheet("sheet", {0.9, 0.9}, points, 1.0)};
  scene.obstacles = {{"obstacle", shape, Path::Still(origin), friction, 0.0}};
  return scene;
}

PenaltyOptions Options() {
  PenaltyOptions options;
  options.obstacles = ObstaclesMeet::kSurface;
  options.stiffness = 1000.0;
  options.damping = 0.0;
  return options;
}

struct Forces {
  Matrix3Xd on_points, working;
  Exchange rates;
};
Forces ForcesAt(SurfacePenalty* contact, const Matrix3Xd& x, const Matrix3Xd& v, double t = 0.0) {
  Forces forces{Matrix3Xd::Zero(3, x.cols()), Matrix3Xd::Zero(3, x.cols()), {}};
  contact->AddForces(t, x, v, forces.on_points, &forces.rates, &forces.working);
  return forces;
}

// Of the points, by the same law.
double EnergyOfPoints(const Scene& scene, const Matrix3Xd& x) {
  PenaltyContact points(scene, Options());
  return points.Energy(0.0, x);
}

// Wherever on the sheet a small ball stands, on a corner, an edge or a face, it is pushed by one place
// or point: the energy of both is ½ K d², however it came there.
TEST(SurfacePenalty, CountsEachPlaceOfASmallBallOnce) {
  constexpr double kDepth = 0.01, kRadius = 0.05;
  for (int i = 0; i <= 40; ++i) {
    for (int j = 0; j <= 40; ++j) {
      const Vector3d over(-0.3 + 0.015 * i, -0.3 + 0.015 * j, kRadius - kDepth);
      const Scene scene = SheetAnd(Sphere{kRadius}, over);
      SurfacePenalty contact(scene, Options());
      const Matrix3Xd x = scene.InitialPoints();
      const double energy = contact.Energy(0.0, x) + EnergyOfPoints(scene, x);
      // Beside a point both share it: between what one says and what both would.
      double nearest = 1.0;
      for (Eigen::Index p = 0; p < x.cols(); ++p) {
        nearest = std::min(nearest, (x.col(p) - over).head<2>().norm());
      }
      const double one = 0.5 * 1000.0 * kDepth * kDepth;
      if (nearest > 0.031) {
        EXPECT_NEAR(energy, one, 1e-12) << i << " " << j;
      } else {
        EXPECT_GE(energy, one - 1e-12) << i << " " << j;
        EXPECT_LE(energy, 1.3 * one) << i << " " << j;
      }
    }
  }
}

// On a body that is fine beside the obstacle the points say nearly all: what its edges add falls with
// the square of their length.
TEST(SurfacePenalty, AddsLittleToTheManyPointsOfAFineBody) {
  double before = NAN;
  for (const int points : {41, 81, 161, 321}) {
    Scene scene;
    scene.dimension = 2;
    scene.bodies = {MakeChain("beam", {-1.003, 0.15, 0}, {0.997, 0.15, 0}, points, 1.0)};
    scene.obstacles = {{"ball", Sphere{0.2}}};
    SurfacePenalty contact(scene, Options());
    const Matrix3Xd x = scene.InitialPoints();
    const double share = contact.Energy(0.0, x) / EnergyOfPoints(scene, x);
    EXPECT_GT(share, 0.0);
    if (points > 41) {
      EXPECT_NEAR(std::log2(before / share), 2.0, 0.3) << points << " " << share;
    }
    before = share;
  }
}

// Forces are the gradient of the energy, in any position of the sheet and of the obstacle.
TEST(SurfacePenalty, ForcesAreTheGradientOfTheEnergy) {
  RandomNumbers random(11);
  int pushed = 0;
  for (const ObstacleShape& shape : {ObstacleShape(Sphere{0.08}), ObstacleShape(Sphere{0.4}),
                                     ObstacleShape(Capsule{Vector3d(0.05, 0.3, 0.02), 0.06})}) {
    for (int i = 0; i < 25; ++i) {
      Vector3d origin = 0.3 * random.Vector();
      origin.z() = 0.8 * HalfThickness(shape) * (1.0 + 0.1 * random.Number());
      const Scene scene = SheetAnd(shape, origin);
      SurfacePenalty contact(scene, Options());
      Matrix3Xd x = scene.InitialPoints() + 0.02 * random.Vectors(16);
      const Matrix3Xd forces = ForcesAt(&contact, x, Matrix3Xd::Zero(3, 16)).on_points;
      if (forces.norm() > 0.1) ++pushed;
      for (Eigen::Index p = 0; p < x.cols(); ++p) {
        for (int c = 0; c < 3; ++c) {
          constexpr double kStep = 1e-7;
          const double at = x(c, p);
          x(c, p) = at + kStep;
          const double up = contact.Energy(0.0, x);
          x(c, p) = at - kStep;
          EXPECT_NEAR(forces(c, p), (contact.Energy(0.0, x) - up) / (2.0 * kStep), 2e-4)
              << shape.index() << " " << i << " " << p;
          x(c, p) = at;
        }
      }
    }
  }
  EXPECT_GT(pushed, 30);
}

// A ball that slides from face to face, over edges and corners: neither energy nor force jumps. At a
// corner the points' own share is part of the sum.
TEST(SurfacePenalty, NeitherEnergyNorForceJumpsAsABallSlidesOverTheSheet) {
  constexpr double kRadius = 0.12, kDepth = 0.03, kStep = 2e-4;
  const Scene scene = SheetAnd(Sphere{kRadius}, Vector3d::Zero());
  Matrix3Xd x = scene.InitialPoints();
  x.row(2).array() -= kRadius - kDepth;
  SurfacePenalty contact(scene, Options());
  PenaltyContact points(scene, Options());
  Matrix3Xd before;
  const Matrix3Xd still = Matrix3Xd::Zero(3, 16);
  for (int i = 0; i < 3000; ++i) {
    x.row(0).array() += kStep;
    x.row(1).array() += 0.37 * kStep;
    Matrix3Xd forces = ForcesAt(&contact, x, still).on_points;
    Exchange rates;
    points.AddForces(0.0, x, still, forces, &rates);
    if (i > 0) {
      EXPECT_LT((forces - before).norm(), 30000.0 * kDepth * kStep) << i;
    }
    before = forces;
  }
}

// A moving ball does work on the sheet, and what its dampers and friction take is never positive; the
// momentum that comes in is that of the forces.
TEST(SurfacePenalty, BooksWorkAndMomentum) {
  RandomNumbers random(13);
  Scene scene = SheetAnd(Sphere{0.1}, Vector3d::Zero(), 0.4);
  const Vector3d speed(0.3, -0.2, -0.5);
  Matrix3Xd keys(3, 2);
  keys << Vector3d(0.11, 0.13, 0.08), Vector3d(0.11, 0.13, 0.08) + speed;
  scene.obstacles[0].motion =
      Path({-0.5, 0.5}, keys.colwise() - 0.5 * speed, Path::Interpolation::kLinear);
  PenaltyOptions options = Options();
  options.damping = 20.0;
  SurfacePenalty contact(scene, options);
  const Matrix3Xd x = scene.InitialPoints();
  const Matrix3Xd v = random.Vectors(16);
  contact.Update(0.0, x, v);
  const Matrix3Xd moved = x + 1e-3 * v;
  const Forces forces = ForcesAt(&contact, moved, v, 1e-3);
  EXPECT_GT(forces.on_points.norm(), 1.0);
  Vector3d sum = Vector3d::Zero(), moment = Vector3d::Zero();
  for (Eigen::Index p = 0; p < x.cols(); ++p) {
    sum += forces.on_points.col(p);
    moment += Vector3d(moved.col(p)).cross(Vector3d(forces.on_points.col(p)));
  }
  EXPECT_LT((sum - forces.rates.impulse).norm(), 1e-12);
  EXPECT_LT((moment - forces.rates.angular_impulse).norm(), 1e-12);
  EXPECT_NEAR(forces.rates[WorkClass::kMovedObstacle], sum.dot(speed), 1e-11);
  EXPECT_LT(forces.rates[WorkClass::kContact], 0.0);
  // The power of all forces is that of the obstacle, what is lost, and what is stored.
  constexpr double kTime = 1e-6;
  const double stored = (contact.Energy(1e-3 + kTime, moved + kTime * v) -
                         contact.Energy(1e-3 - kTime, moved - kTime * v)) /
                        (2.0 * kTime);
  EXPECT_NEAR(forces.on_points.cwiseProduct(v).sum(),
              forces.rates[WorkClass::kMovedObstacle] + forces.rates[WorkClass::kContact] - stored,
              1e-4);
  EXPECT_NEAR(forces.working.cwiseProduct(v).sum() - forces.working.rowwise().sum().dot(speed),
              forces.rates[WorkClass::kContact], 1e-11);
}

// The spring of friction goes over to the present place with what it stores, but for what is beyond the
// cone; one that has left gives nothing back.
TEST(SurfacePenalty, FrictionKeepsWhatItStores) {
  const Scene scene = SheetAnd(Sphere{0.1}, Vector3d(0.03, 0.05, 0.08), 0.5);
  SurfacePenalty contact(scene, Options());
  Matrix3Xd x = scene.InitialPoints();
  const Matrix3Xd still = Matrix3Xd::Zero(3, 16);
  EXPECT_EQ(contact.Update(0.0, x, still), 0.0);
  const double normal = contact.Energy(0.0, x);
  x.row(0).array() += 1e-4;  // sticks: K_t 1e-4 = 0.45 N, the cone is 10 N
  const double held = 0.5 * 4500.0 * 1e-8;
  EXPECT_NEAR(contact.Energy(0.0, x), normal + held, 1e-12);
  EXPECT_NEAR(contact.Update(0.0, x, still), 0.0, 1e-15);
  EXPECT_NEAR(contact.Energy(0.0, x), normal + held, 1e-12);
  Eigen::VectorXd state(contact.StateSize());
  contact.Save(state);
  SurfacePenalty again(scene, Options());
  again.Restore(state);
  EXPECT_EQ(again.Energy(0.0, x), contact.Energy(0.0, x));
  x.row(0).array() += 0.01;  // 45 N: slides
  const double before = contact.Energy(0.0, x);
  const double work = contact.Update(0.0, x, still);
  EXPECT_LT(work, 0.0);
  EXPECT_NEAR(contact.Energy(0.0, x) - before, work, 1e-12);
  const double cap = 0.5 * 1000.0 * 0.02;
  EXPECT_NEAR(contact.Energy(0.0, x) - normal, 0.5 * cap * cap / 4500.0, 1e-10);
  x.row(2).array() -= 1.0;
  EXPECT_NEAR(contact.Update(0.0, x, still), -0.5 * cap * cap / 4500.0, 1e-10);
  EXPECT_EQ(contact.Energy(0.0, x), 0.0);
}

}  // namespace
}  // namespace pliant
