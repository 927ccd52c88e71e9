// The equations of motion of all bodies of a scene in their lattices, as a second-order system:
//
//   M(q) v̇ = Q + h(q, v)     [Faloutsos 1995, Eq. 4.21]
//   Q = Σ Jᵀ f (springs, timed forces, contact, what stands in for constraints)   (4.20)
//     + Σ Jᵀ m g
//     − 2 K γ − D γ̇
//     − C (γ − γ⁰) − D γ̇ of the servos, where a pose graph controls the body   (Ch. 5)
//
// The source prints Q = +2 K γ for the potential V = K γ² (Sec. 4.7); Q = −∂V/∂γ has the minus, and
// likewise its damping (5.1). M is block diagonal: one block per body.

#ifndef PLIANT_SOLVERS_LAGRANGIAN_FFD_SYSTEM_H_
#define PLIANT_SOLVERS_LAGRANGIAN_FFD_SYSTEM_H_

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "models/scene/forces.h"
#include "solvers/integration/second_order.h"
#include "solvers/lagrangian/constraint_springs.h"
#include "solvers/lagrangian/ffd_contact.h"
#include "solvers/lagrangian/ffd_part.h"
#include "solvers/lagrangian/mode_control.h"

namespace pliant {

class FfdSystem final : public SecondOrderSystem {
 public:
  // `parts` in the order of the scene's bodies; their places in q and v are set here.
  FfdSystem(std::shared_ptr<const Scene> scene, std::vector<FfdPart> parts,
            const PenaltyOptions& contact, const ConstraintSpringOptions& constraints);

  int coordinates() const { return coordinates_; }
  int velocities() const { return velocities_; }
  const std::vector<FfdPart>& parts() const { return parts_; }
  const FfdContact& contact() const { return contact_; }
  const ConstraintSprings& constraints() const { return constraints_; }

  // Puts a body under pose control; at most one control for each body. Start() comes before the
  // first step.
  void AddControl(ModeControl control);
  std::vector<ModeControl>& controls() { return controls_; }
  const std::vector<ModeControl>& controls() const { return controls_; }

  void Rates(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v, Eigen::VectorXd* a,
             WorkByClass* power) override;
  void ConfigurationRate(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                         Eigen::VectorXd* q_dot) const override;
  void Project(Eigen::VectorXd* q) const override;

  // Impulses p (3×n) [N s]: v += M⁻¹ Jᵀ p. Returns their work ½ Σ p·(ẋ⁻ + ẋ⁺) [J].
  double ApplyImpulses(const Eigen::VectorXd& q, const PointsRef& p, Eigen::VectorXd* v);

  // Entry points of the contact after a step that ended at `t`.
  void UpdateContact(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);
  void RestoreContact(const Eigen::Ref<const Eigen::VectorXd>& state) {
    contact_.Restore(state, parts_);
  }

  // Poses at the start, and after a step of `step` that ended at `t`.
  void StartControl(double t, const Eigen::VectorXd& q);
  void UpdateControl(double t, double step, const Eigen::VectorXd& q);
  // Σ |Q_k γ̇_k| of all forces on the modes of all bodies, potentials, damping and servos [W].
  double DeformationPower(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const;

  // Part whose mass matrix was not positive definite in an evaluation since the last call, or null.
  const FfdPart* TakeSingular();

  // World positions and velocities of all points, 3×n.
  void Points(const Eigen::VectorXd& q, Eigen::Matrix3Xd* x) const;
  void PointVelocities(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                       const Eigen::Matrix3Xd& x, Eigen::Matrix3Xd* x_dot) const;

  double ModeEnergy(const Eigen::VectorXd& q) const;               // Σ K γ² [J]
  double SpringEnergy(double t, const Eigen::Matrix3Xd& x) const;  // of springs and constraints [J]

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
                             WorkByClass* power);
  // class_forces_ of the held points are added to point_forces_; returns their power [W].
  double TakeClassForces();
  void ClearClassForces();

  std::shared_ptr<const Scene> scene_;
  std::vector<FfdPart> parts_;
  SceneForces forces_;
  FfdContact contact_;
  ConstraintSprings constraints_;
  std::vector<ModeControl> controls_;
  std::vector<int> control_of_;  // by part: index into controls_, or −1
  std::vector<HeldPoint> held_;
  int coordinates_ = 0, velocities_ = 0;
  const FfdPart* singular_ = nullptr;

  PlacedBodies bodies_;  // at placed_q_
  Eigen::VectorXd placed_q_;

  // Scratch, 3×n; of the columns of held points only, in a step.
  Eigen::Matrix3Xd x_, x_dot_, point_forces_, class_forces_;
  Eigen::VectorXd at_rest_;
  mutable Eigen::VectorXd mode_forces_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_LAGRANGIAN_FFD_SYSTEM_H_
