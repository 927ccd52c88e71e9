// A jump that the modes of a body make, found by spacetime optimisation (solvers/spacetime/deformable_jump.h) and followed by the
// simulation. Of each mode that acts, with what keeps it on the plan,
//
//   Q = Q_plan(t) − C (γ − γ_plan) − D (γ̇ − γ̇_plan),   C = m ω²,  D = 2 ζ m ω,
//
// m the inertia of the mode alone while the base stands. Nothing keeps the base on the plan, nor the modes that do not act. After
// its end the plan stays at its last pose.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_PLANNED_MODES_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_PLANNED_MODES_H_

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/dynamic_ffd/ffd_part.h"
#include "solvers/parameters.h"
#include "solvers/spacetime/deformable_jump.h"
#include "solvers/spacetime/plan_record.h"
#include "solvers/translation.h"

namespace pliant::dynamic_ffd {

struct ModeJumpOptions {
  bool planned = false;
  double distance = 0.1;                           // m
  std::vector<std::string> acts;                   // names of modes; all where it is empty
  double stance = 0.5, flight = 0.25, rest = 0.5;  // s
  double longest_stance = 0.0, longest_flight = 0.0, longest_rest = 0.0;  // s
  double time_weight = 0.0;                                               // N² m²
  double friction_margin = 0.0;
  SpacetimeStrategy method = SpacetimeStrategy::kEither;
  double step = 0.01;  // s, of the finest mesh
  int refinements = 1;
  double tracking_frequency = 4.0;      // Hz, ω/2π
  double tracking_damping_ratio = 1.0;  // ζ

  void Bind(ParameterBinder& binder);
};

class PlannedModes {
 public:
  // Plans the jump of the only body of `scene`, which is `part` and begins at (q, v). Throws BadInput (where: a parameter) for a body
  // or a scene that no such plan is for. `watch` sees the search.
  PlannedModes(const Scene& scene, const FfdPart& part, const VectorRef& q, const VectorRef& v,
               const ModeJumpOptions& keys, const DeformableJumpWatch& watch = {});

  const DeformableJumpPlan& plan() const { return *plan_; }
  bool found() const { return plan_->found(); }
  const PlanMeshes& meshes() const { return meshes_; }
  const DeformableJumpProblem& problem() const { return *problem_; }
  static constexpr char kTitle[] = "Planned jump";  // of the table
  FindingTable Describe() const;
  DeformablePlanRecord Record() const { return {*problem_, *plan_, origin_}; }

  // C and D of each mode, 0 where it does not act.
  const Eigen::VectorXd& servo_stiffness() const { return C_; }
  const Eigen::VectorXd& servo_damping() const { return D_; }

  // Sets the time [s] of the functions below. O(D²).
  void Place(double time);
  // Q_γ += the forces; returns their power [W]. O(D).
  double AddForces(const VectorRef& gamma, const VectorRef& gamma_dot, MutableVectorRef Q) const;
  // Power of the same forces at other rates [W].
  double PowerAt(const VectorRef& gamma, const VectorRef& gamma_dot, const VectorRef& other) const;

  // How far the body, at q, is from the plan at `time` [s]: the largest |γ − γ_plan| of all modes, and the middle of its base [m].
  struct Distance {
    double modes, base;
  };
  Distance From(double time, const FfdPart& part, const VectorRef& q) const;

 private:
  double Force(Eigen::Index mode, const VectorRef& gamma, const VectorRef& gamma_dot) const;

  std::shared_ptr<const DeformableJumpProblem> problem_;
  std::shared_ptr<const DeformableJumpPlan> plan_;
  PlanMeshes meshes_;                // that it was searched on
  int left_ = 0, right_ = 0;         // points, the ends of the base
  Eigen::Vector2d origin_;           // m, of the plan in the world
  Eigen::VectorXd C_, D_;            // of each mode; 0 where it does not act
  DeformableMotion::Sample sample_;  // at the time of Place()
};

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_PLANNED_MODES_H_
