// The bodies of a scene that are rigid as a whole, and their motion: the stages of the step that
// segment_system.h has for segments, for pieces with any number of points. They have no joints of
// their own; what joins them to others, nails, attachments, contacts and the rest, pulls their
// points as it pulls those of segments:
//
//   ΔG = p/m,   ΔU = J⁻¹ (r × p),   mobility W = 1/m − [r]ₓ J⁻¹ [r]ₓ
//
// with the source's factors where its rules are chosen (corrector.h).

#ifndef PLIANT_SOLVERS_PROJECTION_RIGID_PIECES_H_
#define PLIANT_SOLVERS_PROJECTION_RIGID_PIECES_H_

#include <Eigen/Core>
#include <string>
#include <vector>

#include "models/rigid_bodies/rigid_piece.h"
#include "models/scene/scene.h"
#include "solvers/holds/point_mover.h"
#include "solvers/projection/velocity_update.h"
#include "solvers/state_stream.h"

namespace pliant {

// Which bodies of a scene are rigid: those of which it says so, and the named ones; "*" names all. Throws BadInput (where =
// "rigid_bodies") for a name that no body has.
std::vector<bool> RigidBodiesOf(const Scene& scene, const std::vector<std::string>& names);

struct RigidPieceOptions {
  std::vector<std::string> bodies;  // by name; "*": all
  VelocityUpdate update = VelocityUpdate::kCorrected;
  PieceInertia inertia = PieceInertia::kOfPoints;
  // One correction closes one gap to first order: it divides by the mobility W of both motions. The
  // rules of [Palazzi 1993] divide by that of the translation and multiply by factors t_f and r_f.
  bool knows_mobility = true;
  double translating = 1.0;  // t_f
  double turning = 1.0;      // r_f
};

class RigidPieces final : public PointMover {
 public:
  // `points` 3×n, where the points of the scene start; pieces begin with the velocities of their
  // bodies.
  RigidPieces(const Scene& scene, const RigidPieceOptions& options, const PointsRef& points);

  bool empty() const { return pieces_.empty(); }
  int size() const { return static_cast<int>(pieces_.size()); }
  const RigidPiece& piece(int i) const { return pieces_[i]; }
  RigidMotion& motion(int i) { return motions_[i]; }
  bool Has(int point) const { return !empty() && piece_of_[point] >= 0; }

  // Of the points of pieces, 3×n over the scene; other columns do not change.
  void Points(MutablePointsRef points) const;                     // m
  void PointVelocities(MutablePointsRef rates) const;             // m/s
  void PointAccelerations(MutablePointsRef accelerations) const;  // by forces [m/s²]
  double KineticEnergy() const;                                   // ½ Σ m v² + ω·Jω [J]

  // 1 Forces [N]. Each acts where its point is.
  void SetForces(const PointsRef& forces, const Eigen::Vector3d& gravity);
  // 2 Dynamics, 4 Velocities, and what the printed rule leaves of them, as of segments.
  void Dynamics(double step);
  void UpdateVelocities(double step);
  void HalveAccelerations(double step);
  // The motion on which the impulse of a correction at a point works in the step, after
  // UpdateVelocities(): where the free motion left the point, without forces and with half of what all
  // corrections gave [m/s].
  Eigen::Vector3d MeanMotion(int point) const;
  // And the work that impulses do beyond because their arms have turned, times the step [J s].
  double WorkOfTurnedArms() const { return turned_arms_.cwiseProduct(mean_spins_).sum(); }

  // Kinetic energy that its points, of these masses [kg], do not show: 0 but for the unit inertia [J].
  double HiddenEnergy(const Eigen::VectorXd& masses) const;

  // All points of a weighted point are those of pieces.
  Eigen::Vector3d Point(const WeightedPoint& point) const override;
  Eigen::Matrix3d Mobility(const WeightedPoint& point) const override;
  double LargestMobility(const WeightedPoint& point) const override;
  Eigen::Matrix3d Coupling(int p, int q) const override;
  void Push(const WeightedPoint& point, const Eigen::Vector3d& impulse) override;

  static constexpr int kNumbers = 13;  // saved, of each piece
  void Save(StateWriter* write) const;
  void Restore(StateReader* read);

 private:
  // Calls visit(piece, point of the scene, r_i in the world [m]).
  template <typename Visit>
  void ForEachPoint(const Visit& visit) const;
  Eigen::Vector3d Arm(int point) const;  // in the world [m]
  Eigen::Vector3d FreeArm(int point) const;
  // With factors t, r of translation and rotation.
  Eigen::Matrix3d Between(int p, int q, double t, double r) const;

  VelocityUpdate update_;
  bool knows_mobility_;
  double translating_, turning_;  // t_f, r_f
  std::vector<int> piece_of_;     // of each point of the scene; −1: none
  std::vector<int> first_;        // point of each piece
  std::vector<RigidPiece> pieces_;
  std::vector<RigidMotion> motions_, free_;        // now, and at the end of Dynamics()
  Eigen::Matrix3Xd forces_, torques_;              // 3×pieces [N], [N m]
  Eigen::Matrix3Xd mean_velocities_, mean_spins_;  // for MeanMotion() [m/s], [rad/s]
  Eigen::Matrix3Xd turned_arms_;                   // Σ (r − r₀) × p of the step [kg m²]
};

// Moves any point of a scene: those of rigid pieces with their piece, others by `others`. All
// points of a weighted point are of one kind.
class PieceMover final : public PointMover {
 public:
  PieceMover(PointMover& others, RigidPieces& rigid) : others_(others), rigid_(rigid) {}
  Eigen::Vector3d Point(const WeightedPoint& p) const override { return Of(p).Point(p); }
  Eigen::Matrix3d Mobility(const WeightedPoint& p) const override { return Of(p).Mobility(p); }
  double LargestMobility(const WeightedPoint& p) const override { return Of(p).LargestMobility(p); }
  Eigen::Matrix3d Coupling(int p, int q) const override {
    if (rigid_.Has(p) != rigid_.Has(q)) return Eigen::Matrix3d::Zero();
    return rigid_.Has(p) ? rigid_.Coupling(p, q) : others_.Coupling(p, q);
  }
  void Push(const WeightedPoint& p, const Eigen::Vector3d& impulse) override {
    Of(p).Push(p, impulse);
  }

 private:
  PointMover& Of(const WeightedPoint& p) const {
    return rigid_.Has(p.point[0]) ? static_cast<PointMover&>(rigid_) : others_;
  }
  PointMover& others_;
  RigidPieces& rigid_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PROJECTION_RIGID_PIECES_H_
