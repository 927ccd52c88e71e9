// The point constraints of a scene as rows on the unknowns of a discretisation, 3 node + axis.
//
// A point is singular in a continuum: under refinement a nail at a point lets go. So nails of one
// name hold what is between their points, too: the nodes of an edge, face or cell whose corners all
// of them nail, each at the same weighted mean of their paths as of the corners at rest. Of sheets the
// control points count, which carry the edge between two points along a straight line.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_SCENE_ROWS_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_SCENE_ROWS_H_

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "models/scene/constraint_rows.h"
#include "solvers/finite_elements/discretisation.h"
#include "solvers/finite_elements/reduction.h"

namespace pliant::finite_elements {

class HeldRows {
 public:
  HeldRows(const Scene& scene, const Discretisation& bodies);

  const std::vector<LinearRow>& rows() const { return rows_; }
  int size() const { return static_cast<int>(rows_.size()); }
  // Unknowns that stay 0: out of the plane.
  const std::vector<int>& zero() const { return zero_; }
  const std::string& name(int row) const { return constraints_[of_[row].targets[0].first].name; }

  // What the rows demand at `time`: value [m], and rate [m/s].
  Eigen::VectorXd Values(double time) const;
  Eigen::VectorXd Rates(double time) const;
  // True if the rates jump at some times.
  bool has_corners() const { return has_corners_; }
  // Adds the forces of the rows to the points of the scene, 3×n.
  void AddPointForces(const Scene& scene, const Eigen::VectorXd& multipliers,
                      Eigen::Matrix3Xd* forces) const;

 private:
  struct Origin {
    std::vector<std::pair<int, double>> targets;  // constraints and their weights
    Eigen::Vector3d along;
  };
  void HoldBetween(const Scene& scene, const Discretisation& bodies,
                   const std::vector<bool>& in_plane);
  Eigen::VectorXd Along(double time, Eigen::Vector3d PathPoint::*part) const;

  std::vector<ConstraintRow> constraints_;
  std::vector<LinearRow> rows_;
  std::vector<Origin> of_;  // of each row
  std::vector<int> zero_;
  bool has_corners_ = false;
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_SCENE_ROWS_H_
