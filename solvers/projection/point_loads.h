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

  // Springs and shape once more, with the points at the end of the step at x, 3×n over the scene.
  // Until then those at the end are those at the start.
  void FindSpringsAtEnd(const PointsRef& x);
  // Accelerations of points that no body moves as a whole: by the mean of the springs at both ends.
  void TakeMeanSprings();
  // Calls visit(point, acceleration [m/s²]) for every point of the scene, in order.
  template <typename Visit>
  void ForEachAcceleration(const Visit& visit) const {
    size_t next = 0;
    for (int p = 0, count = scene_->PointCount(); p < count; ++p) {
      if (next < points_.size() && points_[next] == p) {
        visit(p, Eigen::Vector3d(accelerations_.col(static_cast<Eigen::Index>(next++))));
      } else {
        visit(p, scene_->gravity);
      }
    }
  }
  Eigen::Vector3d Acceleration(int point) const;  // m/s²
  // 3×n where all points have columns [m/s²]: the points of a rigid body move differently.
  Eigen::Matrix3Xd& accelerations() { return accelerations_; }
  Eigen::Matrix3Xd Forces() const;       // 3×n over the scene [N], without gravity
  Eigen::Matrix3Xd ForcesAtEnd() const;  // with the springs at the end

  // Calls visit(point, acceleration [m/s²], forces) for every point of the scene, in order: null
  // where only gravity acts.
  template <typename Visit>
  void ForEachPoint(const Visit& visit) const {
    size_t next = 0;
    for (int p = 0, count = scene_->PointCount(); p < count; ++p) {
      if (next == points_.size() || points_[next] != p) {
        visit(p, scene_->gravity, nullptr);
        continue;
      }
      const auto c = static_cast<Eigen::Index>(next++);
      const Eigen::Matrix3Xd& at_end = knows_end_ ? springs_at_end_ : springs_;
      const PointForces forces{springs_.col(c), at_end.col(c), timed_.col(c), damping_.col(c),
                               impulses_.col(c)};
      visit(p, Eigen::Vector3d(accelerations_.col(c)), &forces);
    }
  }

  bool has_springs() const { return forces_.has_springs(); }
  bool has_shape() const { return shape_.acts(); }
  bool has_potentials() const { return has_springs() || has_shape(); }
  double SpringEnergy(const PointsRef& x) const;  // J
  double ShapeEnergy(const PointsRef& x) const { return shape_.Energy(x); }

 private:
  std::shared_ptr<const Scene> scene_;
  const ReferenceShape shape_;
  std::vector<int> points_;  // of the columns, ascending
  const SceneForces forces_;
  // Of the present step, 3×columns; the shape is among the springs.
  Eigen::Matrix3Xd springs_, timed_, damping_, impulses_;  // N
  Eigen::Matrix3Xd springs_at_end_;                        // N; empty unless requested
  Eigen::Matrix3Xd positions_;                             // scratch; empty without springs
  bool knows_end_ = false;                                 // of the present step
  Eigen::Matrix3Xd accelerations_;                         // m/s²
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PROJECTION_POINT_LOADS_H_
