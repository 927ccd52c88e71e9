#include "solvers/control/riccati.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cassert>
#include <unsupported/Eigen/MatrixFunctions>

namespace pliant {
namespace {

Eigen::MatrixXd Hamiltonian(const LinearSystem& system, const Eigen::MatrixXd& q) {
  const Eigen::Index n = system.a.rows();
  Eigen::MatrixXd h(2 * n, 2 * n);
  h << system.a, -system.b * system.b.transpose(), -q, -system.a.transpose();
  return h;
}

Eigen::MatrixXd Symmetric(const Eigen::MatrixXd& s) { return 0.5 * (s + s.transpose()); }

}  // namespace

Eigen::MatrixXd RiccatiBefore(const LinearSystem& system, const Eigen::MatrixXd& q,
                              const Eigen::MatrixXd& after, double step) {
  const Eigen::Index n = system.a.rows();
  const Eigen::MatrixXd back = (-step * Hamiltonian(system, q)).exp();
  const Eigen::MatrixXd x = back.topLeftCorner(n, n) + back.topRightCorner(n, n) * after;
  const Eigen::MatrixXd y = back.bottomLeftCorner(n, n) + back.bottomRightCorner(n, n) * after;
  return Symmetric(x.transpose().partialPivLu().solve(y.transpose()).transpose());
}

Eigen::MatrixXd StationaryRiccati(const LinearSystem& system, const Eigen::MatrixXd& q) {
  const Eigen::Index n = system.a.rows();
  const Eigen::EigenSolver<Eigen::MatrixXd> modes(Hamiltonian(system, q));
  Eigen::MatrixXcd x(n, n), y(n, n);
  Eigen::Index stable = 0;
  for (Eigen::Index i = 0; i < 2 * n && stable < n; ++i) {
    if (modes.eigenvalues()[i].real() >= 0.0) continue;
    x.col(stable) = modes.eigenvectors().col(i).head(n);
    y.col(stable++) = modes.eigenvectors().col(i).tail(n);
  }
  assert(stable == n);
  return Symmetric(x.transpose().partialPivLu().solve(y.transpose()).transpose().real());
}

}  // namespace pliant
