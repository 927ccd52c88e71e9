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

CoarseLengths::CoarseLengths(std::shared_ptr<const GridLevels> grids, const PointsRef& points,
                             const VectorXd& masses, const std::vector<int>& held)
    : grids_(std::move(grids)) {
  MatrixXd fine = masses.transpose();
  for (int l = 0; l < grids_->levels(); ++l) {
    AddLevel(l, fine.transpose(), held);
    if (l + 1 == grids_->levels()) break;
    MatrixXd coarse(1, grids_->PointCount(l + 1));
    grids_->Restrict(l, fine, coarse);
    fine = coarse;
  }
  lengths_ = EdgeLengths(levels_[0].edges, points);
}

void CoarseLengths::AddLevel(int l, const VectorXd& masses, const std::vector<int>& held) {
  Level level;
  level.edges = grids_->Edges(l);
  level.edges.resize(grids_->GridEdgeCount(l));  // no diagonals
  if (l > 0) level.parts = PartsOfEdges(grids_->Grids(l - 1), grids_->Grids(l));
  level.inverse_masses = masses.cwiseInverse();
  for (int p = 0; p < grids_->PointCount(l); ++p) {
    if (std::find(held.begin(), held.end(), grids_->FinestPoint(l, p)) != held.end()) {
      level.inverse_masses[p] = 0.0;
    }
  }
  level.excess.resize(static_cast<Eigen::Index>(level.edges.size()));
  level.direction.resize(3, static_cast<Eigen::Index>(level.edges.size()));
  level.moved.setZero(3, masses.size());
  levels_.push_back(std::move(level));
}

void CoarseLengths::SweepOnce(Level* level) {
  for (size_t e = 0; e < level->edges.size(); ++e) {
    const auto [a, b] = level->edges[e];
    const auto column = static_cast<Eigen::Index>(e);
    const Vector3d n = level->direction.col(column);
    const double along = n.squaredNorm();
    const double wa = level->inverse_masses[a], wb = level->inverse_masses[b];
    if (along < kStraight || wa + wb == 0.0) continue;
    const double misfit = level->excess[column] + n.dot(level->moved.col(b) - level->moved.col(a));
    const Vector3d impulse = (misfit / ((wa + wb) * along)) * n;
    level->moved.col(a) += wa * impulse;
    level->moved.col(b) -= wb * impulse;
  }
}

void CoarseLengths::Sweep(MutablePointsRef points) {
  Level& finest = levels_[0];
  for (size_t e = 0; e < finest.edges.size(); ++e) {
    const auto [a, b] = finest.edges[e];
    const auto column = static_cast<Eigen::Index>(e);
    const Vector3d d = points.col(b) - points.col(a);
    const double distance = d.norm();
    finest.excess[column] = distance - lengths_[column];
    finest.direction.col(column) = d / (distance > 0.0 ? distance : 1.0);
  }
  for (size_t l = 1; l < levels_.size(); ++l) {
    const Level& fine = levels_[l - 1];
    Level& level = levels_[l];
    for (size_t e = 0; e < level.edges.size(); ++e) {
      const auto [first, second] = level.parts[e];
      const auto column = static_cast<Eigen::Index>(e);
      level.excess[column] = fine.excess[first] + fine.excess[second];
      level.direction.col(column) = 0.5 * (fine.direction.col(first) + fine.direction.col(second));
    }
  }
  levels_.back().moved.setZero();
  for (int l = static_cast<int>(levels_.size()) - 1; l > 0; --l) {
    SweepOnce(&levels_[l]);
    grids_->Interpolate(l - 1, levels_[l].moved, levels_[l - 1].moved);
  }
  points += finest.moved;
}

}  // namespace pliant
