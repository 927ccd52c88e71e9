#include "solvers/constrained_dynamics/affine_scene.h"
#include "solvers/constrained_dynamics/affine_treatments.h"

namespace pliant {
namespace {

// a = W (Q − ∂V/∂R − ∂D/∂Ṙ + Jᵀ λ), the constraint matrix as it is.
template <int D, int M>
class ExplicitAffineStep final : public AffineStep {
 public:
  ExplicitAffineStep(const Scene& scene, const std::vector<LinearBody>& bodies,
                     const LinearMaterial& material, const FeedbackOptions& feedback,
                     const ConstraintMatrix& matrix)
      : scene_(scene, bodies, material, feedback),
        matrix_(matrix),
        accelerations_(bodies.size()),
        multipliers_(static_cast<size_t>(scene_.constraints()) * D) {}

  bool Step(double t, double h, double bound, const double* forces, double* q, double* v,
            WorkByClass* work) override;

 private:
  using Affine = AffineScene<D, M>;

  const Affine scene_;
  const ConstraintMatrix& matrix_;
  std::vector<typename Affine::Columns> accelerations_;  // free
  std::vector<double> multipliers_;                      // n×d: the right side, then λ
};

template <int D, int M>
bool ExplicitAffineStep<D, M>::Step(double t, double h, double bound, const double* forces,
                                    double* q, double* v, WorkByClass* work) {
  // 1. Each body by itself: its free acceleration and its part in the right side.
  double dissipation = 0.0;
  scene_.StartRightSide(t, multipliers_.data());
  for (int b = 0; b < scene_.bodies(); ++b) {
    const auto& body = scene_.body(b);
    const auto R = Affine::Load(q, b), rate = Affine::Load(v, b);
    const auto m = Affine::Gradient(body, R);
    const auto strain_rate = Affine::StrainRate(m, Affine::Gradient(body, rate));
    dissipation += Affine::Dissipation(body.drags, strain_rate);
    const auto stress = scene_.Stress(body, m, strain_rate, body.drags);
    auto& a = accelerations_[b];
    a[0] = scene_.gravity();
    for (int s = 0; s < M; ++s) a[1 + s] = -body.inverse_mass * stress[s];
    if (forces != nullptr) {
      const auto Q = Affine::Load(forces, b);
      for (int s = 0; s <= M; ++s) a[s] += body.inverse_mass * Q[s];
    }
    scene_.SubtractRows(b, scene_.Feedback(a, rate, R), multipliers_.data());
  }

  // 2. Multipliers.
  if (scene_.constraints() > 0) matrix_.SolveRows(multipliers_.data(), D);

  // 3. Each body by itself: the force of its constraints, their power λ·J q̇, and the move.
  auto power = Affine::Axis::Zero(), squares = power;
  for (int b = 0; b < scene_.bodies(); ++b) {
    auto R = Affine::Load(q, b), rate = Affine::Load(v, b);
    const auto held = scene_.ConstraintForces(b, multipliers_.data());
    auto a = accelerations_[b];
    for (int s = 0; s <= M; ++s) {
      power += Products(held[s], rate[s]);
      a[s] += scene_.body(b).inverse_mass * held[s];
    }
    Affine::Move(h, a, &R, &rate, &squares);
    Affine::Store(R, b, q);
    Affine::Store(rate, b, v);
  }
  (*work)[WorkClass::kDamping] -= h * dissipation;
  (*work)[WorkClass::kConstraint] += h * power.Sum();
  return scene_.Bounded(squares, bound, q, v);
}

}  // namespace

std::unique_ptr<AffineStep> MakeExplicitAffineStep(const Scene& scene,
                                                   const std::vector<LinearBody>& bodies,
                                                   const LinearMaterial& material,
                                                   const FeedbackOptions& feedback,
                                                   const ConstraintMatrix& matrix) {
  return WithAffineSizes(scene, bodies, [&]<int D, int M>() -> std::unique_ptr<AffineStep> {
    return std::make_unique<ExplicitAffineStep<D, M>>(scene, bodies, material, feedback, matrix);
  });
}

}  // namespace pliant
