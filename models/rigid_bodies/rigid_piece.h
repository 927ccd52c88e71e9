// A rigid piece with any number of attachment points [Palazzi 1993, Sec. 3.1]: a body whose points
// keep their places in its frame. A segment (segment_net.h) is the case of two points, which needs
// an axis only; here the frame is whole.
//
// Symbols: mass m, centre of mass G, point i at G + R r_i, inertia J = R diag(J₁, J₂, J₃) Rᵀ. The
// frame lies along the principal axes of the points' own tensor Σ m_i (|r_i|² 1 − r_i r_iᵀ), which
// the material has whatever its shape. Where all points lie on a line, or are one, there is no
// inertia about some axes: J⁻¹ is the pseudo-inverse, and the piece has no spin there.

#ifndef PLIANT_MODELS_RIGID_BODIES_RIGID_PIECE_H_
#define PLIANT_MODELS_RIGID_BODIES_RIGID_PIECE_H_

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "models/scene/forces.h"

namespace pliant {

enum class PieceInertia {
  kOfPoints,  // that of the point masses
  kUnit,      // 1 kg m² about every axis, the source's
};

// Position and velocity of a rigid piece; world frame.
struct RigidMotion {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();                 // G [m]
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  // R: piece → world
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();               // of G [m/s]
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();                   // ω [rad/s]
};

// Immutable.
class RigidPiece {
 public:
  // Points 3×n [m] where they are at the start, masses [kg] > 0. `start` takes the frame of
  // the points.
  RigidPiece(const PointsRef& points, const Eigen::Ref<const Eigen::VectorXd>& masses,
             PieceInertia inertia, RigidMotion* start);

  int points() const { return static_cast<int>(arms_.cols()); }
  double mass() const { return mass_; }                        // m [kg]
  auto arm(int point) const { return arms_.col(point); }       // r_i, frame of the piece [m]
  const Eigen::Vector3d& moments() const { return moments_; }  // J₁, J₂, J₃ [kg m²]
  const Eigen::Vector3d& inverse() const { return inverse_; }  // 0 where there is no inertia
  Eigen::Vector3d Momentum(const RigidMotion& motion) const;   // J ω, about G [kg m²/s]
  // ω of an angular momentum about G; of any other vector the rotation it causes, J⁻¹ v.
  Eigen::Vector3d Turned(const Eigen::Quaterniond& orientation, const Eigen::Vector3d& v) const;
  // The possible part of a spin: all except that about axes without inertia.
  Eigen::Vector3d Possible(const Eigen::Quaterniond& orientation, const Eigen::Vector3d& v) const;

 private:
  double mass_;
  Eigen::Matrix3Xd arms_;
  Eigen::Vector3d moments_, inverse_;
};

// Free motion for a step of h [s] under a force [N] on G and a torque [N m] about it. The angular
// momentum L = J ω gains hτ and is else kept to rounding; the orientation turns by the spin halfway
//
//   R' = exp(h ω_½) R,   ω_½ = J(R_½)⁻¹ (L + w hτ),   R_½ = exp(h ω/2) R,   ω' = J(R')⁻¹ (L + hτ)
//
// where G goes by h (v + w ha): w = 1/2 for the mean velocity, 1 for the new one. What makes ω
// change without a torque is the gyroscopic term −J⁻¹ (ω × Jω), which (A.4) of the source leaves
// out; with unit inertia there is none.
void MoveFreely(const RigidPiece& piece, double step, double new_share,
                const Eigen::Vector3d& force, const Eigen::Vector3d& torque, RigidMotion* motion);

}  // namespace pliant

#endif  // PLIANT_MODELS_RIGID_BODIES_RIGID_PIECE_H_
