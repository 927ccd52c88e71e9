#include "models/geometry/cubic_segment.h"

namespace pliant {

CubicSegment CubicSegment::Join(double begin, const Eigen::Vector3d& x0, const Eigen::Vector3d& v0,
                                double end, const Eigen::Vector3d& x1, const Eigen::Vector3d& v1) {
  const double tau = end - begin;
  const Eigen::Vector3d way = x1 - x0;
  CubicSegment segment;
  segment.begin = begin;
  segment.terms.col(0) = x0;
  segment.terms.col(1) = v0;
  segment.terms.col(2) = (3.0 * way - (2.0 * v0 + v1) * tau) / (tau * tau);
  segment.terms.col(3) = ((v0 + v1) * tau - 2.0 * way) / (tau * tau * tau);
  return segment;
}

PathPoint CubicSegment::At(double time) const {
  const double s = time - begin;
  return {terms.col(0) + s * (terms.col(1) + s * (terms.col(2) + s * terms.col(3))),
          terms.col(1) + s * (2.0 * terms.col(2) + 3.0 * s * terms.col(3)),
          2.0 * terms.col(2) + 6.0 * s * terms.col(3)};
}

}  // namespace pliant
