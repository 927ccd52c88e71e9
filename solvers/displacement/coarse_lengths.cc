#include "solvers/displacement/coarse_lengths.h"

#include <algorithm>

namespace pliant {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kStraight = 0.95;  // |n|² from which on a line is displaced as one

// Of each edge of a level the two of the next finer one along it: grid by grid, rows before
// columns.
std::vector<std::array<int, 2>> PartsOfEdges(const std::vector<GridSize>& fine,
                                             const std::vector<GridSize>& coarse) {
  std::vector<std::array<int, 2>> parts;
  size_t count = 0;
  for (const GridSize& c : coarse) count += c.nv * (c.nu - 1) + (c.nv - 1) * c.nu;
  parts.reserve(count);
  int from = 0;
  for (size_t g = 0; g < coarse.size(); ++g) {
    const GridSize &f = fine[g], &c = coarse[g];
    for (int v = 0; v < c.nv; ++v) {
      for (int u = 0; u + 1 < c.nu; ++u) {
        const int first = from + 2 * v * (f.nu - 1) + 2 * u;
        parts.push_back({first, first + 1});
      }
    }
    from += f.nv * (f.nu - 1);
    for (int v = 0; v + 1 < c.nv; ++v) {
      for (int u = 0; u < c.nu; ++u) {
        const int first = from + 2 * v * f.nu + 2 * u;
        parts.push_back({first, first + f.nu});
      }
    }
    from += (f.nv - 1) * f.nu;
  }
  return parts;
}

}  // namespace

CoarseLengths::CoarseLengths(const GridLevels& grids, const PointsRef& points,
                             const VectorXd& masses, const std::vector<int>& held)
    : finest_(grids.Grids(0)), held_(held), grids_(grids.Grids(1), grids.levels() - 1) {
  std::vector<bool> is_held(grids.PointCount(0), false);
  for (const int point : held) is_held[point] = true;
  std::sort(held_.begin(), held_.end());
  held_.erase(std::unique(held_.begin(), held_.end()), held_.end());
  MatrixXd fine = masses.transpose();
  for (int l = 0; l + 1 < grids.levels(); ++l) {
    MatrixXd coarse(1, grids.PointCount(l + 1));
    grids.Restrict(l, fine, coarse);
    fine = coarse;
    AddLevel(grids, l + 1, fine.transpose(), is_held);
  }
  lengths_.resize(levels_[0].excess.size());
  ForEachFinestLine([&](int e, int a, int middle, int b) {
    lengths_[e] =
        (points.col(middle) - points.col(a)).norm() + (points.col(b) - points.col(middle)).norm();
  });
}

void CoarseLengths::AddLevel(const GridLevels& grids, int l, const VectorXd& masses,
                             const std::vector<bool>& held) {
  const int edges = grids.GridEdgeCount(l);  // no diagonals
  Level level;
  if (l > 1) level.parts = PartsOfEdges(grids.Grids(l - 1), grids.Grids(l));
  level.inverse_masses = masses.cwiseInverse();
  for (int p = 0; p < grids.PointCount(l); ++p) {
    if (held[grids.FinestPoint(l, p)]) level.inverse_masses[p] = 0.0;
  }
  level.excess.resize(edges);
  level.direction.resize(3, edges);
  level.moved.setZero(3, masses.size());
  levels_.push_back(std::move(level));
}

void CoarseLengths::SweepOnce(int l) {
  Level& level = levels_[l];
  for (int e = 0; e < grids_.GridEdgeCount(l); ++e) {
    const auto [a, b] = grids_.Edges(l)[e];
    const Vector3d n = level.direction.col(e);
    const double along = n.squaredNorm();
    const double wa = level.inverse_masses[a], wb = level.inverse_masses[b];
    if (along < kStraight || wa + wb == 0.0) continue;
    const double misfit = level.excess[e] + n.dot(level.moved.col(b) - level.moved.col(a));
    const Vector3d impulse = (misfit / ((wa + wb) * along)) * n;
    level.moved.col(a) += wa * impulse;
    level.moved.col(b) -= wb * impulse;
  }
}

void CoarseLengths::SweepLevels() {
  for (size_t l = 1; l < levels_.size(); ++l) {
    const Level& fine = levels_[l - 1];
    Level& level = levels_[l];
    for (size_t e = 0; e < level.parts.size(); ++e) {
      const auto [first, second] = level.parts[e];
      const auto column = static_cast<Eigen::Index>(e);
      level.excess[column] = fine.excess[first] + fine.excess[second];
      level.direction.col(column) = 0.5 * (fine.direction.col(first) + fine.direction.col(second));
    }
  }
  levels_.back().moved.setZero();
  for (int l = static_cast<int>(levels_.size()) - 1; l >= 0; --l) {
    SweepOnce(l);
    if (l > 0) grids_.Interpolate(l - 1, levels_[l].moved, levels_[l - 1].moved);
  }
}

}  // namespace pliant
