#include "solvers/dynamic_ffd/planar_inertia.h"

#include <Eigen/Geometry>

#include "solvers/dynamic_ffd/planar_inertia_steps.h"

namespace pliant::dynamic_ffd {

using Eigen::MatrixXd;
using Eigen::VectorXd;

PlanarMoments::PlanarMoments(const FfdBody& body)
    : modes(body.modes()), mass(body.masses().sum()), sums(2 * modes + 4, 1 + modes) {
  const int shapes = 1 + modes;
  // Coordinates of the points of every shape, points × shapes.
  MatrixXd bx(body.points(), shapes), by(body.points(), shapes);
  for (int n = 0; n < body.points(); ++n) {
    bx.row(n) = body.shapes().row(3 * n);
    by.row(n) = body.shapes().row(3 * n + 1);
  }
  const auto m = body.masses().asDiagonal();
  sums.topRows(shapes) = bx.transpose() * m * bx + by.transpose() * m * by;
  sums.middleRows(shapes, shapes) = (bx.transpose() * m * by - by.transpose() * m * bx).transpose();
  sums.row(2 * shapes) = body.masses().transpose() * bx;
  sums.row(2 * shapes + 1) = body.masses().transpose() * by;
}

MatrixXd PlanarMoments::ConstantBlock() const {
  MatrixXd block(2 + modes, 2 + modes);
  block.topLeftCorner<2, 2>() = mass * Eigen::Matrix2d::Identity();
  block.topRightCorner(2, modes) = sums.bottomRightCorner(2, modes);
  block.bottomLeftCorner(modes, 2) = sums.bottomRightCorner(2, modes).transpose();
  block.bottomRightCorner(modes, modes) = sums.block(1, 1, modes, modes);
  return block;
}

MatrixXd PlanarMoments::MassMatrix(const VectorRef& q) const {
  const Eigen::Matrix2d rotation = Eigen::Rotation2Dd(q[2]).toRotationMatrix();
  VectorXd c(1 + modes);
  c << 1.0, q.tail(modes);
  const VectorXd placed = sums * c;
  const MatrixXd block = ConstantBlock();
  MatrixXd matrix(3 + modes, 3 + modes);
  matrix.topLeftCorner<2, 2>() = block.topLeftCorner<2, 2>();
  matrix.block<2, 1>(0, 2) = rotation * PlanarTurn(placed.tail<2>());
  matrix.topRightCorner(2, modes) = rotation * block.topRightCorner(2, modes);
  matrix(2, 2) = c.dot(placed.head(1 + modes));
  matrix.block(2, 3, 1, modes) = placed.segment(2 + modes, modes).transpose();
  matrix.bottomRightCorner(modes, modes) = block.bottomRightCorner(modes, modes);
  return matrix.selfadjointView<Eigen::Upper>();
}

template class PlanarInertia<Eigen::Dynamic>;
extern template class PlanarInertia<0>;
extern template class PlanarInertia<1>;
extern template class PlanarInertia<2>;
extern template class PlanarInertia<3>;
extern template class PlanarInertia<4>;
extern template class PlanarInertia<5>;
extern template class PlanarInertia<6>;
extern template class PlanarInertia<7>;
extern template class PlanarInertia<8>;

std::unique_ptr<FfdInertia> MakePlanarInertia(const FfdBody& body) {
  switch (body.modes()) {
    case 0:
      return std::make_unique<PlanarInertia<0>>(PlanarMoments(body));
    case 1:
      return std::make_unique<PlanarInertia<1>>(PlanarMoments(body));
    case 2:
      return std::make_unique<PlanarInertia<2>>(PlanarMoments(body));
    case 3:
      return std::make_unique<PlanarInertia<3>>(PlanarMoments(body));
    case 4:
      return std::make_unique<PlanarInertia<4>>(PlanarMoments(body));
    case 5:
      return std::make_unique<PlanarInertia<5>>(PlanarMoments(body));
    case 6:
      return std::make_unique<PlanarInertia<6>>(PlanarMoments(body));
    case 7:
      return std::make_unique<PlanarInertia<7>>(PlanarMoments(body));
    case 8:
      return std::make_unique<PlanarInertia<8>>(PlanarMoments(body));
    default:
      return std::make_unique<PlanarInertia<Eigen::Dynamic>>(PlanarMoments(body));
  }
}

}  // namespace pliant::dynamic_ffd
