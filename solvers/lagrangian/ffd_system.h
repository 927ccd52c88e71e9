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

#include "models/dynamic_ffd/ffd_body.h"
#include "models/scene/forces.h"
#include "solvers/contact/penalty.h"
#include "solvers/integration/second_order.h"
#include "solvers/lagrangian/constraint_springs.h"
#include "solvers/lagrangian/inertia.h"
#include "solvers/lagrangian/mode_control.h"

namespace pliant {

// One body with the potentials of its modes.
struct FfdPart {
  FfdBody body;
  Eigen::VectorXd stiffness;  // K, D [J]
  Eigen::VectorXd damping;    // D, D [J s]
  std::unique_ptr<FfdInertia> inertia;
  int first_q = 0, first_v = 0, first_point = 0;  // where it is in q, v and the points
};

class FfdSystem final : public SecondOrderSystem {
 public:
  // `parts` in the order of the scene's bodies; their places in q and v are set here.
  FfdSystem(std::shared_ptr<const Scene> scene, std::vector<FfdPart> parts,
            const PenaltyOptions& contact, const ConstraintSpringOptions& constraints);

  int coordinates() const { return coordinates_; }
  int velocities() const { return velocities_; }
  const std::vector<FfdPart>& parts() const { return parts_; }
  PenaltyContact& contact() { return contact_; }
  const PenaltyContact& contact() const { return contact_; }
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
  void AddPointForces(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                      Eigen::VectorXd* Q, WorkByClass* power);
  void AddGeneralizedForces(const Eigen::VectorXd& q, Eigen::VectorXd* Q);

  std::shared_ptr<const Scene> scene_;
  std::vector<FfdPart> parts_;
  SceneForces forces_;
  PenaltyContact contact_;
  ConstraintSprings constraints_;
  std::vector<ModeControl> controls_;
  std::vector<int> control_of_;  // by part: index into controls_, or −1
  bool feels_points_;            // are there forces on single points?
  int coordinates_ = 0, velocities_ = 0;
  const FfdPart* singular_ = nullptr;

  Eigen::Matrix3Xd x_, x_dot_, point_forces_, class_forces_, local_;  // scratch
  Eigen::VectorXd impulse_;
  mutable Eigen::VectorXd mode_forces_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_LAGRANGIAN_FFD_SYSTEM_H_
