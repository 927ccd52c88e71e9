// The levels of a body as a solver: corrections, which a sweep over neighbours passes on from point
// to point, first travel long distances along the lines of the grid. [Palazzi 1993, Ch. 5] leaves
// open whether the hierarchy speeds up convergence; it does for edges of constant length, and for
// segments, where the distances of their points are corrected to the lengths of the segments.
//
// A level of spacing s = 2, 4, … corrects the tensions of many edges of a line at once: with hats
// φ_k = max(0, 1 − |k + ½ − c|/s) over its edges k, c every s edges, and the misfits C_k and unit
// directions n_k of the edges,
//
//   f_i = φ_i n_i − φ_{i−1} n_{i−1},   μ = Σ φ_k C_k / Σ w_i |f_i|²,   x_i += w_i μ f_i
//
// with w = 1/m: one step of Newton for Σ φ_k C_k = 0 under tensions μ φ_k. So coarse levels
// displace points only as edges can, by M⁻¹ Jᵀ λ: with λ the multipliers of the edges, this is one
// sweep of Gauss–Seidel over hats for J M⁻¹ Jᵀ λ = −C, which along a line is a discrete Laplacian.
// A sheet comes to the same place as without levels, in fewer sweeps.
//
// (Coarse levels of points, with masses and edges of their own and displacements interpolated
// between them, would need fewer operations. They displace points by what no edge can give: that part
// is never taken back, does work, and does not vanish in short steps.)
//
// 48 bytes a point.

#ifndef PLIANT_SOLVERS_PROJECTION_COARSE_SWEEPS_H_
#define PLIANT_SOLVERS_PROJECTION_COARSE_SWEEPS_H_

#include <Eigen/Core>
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

  // One sweep over each coarse level, coarsest first. at(p) is where point p of level 0 is [m]; then
  // calls move(p, δ) for each of them [m] that is not held, and give(p, P) [kg m] for each that is,
  // with the impulse that the others gave it: the sum of m δ and P is 0. O(points · levels).
  template <typename At, typename Move, typename Give>
  void Sweep(const At& at, const Move& move, const Give& give) {
    for (Eigen::Index p = 0; p < x_.cols(); ++p) x_.col(p) = at(static_cast<int>(p));
    SweepLevels();
    auto held = held_.begin();
    for (Eigen::Index i = 0; i < x_.cols(); ++i) {
      const int p = static_cast<int>(i);
      if (held != held_.end() && *held == p) {
        give(p, Eigen::Vector3d(given_.col(held - held_.begin())));
        ++held;
      } else {
        move(p, Eigen::Vector3d(x_.col(i) - at(p)));
      }
    }
  }

 private:
  // A row or a column: `edges` + 1 points, `stride` apart; its lengths stand behind each other.
  struct Line {
    int first, stride, edges, first_length;
  };
  void SweepLevels();
  void Correct(const Line& line, int from, int to, double centre, double spacing);
  template <typename Visit>
  void ForEachLine(const Visit& visit) const;

  std::vector<GridSize> finest_;  // of level 0
  int levels_;
  std::vector<double> lengths_;     // of the edges, line by line [m]
  Eigen::VectorXd inverse_masses_;  // 0 where held
  std::vector<int> held_;           // ascending
  Eigen::Matrix3Xd given_;          // what edges gave each of these in a sweep [kg m]
  Eigen::Matrix3Xd x_;              // points, as far as the sweep has got [m]
  Eigen::Matrix3Xd pulls_;          // scratch of Correct(): φ n of each edge
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PROJECTION_COARSE_SWEEPS_H_
