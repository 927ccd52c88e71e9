#include "solvers/constrained_dynamics/affine_step.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "models/linear_deformation/energies.h"
#include "solvers/constrained_dynamics/block_factor.h"

namespace pliant {
namespace {

template <int D, int M>
class Kernel final : public AffineStep {
 public:
  Kernel(const Scene& scene, const std::vector<LinearBody>& bodies, const LinearMaterial& material,
         const FeedbackOptions& feedback, InternalEnergy treatment, const ConstraintMatrix& matrix);

  bool Step(double t, double h, double bound, const double* forces, double* q, double* v,
            WorkByClass* work) override {
    return implicit_ ? ImplicitStep(t, h, bound, forces, q, v, work)
                     : ExplicitStep(t, h, bound, forces, q, v, work);
  }

 private:
  static constexpr int kTerms = M + 1, kCoordinates = D * kTerms, kVarying = D * M;
  using Axis = Eigen::Matrix<double, D, 1>;
  using Coordinates = Eigen::Matrix<double, D, kTerms>;        // R of one body, [t | C]
  using Gradient = Eigen::Matrix<double, D, M>;                // m, and C
  using Response = Eigen::Matrix<double, kVarying, kVarying>;  // (M + h D + h² K)⁻¹ of C
  using RowMap = Eigen::Map<const Eigen::Matrix<double, D, kTerms, Eigen::RowMajor>>;
  using Block = typename BlockFactor<D>::Block;

  struct BodyData {
    double mass, inverse_mass;
    StrainDrags drags;
    StrainModuli moduli;
    Lame lame;
    Eigen::Matrix<double, M, 1> inverse_extent;
  };
  // R_a p_a − R_b p_b − n; a nail has weight 0 for b, and any body there.
  struct Constraint {
    int a, b;                              // bodies
    Eigen::Matrix<double, M, 1> p_a, p_b;  // without the constant term 1; p_b times −weight
    double weight_b;                       // −1 or 0
    Axis target;                           // n of a still nail
  };
  struct MovingNail {
    int constraint;
    Path path;
    Axis position, velocity, acceleration;
  };
  struct End {  // of a constraint at one body
    int constraint;
    double weight;
    Eigen::Matrix<double, M, 1> p;  // times the weight
  };
  struct Coupling {  // of two constraints by one body
    int body;
    int pair;  // −1: the diagonal block of `first`
    End first, second;
  };

  static Coordinates Load(const double* q, int body) {
    return RowMap(q + static_cast<std::ptrdiff_t>(body) * kCoordinates);
  }
  Gradient Stress(const BodyData& body, const Gradient& m) const;
  void FindTargets(double t);
  void FindRightSide(const double* q, const double* v);
  bool Move(double h, double bound, double* q, double* v) const;
  void FindCouplings();

  bool ExplicitStep(double t, double h, double bound, const double* forces, double* q, double* v,
                    WorkByClass* work);
  bool ImplicitStep(double t, double h, double bound, const double* forces, double* q, double* v,
                    WorkByClass* work);

  const bool implicit_;
  const LinearMaterial material_;
  const ConstraintMatrix& matrix_;
  Axis gravity_;
  double rate_gain_, gap_gain_;  // 2 ζ ω, ω²
  std::vector<BodyData> bodies_;
  std::vector<Constraint> constraints_;
  std::vector<MovingNail> moving_;

  std::vector<Coordinates> accelerations_;  // of each body
  std::vector<Axis> rate_, multiplier_;     // J v, and the right side and then λ

  // Implicit only.
  std::vector<Response> responses_;
  std::vector<Coupling> couplings_;
  std::vector<std::vector<End>> ends_;  // of each body
  BlockFactor<D> factor_;
  std::vector<Block> diagonal_, off_diagonal_;
};

template <int D, int M>
Kernel<D, M>::Kernel(const Scene& scene, const std::vector<LinearBody>& bodies,
                     const LinearMaterial& material, const FeedbackOptions& feedback,
                     InternalEnergy treatment, const ConstraintMatrix& matrix)
    : implicit_(treatment == InternalEnergy::kImplicit),
      material_(material),
      matrix_(matrix),
      gravity_(scene.gravity.head<D>()),
      rate_gain_(2.0 * feedback.damping_ratio * feedback.frequency),
      gap_gain_(feedback.frequency * feedback.frequency) {
  for (const LinearBody& body : bodies) {
    bodies_.push_back({body.mass(), 1.0 / body.mass(), LinearDrags(body, material),
                       ModuliAtRest(body, material), LameOf(body, material),
                       body.frame().extent.cwiseInverse()});
  }
  for (const Nail& nail : scene.nails) {
    if (nail.path.moves()) {
      moving_.push_back({static_cast<int>(constraints_.size()), nail.path, {}, {}, {}});
    }
    constraints_.push_back({nail.point.body, nail.point.body,
                            bodies[nail.point.body].terms().col(nail.point.point).tail<M>(),
                            Eigen::Matrix<double, M, 1>::Zero(), 0.0,
                            nail.path.At(0.0).position.head<D>()});
  }
  for (const Attachment& joint : scene.attachments) {
    constraints_.push_back(
        {joint.a.body, joint.b.body, bodies[joint.a.body].terms().col(joint.a.point).tail<M>(),
         -bodies[joint.b.body].terms().col(joint.b.point).tail<M>(), -1.0, Axis::Zero()});
  }
  accelerations_.resize(bodies_.size());
  rate_.resize(constraints_.size());
  multiplier_.resize(constraints_.size());
  if (implicit_) FindCouplings();
}

template <int D, int M>
void Kernel<D, M>::FindCouplings() {
  responses_.resize(bodies_.size());
  ends_.resize(bodies_.size());
  for (int i = 0; i < static_cast<int>(constraints_.size()); ++i) {
    const Constraint& c = constraints_[i];
    ends_[c.a].push_back({i, 1.0, c.p_a});
    if (c.weight_b != 0.0) ends_[c.b].push_back({i, c.weight_b, c.p_b});
  }
  std::vector<std::pair<int, int>> pairs;
  for (int body = 0; body < static_cast<int>(bodies_.size()); ++body) {
    const std::vector<End>& ends = ends_[body];
    for (size_t i = 0; i < ends.size(); ++i) {
      for (size_t j = 0; j <= i; ++j) {
        Coupling coupling{body, -1, ends[i], ends[j]};
        if (ends[i].constraint != ends[j].constraint) {
          // Two bodies may couple the same two constraints.
          std::pair<int, int> pair(ends[i].constraint, ends[j].constraint);
          if (pair.first < pair.second) {
            std::swap(pair.first, pair.second);
            std::swap(coupling.first, coupling.second);
          }
          const auto found = std::find(pairs.begin(), pairs.end(), pair);
          coupling.pair = static_cast<int>(found - pairs.begin());
          if (found == pairs.end()) pairs.push_back(pair);
        }
        couplings_.push_back(coupling);
      }
    }
  }
  factor_ = BlockFactor<D>(static_cast<int>(constraints_.size()), pairs);
  diagonal_.resize(constraints_.size());
  off_diagonal_.resize(pairs.size());
}

template <int D, int M>
auto Kernel<D, M>::Stress(const BodyData& body, const Gradient& m) const -> Gradient {
  if (material_.law == MaterialLaw::kStVenantKirchhoff) {
    return StVenantKirchhoffGradient(m, body.lame);
  }
  if constexpr (D == M) {
    if (material_.law == MaterialLaw::kNeoHookean) return NeoHookeanGradient(m, body.lame);
    return StretchGradient(m, material_.stretch_stiffness) +
           VolumeGradient(m, material_.volume_stiffness);
  } else {
    return StretchGradient(m, material_.stretch_stiffness);
  }
}

template <int D, int M>
void Kernel<D, M>::FindTargets(double t) {
  for (MovingNail& nail : moving_) {
    const PathPoint at = nail.path.At(t);
    nail.position = at.position.head<D>();
    nail.velocity = at.velocity.head<D>();
    nail.acceleration = at.acceleration.head<D>();
  }
}

// n̈ − J a − 2 ζ ω (J v − ṅ) − ω² (J q − n); J v is kept for the work of the constraints.
template <int D, int M>
void Kernel<D, M>::FindRightSide(const double* q, const double* v) {
  for (size_t i = 0; i < constraints_.size(); ++i) {
    const Constraint& c = constraints_[i];
    auto row = [&c](const Coordinates& a, const Coordinates& b) -> Axis {
      Axis sum = a.col(0) + c.weight_b * b.col(0);
      for (int s = 0; s < M; ++s) sum += c.p_a[s] * a.col(1 + s) + c.p_b[s] * b.col(1 + s);
      return sum;
    };
    const Axis gap = row(Load(q, c.a), Load(q, c.b)) - c.target;
    rate_[i] = row(Load(v, c.a), Load(v, c.b));
    multiplier_[i] =
        -row(accelerations_[c.a], accelerations_[c.b]) - rate_gain_ * rate_[i] - gap_gain_ * gap;
  }
  for (const MovingNail& nail : moving_) {
    multiplier_[nail.constraint] +=
        nail.acceleration + rate_gain_ * nail.velocity +
        gap_gain_ * (nail.position - constraints_[nail.constraint].target);
  }
}

template <int D, int M>
bool Kernel<D, M>::Move(double h, double bound, double* q, double* v) const {
  bool bounded = true;
  for (size_t b = 0; b < bodies_.size(); ++b) {
    double* q_b = q + b * kCoordinates;
    double* v_b = v + b * kCoordinates;
    bool inside = true;
    for (int r = 0; r < D; ++r) {
      for (int s = 0; s < kTerms; ++s) {
        const int i = r * kTerms + s;
        v_b[i] += h * accelerations_[b](r, s);
        q_b[i] += h * v_b[i];
        inside &= (std::abs(v_b[i]) <= bound) & (std::abs(q_b[i]) <= bound);
      }
    }
    bounded &= inside;
  }
  return bounded;
}

template <int D, int M>
bool Kernel<D, M>::ExplicitStep(double t, double h, double bound, const double* forces, double* q,
                                double* v, WorkByClass* work) {
  double damping_power = 0.0, constraint_power = 0.0;
  for (size_t b = 0; b < bodies_.size(); ++b) {
    const BodyData& body = bodies_[b];
    const auto scale = body.inverse_extent.asDiagonal();
    const Gradient m = Load(q, static_cast<int>(b)).template rightCols<M>() * scale;
    const Gradient m_dot = Load(v, static_cast<int>(b)).template rightCols<M>() * scale;
    const Gradient drag = StrainDissipationGradient(m, m_dot, body.drags.shape, body.drags.trace);
    damping_power -= drag.cwiseProduct(m_dot).sum();
    Coordinates& a = accelerations_[b];
    a.col(0) = gravity_;
    a.template rightCols<M>() = (Stress(body, m) + drag) * (-body.inverse_mass * scale);
    if (forces != nullptr) a += body.inverse_mass * Load(forces, static_cast<int>(b));
  }
  FindTargets(t);
  FindRightSide(q, v);
  if (!constraints_.empty()) matrix_.SolveRows(multiplier_[0].data(), D);
  for (size_t i = 0; i < constraints_.size(); ++i) {
    const Constraint& c = constraints_[i];
    const Axis& lambda = multiplier_[i];
    constraint_power += lambda.dot(rate_[i]);
    const Axis on_a = bodies_[c.a].inverse_mass * lambda;
    const Axis on_b = bodies_[c.b].inverse_mass * lambda;
    accelerations_[c.a].col(0) += on_a;
    accelerations_[c.b].col(0) += c.weight_b * on_b;
    for (int s = 0; s < M; ++s) {
      accelerations_[c.a].col(1 + s) += c.p_a[s] * on_a;
      accelerations_[c.b].col(1 + s) += c.p_b[s] * on_b;
    }
  }
  (*work)[WorkClass::kDamping] += h * damping_power;
  (*work)[WorkClass::kConstraint] += h * constraint_power;
  return Move(h, bound, q, v);
}

template <int D, int M>
bool Kernel<D, M>::ImplicitStep(double t, double h, double bound, const double* forces, double* q,
                                double* v, WorkByClass* work) {
  // 1. Each body by itself: the response of C to forces, and the free acceleration.
  for (size_t b = 0; b < bodies_.size(); ++b) {
    const BodyData& body = bodies_[b];
    const auto scale = body.inverse_extent.asDiagonal();
    const Gradient m = Load(q, static_cast<int>(b)).template rightCols<M>() * scale;
    const Gradient m_dot = Load(v, static_cast<int>(b)).template rightCols<M>() * scale;
    const double shape = body.drags.shape + 2.0 * h * body.moduli.shape;
    const double trace = body.drags.trace + 0.5 * h * body.moduli.trace;
    const Gradient force =
        -(Stress(body, m) + StrainDissipationGradient(m, m_dot, shape, trace)) * scale;
    // h times the derivative of the above by ṁ, in C: block (s, t) of columns s and t.
    Response matrix;
    for (int s = 0; s < M; ++s) {
      for (int u = 0; u < M; ++u) {
        // ∂/∂ṁ_u of 2 m (c ė + c_t tr ė 1)_s, ė = ṁᵀm + mᵀṁ.
        Block block = (2.0 * h * shape) * m.col(u) * m.col(s).transpose() +
                      (4.0 * h * trace) * m.col(s) * m.col(u).transpose();
        if (s == u) block += (2.0 * h * shape) * m * m.transpose();
        matrix.template block<D, D>(s * D, u * D) =
            (body.inverse_extent[s] * body.inverse_extent[u]) * block;
      }
    }
    matrix.diagonal().array() += body.mass;
    Response& response = responses_[b];
    if constexpr (kVarying <= 4) {
      response = matrix.inverse();
    } else {
      response = matrix.llt().solve(Response::Identity());
    }
    Coordinates& a = accelerations_[b];
    a.col(0) = gravity_;
    Gradient on_columns = force;
    if (forces != nullptr) {
      const Coordinates Q = Load(forces, static_cast<int>(b));
      a.col(0) += body.inverse_mass * Q.col(0);
      on_columns += Q.template rightCols<M>();
    }
    const Eigen::Matrix<double, kVarying, 1> solved =
        response * Eigen::Map<const Eigen::Matrix<double, kVarying, 1>>(on_columns.data());
    a.template rightCols<M>() = Eigen::Map<const Gradient>(solved.data());
  }

  // 2. Multipliers.
  double constraint_power = 0.0;
  if (!constraints_.empty()) {
    FindTargets(t);
    FindRightSide(q, v);
    std::fill(diagonal_.begin(), diagonal_.end(), Block::Zero());
    std::fill(off_diagonal_.begin(), off_diagonal_.end(), Block::Zero());
    for (const Coupling& coupling : couplings_) {
      const Response& response = responses_[coupling.body];
      Block block =
          (coupling.first.weight * coupling.second.weight * bodies_[coupling.body].inverse_mass) *
          Block::Identity();
      for (int s = 0; s < M; ++s) {
        for (int u = 0; u < M; ++u) {
          block += (coupling.first.p[s] * coupling.second.p[u]) *
                   response.template block<D, D>(s * D, u * D);
        }
      }
      if (coupling.pair >= 0) {
        off_diagonal_[coupling.pair] += block;
      } else {
        diagonal_[coupling.first.constraint] += block;
      }
    }
    factor_.Factorise(diagonal_, off_diagonal_, ConstraintMatrix::kSingular);
    factor_.Solve(multiplier_[0].data(), 1);
    for (size_t i = 0; i < constraints_.size(); ++i) {
      constraint_power += multiplier_[i].dot(rate_[i]);
    }
    for (size_t b = 0; b < bodies_.size(); ++b) {
      Coordinates Q = Coordinates::Zero();
      for (const End& end : ends_[b]) {
        const Axis& lambda = multiplier_[end.constraint];
        Q.col(0) += end.weight * lambda;
        for (int s = 0; s < M; ++s) Q.col(1 + s) += end.p[s] * lambda;
      }
      accelerations_[b].col(0) += bodies_[b].inverse_mass * Q.col(0);
      const Eigen::Matrix<double, kVarying, 1> solved =
          responses_[b] * Eigen::Map<const Eigen::Matrix<double, kVarying, 1>>(Q.data() + D);
      accelerations_[b].template rightCols<M>() += Eigen::Map<const Gradient>(solved.data());
    }
  }

  // 3. The drag is that of the rates at the end, and so is its work.
  double damping_power = 0.0;
  for (size_t b = 0; b < bodies_.size(); ++b) {
    const BodyData& body = bodies_[b];
    if (body.drags.shape == 0.0 && body.drags.trace == 0.0) continue;
    const auto scale = body.inverse_extent.asDiagonal();
    const Gradient m = Load(q, static_cast<int>(b)).template rightCols<M>() * scale;
    const Gradient m_dot = (Load(v, static_cast<int>(b)).template rightCols<M>() +
                            h * accelerations_[b].template rightCols<M>()) *
                           scale;
    damping_power -= 2.0 * StrainDissipation(m, m_dot, body.drags.shape, body.drags.trace);
  }
  (*work)[WorkClass::kDamping] += h * damping_power;
  (*work)[WorkClass::kConstraint] += h * constraint_power;
  return Move(h, bound, q, v);
}

}  // namespace

std::string AffineStep::WhyNot(const Scene& scene, const std::vector<LinearBody>& bodies,
                               const LinearMaterial& material) {
  if (bodies.empty()) return "there are no bodies";
  if (!scene.behaviours.empty()) return "behaviours change what holds while it runs";
  if (!scene.sliders.empty()) return "sliders hold only part of a point";
  if (!scene.combinations.empty()) return "combinations hold several points at once";
  const auto switched = [](const auto& held) { return !held.hold.always(); };
  if (std::any_of(scene.nails.begin(), scene.nails.end(), switched) ||
      std::any_of(scene.attachments.begin(), scene.attachments.end(), switched)) {
    return "nails or attachments begin or end to hold while it runs";
  }
  if (material.source_damping > 0.0) return "source_damping is not linear in the rates";
  if (material.rayleigh_mass > 0.0) return "rayleigh_mass is not a damping of strain";
  for (size_t b = 0; b < bodies.size(); ++b) {
    const std::string name = "body '" + scene.bodies[b].name + "' ";
    if (!bodies[b].is_affine()) return name + "is not affine";
    if (bodies[b].inertia() != Inertia::kPoints) return name + "has the inertia of a box";
    if (bodies[b].material_dimension() == 0) return name + "has no extent";
    if (bodies[b].material_dimension() != bodies[0].material_dimension()) {
      return name + "has another dimension than body '" + scene.bodies[0].name + "'";
    }
  }
  return "";
}

std::unique_ptr<AffineStep> AffineStep::Make(
    const Scene& scene, const std::vector<LinearBody>& bodies, const LinearMaterial& material,
    const FeedbackOptions& feedback, InternalEnergy treatment, const ConstraintMatrix& matrix) {
  auto make = [&](auto kernel) {
    using K = typename decltype(kernel)::type;
    return std::unique_ptr<AffineStep>(new K(scene, bodies, material, feedback, treatment, matrix));
  };
  switch (10 * scene.dimension + bodies[0].material_dimension()) {
    case 21:
      return make(std::type_identity<Kernel<2, 1>>());
    case 22:
      return make(std::type_identity<Kernel<2, 2>>());
    case 31:
      return make(std::type_identity<Kernel<3, 1>>());
    case 32:
      return make(std::type_identity<Kernel<3, 2>>());
    default:
      return make(std::type_identity<Kernel<3, 3>>());
  }
}

}  // namespace pliant
