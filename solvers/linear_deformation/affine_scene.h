// The data of a scene of affine bodies that the explicit and the implicit step (affine_step.h)
// read, in the order in which they read them, and the code that both steps share. In these data, R
// of a body is [t | C] by columns: x = t + C u, u the coordinates of a point within the body's
// extents, so that its deformation gradient is m = C/extent and W = 1/mass.
//
// Bodies are processed L at a time, one lane of world_vector.h each; the last block is padded with
// bodies without extent and constraints that only fall.

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_AFFINE_SCENE_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_AFFINE_SCENE_H_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <vector>

#include "models/linear_deformation/energies.h"
#include "models/linear_deformation/linear_body.h"
#include "models/linear_deformation/material.h"
#include "models/scene/scene.h"
#include "solvers/exchange.h"
#include "solvers/linear_deformation/feedback_options.h"
#include "solvers/linear_deformation/world_vector.h"

namespace pliant::linear_deformation {

template <int D, int M, int L = 1>
class AffineScene {
 public:
  static constexpr int kTerms = M + 1, kCoordinates = D * kTerms;
  using Axis = WorldVector<D, L>;
  using Number = typename Axis::Number;
  using Columns = std::array<Axis, kTerms>;  // [t | C]: R of one body, its rates, forces on it
  using Varying = std::array<Axis, M>;       // of C alone, and m
  using Symmetric = std::array<std::array<Number, M>, M>;  // its lower half

  struct Moduli {  // of a potential or a drag, see StrainModuli and StrainDrags
    Number shape{}, trace{};
  };
  struct BodyData {
    Number mass{}, inverse_mass{};
    std::array<Number, M> scale{};  // 1/extent
    Moduli drags;
    Moduli quadratic;  // the part a ‖e‖² + ¼ b (tr e)² of V
    Moduli at_rest;    // of all of V to second order
    std::array<Lame, L> lame;
  };
  struct End {  // of constraints, one at each body
    typename Axis::Rows constraint;
    std::array<Number, kTerms> p{};  // of the point, times 1, or −1 at the second body
  };

  AffineScene(const Scene& scene, const std::vector<LinearBody>& bodies,
              const std::vector<LinearMaterial>& materials, const FeedbackOptions& feedback);

  int bodies() const { return bodies_; }
  int blocks() const { return static_cast<int>(blocks_.size()); }  // of L bodies
  int constraints() const { return constraints_; }
  const BodyData& block(int b) const { return blocks_[b]; }
  const Axis& gravity() const { return gravity_; }
  // Up to first_end(block + 1). Those of a body are in the order of their constraints; where a body
  // has fewer than others of its block, row constraints() stands for none.
  int first_end(int block) const { return first_end_[block]; }
  const End& end(int e) const { return ends_[e]; }
  // Number of values in the rows of multipliers, including the empty row.
  size_t RowsSize() const { return static_cast<size_t>(constraints_ + 1) * D; }

  // Positions of the coordinates of a block: of its first body, and the offset of each. Lanes
  // without a body share those of the last one.
  using Offsets = std::array<std::ptrdiff_t, L>;
  template <typename Real>
  struct Place {
    Real* first;
    const Offsets& further;
  };
  template <typename Real>
  Place<Real> At(Real* coordinates, int block) const {
    return {coordinates + static_cast<std::ptrdiff_t>(block) * L * kCoordinates,
            block + 1 < blocks() ? kWhole : last_};
  }
  template <typename Real>
  static Columns Load(const Place<Real>& place);
  // In memory that has room for a whole block.
  static void Store(const Columns& columns, double* block);

  static Varying Gradient(const BodyData& body, const Columns& R) {
    Varying m;
    for (int s = 0; s < M; ++s) m[s] = body.scale[s] * R[1 + s];
    return m;
  }
  // e = mᵀm − 1 and ė = ṁᵀm + mᵀṁ.
  static Symmetric Strain(const Varying& m) {
    Symmetric e;
    for (int s = 0; s < M; ++s) {
      for (int u = 0; u <= s; ++u) e[s][u] = Dot(m[s], m[u]) - (s == u ? 1.0 : 0.0);
    }
    return e;
  }
  static Symmetric StrainRate(const Varying& m, const Varying& m_dot) {
    Symmetric rate;
    for (int s = 0; s < M; ++s) {
      for (int u = 0; u < s; ++u) rate[s][u] = Dot(m[s], m_dot[u]) + Dot(m[u], m_dot[s]);
      rate[s][s] = 2.0 * Dot(m[s], m_dot[s]);
    }
    return rate;
  }
  // 2 D [W], the power that drags remove from the motion.
  static Number Dissipation(const Moduli& drags, const Symmetric& rate) {
    const Number trace = Trace(rate);
    Number power = drags.trace * trace * trace;
    for (int s = 0; s < M; ++s) {
      for (int u = 0; u < s; ++u) power += 2.0 * drags.shape * rate[s][u] * rate[s][u];
      power += drags.shape * rate[s][s] * rate[s][s];
    }
    return power;
  }
  static Number Trace(const Symmetric& e) {
    Number trace = e[0][0];
    for (int s = 1; s < M; ++s) trace += e[s][s];
    return trace;
  }

  // ∂V/∂C + ∂D/∂Ċ with the given drags. V and D are quadratic in e and ė but for the volume and
  // neo-Hookean energies, and share
  //   ∂/∂m = 2 m X,   X = 2 a e + c ė + (½ b tr e + c_t tr ė) 1.
  Varying Stress(const BodyData& body, const Varying& m, const Symmetric& rate,
                 const Moduli& drags) const;

  // What nails give in a step of length h from t, by the λ of the step at the coordinates q of its
  // begin: momentum, and the work of those that move, which is returned too [J].
  double AddNails(double t, double h, const double* multipliers, const double* q,
                  Exchange* work) const;
  // What gravity gives in a step of length h; `moment` is Σ m x [kg m].
  void AddWeight(double h, const std::array<double, D>& moment, Exchange* work) const;

  // J z of the ends at a block, taken from (n+1)×d rows.
  void SubtractRows(int block, const Columns& z, double* rows) const {
    for (int e = first_end_[block]; e < first_end_[block + 1]; ++e) {
      const End& end = ends_[e];
      Axis row = end.p[0] * z[0];
      for (int s = 1; s < kTerms; ++s) row += end.p[s] * z[s];
      row.SubtractFromRows(rows, end.constraint);
    }
  }
  // The right side of the multipliers is n̈ + 2 ζ ω ṅ + ω² n, which this writes at time t, less
  // J z of every body. (n+1)×d.
  void StartRightSide(double t, double* rows) const;
  // z = a + 2 ζ ω v + ω² q.
  Columns Feedback(const Columns& a, const Columns& rate, const Columns& R) const {
    Columns z;
    for (int s = 0; s < kTerms; ++s) z[s] = a[s] + rate_gain_ * rate[s] + gap_gain_ * R[s];
    return z;
  }

  // Are all coordinates and rates below the bound, given the sum of their squares?
  bool Bounded(double squares, double bound, const double* q, const double* v) const {
    if (squares <= bound * bound) return true;
    const auto inside = [bound](double x) { return std::abs(x) <= bound; };
    const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(bodies_) * kCoordinates;
    return std::all_of(q, q + size, inside) && std::all_of(v, v + size, inside);
  }

 private:
  struct MovingNail {
    int constraint;
    Path path;
  };
  struct NailedPoint {
    int constraint, body;
    std::array<double, kTerms> p;
  };

  Axis gravity_;
  double rate_gain_, gap_gain_;  // 2 ζ ω, ω²
  MaterialLaw law_;
  double volume_stiffness_;
  void AddBlock(const std::vector<LinearBody>& bodies, int first,
                const std::vector<LinearMaterial>& materials);
  void AddEnds(const Scene& scene, const std::vector<LinearBody>& bodies);

  static constexpr Offsets OffsetsUpTo(int last) {
    Offsets offsets{};
    for (int lane = 0; lane < L; ++lane) offsets[lane] = std::min(lane, last) * kCoordinates;
    return offsets;
  }
  static constexpr Offsets kWhole = OffsetsUpTo(L - 1);

  int bodies_;
  Offsets last_;  // of the last block
  int constraints_ = 0;
  std::vector<BodyData> blocks_;
  std::vector<End> ends_;       // block by block
  std::vector<int> first_end_;  // blocks + 1
  std::vector<double> still_;   // (n+1)×d: n of still nails
  std::vector<MovingNail> moving_;
  std::vector<NailedPoint> nailed_;
  Eigen::Vector3d gravity_vector_;
  double mass_ = 0.0;  // of all bodies
};

template <int D, int M, int L>
AffineScene<D, M, L>::AffineScene(const Scene& scene, const std::vector<LinearBody>& bodies,
                                  const std::vector<LinearMaterial>& materials,
                                  const FeedbackOptions& feedback)
    : gravity_(Axis::All(scene.gravity.data())),
      rate_gain_(2.0 * feedback.damping_ratio * feedback.frequency),
      gap_gain_(feedback.frequency * feedback.frequency),
      law_(materials[0].law),
      volume_stiffness_(materials[0].volume_stiffness),
      bodies_(static_cast<int>(bodies.size())),
      last_(OffsetsUpTo((bodies_ - 1) % L)),
      gravity_vector_(scene.gravity) {
  for (const LinearBody& body : bodies) mass_ += body.mass();
  for (int first = 0; first < bodies_; first += L) AddBlock(bodies, first, materials);
  AddEnds(scene, bodies);
}

template <int D, int M, int L>
void AffineScene<D, M, L>::AddBlock(const std::vector<LinearBody>& bodies, int first,
                                    const std::vector<LinearMaterial>& materials) {
  BodyData& block = blocks_.emplace_back();
  const auto set = [](int lane, const auto& from, Moduli* to) {
    Axis::SetLane(lane, from.shape, &to->shape);
    Axis::SetLane(lane, from.trace, &to->trace);
  };
  for (int lane = 0; lane < L; ++lane) {
    const int b = std::min(first + lane, bodies_ - 1);
    const LinearBody& body = bodies[b];
    const LinearMaterial& material = materials[b];
    Axis::SetLane(lane, body.mass(), &block.mass);
    Axis::SetLane(lane, 1.0 / body.mass(), &block.inverse_mass);
    for (int s = 0; s < M && first + lane < bodies_; ++s) {
      Axis::SetLane(lane, 1.0 / body.frame().extent[s], &block.scale[s]);
    }
    const StrainModuli at_rest = ModuliAtRest(body, material);
    set(lane, LinearDrags(body, material), &block.drags);
    set(lane, at_rest, &block.at_rest);
    if (law_ == MaterialLaw::kWitkinWelch) {
      set(lane, StrainModuli{material.stretch_stiffness, 0.0}, &block.quadratic);
    }
    if (law_ == MaterialLaw::kStVenantKirchhoff) set(lane, at_rest, &block.quadratic);
    block.lame[lane] = LameOf(body, material);
  }
}

template <int D, int M, int L>
void AffineScene<D, M, L>::AddEnds(const Scene& scene, const std::vector<LinearBody>& bodies) {
  std::vector<std::vector<End>> ends(blocks_.size());
  std::vector<size_t> used(bodies.size(), 0);  // ends of each body
  auto add = [&](const PointRef& point, double weight) {
    std::vector<End>& of_block = ends[point.body / L];
    const int lane = point.body % L;
    const size_t slot = used[point.body]++;
    if (slot == of_block.size()) of_block.emplace_back().constraint.fill(-1);
    End& end = of_block[slot];
    end.constraint[lane] = constraints_;
    for (int s = 0; s < kTerms; ++s) {
      Axis::SetLane(lane, weight * bodies[point.body].terms()(s, point.point), &end.p[s]);
    }
  };
  for (const Nail& nail : scene.nails) {
    add(nail.point, 1.0);
    const bool moves = nail.path.moves();
    if (moves) moving_.push_back({constraints_, nail.path});
    const Eigen::Vector3d place = nail.path.At(0.0).position;
    for (int c = 0; c < D; ++c) still_.push_back(moves ? 0.0 : place[c]);
    NailedPoint nailed{constraints_, nail.point.body, {}};
    const auto terms = bodies[nail.point.body].terms().col(nail.point.point);
    for (int s = 0; s < kTerms; ++s) nailed.p[s] = terms[s];
    nailed_.push_back(nailed);
    ++constraints_;
  }
  for (const Attachment& joint : scene.attachments) {
    add(joint.a, 1.0);
    add(joint.b, -1.0);
    still_.insert(still_.end(), D, 0.0);
    ++constraints_;
  }
  still_.insert(still_.end(), D, 0.0);  // of none
  first_end_ = {0};
  for (std::vector<End>& of_block : ends) {
    for (End& end : of_block)
      std::replace(end.constraint.begin(), end.constraint.end(), -1, constraints_);
    ends_.insert(ends_.end(), of_block.begin(), of_block.end());
    first_end_.push_back(static_cast<int>(ends_.size()));
  }
}

template <int D, int M, int L>
template <typename Real>
auto AffineScene<D, M, L>::Load(const Place<Real>& place) -> Columns {
  Columns columns;
  if constexpr (L == 1) {
    for (int s = 0; s < kTerms; ++s) columns[s] = Axis::Load(place.first + s, kTerms);
  } else {
    const auto& [a, b, c, d] = place.further;
    const double* at = place.first;
    std::array<Number, L> four;
    for (int i = 0; i < kCoordinates; ++i, ++at) {
      const int in_four = i % L;
      if (i - in_four + L > kCoordinates) {
        four[in_four] = Number(typename Number::Vector{at[a], at[b], at[c], at[d]});
      } else if (in_four == 0) {
        for (int lane = 0; lane < L; ++lane) {
          four[lane] = Number::Load(at + place.further[lane]);
        }
        Number::Transpose(&four);
      }
      columns[i % kTerms].axes[i / kTerms] = four[in_four];
    }
  }
  return columns;
}

template <int D, int M, int L>
void AffineScene<D, M, L>::Store(const Columns& columns, double* block) {
  if constexpr (L == 1) {
    for (int s = 0; s < kTerms; ++s) columns[s].Store(block + s, kTerms);
  } else {
    std::array<Number, L> four;
    for (int i = 0; i < kCoordinates; ++i) {
      const int in_four = i % L;
      four[in_four] = columns[i % kTerms].axes[i / kTerms];
      if (i - in_four + L > kCoordinates) {
        for (int lane = 0; lane < L; ++lane) block[kWhole[lane] + i] = four[in_four].lanes[lane];
      } else if (in_four == L - 1) {
        Number::Transpose(&four);
        for (int lane = 0; lane < L; ++lane) four[lane].Store(block + kWhole[lane] + i - in_four);
      }
    }
  }
}

template <int D, int M, int L>
void AffineScene<D, M, L>::StartRightSide(double t, double* rows) const {
  for (size_t i = 0; i < still_.size(); ++i) rows[i] = gap_gain_ * still_[i];
  for (const MovingNail& nail : moving_) {
    const PathPoint at = nail.path.At(t);
    const Eigen::Vector3d side =
        at.acceleration + rate_gain_ * at.velocity + gap_gain_ * at.position;
    std::copy(side.data(), side.data() + D,
              rows + static_cast<std::ptrdiff_t>(nail.constraint) * D);
  }
}

template <int D, int M, int L>
double AffineScene<D, M, L>::AddNails(double t, double h, const double* multipliers,
                                      const double* q, Exchange* work) const {
  const auto force_of = [multipliers](int constraint) {
    Eigen::Vector3d force = Eigen::Vector3d::Zero();
    std::copy_n(multipliers + static_cast<std::ptrdiff_t>(constraint) * D, D, force.data());
    return force;
  };
  for (const NailedPoint& nailed : nailed_) {
    const double* R = q + static_cast<std::ptrdiff_t>(nailed.body) * kCoordinates;
    Eigen::Vector3d place = Eigen::Vector3d::Zero();
    for (int r = 0; r < D; ++r) {
      for (int s = 0; s < kTerms; ++s) place[r] += nailed.p[s] * R[r * kTerms + s];
    }
    work->AddForceAt(place, h * force_of(nailed.constraint));
  }
  double active = 0.0;
  for (const MovingNail& nail : moving_) {
    const PathPoint at = nail.path.At(t);
    active += h * force_of(nail.constraint).dot(at.velocity + 0.5 * h * at.acceleration);
  }
  (*work)[WorkClass::kMovedNail] += active;
  return active;
}

template <int D, int M, int L>
void AffineScene<D, M, L>::AddWeight(double h, const std::array<double, D>& moment,
                                     Exchange* work) const {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  std::copy(moment.begin(), moment.end(), centre.data());
  work->impulse += (h * mass_) * gravity_vector_;
  work->angular_impulse += h * centre.cross(gravity_vector_);
}

template <int D, int M, int L>
auto AffineScene<D, M, L>::Stress(const BodyData& body, const Varying& m, const Symmetric& rate,
                                  const Moduli& drags) const -> Varying {
  const Symmetric e = Strain(m);
  const Number on_diagonal = body.quadratic.trace * Trace(e) + 2.0 * drags.trace * Trace(rate);
  auto twice_X = [&](int s, int u) {
    return 4.0 * body.quadratic.shape * e[s][u] + 2.0 * drags.shape * rate[s][u];
  };
  Varying stress;
  for (int s = 0; s < M; ++s) stress[s] = (twice_X(s, s) + on_diagonal) * m[s];
  for (int s = 0; s < M; ++s) {
    for (int u = 0; u < s; ++u) {
      stress[s] += twice_X(s, u) * m[u];
      stress[u] += twice_X(s, u) * m[s];
    }
  }
  if constexpr (D == M) {
    if (law_ != MaterialLaw::kStVenantKirchhoff) {
      for (int lane = 0; lane < L; ++lane) {
        Eigen::Matrix<double, D, M> gradient;
        for (int s = 0; s < M; ++s) m[s].StoreLane(lane, gradient.col(s).data());
        gradient = law_ == MaterialLaw::kNeoHookean ? NeoHookeanGradient(gradient, body.lame[lane])
                                                    : VolumeGradient(gradient, volume_stiffness_);
        for (int s = 0; s < M; ++s) stress[s].AddToLane(lane, gradient.col(s).data());
      }
    }
  }
  for (int s = 0; s < M; ++s) stress[s] *= body.scale[s];
  return stress;
}

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_AFFINE_SCENE_H_
