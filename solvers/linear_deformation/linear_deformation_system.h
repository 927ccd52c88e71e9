// The equations of motion of all bodies of a scene under linear deformations
// [Witkin & Welch 1990, Eqs. 5, 8, 10], as a second-order system: q and v hold R and Ṙ of one body
// after the other.
//
//   1. forces at the material points: timed forces, springs, obstacles      f
//   2. generalized forces Q = Σ f pᵀ + Q of the material
//   3. free accelerations R̈ = Q W_b + g cᵀ  (pᵀc = 1, since then W_b Σ m p = c)
//   4. multipliers of bodies that are rigid, then of nails and attachments

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_LINEAR_DEFORMATION_SYSTEM_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_LINEAR_DEFORMATION_SYSTEM_H_

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "models/contact/surface_cells.h"
#include "models/disjoint_sets.h"
#include "models/linear_deformation/linear_body.h"
#include "models/linear_deformation/material.h"
#include "models/scene/forces.h"
#include "models/scene/scene.h"
#include "solvers/contact/bodies_contact.h"
#include "solvers/contact/impulse.h"
#include "solvers/contact/penalty.h"
#include "solvers/integration/second_order.h"
#include "solvers/linear_deformation/affine_step.h"
#include "solvers/linear_deformation/point_constraints.h"
#include "solvers/linear_deformation/rigid_shapes.h"

namespace pliant::linear_deformation {

enum class ContactBy { kPenalty, kImpulse };

struct ContactOptions {
  ContactBy by = ContactBy::kPenalty;
  PenaltyOptions penalty;
  void Bind(ParameterBinder& binder);
  // Does anything in the scene meet by other means than a barrier? And by impulses?
  bool Touches(const Scene& scene) const;
  bool ByImpulses(const Scene& scene) const { return by == ContactBy::kImpulse && Touches(scene); }
};

class LinearDeformationSystem final : public SecondOrderSystem {
 public:
  // `bodies` are those of the scene, in its order.
  LinearDeformationSystem(const Scene& scene, std::vector<LinearBody> bodies,
                          std::vector<LinearMaterial> materials, const ContactOptions& contact,
                          const FeedbackOptions& feedback,
                          InternalEnergy treatment = InternalEnergy::kExplicit);

  void Rates(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd* a,
             Exchange* power) override;
  // Of timed forces, of the dampers of springs and contacts, and of constraints. Drags of the
  // material are booked at v alone, where they never give energy.
  void AddPowerAt(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                  const Eigen::VectorXd& other, Exchange* power) override;
  // Length [s] of the steps whose AddPowerAt() follows: a moving nail changes its velocity too.
  void set_step(double step) { step_ = step; }

  // Whether a step of semi-implicit Euler can use affine_step.h: the same motion in less time, or
  // the implicit treatment of the internal energy.
  bool has_affine_step() const { return affine_step_ != nullptr; }
  // Like AffineStep::Step, including every force of the scene. Allocates nothing.
  bool Step(double t, double h, double bound, Eigen::VectorXd* q, Eigen::VectorXd* v,
            Exchange* work);
  // True if the iteration of the last Step() converged.
  bool step_converged() const { return affine_step_->converged(); }

  int coordinates() const { return coordinates_; }
  const std::vector<LinearBody>& bodies() const { return bodies_; }
  int first(int body) const { return first_[body]; }  // coordinate of a body's first one
  const std::vector<LinearMaterial>& materials() const { return materials_; }
  const PointConstraints& constraints() const { return constraints_; }
  const RigidShapes& rigid_shapes() const { return rigid_; }
  const SceneForces& forces() const { return forces_; }
  // Whether obstacles and bodies push with forces, not with impulses.
  bool pushes() const { return has_obstacles_ || has_body_forces_; }
  // Between bodies: one of the two.
  const BodyPenalty& body_contact() const { return bodies_contact_.penalty(); }
  SurfaceBarrier* barrier() const { return bodies_contact_.barrier(); }
  // Whether they do so with impulses, and those of the last step on points, 3×n [N s].
  bool bumps() const { return contact_by_impulses_; }
  const Eigen::Matrix3Xd& contact_impulses() const { return contact_impulses_; }
  // The forces of contact on points [N].
  void AddContactForces(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                        MutablePointsRef forces);
  // The same by pairs; of contact by impulses those of the last step [N s].
  void TallyContactForces(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                          ContactTally* tally);
  const ContactTally& tallied_impulses() const { return tallied_impulses_; }
  // Of all contacts, for points x (3×n) [J].
  double ContactEnergy(double t, const PointsRef& x);
  // Before and after all contact impulses of a step of this length [s].
  void BeginTally();
  void EndTally(double step) { tallied_impulses_.End(step); }
  // Entry points, with obstacles and between bodies, and what pairs exchanged by impulses are state.
  int EntryPointStateSize() const { return contact_.StateSize() + bodies_contact_.StateSize(); }
  int TallyStateSize() const { return contact_by_impulses_ ? tallied_impulses_.numbers() : 0; }
  int ContactStateSize() const { return EntryPointStateSize() + TallyStateSize(); }
  void SaveContact(Eigen::Ref<Eigen::VectorXd> state) const;
  void RestoreContact(const Eigen::Ref<const Eigen::VectorXd>& state);

  // Initial q and v of all bodies, as in the scene and not yet matched to constraints.
  void InitialState(const Scene& scene, Eigen::VectorXd* q, Eigen::VectorXd* v) const;

  // 3×n, of all bodies: positions from q, velocities from v. Allocates when the size changes.
  void Points(const Eigen::VectorXd& coordinates, Eigen::Matrix3Xd* points) const;
  double ElasticEnergy(const Eigen::VectorXd& q) const;  // J
  // With the masses that M_b integrates: of a box they are not those of the points. With R the coordinates
  // of a body, d×k, and c its constant, pᵀ c = 1,
  //   T = ½ tr(Ṙ M Ṙᵀ),   ∫ ẋ dm = Ṙ M c,   ∫ x ẋᵀ dm = R M Ṙᵀ,   ∫ x dm = R M c.
  MaterialSums Sums(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const;
  bool has_boxes() const;  // Is the inertia of a body that of a box?

  // Changes v by impulses at points (3×n [N s]) at time t, as constraints allow; adds their work
  // [J], that of nails that move, and the momentum that comes in.
  void ApplyImpulses(double t, const Eigen::Matrix3Xd& impulses, const Eigen::VectorXd& q,
                     Eigen::VectorXd* v, Exchange* work);
  // As PointConstraints::MatchVelocities, and bodies that are rigid strain nothing then.
  void MatchVelocities(double begin, double end, const Eigen::VectorXd& q, Eigen::VectorXd* v,
                       Exchange* work);
  // Largest gap [m] of redundant constraints that no coordinates can close at time t, 0 where there
  // are none; the gaps are left in constraint_state().
  double Contradiction(double t);
  // Changes the active rows: builds and factorises a new constraint matrix.
  void SetConstraints(const std::vector<const ConstraintRow*>& rows);
  void UpdateSegments(const std::vector<const ConstraintRow*>& rows) {
    constraints_.UpdateSegments(rows);
  }
  // After a step. Returns the work of friction on the springs of entry points [J].
  double UpdateContact(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

  // Contact by impulses (impulse.h), between BeginTally() and EndTally().
  // The bounce of what is inside at time t: changes v and adds the work on the bodies [J], also that of moving nails that
  // hold against it. False if the impulses did not converge. Ignores approaches that are negligible in a step of length h.
  bool Bounce(double t, double h, const Eigen::VectorXd& q, Eigen::VectorXd* v, Exchange* work);
  // The support of the step of length h from (t, q): constant forces, which Rates() and Step() include from
  // BeginSupport() to EndSupport(). They are 0 at first. BeginSupport() returns whether anything may need support.
  bool BeginSupport(double t, double h, const Eigen::VectorXd& q);
  // Changes the forces by what they lack where the step, made with them, ends with v. True once they lack nothing, to
  // what is negligible: after one change where the step is linear in forces.
  enum class Supported { kYes, kNotYet, kNotConverged };
  Supported AdjustSupport(const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  void EndSupport();

  // Of the last call of Rates: constraint forces λ, and gaps c and their rates ċ (n_c×d).
  const PointConstraints::Workspace& constraint_state() const { return workspace_; }

 private:
  void PointForces(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Exchange* power);
  void AddPointForces(int body);  // to generalized_
  // Power of timed forces at t, and of dampers at points, at `velocities` of points (3×n).
  void AddPowerOfPointForces(double t, const Eigen::Matrix3Xd& velocities, Exchange* power);
  void AddWeight(int body, const Eigen::VectorXd& q, Exchange* rates) const;
  // Change of v by impulses at points (3×n).
  void AddImpulses(const Eigen::Matrix3Xd& impulses, Eigen::VectorXd* v);
  // Where contact acts: with its weight at each of some points, of one body or of two. The velocity
  // of a touch is Σ weight · velocity.
  struct TouchPlaces {
    std::vector<int> first = {0}, points;  // first[j] ≤ k < first[j + 1] are those of touch j
    std::vector<double> weights;
    int size() const { return static_cast<int>(first.size()) - 1; }
    void Add(int point, double weight) {
      points.push_back(point);
      weights.push_back(weight);
    }
    void End() { first.push_back(static_cast<int>(points.size())); }
    Eigen::Vector3d VelocityOf(int touch, const Eigen::Matrix3Xd& velocities) const;
    void AddImpulse(int touch, const Eigen::Vector3d& impulse, Eigen::Matrix3Xd* impulses) const;
    bool operator==(const TouchPlaces&) const = default;
  };
  // What touches at one time.
  struct Touching {
    std::vector<ImpulseTouch> touches;
    TouchPlaces places;
    int with_obstacles = 0;  // the first ones; the others are between bodies
    int size() const { return places.size(); }
  };
  // At (t, q). The last one is kept, and its points are in points_.
  const Touching& FindTouching(double t, const Eigen::VectorXd& q);
  // The velocity [m/s] that is nothing in a step of length h.
  double Negligible(double h) const;
  // Of each touch, for the velocities of coordinates.
  Eigen::Matrix3Xd VelocitiesOf(const Touching& touching, const Eigen::VectorXd& v);
  void TallyImpulse(const ImpulseTouch& touch, const Eigen::Vector3d& impulse);
  // Adds the power of support at these velocities of points, but for what moving obstacles give.
  void AddPowerOfSupport(const Eigen::Matrix3Xd& velocities, Exchange* power) const;
  // Adds those of edges and faces in obstacles, where these meet them.
  void AddSurfaceTouches(double t, std::vector<ImpulseTouch>* touches, TouchPlaces* places);
  // Adds those of bodies inside one another.
  void AddBodyTouches(std::vector<ImpulseTouch>* touches, TouchPlaces* places);
  int BodyOf(int point) const;
  // Touches of bodies that constraints or touches join, directly or through others, in the order of
  // their first.
  std::vector<std::vector<int>> IslandsOf(const TouchPlaces& places) const;
  // G of SolveImpulses at q. Since W, J and p are constant but for bodies that are rigid, it is the
  // same whenever the same places touch, at the same q where bodies are rigid; the last one is kept.
  const ImpulseResponse& ContactResponse(const Eigen::VectorXd& q, const TouchPlaces& places);
  // G P of the last ContactResponse(), 3×t.
  Eigen::Matrix3Xd ResponseTo(const Eigen::Matrix3Xd& impulses) const;
  // What constraints leave of a change of velocities at q. Leaves the impulses of held points in the
  // workspace.
  void ConstrainChange(const Eigen::VectorXd& q, Eigen::VectorXd* change);

  std::vector<LinearBody> bodies_;
  std::vector<int> first_, first_point_;
  int coordinates_ = 0;
  std::vector<LinearMaterial> materials_;  // of each body
  SceneForces forces_;
  ContactTally tallied_impulses_;
  PenaltyContact contact_;
  BodiesContact bodies_contact_;
  PointConstraints constraints_;
  RigidShapes rigid_;
  FeedbackOptions feedback_;
  bool contact_by_impulses_;
  Eigen::Matrix3Xd contact_impulses_;  // empty unless contact is by impulses
  double kept_depth_;                  // m, δ₀ of impulse.h
  // Not where strain is treated implicitly, whose response to a force over a step is not the one to an impulse: depth is
  // removed by the bounce then.
  bool supports_;
  std::unique_ptr<SurfaceCells> cells_;   // null unless edges and faces meet obstacles by impulses
  std::vector<SurfacePlace> found_;       // scratch
  std::vector<Eigen::Vector3d> between_;  // scratch: places of touches between bodies
  bool has_obstacles_, has_body_forces_;  // obstacles, bodies that push with forces
  bool has_point_forces_;
  std::unique_ptr<AffineStep> affine_step_;  // null where the scene has none
  std::vector<int> acted_on_;                // points of springs and timed forces
  std::vector<Eigen::VectorXd> moments_;     // of each body: Σ m p, k
  double step_ = 0.0;                        // s
  Eigen::VectorXd start_;                    // coordinates with which the scene begins

  // Scratch.
  Eigen::Matrix3Xd points_, velocities_, point_forces_, damping_, contact_working_, later_;
  Eigen::VectorXd generalized_;
  PointConstraints::Workspace workspace_;
  Touching touching_;
  double touching_time_ = 0.0;
  Eigen::VectorXd touching_at_;  // q; empty: nothing is known
  struct {
    bool acts = false;
    double step = 0.0;              // s
    Eigen::Matrix3Xd impulses;      // of touches, 3×t [N s]
    Eigen::Matrix3Xd of_obstacles;  // N, on points, 3×n
    Eigen::Matrix3Xd forces;        // the same and those between bodies
    double active = 0.0;            // W, of obstacles that move
  } support_;                       // of touching_
  TouchPlaces answering_;           // the places of contact_response_
  Eigen::VectorXd answering_at_;    // q, where bodies are rigid
  ImpulseResponse contact_response_;
  DisjointSets joined_;  // bodies that constraints join
};

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_LINEAR_DEFORMATION_SYSTEM_H_
