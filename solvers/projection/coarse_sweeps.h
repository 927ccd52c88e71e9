// The levels of a body as a solver: corrections, which a sweep over neighbours passes on from point
// to point, first travel long distances on coarse levels. [Palazzi 1993, Ch. 5] leaves open whether
// the hierarchy speeds up convergence; it does for edges of constant length, and for segments,
// where the distances of their points are corrected to the lengths of the segments.
//
// The edges along a line between two points of a coarse level are too long by S = Σ C in all. A
// displacement δ of the level's points, interpolated, changes that by n·(δ_b − δ_a), n the mean of
// the edges' directions: to first order the constraint of the level's edge is
//
//   S + n·(δ_b − δ_a) = 0.
//
// Each level, coarsest first, begins with what the next coarser one displaced and is swept once.
// Masses are restricted with the transpose of the interpolation, which leaves Σ m x where it is. A
// line that is bent (|n| < 1) would be displaced through its own folds: it is left to finer levels.
//
// Of level 0 nothing is kept but two lengths summed for each edge of level 1; directions have
// single precision, which turns a displacement by 10⁻⁷ and leaves what it closes as it is. About 25
// bytes a point of level 0 in all.

#ifndef PLIANT_SOLVERS_PROJECTION_COARSE_SWEEPS_H_
#define PLIANT_SOLVERS_PROJECTION_COARSE_SWEEPS_H_

#include <Eigen/Core>
#include <array>
#include <vector>

#include "models/geometry/grid_hierarchy.h"
#include "models/scene/forces.h"
#include "solvers/holds/nails.h"

namespace pliant {

class CoarseSweeps {
 public:
  // `finest`: the grids of level 0, which have at least `levels` ≥ 2 levels (solver_grids.h).
  // `points` 3×n, masses [kg]: of level 0, where every edge has its length. `held`: points of level
  // 0 that corrections do not move.
  CoarseSweeps(std::vector<GridSize> finest, int levels, const PointsRef& points,
               const Eigen::VectorXd& masses, const std::vector<int>& held);
  // Changes the held points. O(points).
  void Hold(const Eigen::VectorXd& masses, const std::vector<int>& held);
  const std::vector<int>& held() const { return held_; }
  // The points with a nail that acts in the step that ends at `end` [s] are held and no others;
  // masses() [kg], of all points, are asked for where that changes.
  template <typename Masses>
  void HoldNailed(double end, const Masses& masses, Nails* nails) {
    if (!nails->switches()) return;
    const std::vector<int>& points = nails->Points(end);
    if (points != held_) Hold(masses(), points);
  }

  // One sweep over each coarse level. at(p) is where point p of level 0 is [m], mass(p) its mass
  // [kg]; then calls move(p, δ) for each of them [m] that is not held, and give(p, P) [kg m] for
  // each that is, with the impulse that the others gave it: the sum of m δ and P is 0. O(points).
  template <typename At, typename Mass, typename Move, typename Give>
  void Sweep(const At& at, const Mass& mass, const Move& move, const Give& give) {
    Measure(at);
    SweepLevels();
    Displace(mass, move, give);
  }

 private:
  struct Level {
    std::vector<GridSize> grids;
    Eigen::VectorXd inverse_masses;
    Eigen::VectorXd excess;      // S of each edge [m]: of a grid along its rows, then its columns
    Eigen::Matrix3Xf direction;  // n of each edge
    Eigen::Matrix3Xd moved;      // δ of each point [m]
    // Points of the level that are held, ascending, and which of `held_` each of them is.
    std::vector<std::array<int, 2>> held;
  };
  void SweepLevels();
  void SumParts(size_t l);
  void SweepOnce(size_t l);

  // Calls visit(e, a, middle, b) for each edge of a level with the points of the next finer one
  // on it.
  template <typename Visit>
  static void ForEachLine(const std::vector<GridSize>& finer, const std::vector<GridSize>& grids,
                          const Visit& visit);
  // Calls visit(p, δ) for each point of the next finer level, bilinear between those of `level`.
  template <typename Visit>
  static void Interpolate(const Level& level, const std::vector<GridSize>& finer,
                          const Visit& visit);
  template <typename At>
  void Measure(const At& at);
  template <typename Mass, typename Move, typename Give>
  void Displace(const Mass& mass, const Move& move, const Give& give) const;
  void GiveHeld(const Level& level, int point, const Eigen::Vector3d& impulse);

  std::vector<GridSize> finest_;  // of level 0
  std::vector<int> held_;         // of level 0, ascending
  Eigen::Matrix3Xd given_;        // what edges of coarse levels gave each of these [kg m]
  Eigen::VectorXd lengths_;       // of the edges of level 1: the sum of both parts [m]
  std::vector<Level> levels_;     // from level 1 on
};

template <typename Visit>
void CoarseSweeps::ForEachLine(const std::vector<GridSize>& finer,
                               const std::vector<GridSize>& grids, const Visit& visit) {
  int e = 0, offset = 0;
  for (size_t g = 0; g < finer.size(); ++g) {
    const GridSize &fine = finer[g], &coarse = grids[g];
    const auto visit_from = [&](int u, int v, int stride) {
      const int a = offset + fine.Index(2 * u, 2 * v);
      visit(e++, a, a + stride, a + 2 * stride);
    };
    for (int v = 0; v < coarse.nv; ++v) {
      for (int u = 0; u + 1 < coarse.nu; ++u) visit_from(u, v, 1);
    }
    for (int v = 0; v + 1 < coarse.nv; ++v) {
      for (int u = 0; u < coarse.nu; ++u) visit_from(u, v, fine.nu);
    }
    offset += fine.size();
  }
}

template <typename At>
void CoarseSweeps::Measure(const At& at) {
  Level& level = levels_[0];
  ForEachLine(finest_, level.grids, [&](int e, int a, int middle, int b) {
    const Eigen::Vector3d m = at(middle), d1 = m - at(a), d2 = at(b) - m;
    const double l1 = d1.norm(), l2 = d2.norm();
    level.excess[e] = l1 + l2 - lengths_[e];
    level.direction.col(e) =
        (0.5 * (d1 / (l1 > 0.0 ? l1 : 1.0) + d2 / (l2 > 0.0 ? l2 : 1.0))).cast<float>();
  });
}

template <typename Visit>
void CoarseSweeps::Interpolate(const Level& level, const std::vector<GridSize>& finer,
                               const Visit& visit) {
  int p = 0, offset = 0;
  for (size_t g = 0; g < finer.size(); ++g) {
    const GridSize &fine = finer[g], &coarse = level.grids[g];
    for (int v = 0; v < fine.nv; ++v) {
      const int below = offset + v / 2 * coarse.nu, above = below + v % 2 * coarse.nu;
      const auto on_line = [&](int u) -> Eigen::Vector3d {
        return 0.5 * (level.moved.col(below + u) + level.moved.col(above + u));
      };
      for (int u = 0; u < fine.nu; ++u, ++p) {
        const Eigen::Vector3d left = on_line(u / 2);
        visit(p, u % 2 == 0 ? left : Eigen::Vector3d(0.5 * (left + on_line(u / 2 + 1))));
      }
    }
    offset += coarse.size();
  }
}

// A held point stays, though coarse levels that do not have it displace it along.
template <typename Mass, typename Move, typename Give>
void CoarseSweeps::Displace(const Mass& mass, const Move& move, const Give& give) const {
  auto held = held_.begin();
  Interpolate(levels_[0], finest_, [&](int p, const Eigen::Vector3d& by) {
    if (held != held_.end() && *held == p) {
      give(p, Eigen::Vector3d(given_.col(held - held_.begin()) + mass(p) * by));
      ++held;
    } else {
      move(p, by);
    }
  });
}

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PROJECTION_COARSE_SWEEPS_H_
