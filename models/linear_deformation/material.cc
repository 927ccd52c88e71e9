#include "models/linear_deformation/material.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cassert>
#include <cmath>

#include "models/linear_deformation/energies.h"

namespace pliant {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Sizes of a body, known when its kernel is compiled. The constant term of p has no gradient, so
// the kernels see only the other k−1 columns of R.
template <int D, int M, int K>
struct Sizes {
  static constexpr int kWorld = D, kMaterial = M, kColumns = K;
  static constexpr bool kHasVolume = D == M;
  using Gradient = Eigen::Matrix<double, D, M>;  // m
  using Coordinates = Eigen::Matrix<double, D, K, Eigen::RowMajor>;
  using Terms = Eigen::Matrix<double, K - 1, M>;  // ∂p/∂r of one sample

  static auto Columns(const double* q) {
    return Eigen::Map<const Coordinates>(q).template rightCols<K - 1>();
  }
  static Eigen::Map<const Terms> Sample(const LinearBody& body, int n) {
    return Eigen::Map<const Terms>(body.gradient_terms().data() + n * Terms::SizeAtCompileTime);
  }
};

// Calls f with the Sizes of a body that has an extent (μ > 0).
template <typename F>
auto WithSizes(const LinearBody& body, F f) {
  const int key = 100 * body.world_dimension() + 10 * body.material_dimension() + body.order();
  switch (key) {
    case 211:
      return f(Sizes<2, 1, 2>());
    case 212:
      return f(Sizes<2, 1, 3>());
    case 221:
      return f(Sizes<2, 2, 3>());
    case 222:
      return f(Sizes<2, 2, 6>());
    case 311:
      return f(Sizes<3, 1, 2>());
    case 312:
      return f(Sizes<3, 1, 3>());
    case 321:
      return f(Sizes<3, 2, 3>());
    case 322:
      return f(Sizes<3, 2, 6>());
    case 331:
      return f(Sizes<3, 3, 4>());
    default:
      assert(key == 332);
      return f(Sizes<3, 3, 10>());
  }
}

// c [J s] of the drag.
double Drag(const LinearBody& body, const LinearMaterial& material) {
  return material.damping * body.second_moment() / (4.0 * body.material_dimension());
}

template <typename S>
double Energy(const LinearBody& body, const LinearMaterial& material, const double* q) {
  double energy = 0.0;
  for (int n = 0; n < body.samples(); ++n) {
    const typename S::Gradient m = S::Columns(q) * S::Sample(body, n);
    energy += StretchEnergy(m, material.stretch_stiffness);
    if constexpr (S::kHasVolume) energy += VolumeEnergy(m, material.volume_stiffness);
  }
  return energy / body.samples();
}

template <typename S>
double Forces(const LinearBody& body, const LinearMaterial& material, const double* q,
              const double* v, double* force) {
  using Columns = Eigen::Matrix<double, S::kWorld, S::kColumns - 1, Eigen::ColMajor>;
  const double mean = 1.0 / body.samples();
  const double drag = Drag(body, material);
  Columns stretch = Columns::Zero(), volume = Columns::Zero(), strain_drag = Columns::Zero();
  double power = 0.0;
  for (int n = 0; n < body.samples(); ++n) {
    const auto terms = S::Sample(body, n);
    const typename S::Gradient m = S::Columns(q) * terms;
    stretch += mean * StretchGradient(m, material.stretch_stiffness) * terms.transpose();
    if constexpr (S::kHasVolume) {
      volume += mean * VolumeGradient(m, material.volume_stiffness) * terms.transpose();
    }
    if (drag > 0.0) {
      const typename S::Gradient m_dot = S::Columns(v) * terms;
      strain_drag += mean * StrainDissipationGradient(m, m_dot, drag) * terms.transpose();
      power -= 2.0 * mean * StrainDissipation(m, m_dot, drag);
    }
  }
  const double stretch_rate = stretch.cwiseProduct(S::Columns(v)).sum();  // V̇_e
  const double volume_rate = volume.cwiseProduct(S::Columns(v)).sum();    // V̇_c
  power -= material.source_damping * (stretch_rate * stretch_rate + volume_rate * volume_rate);
  Eigen::Map<typename S::Coordinates>(force).template rightCols<S::kColumns - 1>() -=
      (1.0 + material.source_damping * stretch_rate) * stretch +
      (1.0 + material.source_damping * volume_rate) * volume + strain_drag;
  return power;
}

}  // namespace

double DeformationEnergy(const LinearBody& body, const LinearMaterial& material,
                         const CoordinatesRef& q) {
  if (body.material_dimension() == 0) return 0.0;
  return WithSizes(body,
                   [&](auto sizes) { return Energy<decltype(sizes)>(body, material, q.data()); });
}

double AddMaterialForces(const LinearBody& body, const LinearMaterial& material,
                         const CoordinatesRef& q, const CoordinatesRef& v,
                         Eigen::Ref<VectorXd> force) {
  if (body.material_dimension() == 0) return 0.0;
  return WithSizes(body, [&](auto sizes) {
    return Forces<decltype(sizes)>(body, material, q.data(), v.data(), force.data());
  });
}

std::optional<double> SmallestDeterminant(const LinearBody& body, const CoordinatesRef& q) {
  if (!body.has_volume()) return std::nullopt;
  return WithSizes(body, [&](auto sizes) {
    using S = decltype(sizes);
    std::optional<double> smallest;
    if constexpr (S::kHasVolume) {
      for (int n = 0; n < body.samples(); ++n) {
        const typename S::Gradient m = S::Columns(q.data()) * S::Sample(body, n);
        const double determinant = m.determinant();
        smallest = std::min(smallest.value_or(determinant), determinant);
      }
    }
    return smallest;
  });
}

// At rest m₀ᵀm₀ = 1, and to second order in the displacement w of the coordinates
//   V_e = k_e/N Σ ‖E_n w‖²,  V_c = k_c/N Σ (t_n·w)²,  D = c/2N Σ ‖E_n ẇ‖²
// with E_n w = m₀ᵀδm + δmᵀm₀ and t_n·w = tr(m₀ᵀδm), δm = w ∂p/∂r.
StiffestMotion FindStiffestMotion(const LinearBody& body, const LinearMaterial& material) {
  StiffestMotion stiffest;
  const int mu = body.material_dimension(), d = body.world_dimension(), k = body.columns();
  if (mu == 0) return stiffest;
  MatrixXd strain_form = MatrixXd::Zero(d * k, d * k), volume_form = strain_form;
  for (int n = 0; n < body.samples(); ++n) {
    const auto terms = body.gradient_terms().middleCols(n * mu, mu);
    // δm = e_r (row s of ∂p/∂r) for the coordinate (r, s); m₀ᵀ picks the rows r < μ.
    MatrixXd strain = MatrixXd::Zero(mu * mu, d * k);
    VectorXd trace = VectorXd::Zero(d * k);
    for (int r = 0; r < mu; ++r) {
      for (int s = 1; s < k; ++s) {
        for (int a = 0; a < mu; ++a) {
          strain(r * mu + a, r * k + s) += terms(s - 1, a);
          strain(a * mu + r, r * k + s) += terms(s - 1, a);
        }
        trace[r * k + s] = terms(s - 1, r);
      }
    }
    strain_form += strain.transpose() * strain / body.samples();
    volume_form += trace * trace.transpose() / body.samples();
  }
  MatrixXd mass = MatrixXd::Zero(d * k, d * k);
  for (int r = 0; r < d; ++r) mass.block(r * k, r * k, k, k) = body.mass_matrix();
  auto largest = [&mass](const MatrixXd& form) {
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(
        form, mass, Eigen::EigenvaluesOnly | Eigen::Ax_lBx);
    return modes.eigenvalues().maxCoeff();
  };
  const double volume_stiffness = body.has_volume() ? material.volume_stiffness : 0.0;
  stiffest.frequency = std::sqrt(largest(2.0 * material.stretch_stiffness * strain_form +
                                         2.0 * volume_stiffness * volume_form));
  stiffest.decay = Drag(body, material) * largest(strain_form);
  return stiffest;
}

}  // namespace pliant
