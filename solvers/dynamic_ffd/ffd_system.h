// The equations of motion of all bodies of a scene in their lattices, as a second-order system:
//
//   M(q) v̇ = Q + h(q, v)     [Faloutsos 1995, Eq. 4.21]
//   Q = Σ Jᵀ f (springs, timed forces, contact, what stands in for constraints)   (4.20)
//     + Σ Jᵀ m g
//     − ∂V/∂γ − D γ̇,    V = γᵀ K γ; K and D diagonal unless modes are coupled; a mode may have
//                       V = K |γ|^p in place of its diagonal entry
//     or of the strain energy and viscosity of the material of the body (material_energy.h), and its
//     damping −α M v
//     − C (γ − γ⁰) − D γ̇ of the servos, where a pose graph controls the body   (Ch. 5)
//     + what a plan makes its modes do (planned_modes.h)
//
// The source prints Q = +2 K γ for the potential V = K γ² (Sec. 4.7); Q = −∂V/∂γ has the minus, and
// likewise its damping (5.1). M is block diagonal: one block per body.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_FFD_SYSTEM_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_FFD_SYSTEM_H_

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

#include "models/scene/forces.h"
#include "solvers/contact/bodies_contact.h"
#include "solvers/control/noticing.h"
#include "solvers/dynamic_ffd/constraint_springs.h"
#include "solvers/dynamic_ffd/ffd_contact.h"
#include "solvers/dynamic_ffd/ffd_part.h"
#include "solvers/dynamic_ffd/key_framed_body.h"
#include "solvers/dynamic_ffd/mode_control.h"
#include "solvers/dynamic_ffd/planned_modes.h"
#include "solvers/integration/second_order.h"
#include "solvers/parallel/thread_team.h"
#include "solvers/simulation.h"

namespace pliant::dynamic_ffd {

// Beyond it a run has diverged: amplitudes are about 1 where modes are drawn.
inline constexpr double kLargestAmplitude = 1e6;

class DynamicFfdSystem final : public SecondOrderSystem {
 public:
  // `parts` in the order of the scene's bodies; their places in q and v are set here.
  DynamicFfdSystem(std::shared_ptr<const Scene> scene, std::vector<FfdPart> parts,
                   const PenaltyOptions& contact, const ConstraintSpringOptions& constraints);

  // Bodies are accelerated by so many threads; the results do not change.
  void ShareAmong(int threads) { team_ = ThreadTeam(threads); }

  const std::shared_ptr<const Scene>& scene() const { return scene_; }
  int coordinates() const { return coordinates_; }
  int velocities() const { return velocities_; }
  const std::vector<FfdPart>& parts() const { return parts_; }
  const FfdContact& contact() const { return contact_; }
  const ConstraintSprings& constraints() const { return constraints_; }

  // Adds pose control or key frames to a body; at most one of each per body.
  void AddControl(ModeControl control);
  void RemoveControls();
  void AddKeyFrames(KeyFramedBody key_frames);
  // The only body follows the plan.
  void Follow(PlannedModes plan) { plan_.emplace(std::move(plan)); }
  const std::optional<PlannedModes>& plan() const { return plan_; }
  std::vector<ModeControl>& controls() { return controls_; }
  const std::vector<ModeControl>& controls() const { return controls_; }

  void Rates(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd* a,
             Exchange* power) override;
  // Skips bodies in prescribed motion: EndStep() books their work.
  void AddPowerAt(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                  const Eigen::VectorXd& other, Exchange* power) override;
  void ConfigurationRate(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                         Eigen::VectorXd* q_dot) const override;
  void Project(Eigen::VectorXd* q) const override;

  // Does Exchange::impulse contain every force from outside? It does not contain the force with
  // which key frames move a body.
  bool explains_momentum() const { return key_frames_.empty(); }

  // Impulses p (3×n) [N s]: v += M⁻¹ Jᵀ p. Their work ½ Σ p·(ẋ⁻ + ẋ⁺) [J] is added to `work`, and
  // the work that keeps a driven amplitude at its rate.
  void ApplyImpulses(const Eigen::VectorXd& q, const PointsRef& p, Eigen::VectorXd* v,
                     Exchange* work);

  // Stops amplitudes that have passed their limits in a step that ended at `t`, and books the
  // energy that goes as that of an impact. O(1) where no mode has limits.
  void HoldLimits(double t, Eigen::VectorXd* q, Eigen::VectorXd* v, Exchange* work);

  // Total energy [J]: kinetic, and potential of weight, modes, springs and barriers.
  double Energy(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

  // Entry points of the contact after a step that ended at `t`. Returns the work of friction on
  // their springs [J].
  double UpdateContact(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  // Entry points, with obstacles and between bodies, are state.
  int ContactStateSize() const { return contact_.StateSize() + bodies_contact_.StateSize(); }
  void SaveContact(Eigen::Ref<Eigen::VectorXd> state) const;
  void RestoreContact(const Eigen::Ref<const Eigen::VectorXd>& state);
  bool touches() const { return !contact_.empty() || !body_contact().empty(); }
  // Between bodies: one of the two.
  SurfaceBarrier* barrier() const { return bodies_contact_.barrier(); }
  const BodyPenalty& body_contact() const { return bodies_contact_.penalty(); }

  // Control, before the first step: sets (q, v) to the key frames at `t`, and starts poses and
  // noticing.
  void StartControl(double t, Eigen::VectorXd* q, Eigen::VectorXd* v);
  // Before a step of `step` from `t`: determines the bodies in prescribed motion.
  void BeginStep(double t, double step, const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  bool IsLed(size_t part) const { return led_[part]; }  // through the step that has begun
  // After it, at its end `t`: sets prescribed bodies to their motion and books the work.
  void EndStep(double t, Eigen::VectorXd* q, Eigen::VectorXd* v, Exchange* work);
  // Then updates poses and noticing; true when a pose changes.
  bool UpdateControl(double t, double step, const Eigen::VectorXd& q);
  // The state of the control.
  int ControlStateSize() const;
  void SaveControl(MutableVectorRef state) const;
  void RestoreControl(const VectorRef& state);

  // Q_k γ̇_k of all forces on each mode of each body, potentials, damping and servos [W]: body after
  // body. O(D²).
  void ModePowers(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                  Eigen::VectorXd* power);

  // Part whose mass matrix was not positive definite in an evaluation since the last call, or null.
  const FfdPart* TakeSingular();

  // World positions and velocities of all points, 3×n.
  void Points(const Eigen::VectorXd& q, Eigen::Matrix3Xd* x) const;
  void PointVelocities(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                       const Eigen::Matrix3Xd& x, Eigen::Matrix3Xd* x_dot) const;

  // Σ K |γ|^p, and the strain energy of materials [J].
  double ModeEnergy(const Eigen::VectorXd& q) const;
  static double ModeEnergyOf(const FfdPart& part, const VectorRef& gamma);  // of one body
  // Sums over the mass of all bodies; absent where all of it is at the points.
  std::optional<MaterialSums> Sums(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const;
  // Energy of contact springs and barriers [J].
  double ContactEnergy(double t, const PointsRef& x) {
    return contact_.Energy(t, x) + bodies_contact_.Energy(t, x);
  }
  // The forces of both on points x, v (3×n) [N].
  void AddContactForces(double t, const PointsRef& x, const PointsRef& v, MutablePointsRef forces) {
    contact_.AddPointForces(t, x, v, forces);
    Exchange unused;
    if (!bodies_contact_.empty()) bodies_contact_.AddForces(t, x, v, forces, &unused);
  }
  // The same by pairs.
  void TallyContactForces(double t, const PointsRef& x, const PointsRef& v, ContactTally* tally) {
    contact_.TallyForces(t, x, v, tally);
    if (!bodies_contact_.empty()) bodies_contact_.TallyForces(t, x, v, tally);
  }

 private:
  // A point that springs, nails, attachments or timed forces act on.
  struct HeldPoint {
    int part, local, point;
    Eigen::Vector3d lever;
  };
  void FindHeldPoints();
  // Places the bodies at q, unless they are there.
  void Locate(const Eigen::VectorXd& q);
  void AddForcesOnHeldPoints(double t, const Eigen::VectorXd& v, Eigen::VectorXd* Q,
                             Exchange* power);
  // Of bodies on each other; of the last of them the power at other velocities [W].
  void AddBodyContact(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                      Eigen::VectorXd* Q, Exchange* power);
  double PowerOfBodyContact(const Eigen::VectorXd& q, const Eigen::VectorXd& other);
  // class_forces_ of the held points are added to point_forces_; returns their power [W].
  double TakeClassForces();
  void ClearClassForces();
  struct ModePowerOf {
    double damping, control;
  };
  // Calls visit(b) for all parts, each by one thread.
  template <typename Visit>
  void ForEachPart(const Visit& visit);
  // Of part b in Rates(), which has Σ Jᵀ f of the points in `a`: what touches no other part.
  struct PartRates {
    ModePowerOf of_modes;
    bool singular;
  };
  PartRates AccelerateAlone(size_t b, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                            Eigen::VectorXd* a);
  // Is part b moved by nothing but forces?
  bool IsAlone(size_t b) const { return !led_[b] && noticing_of_[b] < 0 && morph_of_[b] < 0; }
  // Of part b in Rates(), which has Σ Jᵀ f of the points in `a`.
  void LeadPart(size_t b, double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                Eigen::VectorXd* a, Exchange* power);
  void AcceleratePart(size_t b, double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                      Eigen::VectorXd* a, Exchange* power);
  // Momentum that the weight of a part gives it, whose inertia is placed at q.
  void AddWeight(const FfdPart& part, const Eigen::VectorXd& q, Exchange* rates);
  // Force and torque of generalized forces Q from outside on a part at q.
  static void AddForceOf(const FfdPart& part, const Eigen::VectorXd& q, const Eigen::VectorXd& Q,
                         Exchange* rates);
  static double MassDamping(const FfdPart& part) {
    return part.material ? part.material->material().mass_damping : 0.0;
  }
  static void AddMassDamping(const FfdPart& part, const Eigen::VectorXd& q,
                             const Eigen::VectorXd& v, Eigen::VectorXd* a, Exchange* rates);
  bool has_mass_between_points() const;
  MaterialSums SumsOf(const FfdPart& part, const Eigen::VectorXd& q,
                      const Eigen::VectorXd& v) const;
  // Of part b in AddPowerAt(): of the forces on its modes, and of those that hold or morph it.
  void AddPartPowerAt(size_t b, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                      const Eigen::VectorXd& other, Exchange* power);
  void AddPowerOnHeldPointsAt(double t, const Eigen::VectorXd& other, Exchange* power);
  // Generalized weight of a body that has not noticed that it should fall, into held_up_: the force
  // that holds it up is opposite. False for a body that feels its weight.
  bool FindHeldUp(size_t b, const Eigen::VectorXd& q);
  // Computes all point positions if sensors or noticing need them, O(nD); else does
  // nothing.
  void PlaceFelt(const Eigen::VectorXd& q);
  void UpdateNoticing(double t, double step, const Eigen::VectorXd& q);
  // Forces of the potentials, damping and servos of part b on its modes are added to `forces` (D);
  // returns the power of damping and servos [W].
  ModePowerOf AddModeForces(size_t b, const VectorRef& gamma, const VectorRef& gamma_dot,
                            MutableVectorRef forces) const;
  void FindUncoupled();
  // Kinetic, gravitational and mode energy of a part [J].
  double PartEnergy(const FfdPart& part, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

  std::shared_ptr<const Scene> scene_;
  std::vector<FfdPart> parts_;
  SceneForces forces_;
  FfdContact contact_;
  BodiesContact bodies_contact_;
  ConstraintSprings constraints_;
  std::vector<ModeControl> controls_;
  std::vector<KeyFramedBody> key_frames_;
  std::optional<PlannedModes> plan_;
  std::vector<Noticing> noticing_;
  std::vector<int> control_of_, key_frames_of_, noticing_of_, morph_of_;  // by part: index, or −1
  std::vector<bool> led_;              // by part: through the present step
  std::vector<double> energy_before_;  // by part, where led [J]
  // By part: what forces, weight and velocities do on its driven amplitude in Rates() [J].
  std::vector<double> overcome_;
  // 2K and D of a part of whose modes none is coupled to another, D×2; else empty.
  std::vector<Eigen::MatrixX2d> uncoupled_;
  std::vector<HeldPoint> held_;
  ThreadTeam team_{1};
  std::vector<PartRates> part_rates_;  // scratch of Rates(), by part
  int coordinates_ = 0, velocities_ = 0, modes_ = 0;
  // M(q) of the part is not positive definite. Where q overflows, no M is: then q says what grew,
  // and the part is not called singular.
  void CannotFactorise(const FfdPart& part, const Eigen::VectorXd& q);
  const FfdPart* singular_ = nullptr;

  PlacedBodies bodies_;  // at placed_q_
  Eigen::VectorXd placed_q_;

  // Scratch, 3×n; of the columns of held points only, in a step.
  Eigen::Matrix3Xd x_, x_dot_, point_forces_, class_forces_;
  Eigen::VectorXd at_rest_;
  Eigen::VectorXd led_q_, led_v_, held_up_, of_free_, weight_;
  Eigen::Matrix3Xd other_;
  // Of contact between bodies, 3×n; local_ of one body after the other.
  Eigen::Matrix3Xd met_x_, met_v_, met_forces_, met_working_;
  std::vector<Eigen::Matrix3Xd> local_;
};

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_FFD_SYSTEM_H_
