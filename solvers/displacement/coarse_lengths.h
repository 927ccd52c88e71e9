// The levels of a body as a solver: what a sweep over neighbours passes on point by point travels
// in long strides first. [Palazzi 1993, Ch. 5] leaves open whether the hierarchy speeds up
// convergence; for lengths that shall be kept it does.
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

#ifndef PLIANT_SOLVERS_DISPLACEMENT_COARSE_LENGTHS_H_
#define PLIANT_SOLVERS_DISPLACEMENT_COARSE_LENGTHS_H_

#include <Eigen/Core>
#include <array>
#include <memory>
#include <vector>

#include "models/displacement_constraints/hierarchy.h"
#include "models/scene/forces.h"

namespace pliant {

class CoarseLengths {
 public:
  // `points` 3×n, masses [kg]: of level 0, where every edge has its length. `held`: points of level
  // 0 that corrections do not move.
  CoarseLengths(std::shared_ptr<const GridLevels> grids, const PointsRef& points,
                const Eigen::VectorXd& masses, const std::vector<int>& held);

  // One sweep over each coarse level. Points that are held may be displaced where a level does not
  // have them: to be set again by the caller. O(points).
  void Sweep(MutablePointsRef points);

 private:
  struct Level {
    std::vector<SegmentNet::Edge> edges;
    std::vector<std::array<int, 2>> parts;  // edges of the next finer level along each
    Eigen::VectorXd inverse_masses;
    Eigen::VectorXd excess;      // S of each edge [m]
    Eigen::Matrix3Xd direction;  // n of each edge
    Eigen::Matrix3Xd moved;      // δ of each point [m]
  };
  void AddLevel(int l, const Eigen::VectorXd& masses, const std::vector<int>& held);
  static void SweepOnce(Level* level);

  std::shared_ptr<const GridLevels> grids_;
  Eigen::VectorXd lengths_;    // of level 0
  std::vector<Level> levels_;  // of level 0 only what its edges miss and what it is displaced by
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_DISPLACEMENT_COARSE_LENGTHS_H_
