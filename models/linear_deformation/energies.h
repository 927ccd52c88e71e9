// Potentials of a deformation gradient m = ∂x/∂r (d×μ), their gradients, and the drag on its rate
// [Witkin & Welch 1990, Sec. 2.4]:
//
//   rigidity   V_e = k_e ‖mᵀm − 1‖²            ∂V_e/∂m = 4 k_e m (mᵀm − 1)
//   volume     V_c = k_c (det m − 1)²          ∂V_c/∂m = 2 k_c (det m − 1) cof(m),   d = μ only
//   drag       D = ½ c ‖ė‖² + ½ c_t (tr ė)²    ∂D/∂ṁ = 2 m (c ė + c_t tr(ė) 1),   ė = ṁᵀm + mᵀṁ
//
// and of a unit of material with Lamé's constants λ, μ [Pa] of the body's dimension (material.h):
//
//   St. Venant–Kirchhoff
//     ψ = μ ‖E‖² + ½ λ (tr E)²,   E = ½ (mᵀm − 1)
//     ∂ψ/∂m = m (2 μ E + λ tr(E) 1)
//   neo-Hookean, d = μ only   [Smith, De Goes & Kim 2018, Eq. 13]
//     ψ = ½ μ' (I_C − d) + ½ λ' (J − α)² − ½ μ' log((I_C + 1)/(d + 1)) + ψ₀
//     I_C = ‖m‖²,   J = det m
//
// with μ' = μ (d+1)/d, λ' = λ + μ (1 − 2/(d (d+1))) and α = 1 + d μ'/((d+1) λ'), so that a body at
// rest has no stress and the elasticity of λ, μ (for d = 3 the source's 4/3 μ and λ + 5/6 μ), and
// the constant ψ₀ that makes its energy zero there. It stays finite through collapse and inversion.
//
// V_e alone is also at its minimum in a mirrored body; V_c distinguishes the two. D is ours: the
// damping of the source vanishes quadratically at rest, so that ringing decays like 1/√t. The rate
// of mᵀm vanishes exactly for rigid motion, and the stress m·(symmetric) has no moment: neither D
// nor the potentials change linear or angular momentum.
//
// Fixed-size m; the energies also take complex entries.

#ifndef PLIANT_MODELS_LINEAR_DEFORMATION_ENERGIES_H_
#define PLIANT_MODELS_LINEAR_DEFORMATION_ENERGIES_H_

#include <Eigen/Core>
#include <Eigen/LU>
#include <cmath>

namespace pliant::linear_deformation {

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

// D [W] of drag c and trace drag c_t; it takes the power 2 D from the motion.
template <typename Derived>
typename Derived::Scalar StrainDissipation(const Eigen::MatrixBase<Derived>& m,
                                           const Eigen::MatrixBase<Derived>& m_dot, double drag,
                                           double trace_drag = 0.0) {
  const auto rate = TwiceStrainRate(m, m_dot);
  const auto trace = rate.trace();
  return 0.5 * drag * rate.cwiseProduct(rate).sum() + 0.5 * trace_drag * trace * trace;
}

// ∂D/∂ṁ; the force on the body is its negative.
template <typename Derived>
typename Derived::PlainObject StrainDissipationGradient(const Eigen::MatrixBase<Derived>& m,
                                                        const Eigen::MatrixBase<Derived>& m_dot,
                                                        double drag, double trace_drag = 0.0) {
  auto rate = TwiceStrainRate(m, m_dot);
  const auto trace = rate.trace();
  rate *= drag;
  rate.diagonal().array() += trace_drag * trace;
  return 2.0 * m * rate;
}

// Lamé's constants [Pa], or of the whole body [J].
struct Lame {
  double lambda = 0.0;
  double mu = 0.0;
};

template <typename Derived>
typename Derived::Scalar StVenantKirchhoffEnergy(const Eigen::MatrixBase<Derived>& m,
                                                 const Lame& lame) {
  const auto twice = TwiceGreenStrain(m);
  const auto trace = twice.trace();
  return 0.25 * lame.mu * twice.cwiseProduct(twice).sum() + 0.125 * lame.lambda * trace * trace;
}

template <typename Derived>
typename Derived::PlainObject StVenantKirchhoffGradient(const Eigen::MatrixBase<Derived>& m,
                                                        const Lame& lame) {
  auto stress = TwiceGreenStrain(m);
  const auto trace = stress.trace();
  stress *= lame.mu;
  stress.diagonal().array() += 0.5 * lame.lambda * trace;
  return m * stress;
}

// The constants of the stable form for dimension d.
struct StableNeoHookean {
  StableNeoHookean(const Lame& lame, int d)
      : mu(lame.mu * (d + 1) / d),
        lambda(lame.lambda + lame.mu * (1.0 - 2.0 / (d * (d + 1)))),
        alpha(1.0 + d * mu / ((d + 1) * lambda)) {}
  double mu, lambda, alpha;  // μ', λ', α
};

template <typename Derived>
typename Derived::Scalar NeoHookeanEnergy(const Eigen::MatrixBase<Derived>& m, const Lame& lame) {
  using std::log;
  constexpr int kDimension = Derived::RowsAtCompileTime;
  const StableNeoHookean k(lame, kDimension);
  const typename Derived::Scalar I_C = m.cwiseProduct(m).sum();
  const typename Derived::Scalar excess = m.determinant() - k.alpha;
  const double rest = 1.0 - k.alpha;
  return 0.5 * k.mu * (I_C - double{kDimension}) -
         0.5 * k.mu * log((I_C + 1.0) / (kDimension + 1.0)) +
         0.5 * k.lambda * (excess * excess - rest * rest);
}

template <typename Derived>
typename Derived::PlainObject NeoHookeanGradient(const Eigen::MatrixBase<Derived>& m,
                                                 const Lame& lame) {
  const StableNeoHookean k(lame, Derived::RowsAtCompileTime);
  const auto shear = k.mu * (1.0 - 1.0 / (m.squaredNorm() + 1.0));
  return shear * m + k.lambda * (m.determinant() - k.alpha) * Cofactor(m);
}

}  // namespace pliant::linear_deformation

#endif  // PLIANT_MODELS_LINEAR_DEFORMATION_ENERGIES_H_
