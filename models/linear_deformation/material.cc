#include "models/linear_deformation/material.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "models/geometry/spectrum.h"
#include "models/problem.h"
#include "models/scene/scene.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Sizes of a body. The kernels see only the terms that vary, V of the k columns of R; V is known
// when compiled for the small bases, Eigen::Dynamic for the others.
template <int D, int M, int V>
struct Sizes {
  static constexpr int kWorld = D, kMaterial = M;
  static constexpr bool kHasVolume = D == M;
  using Gradient = Eigen::Matrix<double, D, M>;  // m
  // The columns of R that vary; one alone is a vector with a stride.
  static constexpr bool kOne = V == 1;
  using Columns = Eigen::Matrix<double, D, V, kOne ? Eigen::ColMajor : Eigen::RowMajor>;
  using Stride = std::conditional_t<kOne, Eigen::InnerStride<>, Eigen::OuterStride<>>;
  using Terms = Eigen::Matrix<double, V, M>;  // ∂p/∂r of one sample

  template <typename Number>
  static auto Varying(const LinearBody& body, Number* q) {
    using Matrix = std::conditional_t<std::is_const_v<Number>, const Columns, Columns>;
    return Eigen::Map<Matrix, 0, Stride>(q + body.columns() - body.varying(), D, body.varying(),
                                         Stride(body.columns()));
  }
  static Eigen::Map<const Terms> Sample(const LinearBody& body, int n) {
    const auto size = static_cast<std::ptrdiff_t>(body.varying()) * M;
    return Eigen::Map<const Terms>(body.gradient_terms().data() + n * size, body.varying(), M);
  }
};

template <int D, int M, typename F>
auto WithVarying(int varying, F f) {
  constexpr int kSecondOrder = M + M * (M + 1) / 2;
  if (varying == M) return f(Sizes<D, M, M>());
  if (varying == kSecondOrder) return f(Sizes<D, M, kSecondOrder>());
  return f(Sizes<D, M, Eigen::Dynamic>());
}

// Calls f with the Sizes of a body that has an extent (μ > 0).
template <typename F>
auto WithSizes(const LinearBody& body, F f) {
  const int varying = body.varying();
  switch (10 * body.world_dimension() + body.material_dimension()) {
    case 21:
      return WithVarying<2, 1>(varying, f);
    case 22:
      return WithVarying<2, 2>(varying, f);
    case 31:
      return WithVarying<3, 1>(varying, f);
    case 32:
      return WithVarying<3, 2>(varying, f);
    default:
      assert(body.world_dimension() == 3 && body.material_dimension() == 3);
      return WithVarying<3, 3>(varying, f);
  }
}

// The law at one sample: the energy, and ∂V/∂m of each potential on which the source's damping acts
// separately (the materials have one).
template <typename S>
struct Law {
  using Gradient = typename S::Gradient;
  const LinearMaterial& material;
  Lame lame;

  double Energy(const Gradient& m) const {
    if (material.law == MaterialLaw::kStVenantKirchhoff) return StVenantKirchhoffEnergy(m, lame);
    if constexpr (S::kHasVolume) {
      if (material.law == MaterialLaw::kNeoHookean) return NeoHookeanEnergy(m, lame);
      return StretchEnergy(m, material.stretch_stiffness) +
             VolumeEnergy(m, material.volume_stiffness);
    } else {
      return StretchEnergy(m, material.stretch_stiffness);
    }
  }

  void Gradients(const Gradient& m, Gradient* first, Gradient* second) const {
    if (material.law == MaterialLaw::kStVenantKirchhoff) {
      *first = StVenantKirchhoffGradient(m, lame);
      return;
    }
    if constexpr (S::kHasVolume) {
      if (material.law == MaterialLaw::kNeoHookean) {
        *first = NeoHookeanGradient(m, lame);
        return;
      }
      *second = VolumeGradient(m, material.volume_stiffness);
    }
    *first = StretchGradient(m, material.stretch_stiffness);
  }
};

template <typename S>
double Energy(const LinearBody& body, const LinearMaterial& material, const double* q) {
  const Law<S> law{material, LameOf(body, material)};
  const auto columns = S::Varying(body, q);
  double energy = 0.0;
  for (int n = 0; n < body.samples(); ++n) {
    const typename S::Gradient m = columns.lazyProduct(S::Sample(body, n));
    energy += body.sample_weights()[n] * law.Energy(m);
  }
  return energy;
}

template <typename S>
double Forces(const LinearBody& body, const LinearMaterial& material, const double* q,
              const double* v, double* force) {
  using Gradient = typename S::Gradient;
  const Law<S> law{material, LameOf(body, material)};
  const StrainDrags drags = LinearDrags(body, material);
  const bool has_drag = drags.shape > 0.0 || drags.trace > 0.0;
  const auto columns = S::Varying(body, q), rates = S::Varying(body, v);
  auto Q = S::Varying(body, force);
  Gradient first = Gradient::Zero(), second = Gradient::Zero();

  // The source's damping uses the rate of the whole potential, that is, of all samples.
  double first_factor = 1.0, second_factor = 1.0, power = 0.0;
  if (material.source_damping > 0.0) {
    double first_rate = 0.0, second_rate = 0.0;
    for (int n = 0; n < body.samples(); ++n) {
      const auto terms = S::Sample(body, n);
      const Gradient m = columns.lazyProduct(terms), m_dot = rates.lazyProduct(terms);
      law.Gradients(m, &first, &second);
      first_rate += body.sample_weights()[n] * first.cwiseProduct(m_dot).sum();
      second_rate += body.sample_weights()[n] * second.cwiseProduct(m_dot).sum();
    }
    first_factor += material.source_damping * first_rate;
    second_factor += material.source_damping * second_rate;
    power -= material.source_damping * (first_rate * first_rate + second_rate * second_rate);
  }
  for (int n = 0; n < body.samples(); ++n) {
    const auto terms = S::Sample(body, n);
    const double weight = body.sample_weights()[n];
    const Gradient m = columns.lazyProduct(terms);
    law.Gradients(m, &first, &second);
    Gradient stress = first_factor * first + second_factor * second;
    if (has_drag) {
      const Gradient m_dot = rates.lazyProduct(terms);
      stress += StrainDissipationGradient(m, m_dot, drags.shape, drags.trace);
      power -= 2.0 * weight * StrainDissipation(m, m_dot, drags.shape, drags.trace);
    }
    Q.noalias() -= (weight * stress).lazyProduct(terms.transpose());
  }
  return power;
}

// Q −= α Ṙ M_b; returns its power.
double AddMassDamping(const LinearBody& body, double alpha, const double* v, double* force) {
  const int d = body.world_dimension(), k = body.columns();
  double power = 0.0;
  for (int r = 0; r < d; ++r) {
    const Eigen::Map<const VectorXd> rate(v + r * k, k);
    for (int s = 0; s < k; ++s) {
      const double drag = alpha * rate.dot(body.mass_matrix().col(s));
      force[r * k + s] -= drag;
      power -= drag * rate[s];
    }
  }
  return power;
}

}  // namespace

void RequireLaw(const LinearBody& body, const std::string& name, const LinearMaterial& material) {
  if (material.law != MaterialLaw::kNeoHookean || body.has_volume()) return;
  static const char* const kShape[] = {"point", "line", "sheet"};
  throw BadInput(
      {"material",
       "material neo-hookean needs a body that has the dimension of its world, but body '" + name +
           "' is a " + kShape[body.material_dimension()] + " in " +
           std::to_string(body.world_dimension()) + "-D",
       "use st-venant-kirchhoff, which has the same elasticity at rest"});
}

HeldMaterial MaterialOf(const Body& body, const LinearBody& linear, const LinearMaterial& own) {
  if (!body.material) return {own, false, ""};
  if (linear.material_dimension() == 3 && NeedsThickness(body)) {
    return {own, false,
            "the method fills the surface with material, so that the parameters of the "
            "backend apply"};
  }
  const Material& asked = *body.material;
  HeldMaterial held{own, true, ""};
  LinearMaterial& material = held.material;
  material.youngs_modulus = asked.youngs_modulus;
  material.poisson_ratio = asked.poisson_ratio;
  material.thickness = asked.thickness;
  material.plane_strain = asked.plane_strain;
  material.damping = material.source_damping = 0.0;
  material.rayleigh_mass = asked.mass_damping;
  material.rayleigh_stiffness = asked.stiffness_damping;
  const bool neo_hookean =
      asked.law == ElasticLaw::kNeoHookeanLog || asked.law == ElasticLaw::kNeoHookeanStable;
  material.law = neo_hookean && linear.has_volume() ? MaterialLaw::kNeoHookean
                                                    : MaterialLaw::kStVenantKirchhoff;
  const bool same =
      material.law == MaterialLaw::kNeoHookean
          ? asked.law == ElasticLaw::kNeoHookeanStable && linear.world_dimension() == 3
          : asked.law == ElasticLaw::kStVenantKirchhoff;
  if (!same) {
    held.differs =
        std::string("a law of the same elasticity at rest, ") +
        (material.law == MaterialLaw::kNeoHookean ? "neo-hookean-stable" : "st-venant-kirchhoff") +
        (linear.world_dimension() == 2 ? " in the plane" : "");
  }
  return held;
}

Lame LameOf(const LinearBody& body, const LinearMaterial& material) {
  const double E = material.youngs_modulus, nu = material.poisson_ratio, G = 0.5 * E / (1.0 + nu);
  switch (body.material_dimension()) {
    case 1: {
      const double content = body.content() * material.thickness * material.thickness;
      return {content * (E - 2.0 * G), content * G};
    }
    case 2: {
      const double content = body.content() * material.thickness;
      if (material.plane_strain) {
        return {content * E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), content * G};
      }
      return {content * E * nu / (1.0 - nu * nu), content * G};
    }
    default:
      return {body.content() * E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), body.content() * G};
  }
}

// (tr e)² = 4 (det m − 1)² to second order.
StrainModuli ModuliAtRest(const LinearBody& body, const LinearMaterial& material) {
  if (material.law == MaterialLaw::kWitkinWelch) {
    return {material.stretch_stiffness, body.has_volume() ? material.volume_stiffness : 0.0};
  }
  const Lame lame = LameOf(body, material);
  return {0.25 * lame.mu, 0.5 * lame.lambda};
}

StrainDrags LinearDrags(const LinearBody& body, const LinearMaterial& material) {
  StrainDrags drags;
  drags.shape = material.damping * body.second_moment() / (4.0 * body.material_dimension());
  if (material.rayleigh_stiffness > 0.0) {
    const StrainModuli moduli = ModuliAtRest(body, material);
    drags.shape += material.rayleigh_stiffness * 2.0 * moduli.shape;
    drags.trace += material.rayleigh_stiffness * 0.5 * moduli.trace;
  }
  return drags;
}

double DeformationEnergy(const LinearBody& body, const LinearMaterial& material,
                         const CoordinatesRef& q) {
  if (body.material_dimension() == 0) return 0.0;
  return WithSizes(body,
                   [&](auto sizes) { return Energy<decltype(sizes)>(body, material, q.data()); });
}

double AddMaterialForces(const LinearBody& body, const LinearMaterial& material,
                         const CoordinatesRef& q, const CoordinatesRef& v,
                         Eigen::Ref<VectorXd> force) {
  double power = 0.0;
  if (material.rayleigh_mass > 0.0) {
    power += AddMassDamping(body, material.rayleigh_mass, v.data(), force.data());
  }
  if (body.material_dimension() == 0) return power;
  return power + WithSizes(body, [&](auto sizes) {
           return Forces<decltype(sizes)>(body, material, q.data(), v.data(), force.data());
         });
}

double SourceDecay(const LinearBody& body, const LinearMaterial& material, const CoordinatesRef& q,
                   Eigen::Ref<VectorXd> scratch) {
  if (material.source_damping == 0.0) return 0.0;
  LinearMaterial one = material;
  one.damping = one.source_damping = one.rayleigh_mass = one.rayleigh_stiffness = 0.0;
  const int k = body.columns();
  const auto decay = [&] {
    scratch.setZero();
    AddMaterialForces(body, one, q, q, scratch);
    double sum = 0.0;
    for (int r = 0; r < body.world_dimension(); ++r) {
      const auto row = scratch.segment(r * k, k);
      for (int s = 0; s < k; ++s) sum += row[s] * body.inverse_mass().col(s).dot(row);
    }
    return material.source_damping * sum;
  };
  if (material.law != MaterialLaw::kWitkinWelch) return decay();
  one.volume_stiffness = 0.0;
  const double of_stretch = decay();
  one.volume_stiffness = material.volume_stiffness;
  one.stretch_stiffness = 0.0;
  return of_stretch + decay();
}

std::optional<double> SmallestDeterminant(const LinearBody& body, const CoordinatesRef& q) {
  if (!body.has_volume()) return std::nullopt;
  return WithSizes(body, [&](auto sizes) {
    using S = decltype(sizes);
    std::optional<double> smallest;
    if constexpr (S::kHasVolume) {
      for (int n = 0; n < body.samples(); ++n) {
        const typename S::Gradient m = S::Varying(body, q.data()).lazyProduct(S::Sample(body, n));
        const double determinant = m.determinant();
        smallest = std::min(smallest.value_or(determinant), determinant);
      }
    }
    return smallest;
  });
}

// At rest m₀ᵀm₀ = 1, and to second order in the displacement w of the coordinates
//   V = a Σ w_n ‖E_n w‖² + b Σ w_n (t_n·w)²,  D = ½ c Σ w_n ‖E_n ẇ‖² + 2 c_t Σ w_n (t_n·ẇ)²
// with E_n w = m₀ᵀδm + δmᵀm₀ and t_n·w = tr(m₀ᵀδm), δm = w ∂p/∂r.
StiffestMotion FindStiffestMotion(const LinearBody& body, const LinearMaterial& material) {
  StiffestMotion stiffest;
  stiffest.decay = material.rayleigh_mass;
  const int mu = body.material_dimension(), d = body.world_dimension(), k = body.columns();
  if (mu == 0) return stiffest;
  MatrixXd strain_form = MatrixXd::Zero(d * k, d * k), trace_form = strain_form;
  const int varying = body.varying(), constant_terms = k - varying;
  // G(a, b) = Σ w_n ∂p/∂r_a (∂p/∂r_b)ᵀ: two of them make a block of each form,
  //   Σ w ‖E w‖² = 2 Σ_r Σ_a w_r·G(a, a) w_r + 2 Σ_{r,s} w_r·G(s, r) w_s,
  //   Σ w (t·w)² = Σ_{r,s} w_r·G(r, s) w_s.
  const auto gradients = [&body, mu](int a) -> MatrixXd {
    return body.gradient_terms()(Eigen::all, Eigen::seqN(a, body.samples(), mu));
  };
  const auto block = [=](MatrixXd& form, int r, int s) {
    return form.block(r * k + constant_terms, s * k + constant_terms, varying, varying);
  };
  for (int a = 0; a < mu; ++a) {
    const MatrixXd weighted = gradients(a) * body.sample_weights().asDiagonal();
    for (int b = 0; b < mu; ++b) {
      const MatrixXd G = weighted * gradients(b).transpose();
      block(trace_form, a, b) += G;
      block(strain_form, b, a) += 2.0 * G;
      if (a != b) continue;
      for (int r = 0; r < mu; ++r) block(strain_form, r, r) += 2.0 * G;
    }
  }
  MatrixXd mass = MatrixXd::Zero(d * k, d * k);
  for (int r = 0; r < d; ++r) mass.block(r * k, r * k, k, k) = body.mass_matrix();
  const StrainModuli moduli = ModuliAtRest(body, material);
  const StrainDrags drags = LinearDrags(body, material);
  stiffest.frequency = std::sqrt(
      LargestEigenvalue(2.0 * moduli.shape * strain_form + 2.0 * moduli.trace * trace_form, mass));
  stiffest.decay +=
      LargestEigenvalue(drags.shape * strain_form + 4.0 * drags.trace * trace_form, mass);
  return stiffest;
}

}  // namespace pliant::linear_deformation
