// Surfaces that keep their thickness from themselves and from one another.

#include "solvers/contact/surface_contacts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "models/scene/contact_pairs.h"
#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "models/scene/validate.h"
#include "solvers/backends.h"
#include "solvers/position_based/distance_solver.h"
#include "solvers/projection/scene_edges.h"
#include "tests/counted_allocations.h"
#include "tests/solvers/projection/scenes.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::HasSubstr;

// Pairs of a point and a face, of all bodies, through which the point goes between two instants.
int Passed(const Scene& scene, const Matrix3Xd& before, const Matrix3Xd& now) {
  int passed = 0;
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const int offset = scene.Offset(static_cast<int>(b));
    for (const auto& face : scene.bodies[b].faces) {
      PointAndFace pair;
      for (int c = 0; c < 3; ++c) {
        pair.before[c] = before.col(offset + face[c]);
        pair.corners[c] = now.col(offset + face[c]);
      }
      for (Eigen::Index p = 0; p < now.cols(); ++p) {
        if (p == offset + face[0] || p == offset + face[1] || p == offset + face[2]) continue;
        pair.point_before = before.col(p);
        pair.point = now.col(p);
        passed += ApproachOf(pair, 1e-6).passed ? 1 : 0;
      }
    }
  }
  return passed;
}

// --- One pair ------------------------------------------------------------------------------------

const std::array<Vector3d, 3> kFace = {Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(0, 1, 0)};

TEST(TouchOfPointAndFace, IsWhereTheFootOfThePointIsInTheFace) {
  RandomNumbers random(7);
  int over = 0;
  for (int i = 0; i < 300; ++i) {
    const Vector3d p = 1.5 * random.Vector();
    for (const double side : {-1.0, 1.0}) {
      FaceTouch touch;
      const bool is_over = IsOver(kFace, p, side, 0.0, &touch);
      EXPECT_EQ(is_over, p.x() >= 0.0 && p.y() >= 0.0 && p.x() + p.y() <= 1.0);
      over += is_over ? 1 : 0;
      EXPECT_EQ(touch.normal, Vector3d(0, 0, side));
      EXPECT_NEAR(touch.distance, side * p.z(), 1e-14);
      EXPECT_NEAR(touch.weights.sum(), 1.0, 1e-12);
      EXPECT_GE(touch.weights.minCoeff(), 0.0);
      // No place of the face is nearer.
      const Vector3d q = touch.weights[1] * kFace[1] + touch.weights[2] * kFace[2];
      for (int u = 0; u <= 10; ++u) {
        for (int v = 0; u + v <= 10; ++v) {
          EXPECT_LE((p - q).norm(), (p - Vector3d(0.1 * u, 0.1 * v, 0.0)).norm() + 1e-12);
        }
      }
    }
  }
  EXPECT_GT(over, 20);
  FaceTouch touch;
  EXPECT_FALSE(IsOver(kFace, {0.2, -0.1, 0.3}, 1.0, 0.09, &touch));
  EXPECT_TRUE(IsOver(kFace, {0.2, -0.1, 0.3}, 1.0, 0.11, &touch)) << "in the rim";
  EXPECT_FALSE(IsOver({kFace[0], kFace[1], 0.5 * kFace[1]}, kFace[0], 1.0, 1.0, &touch));
}

// Over the edge that two faces share a point is over one of them, whatever rounding says.
TEST(TouchOfPointAndFace, LeavesNoGapBetweenNeighbours) {
  RandomNumbers random(11);
  for (int i = 0; i < 300; ++i) {
    const Vector3d a = random.Vector(), b = random.Vector(), up = random.Vector();
    const double t = 0.5 + 0.4 * random.Number();
    const Vector3d across = up.cross(b - a).normalized();
    const Vector3d p = (1.0 - t) * a + t * b + 0.1 * across.cross(b - a).normalized();
    FaceTouch touch;
    const bool first = IsOver({a, b, a + across + 0.3 * (b - a)}, p, 1.0, 0.0, &touch);
    const bool second = IsOver({b, a, b - across - 0.3 * (b - a)}, p, 1.0, 0.0, &touch);
    EXPECT_TRUE(first || second) << i;
  }
}

Approach Approaching(const Vector3d& before, const Vector3d& now, double rim = 0.01) {
  return ApproachOf({before, now, kFace, kFace}, rim);
}

TEST(TouchOfPointAndFace, BelongsToTheSideItCameFrom) {
  for (const double side : {-1.0, 1.0}) {
    const Approach passed = Approaching({0.2, 0.3, 0.1 * side}, {0.3, 0.2, -0.3 * side});
    EXPECT_TRUE(passed.passed);
    EXPECT_EQ(passed.side, side);
    const Approach near = Approaching({0.2, 0.3, 0.1 * side}, {0.3, 0.2, 0.05 * side});
    EXPECT_FALSE(near.passed);
    EXPECT_EQ(near.side, side);
    const Approach beside = Approaching({0.6, 0.6, 0.1 * side}, {0.3, 0.3, -0.9 * side});
    EXPECT_FALSE(beside.passed) << "it changed sides beside the face";
    EXPECT_EQ(beside.side, -side);
  }
  EXPECT_TRUE(Approaching({0.2, 0.3, 9.0}, {0.2, 0.3, -9.0}).passed) << "however fast";
}

// The long edge is at x + y = 1; a rim of 0.01 belongs to the face.
TEST(TouchOfPointAndFace, PassesWhereItIsInThePlane) {
  EXPECT_TRUE(Approaching({0.505, 0.505, 0.1}, {0.505, 0.505, -0.1}).passed);
  EXPECT_FALSE(Approaching({0.51, 0.51, 0.1}, {0.51, 0.51, -0.1}).passed);
  EXPECT_FALSE(Approaching({2.75, 0.1, 0.1}, {0.25, 0.1, -0.1}).passed) << "at x = 1.5";
  EXPECT_TRUE(Approaching({0.25, 0.1, 0.1}, {0.75, 0.1, -0.1}).passed) << "at x = 0.5";
  EXPECT_TRUE(Approaching({1.25, 0.1, 0.3}, {0.25, 0.1, -0.1}).passed) << "at x = 0.5";
  EXPECT_FALSE(Approaching({1.25, 0.1, 0.02}, {0.25, 0.1, -0.18}).passed) << "at x = 1.15";
}

TEST(TouchOfPointAndFace, IsSeenTheSameFromWhateverMovesAlong) {
  const Vector3d drift(3.0, -2.0, 5.0);
  std::array<Vector3d, 3> moved = kFace;
  for (Vector3d& corner : moved) corner += drift;
  const Vector3d before(0.2, 0.3, 0.1), passed(0.3, 0.2, -0.1), kept(0.3, 0.2, 0.1);
  EXPECT_TRUE(ApproachOf({before, passed + drift, kFace, moved}, 0.01).passed);
  EXPECT_FALSE(ApproachOf({before, kept + drift, kFace, moved}, 0.01).passed);
  // A face that goes by a point at rest is one that the point comes through.
  moved = kFace;
  for (Vector3d& corner : moved) corner.z() += 0.2;
  const Approach approach = ApproachOf({before, before, kFace, moved}, 0.01);
  EXPECT_TRUE(approach.passed);
  EXPECT_EQ(approach.side, 1.0);
}

// A face that turns by a right angle about the x axis meets a point on its way, at the angle 45°
// half way (corners move straight).
TEST(TouchOfPointAndFace, IsMetByAFaceThatTurns) {
  const std::array<Vector3d, 3> up = {kFace[0], kFace[1], Vector3d(0, 0, 1)};
  const auto meets = [&up](const Vector3d& p) {
    return ApproachOf({p, p, kFace, up}, 1e-9).passed;
  };
  EXPECT_TRUE(meets({0.2, 0.3, 0.3}));
  EXPECT_FALSE(meets({0.45, 0.3, 0.3})) << "beyond the edge, which has moved inwards";
  EXPECT_FALSE(meets({0.2, -0.3, 0.3}));
  EXPECT_FALSE(meets({0.2, 0.6, 0.6}));
}

// --- All pairs -----------------------------------------------------------------------------------

// A crumpled sheet and a block: the trees find the pairs that all parts against all parts do.
TEST(SurfaceContacts, FindsWhatComparingAllPairsFinds) {
  Scene scene = Weightless({Sheet(9)});
  scene.bodies.push_back(MakeBlock("block", {0.4, 0.4, 0.4}, {3, 3, 3}, 1.0));
  scene.bodies[1].position = {0.0, 0.0, 0.5};
  scene.attachments = {{"sewn", {0, 40}, {1, 4}}};
  const Matrix3Xd rest = scene.InitialPoints();
  MeetingSurfaces surfaces(scene, {.thickness = 0.02}, {false, false}, rest);
  const std::vector<int>& points = surfaces.points();
  EXPECT_EQ(points.size(), 81u + 26u) << "the middle of the block is of no face";
  EXPECT_EQ(surfaces.edges().size(), 208u + 72u) << "without those inside the block";
  RandomNumbers random(11);
  const double reach = 0.04;
  int near = 0;
  for (int i = 0; i < 20; ++i) {
    const Matrix3Xd before = rest + 0.2 * random.Vectors(static_cast<int>(rest.cols()));
    Matrix3Xd now = before + 0.15 * random.Vectors(static_cast<int>(rest.cols()));
    now.colwise() += Vector3d(0.0, -4.0, 0.0);
    surfaces.Begin(before, 0.0);
    std::set<std::array<int, 3>> found;
    surfaces.ForEachNear(now, reach, [&](const SurfacePair& pair) {
      EXPECT_TRUE(found.insert({static_cast<int>(pair.kind), pair.parts[0], pair.parts[1]}).second);
    });
    const auto expect = [&](PairKind kind, int a, int b, const std::array<int, 4>& corners) {
      PairCorners start, end;
      for (int c = 0; c < 4; ++c) {
        start[c] = before.col(corners[c]);
        end[c] = now.col(corners[c]);
      }
      PairTouch touch;
      const double side = SideOf(kind, end);
      const bool touches = TouchOf(kind, end, side, 0.0, true, &touch) && touch.distance < reach;
      if (!touches && !PassageOf(kind, start, end, 1e-4)) return;
      ++near;
      EXPECT_EQ(found.count({static_cast<int>(kind), a, b}), 1u) << a << " " << b;
    };
    for (const int p : points) {
      for (int f = 0; f < static_cast<int>(surfaces.faces().size()); ++f) {
        const auto [a, b, c] = surfaces.faces()[f];
        if (surfaces.CanTouch(p, f)) expect(PairKind::kPointFace, p, f, {p, a, b, c});
      }
    }
    const auto& edges = surfaces.edges();
    for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
      for (int f = e + 1; f < static_cast<int>(edges.size()); ++f) {
        if (!surfaces.EdgesCanTouch(e, f)) continue;
        expect(PairKind::kEdgeEdge, e, f, {edges[e][0], edges[e][1], edges[f][0], edges[f][1]});
      }
    }
  }
  EXPECT_GT(near, 2000);
}

TEST(SurfaceContacts, LeavesOutCornersAndWhatIsHeldTogether) {
  Scene scene = Weightless({Sheet(3)});
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies[1].name = "other";
  scene.bodies[1].position.z() = 0.3;
  scene.attachments = {{"sewn", {0, 0}, {1, 0}}};
  const MeetingSurfaces contacts(scene, {.thickness = 0.1}, {false, true}, scene.InitialPoints());
  ASSERT_EQ(contacts.faces().size(), 16u);
  for (int f = 0; f < 16; ++f) {
    const auto& face = contacts.faces()[f];
    const auto has = [&face](int p) {
      return std::find(face.begin(), face.end(), p) != face.end();
    };
    for (int p = 0; p < 18; ++p) {
      const bool same_rigid = p >= 9 && f >= 8;
      const bool sewn = (p == 0 && has(9)) || (p == 9 && has(0));
      EXPECT_EQ(contacts.CanTouch(p, f), !has(p) && !same_rigid && !sewn) << p << " " << f;
    }
  }
}

// A point of 1 kg above the middle of a face whose corners have 1, 2 and 3 kg, two of them held
// still or not, is pushed out: each is displaced by its share.
TEST(SurfaceContacts, SharesACorrectionByInverseMasses) {
  Scene scene = Weightless({MakeSheet("sheet", {1, 1}, {2, 2}, 1.0)});
  scene.bodies[0].mass << 1.0, 2.0, 3.0, 4.0;
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies[1].name = "other";
  scene.bodies[1].position = {0.5, 0.4, 1.0};
  const Matrix3Xd rest = scene.InitialPoints();
  const VectorXd m = scene.Masses();
  Matrix3Xd now = rest;
  now.row(2).rightCols(4).setConstant(0.04);
  const std::vector<SceneEdge> edges = SceneEdges(scene, {false, false});
  position_based::DistanceSolver mover(edges, EdgeLengths(edges, rest), m, {}, {});
  mover.Load(now);
  SurfaceContacts contacts(scene, {.thickness = 0.1}, {false, false}, rest, 1e-6);
  contacts.Begin(rest, 0.0);
  ASSERT_GT(contacts.Find(now), 0);
  EXPECT_NEAR(contacts.FindWorst(mover).size, 0.06, 1e-12);
  for (int i = 0; i < 200; ++i) contacts.Relax(&mover);
  EXPECT_LT(contacts.FindWorst(mover).size, 1e-9);
  Matrix3Xd pushed(3, 8);
  mover.Store(pushed);
  EXPECT_LT(((pushed - now) * m).norm(), 1e-12) << "the centre of mass stays";
  EXPECT_LT((contacts.impulses() - (pushed - now) * m.asDiagonal()).norm(), 1e-12);
  EXPECT_GT(pushed(2, 4), 0.05);
  EXPECT_LT(pushed.row(2).leftCols(4).minCoeff(), -0.005);
}

// What begins a step too near comes no nearer, and is then led out by a tenth of the thickness, and
// not beyond it.
TEST(SurfaceContacts, LeadOutWhatWasTooNearByATenth) {
  Scene scene = Weightless({MakeSheet("sheet", {1, 1}, {2, 2}, 1.0)});
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies[1].name = "other";
  scene.bodies[1].position = {0.5, 0.4, 1.0};
  Matrix3Xd x = scene.InitialPoints();
  const std::vector<SceneEdge> edges = SceneEdges(scene, {false, false});
  position_based::DistanceSolver mover(edges, EdgeLengths(edges, x), scene.Masses(), {}, {});
  SurfaceContacts contacts(scene, {.thickness = 0.1}, {false, false}, x, 1e-6);
  for (const auto& [apart, way] :
       {std::pair(0.04, 0.01), std::pair(0.0, 0.01), std::pair(0.095, 0.005)}) {
    x.row(2).rightCols(4).setConstant(apart);
    mover.Load(x);
    contacts.Begin(x, 0.0);
    ASSERT_GT(contacts.Find(x), 0) << apart;
    EXPECT_LT(contacts.FindWorst(mover).size, 1e-12) << apart;
    contacts.LeadOut();
    EXPECT_NEAR(contacts.FindWorst(mover).size, way, 1e-12) << apart;
  }
}

// --- In motion -----------------------------------------------------------------------------------

struct Way {
  const char* formulation;
  std::int64_t levels;  // of the sweeps
};
constexpr Way kWays[] = {
    {"displacement-constraints", 1}, {"position-based", 1}, {"position-based", 4}};

ParameterValues Surfaces(const Way& way, double thickness) {
  ParameterValues parameters;
  parameters["solver_levels"] = way.levels;
  parameters["surface_thickness"] = thickness;
  parameters["max_sweeps"] = std::int64_t{2000};
  return parameters;
}

// Held along a line beside its middle, both halves of a sheet fall and swing against each other.
Scene ClosingBook() {
  Scene scene = Weightless({Sheet(9)});
  scene.gravity = {0.0, 0.0, -kG};
  for (const int row : {0, 1, 2, 3, 4, 5, 6, 7, 8}) {
    scene.nails.push_back(NailWhereItStarts(scene, "spine", {0, 9 * row + 3}));
  }
  return scene;
}

TEST(SurfaceContacts, AFoldDoesNotPassThroughItself) {
  for (const Way& way : kWays) {
    for (const double thickness : {0.0, 0.03}) {
      const Scene scene = ClosingBook();
      const Translation translation = TranslateBy(way.formulation, scene, Surfaces(way, thickness));
      Observation now = Observed(*translation.simulation);
      int passed = 0;
      double crossed = -1.0;  // how far the left edge gets to the right of the other flap
      for (int i = 0; i < 120; ++i) {
        const Matrix3Xd before = now.points;
        now = RunFor(translation.simulation.get(), 1, 0.01);
        passed += Passed(scene, before, now.points);
        for (int row = 0; row < 9; ++row) {
          crossed = std::max(crossed, now.points(0, 9 * row) - now.points(0, 9 * row + 6));
        }
      }
      if (thickness > 0.0) {
        EXPECT_EQ(passed, 0) << way.formulation << " " << way.levels;
        EXPECT_LT(crossed, 0.03) << way.formulation << " " << way.levels;
      } else {
        EXPECT_GT(passed, 5) << way.formulation << " " << way.levels;
        EXPECT_GT(crossed, 0.1) << way.formulation << " " << way.levels;
      }
      // Swept by levels, points leave contacts open between the flaps, and say so.
      for (const UnmetConstraint& unmet : translation.simulation->UnmetConstraints()) {
        EXPECT_TRUE(way.formulation == std::string("position-based") && way.levels > 1)
            << unmet.name;
        EXPECT_LT(unmet.size, 0.25 * thickness) << unmet.name;
      }
    }
  }
}

// What is led out of a contact gets no speed by it: nothing makes energy, however short the steps.
TEST(SurfaceContacts, AFoldMakesNoEnergy) {
  const Scene scene = ClosingBook();
  for (const char* formulation : kSweepingFormulations) {
    for (const double h : {4e-3, 2e-3, 1e-3}) {
      const Translation translation =
          TranslateBy(formulation, scene, {{"surface_thickness", 0.05}});
      double lowest = 0.0, made = 0.0, kinetic = 0.0;
      for (int i = 0; i < static_cast<int>(std::lround(0.8 / h)); ++i) {
        translation.simulation->Advance(h);
        Observation now;
        translation.simulation->Observe(&now);
        const double energy = EnergyOf(scene, now);
        lowest = std::min(lowest, energy);
        made = std::max(made, energy - lowest);
        kinetic = std::max(kinetic, KineticEnergy(scene.Masses(), *now.velocities));
      }
      EXPECT_GT(kinetic, 2.0);
      EXPECT_LT(made, 0.01 * kinetic) << formulation << ", step " << h;
    }
  }
}

// Two sheets that meet crosswise and turned, in empty space.
Scene Clash() {
  Scene scene = Weightless({Sheet(9)});
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies[1].name = "other";
  scene.bodies[1].mass *= 2.0;
  scene.bodies[1].position = {0.23, 0.31, 0.2};
  scene.bodies[1].orientation =
      Eigen::Quaterniond(Eigen::AngleAxisd(0.4, Vector3d(1, 2, 3).normalized()));
  scene.bodies[1].position.z() = 0.35;
  scene.bodies[0].velocity = {0.0, 0.3, 1.0};
  scene.bodies[1].velocity = {0.5, 0.0, -1.0};
  return scene;
}

TEST(SurfaceContacts, KeepMomentumAndTakeEnergy) {
  const Scene scene = Clash();
  const VectorXd m = scene.Masses();
  const Vector3d momentum(1.0, 0.3, -1.0);
  for (const Way& way : kWays) {
    const Translation translation = TranslateBy(way.formulation, scene, Surfaces(way, 0.02));
    Observation now = Observed(*translation.simulation);
    const double before = KineticEnergy(m, *now.velocities);
    int passed = 0;
    for (int i = 0; i < 60; ++i) {
      const Matrix3Xd x = now.points;
      now = RunFor(translation.simulation.get(), 1, 0.01);
      passed += Passed(scene, x, now.points);
      EXPECT_LT((LinearMomentum(m, *now.velocities) - momentum).norm(), 1e-12);
    }
    EXPECT_EQ(passed, 0);
    const double after = KineticEnergy(m, *now.velocities);
    EXPECT_LT(after, 0.9 * before) << way.formulation;
    EXPECT_LT((*now.work)[WorkClass::kContact], -0.05 * before) << way.formulation;
    EXPECT_NEAR((*now.work)[WorkClass::kContact] + (*now.work)[WorkClass::kConstraint],
                after - before, 1e-3 * before)
        << way.formulation;
  }
}

// Two small plates, one behind the other, come down on a large one at a grazing angle. What goes
// farther aside in a step than a face is wide is past the face that it meets: it is kept on its side
// all the same. What passes beside the border meets nothing.
TEST(SurfaceContacts, AreNotTooSlowForWhatIsFast) {
  struct Flight {
    double speed, from;  // m/s, in steps of 10 ms, and m; a face is 0.125 m wide
    bool meets;
  };
  for (const Way& way : kWays) {
    for (const Flight& flight :
         {Flight{2.0, -0.31, true}, {30.0, -0.31, true}, {30.0, 0.41, false}}) {
      SCOPED_TRACE(testing::Message() << way.formulation << " " << way.levels << ", "
                                      << flight.speed << " " << flight.from);
      const Vector3d velocity = flight.speed * Vector3d(1.0, 0.0, -0.2);
      Scene scene = Weightless({Sheet(9)});
      for (const double steps : {0.0, 1.0}) {
        scene.bodies.push_back(MakeSheet(steps == 0.0 ? "one" : "two", {0.12, 0.12}, {9, 9}, 0.01));
        scene.bodies.back().position =
            Vector3d(flight.from, -0.1, 0.031) + steps * Vector3d(-0.3, 0.0, 0.06);
        scene.bodies.back().velocity = velocity;
      }
      ParameterValues parameters = Surfaces({way.formulation, 1}, 0.01);
      parameters["rigid_bodies"] = std::vector<std::string>{"one", "two"};
      const Translation translation = TranslateBy(way.formulation, scene, parameters);
      Simulation& simulation = *translation.simulation;
      Observation before, now;
      simulation.Observe(&before);
      int passed = 0;
      for (int i = 0; i < (flight.speed < 10.0 ? 12 : 2); ++i) {
        now = RunFor(&simulation, 1, 0.01);
        passed += Passed(scene, before.points, now.points);
        before = now;
      }
      EXPECT_EQ(passed, 0);
      const double change =
          (now.velocities->rightCols(162).colwise() - velocity).colwise().norm().maxCoeff();
      EXPECT_EQ(change > 0.1, flight.meets) << change;
    }
  }
}

TEST(SurfaceContacts, DoNothingFarFromContact) {
  Scene scene = Weightless({Sheet(9)});
  scene.gravity = {0.0, 0.0, -kG};
  scene.nails = {NailWhereItStarts(scene, "left", {0, 0})};
  for (const Way& way : kWays) {
    Observation with, without;
    for (const double thickness : {0.0, 0.002}) {
      const Translation translation = TranslateBy(way.formulation, scene, Surfaces(way, thickness));
      (thickness > 0.0 ? with : without) = RunFor(translation.simulation.get(), 30, 0.01);
    }
    EXPECT_EQ(with.points, without.points) << way.formulation;
    EXPECT_EQ(*with.velocities, *without.velocities) << way.formulation;
  }
}

#ifdef PLIANT_COUNTS_ALLOCATIONS
// Once the arrays have grown as far as a clash needs, its steps take no memory.
TEST(SurfaceContacts, TakeNoMemoryOnceTheyHaveGrown) {
  const Scene scene = Clash();
  const long before_all = allocations;
  EXPECT_NE(std::make_unique<Scene>(), nullptr);
  ASSERT_GT(allocations, before_all) << "allocations are not counted";
  for (const Way& way : kWays) {
    const Translation translation = TranslateBy(way.formulation, scene, Surfaces(way, 0.02));
    Simulation& simulation = *translation.simulation;
    const VectorXd start = simulation.Save();
    for (int i = 0; i < 60; ++i) simulation.Advance(0.01);
    simulation.Restore(start);
    const long before = allocations;
    for (int i = 0; i < 60; ++i) simulation.Advance(0.01);
    EXPECT_EQ(allocations - before, 0) << way.formulation << " " << way.levels;
  }
}
#endif

// A tilted sheet falls onto a rigid slab that is nailed, and comes to lie on it.
TEST(SurfaceContacts, AreOfRigidBodiesToo) {
  for (const char* formulation : kSweepingFormulations) {
    Scene scene = Weightless({Sheet(9)});
    scene.gravity = {0.0, 0.0, -kG};
    scene.bodies[0].orientation = Eigen::Quaterniond(Eigen::AngleAxisd(0.1, Vector3d::UnitX()));
    scene.bodies.push_back(MakeBlock("slab", {2.0, 2.0, 0.2}, {4, 4, 2}, 2.0));
    scene.bodies[1].position = {0.02, 0.01, -0.25};
    for (const int corner : {0, 3, 12, 15}) {
      scene.nails.push_back(NailWhereItStarts(scene, "corner", {1, corner}));
    }
    ParameterValues parameters = Surfaces({formulation, 1}, 0.02);
    parameters["rigid_bodies"] = std::vector<std::string>{"slab"};
    parameters["surface_friction"] = 0.6;
    const Translation translation = TranslateBy(formulation, scene, parameters);
    Observation now = Observed(*translation.simulation);
    int passed = 0;
    for (int i = 0; i < 100; ++i) {
      const Matrix3Xd before = now.points;
      now = RunFor(translation.simulation.get(), 1, 0.01);
      passed += Passed(scene, before, now.points);
    }
    EXPECT_EQ(passed, 0) << formulation;
    EXPECT_GT(now.points.leftCols(81).row(2).minCoeff(), -0.15 + 0.02 - 1e-3) << formulation;
    EXPECT_LT(now.points.leftCols(81).row(2).maxCoeff(), -0.15 + 0.03) << formulation;
    EXPECT_LT((now.points.rightCols(32) - scene.InitialPoints().rightCols(32)).norm(), 1e-2);
  }
}

// What is pressed on a slab that nothing presses takes and gives nothing there.
TEST(SurfaceContacts, DoNoWorkOnWhatRests) {
  for (const char* formulation : kSweepingFormulations) {
    Scene scene = Weightless({Sheet(5)});
    for (int p = 0; p < 25; ++p) {
      const Vector3d weight(0.0, 0.0, -kG * scene.bodies[0].mass[p]);
      scene.forces.push_back({"weight" + std::to_string(p), {0, p}, weight, 0.0, 1.0});
    }
    scene.bodies[0].position.z() = 0.1 + 0.05;
    scene.bodies.push_back(MakeBlock("slab", {2.0, 2.0, 0.2}, {4, 4, 2}, 2.0));
    for (const int corner : {0, 3, 12, 15, 16, 19, 28, 31}) {
      scene.nails.push_back(NailWhereItStarts(scene, "corner", {1, corner}));
    }
    ParameterValues parameters = Surfaces({formulation, 1}, 0.05);
    parameters["rigid_bodies"] = std::vector<std::string>{"slab"};
    parameters["tolerance"] = 1e-5;
    const Translation translation = TranslateBy(formulation, scene, parameters);
    const Observation end = RunFor(translation.simulation.get(), 50, 0.01);
    EXPECT_NEAR(end.points(2, 12), 0.15, 1e-3) << formulation;
    EXPECT_NEAR((*end.work)[WorkClass::kContact], 0.0, 0.02) << formulation;
  }
}

// A sheet spins fast enough to break every side of its faces in the first step: then a chip falls
// through them, and on to them where nothing breaks.
TEST(SurfaceContacts, LeaveFacesWithABrokenSide) {
  for (const char* formulation : kSweepingFormulations) {
    for (const bool breaks : {false, true}) {
      SCOPED_TRACE(std::string(formulation) + (breaks ? ", broken" : ", whole"));
      Scene scene = Weightless({Sheet(5)});
      scene.bodies[0].angular_velocity = {0.0, 0.0, 2.0};
      scene.bodies.push_back(MakeSheet("chip", {0.04, 0.04}, {2, 2}, 0.1));
      scene.bodies[1].position = {0.12, 0.08, 0.06};
      scene.bodies[1].velocity = {0.0, 0.0, -1.0};
      ParameterValues parameters = Surfaces({formulation, 1}, 0.02);
      parameters["break_force"] = breaks ? 1e-4 : 1e9;
      parameters["break_resolution"] = 1e9;  // nothing is anywhere near to it
      const Translation translation = TranslateBy(formulation, scene, parameters);
      const Observation end = RunFor(translation.simulation.get(), 10, 0.01);
      EXPECT_EQ(translation.simulation->events().empty(), !breaks);
      const double fall = end.velocities->rightCols(4).row(2).mean();
      if (breaks) {
        EXPECT_NEAR(fall, -1.0, 1e-12);
      } else {
        EXPECT_GT(fall, -0.9);
      }
    }
  }
}

// A box slides over a slab that is nailed: μ g slows it down.
TEST(SurfaceContacts, RubAsCoulombSays) {
  for (const double friction : {0.0, 0.2}) {
    Scene scene = Weightless({MakeBlock("slab", {4.0, 1.0, 0.2}, {5, 2, 2}, 1.0)});
    scene.gravity = {0.0, 0.0, -10.0};
    for (const int corner : {0, 4, 5, 9, 10, 14, 15, 19}) {
      scene.nails.push_back(NailWhereItStarts(scene, "corner", {0, corner}));
    }
    scene.bodies.push_back(MakeBlock("box", {0.3, 0.3, 0.1}, {2, 2, 2}, 0.01));
    scene.bodies[1].position = {-1.03, 0.02, 0.1 + 0.05 + 0.0201};
    scene.bodies[1].velocity = {2.0, 0.0, 0.0};
    ParameterValues parameters = Surfaces(kWays[0], 0.02);
    parameters["rigid_bodies"] = std::vector<std::string>{"*"};
    parameters["surface_friction"] = friction;
    parameters["tolerance"] = 1e-5;
    const Translation translation = TranslateBy(kWays[0].formulation, scene, parameters);
    const Observation end = RunFor(translation.simulation.get(), 100, 0.005);
    const Vector3d mean = end.velocities->rightCols(8).rowwise().mean();
    EXPECT_NEAR(mean.x(), 2.0 - friction * 10.0 * 0.5, 0.05) << friction;
    EXPECT_NEAR(end.points.rightCols(8).row(2).minCoeff(), 0.12, 1e-3);
  }
}

TEST(SurfaceContacts, ContinueFromASavedState) {
  const Scene scene = Clash();
  for (const Way& way : kWays) {
    const Translation first = TranslateBy(way.formulation, scene, Surfaces(way, 0.02));
    RunFor(first.simulation.get(), 20, 0.01);
    const VectorXd state = first.simulation->Save();
    const Observation straight = RunFor(first.simulation.get(), 20, 0.01);
    const Translation second = TranslateBy(way.formulation, scene, Surfaces(way, 0.02));
    second.simulation->Restore(state);
    EXPECT_EQ(RunFor(second.simulation.get(), 20, 0.01).points, straight.points);
  }
}

// --- As the scene says ---------------------------------------------------------------------------

// Two cubes, one thrown at the other, off centre and turned.
Scene ThrownCubes() {
  Scene scene = Weightless({MakeBlock("left", {1, 1, 1}, {3, 3, 3}, 1.0)});
  scene.bodies.push_back(MakeBlock("right", {1, 1, 1}, {3, 3, 3}, 2.0));
  scene.bodies[1].position = {1.6, 0.31, 0.22};
  scene.bodies[1].orientation =
      Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()));
  scene.bodies[0].velocity = {2.0, 0.0, 0.0};
  return scene;
}

ParameterValues Rigid() { return {{"rigid_bodies", std::vector<std::string>{"*"}}}; }

double Along(const Observation& seen, int first, int count) {
  return seen.velocities->middleCols(first, count).row(0).mean();
}

TEST(BodiesThatMeet, DoSoWithoutAWord) {
  for (const char* formulation : kSweepingFormulations) {
    for (const bool ignored : {false, true}) {
      for (const bool rigid : {false, true}) {
        SCOPED_TRACE(std::string(formulation) + (ignored ? ", ignored" : "") +
                     (rigid ? ", rigid" : ""));
        Scene scene = ThrownCubes();
        if (ignored) scene.contacts = {{0, 1, true}};
        const Translation translation =
            TranslateBy(formulation, scene, rigid ? Rigid() : ParameterValues());
        const VectorXd m = scene.Masses();
        Observation now = Observed(*translation.simulation);
        const double before = KineticEnergy(m, *now.velocities);
        for (int i = 0; i < 150; ++i) {
          now = RunFor(translation.simulation.get(), 1, 0.01);
          EXPECT_LT((LinearMomentum(m, *now.velocities) - Vector3d(2, 0, 0)).norm(), 1e-11);
        }
        const double after = KineticEnergy(m, *now.velocities);
        if (ignored) {
          EXPECT_NEAR(after, before, 1e-9);
          EXPECT_NEAR(Along(now, 0, 27), 2.0, 1e-9);
          continue;
        }
        EXPECT_LT(after, 0.9 * before);
        EXPECT_GT(Along(now, 27, 27), 0.3) << "it is pushed on";
        if (rigid) EXPECT_LT(Along(now, 0, 27), Along(now, 27, 27) + 0.05);  // nets shear past
        EXPECT_LT((*now.work)[WorkClass::kContact], -0.05 * before);
      }
    }
  }
}

// Frictionless impulses along the way between the places that touch turn nothing: what the angular
// momentum changes is of the step, and goes with it.
TEST(BodiesThatMeet, KeepAngularMomentumAsTheStepBecomesSmall) {
  const Scene scene = ThrownCubes();
  const VectorXd m = scene.Masses();
  for (const char* formulation : kSweepingFormulations) {
    std::vector<double> lost;
    for (const double h : {0.01, 0.005, 0.0025}) {
      const Translation translation = TranslateBy(formulation, scene, Rigid());
      Observation now = Observed(*translation.simulation);
      const Vector3d before = AngularMomentum(m, now.points, *now.velocities, Vector3d::Zero());
      now = RunFor(translation.simulation.get(), static_cast<int>(std::lround(1.0 / h)), h);
      lost.push_back(
          (AngularMomentum(m, now.points, *now.velocities, Vector3d::Zero()) - before).norm());
    }
    EXPECT_LT(lost[0], 0.05) << formulation << " of about 1 kg m²/s that the impact passes on";
    EXPECT_LT(lost[2], 0.5 * lost[0])
        << formulation << ": " << lost[0] << " " << lost[1] << " " << lost[2];
  }
}

// In one line the law of restitution and the momentum give both speeds, to first order of the step:
// the sweeps turn the blocks a little.
TEST(BodiesThatMeet, BounceByTheRestitutionOfTheirPair) {
  for (const char* formulation : kSweepingFormulations) {
    for (const double e : {0.0, 0.5, 1.0}) {
      for (const double h : {0.01, 0.005}) {
        SCOPED_TRACE(testing::Message() << formulation << " " << e << " " << h);
        Scene scene = Weightless({MakeBlock("left", {1, 1, 1}, {2, 2, 2}, 1.0)});
        scene.bodies.push_back(MakeBlock("right", {1, 1, 1}, {2, 2, 2}, 3.0));
        scene.bodies[1].position = {1.504, 0.0, 0.0};
        scene.bodies[0].velocity = {2.0, 0.0, 0.0};
        scene.contacts = {{0, 1, false, 0.0, e}};
        ParameterValues parameters = Rigid();
        parameters["tolerance"] = 1e-7;
        const Translation translation = TranslateBy(formulation, scene, parameters);
        const Observation end =
            RunFor(translation.simulation.get(), static_cast<int>(std::lround(0.5 / h)), h);
        const double together = 2.0 / 4.0;
        EXPECT_NEAR(Along(end, 8, 8), together + e * 2.0 / 4.0, 2.5 * h);
        EXPECT_NEAR(Along(end, 0, 8), together - e * 2.0 * 3.0 / 4.0, 2.5 * h);
      }
    }
  }
}

// A box slides over a slab that is nailed, by the friction of the pair: μ g slows it down.
TEST(BodiesThatMeet, RubByTheFrictionOfTheirPair) {
  for (const char* formulation : kSweepingFormulations) {
    Scene scene = Weightless({MakeBlock("slab", {4.0, 1.0, 0.2}, {5, 2, 2}, 1.0)});
    scene.gravity = {0.0, 0.0, -10.0};
    for (const int corner : {0, 4, 5, 9, 10, 14, 15, 19}) {
      scene.nails.push_back(NailWhereItStarts(scene, "corner", {0, corner}));
    }
    scene.bodies.push_back(MakeBlock("box", {0.3, 0.3, 0.1}, {2, 2, 2}, 0.01));
    scene.bodies[1].position = {-1.03, 0.02, 0.1 + 0.05 + 0.0051};
    scene.bodies[1].velocity = {2.0, 0.0, 0.0};
    scene.contacts = {{0, 1, false, 0.2}};
    ParameterValues parameters = Rigid();
    parameters["tolerance"] = 1e-5;
    const Translation translation = TranslateBy(formulation, scene, parameters);
    const Observation end = RunFor(translation.simulation.get(), 100, 0.005);
    EXPECT_NEAR(Along(end, 20, 8), 2.0 - 0.2 * 10.0 * 0.5, 0.05) << formulation;
    EXPECT_GT(end.points.rightCols(8).row(2).minCoeff(), 0.1) << formulation;
  }
}

// Edges of two bodies in space, points and edges in the plane, that go through each other between
// two instants.
int PassedBetween(const Scene& scene, const Matrix3Xd& before, const Matrix3Xd& now) {
  int passed = 0;
  const auto take = [&](PairKind kind, const std::array<int, 4>& corners) {
    PairCorners start, end;
    for (int c = 0; c < 4; ++c) {
      start[c] = before.col(corners[c]);
      end[c] = now.col(corners[c]);
    }
    passed += SideOf(kind, start) != SideOf(kind, end) && PassageOf(kind, start, end, 1e-9) ? 1 : 0;
  };
  for (size_t a = 0; a < scene.bodies.size(); ++a) {
    for (size_t b = 0; b < scene.bodies.size(); ++b) {
      const int of_a = scene.Offset(static_cast<int>(a)), of_b = scene.Offset(static_cast<int>(b));
      for (const auto& [i, j] : scene.bodies[b].edges) {
        if (a != b && scene.dimension == 2) {
          for (int p = 0; p < scene.bodies[a].size(); ++p) {
            take(PairKind::kPointEdge, {of_a + p, of_b + i, of_b + j, of_b + j});
          }
        }
        if (a >= b || scene.dimension == 2) continue;
        for (const auto& [k, l] : scene.bodies[a].edges) {
          take(PairKind::kEdgeEdge, {of_a + k, of_a + l, of_b + i, of_b + j});
        }
      }
    }
  }
  return passed;
}

// Two ropes crosswise, one thrown at the other between its points; and in the plane a stick at a
// rope. In one step they go 100 times as far as they are thick.
TEST(BodiesThatMeet, AreNotPassedBetweenTheirPoints) {
  for (const char* formulation : kSweepingFormulations) {
    for (const int dimension : {2, 3}) {
      for (const double speed : {1.0, 100.0}) {
        for (const bool ignored : {false, true}) {
          SCOPED_TRACE(testing::Message() << formulation << " " << dimension << " " << speed);
          Scene scene = Weightless({MakeChain("rope", {-1, 0, 0}, {1, 0, 0}, 4, 1.0)});
          scene.dimension = dimension;
          const Vector3d half = dimension == 3 ? Vector3d(0.1, 0.0, 1.0) : Vector3d(0.02, 0.5, 0.0);
          scene.bodies.push_back(MakeChain("other", -half, half, dimension == 3 ? 4 : 2, 1.0));
          scene.bodies[1].position = {0.06, 0.9, 0.07 * (dimension - 2)};
          scene.bodies[1].velocity = {0.0, -speed, 0.0};
          if (ignored) scene.contacts = {{0, 1, true}};
          const Translation translation = TranslateBy(formulation, scene);
          Observation now = Observed(*translation.simulation);
          int passed = 0;
          for (int i = 0; i < (speed > 2.0 ? 3 : 110); ++i) {
            const Matrix3Xd before = now.points;
            now = RunFor(translation.simulation.get(), 1, 0.01);
            passed += PassedBetween(scene, before, now.points);
          }
          EXPECT_EQ(passed > 0, ignored) << passed;
          EXPECT_NEAR(LinearMomentum(scene.Masses(), *now.velocities).y(), -speed, 1e-10 * speed);
          EXPECT_EQ(now.velocities->leftCols(4).row(1).mean() < -0.1 * speed, !ignored);
        }
      }
    }
  }
}

TEST(BodiesThatMeet, AreThemselvesWhereTheSceneSaysSo) {
  for (const char* formulation : kSweepingFormulations) {
    for (const bool asked : {false, true}) {
      Scene scene = ClosingBook();
      if (asked) scene.contacts = {{0, 0, false}};
      const Translation translation =
          TranslateBy(formulation, scene, {{"max_sweeps", std::int64_t{2000}}});
      Observation now = Observed(*translation.simulation);
      int passed = 0;
      for (int i = 0; i < 120; ++i) {
        const Matrix3Xd before = now.points;
        now = RunFor(translation.simulation.get(), 1, 0.01);
        passed += Passed(scene, before, now.points);
      }
      EXPECT_EQ(passed > 0, !asked) << formulation << " " << passed;
    }
  }
}

TEST(BodiesThatMeet, ContinueFromASavedState) {
  Scene scene = ThrownCubes();
  scene.contacts = {{0, 1, false, 0.3, 0.4}};
  for (const char* formulation : kSweepingFormulations) {
    const Translation first = TranslateBy(formulation, scene);
    RunFor(first.simulation.get(), 20, 0.01);
    const VectorXd state = first.simulation->Save();
    const Observation straight = RunFor(first.simulation.get(), 40, 0.01);
    const Translation second = TranslateBy(formulation, scene);
    second.simulation->Restore(state);
    EXPECT_EQ(RunFor(second.simulation.get(), 40, 0.01).points, straight.points);
  }
}

// --- What pairs exchange -------------------------------------------------------------------------

// Of a column of the only pair of a scene.
double ExtraOf(const std::string& formulation, const Observation& seen, const std::string& name) {
  const std::vector<SeriesColumn>& extras = FindBackend(formulation)->info().extras;
  const auto found = std::ranges::find(extras, name, &SeriesColumn::name);
  EXPECT_EQ(extras.size(), seen.extras.size());
  if (found == extras.end()) return NAN;
  return seen.extras.at(found - extras.begin()).value_or(NAN);
}

TEST(PairsInContact, ExchangeTheMomentumOfAHit) {
  Scene scene = ThrownCubes();
  scene.contacts = {{0, 1, false, 0.3, 0.2}};
  for (const char* formulation : kSweepingFormulations) {
    for (const bool rigid : {false, true}) {
      const Translation translation =
          TranslateBy(formulation, scene, rigid ? Rigid() : ParameterValues());
      const Observation end = RunFor(translation.simulation.get(), 100, 0.01);
      const VectorXd m = scene.Masses();
      const Vector3d change =
          LinearMomentum(m.head(27), end.velocities->leftCols(27)) - Vector3d(2, 0, 0);
      EXPECT_GT(change.norm(), 0.5);
      const auto impulse = [&](const std::string& axis) {
        return ExtraOf(formulation, end, "contact_impulse_" + axis + ".{pair}_N_s");
      };
      EXPECT_NEAR(impulse("x"), change.x(), 1e-9);
      EXPECT_NEAR(impulse("y"), change.y(), 1e-9);
      EXPECT_NEAR(impulse("z"), change.z(), 1e-9);
      EXPECT_LT(ExtraOf(formulation, end, "friction_work.{pair}_J"), -1e-3);
    }
  }
}

// A box that slides on a floor: its weight, and μ m g over the way it slides.
TEST(PairsInContact, CarryWeightAndRub) {
  for (const char* formulation : kSweepingFormulations) {
    Scene scene = Weightless({MakeBlock("box", {0.3, 0.1, 0.3}, {2, 2, 2}, 2.0)});
    scene.gravity = {0.0, -10.0, 0.0};
    scene.bodies[0].position = {0.0, 0.05, 0.0};
    scene.bodies[0].velocity = {1.0, 0.0, 0.0};
    scene.obstacles = {Floor("floor", Vector3d::UnitY(), 0.2)};
    ParameterValues parameters = Rigid();
    parameters["tolerance"] = 1e-6;
    const Translation translation = TranslateBy(formulation, scene, parameters);
    const Observation start = Observed(*translation.simulation);
    EXPECT_EQ(ExtraOf(formulation, start, "contact_force.{pair}_N"), 0.0);
    const Observation end = RunFor(translation.simulation.get(), 60, 0.005);
    const double time = 0.3, speed = 1.0 - 0.2 * 10.0 * time;
    EXPECT_NEAR(ExtraOf(formulation, end, "contact_impulse_y.{pair}_N_s"), 2.0 * 10.0 * time,
                0.03 * 6.0);
    EXPECT_NEAR(ExtraOf(formulation, end, "contact_force.{pair}_N"), 20.0 * std::sqrt(1.04), 0.5);
    EXPECT_NEAR(ExtraOf(formulation, end, "friction_work.{pair}_J"),
                0.5 * 2.0 * (speed * speed - 1.0), 0.03);
  }
}

TEST(PairsInContact, AreNotListedAboveABound) {
  Scene scene;
  for (int b = 0; b < 12; ++b) {
    scene.bodies.push_back(MakeChain("c" + std::to_string(b), {0, 0, 0}, {1, 0, 0}, 2, 1.0));
    scene.bodies.back().position.y() = b;
    EXPECT_EQ(static_cast<int>(ContactPairs(scene).size()), b == 11 ? 0 : b * (b + 1) / 2);
  }
  scene.contacts = {{0, 1, true}, {0, 2, true}};
  EXPECT_EQ(ContactPairs(scene).size(), 64u);
  EXPECT_EQ(NameOf(scene, ContactPairs(scene)[0]), "c0.c3");
}

// Of 0.5 m the narrowest part, the width of a face, is 0.5/√2 m; where bodies are nearer at rest
// than a twentieth of that, that distance counts.
TEST(BodiesThatMeet, HaveAThicknessThatIsSaid) {
  Scene scene = ThrownCubes();
  const auto said = [&scene](const char* formulation) {
    for (const auto& entry : TranslateBy(formulation, scene).record.Entries()) {
      if (entry.element == "contact") return entry.reason;
    }
    return std::string();
  };
  for (const char* formulation : kSweepingFormulations) {
    EXPECT_THAT(said(formulation), HasSubstr("keep 0.0177 m from each other, chosen"));
  }
  scene.bodies[1].orientation.setIdentity();
  scene.bodies[1].position = {1.008, 0.31, 0.22};
  EXPECT_THAT(said("position-based"), HasSubstr("keep 0.008 m from each other, chosen"));
}

TEST(SurfaceContacts, SayWhatIsWrong) {
  const auto why = [](const Scene& scene, const Way& way, double thickness) -> std::string {
    try {
      TranslateBy(way.formulation, scene, Surfaces(way, thickness));
    } catch (const BadInput& bad) {
      EXPECT_EQ(bad.problem().where, "surface_thickness");
      return bad.problem().what + "; " + bad.problem().mend;
    }
    return "";
  };
  for (const Way& way : kWays) {
    EXPECT_EQ(why(Weightless({Sheet(9)}), way, 0.05), "");
    EXPECT_THAT(why(Weightless({Sheet(9)}), way, 1e-4),
                HasSubstr("tolerance of the sweeps, 0.0005 m"));
    EXPECT_EQ(why(Weightless({MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 9, 1.0)}), way, 0.05), "");
    EXPECT_THAT(why(Weightless({MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 9, 1.0)}), way, 0.126),
                HasSubstr("edge at point 0 of rope is only 0.125 m wide"));
    // Right triangles with legs of 1/8 m: their height is 1/(8 √2) m.
    EXPECT_EQ(why(Weightless({Sheet(9)}), way, 0.088), "");
    EXPECT_THAT(why(Weightless({Sheet(9)}), way, 0.089),
                HasSubstr("0.0884 m wide, less than the thickness of 0.089 m; reduce"));
  }
  Scene two = Weightless({Sheet(9)});
  two.bodies.push_back(two.bodies[0]);
  two.bodies[1].name = "other";
  two.bodies[1].position = {0.01, 0.02, 0.04};
  EXPECT_EQ(why(two, kWays[0], 0.03), "");
  EXPECT_THAT(why(two, kWays[0], 0.05),
              testing::MatchesRegex("contact of .* starts at 0.04 m, closer than the thickness of "
                                    "0.05 m; .*"));
}

TEST(SurfaceContacts, AreInTheRecord) {
  Scene scene = Weightless({Sheet(5)});
  const auto said = [&scene](double thickness) {
    return TranslateBy(kWays[0].formulation, scene, Surfaces(kWays[0], thickness))
        .record.Entries()[0]
        .reason;
  };
  EXPECT_THAT(said(0.0), HasSubstr("its surface passes through itself"));
  EXPECT_THAT(said(0.05),
              HasSubstr("its surface keeps 0.05 m from itself and those of other bodies"));
}

}  // namespace
}  // namespace pliant
