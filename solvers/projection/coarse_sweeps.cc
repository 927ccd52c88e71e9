#include "solvers/projection/coarse_sweeps.h"

#include <algorithm>
#include <utility>

namespace pliant {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kStraight = 0.95;  // |n|² from which on a line is displaced as one

int EdgesOf(const GridSize& grid) { return grid.nv * (grid.nu - 1) + (grid.nv - 1) * grid.nu; }

// The even points of each line.
GridSize Halved(const GridSize& grid) { return {(grid.nu + 1) / 2, (grid.nv + 1) / 2}; }

// The transpose of the interpolation: a quarter to each corner, which may be the same.
VectorXd Restricted(const VectorXd& masses, const std::vector<GridSize>& finer,
                    const std::vector<GridSize>& grids) {
  int points = 0;
  for (const GridSize& grid : grids) points += grid.size();
  VectorXd coarse = VectorXd::Zero(points);
  int p = 0, offset = 0;
  for (size_t g = 0; g < grids.size(); ++g) {
    for (int v = 0; v < finer[g].nv; ++v) {
      for (int u = 0; u < finer[g].nu; ++u, ++p) {
        for (const int cv : {v / 2, (v + 1) / 2}) {
          for (const int cu : {u / 2, (u + 1) / 2}) {
            coarse[offset + grids[g].Index(cu, cv)] += 0.25 * masses[p];
          }
        }
      }
    }
    offset += grids[g].size();
  }
  return coarse;
}

}  // namespace

CoarseSweeps::CoarseSweeps(std::vector<GridSize> finest, int levels, const PointsRef& points,
                           const VectorXd& masses, const std::vector<int>& held)
    : finest_(std::move(finest)), levels_(levels - 1) {
  const std::vector<GridSize>* finer = &finest_;
  for (Level& level : levels_) {
    int edges = 0, size = 0;
    for (const GridSize& grid : *finer) {
      level.grids.push_back(Halved(grid));
      edges += EdgesOf(level.grids.back());
      size += level.grids.back().size();
    }
    level.excess.resize(edges);
    level.direction.resize(3, edges);
    level.moved.setZero(3, size);
    finer = &level.grids;
  }
  Hold(masses, held);
  lengths_.resize(levels_[0].excess.size());
  ForEachLine(finest_, levels_[0].grids, [&](int e, int a, int middle, int b) {
    lengths_[e] =
        (points.col(middle) - points.col(a)).norm() + (points.col(b) - points.col(middle)).norm();
  });
}

void CoarseSweeps::Hold(const VectorXd& masses, const std::vector<int>& held) {
  held_ = held;
  std::sort(held_.begin(), held_.end());
  given_.setZero(3, static_cast<Eigen::Index>(held_.size()));
  VectorXd finer_masses = masses;
  const std::vector<GridSize>* finer = &finest_;
  for (size_t l = 0; l < levels_.size(); ++l) {
    Level& level = levels_[l];
    finer_masses = Restricted(finer_masses, *finer, level.grids);
    finer = &level.grids;
    level.inverse_masses = finer_masses.cwiseInverse();
    level.held.clear();
    const int stride = 2 << l;
    int offset = 0, finest_offset = 0;
    for (size_t g = 0; g < level.grids.size(); ++g) {
      for (int h = 0; h < static_cast<int>(held_.size()); ++h) {
        const int index = held_[h] - finest_offset;
        if (index < 0 || index >= finest_[g].size()) continue;
        const int u = index % finest_[g].nu, v = index / finest_[g].nu;
        if (u % stride != 0 || v % stride != 0) continue;
        const int coarse = offset + level.grids[g].Index(u / stride, v / stride);
        level.inverse_masses[coarse] = 0.0;
        level.held.push_back({coarse, h});
      }
      offset += level.grids[g].size();
      finest_offset += finest_[g].size();
    }
  }
}

void CoarseSweeps::GiveHeld(const Level& level, int point, const Vector3d& impulse) {
  const auto found =
      std::lower_bound(level.held.begin(), level.held.end(), std::array<int, 2>{point, 0});
  given_.col((*found)[1]) += impulse;
}

void CoarseSweeps::SweepOnce(size_t l) {
  Level& level = levels_[l];
  const auto relax = [this, &level](int e, int a, int b) {
    const Vector3d n = level.direction.col(e).cast<double>();
    const double along = n.squaredNorm();
    const double wa = level.inverse_masses[a], wb = level.inverse_masses[b];
    if (along < kStraight || wa + wb == 0.0) return;
    const double misfit = level.excess[e] + n.dot(level.moved.col(b) - level.moved.col(a));
    const Vector3d impulse = (misfit / ((wa + wb) * along)) * n;
    level.moved.col(a) += wa * impulse;
    level.moved.col(b) -= wb * impulse;
    if (wa == 0.0) GiveHeld(level, a, impulse);
    if (wb == 0.0) GiveHeld(level, b, -impulse);
  };
  int e = 0, offset = 0;
  for (const GridSize& grid : level.grids) {
    for (int v = 0; v < grid.nv; ++v) {
      const int row = offset + v * grid.nu;
      for (int p = row; p + 1 < row + grid.nu; ++p) relax(e++, p, p + 1);
    }
    for (int p = offset; p < offset + grid.nu * (grid.nv - 1); ++p) relax(e++, p, p + grid.nu);
    offset += grid.size();
  }
}

// Of each edge the two of the next finer level along it.
void CoarseSweeps::SumParts(size_t l) {
  const Level& finer = levels_[l - 1];
  Level& level = levels_[l];
  int e = 0, from = 0;
  const auto sum = [&](int first, int second) {
    level.excess[e] = finer.excess[first] + finer.excess[second];
    level.direction.col(e) = 0.5F * (finer.direction.col(first) + finer.direction.col(second));
    ++e;
  };
  for (size_t g = 0; g < level.grids.size(); ++g) {
    const GridSize &f = finer.grids[g], &c = level.grids[g];
    for (int v = 0; v < c.nv; ++v) {
      for (int u = 0; u + 1 < c.nu; ++u) {
        const int first = from + 2 * v * (f.nu - 1) + 2 * u;
        sum(first, first + 1);
      }
    }
    from += f.nv * (f.nu - 1);
    for (int v = 0; v + 1 < c.nv; ++v) {
      for (int u = 0; u < c.nu; ++u) {
        const int first = from + 2 * v * f.nu + 2 * u;
        sum(first, first + f.nu);
      }
    }
    from += (f.nv - 1) * f.nu;
  }
}

void CoarseSweeps::SweepLevels() {
  for (size_t l = 1; l < levels_.size(); ++l) SumParts(l);
  levels_.back().moved.setZero();
  given_.setZero();
  for (size_t l = levels_.size(); l-- > 0;) {
    SweepOnce(l);
    if (l == 0) break;
    Level& finer = levels_[l - 1];
    Interpolate(levels_[l], finer.grids,
                [&finer](int p, const Vector3d& by) { finer.moved.col(p) = by; });
  }
}

}  // namespace pliant
