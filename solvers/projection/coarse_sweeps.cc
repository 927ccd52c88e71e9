#include "solvers/projection/coarse_sweeps.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant {

using Eigen::Vector3d;
using Eigen::VectorXd;

template <typename Visit>
void CoarseSweeps::ForEachLine(const Visit& visit) const {
  int offset = 0, length = 0;
  for (const GridSize& grid : finest_) {
    for (int v = 0; v < grid.nv; ++v) {
      visit(Line{offset + v * grid.nu, 1, grid.nu - 1, length});
      length += grid.nu - 1;
    }
    for (int u = 0; u < grid.nu; ++u) {
      visit(Line{offset + u, grid.nu, grid.nv - 1, length});
      length += grid.nv - 1;
    }
    offset += grid.size();
  }
}

CoarseSweeps::CoarseSweeps(std::vector<GridSize> finest, int levels, const PointsRef& points,
                           const VectorXd& masses, const std::vector<int>& held)
    : finest_(std::move(finest)), levels_(levels), x_(points) {
  int longest = 0, edges = 0;
  ForEachLine([&edges](const Line& line) { edges += line.edges; });
  lengths_.reserve(edges);
  ForEachLine([&](const Line& line) {
    longest = std::max(longest, line.edges);
    for (int k = 0; k < line.edges; ++k) {
      const int a = line.first + k * line.stride;
      lengths_.push_back((points.col(a + line.stride) - points.col(a)).norm());
    }
  });
  pulls_.setZero(3, longest);
  Hold(masses, held);
}

void CoarseSweeps::Hold(const VectorXd& masses, const std::vector<int>& held) {
  held_ = held;
  std::sort(held_.begin(), held_.end());
  given_.setZero(3, static_cast<Eigen::Index>(held_.size()));
  inverse_masses_ = masses.cwiseInverse();
  for (const int p : held_) inverse_masses_[p] = 0.0;
}

void CoarseSweeps::SweepLevels() {
  given_.setZero();
  for (int level = levels_ - 1; level >= 1; --level) {
    const int s = 1 << level;
    ForEachLine([&](const Line& line) {
      // One hat beyond each end, so that together they are 1 on every edge.
      for (int j = -1; j * s <= line.edges; ++j) {
        const double centre = 0.5 * s + j * s;
        const int from = std::max(0, j * s - s / 2), to = std::min(line.edges, (j + 1) * s + s / 2);
        if (from < to) Correct(line, from, to, centre, s);
      }
    });
  }
}

// Of edges [from, to).
void CoarseSweeps::Correct(const Line& line, int from, int to, double centre, double spacing) {
  double misfit = 0.0, mobility = 0.0;
  Vector3d before = Vector3d::Zero();  // φ n of the edge before
  int p = line.first + from * line.stride;
  for (int k = from; k < to; ++k, p += line.stride) {
    const Vector3d d = x_.col(p + line.stride) - x_.col(p);
    const double length = d.norm();
    const double phi = 1.0 - std::abs(k + 0.5 - centre) / spacing;
    misfit += phi * (length - lengths_[line.first_length + k]);
    pulls_.col(k) = (phi / (length > 0.0 ? length : 1.0)) * d;
    mobility += inverse_masses_[p] * (pulls_.col(k) - before).squaredNorm();
    before = pulls_.col(k);
  }
  mobility += inverse_masses_[p] * before.squaredNorm();
  if (mobility == 0.0) return;
  const double tension = misfit / mobility;
  const auto pull = [&](int point, const Vector3d& impulse) {
    x_.col(point) += inverse_masses_[point] * impulse;
    if (inverse_masses_[point] > 0.0) return;
    const auto held = std::lower_bound(held_.begin(), held_.end(), point);
    given_.col(held - held_.begin()) += impulse;
  };
  before.setZero();
  p = line.first + from * line.stride;
  for (int k = from; k < to; ++k, p += line.stride) {
    pull(p, tension * (pulls_.col(k) - before));
    before = pulls_.col(k);
  }
  pull(p, -tension * before);
}

}  // namespace pliant
