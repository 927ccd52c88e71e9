// The interface that contacts, attachments, nails, sliders and limits need from a swept model:
// points that an impulse displaces.

#ifndef PLIANT_SOLVERS_HOLDS_POINT_MOVER_H_
#define PLIANT_SOLVERS_HOLDS_POINT_MOVER_H_

#include <Eigen/Core>

#include "models/holds/weighted_point.h"

namespace pliant {

class PointMover {
 public:
  virtual ~PointMover() = default;
  virtual Eigen::Vector3d Point(const WeightedPoint& point) const = 0;  // weighted mean of points
  // Displacement of the point per unit impulse [1/kg], an upper bound. LargestMobility() bounds it
  // over all directions.
  virtual Eigen::Matrix3d Mobility(const WeightedPoint& point) const = 0;
  virtual double LargestMobility(const WeightedPoint& point) const = 0;
  // The displacement of point p per impulse at point q [1/kg]: they may share a segment or a body.
  virtual Eigen::Matrix3d Coupling(int p, int q) const = 0;
  // Displaces the points by an impulse [kg m], which each takes with its weight.
  virtual void Push(const WeightedPoint& point, const Eigen::Vector3d& impulse) = 0;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_HOLDS_POINT_MOVER_H_
