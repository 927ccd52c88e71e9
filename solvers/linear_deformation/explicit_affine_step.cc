#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

#include "models/geometry/wide_vectors.h"
#include "solvers/linear_deformation/affine_scene.h"
#include "solvers/linear_deformation/affine_treatments.h"

namespace pliant::linear_deformation {
namespace {

// Bodies per block: as many as numbers in a register of AVX2; SSE2 uses two registers.
constexpr int kLanes = 4;

// a = W (Q − ∂V/∂R − ∂D/∂Ṙ + Jᵀ λ), with the constant constraint matrix.
template <int D, int M>
class ExplicitAffineStep final : public AffineStep {
 public:
  ExplicitAffineStep(const Scene& scene, const std::vector<LinearBody>& bodies,
                     const std::vector<LinearMaterial>& materials, const FeedbackOptions& feedback,
                     const ConstraintMatrix& matrix)
      : scene_(scene, bodies, materials, feedback),
        matrix_(matrix),
        accelerations_(static_cast<size_t>(scene_.blocks()) * kLanes * kCoordinates),
        multipliers_(scene_.RowsSize()) {
    const AffineScene<D, M> one_by_one(scene, bodies, materials, feedback);
    first_end_ = {0};
    for (int b = 0; b < one_by_one.bodies(); ++b) {
      inverse_masses_.push_back(one_by_one.block(b).inverse_mass);
      masses_.push_back(one_by_one.block(b).mass);
      for (int e = one_by_one.first_end(b); e < one_by_one.first_end(b + 1); ++e) {
        ends_.push_back({one_by_one.end(e).constraint[0] * D, one_by_one.end(e).p});
      }
      first_end_.push_back(static_cast<int>(ends_.size()));
    }
  }

  bool Step(double t, double h, double bound, const double* forces, double* q, double* v,
            Exchange* work) override;

 private:
  using Affine = AffineScene<D, M, kLanes>;
  using Axis = typename Affine::Axis;
  static constexpr int kCoordinates = Affine::kCoordinates;

  // Each body separately: its free acceleration and its part in the right-hand side. Returns the
  // dissipation [W]. Everything is inlined: vectors of four are not passed alike by all clones.
  __attribute__((flatten)) PLIANT_WIDE_VECTORS double Release(const double* forces, const double* q,
                                                              const double* v);
  // Each body separately: the force of its constraints and the update. Here coordinates are
  // processed in memory order, independently of each other.
  struct Sums {
    double power;                  // of constraints, λ·J q̇ at the mean of both rates [W]
    double squares;                // of everything updated
    std::array<double, D> moment;  // Σ m x before [kg m]
  };
  __attribute__((flatten)) PLIANT_WIDE_VECTORS Sums Move(double h, double* __restrict q,
                                                         double* __restrict v);

  struct End {  // of a constraint at a body, see AffineScene
    int row;    // index of its first multiplier
    std::array<double, M + 1> p;
  };
  const Affine scene_;
  const ConstraintMatrix& matrix_;
  std::vector<double> masses_, inverse_masses_;
  std::vector<End> ends_;              // body by body
  std::vector<int> first_end_;         // bodies + 1
  std::vector<double> accelerations_;  // free, in the layout of q, of whole blocks
  std::vector<double> multipliers_;    // (n+1)×d: the right side, then λ
};

template <int D, int M>
bool ExplicitAffineStep<D, M>::Step(double t, double h, double bound, const double* forces,
                                    double* q, double* v, Exchange* work) {
  scene_.StartRightSide(t, multipliers_.data());
  const double dissipation = Release(forces, q, v);
  if (scene_.constraints() > 0) matrix_.SolveRows(multipliers_.data(), D);
  const double active = scene_.AddNails(t, h, multipliers_.data(), q, work);
  const Sums sums = Move(h, q, v);
  scene_.AddWeight(h, sums.moment, work);
  (*work)[WorkClass::kDamping] -= h * dissipation;
  (*work)[WorkClass::kConstraint] += h * sums.power - active;
  return scene_.Bounded(sums.squares, bound, q, v);
}

template <int D, int M>
double ExplicitAffineStep<D, M>::Release(const double* forces, const double* q, const double* v) {
  typename Affine::Number dissipation{};
  for (int b = 0; b < scene_.blocks(); ++b) {
    const auto& block = scene_.block(b);
    const auto R = Affine::Load(scene_.At(q, b)), rate = Affine::Load(scene_.At(v, b));
    const auto m = Affine::Gradient(block, R);
    const auto strain_rate = Affine::StrainRate(m, Affine::Gradient(block, rate));
    dissipation += Affine::Dissipation(block.drags, strain_rate);
    const auto stress = scene_.Stress(block, m, strain_rate, block.drags);
    typename Affine::Columns a;
    a[0] = scene_.gravity();
    for (int s = 0; s < M; ++s) a[1 + s] = -block.inverse_mass * stress[s];
    if (forces != nullptr) {
      const auto Q = Affine::Load(scene_.At(forces, b));
      for (int s = 0; s <= M; ++s) a[s] += block.inverse_mass * Q[s];
    }
    Affine::Store(a,
                  accelerations_.data() + static_cast<std::ptrdiff_t>(b) * kLanes * kCoordinates);
    scene_.SubtractRows(b, scene_.Feedback(a, rate, R), multipliers_.data());
  }
  return Axis::SumOfLanes(dissipation);
}

template <int D, int M>
auto ExplicitAffineStep<D, M>::Move(double h, double* __restrict q, double* __restrict v) -> Sums {
  std::array<double, kCoordinates> power{}, squares{};
  std::array<double, D> moment{};
  const double *a = accelerations_.data(), *lambda = multipliers_.data();
  const End* end = ends_.data();
  for (int b = 0; b < scene_.bodies(); ++b) {
    std::array<double, kCoordinates> held{};
    for (const End* last = ends_.data() + first_end_[b + 1]; end < last; ++end) {
      const double* force = lambda + end->row;
      for (int i = 0; i < kCoordinates; ++i) held[i] += force[i / (M + 1)] * end->p[i % (M + 1)];
    }
    const double mass = masses_[b], inverse_mass = inverse_masses_[b];
    for (int r = 0; r < D; ++r) moment[r] += mass * q[r * (M + 1)];
    std::array<double, kCoordinates> R, rate;
    for (int i = 0; i < kCoordinates; ++i) {
      rate[i] = v[i] + h * (a[i] + inverse_mass * held[i]);
      power[i] += held[i] * (v[i] + rate[i]);
    }
    for (int i = 0; i < kCoordinates; ++i) R[i] = q[i] + h * rate[i];
    for (int i = 0; i < kCoordinates; ++i) squares[i] += rate[i] * rate[i] + R[i] * R[i];
    for (int i = 0; i < kCoordinates; ++i) v[i] = rate[i];
    for (int i = 0; i < kCoordinates; ++i) q[i] = R[i];
    a += kCoordinates;
    q += kCoordinates;
    v += kCoordinates;
  }
  return {0.5 * std::accumulate(power.begin(), power.end(), 0.0),
          std::accumulate(squares.begin(), squares.end(), 0.0), moment};
}

}  // namespace

std::unique_ptr<AffineStep> MakeExplicitAffineStep(const Scene& scene,
                                                   const std::vector<LinearBody>& bodies,
                                                   const std::vector<LinearMaterial>& materials,
                                                   const FeedbackOptions& feedback,
                                                   const ConstraintMatrix& matrix) {
  return WithAffineSizes(scene, bodies, [&]<int D, int M>() -> std::unique_ptr<AffineStep> {
    return std::make_unique<ExplicitAffineStep<D, M>>(scene, bodies, materials, feedback, matrix);
  });
}

}  // namespace pliant::linear_deformation
