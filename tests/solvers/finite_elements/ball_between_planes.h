// The truth of hertz_ball_test.cc, made without elements: an elastic ball between two rigid smooth planes, small strain, as a
// series of Legendre polynomials.
//
// Ball of radius 1, polar angle θ from the axis. Where both planes press with p(θ) on the area at rest, the traction is −p e_z on
// the upper half and its mirror image below:
//
//   t_r = −p cos θ = Σ r_n P_n(cos θ),   t_θ = p sin θ = Σ s_n dP_n/dθ,   n even.
//
// Displacements and tractions of Lurie's solutions inside a sphere [Lurie 1964, §6.2], at the surface:
//
//   u_r  = Σ (A (n + 1)(n − 2 + 4 ν) + B n) P_n          u_θ  = Σ (A (n + 5 − 4 ν) + B) dP_n/dθ
//   t_r/2μ = Σ (A (n + 1)(n² − n − 2 − 2 ν) + B n (n − 1)) P_n   t_θ/2μ = Σ (A (n² + 2 n − 1 + 2 ν) + B (n − 1)) dP_n/dθ
//
// In contact, θ < θ_c, cos θ + u_z = 1 − δ. With p = √(1 − φ²) Σ c_k φ^2k, φ = θ/θ_c, which vanishes at the edge, this is one linear
// least-squares problem for c_k and δ. Hertz's force of the same δ is 4/3 E/(1 − ν²) δ^{3/2}.

#ifndef PLIANT_TESTS_SOLVERS_FINITE_ELEMENTS_BALL_BETWEEN_PLANES_H_
#define PLIANT_TESTS_SOLVERS_FINITE_ELEMENTS_BALL_BETWEEN_PLANES_H_

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

namespace pliant::finite_elements {

struct PressedBall {
  double approach;    // δ, of one plane to the centre, over the radius
  double force;       // over E and the square of the radius
  double over_hertz;  // force over that of Hertz for the same approach
  double misfit;      // largest |cos θ + u_z − 1 + δ| over δ in the contact
};

// Abscissae and weights of n points in (0, 1), by Golub and Welsch.
inline Eigen::ArrayX2d GaussLegendre(int n) {
  Eigen::MatrixXd jacobi = Eigen::MatrixXd::Zero(n, n);
  for (int k = 1; k < n; ++k)
    jacobi(k, k - 1) = jacobi(k - 1, k) = k / std::sqrt(4.0 * k * k - 1.0);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> of(jacobi);
  Eigen::ArrayX2d points(n, 2);
  points << 0.5 * (of.eigenvalues().array() + 1.0),
      of.eigenvectors().row(0).transpose().array().square();
  return points;
}

// Of a contact of this radius, over that of the ball.
inline PressedBall BallBetweenPlanes(double contact_radius, double nu) {
  using Eigen::ArrayXd, Eigen::MatrixXd, Eigen::VectorXd;
  constexpr int kTerms = 4;  // c_k
  const double edge = std::asin(contact_radius), two_mu = 1.0 / (1.0 + nu);
  const int most = 2 * static_cast<int>(60.0 / edge);  // n
  // Quadrature, and places where the condition is asked, both dense at the edge: φ = sin(angle).
  const Eigen::ArrayX2d rule = GaussLegendre(60 + static_cast<int>(0.7 * most * edge));
  const ArrayXd angle = 0.5 * std::numbers::pi * rule.col(0), theta = edge * angle.sin(),
                weight = 0.5 * std::numbers::pi * rule.col(1) * edge * angle.cos() * theta.sin();
  MatrixXd pressure(theta.size(), kTerms);
  for (int k = 0; k < kTerms; ++k) pressure.col(k) = angle.cos() * angle.sin().pow(2.0 * k);
  const int asked = 4 * kTerms;
  const ArrayXd place =
      edge *
      ((ArrayXd::LinSpaced(asked, 0.5, asked - 0.5)) * (0.5 * std::numbers::pi / asked)).sin();

  // P_n and P_{n−1} by their recursion.
  const ArrayXd x = theta.cos(), y = place.cos();
  ArrayXd px = ArrayXd::Ones(x.size()), px1 = ArrayXd::Zero(x.size());
  ArrayXd py = ArrayXd::Ones(y.size()), py1 = ArrayXd::Zero(y.size());
  MatrixXd rise = MatrixXd::Zero(asked, kTerms + 1);  // u_z of each c_k, and 1 for δ
  rise.col(kTerms).setOnes();
  for (int n = 0; n <= most; ++n) {
    if (n % 2 == 0) {  // twice the half of one plane
      const ArrayXd dx = -n * (px1 - x * px) / theta.sin(), dy = -n * (py1 - y * py) / place.sin();
      const Eigen::RowVectorXd r =
          -(2.0 * n + 1.0) * (px * x * weight).matrix().transpose() * pressure / two_mu;
      if (n == 0) {
        rise.leftCols(kTerms) += (y * py).matrix() * r * (2.0 - 4.0 * nu) / (2.0 + 2.0 * nu);
      } else {
        const Eigen::RowVectorXd s = (2.0 * n + 1.0) / (n * (n + 1.0)) *
                                     (dx * theta.sin() * weight).matrix().transpose() * pressure /
                                     two_mu;
        Eigen::Matrix2d of;
        of << (n + 1.0) * (n * (n - 1.0) - 2.0 - 2.0 * nu), n * (n - 1.0),
            n * (n + 2.0) - 1.0 + 2.0 * nu, n - 1.0;
        Eigen::Matrix2Xd loads(2, kTerms);
        loads << r, s;
        const Eigen::Matrix2Xd ab = of.inverse() * loads;
        const Eigen::RowVectorXd ur = (n + 1.0) * (n - 2.0 + 4.0 * nu) * ab.row(0) + n * ab.row(1),
                                 ut = (n + 5.0 - 4.0 * nu) * ab.row(0) + ab.row(1);
        rise.leftCols(kTerms) += (y * py).matrix() * ur - (place.sin() * dy).matrix() * ut;
      }
    }
    const ArrayXd nx = ((2.0 * n + 1.0) * x * px - n * px1) / (n + 1.0),
                  ny = ((2.0 * n + 1.0) * y * py - n * py1) / (n + 1.0);
    px1 = px;
    px = nx;
    py1 = py;
    py = ny;
  }
  const VectorXd gap = 1.0 - y;
  const VectorXd solution = rise.colPivHouseholderQr().solve(gap);
  PressedBall ball;
  ball.approach = solution[kTerms];
  ball.force = 2.0 * std::numbers::pi *
               (weight.matrix().transpose() * pressure * solution.head(kTerms)).value();
  ball.over_hertz = ball.force / (4.0 / 3.0 / (1.0 - nu * nu) * std::pow(ball.approach, 1.5));
  ball.misfit = (rise * solution - gap).cwiseAbs().maxCoeff() / ball.approach;
  return ball;
}

}  // namespace pliant::finite_elements

#endif  // PLIANT_TESTS_SOLVERS_FINITE_ELEMENTS_BALL_BETWEEN_PLANES_H_
