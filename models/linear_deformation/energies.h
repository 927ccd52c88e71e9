// Potentials of a deformation gradient m = ∂x/∂r (d×μ), their gradients, and the drag on its rate
// [Witkin & Welch 1990, Sec. 2.4]:
//
//   rigidity     V_e = k_e ‖mᵀm − 1‖²          ∂V_e/∂m = 4 k_e m (mᵀm − 1)
//   volume       V_c = k_c (det m − 1)²         ∂V_c/∂m = 2 k_c (det m − 1) cof(m),   d = μ only
//   drag         D   = ½ c ‖ṁᵀm + mᵀṁ‖²        ∂D/∂ṁ   = 2 c m (ṁᵀm + mᵀṁ)
//
// V_e alone is also at rest in a mirrored body; V_c tells the two apart. D is ours: the source's
// own damping vanishes quadratically at rest, so that ringing dies like 1/√t. The rate of
// mᵀm vanishes exactly for rigid motion, and the stress m·(symmetric) has no moment: neither D nor
// the potentials change linear or angular momentum.
//
// Fixed-size m; the energies also take complex entries.

#ifndef PLIANT_MODELS_LINEAR_DEFORMATION_ENERGIES_H_
#define PLIANT_MODELS_LINEAR_DEFORMATION_ENERGIES_H_

#include <Eigen/Core>
#include <Eigen/LU>

namespace pliant {

// mᵀm − 1, twice Green's strain; μ×μ.
template <typename Derived>
auto TwiceGreenStrain(const Eigen::MatrixBase<Derived>& m) {
  constexpr int kCols = Derived::ColsAtCompileTime;
  using Strain = Eigen::Matrix<typename Derived::Scalar, kCols, kCols>;
  return Strain(m.transpose() * m - Strain::Identity());
}

template <typename Derived>
typename Derived::Scalar StretchEnergy(const Eigen::MatrixBase<Derived>& m, double stiffness) {
  const auto strain = TwiceGreenStrain(m);
  return stiffness * strain.cwiseProduct(strain).sum();
}

template <typename Derived>
typename Derived::PlainObject StretchGradient(const Eigen::MatrixBase<Derived>& m,
                                              double stiffness) {
  return 4.0 * stiffness * m * TwiceGreenStrain(m);
}

// cof(m) = ∂ det m/∂m, by minors: det(m) m⁻ᵀ would fail where the body collapses.
template <typename Derived>
typename Derived::PlainObject Cofactor(const Eigen::MatrixBase<Derived>& m) {
  static_assert(Derived::RowsAtCompileTime == Derived::ColsAtCompileTime);
  typename Derived::PlainObject cofactor;
  if constexpr (Derived::RowsAtCompileTime == 2) {
    cofactor << m(1, 1), -m(1, 0), -m(0, 1), m(0, 0);
  } else {
    static_assert(Derived::RowsAtCompileTime == 3);
    cofactor.row(0) = m.row(1).cross(m.row(2));
    cofactor.row(1) = m.row(2).cross(m.row(0));
    cofactor.row(2) = m.row(0).cross(m.row(1));
  }
  return cofactor;
}

template <typename Derived>
typename Derived::Scalar VolumeEnergy(const Eigen::MatrixBase<Derived>& m, double stiffness) {
  const typename Derived::Scalar excess = m.determinant() - 1.0;
  return stiffness * excess * excess;
}

template <typename Derived>
typename Derived::PlainObject VolumeGradient(const Eigen::MatrixBase<Derived>& m,
                                             double stiffness) {
  return 2.0 * stiffness * (m.determinant() - 1.0) * Cofactor(m);
}

// d(mᵀm)/dt = ṁᵀm + mᵀṁ; μ×μ.
template <typename Derived>
auto TwiceStrainRate(const Eigen::MatrixBase<Derived>& m, const Eigen::MatrixBase<Derived>& m_dot) {
  constexpr int kCols = Derived::ColsAtCompileTime;
  using Strain = Eigen::Matrix<typename Derived::Scalar, kCols, kCols>;
  const Strain half = m.transpose() * m_dot;
  return Strain(half + half.transpose());
}

// D [W]; the drag takes the power 2 D from the motion.
template <typename Derived>
typename Derived::Scalar StrainDissipation(const Eigen::MatrixBase<Derived>& m,
                                           const Eigen::MatrixBase<Derived>& m_dot, double drag) {
  const auto rate = TwiceStrainRate(m, m_dot);
  return 0.5 * drag * rate.cwiseProduct(rate).sum();
}

// ∂D/∂ṁ; the force on the body is its negative.
template <typename Derived>
typename Derived::PlainObject StrainDissipationGradient(const Eigen::MatrixBase<Derived>& m,
                                                        const Eigen::MatrixBase<Derived>& m_dot,
                                                        double drag) {
  return 2.0 * drag * m * TwiceStrainRate(m, m_dot);
}

}  // namespace pliant

#endif  // PLIANT_MODELS_LINEAR_DEFORMATION_ENERGIES_H_
