// The rows of a lamp jump, one small class for each part of the problem in motion_problem.h.
//
// A node holds the twelve numbers (q, q̇), of which some are unknowns and the rest given: in stance
// the base is given, at the ends everything. A term between two nodes is evaluated on the cubic
// through them; its derivatives by the unknowns follow from those of inverse dynamics,
//   ∂force/∂n_k = ∂force/∂q · ∂q/∂n_k + ∂force/∂q̇ · ∂q̇/∂n_k + ∂force/∂q̈ · ∂q̈/∂n_k .

#ifndef PLIANT_SOLVERS_SPACETIME_LAMP_TERMS_H_
#define PLIANT_SOLVERS_SPACETIME_LAMP_TERMS_H_

#include <array>
#include <optional>

#include "solvers/spacetime/lamp_trajectory.h"
#include "solvers/spacetime/program.h"

namespace pliant {

// One node of the mesh as a program sees it.
struct LampNodeMap {
  static constexpr int kNumbers = 2 * kLampDof;
  static constexpr int kGiven = -1;

  int block = kGiven;  // of the program; kGiven when nothing is unknown
  int block_size = 0;
  std::array<int, kNumbers> column;          // place of each of (q, q̇) in the block, or kGiven
  Eigen::Matrix<double, kNumbers, 1> given;  // the values where it is

  // Everything given.
  explicit LampNodeMap(const LampNode& node);
  // Number `k` of (q, q̇) is entry `entry` of the block.
  void SetUnknown(int k, int entry) { column[k] = entry; }

  // (q, q̇), taking unknowns from `block_values` (may be null when there are none).
  LampNode Read(const double* block_values) const;
  // Writes the unknowns among (q, q̇) of `node`.
  void Write(const LampNode& node, double* block_values) const;
};

// What the lamp meets during an interval, and what is asked of its hinges.
struct LampRules {
  double friction;                     // μ
  std::optional<double> torque_limit;  // N·m
  MotionCost cost;
};

// At one Gauss point of an interval of h seconds: √(h/2) τ and √(εh/2) φ̈ as cost; torque limits;
// and, in stance, the friction cone of two contact points,
//   μ F_y ± F_x ≥ 0,  w F_y ± M_c ≥ 0,
// or, in flight, no contact: F = 0, M_c = 0.
class LampGaussTerm : public SpacetimeTerm {
 public:
  // `lamp` outlives the term. `point` is 0 or 1. `start` [s] is the time of the first node.
  LampGaussTerm(const Lamp& lamp, const LampRules& rules, LampContact contact, double start,
                double h, int point, const LampNodeMap& first, const LampNodeMap& second);
  void Evaluate(const double* const* x, double* values, double* const* jacobians) const override;

 private:
  const Lamp& lamp_;
  LampContact contact_;
  double friction_;
  std::optional<double> torque_limit_;
  double torque_weight_, acceleration_weight_;  // roots
  HermiteWeights weights_;
  LampNodeMap nodes_[2];
};

// At one node: limits of the hinges; in flight also those of the tilt, and y ± w sin θ ≥ 0.
class LampLimitTerm : public SpacetimeTerm {
 public:
  // `share` [s] is the node's share of the time, `since_takeoff` [s] matters in flight only.
  LampLimitTerm(const Lamp& lamp, LampContact contact, double time, double share,
                double since_takeoff, const LampNodeMap& node);
  void Evaluate(const double* const* x, double* values, double* const* jacobians) const override;

 private:
  const Lamp& lamp_;
  LampContact contact_;
  LampNodeMap node_;
};

// Plastic impact M(q) (v⁺ − v⁻) = (Λ; 0): the hinge rows, and Λ in the friction cone. The block of
// the node holds both sides: `before` reads q and v⁻, `after` reads q and v⁺.
class LampImpactTerm : public SpacetimeTerm {
 public:
  LampImpactTerm(const Lamp& lamp, double friction, double time, const LampNodeMap& before,
                 const LampNodeMap& after);
  void Evaluate(const double* const* x, double* values, double* const* jacobians) const override;

 private:
  const Lamp& lamp_;
  double friction_;
  LampNodeMap before_, after_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_LAMP_TERMS_H_
