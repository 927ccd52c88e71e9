// What contacts, attachments, nails, sliders and limits need of whatever is swept: points that an
// impulse displaces.

#ifndef PLIANT_SOLVERS_HOLDS_POINT_MOVER_H_
#define PLIANT_SOLVERS_HOLDS_POINT_MOVER_H_

#include <Eigen/Core>

#include "models/holds/weighted_point.h"

namespace pliant {

class PointMover {
 public:
  virtual ~PointMover() = default;
  virtual Eigen::Vector3d Point(const WeightedPoint& point) const = 0;  // weighted mean of points
  // By how much an impulse displaces the point [1/kg], never less than it does; and the largest in
  // any direction.
  virtual Eigen::Matrix3d Mobility(const WeightedPoint& point) const = 0;
  virtual double LargestMobility(const WeightedPoint& point) const = 0;
  // By how far an impulse at point q displaces point p [1/kg]: they may share a segment or a body.
  virtual Eigen::Matrix3d Coupling(int p, int q) const = 0;
  // Displaces the points by an impulse [kg m], which each takes with its weight.
  virtual void Push(const WeightedPoint& point, const Eigen::Vector3d& impulse) = 0;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_HOLDS_POINT_MOVER_H_
