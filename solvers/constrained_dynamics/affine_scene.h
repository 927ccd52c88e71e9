// What the steps of affine_step.h read of a scene of affine bodies, in the order in which they read
// it, and the parts that both share. Inside, R of a body is [t | C] by columns: x = t + C u, u the
// coordinates of a point within the body's extents, so that its deformation gradient is m =
// C/extent and W = 1/mass.

#ifndef PLIANT_SOLVERS_CONSTRAINED_DYNAMICS_AFFINE_SCENE_H_
#define PLIANT_SOLVERS_CONSTRAINED_DYNAMICS_AFFINE_SCENE_H_

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
#include "solvers/constrained_dynamics/point_constraints.h"
#include "solvers/constrained_dynamics/world_vector.h"

namespace pliant {

template <int D, int M>
class AffineScene {
 public:
  static constexpr int kTerms = M + 1, kCoordinates = D * kTerms;
  using Axis = WorldVector<D>;
  using Columns = std::array<Axis, kTerms>;  // [t | C]: R of one body, its rates, forces on it
  using Varying = std::array<Axis, M>;       // of C alone, and m
  using Symmetric = std::array<std::array<double, M>, M>;  // its lower half

  struct BodyData {
    double mass, inverse_mass;
    std::array<double, M> scale;  // 1/extent
    StrainDrags drags;
    StrainModuli quadratic;  // the part a ‖e‖² + ¼ b (tr e)² of V
    StrainModuli at_rest;    // of all of V to second order
    Lame lame;
  };
  struct End {  // of a constraint at one body
    int constraint;
    double weight;            // 1, or −1 at the second body of an attachment
    std::array<double, M> p;  // of the point, times the weight; without its constant term 1
  };

  AffineScene(const Scene& scene, const std::vector<LinearBody>& bodies,
              const LinearMaterial& material, const FeedbackOptions& feedback);

  int bodies() const { return static_cast<int>(bodies_.size()); }
  int constraints() const { return constraints_; }
  const BodyData& body(int b) const { return bodies_[b]; }
  const Axis& gravity() const { return gravity_; }
  int first_end(int body) const { return first_end_[body]; }  // up to first_end(body + 1)
  const End& end(int e) const { return ends_[e]; }

  static Columns Load(const double* coordinates, int body) {
    const double* of_body = coordinates + static_cast<std::ptrdiff_t>(body) * kCoordinates;
    Columns columns;
    for (int s = 0; s < kTerms; ++s) columns[s] = Axis::Load(of_body + s, kTerms);
    return columns;
  }
  static void Store(const Columns& columns, int body, double* coordinates) {
    double* of_body = coordinates + static_cast<std::ptrdiff_t>(body) * kCoordinates;
    for (int s = 0; s < kTerms; ++s) columns[s].Store(of_body + s, kTerms);
  }

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
  // 2 D [W], what drags take from the motion.
  static double Dissipation(const StrainDrags& drags, const Symmetric& rate) {
    const double trace = Trace(rate);
    double power = drags.trace * trace * trace;
    for (int s = 0; s < M; ++s) {
      for (int u = 0; u < s; ++u) power += 2.0 * drags.shape * rate[s][u] * rate[s][u];
      power += drags.shape * rate[s][s] * rate[s][s];
    }
    return power;
  }
  static double Trace(const Symmetric& e) {
    double trace = e[0][0];
    for (int s = 1; s < M; ++s) trace += e[s][s];
    return trace;
  }

  // ∂V/∂C + ∂D/∂Ċ with the given drags. V and D are quadratic in e and ė but for the volume and
  // neo-Hookean energies, and share
  //   ∂/∂m = 2 m X,   X = 2 a e + c ė + (½ b tr e + c_t tr ė) 1.
  Varying Stress(const BodyData& body, const Varying& m, const Symmetric& rate,
                 const StrainDrags& drags) const;

  // J z of the ends at a body, taken from n×d rows.
  void SubtractRows(int body, const Columns& z, double* rows) const {
    for (int e = first_end_[body]; e < first_end_[body + 1]; ++e) {
      const End& end = ends_[e];
      Axis row = end.weight * z[0];
      for (int s = 0; s < M; ++s) row += end.p[s] * z[1 + s];
      double* to = rows + static_cast<std::ptrdiff_t>(end.constraint) * D;
      (Axis::Load(to) - row).Store(to);
    }
  }
  // Jᵀ λ at a body, λ n×d.
  Columns ConstraintForces(int body, const double* multipliers) const {
    Columns forces{};
    for (int e = first_end_[body]; e < first_end_[body + 1]; ++e) {
      const End& end = ends_[e];
      const Axis lambda = Axis::Load(multipliers + static_cast<std::ptrdiff_t>(end.constraint) * D);
      forces[0] += end.weight * lambda;
      for (int s = 0; s < M; ++s) forces[1 + s] += end.p[s] * lambda;
    }
    return forces;
  }

  // The right side of the multipliers is n̈ + 2 ζ ω ṅ + ω² n, which this writes at time t, less
  // J z of every body.
  void StartRightSide(double t, double* rows) const;
  // z = a + 2 ζ ω v + ω² q.
  Columns Feedback(const Columns& a, const Columns& rate, const Columns& R) const {
    Columns z;
    for (int s = 0; s < kTerms; ++s) z[s] = a[s] + rate_gain_ * rate[s] + gap_gain_ * R[s];
    return z;
  }

  // v⁺ = v + h a, q⁺ = q + h v⁺ of one body; adds the squares of both to `squares`.
  static void Move(double h, const Columns& a, Columns* R, Columns* rate, Axis* squares) {
    for (int s = 0; s < kTerms; ++s) {
      (*rate)[s] += h * a[s];
      (*R)[s] += h * (*rate)[s];
      *squares += Products((*rate)[s], (*rate)[s]) + Products((*R)[s], (*R)[s]);
    }
  }
  // Are all coordinates and rates below the bound, given the sum of their squares?
  bool Bounded(const Axis& squares, double bound, const double* q, const double* v) const {
    if (squares.Sum() <= bound * bound) return true;
    const auto inside = [bound](double x) { return std::abs(x) <= bound; };
    const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(bodies_.size()) * kCoordinates;
    return std::all_of(q, q + size, inside) && std::all_of(v, v + size, inside);
  }

 private:
  struct MovingNail {
    int constraint;
    Path path;
  };

  Axis gravity_;
  double rate_gain_, gap_gain_;  // 2 ζ ω, ω²
  MaterialLaw law_;
  double volume_stiffness_;
  int constraints_ = 0;
  std::vector<BodyData> bodies_;
  std::vector<End> ends_;       // body by body
  std::vector<int> first_end_;  // bodies + 1
  std::vector<double> still_;   // n×d: ω² n of still nails
  std::vector<MovingNail> moving_;
};

template <int D, int M>
AffineScene<D, M>::AffineScene(const Scene& scene, const std::vector<LinearBody>& bodies,
                               const LinearMaterial& material, const FeedbackOptions& feedback)
    : gravity_(Axis::Load(scene.gravity.data())),
      rate_gain_(2.0 * feedback.damping_ratio * feedback.frequency),
      gap_gain_(feedback.frequency * feedback.frequency),
      law_(material.law),
      volume_stiffness_(material.volume_stiffness) {
  for (const LinearBody& body : bodies) {
    BodyData data{body.mass(),
                  1.0 / body.mass(),
                  {},
                  LinearDrags(body, material),
                  {},
                  ModuliAtRest(body, material),
                  LameOf(body, material)};
    for (int s = 0; s < M; ++s) data.scale[s] = 1.0 / body.frame().extent[s];
    if (law_ == MaterialLaw::kWitkinWelch) data.quadratic = {material.stretch_stiffness, 0.0};
    if (law_ == MaterialLaw::kStVenantKirchhoff) data.quadratic = data.at_rest;
    bodies_.push_back(data);
  }
  std::vector<std::vector<End>> ends(bodies.size());
  auto add = [&](const PointRef& point, double weight) {
    End end{constraints_, weight, {}};
    for (int s = 0; s < M; ++s) {
      end.p[s] = weight * bodies[point.body].terms()(1 + s, point.point);
    }
    ends[point.body].push_back(end);
  };
  for (const Nail& nail : scene.nails) {
    add(nail.point, 1.0);
    const bool moves = nail.path.moves();
    if (moves) moving_.push_back({constraints_, nail.path});
    const Eigen::Vector3d place = gap_gain_ * nail.path.At(0.0).position;
    for (int c = 0; c < D; ++c) still_.push_back(moves ? 0.0 : place[c]);
    ++constraints_;
  }
  for (const Attachment& joint : scene.attachments) {
    add(joint.a, 1.0);
    add(joint.b, -1.0);
    still_.insert(still_.end(), D, 0.0);
    ++constraints_;
  }
  first_end_ = {0};
  for (const std::vector<End>& of_body : ends) {
    ends_.insert(ends_.end(), of_body.begin(), of_body.end());
    first_end_.push_back(static_cast<int>(ends_.size()));
  }
}

template <int D, int M>
void AffineScene<D, M>::StartRightSide(double t, double* rows) const {
  std::copy(still_.begin(), still_.end(), rows);
  for (const MovingNail& nail : moving_) {
    const PathPoint at = nail.path.At(t);
    const Eigen::Vector3d side =
        at.acceleration + rate_gain_ * at.velocity + gap_gain_ * at.position;
    std::copy(side.data(), side.data() + D,
              rows + static_cast<std::ptrdiff_t>(nail.constraint) * D);
  }
}

template <int D, int M>
auto AffineScene<D, M>::Stress(const BodyData& body, const Varying& m, const Symmetric& rate,
                               const StrainDrags& drags) const -> Varying {
  const Symmetric e = Strain(m);
  const double on_diagonal = body.quadratic.trace * Trace(e) + 2.0 * drags.trace * Trace(rate);
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
      Eigen::Matrix<double, D, M> gradient;
      for (int s = 0; s < M; ++s) m[s].Store(gradient.col(s).data());
      gradient = law_ == MaterialLaw::kNeoHookean ? NeoHookeanGradient(gradient, body.lame)
                                                  : VolumeGradient(gradient, volume_stiffness_);
      for (int s = 0; s < M; ++s) stress[s] += Axis::Load(gradient.col(s).data());
    }
  }
  for (int s = 0; s < M; ++s) stress[s] *= body.scale[s];
  return stress;
}

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONSTRAINED_DYNAMICS_AFFINE_SCENE_H_
