// The displacements that close gaps [Palazzi 1993, Sec. 3.2], and the sweeps over all of them
// [Palazzi 1993, Fig. 3.8].
//
// A gap d = P₂ − P₁ between endpoints at r₁, r₂ from the centres of their segments is answered by
// "displacement impulses" ±p [kg m], which move and turn both segments at once:
//
//   ΔG₁ = p_t / m₁        ΔU₁ = J₁⁻¹ (r₁ × p_r)
//   ΔG₂ = −p_t / m₂       ΔU₂ = −J₂⁻¹ (r₂ × p_r)          Σ m G stays where it is (3.1)
//
//   source      p_t = t_f μ d, p_r = r_f μ d, μ = m₁ m₂/(m₁ + m₂)   (3.3), (3.4), (3.8), (3.9)
//   corrected   p_t = p_r = p with (W₁ + W₂) p = d, W_i = 1/m_i − [r_i]ₓ J_i⁻¹ [r_i]ₓ
//
// "To reduce complexity" the source replaces masses and inertias by factors of the animator
// [Palazzi 1993, Secs. 3.2.2, 3.7]:
//
//   unweighted  ΔG₁ = t_f d/2, ΔU₁ = r_f (r₁ × d)/(2 r₁²), and the same the other way for 2
//
// Its γ is t_f = γ, r_f = 1 − γ: a gap at right angles to both segments is closed whatever γ,
// shrinking by 1 − t_f − r_f. Σ m G stays only where masses are equal. (The source does not say in
// which unit r_f is; here both factors are the shares of the gap that each motion closes.)
//
// Every impulse may be multiplied by a factor ω of over-relaxation, and stored: the sum over
// the sweeps of a step is h² times the force of the joint, with which the next step can
// begin.
//
// Departure from the print: the stiffness (3.7) is chosen as if translation alone closed the gap,
// and the rotation then comes on top. A gap at right angles to both segments shrinks by the factor
// 1 − t_f − r_f μ (ℓ₁²/4J₁ + ℓ₂²/4J₂), −1/4 with the source's unit inertia but −3 for true rods,
// which diverges. The corrected rule divides by the mobility W of the endpoints, by which an
// impulse displaces them with both motions: to first order one correction closes one gap, whatever
// its direction. (To divide by n·(W₁ + W₂)n, n = d/|d|, is not enough: it closes the gap along n,
// but can leave more across than there was, −1.15 times at the borders of a sheet; rounding then
// grows.)

#ifndef PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_CORRECTOR_H_
#define PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_CORRECTOR_H_

#include <Eigen/Core>
#include <span>

#include "models/displacement_constraints/hierarchy.h"
#include "models/displacement_constraints/segment_net.h"
#include "solvers/displacement_constraints/options.h"
#include "solvers/holds/point_mover.h"

namespace pliant::displacement_constraints {

struct Correction {
  CorrectionRule rule = CorrectionRule::kCorrected;
  double translation_factor = 1.0;  // t_f, r_f; not of the corrected rule
  double rotation_factor = 1.0;
  double relaxation = 1.0;               // ω
  Eigen::Matrix3Xd* impulses = nullptr;  // 3×pairs, summed up where given [kg m]
  // Σ arm u·p of each segment, by whatever impulses p displace it, summed up where given [kg m²]:
  // what stretches it (SegmentSystem::Tensions). Not of the unweighted rule.
  Eigen::VectorXd* pulled = nullptr;
  // Σ arm (u − u₀) × p of each segment, 3×S, summed up where given [kg m²]: what its impulses turned it
  // by beyond what they would have at the axis u₀ of its free motion, 3×S. Of the corrected rule.
  const Eigen::Matrix3Xd* free_axes = nullptr;
  Eigen::Matrix3Xd* turned_arms = nullptr;
};

// Moves the segments of one level. Refers to the matrices it is given, 3×S each.
class Corrector final : public PointMover {
 public:
  Corrector(const SegmentNet& net, const SegmentGeometry& geometry, const Correction& correction,
            Eigen::Matrix3Xd* centres, Eigen::Matrix3Xd* axes);

  Eigen::Vector3d Endpoint(int endpoint) const;
  Eigen::Vector3d Point(int point) const;  // mean of its endpoints
  Eigen::Vector3d Point(const WeightedPoint& point) const override;

  // One correction between two endpoints of different segments. Returns its impulse p on the first.
  Eigen::Vector3d ClosePair(int first, int second);
  // Pulls two endpoints by ±p [kg m]; with the unweighted rule p is d/2 [m].
  void Pull(int first, int second, const Eigen::Vector3d& p);
  // The consecutive pairs of endpoints at a point; backwards: in the opposite order. Moves the
  // segments that meet there and no other.
  void SweepJoint(int point, bool backwards = false);
  // One sweep: all points in this order, or backwards. O(segments).
  void SweepJoints(std::span<const int> points, bool backwards = false);
  // Pulls every pair by its column of `impulses`, 3×pairs.
  void PullJoints(const Eigen::Matrix3Xd& impulses);

  // Mobility [1/kg] of a point, to whose endpoints an impulse goes in equal shares as a force does.
  Eigen::Matrix3d Mobility(int point) const;
  // The largest mobility a point can have in any direction of its segments [1/kg].
  double LargestMobility(int point) const;
  // Of a weighted point, whose points may share segments: exact for one point, else an upper bound
  // that holds whatever their coupling, so that a correction never overshoots.
  Eigen::Matrix3d Mobility(const WeightedPoint& point) const override;
  double LargestMobility(const WeightedPoint& point) const override;
  Eigen::Matrix3d Coupling(int p, int q) const override;
  // Displaces a point by an impulse [kg m]; with the unweighted rule as with the source's.
  void Push(int point, const Eigen::Vector3d& impulse);
  void Push(const WeightedPoint& point, const Eigen::Vector3d& impulse) override;

  // Makes the axes unit again; their length drifts by rounding only.
  void NormaliseAxes();

 private:
  // W = across − turning u uᵀ of an endpoint: how far an impulse displaces it across its segment,
  // and how much of that is rotation [1/kg].
  double Turning(int endpoint) const;
  Eigen::Vector3d ImpulseFor(int first, int second, const Eigen::Vector3d& gap) const;
  void Displace(int endpoint, const Eigen::Vector3d& translation_impulse,
                const Eigen::Vector3d& rotation_impulse);
  // The centre goes by `by`, the axis turns by |towards| to the side of `towards`, which is at
  // right angles to it.
  void Move(int segment, const Eigen::Vector3d& by, const Eigen::Vector3d& towards);

  const SegmentNet& net_;
  Correction correction_;
  const double* arms_;
  const double* inverse_masses_;
  const double* inverse_inertias_;
  Eigen::Matrix3Xd& centres_;
  Eigen::Matrix3Xd& axes_;
};

}  // namespace pliant::displacement_constraints

#endif  // PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_CORRECTOR_H_
