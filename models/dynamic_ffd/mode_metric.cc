#include "models/dynamic_ffd/mode_metric.h"

#include <Eigen/QR>
#include <cmath>

namespace pliant::dynamic_ffd {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Rigid motions of unit size count as dependent when some combination is this small.
constexpr double kDependent = 1e-9;

}  // namespace

MassWeightedMotions MotionsOf(const FfdBody& body) {
  const VectorXd q = body.Coordinates(Eigen::Vector3d::Zero(), Eigen::Quaterniond::Identity(),
                                      VectorXd::Zero(body.modes()));
  MatrixXd motions(3 * body.points(), body.velocities());
  for (int n = 0; n < body.points(); ++n) {
    motions.middleRows<3>(3 * n) = std::sqrt(body.masses()[n]) * body.Jacobian(q, n);
  }
  MatrixXd rigid = motions.leftCols(body.twist_size());
  for (auto column : rigid.colwise()) {
    if (const double length = column.norm(); length > 0.0) column /= length;
  }
  Eigen::ColPivHouseholderQR<MatrixXd> qr;
  qr.setThreshold(kDependent);
  qr.compute(rigid);
  MassWeightedMotions result;
  result.rigid = qr.householderQ() * MatrixXd::Identity(motions.rows(), qr.rank());
  result.modes = motions.rightCols(body.modes());
  result.free = result.modes - result.rigid * (result.rigid.transpose() * result.modes);
  return result;
}

}  // namespace pliant::dynamic_ffd
