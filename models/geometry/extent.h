// The size of a set of points, the columns of a 3×n matrix with at least one [m].

#ifndef PLIANT_MODELS_GEOMETRY_EXTENT_H_
#define PLIANT_MODELS_GEOMETRY_EXTENT_H_

#include <Eigen/Core>

namespace pliant {

// The longest side of the box around the points.
template <typename Derived>
double ExtentOf(const Eigen::MatrixBase<Derived>& points) {
  return (points.rowwise().maxCoeff() - points.rowwise().minCoeff()).maxCoeff();
}

// The diagonal of that box.
template <typename Derived>
double DiagonalOf(const Eigen::MatrixBase<Derived>& points) {
  return (points.rowwise().maxCoeff() - points.rowwise().minCoeff()).norm();
}

}  // namespace pliant

#endif  // PLIANT_MODELS_GEOMETRY_EXTENT_H_
