// Pairs of parts of surfaces: which are found, and how a correction is shared.

#include "solvers/contact/surface_contacts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "models/scene/shapes.h"
#include "solvers/position_based/distance_solver.h"
#include "solvers/projection/scene_edges.h"
#include "tests/solvers/projection/scenes.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

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

// A point that slides over an edge or a face, on it but for rounding, and falls a little: it is held from above,
// not from where it came. One that moves in their plane comes from beside them.
TEST(SurfacePairs, AreHeldAcrossWhereTheyGraze) {
  for (const PairKind kind : {PairKind::kPointEdge, PairKind::kPointFace}) {
    const bool planar = kind == PairKind::kPointEdge;
    const Vector3d up = planar ? Vector3d::UnitY() : Vector3d::UnitZ();
    PairCorners before = {Vector3d(0.1, 0.0, 0.0) + 1e-17 * up, Vector3d(0.0, 0.0, 0.0),
                          Vector3d(0.4, 0.0, 0.0), Vector3d(0.0, 0.0, 0.0)};
    if (!planar) before[1].y() = -0.2, before[2].y() = -0.2, before[3] = {0.1, 0.4, 0.0};
    PairCorners now = before;
    now[0] += Vector3d(0.01, 0.0, 0.0) - 1e-5 * up;
    const auto passage = PassageOf(kind, before, now, 5e-6);
    ASSERT_TRUE(passage);
    EXPECT_LT((passage->normal - up).norm(), 1e-12);
    before[0] = {-0.1, 0.0, 0.0};
    now[0] = {0.15, 0.0, 0.0};
    const auto beside = PassageOf(kind, before, now, 1e-9);
    ASSERT_TRUE(beside);
    EXPECT_LT(beside->normal.x(), -0.5);
  }
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

}  // namespace
}  // namespace pliant
