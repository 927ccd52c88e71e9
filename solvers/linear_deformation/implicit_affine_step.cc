#include <Eigen/LU>
#include <algorithm>
#include <utility>

#include "solvers/linear_deformation/affine_scene.h"
#include "solvers/linear_deformation/affine_treatments.h"
#include "solvers/linear_deformation/block_factor.h"

namespace pliant::linear_deformation {
namespace {

// The inverse of a symmetric positive definite matrix, in place: each variable in turn is swapped
// with its equation (Gauss–Jordan), which needs no order of pivots here. N³ products, N divisions.
template <int N>
void InvertPositive(Eigen::Matrix<double, N, N>* matrix) {
  auto& A = *matrix;
  if constexpr (N <= 4) {
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

// (M + h D + h² K) a = Q − ∂V/∂R − ∂D/∂Ṙ − h K Ṙ + Jᵀ λ, with a new constraint matrix in each step.
template <int D, int M>
class ImplicitAffineStep final : public AffineStep {
 public:
  ImplicitAffineStep(const Scene& scene, const std::vector<LinearBody>& bodies,
                     const LinearMaterial& material, const FeedbackOptions& feedback)
      : scene_(scene, bodies, material, feedback),
        accelerations_(bodies.size()),
        responses_(bodies.size()),
        multipliers_(scene_.RowsSize()) {
    FindCouplings();
  }

  bool Step(double t, double h, double bound, const double* forces, double* q, double* v,
            Exchange* work) override;

 private:
  using Affine = AffineScene<D, M>;
  using BodyData = typename Affine::BodyData;
  using Drags = typename Affine::Moduli;
  using Columns = typename Affine::Columns;
  using Varying = typename Affine::Varying;
  using Block = typename BlockFactor<D>::Block;
  static constexpr int kVarying = D * M;
  using Response = Eigen::Matrix<double, kVarying, kVarying>;  // of C: (M + h D + h² K)⁻¹

  struct Coupling {  // of two ends at one body
    int first, second;
    int pair;  // of the constraint matrix, first end's rows; −1: a diagonal block
  };

  void FindCouplings();
  static void FindResponse(const BodyData& body, const Drags& drags, double h, const Varying& m,
                           Response* response);
  static Varying Respond(const Response& response, const Varying& forces);
  void AddCouplings(int body);
  Columns ConstraintForces(int body) const;

  const Affine scene_;
  std::vector<Columns> accelerations_;  // without constraints
  std::vector<Response> responses_;
  std::vector<Coupling> couplings_;  // body by body
  std::vector<int> first_coupling_;  // bodies + 1
  BlockFactor<D> factor_;
  std::vector<Block> diagonal_, off_diagonal_;
  std::vector<double> multipliers_;  // (n+1)×d: the right side, then λ
};

template <int D, int M>
void ImplicitAffineStep<D, M>::FindCouplings() {
  std::vector<std::pair<int, int>> pairs;
  std::vector<std::vector<int>> of_row(scene_.constraints());  // pairs in which it is the row
  first_coupling_ = {0};
  for (int body = 0; body < scene_.bodies(); ++body) {
    for (int i = scene_.first_end(body); i < scene_.first_end(body + 1); ++i) {
      couplings_.push_back({i, i, -1});
      for (int j = scene_.first_end(body); j < i; ++j) {
        Coupling coupling{i, j, -1};
        // Ends of a body come in the order of their constraints, and none joins it to itself.
        const int row = scene_.end(i).constraint[0], column = scene_.end(j).constraint[0];
        // Two bodies may couple the same two constraints.
        auto& known = of_row[row];
        const auto found = std::find_if(known.begin(), known.end(),
                                        [&](int pair) { return pairs[pair].second == column; });
        coupling.pair = found == known.end() ? static_cast<int>(pairs.size()) : *found;
        if (found == known.end()) {
          known.push_back(coupling.pair);
          pairs.emplace_back(row, column);
        }
        couplings_.push_back(coupling);
      }
    }
    first_coupling_.push_back(static_cast<int>(couplings_.size()));
  }
  factor_ = BlockFactor<D>(scene_.constraints(), pairs);
  diagonal_.resize(scene_.constraints());
  off_diagonal_.resize(pairs.size());
}

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
  for (int c = first_coupling_[body]; c < first_coupling_[body + 1]; ++c) {
    const Coupling& coupling = couplings_[c];
    const auto& first = scene_.end(coupling.first);
    const auto& second = scene_.end(coupling.second);
    Block block = (first.p[0] * second.p[0] * scene_.block(body).inverse_mass) * Block::Identity();
    for (int s = 0; s < M; ++s) {
      for (int u = 0; u < M; ++u) {
        block += (first.p[1 + s] * second.p[1 + u]) * response.template block<D, D>(s * D, u * D);
      }
    }
    if (coupling.pair >= 0) {
      off_diagonal_[coupling.pair] += block;
    } else {
      diagonal_[first.constraint[0]] += block;
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
bool ImplicitAffineStep<D, M>::Step(double t, double h, double bound, const double* forces,
                                    double* q, double* v, Exchange* work) {
  // 1. Each body by itself: the response of C to forces, the acceleration without constraints, and
  // its parts in the constraint matrix and in the right side.
  scene_.StartRightSide(t, multipliers_.data());
  std::fill(diagonal_.begin(), diagonal_.end(), Block::Zero());
  std::fill(off_diagonal_.begin(), off_diagonal_.end(), Block::Zero());
  for (int b = 0; b < scene_.bodies(); ++b) {
    const BodyData& body = scene_.block(b);
    const Columns R = Affine::Load(scene_.At(q, b)), rate = Affine::Load(scene_.At(v, b));
    const Varying m = Affine::Gradient(body, R);
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
    scene_.SubtractRows(b, scene_.Feedback(a, rate, R), multipliers_.data());
  }

  // 2. Multipliers.
  factor_.Factorise(diagonal_, off_diagonal_, ConstraintMatrix::kSingular);
  factor_.Solve(multipliers_.data(), 1);

  // 3. Each body by itself: the force of its constraints, their power λ·J q̇, and the move. The drag
  // is that of the rates at the end, and so is its work.
  double dissipation = 0.0;
  auto power = Affine::Axis::Zero(), squares = power;
  for (int b = 0; b < scene_.bodies(); ++b) {
    const BodyData& body = scene_.block(b);
    Columns R = Affine::Load(scene_.At(q, b)), rate = Affine::Load(scene_.At(v, b)),
            a = accelerations_[b];
    const Columns held = ConstraintForces(b);
    for (int s = 0; s <= M; ++s) power += Products(held[s], rate[s]);
    Varying on_columns;
    for (int s = 0; s < M; ++s) on_columns[s] = held[1 + s];
    const Varying solved = Respond(responses_[b], on_columns);
    a[0] += body.inverse_mass * held[0];
    for (int s = 0; s < M; ++s) a[1 + s] += solved[s];
    const Varying m = Affine::Gradient(body, R);
    for (int s = 0; s <= M; ++s) {
      rate[s] += h * a[s];
      R[s] += h * rate[s];
      squares += Products(rate[s], rate[s]) + Products(R[s], R[s]);
    }
    dissipation +=
        Affine::Dissipation(body.drags, Affine::StrainRate(m, Affine::Gradient(body, rate)));
    Affine::Store(R, scene_.At(q, b).first);
    Affine::Store(rate, scene_.At(v, b).first);
  }
  (*work)[WorkClass::kDamping] -= h * dissipation;
  (*work)[WorkClass::kConstraint] += h * power.Sum();
  return scene_.Bounded(squares.Sum(), bound, q, v);
}

}  // namespace

std::unique_ptr<AffineStep> MakeImplicitAffineStep(const Scene& scene,
                                                   const std::vector<LinearBody>& bodies,
                                                   const LinearMaterial& material,
                                                   const FeedbackOptions& feedback) {
  return WithAffineSizes(scene, bodies, [&]<int D, int M>() -> std::unique_ptr<AffineStep> {
    return std::make_unique<ImplicitAffineStep<D, M>>(scene, bodies, material, feedback);
  });
}

}  // namespace pliant::linear_deformation
