#include "models/geometry/lattice.h"

#include <Eigen/LU>
#include <cassert>

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Below this fraction of the longest side a side counts as thin.
constexpr double kThin = 1e-9;

// Newton's iteration for (s,t,u), see Lattice::LocalCoordinates.
constexpr double kResidual = 1e-12;  // of the size of the box
constexpr double kInside = 1e-9;     // by which (s,t,u) may leave [0, 1]
constexpr double kAstray = 2.0;      // an iterate this far outside is given up
constexpr int kIterations = 50;
constexpr int kStarts = 5;  // along each axis, tried in turn

// Products of one factor per axis, x fastest.
VectorXd TensorProduct(const VectorXd& a, const VectorXd& b, const VectorXd& c) {
  VectorXd product(a.size() * b.size() * c.size());
  int index = 0;
  for (double ck : c) {
    for (double bj : b) {
      for (double ai : a) product[index++] = ai * bj * ck;
    }
  }
  return product;
}

}  // namespace

Lattice::Lattice(const LatticeBases& bases, const Vector3d& corner, const Vector3d& size)
    : bases_(bases),
      corner_(corner),
      extent_(size),
      count_(bases[0].size() * bases[1].size() * bases[2].size()) {
  assert(size.minCoeff() > 0.0);
}

Lattice Lattice::Around(const Matrix3Xd& points, const LatticeBases& bases) {
  Vector3d corner = points.rowwise().minCoeff();
  Vector3d size = points.rowwise().maxCoeff() - corner;
  const double longest = size.maxCoeff();
  const double padded = longest > 0.0 ? longest : 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    if (size[axis] > kThin * longest) continue;
    corner[axis] += 0.5 * (size[axis] - padded);
    size[axis] = padded;
  }
  return Lattice(bases, corner, size);
}

Lattice Lattice::Extended(const Matrix3Xd& points) const {
  assert(points.cols() == count_);
  Lattice extended = *this;
  extended.points_ = points;
  return extended;
}

Matrix3Xd Lattice::ControlPoints() const {
  if (extended()) return points_;
  auto place = [this](int axis, int index) {
    return corner_[axis] + bases_[axis].Node(index) * extent_[axis];
  };
  Matrix3Xd points(3, count_);
  int column = 0;
  for (int k = 0; k < bases_[2].size(); ++k) {
    for (int j = 0; j < bases_[1].size(); ++j) {
      for (int i = 0; i < bases_[0].size(); ++i) {
        points.col(column++) << place(0, i), place(1, j), place(2, k);
      }
    }
  }
  return points;
}

std::vector<std::array<int, 2>> Lattice::Lines() const {
  const int nx = bases_[0].size(), ny = bases_[1].size(), nz = bases_[2].size();
  std::vector<std::array<int, 2>> lines;
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        const int here = i + nx * (j + ny * k);
        if (i + 1 < nx) lines.push_back({here, here + 1});
        if (j + 1 < ny) lines.push_back({here, here + nx});
        if (k + 1 < nz) lines.push_back({here, here + nx * ny});
      }
    }
  }
  return lines;
}

std::optional<Vector3d> Lattice::LocalCoordinates(const Vector3d& x) const {
  Vector3d local = (x - corner_).cwiseQuotient(extent_);
  if (!extended()) return local;
  if (Converge(x, &local)) return local;
  for (int start = 0; start < kStarts * kStarts * kStarts; ++start) {
    const Eigen::Vector3i place(start % kStarts, start / kStarts % kStarts,
                                start / (kStarts * kStarts));
    local = (place.cast<double>().array() + 0.5) / kStarts;
    if (Converge(x, &local)) return local;
  }
  return std::nullopt;
}

bool Lattice::Converge(const Vector3d& x, Vector3d* local) const {
  for (int axis = 0; axis < 3; ++axis) {
    if (bases_[axis].size() == 1) (*local)[axis] = 0.5;
  }
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    Vector3d residual = points_ * WeightsAt(*local) - x;
    for (int axis = 0; axis < 3; ++axis) {
      if (bases_[axis].size() == 1) residual[axis] = 0.0;
    }
    const Matrix3d jacobian = JacobianAt(*local);
    if (residual.norm() <= kResidual * extent_.norm()) {
      const bool inside = local->minCoeff() >= -kInside && local->maxCoeff() <= 1.0 + kInside;
      return inside && jacobian.determinant() > 0.0;
    }
    *local -= jacobian.partialPivLu().solve(residual);
    if (!local->allFinite() || (local->array() - 0.5).abs().maxCoeff() > kAstray) return false;
  }
  return false;
}

VectorXd Lattice::WeightsAt(const Vector3d& local) const {
  return TensorProduct(bases_[0].Values(local[0]), bases_[1].Values(local[1]),
                       bases_[2].Values(local[2]));
}

Eigen::MatrixX3d Lattice::WeightGradientsAt(const Vector3d& local) const {
  std::array<VectorXd, 3> values, derivatives;
  for (int axis = 0; axis < 3; ++axis) {
    values[axis] = bases_[axis].Values(local[axis]);
    derivatives[axis] = bases_[axis].Derivatives(local[axis]);
  }
  Eigen::MatrixX3d gradients(count_, 3);
  gradients.col(0) = TensorProduct(derivatives[0], values[1], values[2]);
  gradients.col(1) = TensorProduct(values[0], derivatives[1], values[2]);
  gradients.col(2) = TensorProduct(values[0], values[1], derivatives[2]);
  return gradients;
}

Matrix3d Lattice::JacobianAt(const Vector3d& local) const {
  Matrix3d jacobian =
      extended() ? Matrix3d(points_ * WeightGradientsAt(local)) : Matrix3d(extent_.asDiagonal());
  for (int axis = 0; axis < 3; ++axis) {
    if (bases_[axis].size() > 1) continue;
    jacobian.col(axis) = extent_[axis] * Vector3d::Unit(axis);
    jacobian.row(axis) = extent_[axis] * Vector3d::Unit(axis).transpose();
  }
  return jacobian;
}

VectorXd Lattice::Weights(const Vector3d& x) const {
  const std::optional<Vector3d> local = LocalCoordinates(x);
  assert(local);
  return WeightsAt(*local);
}

}  // namespace pliant
