// The loads on the points of a scene besides gravity: springs, timed forces, impulses, a reference
// shape. Most scenes load few of their points, and only those have columns here: 130 bytes each,
// none for the others.

#ifndef PLIANT_SOLVERS_PROJECTION_POINT_LOADS_H_
#define PLIANT_SOLVERS_PROJECTION_POINT_LOADS_H_

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "models/rigid_bodies/reference_shape.h"
#include "models/scene/forces.h"
#include "models/scene/scene.h"
#include "solvers/projection/step_ledger.h"

namespace pliant {

class PointLoads {
 public:
  // With a shape to return to, and where `everywhere`, all points have columns.
  PointLoads(std::shared_ptr<const Scene> scene, double shape_stiffness, bool everywhere);

  // The forces on points at x with velocities v, 3×n over the scene, for a step of h [s] from
  // `begin` to `end`.
  void Find(double begin, double end, double h, const PointsRef& x, const PointsRef& v);

  // Calls visit(point, acceleration [m/s²]) for every point of the scene, in order.
  template <typename Visit>
  void ForEachAcceleration(const Visit& visit) const {
    size_t next = 0;
    for (int p = 0; p < scene_->PointCount(); ++p) {
      if (next < points_.size() && points_[next] == p) {
        visit(p, Eigen::Vector3d(accelerations_.col(static_cast<Eigen::Index>(next++))));
      } else {
        visit(p, scene_->gravity);
      }
    }
  }
  Eigen::Vector3d Acceleration(int point) const;  // m/s²
  // 3×n where all points have columns [m/s²]: rigid bodies move their points otherwise.
  Eigen::Matrix3Xd& accelerations() { return accelerations_; }
  Eigen::Matrix3Xd Forces() const;  // 3×n over the scene [N], without gravity

  // Adds the work of the forces on loaded points; way(point) is Δx [m].
  template <typename Way>
  void AddWork(const Way& way, StepWork* work) const {
    for (size_t i = 0; i < points_.size(); ++i) {
      const auto column = static_cast<Eigen::Index>(i);
      const Eigen::Vector3d dx = way(points_[i]);
      work->potentials += springs_.col(column).dot(dx);
      work->timed += timed_.col(column).dot(dx);
      work->damping += damping_.col(column).dot(dx);
      work->impulses += impulses_.col(column).dot(dx);
    }
  }

  bool has_springs() const { return forces_.has_springs(); }
  bool has_shape() const { return shape_.acts(); }
  double SpringEnergy(const PointsRef& x) const;  // J
  double ShapeEnergy(const PointsRef& x) const { return shape_.Energy(x); }

 private:
  std::shared_ptr<const Scene> scene_;
  const ReferenceShape shape_;
  std::vector<int> points_;  // of the columns, ascending
  const SceneForces forces_;
  // Of the present step, 3×columns; the shape is among the springs.
  Eigen::Matrix3Xd springs_, timed_, damping_, impulses_;  // N
  Eigen::Matrix3Xd accelerations_;                         // m/s²
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PROJECTION_POINT_LOADS_H_
