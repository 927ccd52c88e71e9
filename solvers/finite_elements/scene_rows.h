// The point constraints of a scene as rows on the unknowns of a discretisation, 3 node + axis. They act
// where PointPlaces says. Where it holds a side whole, so are the nodes between its points, each at the
// same weighted mean of the paths of its corners as at rest; where it joins two sides, so are the nodes
// at the same place of both. Of sheets the control points count, which carry the edge between two points
// along a straight line.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_SCENE_ROWS_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_SCENE_ROWS_H_

#include <Eigen/Core>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/scene/constraint_rows.h"
#include "solvers/finite_elements/discretisation.h"
#include "solvers/finite_elements/point_places.h"
#include "solvers/finite_elements/reduction.h"

namespace pliant::finite_elements {

class HeldRows {
 public:
  HeldRows(const Scene& scene, const Discretisation& bodies);

  // Where points that are held or drawn act on the nodes.
  const PointPlaces& places() const { return places_; }
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
  using Target = std::pair<int, double>;  // constraint, weight
  struct Origin {
    std::vector<Target> targets;
    Eigen::Vector3d along;
  };
  using NodeWeights = std::map<int, double>;
  using ByPoint = std::vector<std::vector<int>>;  // constraints at each point of the scene
  // A row for each direction of the targets: Σ weights · nodes is Σ weights · targets.
  void AddRows(const NodeWeights& nodes, const std::vector<Target>& targets);
  void HoldBetween(const Discretisation& bodies, const ByPoint& at);
  void JoinBetween(const Scene& scene, const Discretisation& bodies, const ByPoint& at);
  Eigen::VectorXd Along(double time, Eigen::Vector3d PathPoint::*part) const;

  std::vector<ConstraintRow> constraints_;
  PointPlaces places_;
  std::vector<LinearRow> rows_;
  std::vector<Origin> of_;  // of each row
  std::vector<int> zero_;
  std::vector<bool> in_plane_;  // nodes of planar parts
  bool has_corners_ = false;
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_SCENE_ROWS_H_
