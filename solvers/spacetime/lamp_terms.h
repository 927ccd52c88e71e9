// The rows of a lamp jump, one small class for each part of the problem in jump_problem.h.
//
// A node holds the twelve numbers (q, q̇), of which some are unknowns and the rest given: in stance
// the base is given, at the ends everything. Physics is imposed at samples of the motion, which are
// linear in the nodes (lamp_samples.h); its derivatives by the unknowns follow from those of
// inverse dynamics,
//   ∂force/∂n_k = ∂force/∂q · ∂q/∂n_k + ∂force/∂q̇ · ∂q̇/∂n_k + ∂force/∂q̈ · ∂q̈/∂n_k ,
// and where the duration of a phase is unknown too, likewise by the interval h.

#ifndef PLIANT_SOLVERS_SPACETIME_LAMP_TERMS_H_
#define PLIANT_SOLVERS_SPACETIME_LAMP_TERMS_H_

#include <array>
#include <optional>
#include <vector>

#include "solvers/spacetime/lamp_samples.h"
#include "solvers/spacetime/lamp_trajectory.h"
#include "solvers/spacetime/phase_time.h"
#include "solvers/spacetime/program.h"

namespace pliant {

// Where the program finds the values of one node of the mesh.
struct LampNodeMap {
  static constexpr int kNumbers = 2 * articulated_lamp::kLampDof;
  static constexpr int kGiven = -1;

  int block = kGiven;  // of the program; kGiven when nothing is unknown
  int block_size = 0;
  std::array<int, kNumbers> column;  // place of each of (q, q̇) in the block, or kGiven
  // Number k is given[k] + factor[k] · its entry of the block, or given[k] where it has none.
  Eigen::Matrix<double, kNumbers, 1> given, factor;

  // Maps a node whose values are all given.
  explicit LampNodeMap(const LampNode& node);
  // Number `k` of (q, q̇) is entry `entry` of the block.
  void SetUnknown(int k, int entry);
  // Number `k` is its given value plus `slope` times entry `entry`; `slope` ≠ 0.
  void SetAlong(int k, int entry, double slope);

  // (q, q̇), taking unknowns from `block_values` (may be null when there are none).
  LampNode Read(const double* block_values) const;
  // Writes the unknowns among (q, q̇) of `node`.
  void Write(const LampNode& node, double* block_values) const;
};

// The surroundings of the lamp during a phase, and the limits of its hinges.
struct LampRules {
  double friction;                     // μ
  std::optional<double> torque_limit;  // N·m
  MotionCost cost;
  double slope = 0.0;  // rad, downhill, slope under a sliding base
};

// r of a power P [W]: r² is |P|, rounded where it is small, and r has all derivatives.
//
//   r² = √(P² + P₀²) − P₀,   r = P/D,   dr/dP = D/(2 √(P² + P₀²)),   D² = √(P² + P₀²) + P₀
//
// so that r² is less than |P| by P₀ at most.
struct PowerRoot {
  double value, slope;
};
PowerRoot RootOf(double power, double rounded);  // P, P₀ > 0

// At one sample of the motion, or the mean of two, for `share` intervals: √(share κ h) τ,
// √(share ε h) φ̈ and, where work costs, √(share π h) r(τ φ̇) as cost; torque limits; and
//   in stance, the friction cone of two contact points,  μ F_y ± F_x ≥ 0,  w F_y ± M_c ≥ 0;
//   in a slide, with N and T the force along the normal of the slope and downhill,
//     T + μ N = 0,  N ≥ 0,  w N ± M_c ≥ 0 (it slides downhill, which this term does not check);
//   in flight, no contact: F = 0, M_c = 0.
class LampPhysicsTerm : public SpacetimeTerm {
 public:
  // `lamp` outlives the term. One or two samples over two or three nodes; `time` [s] is where the
  // rows hold, for the report.
  LampPhysicsTerm(const articulated_lamp::Lamp& lamp, const LampRules& rules, LampContact contact,
                  double time, double share, const PhaseClock& clock,
                  std::vector<LampSampleWeights> samples, std::vector<LampNodeMap> nodes);
  void Evaluate(const double* const* x, double* values, double* const* jacobians) const override;

  // The motion and the force that the rows are made of; of two samples the means.
  LampSample SampleAt(const double* const* x) const;

 private:
  // Interval and nodes at x.
  double Read(const double* const* x, LampNode* nodes) const;
  LampSample Mean(const LampNode* nodes, double h) const;
  bool counts_work() const { return power_weight_ > 0.0; }
  // The rows are linear in (force, φ̈, r); `put(row, value)` receives them for an h of 1 s.
  template <typename Put>
  void Rows(const articulated_lamp::LampVector& force, const articulated_lamp::LampAngles& spin,
            const articulated_lamp::LampAngles& power_roots, double bound, const Put& put) const;

  const articulated_lamp::Lamp& lamp_;
  LampRules rules_;
  LampContact contact_;
  double torque_weight_, acceleration_weight_, power_weight_;  // roots, for an h of 1 s
  int cost_rows_;
  PhaseClock clock_;
  std::vector<LampSampleWeights> samples_;  // for 1 s
  std::vector<LampSampleWeights> fixed_;    // for h, where that is given
  std::vector<LampNodeMap> nodes_;
};

// Trapezoidal rule: q₁ − q₀ = h/2 (q̇₀ + q̇₁).
class LampTrapezoidTerm : public SpacetimeTerm {
 public:
  LampTrapezoidTerm(double time, const PhaseClock& clock, const LampNodeMap& first,
                    const LampNodeMap& second);
  void Evaluate(const double* const* x, double* values, double* const* jacobians) const override;

 private:
  PhaseClock clock_;
  LampNodeMap nodes_[2];
};

// At one node: limits of the hinges; in flight also those of the tilt, both ends of the base not
// below the floor, and five points of its underside not below any rise; always the hinges of the arms and the far end
// of the head below any beam. A rise or a beam counts from kRiseMargin beside its walls on, smoothly, so that what passes between two
// nodes does not cut its corners.
class LampLimitTerm : public SpacetimeTerm {
 public:
  static constexpr double kRiseMargin = 0.05;  // m

  // `share` [s] is the node's share of the time, `since_takeoff` [s] matters in flight only, and so
  // does the ground: `problem` defines it, and outlives the term.
  LampLimitTerm(const articulated_lamp::Lamp& lamp, const LampJumpProblem& problem,
                LampContact contact, double time, double share, double since_takeoff,
                const LampNodeMap& node);
  void Evaluate(const double* const* x, double* values, double* const* jacobians) const override;

 private:
  // `derivative(row, k, value)` of row and number k of q.
  template <typename Derivative>
  int BaseRows(const articulated_lamp::LampVector& q, double* values,
               const Derivative& derivative) const;
  template <typename Derivative>
  void BeamRows(int row, const articulated_lamp::LampVector& q, double* values,
                const Derivative& derivative) const;

  const articulated_lamp::Lamp& lamp_;
  const LampJumpProblem& problem_;
  LampContact contact_;
  LampNodeMap node_;
};

// Height [m] of a rise above y = 0 at x, as the rows see it, and its derivative.
struct GroundHeight {
  double value, derivative;
};
GroundHeight HeightOf(const LampJumpProblem::Rise& rise, double floor, double x);
// And of the underside of a beam, which ends far above it (kSky) beside its walls.
GroundHeight UndersideOf(const LampJumpProblem::Beam& beam, double x);

// Plastic impact M(q) (v⁺ − v⁻) = (Λ; 0): the hinge rows, and Λ in the friction cone. The block of
// the node holds both sides: `before` reads q and v⁻, `after` reads q and v⁺.
class LampImpactTerm : public SpacetimeTerm {
 public:
  LampImpactTerm(const articulated_lamp::Lamp& lamp, double friction, double time,
                 const LampNodeMap& before, const LampNodeMap& after);
  void Evaluate(const double* const* x, double* values, double* const* jacobians) const override;

 private:
  const articulated_lamp::Lamp& lamp_;
  double friction_;
  LampNodeMap before_, after_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_LAMP_TERMS_H_
