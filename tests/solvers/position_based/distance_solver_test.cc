// Corrections of lengths: one edge, one sweep, and all levels.

#include "solvers/position_based/distance_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "solvers/projection/coarse_sweeps.h"
#include "tests/solvers/projection/scenes.h"

namespace pliant::position_based {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr unsigned kDistanceSeed = 15;

// Edges of a grid along its rows, then along its columns.
std::vector<Edge> EdgesOf(const GridSize& grid) {
  std::vector<Edge> edges;
  for (int v = 0; v < grid.nv; ++v) {
    for (int u = 0; u + 1 < grid.nu; ++u) edges.push_back({grid.Index(u, v), grid.Index(u + 1, v)});
  }
  for (int v = 0; v + 1 < grid.nv; ++v) {
    for (int u = 0; u < grid.nu; ++u) edges.push_back({grid.Index(u, v), grid.Index(u, v + 1)});
  }
  return edges;
}

class Distances : public testing::Test {
 protected:
  VectorXd Masses(int n) {
    VectorXd masses(n);
    for (double& mass : masses) mass = 1.5 + random_.Number();
    return masses;
  }
  // A square grid of edges of 1 m, in the plane.
  static Matrix3Xd FlatGrid(const GridSize& grid) {
    Matrix3Xd x = Matrix3Xd::Zero(3, grid.size());
    for (int v = 0; v < grid.nv; ++v) {
      for (int u = 0; u < grid.nu; ++u) x.col(grid.Index(u, v)) << u, v, 0;
    }
    return x;
  }

  testing::ScopedTrace trace_{__FILE__, __LINE__, testing::Message() << "seed " << kDistanceSeed};
  RandomNumbers random_{kDistanceSeed};
};

// Returns the impulse given to held points.
Vector3d SweepLevels(CoarseSweeps* coarse, Matrix3Xd* x) {
  Vector3d given = Vector3d::Zero();
  coarse->Sweep([x](int p) -> Vector3d { return x->col(p); },
                [x](int p, const Vector3d& by) { x->col(p) += by; },
                [&given](int, const Vector3d& impulse) { given += impulse; });
  return given;
}

// One correction of one edge against its closed form.
void RelaxByHand(const Edge& edge, double length, const VectorXd& masses, double relaxation,
                 Matrix3Xd* x) {
  const auto [a, b] = edge;
  const Vector3d d = x->col(b) - x->col(a);
  const double stretch = d.norm() - length;
  const Vector3d n = d.normalized();
  const double impulse = relaxation * stretch / (1.0 / masses[a] + 1.0 / masses[b]);
  x->col(a) += impulse / masses[a] * n;
  x->col(b) -= impulse / masses[b] * n;
}

TEST_F(Distances, OneCorrectionClosesOneEdge) {
  for (const double relaxation : {1.0, 1.6}) {
    const VectorXd masses = Masses(2);
    const Matrix3Xd start = random_.Vectors(2);
    DistanceSolver solver({{0, 1}}, VectorXd::Constant(1, 0.7), masses, {},
                          {.relaxation = relaxation});
    solver.Load(start);
    const double misfit = std::abs((start.col(1) - start.col(0)).norm() - 0.7);
    EXPECT_NEAR(solver.LargestMisfit().size, misfit, 1e-15);
    EXPECT_NEAR(solver.Sweep(0), misfit, 1e-15);
    Matrix3Xd expected = start, x(3, 2);
    RelaxByHand({0, 1}, 0.7, masses, relaxation, &expected);
    solver.Store(x);
    EXPECT_LT((x - expected).norm(), 1e-15);
    const double left = std::abs((expected.col(1) - expected.col(0)).norm() - 0.7);
    EXPECT_NEAR(solver.LargestMisfit().size, left, 1e-15);
    EXPECT_EQ(left < 1e-15, relaxation == 1.0);
  }
}

// α̃ λ is what is left of C when nothing is left to do; a held end does not move.
TEST_F(Distances, CompliantEdgeStretchesInProportionToItsImpulse) {
  const double compliance = 0.3, h = 0.1, soft = compliance / (h * h);
  VectorXd masses(2);
  masses << 2.0, 5.0;
  DistanceSolver solver({{0, 1}}, VectorXd::Ones(1), masses, {}, {.compliance = compliance});
  Matrix3Xd x = Matrix3Xd::Zero(3, 2);
  x(0, 1) = 1.5;
  solver.Hold(0);
  solver.Load(x);
  solver.Begin(h);
  EXPECT_NEAR(solver.Sweep(0), 0.5, 1e-15);
  solver.Store(x);
  const double impulse = 0.5 / (1.0 / 5.0 + soft);
  EXPECT_EQ(x.col(0), Vector3d::Zero());
  EXPECT_NEAR(x(0, 1), 1.5 - impulse / 5.0, 1e-15);
  EXPECT_NEAR(x(0, 1) - 1.0, soft * impulse, 1e-14);
  EXPECT_LT(solver.Sweep(1), 1e-14);
  EXPECT_NEAR(solver.ElasticEnergy(), 0.5 * std::pow(x(0, 1) - 1.0, 2) / compliance, 1e-14);
  solver.Begin(h);
  EXPECT_GT(solver.LargestMisfit().size, 0.1) << "a new step begins without impulses";
}

// Long strips of vectors against edges taken one by one in the order that the header tells.
TEST_F(Distances, StripsOfAGridAreItsEdgesInOrder) {
  for (const GridSize& grid : {GridSize{2, 2}, GridSize{7, 4}, GridSize{34, 3}, GridSize{19, 1}}) {
    for (const SweepOrder order :
         {SweepOrder::kSequential, SweepOrder::kSymmetric, SweepOrder::kColoured}) {
      {
        const int before = 2;  // points of another body before the grid
        const int n = before + grid.size();
        std::vector<Edge> edges = {{0, 1}};
        const std::vector<Edge> grid_edges = EdgesOf(grid);
        for (const Edge& edge : grid_edges) {
          edges.push_back({edge[0] + before, edge[1] + before});
        }
        VectorXd lengths(edges.size());
        for (double& length : lengths) length = 1.0 + 0.2 * random_.Number();
        const VectorXd masses = Masses(n);
        Matrix3Xd expected = Matrix3Xd::Zero(3, n), x(3, n);
        expected.rightCols(grid.size()) = FlatGrid(grid);
        expected += 0.3 * random_.Vectors(n);
        DistanceSolver solver(edges, lengths, masses, {{before, grid}}, {order, 1.2});
        solver.Load(expected);

        const auto at = [&](int u, int v) { return before + grid.Index(u, v); };
        std::vector<Edge> in_order;
        const auto add_row = [&](int v, int parity) {
          for (int u = parity; u + 1 < grid.nu; u += 2)
            in_order.push_back({at(u, v), at(u + 1, v)});
        };
        const auto add_down = [&](int v) {
          for (int u = 0; u < grid.nu; ++u) in_order.push_back({at(u, v), at(u, v + 1)});
        };
        if (order == SweepOrder::kColoured) {
          for (int v = 0; v < grid.nv; ++v) add_row(v, 0);
          for (int v = 0; v < grid.nv; ++v) add_row(v, 1);
          for (int v = 0; v + 1 < grid.nv; v += 2) add_down(v);
          for (int v = 1; v + 1 < grid.nv; v += 2) add_down(v);
        } else {
          for (int v = 0; v < grid.nv; ++v) {
            add_row(v, 0);
            add_row(v, 1);
            if (v + 1 < grid.nv) add_down(v);
          }
        }
        in_order.push_back({0, 1});
        const auto length_of = [&](const Edge& edge) {
          for (size_t e = 0; e < edges.size(); ++e) {
            if (edges[e] == edge) return lengths[static_cast<Eigen::Index>(e)];
          }
          ADD_FAILURE();
          return 0.0;
        };
        for (const int sweep : {0, 1, 2}) {
          solver.Sweep(sweep);
          auto order_now = in_order;
          if (order == SweepOrder::kSymmetric && sweep % 2 == 1) {
            std::reverse(order_now.begin(), order_now.end());
          }
          for (const auto& edge : order_now) {
            RelaxByHand(edge, length_of(edge), masses, 1.2, &expected);
          }
        }
        solver.Store(x);
        EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), 1e-12) << grid.nu << "×" << grid.nv;
        double worst = 0.0;
        for (const auto& [a, b] : edges) {
          const double stretch = (x.col(b) - x.col(a)).norm() - length_of({a, b});
          worst = std::max(worst, std::abs(stretch));
        }
        EXPECT_NEAR(solver.LargestMisfit().size, worst, 1e-14);
      }
    }
  }
}

// Edges of one colour share no point and may be relaxed in any order. A point meets its edges in
// the order of their colours, so that a sweep is one over the colours.
TEST_F(Distances, FewColoursSweepAGrid) {
  for (const GridSize& grid : {GridSize{8, 5}, GridSize{9, 9}, GridSize{17, 1}}) {
    const std::vector<Edge> grid_edges = EdgesOf(grid);
    const auto edges = static_cast<Eigen::Index>(grid_edges.size());
    const DistanceSolver solver(grid_edges, VectorXd::Ones(edges), Masses(grid.size()), {{0, grid}},
                                {.order = SweepOrder::kColoured});
    std::vector<int> last(grid.size(), -1);  // colour that moved the point
    int seen = 0;
    solver.strips().ForEachEdge([&](int, int a, int b) {
      const int colour = b == a + 1 ? a % grid.nu % 2 : 2 + a / grid.nu % 2;
      EXPECT_LT(last[a], colour) << "point " << a;
      EXPECT_LT(last[b], colour) << "point " << b;
      last[a] = last[b] = colour;
      ++seen;
    });
    EXPECT_EQ(seen, edges);
  }
}

TEST_F(Distances, PushDisplacesByTheMobility) {
  const VectorXd masses = Masses(4);
  DistanceSolver solver({{0, 1}, {2, 3}, {0, 2}, {1, 3}}, VectorXd::Ones(4), masses, {{0, {2, 2}}},
                        {});
  solver.Load(random_.Vectors(4));
  const WeightedPoint point{3, {0, 1, 3}, {0.5, 0.2, 0.3}};
  const Vector3d impulse = random_.Vector(), before = solver.Point(point);
  Matrix3Xd start(3, 4), end(3, 4);
  solver.Store(start);
  solver.Push(point, impulse);
  solver.Store(end);
  EXPECT_LT((solver.Point(point) - before - solver.Mobility(point) * impulse).norm(), 1e-14);
  EXPECT_LT(((end - start) * masses - impulse).norm(), 1e-14);
  EXPECT_EQ(end.col(2), start.col(2));
  solver.SetPoint(2, impulse);
  solver.Store(end);
  EXPECT_EQ(end.col(2), impulse);
}

// Broken edges are passed over, wherever they are in their strip, and come back with Mend().
TEST_F(Distances, BrokenEdgesHoldNothing) {
  const GridSize grid{19, 2};
  const std::vector<Edge> grid_edges = EdgesOf(grid);
  const std::vector<Edge>& edges = grid_edges;
  const VectorXd masses = Masses(grid.size());
  const VectorXd lengths = VectorXd::Ones(static_cast<Eigen::Index>(edges.size()));
  const Matrix3Xd start = FlatGrid(grid) + 0.2 * random_.Vectors(grid.size());
  const std::vector<int> broken = {0, 16, 7, 8, 25, static_cast<int>(edges.size()) - 1};
  DistanceSolver torn(edges, lengths, masses, {{0, grid}}, {});
  for (const int edge : broken) torn.Break(edge);
  torn.Break(7);  // again
  std::vector<Edge> left;
  for (int e = 0; e < torn.strips().edges(); ++e) {
    if (std::find(broken.begin(), broken.end(), e) == broken.end())
      left.push_back(torn.strips().Ends(e));
  }
  std::vector<Edge> told;
  torn.strips().ForEachEdge([&told](int, int a, int b) { told.push_back({a, b}); });
  EXPECT_EQ(told, left);
  torn.Load(start);
  for (int i = 0; i < 4000; ++i) torn.Sweep(i);
  Matrix3Xd x(3, grid.size());
  torn.Store(x);
  for (const auto& [a, b] : left) EXPECT_NEAR((x.col(b) - x.col(a)).norm(), 1.0, 1e-6);
  for (const int e : broken) {
    const auto [a, b] = torn.strips().Ends(e);
    EXPECT_GT(std::abs((x.col(b) - x.col(a)).norm() - 1.0), 1e-4) << e;
  }
  torn.Mend();
  DistanceSolver whole(edges, lengths, masses, {{0, grid}}, {});
  Matrix3Xd y = x;
  torn.Load(start);
  whole.Load(start);
  torn.Sweep(0);
  whole.Sweep(0);
  torn.Store(x);
  whole.Store(y);
  EXPECT_EQ(x, y);
}

// --- Levels --------------------------------------------------------------------------------------

TEST_F(Distances, CoarseLevelsLeaveAloneWhatKeepsItsLengths) {
  const GridSize nine{9, 9}, line{5, 1};
  Matrix3Xd rest(3, 86);
  rest << FlatGrid(nine), FlatGrid(line);
  CoarseSweeps coarse({nine, line}, 3, rest, Masses(86), {});
  // Folded along its rows.
  Matrix3Xd x = rest;
  for (int p = 0; p < 81; ++p) x.col(p) << std::abs(rest(0, p) - 3.0), rest(1, p), 0.9;
  const Matrix3Xd before = x;
  SweepLevels(&coarse, &x);
  EXPECT_LT((x - before).cwiseAbs().maxCoeff(), 1e-14);
}

TEST_F(Distances, CoarseLevelsKeepTheCentreOfMassAndHeldPoints) {
  const GridSize nine{9, 9};
  const VectorXd masses = Masses(81);
  const Matrix3Xd start = 1.3 * FlatGrid(nine) + 0.2 * random_.Vectors(81);
  Matrix3Xd x = start;
  CoarseSweeps free({nine}, 4, FlatGrid(nine), masses, {});
  EXPECT_EQ(SweepLevels(&free, &x), Vector3d::Zero());
  EXPECT_GT((x - start).norm(), 1.0);
  EXPECT_LT(((x - start) * masses).norm(), 1e-12);

  x = start;
  CoarseSweeps held({nine}, 4, FlatGrid(nine), masses, {0, 80, 10});  // 10 is on no other level
  const Vector3d given = SweepLevels(&held, &x);
  EXPECT_GT(given.norm(), 0.1);
  EXPECT_LT(((x - start) * masses + given).norm(), 1e-12) << "what holds them bears the rest";
  EXPECT_EQ(x.col(0), start.col(0));
  EXPECT_EQ(x.col(80), start.col(80));
  EXPECT_EQ(x.col(10), start.col(10));
  EXPECT_GT((x.col(8) - start.col(8)).norm(), 0.1);
}

// M δ = Jᵀ λ: what no edge can give would never be taken back.
TEST_F(Distances, CoarseLevelsDisplaceOnlyAsEdgesCan) {
  const GridSize nine{9, 9};
  const std::vector<Edge> edges = EdgesOf(nine);
  const VectorXd masses = Masses(81);
  Matrix3Xd rest = FlatGrid(nine);
  for (int p = 0; p < 81; ++p) rest(2, p) = 0.1 * rest(0, p) * rest(0, p) - 0.05 * rest(1, p);
  Matrix3Xd x = rest + 1e-7 * random_.Vectors(81);
  const Matrix3Xd before = x;
  CoarseSweeps coarse({nine}, 4, rest, masses, {});
  SweepLevels(&coarse, &x);
  // M δ is in the span of the gradients: nothing is left after projection by least squares.
  Eigen::MatrixXd gradients = Eigen::MatrixXd::Zero(243, static_cast<Eigen::Index>(edges.size()));
  for (size_t e = 0; e < edges.size(); ++e) {
    const auto [a, b] = edges[e];
    const Vector3d n = (before.col(b) - before.col(a)).normalized();
    gradients.col(static_cast<Eigen::Index>(e)).segment<3>(3 * a) = -n;
    gradients.col(static_cast<Eigen::Index>(e)).segment<3>(3 * b) = n;
  }
  const Matrix3Xd weighed = (x - before) * masses.asDiagonal();
  const VectorXd given = weighed.reshaped();
  const VectorXd tensions = gradients.colPivHouseholderQr().solve(given);
  EXPECT_GT(given.norm(), 1e-8);
  EXPECT_LT((gradients * tensions - given).norm(), 1e-5 * given.norm());
}

// A row that is stretched as a whole: neighbours pass on what is too long one by one, so that
// sweeps grow with the square of the points; through the levels they hardly grow at all.
TEST_F(Distances, CoarseLevelsSpareTheSweepsOfALongRow) {
  const auto sweeps = [](int points, bool levels) {
    const GridSize line{points, 1};
    const std::vector<Edge> grid_edges = EdgesOf(line);
    const VectorXd masses = VectorXd::Ones(points);
    Matrix3Xd x = FlatGrid(line);
    DistanceSolver solver(grid_edges, VectorXd::Ones(points - 1), masses, {{0, line}}, {});
    CoarseSweeps coarse({line}, *DyadicLevel(points) + 1, x, masses, {});
    x *= 1.1;
    int count = 0;
    for (double worst = 1.0; worst > 1e-3 && count < 100000; ++count) {
      if (levels) SweepLevels(&coarse, &x);
      solver.Load(x);
      solver.Sweep(count);
      solver.Store(x);
      worst = solver.LargestMisfit().size;
    }
    return count;
  };
  EXPECT_GT(sweeps(33, false), 3 * sweeps(17, false));
  EXPECT_LT(sweeps(33, true), 20);
  EXPECT_LT(sweeps(129, true), 20);
  EXPECT_GT(sweeps(129, false), 1000);
}

}  // namespace
}  // namespace pliant::position_based
