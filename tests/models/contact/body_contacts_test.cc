#include "models/contact/body_contacts.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "models/contact/scene_parts.h"
#include "models/contact/solid_surface.h"
#include "models/scene/shapes.h"
#include "tests/counted_allocations.h"
#include "tests/random_numbers.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

Body Plate(const std::string& name, double width, double height,
           std::array<int, 2> points = {2, 2}) {
  return MakeSheet(name, {width, height}, points, 1.0);
}
Body Box(const std::string& name, const Vector3d& size, std::array<int, 3> points = {2, 2, 2}) {
  return MakeBlock(name, size, points, 1.0);
}
// The cube as a closed mesh, without elements.
Body Die(const std::string& name) {
  Body body = Box(name, {1, 1, 1});
  body.shape = ShapeKind::kMesh;
  body.grid = {0, 0, 0};
  return body;
}

Scene SceneOf(int dimension, std::vector<Body> bodies) {
  Scene scene;
  scene.dimension = dimension;
  scene.bodies = std::move(bodies);
  return scene;
}

double ContentOf(const BodyContacts& contacts, int a) {
  double content = 0.0;
  for (const CellContact& contact : contacts.contacts()) {
    if (contact.a == a) content += contact.depth * contact.extent;
  }
  return content;
}

// ½ Σ d², and minus its gradient by the finder.
double EnergyOf(BodyContacts* contacts, const Matrix3Xd& x, Matrix3Xd* forces = nullptr) {
  contacts->Find(x);
  double energy = 0.0;
  VectorXd f(static_cast<Eigen::Index>(contacts->contacts().size()));
  for (Eigen::Index c = 0; c < f.size(); ++c) {
    f[c] = contacts->contacts()[c].depth;
    energy += 0.5 * f[c] * f[c];
  }
  if (forces != nullptr) {
    forces->setZero(3, x.cols());
    contacts->AddForces(f, *forces);
  }
  return energy;
}

void ExpectForcesOfTheEnergy(const Scene& scene, const Matrix3Xd& x) {
  BodyContacts contacts(scene);
  Matrix3Xd forces, at = x;
  EnergyOf(&contacts, x, &forces);
  ASSERT_FALSE(contacts.contacts().empty());
  const double size = forces.cwiseAbs().maxCoeff(), shift = 1e-6;
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    for (int axis = 0; axis < scene.dimension; ++axis) {
      at(axis, i) = x(axis, i) + shift;
      const double above = EnergyOf(&contacts, at);
      at(axis, i) = x(axis, i) - shift;
      const double below = EnergyOf(&contacts, at);
      at(axis, i) = x(axis, i);
      EXPECT_NEAR(forces(axis, i), (below - above) / (2.0 * shift), 2e-4 * size) << i;
    }
  }
  Vector3d sum = Vector3d::Zero(), moment = Vector3d::Zero();
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    sum += forces.col(i);
    moment += Vector3d(x.col(i)).cross(Vector3d(forces.col(i)));
  }
  EXPECT_LT(sum.norm(), 1e-13 * (1.0 + size));
  EXPECT_LT(moment.norm(), 1e-13 * (1.0 + size));
  // Rates are the gradient times velocities.
  RandomNumbers random(7);
  Matrix3Xd v = random.Vectors(static_cast<int>(x.cols()));
  if (scene.dimension == 2) v.row(2).setZero();
  VectorXd rates;
  contacts.Find(x);
  contacts.DepthRates(v, &rates);
  double power = 0.0;
  for (Eigen::Index c = 0; c < rates.size(); ++c) power += contacts.contacts()[c].depth * rates[c];
  EXPECT_NEAR(power, -forces.cwiseProduct(v).sum(), 1e-12 * (1.0 + size));
}

TEST(BodyContacts, ForcesAreMinusTheGradientOfAnEnergyOfPositionsAndBalance) {
  RandomNumbers random(11);
  for (int trial = 0; trial < 6; ++trial) {
    Scene planar = SceneOf(
        2, {Plate("a", 1.0, 0.6, {3, 2}), Plate("b", 0.7, 0.7), Plate("c", 0.5, 0.5, {2, 3})});
    planar.bodies[1].position = {0.5, 0.4, 0};
    planar.bodies[2].position = {-0.2, 0.45, 0};
    planar.bodies[1].orientation = Eigen::AngleAxisd(0.3 + trial, Vector3d::UnitZ());
    Matrix3Xd x = planar.InitialPoints() + 0.02 * random.Vectors(planar.PointCount());
    x.row(2).setZero();
    ExpectForcesOfTheEnergy(planar, x);

    Scene space = SceneOf(3, {Box("a", {1, 1, 1}, {3, 2, 2}), Box("b", {0.8, 0.9, 1.1}), Die("c")});
    space.bodies[1].position = {0.75, 0.4, 0.2};
    space.bodies[2].position = {-0.4, 0.8, -0.3};
    space.bodies[1].orientation = Eigen::AngleAxisd(0.4 + trial, Vector3d(1, 2, 3).normalized());
    ExpectForcesOfTheEnergy(space,
                            space.InitialPoints() + 0.02 * random.Vectors(space.PointCount()));
  }
}

// Cells of bodies on one grid have sides in one plane, up to rounding, wherever the bodies are.
TEST(BodyContacts, ForcesAreThatGradientWhereSidesInsideOfTheBodiesLieInOnePlane) {
  Matrix3Xd first;
  for (const Vector3d& at :
       {Vector3d(0, 0, 0), Vector3d(0.37, -1.1, 2.3), Vector3d(7.1, 3.3, -0.9)}) {
    Scene scene = SceneOf(3, {Box("below", {1.4, 0.5, 1.4}), Box("soft", {1, 1, 1}, {3, 3, 3})});
    scene.bodies[0].position = at + Vector3d(0, -0.745, 0);
    scene.bodies[1].position = at;
    const Matrix3Xd x = scene.InitialPoints();
    ExpectForcesOfTheEnergy(scene, x);
    BodyContacts contacts(scene);
    Matrix3Xd forces;
    EnergyOf(&contacts, x, &forces);
    if (first.size() == 0) first = forces;
    EXPECT_LT((forces - first).cwiseAbs().maxCoeff(), 1e-9 * first.cwiseAbs().maxCoeff());
    // Nothing pushes the one sideways along the other.
    const Vector3d push = forces.rightCols(27).rowwise().sum();
    EXPECT_LT(std::hypot(push.x(), push.z()), 1e-9 * push.y());
  }
  for (const Vector3d& at : {Vector3d(0, 0, 0), Vector3d(0.37, -1.1, 0), Vector3d(7.1, 3.3, 0)}) {
    Scene scene = SceneOf(2, {Plate("below", 1.5, 0.5, {4, 2}), Plate("soft", 0.5, 1.0, {2, 3})});
    scene.bodies[0].position = at + Vector3d(0, -0.745, 0);
    scene.bodies[1].position = at;
    ExpectForcesOfTheEnergy(scene, scene.InitialPoints());
  }
}

TEST(BodyContacts, FindsWhatTwoBoxesHaveInCommon) {
  for (const Vector3d& at : {Vector3d(0, 0.99, 0), Vector3d(0.4, 0.999, 0), Vector3d(0.9, 0.95, 0),
                             Vector3d(1e-17, 0.9999, 0)}) {
    Scene planar = SceneOf(2, {Plate("a", 1, 1), Plate("b", 1, 1, {4, 3})});
    planar.bodies[1].position = at;
    BodyContacts contacts(planar);
    contacts.Find(planar.InitialPoints());
    const double common = (1.0 - std::abs(at.x())) * (1.0 - at.y());
    EXPECT_NEAR(ContentOf(contacts, 0), common, 1e-15);
    EXPECT_NEAR(ContentOf(contacts, 1), common, 1e-15);

    Scene space = SceneOf(3, {Box("a", {1, 1, 1}), Die("b")});
    space.bodies[1].position = at + Vector3d(0, 0, 0.25);
    BodyContacts in_space(space);
    in_space.Find(space.InitialPoints());
    EXPECT_NEAR(ContentOf(in_space, 0), 0.75 * common, 1e-15);
    EXPECT_NEAR(ContentOf(in_space, 1), 0.75 * common, 1e-15);
  }
}

// A flat face that comes in evenly by δ: each of its cells has the depth δ, up to what the sides of
// cells, which draw together inwards, leave out.
TEST(BodyContacts, AFaceThatComesInEvenlyHasThatDepthAndItsNormal) {
  const double depth = 1e-6;
  Scene scene = SceneOf(3, {Box("low", {3, 1, 3}), Box("high", {1, 1, 1})});
  scene.bodies[1].position = {0.2, 1.0 - depth, -0.1};
  BodyContacts contacts(scene);
  contacts.Find(scene.InitialPoints());
  int of_high = 0;
  double push = 0.0;
  for (const CellContact& contact : contacts.contacts()) {
    const double sign = contact.a == 1 ? 1.0 : -1.0;
    if (!contacts.at_surface(contact.cell)) continue;
    if (contact.a == 1) {
      if (contact.share < 0.5) continue;  // beside the face
      ++of_high;
      EXPECT_NEAR(contact.depth, depth, 1e-5 * depth);
      EXPECT_NEAR(contact.share, 1.0, 1e-5);
    }
    EXPECT_GT(sign * contact.normal.y(), contact.share > 0.01 ? 1.0 - 1e-5 : -1.0);
    push += contact.share * contact.extent;
  }
  EXPECT_EQ(of_high, 4);
  EXPECT_NEAR(push, 2.0, 1e-4);  // the area of the patch, for each of both
}

// Two beams laid across each other at an angle, edge to edge: no point of either is in the other.
TEST(BodyContacts, EdgesThatCrossTouchAndPushApart) {
  Scene scene = SceneOf(3, {Box("low", {4, 1, 1}), Box("high", {4, 1, 1})});
  const Eigen::Quaterniond on_edge(Eigen::AngleAxisd(M_PI / 4, Vector3d::UnitX()));
  scene.bodies[0].orientation = on_edge;
  scene.bodies[1].orientation = Eigen::AngleAxisd(1.0, Vector3d::UnitY()) * on_edge;
  scene.bodies[1].position = {0.1, std::sqrt(2.0) - 0.02, -0.2};
  const Matrix3Xd x = scene.InitialPoints();
  const SceneParts parts(scene);
  for (int b = 0; b < 2; ++b) {
    const SolidSurface surface(parts, b, x);
    for (int i = 0; i < 8; ++i) EXPECT_GT(surface.DistanceAt(x.col(8 * (1 - b) + i)), 0.0);
  }
  BodyContacts contacts(scene);
  Matrix3Xd forces;
  EXPECT_GT(EnergyOf(&contacts, x, &forces), 0.0);
  const Vector3d on_high = forces.rightCols(8).rowwise().sum();
  EXPECT_GT(on_high.y(), 0.0);
  EXPECT_LT(on_high.cross(Vector3d::UnitY()).norm(), 0.05 * on_high.y());
  ExpectForcesOfTheEnergy(scene, x);
}

// An impulse on a cell pushes along the normal of the face that bears it, however small a part of the cell is in the
// other body: as the edges of a block come over the cells of a plank, its sides bear nothing; and the sides of a block
// that stands on its edge, or leans, bear less than the plank does.
TEST(BodyContacts, SliversPushAlongTheFaceThatBearsThem) {
  constexpr double kDepth = 1e-3;
  for (const int dimension : {2, 3}) {
    for (const double lean : {0.0, 1e-4, 0.02, 0.3, M_PI / 4}) {
      for (const double all : {0.0, 0.7}) {
        for (const double beside :
             {1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 0.0, -1e-6, -1e-4, -1e-3, -1e-2}) {
          Scene scene =
              dimension == 2
                  ? SceneOf(2, {Plate("plank", 3, 1, {4, 2}), Plate("block", 1, 1)})
                  : SceneOf(3, {Box("plank", {3, 1, 3}, {4, 2, 3}), Box("block", {1, 1, 1})});
          const Eigen::Quaterniond turn(Eigen::AngleAxisd(all, Vector3d::UnitZ()));
          const Eigen::Quaterniond leans(Eigen::AngleAxisd(lean, Vector3d::UnitZ()));
          scene.bodies[0].orientation = turn;
          scene.bodies[1].orientation = turn * leans;
          const double lowest = 0.5 * (std::cos(lean) + std::sin(lean));
          // Its lowest corner, to the left of which its side goes up, is beside an edge of the plank's grid.
          const Vector3d corner = leans * Vector3d(-0.5, -0.5, 0.0);
          scene.bodies[1].position =
              turn * Vector3d(-0.5 + beside - corner.x(), 0.5 + lowest - kDepth, 0.07);
          if (dimension == 2) scene.bodies[1].position.z() = 0.0;
          BodyContacts contacts(scene);
          contacts.Find(scene.InitialPoints());
          int pushes = 0;
          for (const CellContact& contact : contacts.contacts()) {
            if (contact.push.isZero(0.0)) continue;
            ++pushes;
            const Vector3d up = turn * Vector3d(0.0, contact.a == 1 ? 1.0 : -1.0, 0.0);
            EXPECT_LT((contact.push - up).norm(), 1e-9)
                << dimension << "-D, leans " << lean << ", all " << all << ", beside " << beside;
          }
          EXPECT_GE(pushes, 2);
        }
      }
    }
  }
}

// A face that rests askew is turned back: the cells under its low side are deeper.
TEST(BodyContacts, AFaceAskewIsTurnedBack) {
  for (const double angle : {1e-4, -1e-4}) {
    Scene scene = SceneOf(2, {Plate("low", 3, 1), Plate("high", 1, 1)});
    scene.bodies[1].position = {0, 1.0 - 1e-3, 0};
    scene.bodies[1].orientation = Eigen::AngleAxisd(angle, Vector3d::UnitZ());
    const Matrix3Xd x = scene.InitialPoints();
    BodyContacts contacts(scene);
    Matrix3Xd forces;
    EnergyOf(&contacts, x, &forces);
    double moment = 0.0;
    for (int i = 4; i < 8; ++i) {
      moment += (Vector3d(x.col(i)) - scene.bodies[1].position).cross(Vector3d(forces.col(i))).z();
    }
    EXPECT_LT(moment * angle, -1e-10);
  }
}

TEST(BodyContacts, MeetsWhomTheSceneSays) {
  Scene scene = SceneOf(2, {Plate("a", 1, 1), Plate("b", 1, 1), Plate("c", 1, 1)});
  scene.bodies[1].position = {0.9, 0, 0};
  scene.bodies[2].position = {1.8, 0, 0};
  const auto pairs = [&] {
    BodyContacts contacts(scene);
    contacts.Find(scene.InitialPoints());
    std::array<bool, 2> met = {false, false};
    for (const CellContact& contact : contacts.contacts())
      met[std::min(contact.a, contact.b)] = true;
    return met;
  };
  EXPECT_EQ(pairs(), (std::array<bool, 2>{true, true}));
  scene.attachments.push_back({"joint", {0, 1}, {1, 0}});
  EXPECT_EQ(pairs(), (std::array<bool, 2>{false, true}));
  scene.contacts.push_back({2, 1, true});
  EXPECT_FALSE(BodyContacts(scene).empty());  // a and c do
  EXPECT_EQ(pairs(), (std::array<bool, 2>{false, false}));
  scene.contacts.push_back({1, 0, false, 0.25, 0.5});
  BodyContacts contacts(scene);
  contacts.Find(scene.InitialPoints());
  ASSERT_FALSE(contacts.contacts().empty());
  EXPECT_EQ(contacts.contacts()[0].friction, 0.25);
  EXPECT_EQ(contacts.contacts()[0].restitution, 0.5);
  scene.contacts.push_back({0, 2, true});
  EXPECT_TRUE(SolidsMeet(scene));
  EXPECT_TRUE(SolidsMeetWithFriction(scene));
  scene.contacts[1].ignored = true;
  EXPECT_FALSE(SolidsMeet(scene));
}

TEST(BodyContacts, SaysWhyABodyHasNoCells) {
  const Scene planar =
      SceneOf(2, {MakeChain("line", {0, 0, 0}, {1, 0, 0}, 3, 1.0), Plate("a", 1, 1)});
  EXPECT_NE(WhyNoCells(planar, 0), "");
  EXPECT_EQ(WhyNoCells(planar, 1), "");
  const Scene space = SceneOf(3, {Plate("sheet", 1, 1), Die("die"), Box("box", {1, 1, 1}),
                                  MakeTorus("ring", 1.0, 0.2, {12, 6}, 1.0)});
  EXPECT_NE(WhyNoCells(space, 0), "");
  EXPECT_EQ(WhyNoCells(space, 1), "");
  EXPECT_EQ(WhyNoCells(space, 2), "");
  EXPECT_NE(WhyNoCells(space, 3), "");
}

TEST(BodyContacts, SaysWhyABodyInsideOutHasNoCells) {
  Scene scene = SceneOf(3, {Die("die")});
  for (auto& face : scene.bodies[0].faces) std::swap(face[0], face[1]);
  EXPECT_NE(WhyNoCells(scene, 0).find("seen from inside"), std::string::npos);
}

TEST(BodyContacts, AllocatesNothingAfterTheFirstStepAndRepeatsItself) {
  Scene scene = SceneOf(3, {Box("a", {1, 1, 1}, {3, 3, 3}), Box("b", {1, 1, 1}), Die("c")});
  scene.bodies[1].position = {0.3, 0.9, 0.1};
  scene.bodies[2].position = {0.1, 1.8, 0};
  const Matrix3Xd x = scene.InitialPoints();
  BodyContacts contacts(scene);
  VectorXd rates, f;
  Matrix3Xd forces = Matrix3Xd::Zero(3, x.cols());
  const auto step = [&] {
    contacts.Find(x);
    contacts.DepthRates(x, &rates);
    f = rates;
    forces.setZero();
    contacts.AddForces(f, forces);
  };
  step();
  const Matrix3Xd first = forces;
#ifdef PLIANT_COUNTS_ALLOCATIONS
  const long before = allocations;
  step();
  EXPECT_EQ(allocations - before, 0);
#else
  step();
#endif
  EXPECT_EQ(forces, first);
}

}  // namespace
}  // namespace pliant
