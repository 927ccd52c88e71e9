#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "solvers/linear_deformation/affine_couplings.h"
#include "solvers/linear_deformation/affine_scene.h"
#include "solvers/linear_deformation/affine_treatments.h"
#include "solvers/linear_deformation/block_factor.h"

namespace pliant::linear_deformation {
namespace {

// The inverse of a symmetric positive definite matrix, in place: each variable in turn is swapped
// with its equation (Gauss–Jordan), which needs no order of pivots here. N³ products, N divisions.
// By minors stiff directions would spoil soft ones: their errors are of the size of the inverse.
template <int N>
void InvertPositive(Eigen::Matrix<double, N, N>* matrix) {
  auto& A = *matrix;
  if constexpr (N <= 2) {
    A = Eigen::Matrix<double, N, N>(A).inverse();
  } else {
    for (int k = 0; k < N; ++k) {
      const double inverse = 1.0 / A(k, k);
      A(k, k) = 1.0;
      for (int i = 0; i < N; ++i) A(i, k) *= inverse;
      for (int j = 0; j < N; ++j) {
        if (j == k) continue;
        const double pivot = A(k, j);
        A(k, j) = 0.0;
        for (int i = 0; i < N; ++i) A(i, j) -= A(i, k) * pivot;
      }
    }
  }
}

// Iterations end when no strain changes by more than this; or when the changes no longer shrink,
// which is rounding below the second of these, and else means that they do not converge.
constexpr double kSettled = 1e-11, kRounding = 1e-8;
constexpr int kMostIterations = 40;
// Steps that do not converge are halved, at most so often.
constexpr int kMostHalvings = 6;

// (M + h D + h² K) a = Q − ∂V/∂R − ∂D/∂Ṙ − h K Ṙ − F(h² ṁ⁺ᵀ ṁ⁺) + Jᵀ λ, with a new constraint
// matrix in each step.
template <int D, int M>
class ImplicitAffineStep final : public AffineStep {
 public:
  ImplicitAffineStep(const Scene& scene, const std::vector<LinearBody>& bodies,
                     const std::vector<LinearMaterial>& materials, const FeedbackOptions& feedback,
                     bool linearised, const RowReduction& reduction)
      : scene_(scene, bodies, materials, feedback),
        linearised_(linearised),
        reduction_(reduction),
        couplings_(scene_, reduction),
        gradients_(bodies.size()),
        accelerations_(bodies.size()),
        curved_(bodies.size()),
        rates_(bodies.size()),
        responses_(bodies.size()),
        factor_(couplings_.rows, couplings_.pairs),
        diagonal_(couplings_.rows),
        off_diagonal_(couplings_.pairs.size()),
        right_side_(scene_.RowsSize()),
        multipliers_(scene_.RowsSize()),
        reduced_(static_cast<size_t>(couplings_.rows) * D) {}

  bool Step(double t, double h, double bound, const double* forces, double* q, double* v,
            Exchange* work) override {
    return Step(t, h, kMostHalvings, bound, forces, q, v, work);
  }
  bool converged() const override { return converged_; }

 private:
  using Affine = AffineScene<D, M>;
  using BodyData = typename Affine::BodyData;
  using Drags = typename Affine::Moduli;
  using Columns = typename Affine::Columns;
  using Varying = typename Affine::Varying;
  using Symmetric = typename Affine::Symmetric;
  using Block = typename BlockFactor<D>::Block;
  static constexpr int kVarying = D * M;
  using Response = Eigen::Matrix<double, kVarying, kVarying>;  // of C: (M + h D + h² K)⁻¹

  bool Step(double t, double h, int halvings, double bound, const double* forces, double* q,
            double* v, Exchange* work);
  bool is_reduced() const { return reduction_.size() > 0; }
  void SolveMultipliers();
  static void FindResponse(const BodyData& body, const Drags& drags, double h, const Varying& m,
                           Response* response);
  static Varying Respond(const Response& response, const Varying& forces);
  void AddCouplings(int body);
  Columns ConstraintForces(int body) const;
  // −F(h² ṁᵀ ṁ) of a body at the rates ṁ, on C.
  Varying CurvatureForces(int body, double h, const Varying& m_dot) const;
  void PrepareBodies(double t, double h, const double* forces, const double* q, const double* v);
  // From the rates of the iterate before to those of the next, and λ. Returns the largest change of
  // a strain at the end of the step.
  double Iterate(double h, const double* v);

  const Affine scene_;
  const bool linearised_;
  const RowReduction& reduction_;
  const AffineCouplings<D, M> couplings_;  // of the constraint matrix
  bool converged_ = true;
  std::vector<Varying> gradients_;      // m at the beginning of the step
  std::vector<Columns> accelerations_;  // without constraints and curvature
  std::vector<Columns> curved_;         // accelerations by curvature
  std::vector<Columns> rates_;          // at the end of the step, of the last iterate
  std::vector<Response> responses_;
  BlockFactor<D> factor_;
  std::vector<Block> diagonal_, off_diagonal_;
  std::vector<double> right_side_;   // (n+1)×d, without curvature
  std::vector<double> multipliers_;  // (n+1)×d: the right side, then λ
  std::vector<double> reduced_;      // the same of reduced rows
};

// h times the derivative of the stress by ṁ, in C, and the mass. Block (s, u) is that of columns s
// and u: ∂/∂ṁ_u of 2 m (c ė + c_t tr ė 1)_s, ė = ṁᵀm + mᵀṁ.
template <int D, int M>
void ImplicitAffineStep<D, M>::FindResponse(const BodyData& body, const Drags& drags, double h,
                                            const Varying& m, Response* response) {
  Response& H = *response;
  const double shape = 2.0 * h * drags.shape, trace = 4.0 * h * drags.trace;
  for (int s = 0; s < M; ++s) {
    for (int u = 0; u <= s; ++u) {
      const double scale = body.scale[s] * body.scale[u];
      for (int i = 0; i < D; ++i) {
        for (int j = 0; j < D; ++j) {
          double value = shape * m[u][i] * m[s][j] + trace * m[s][i] * m[u][j];
          if (s == u) {
            for (int w = 0; w < M; ++w) value += shape * m[w][i] * m[w][j];
          }
          H(s * D + i, u * D + j) = H(u * D + j, s * D + i) = scale * value;
        }
      }
    }
  }
  for (int i = 0; i < kVarying; ++i) H(i, i) += body.mass;
  InvertPositive<kVarying>(&H);
}

template <int D, int M>
auto ImplicitAffineStep<D, M>::Respond(const Response& response, const Varying& forces) -> Varying {
  Varying a{};
  for (int u = 0; u < M; ++u) {
    for (int j = 0; j < D; ++j) {
      const double* column = response.data() + (u * D + j) * kVarying;
      for (int s = 0; s < M; ++s) a[s] += forces[u][j] * Affine::Axis::Load(column + s * D);
    }
  }
  return a;
}

// The part of one body in J (M + h D + h² K)⁻¹ Jᵀ.
template <int D, int M>
void ImplicitAffineStep<D, M>::AddCouplings(int body) {
  const Response& response = responses_[body];
  for (int c = couplings_.first_coupling[body]; c < couplings_.first_coupling[body + 1]; ++c) {
    const auto& coupling = couplings_.couplings[c];
    const auto& first = couplings_.ends[coupling.first];
    const auto& second = couplings_.ends[coupling.second];
    Block block = (first.p[0] * second.p[0] * scene_.block(body).inverse_mass) * Block::Identity();
    for (int s = 0; s < M; ++s) {
      for (int u = 0; u < M; ++u) {
        block += (first.p[1 + s] * second.p[1 + u]) * response.template block<D, D>(s * D, u * D);
      }
    }
    if (coupling.pair >= 0) {
      off_diagonal_[coupling.pair] += block;
    } else {
      diagonal_[first.row] += block;
    }
  }
}

// Jᵀ λ.
template <int D, int M>
auto ImplicitAffineStep<D, M>::ConstraintForces(int body) const -> Columns {
  Columns forces{};
  for (int e = scene_.first_end(body); e < scene_.first_end(body + 1); ++e) {
    const auto& end = scene_.end(e);
    const auto lambda = Affine::Axis::LoadRows(multipliers_.data(), end.constraint);
    for (int s = 0; s <= M; ++s) forces[s] += end.p[s] * lambda;
  }
  return forces;
}

template <int D, int M>
auto ImplicitAffineStep<D, M>::CurvatureForces(int b, double h, const Varying& m_dot) const
    -> Varying {
  const BodyData& body = scene_.block(b);
  const Varying& m = gradients_[b];
  Symmetric change;  // of the strain
  for (int s = 0; s < M; ++s) {
    for (int u = 0; u <= s; ++u) change[s][u] = (h * h) * Dot(m_dot[s], m_dot[u]);
  }
  const double on_diagonal = body.at_rest.trace * Affine::Trace(change);
  Varying forces;
  for (int s = 0; s < M; ++s) {
    forces[s] = (-4.0 * body.at_rest.shape * change[s][s] - on_diagonal) * m[s];
  }
  for (int s = 0; s < M; ++s) {
    for (int u = 0; u < s; ++u) {
      const double shear = -4.0 * body.at_rest.shape * change[s][u];
      forces[s] += shear * m[u];
      forces[u] += shear * m[s];
    }
  }
  for (int s = 0; s < M; ++s) forces[s] *= body.scale[s];
  return forces;
}

// Each body by itself: the response of C to forces, the acceleration without constraints, and its
// parts in the constraint matrix and in the right side.
template <int D, int M>
void ImplicitAffineStep<D, M>::PrepareBodies(double t, double h, const double* forces,
                                             const double* q, const double* v) {
  scene_.StartRightSide(t, right_side_.data());
  std::fill(diagonal_.begin(), diagonal_.end(), Block::Zero());
  std::fill(off_diagonal_.begin(), off_diagonal_.end(), Block::Zero());
  for (int b = 0; b < scene_.bodies(); ++b) {
    const BodyData& body = scene_.block(b);
    const Columns R = Affine::Load(scene_.At(q, b)), rate = Affine::Load(scene_.At(v, b));
    const Varying m = gradients_[b] = Affine::Gradient(body, R);
    rates_[b] = rate;
    // h K acts on rates as a drag does.
    const Drags drags{body.drags.shape + 2.0 * h * body.at_rest.shape,
                      body.drags.trace + 0.5 * h * body.at_rest.trace};
    const auto strain_rate = Affine::StrainRate(m, Affine::Gradient(body, rate));
    Varying on_columns = scene_.Stress(body, m, strain_rate, drags);
    for (int s = 0; s < M; ++s) on_columns[s] *= -1.0;
    FindResponse(body, drags, h, m, &responses_[b]);
    Columns& a = accelerations_[b];
    a[0] = scene_.gravity();
    if (forces != nullptr) {
      const Columns Q = Affine::Load(scene_.At(forces, b));
      a[0] += body.inverse_mass * Q[0];
      for (int s = 0; s < M; ++s) on_columns[s] += Q[1 + s];
    }
    const Varying solved = Respond(responses_[b], on_columns);
    for (int s = 0; s < M; ++s) a[1 + s] = solved[s];
    AddCouplings(b);
    scene_.SubtractRows(b, scene_.Feedback(a, rate, R), right_side_.data());
  }
  factor_.Factorise(diagonal_, off_diagonal_, ConstraintMatrix::kSingular);
}

template <int D, int M>
void ImplicitAffineStep<D, M>::SolveMultipliers() {
  if (!is_reduced()) {
    factor_.Solve(multipliers_.data(), 1);
    return;
  }
  reduction_.Gather(multipliers_.data(), D, reduced_.data());
  factor_.Solve(reduced_.data(), 1);
  reduction_.Spread(reduced_.data(), D, multipliers_.data());
}

template <int D, int M>
double ImplicitAffineStep<D, M>::Iterate(double h, const double* v) {
  // 1. Accelerations by the curvature of the motion, and their part in J a.
  std::copy(right_side_.begin(), right_side_.end(), multipliers_.begin());
  for (int b = 0; b < scene_.bodies() && !linearised_; ++b) {
    Columns& a = curved_[b];
    const Varying solved =
        Respond(responses_[b], CurvatureForces(b, h, Affine::Gradient(scene_.block(b), rates_[b])));
    a[0] = Affine::Axis::Zero();
    for (int s = 0; s < M; ++s) a[1 + s] = solved[s];
    scene_.SubtractRows(b, a, multipliers_.data());
  }

  // 2. Multipliers.
  SolveMultipliers();

  // 3. Each body by itself: the force of its constraints and the new rates.
  double largest = 0.0;
  for (int b = 0; b < scene_.bodies(); ++b) {
    const BodyData& body = scene_.block(b);
    const Columns held = ConstraintForces(b), before = Affine::Load(scene_.At(v, b));
    Varying on_columns;
    for (int s = 0; s < M; ++s) on_columns[s] = held[1 + s];
    const Varying solved = Respond(responses_[b], on_columns);
    Columns rate = before;
    rate[0] += h * (accelerations_[b][0] + body.inverse_mass * held[0]);
    for (int s = 0; s < M; ++s) {
      rate[1 + s] += h * (accelerations_[b][1 + s] + solved[s]);
      if (!linearised_) rate[1 + s] += h * curved_[b][1 + s];
      // h² ṁᵀ ṁ changes by (ṁ' − ṁ)·(ṁ' + ṁ), at most |ṁ' − ṁ| |ṁ' + ṁ|.
      const typename Affine::Axis change = rate[1 + s] + -1.0 * rates_[b][1 + s];
      const double squared = Dot(change, change);
      const double size = Dot(rate[1 + s], rate[1 + s]) + Dot(rates_[b][1 + s], rates_[b][1 + s]);
      const double scale = h * body.scale[s];
      const double strain = scale * scale * std::sqrt(2.0 * squared * size);
      if (!(strain <= largest)) largest = strain;  // keeps NaN
    }
    rates_[b] = rate;
  }
  return largest;
}

template <int D, int M>
bool ImplicitAffineStep<D, M>::Step(double t, double h, int halvings, double bound,
                                    const double* forces, double* q, double* v, Exchange* work) {
  PrepareBodies(t, h, forces, q, v);
  converged_ = linearised_;
  double change = Iterate(h, v);
  for (int i = 1; i < kMostIterations && !converged_; ++i) {
    if (change <= kSettled) {
      converged_ = true;
    } else {
      const double before = change;
      change = Iterate(h, v);
      if (!(change < before)) {
        converged_ = change <= kRounding;
        break;
      }
    }
  }
  if (!converged_ && halvings > 0) {  // a body turns too far: q and v are as they were
    const double half = 0.5 * h;
    if (!Step(t, half, halvings - 1, bound, forces, q, v, work)) return false;
    const bool first = converged_;
    const bool bounded = Step(t + half, half, halvings - 1, bound, forces, q, v, work);
    converged_ = converged_ && first;
    return bounded;
  }
  const double active = scene_.AddNails(t, h, multipliers_.data(), q, work);

  // Each body by itself: the power λ·J q̇ of its constraints, and the move. The drag is that of the
  // rates at the end, and so is its work.
  double dissipation = 0.0;
  auto power = Affine::Axis::Zero(), squares = power;
  std::array<double, D> moment{};
  for (int b = 0; b < scene_.bodies(); ++b) {
    const BodyData& body = scene_.block(b);
    Columns R = Affine::Load(scene_.At(q, b));
    const Columns before = Affine::Load(scene_.At(v, b)), &rate = rates_[b];
    const Columns held = ConstraintForces(b);
    for (int r = 0; r < D; ++r) moment[r] += body.mass * R[0][r];
    for (int s = 0; s <= M; ++s) {
      power += Products(held[s], before[s] + rate[s]);
      R[s] += h * rate[s];
      squares += Products(rate[s], rate[s]) + Products(R[s], R[s]);
    }
    dissipation += Affine::Dissipation(
        body.drags, Affine::StrainRate(gradients_[b], Affine::Gradient(body, rate)));
    Affine::Store(R, scene_.At(q, b).first);
    Affine::Store(rate, scene_.At(v, b).first);
  }
  scene_.AddWeight(h, moment, work);
  (*work)[WorkClass::kDamping] -= h * dissipation;
  (*work)[WorkClass::kConstraint] += 0.5 * h * power.Sum() - active;
  return scene_.Bounded(squares.Sum(), bound, q, v);
}

}  // namespace

std::unique_ptr<AffineStep> MakeImplicitAffineStep(const Scene& scene,
                                                   const std::vector<LinearBody>& bodies,
                                                   const std::vector<LinearMaterial>& materials,
                                                   const FeedbackOptions& feedback, bool linearised,
                                                   const ConstraintMatrix& matrix) {
  return WithAffineSizes(scene, bodies, [&]<int D, int M>() -> std::unique_ptr<AffineStep> {
    return std::make_unique<ImplicitAffineStep<D, M>>(scene, bodies, materials, feedback,
                                                      linearised, matrix.reduction());
  });
}

}  // namespace pliant::linear_deformation
