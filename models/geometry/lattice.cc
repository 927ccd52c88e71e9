#include "models/geometry/lattice.h"

#include <cassert>

#include "models/geometry/bernstein.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

// Below this fraction of the longest side a side counts as thin.
constexpr double kThin = 1e-9;

}  // namespace

Lattice::Lattice(const std::array<int, 3>& degree, const Vector3d& corner, const Vector3d& size)
    : degree_(degree),
      corner_(corner),
      extent_(size),
      count_((degree[0] + 1) * (degree[1] + 1) * (degree[2] + 1)) {
  assert(degree[0] >= 0 && degree[1] >= 0 && degree[2] >= 0);
  assert(size.minCoeff() > 0.0);
}

Lattice Lattice::Around(const Eigen::Matrix3Xd& points, const std::array<int, 3>& degree) {
  Vector3d corner = points.rowwise().minCoeff();
  Vector3d size = points.rowwise().maxCoeff() - corner;
  const double longest = size.maxCoeff();
  const double padded = longest > 0.0 ? longest : 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    if (size[axis] > kThin * longest) continue;
    corner[axis] += 0.5 * (size[axis] - padded);
    size[axis] = padded;
  }
  return Lattice(degree, corner, size);
}

Eigen::Matrix3Xd Lattice::ControlPoints() const {
  auto place = [this](int axis, int index) {
    const double fraction = degree_[axis] > 0 ? static_cast<double>(index) / degree_[axis] : 0.5;
    return corner_[axis] + fraction * extent_[axis];
  };
  Eigen::Matrix3Xd points(3, count_);
  int column = 0;
  for (int k = 0; k <= degree_[2]; ++k) {
    for (int j = 0; j <= degree_[1]; ++j) {
      for (int i = 0; i <= degree_[0]; ++i) {
        points.col(column++) << place(0, i), place(1, j), place(2, k);
      }
    }
  }
  return points;
}

Eigen::VectorXd Lattice::Weights(const Vector3d& x) const {
  const Vector3d local = (x - corner_).cwiseQuotient(extent_);
  const Eigen::VectorXd bs = Bernstein(degree_[0], local[0]);
  const Eigen::VectorXd bt = Bernstein(degree_[1], local[1]);
  const Eigen::VectorXd bu = Bernstein(degree_[2], local[2]);
  Eigen::VectorXd weights(count_);
  int index = 0;
  for (int k = 0; k <= degree_[2]; ++k) {
    for (int j = 0; j <= degree_[1]; ++j) {
      for (int i = 0; i <= degree_[0]; ++i) weights[index++] = bs[i] * bt[j] * bu[k];
    }
  }
  return weights;
}

}  // namespace pliant
