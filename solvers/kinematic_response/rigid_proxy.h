// The rigid body that supplies the inertia that a kinematic surface lacks: it carries the frame of
// the surface, falls and turns by Newton and Euler, and moves under external forces and moments,
// including the reaction of the surface to obstacles.
//
//   Ṗ = Σ f,   L̇ = Σ (x − c) × f,   ċ = P/m,   Q̇ = [ω]× Q,   ω = Q J⁻¹ Qᵀ L
//
// Kick, drift, kick (velocity Verlet): order two, exact on a parabola; L is kept exactly. The drift
// turns by the angular velocity in its middle. P, L and c are those of the undeformed points; the
// deformation of the surface has no momentum.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_RIGID_PROXY_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_RIGID_PROXY_H_

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace pliant::kinematic_response {

class RigidProxy {
 public:
  static constexpr int kStateSize = 13;

  // Points and velocities (3×n, world) at the start; masses [kg]; orientation of the axes of the
  // body. A planar body turns about z only.
  RigidProxy(const Eigen::Matrix3Xd& points, const Eigen::Matrix3Xd& velocities,
             const Eigen::VectorXd& masses, int dimension, const Eigen::Quaterniond& orientation);

  // The points in the body's frame [m]: origin in the centre of mass.
  const Eigen::Matrix3Xd& points() const { return points_; }
  double mass() const { return mass_; }
  double reach() const { return reach_; }  // largest distance of a point from the centre [m]

  const Eigen::Vector3d& centre() const { return centre_; }                    // c, world [m]
  Eigen::Vector3d velocity() const { return momentum_ / mass_; }               // of c [m/s]
  Eigen::Vector3d angular_velocity() const { return AngularVelocity(turn_); }  // ω, world [rad/s]
  Eigen::Matrix3d axes() const { return turn_.toRotationMatrix(); }            // Q, body → world
  double Fastest() const {  // no point is faster [m/s]
    return velocity().norm() + angular_velocity().norm() * reach_;
  }

  // Positions [m] and velocities [m/s], world, of the body's points.
  void PlacePoints(Eigen::Ref<Eigen::Matrix3Xd> x, Eigen::Ref<Eigen::Matrix3Xd> v) const;

  // Adds an impulse [N s] and a moment of impulses about the centre [N m s].
  void Kick(const Eigen::Vector3d& impulse, const Eigen::Vector3d& moment);
  void Drift(double h);

  void Save(Eigen::Ref<Eigen::VectorXd> state) const;  // kStateSize numbers
  void Restore(const Eigen::Ref<const Eigen::VectorXd>& state);

 private:
  Eigen::Vector3d AngularVelocity(const Eigen::Quaterniond& turn) const {
    return turn * (inverse_inertia_ * (turn.conjugate() * spin_));
  }

  Eigen::Matrix3Xd points_;
  double mass_ = 0.0;
  double reach_ = 0.0;
  Eigen::Matrix3d inverse_inertia_;  // J⁻¹, body frame; zero about axes that the plane forbids
  Eigen::Vector3d centre_;
  Eigen::Quaterniond turn_;
  Eigen::Vector3d momentum_;  // P [N s]
  Eigen::Vector3d spin_;      // L, about the centre [N m s]
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_RIGID_PROXY_H_
