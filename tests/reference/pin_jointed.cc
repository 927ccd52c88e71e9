#include "tests/reference/pin_jointed.h"

#include <Eigen/Cholesky>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

namespace pliant {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

PinJointed::PinJointed(const Scene& scene) : gravity(scene.gravity) {
  Scene unstretched = scene;
  for (Body& body : unstretched.bodies) body.stretch.setIdentity();
  masses = scene.Masses();
  inverse_masses = masses.cwiseInverse();
  x = unstretched.InitialPoints();
  v = scene.InitialVelocities();
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const int first = scene.Offset(static_cast<int>(b));
    for (const auto& edge : scene.bodies[b].edges)
      bars.push_back({first + edge[0], first + edge[1]});
  }
  for (const Nail& nail : scene.nails) {
    inverse_masses[scene.Index(nail.point)] = 0.0;
    v.col(scene.Index(nail.point)).setZero();
  }
  lengths_.resize(static_cast<Eigen::Index>(bars.size()));
  for (size_t e = 0; e < bars.size(); ++e) {
    lengths_[static_cast<Eigen::Index>(e)] = (x.col(bars[e][1]) - x.col(bars[e][0])).norm();
  }
  const MatrixXd J = Jacobian(x);
  v -= Answer(J, J * v.reshaped());
}

MatrixXd PinJointed::Jacobian(const Matrix3Xd& at) const {
  MatrixXd J = MatrixXd::Zero(static_cast<Eigen::Index>(bars.size()), at.size());
  for (size_t e = 0; e < bars.size(); ++e) {
    const auto [a, b] = bars[e];
    const Vector3d d = at.col(b) - at.col(a);
    const auto row = static_cast<Eigen::Index>(e);
    J.block<1, 3>(row, 3 * b) = d.transpose();
    J.block<1, 3>(row, 3 * a) = -d.transpose();
  }
  return J;
}

Matrix3Xd PinJointed::Answer(const MatrixXd& J, const VectorXd& rates) const {
  VectorXd w(3 * inverse_masses.size());
  for (Eigen::Index p = 0; p < inverse_masses.size(); ++p) {
    w.segment<3>(3 * p).setConstant(inverse_masses[p]);
  }
  const MatrixXd back = w.asDiagonal() * J.transpose();
  return (back * (J * back).ldlt().solve(rates)).reshaped(3, inverse_masses.size());
}

Matrix3Xd PinJointed::Accelerations(const Matrix3Xd& at, const Matrix3Xd& rates) const {
  Matrix3Xd free(3, at.cols());
  for (Eigen::Index p = 0; p < at.cols(); ++p) {
    free.col(p) = inverse_masses[p] > 0.0 ? gravity : Vector3d(Vector3d::Zero());
  }
  const MatrixXd J = Jacobian(at);
  VectorXd wanted = J * free.reshaped();
  for (size_t e = 0; e < bars.size(); ++e) {
    wanted[static_cast<Eigen::Index>(e)] +=
        (rates.col(bars[e][1]) - rates.col(bars[e][0])).squaredNorm();
  }
  return free - Answer(J, wanted);
}

void PinJointed::Advance(double h) {
  const Matrix3Xd a1 = Accelerations(x, v), v2 = v + 0.5 * h * a1;
  const Matrix3Xd a2 = Accelerations(x + 0.5 * h * v, v2), v3 = v + 0.5 * h * a2;
  const Matrix3Xd a3 = Accelerations(x + 0.5 * h * v2, v3), v4 = v + h * a3;
  const Matrix3Xd a4 = Accelerations(x + h * v3, v4);
  x += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
  v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
}

double PinJointed::Energy() const {
  return 0.5 * (v.colwise().squaredNorm() * masses)[0] - gravity.dot(x * masses);
}

double PinJointed::LargestStretch() const {
  double largest = 0.0;
  for (size_t e = 0; e < bars.size(); ++e) {
    const double length = (x.col(bars[e][1]) - x.col(bars[e][0])).norm();
    largest = std::max(largest, std::abs(length - lengths_[static_cast<Eigen::Index>(e)]));
  }
  return largest;
}

int PinJointed::Mechanisms(int dimension) const {
  const MatrixXd J = Jacobian(x);
  MatrixXd used(J.rows(), dimension * x.cols());
  for (Eigen::Index p = 0; p < x.cols(); ++p) {
    used.middleCols(dimension * p, dimension) = J.middleCols(3 * p, dimension);
  }
  Eigen::JacobiSVD<MatrixXd> svd(used);
  svd.setThreshold(1e-9);
  const int rigid = dimension == 2 ? 3 : 6;
  return static_cast<int>(used.cols() - svd.rank()) - rigid;
}

}  // namespace pliant
