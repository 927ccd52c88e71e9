#include "solvers/dynamic_ffd/mode_change.h"

#include <Eigen/QR>
#include <cassert>
#include <cmath>

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kIterations = 300;
constexpr double kSmallestStep = 1e-14;
// A step shorter than this makes no progress.
constexpr double kSmallestPart = 1e-3;

bool SameModes(const FfdBody& a, const FfdBody& b) {
  return a.modes() == b.modes() && a.shapes() == b.shapes();
}

// √m J, 3n×velocities.
MatrixXd WeightedJacobian(const FfdBody& body, const VectorXd& q) {
  MatrixXd jacobian(3 * body.points(), body.velocities());
  for (int n = 0; n < body.points(); ++n) {
    jacobian.middleRows<3>(3 * n) = std::sqrt(body.masses()[n]) * body.Jacobian(q, n);
  }
  return jacobian;
}

VectorXd Weighted(const FfdBody& body, const Matrix3Xd& vectors) {
  const Matrix3Xd scaled = vectors * body.masses().cwiseSqrt().asDiagonal();
  return Eigen::Map<const VectorXd>(scaled.data(), scaled.size());
}

// The velocities whose weighted point velocities come nearest to `wanted`, driven ones as given. A
// straight line in space has no rotation about its axis: choose the smallest velocities.
VectorXd NearestVelocities(const FfdBody& body, const VectorXd& q, const VectorXd& wanted,
                           const VectorXd& driven) {
  const MatrixXd jacobian = WeightedJacobian(body, q);
  const auto free = jacobian.cols() - driven.size();
  VectorXd v(jacobian.cols());
  v.tail(driven.size()) = driven;
  v.head(free) = jacobian.leftCols(free).completeOrthogonalDecomposition().solve(
      wanted - jacobian.rightCols(driven.size()) * driven);
  return v;
}

}  // namespace

CarriedState CarryOver(const FfdBody& from, const VectorRef& q, const VectorRef& v,
                       const FfdBody& to) {
  assert(from.points() == to.points() && from.driven() == to.driven());
  if (SameModes(from, to)) return {q, v};
  Matrix3Xd x(3, from.points()), x_dot(3, from.points()), reached(3, from.points());
  from.Points(q, x);
  from.PointVelocities(q, v, x, x_dot);
  const Eigen::Vector3d centre = x * from.masses() / from.masses().sum();
  const double size = (x.colwise() - centre).norm();

  VectorXd gamma = VectorXd::Zero(to.modes());
  gamma.tail(to.driven()) = q.tail(to.driven());
  CarriedState state;
  state.q = to.Coordinates(centre, Eigen::Quaterniond(from.Rotation(q)), gamma);
  to.Points(state.q, reached);
  const VectorXd still = VectorXd::Zero(to.driven());
  VectorXd rate(to.coordinates());
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    const VectorXd wanted = Weighted(to, x - reached);
    to.ConfigurationRate(state.q, NearestVelocities(to, state.q, wanted, still), rate);
    const VectorXd begin = state.q;
    const Matrix3Xd before = reached;
    for (double part = 1.0; part > kSmallestPart; part *= 0.5) {
      state.q = begin + part * rate;
      to.Normalize(state.q);
      to.Points(state.q, reached);
      if (Weighted(to, x - reached).norm() <= wanted.norm()) break;
    }
    if ((reached - before).norm() <= kSmallestStep * size) break;
  }
  state.v = NearestVelocities(to, state.q, Weighted(to, x_dot), v.tail(to.driven()));
  return state;
}

}  // namespace pliant::dynamic_ffd
