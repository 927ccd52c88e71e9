#include "solvers/control/riccati.h"

#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>

namespace pliant {
namespace {

Eigen::MatrixXd Hamiltonian(const LinearSystem& system, const Eigen::MatrixXd& q) {
  const Eigen::Index n = system.a.rows();
  Eigen::MatrixXd h(2 * n, 2 * n);
  h << system.a, -system.b * system.b.transpose(), -q, -system.a.transpose();
  return h;
}

// sign(H) by Newton's iteration Z ← (c Z + (c Z)⁻¹)/2, c = |det Z|^(−1/2n) [Byers 1987]; absent where it does not converge: where an
// eigenvalue is imaginary, or a number is not finite.
std::optional<Eigen::MatrixXd> SignOf(Eigen::MatrixXd z) {
  constexpr int kMostSteps = 100;
  constexpr double kSettled = 1e-10;  // the error of the next step is its square
  for (int i = 0; i < kMostSteps; ++i) {
    const Eigen::PartialPivLU<Eigen::MatrixXd> lu(z);
    const double volume = lu.matrixLU().diagonal().array().abs().log().mean();
    const double scale = std::exp(-volume);
    const Eigen::MatrixXd next = 0.5 * (scale * z + lu.inverse() / scale);
    if (!next.allFinite()) return std::nullopt;
    const double change = (next - z).norm();
    z = next;
    if (change < kSettled * z.norm()) return z;
  }
  return std::nullopt;
}

constexpr double kMostOff = 1e-8;  // share of the terms by which S may miss its equation

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

std::optional<Eigen::MatrixXd> StationaryRiccati(const LinearSystem& system,
                                                 const Eigen::MatrixXd& q) {
  const Eigen::Index n = system.a.rows();
  const std::optional<Eigen::MatrixXd> sign = SignOf(Hamiltonian(system, q));
  if (!sign) return std::nullopt;
  // (sign(H) + 1) (1; S) = 0
  Eigen::MatrixXd left(2 * n, n), right(2 * n, n);
  left << sign->topRightCorner(n, n), sign->bottomRightCorner(n, n);
  right << sign->topLeftCorner(n, n), sign->bottomLeftCorner(n, n);
  left.bottomRows(n).diagonal().array() += 1.0;
  right.topRows(n).diagonal().array() += 1.0;
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(left);
  if (qr.rank() < n) return std::nullopt;
  const Eigen::MatrixXd s = Symmetric(-qr.solve(right));
  const Eigen::MatrixXd sa = s * system.a, sb = s * system.b;
  const double off = (sa + sa.transpose() - sb * sb.transpose() + q).norm();
  if (!(off <= kMostOff * (2.0 * sa.norm() + sb.squaredNorm() + q.norm()))) return std::nullopt;
  return s;
}

}  // namespace pliant
