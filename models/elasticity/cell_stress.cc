#include "models/elasticity/cell_stress.h"

#include <Eigen/Dense>
#include <cmath>

#include "models/elasticity/law.h"

namespace pliant::elasticity {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;

Matrix3d TensorOf(const Vector6d& s) {  // 11, 22, 33, 12, 23, 31
  Matrix3d tensor;
  tensor << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  return tensor;
}

Matrix3d CauchyStress(const Law& law, const Matrix3d& F) {
  const double J = F.determinant();
  Law::Response response;
  if (law.linear()) {
    law.Respond(F + F.transpose() - Matrix3d::Identity(), 1.0, &response);  // 1 + 2 ε
    return TensorOf(response.stress);
  }
  law.Respond(F.transpose() * F, J < 0.0 ? -1.0 : 1.0, &response);
  return F * TensorOf(response.stress) * F.transpose() / J;
}

}  // namespace

bool HasCellStress(const Body& body, const std::vector<BodyCell>& cells) {
  return body.material && !body.rigid && !cells.empty() &&
         (cells[0].size == 4 || cells[0].size == 8);
}

MatrixXd CellStresses(const Body& body, const std::vector<BodyCell>& cells, const PointsRef& x) {
  const Law law(*body.material, false);
  MatrixXd stresses(6, static_cast<Eigen::Index>(cells.size()));
  for (size_t i = 0; i < cells.size(); ++i) {
    const Matrix3d s = CauchyStress(law, DeformationOf(body, cells[i], x));
    stresses.col(static_cast<Eigen::Index>(i)) << s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(1, 2),
        s(0, 2);
  }
  return stresses;
}

MatrixXd VonMises(const MatrixXd& stresses) {
  MatrixXd equivalent(1, stresses.cols());
  for (Eigen::Index i = 0; i < stresses.cols(); ++i) {
    const auto s = stresses.col(i);
    const double mean = s.head<3>().mean();
    equivalent(0, i) = std::sqrt(
        1.5 * ((s.head<3>().array() - mean).square().sum() + 2.0 * s.tail<3>().squaredNorm()));
  }
  return equivalent;
}

}  // namespace pliant::elasticity
