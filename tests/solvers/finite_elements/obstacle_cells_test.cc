// obstacle_contact = "surface": faces and edges of surfaces meet obstacles, not their places alone.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "models/contact/clearance.h"
#include "models/contact/passages.h"
#include "models/problem.h"
#include "models/scene/contact_pairs.h"
#include "models/scene/shapes.h"
#include "solvers/contact_forces.h"
#include "solvers/finite_elements/backend.h"
#include "solvers/finite_elements/cell_contact.h"
#include "solvers/finite_elements/scene_parts.h"
#include "tests/random_numbers.h"
#include "tests/solvers/finite_elements/started.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::HasSubstr;

const ParameterValues kSurface = {{"obstacle_contact", std::string("surface")}};

ParameterValues With(ParameterValues parameters, const ParameterValues& more) {
  parameters.insert(more.begin(), more.end());
  return parameters;
}

// A block of 0.2 m of one element, whose places are 0.05 m apart, 1 cm above a ball of a radius of 1.5 cm.
Scene BlockOverBall(double radius = 0.015) {
  Scene scene;
  scene.name = "ball";
  scene.gravity = {0.0, 0.0, -9.81};
  scene.bodies = {MakeBlock("block", {0.2, 0.2, 0.2}, {2, 2, 2}, 1.0)};
  Body& block = scene.bodies[0];
  Material material;
  material.density = 1000.0;
  material.youngs_modulus = 1e6;
  material.poisson_ratio = 0.3;
  material.law = ElasticLaw::kNeoHookeanLog;
  block.material = material;
  block.mass = material.density * VolumeShares(block, 0.0);
  // Off the places and off the sides of faces.
  block.position = {0.027, 0.019, 0.01 + radius - block.rest.row(2).minCoeff()};
  scene.obstacles = {{"ball", Sphere{radius}}};
  return scene;
}

TEST(FiniteElementCells, ABlockDoesNotFallPastABallBetweenItsPlaces) {
  for (const bool surface : {false, true}) {
    const Scene scene = BlockOverBall();
    const auto simulation = Start(scene, surface ? kSurface : ParameterValues{});
    Passages passages(std::make_shared<const Scene>(scene));
    const double start = Observe(*simulation).sums->centre.z();
    for (int step = 0; step < 60; ++step) {
      ASSERT_EQ(simulation->Advance(0.002).kind, StepOutcome::Kind::kAdvanced) << step;
      passages.Add(simulation->time(), Observe(*simulation).points);
    }
    const Observation o = Observe(*simulation);
    const double fallen = 0.5 * 9.81 * 0.12 * 0.12;
    if (surface) {
      EXPECT_LT(start - o.sums->centre.z(), 0.04);
    } else {
      EXPECT_NEAR(start - o.sums->centre.z(), fallen, 1e-3);
    }
    EXPECT_EQ(passages.found().empty(), surface);
  }
}

// Steps keep energy and export their impulse, with the obstacle at rest and with one that comes up.
TEST(FiniteElementCells, ABounceKeepsEnergyAndExportsItsImpulse) {
  for (const double rises : {0.0, 1.0}) {
    for (const double h : {0.004, 0.002, 0.001}) {
      Scene scene = BlockOverBall(0.02);
      Matrix3Xd keys(3, 2);
      keys << Vector3d::Zero(), Vector3d(0.1, 0.0, rises);
      scene.obstacles[0].motion = Path({0.0, 1.0}, keys, Path::Interpolation::kLinear);
      const auto simulation =
          Start(scene, With(kSurface, {{"newton_tolerance", 1e-11}, {"contact_thickness", 4e-3}}));
      const Observation start = Observe(*simulation);
      double contact = 0.0;
      for (double t = 0.0; t < 0.1; t += h) {
        ASSERT_EQ(simulation->Advance(h).kind, StepOutcome::Kind::kAdvanced);
        const Observation o = Observe(*simulation);
        contact = std::max(contact, *o.contact_energy);
        EXPECT_NEAR(TotalEnergy(o) - TotalEnergy(start), o.work->TotalWork(), 1e-6) << t;
        EXPECT_LT((o.sums->momentum - o.work->impulse).norm(), 1e-7) << t;
      }
      EXPECT_GT(contact, 1e-4);
    }
  }
}

// The contact of one body, by itself.
struct Alone {
  Alone(Scene given, double thickness)
      : scene(std::move(given)),
        bodies(Parts(scene)),
        places(scene, bodies),
        contact(scene, places, {thickness, 1e-3, ObstaclesMeet::kSurface}) {}
  static std::vector<std::unique_ptr<const ElasticPart>> Parts(const Scene& scene) {
    std::vector<std::unique_ptr<const ElasticPart>> parts;
    for (int b = 0; b < static_cast<int>(scene.bodies.size()); ++b) {
      parts.push_back(MakePart(scene, b, 1, false).part);
    }
    return parts;
  }
  Scene scene;
  Discretisation bodies;
  ContactPlaces places;
  CellContact contact;
};

std::vector<ObstacleShape> Shapes() {
  return {Sphere{0.03}, Sphere{0.2}, Capsule{Vector3d(0.2, 0.03, 0.01), 0.02},
          Box{Vector3d(0.03, 0.02, 0.04),
              Eigen::AngleAxisd(0.7, Vector3d(1, 2, -1).normalized()).toRotationMatrix()}};
}

// Forces are the gradient of the energy, and over a step exactly its difference.
TEST(FiniteElementCells, ForcesAreThoseOfTheEnergy) {
  RandomNumbers random(4);
  int counted = 0;
  for (const ObstacleShape& shape : Shapes()) {
    Scene scene = BlockOverBall();
    scene.obstacles[0].shape = shape;
    Alone alone(scene, 0.015);
    const double top = -SignedDistance(shape, Vector3d::Zero(), Vector3d::Zero()).distance;
    for (int trial = 0; trial < 20; ++trial) {
      const Vector3d shift(0.1 * random.Matrix(1, 1)(0, 0), 0.1 * random.Matrix(1, 1)(0, 0),
                           top - 0.008 + 0.1 + 0.006 * random.Matrix(1, 1)(0, 0));
      const Matrix3Xd rest = alone.places.At(alone.bodies.part(0).rest());
      const Matrix3Xd x = (rest.colwise() + shift) + 5e-4 * random.Matrix(3, rest.cols());
      const Matrix3Xd y = x + 2e-3 * random.Matrix(3, rest.cols());
      alone.contact.Begin({x, y, 0.0, 0.1});
      alone.contact.Include(x);
      alone.contact.Include(y);
      const double energy = alone.contact.Energy(0.0, x);
      if (!(energy > 0.0)) continue;
      ++counted;
      Matrix3Xd forces = Matrix3Xd::Zero(3, x.cols());
      alone.contact.AddForces(0.0, x, &forces);
      if (!std::holds_alternative<Box>(shape)) {
        const Matrix3Xd way = random.Matrix(3, x.cols());
        constexpr double kStep = 1e-7;
        const double slope = (alone.contact.Energy(0.0, x + kStep * way) -
                              alone.contact.Energy(0.0, x - kStep * way)) /
                             (2.0 * kStep);
        EXPECT_NEAR(forces.cwiseProduct(way).sum(), -slope, 1e-5 * forces.cwiseAbs().sum())
            << shape.index() << ' ' << trial;
      }
      Matrix3Xd discrete = Matrix3Xd::Zero(3, x.cols());
      alone.contact.AddDiscreteForces({x, y, 0.0, 0.1}, &discrete);
      EXPECT_NEAR(discrete.cwiseProduct(y - x).sum(), energy - alone.contact.Energy(0.1, y),
                  1e-9 * (energy + alone.contact.Energy(0.1, y)))
          << shape.index() << ' ' << trial;
    }
  }
  EXPECT_GT(counted, 40);
}

// The force of a step is that at its middle up to the square of the way: order 2 at three ways.
TEST(FiniteElementCells, TheForceOfAStepIsOfSecondOrder) {
  RandomNumbers random(8);
  Alone alone(BlockOverBall(0.03), 0.015);
  const Matrix3Xd rest = alone.places.At(alone.bodies.part(0).rest());
  for (int trial = 0; trial < 5; ++trial) {
    const Matrix3Xd middle = (rest.colwise() + Vector3d(0.02 + 0.01 * trial, 0.01, 0.123)) +
                             5e-4 * random.Matrix(3, rest.cols());
    const Matrix3Xd way = random.Matrix(3, rest.cols());
    alone.contact.Begin({middle, middle, 0.0, 0.0});
    Matrix3Xd there = Matrix3Xd::Zero(3, rest.cols());
    alone.contact.AddForces(0.0, middle, &there);
    ASSERT_GT(there.norm(), 0.0);
    std::vector<double> errors;
    for (const double size : {8e-4, 4e-4, 2e-4}) {
      const Matrix3Xd x = middle - 0.5 * size * way, y = middle + 0.5 * size * way;
      Matrix3Xd discrete = Matrix3Xd::Zero(3, rest.cols());
      alone.contact.AddDiscreteForces({x, y, 0.0, 0.0}, &discrete);
      errors.push_back((discrete - there).norm());
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.25) << trial;
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.15) << trial;
  }
}

// What slides fast has Coulomb's friction of what the cells push, against its way, where no place is inside; an
// obstacle that moves along has none.
TEST(FiniteElementCells, FrictionIsThatOfThePush) {
  Scene scene = BlockOverBall(0.02);
  scene.obstacles[0].friction = 0.4;
  Matrix3Xd keys(3, 2);
  keys << Vector3d::Zero(), Vector3d(0.0, 1.0, 0.0);
  scene.obstacles[0].motion = Path({0.0, 1.0}, keys, Path::Interpolation::kLinear);
  Alone alone(scene, 0.005);
  const Matrix3Xd rest = alone.places.At(alone.bodies.part(0).rest());
  // In the middle of a face, so that no other reaches the ball.
  const Matrix3Xd x = rest.colwise() + Vector3d(0.05 - 0.0146, 0.0146, 0.12 - 0.002);
  for (const Vector3d& way :
       {Vector3d(1e-3, 0, 0), Vector3d(0, 1e-3, 0), Vector3d(2e-3, -1e-3, 0)}) {
    const Matrix3Xd y = x.colwise() + way;
    const PointMotion motion{x, y, 0.0, 1e-3};
    alone.contact.Begin(motion);
    Matrix3Xd push = Matrix3Xd::Zero(3, x.cols()), friction = push;
    alone.contact.AddDiscreteForces(motion, &push);
    alone.contact.AddFriction(motion, true, &friction);
    const Vector3d pushed = push.rowwise().sum(), rubbed = friction.rowwise().sum();
    ASSERT_GT(pushed.z(), 0.1);
    EXPECT_LT(pushed.head<2>().norm(), 1e-12 * pushed.z());
    const Vector3d relative = way - Vector3d(0, 1e-3, 0);
    if (relative.norm() < 1e-9) {
      EXPECT_LT(rubbed.norm(), 1e-9);
    } else {
      EXPECT_LT((rubbed + 0.4 * pushed.z() * relative.normalized()).norm(), 1e-9 * pushed.z());
    }
    ObstacleContact::Work work;
    alone.contact.AddWorkOfObstacles(motion, true, &work);
    EXPECT_NEAR(work.friction, 1e-3 * rubbed.y(), 1e-12);
  }
}

// The force of the pair counts what cells add, under the number that the obstacle has in the scene.
TEST(FiniteElementCells, AreCountedInTheForceOfThePair) {
  Scene scene = BlockOverBall(0.02);
  scene.obstacles.insert(scene.obstacles.begin(),
                         {"floor", Plane{Vector3d::UnitZ()}, Path::Still({0, 0, -5})});
  scene.obstacles[1].friction = 0.4;
  Alone alone(scene, 0.005);
  const Matrix3Xd rest = alone.places.At(alone.bodies.part(0).rest());
  const Matrix3Xd x = rest.colwise() + Vector3d(0.027, 0.019, 0.12 - 0.002);
  const Matrix3Xd y = x.colwise() + Vector3d(1e-5, 0.0, 0.0);
  const PointMotion motion{x, y, 0.0, 1e-3};
  alone.contact.Begin(motion);
  Matrix3Xd forces = Matrix3Xd::Zero(3, x.cols());
  alone.contact.AddForces(1e-3, y, &forces);
  alone.contact.AddFriction(motion, false, &forces);
  ContactTally tally(scene);
  tally.Begin();
  alone.contact.Tally(motion, false, {1.0, 1.0}, &tally);
  const std::vector<ContactPair> pairs = ContactPairs(scene);
  for (size_t i = 0; i < pairs.size(); ++i) {
    const double expected =
        NameOf(scene, pairs[i]) == "block.ball" ? forces.rowwise().sum().norm() : 0.0;
    EXPECT_NEAR(tally.Forces()[i].value_or(0.0), expected, 1e-9 * forces.norm());
  }
  EXPECT_GT(forces.norm(), 0.1);
}

// However far an iteration goes, no cell loses more than nine tenths of its room; and none that goes nowhere
// near is held back.
TEST(FiniteElementCells, AnIterationLeavesATenthOfTheRoom) {
  RandomNumbers random(5);
  int cut = 0;
  for (const ObstacleShape& shape : Shapes()) {
    Scene scene = BlockOverBall();
    scene.obstacles[0].shape = shape;
    constexpr double d = 1e-3;
    Alone alone(scene, d);
    const Matrix3Xd rest = alone.places.At(alone.bodies.part(0).rest());
    const double top = -SignedDistance(shape, Vector3d::Zero(), Vector3d::Zero()).distance;
    const auto room_at = [&](const Matrix3Xd& x) {
      double room = 1.0;
      for (const auto& [a, b, c] : alone.places.faces) {
        PartCorners corners(3, 3);
        corners << x.col(a), x.col(b), x.col(c);
        room = std::min(room, ClearanceOf(shape, Vector3d::Zero(), corners).distance + d);
      }
      return room;
    };
    for (int trial = 0; trial < 40; ++trial) {
      const Vector3d shift(0.05 * random.Matrix(1, 1)(0, 0), 0.05 * random.Matrix(1, 1)(0, 0),
                           0.1 + top + 0.5);
      const Matrix3Xd x = rest.colwise() + shift;
      const Matrix3Xd y = x.colwise() - Vector3d(0, 0, 1.5 + 0.5 * random.Matrix(1, 1)(0, 0));
      const double fraction = alone.contact.LargestFraction(0.0, x, y);
      EXPECT_LT(fraction, 1.0);
      const double left = room_at(x + fraction * (y - x));
      EXPECT_GE(left, 0.0999 * d) << shape.index() << ' ' << trial;
      EXPECT_LE(left, 0.16 * d) << shape.index() << ' ' << trial;
      ++cut;
      const Matrix3Xd away = x.colwise() + Vector3d(0.1, 0.3, 1.0);
      EXPECT_EQ(alone.contact.LargestFraction(0.0, x, away), 1.0);
    }
  }
  EXPECT_EQ(cut, 160);
}

// A third, or two, from one place to the next for every halving of the elements.
constexpr double kLiftedAt = 5.0 / 12.0;

// Force of a ball that lifts a rod between two supports a span of 1 m apart, between two places.
double LiftingForce(int elements, double thickness) {
  constexpr double kLift = 5e-4, kRadius = 0.003;
  Scene scene;
  scene.name = "lifted";
  scene.dimension = 2;
  scene.gravity.setZero();
  scene.bodies = {MakeChain("rod", {0, 0, 0}, {1, 0, 0}, 2, 1.0)};
  Material material;
  material.density = 1000.0;
  material.youngs_modulus = 1e6;
  material.thickness = 0.3;
  scene.bodies[0].material = material;
  scene.nails = {{"left", {0, 0}, Path::Still(Vector3d::Zero())},
                 {"right", {0, 1}, Path::Still(Vector3d::UnitX())}};
  Matrix3Xd keys(3, 2);
  keys << Vector3d(kLiftedAt, -kRadius, 0.0), Vector3d(kLiftedAt, kLift - kRadius, 0.0);
  scene.obstacles = {
      {"ball", Sphere{kRadius}, Path({0.0, 1.0}, keys, Path::Interpolation::kLinear)}};
  const auto simulation = Start(scene, With(kSurface, {{"time_scheme", std::string("static")},
                                                       {"refinement", elements},
                                                       {"contact_thickness", thickness}}));
  for (int step = 0; step < 10; ++step) {
    EXPECT_EQ(simulation->Advance(0.1).kind, StepOutcome::Kind::kAdvanced) << step;
  }
  return -simulation->ConstraintForces()->row(1).sum();
}

// P = 3 E I L w/(a² b²), the deflection w under a load at a of a span between two supports. What chords of the
// surface, two to an element, and cubic functions with a load between their knots change is of second order: the
// errors are those of a program that has but these two, made with SciPy's B-splines. What the barrier changes is
// of first order in its thickness.
TEST(FiniteElementCells, ABallLiftsARodByTheForceOfEulerAndBernoulli) {
  const double a = kLiftedAt, b = 1.0 - a, I = std::pow(0.3, 4) / 12.0;
  const double expected = 3.0 * 1e6 * I * 5e-4 / (a * a * b * b);
  std::vector<double> errors;
  for (const int elements : {8, 16, 32}) {
    const double thick = LiftingForce(elements, 4e-5), thin = LiftingForce(elements, 2e-5),
                 thinner = LiftingForce(elements, 1e-5);
    EXPECT_NEAR(std::log2((thin - thick) / (thinner - thin)), 1.0, 0.02) << elements;
    errors.push_back((2.0 * thinner - thin) / expected - 1.0);
  }
  EXPECT_NEAR(errors[0], 0.0108272, 2e-5);
  EXPECT_NEAR(errors[1], 0.00269180, 2e-5);
  EXPECT_NEAR(errors[2], 0.000670045, 2e-5);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.02);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.02);
}

TEST(FiniteElementCells, StateContinuesBitForBit) {
  const ParameterValues parameters = With(kSurface, {{"contact_thickness", 2e-3}});
  const auto one = Start(BlockOverBall(), parameters), other = Start(BlockOverBall(), parameters);
  for (int step = 0; step < 30; ++step) one->Advance(0.002);
  other->Restore(one->Save());
  for (int step = 0; step < 10; ++step) {
    one->Advance(0.002);
    other->Advance(0.002);
  }
  EXPECT_EQ(one->Save(), other->Save());
}

TEST(FiniteElementCells, SaysWhatPassesBetweenPlaces) {
  const auto translate = [](const Scene& scene, const ParameterValues& parameters) {
    return TheBackend().Translate(std::make_shared<const Scene>(scene), parameters);
  };
  const Translation points = translate(BlockOverBall(), {});
  ASSERT_EQ(points.warnings.size(), 1u);
  EXPECT_EQ(points.warnings[0],
            "obstacle 'ball' is 0.03 m thick and can pass between the places of the surface of "
            "'block', which are up to 0.0707 m apart: write obstacle_contact = \"surface\" so that "
            "edges and faces meet it");
  EXPECT_TRUE(translate(BlockOverBall(), kSurface).warnings.empty());
  EXPECT_TRUE(translate(BlockOverBall(0.05), {}).warnings.empty());
  try {
    translate(BlockOverBall(), With(kSurface, {{"contact_thickness", 0.02}}));
    FAIL();
  } catch (const BadInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("contact_thickness"));
    EXPECT_THAT(error.what(), HasSubstr("half of the thickness of obstacle 'ball', 0.015 m"));
  }
}

}  // namespace
}  // namespace pliant::finite_elements
