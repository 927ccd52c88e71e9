// The segments of one level and their motion: the state of the method and the stages of its step
// that treat each segment as a separate rigid body [Palazzi 1993, Sec. 3.1, App. A].

#ifndef PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_SEGMENT_SYSTEM_H_
#define PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_SEGMENT_SYSTEM_H_

#include <Eigen/Core>

#include "models/displacement_constraints/segment_net.h"
#include "models/scene/forces.h"
#include "solvers/displacement_constraints/options.h"
#include "solvers/parallel/thread_team.h"

namespace pliant::displacement_constraints {

// The largest difference between two endpoints that should meet, and its point.
struct Gap {
  double size = 0.0;  // m, or m/s
  int point = 0;
};

class SegmentSystem {
 public:
  SegmentSystem(SegmentNet net, VelocityUpdate update);

  const SegmentNet& net() const { return net_; }
  const SegmentGeometry& geometry() const { return geometry_; }

  // State, 3×S each, world frame.
  Eigen::Matrix3Xd centres;     // G [m]
  Eigen::Matrix3Xd axes;        // u, unit
  Eigen::Matrix3Xd velocities;  // v of the centre [m/s]
  Eigen::Matrix3Xd spins;       // ω [rad/s]

  // Of the present step: as Correction names them, for WorkOfTurnedArms(). Not state.
  Eigen::Matrix3Xd turned_arms;

  // Gives the segments these lengths.
  void SetLengths(const Eigen::Ref<const Eigen::VectorXd>& lengths);
  // Lays each segment along the line between its two points, so that it divides the two misfits as
  // it divides its mass. A segment whose points coincide keeps its direction.
  void Place(const PointsRef& points);
  // The same with lengths that fit exactly.
  void PlaceAndMeasure(const PointsRef& points);

  // All edges hold but the broken ones; the point masses [kg] may be others than before. Points
  // stay where they are and keep their velocities, but for what would stretch a segment.
  void Tear(const std::vector<char>& broken, const Eigen::VectorXd& point_masses);
  // The points of the net become faster by `rates`, 3×n [m/s]: Σ m v by those of the PointMasses().
  void Hasten(const PointsRef& rates);
  // Tension of each segment [N]: ℓ T = Σ arm u·F + J ω², F what its ends bear: of forces, and of
  // corrections in a step of h [s], `pulled` = Σ arm u·(h² F) [kg m²]. Gravity adds nothing.
  Eigen::VectorXd Tensions(double step, const Eigen::VectorXd& pulled) const;

  // Each segment follows its two points, displaced by these ways, 3×n [m], and keeps its length:
  // Σ m G changes by Σ m Δx, with m from PointMasses() and Δx the given displacements.
  void Follow(const PointsRef& ways);
  Eigen::VectorXd PointMasses() const;  // each segment's, divided as its centre divides it [kg]

  // The observed position of a point is the mean of its endpoints, and its velocity the mean of
  // theirs; columns of points without segments do not change. With lumped inertia, momentum and
  // centre of mass of the points are then those of the segments even where endpoints have a
  // gap.
  void Points(MutablePointsRef points) const;            // 3×n [m]
  void PointVelocities(MutablePointsRef rates) const;    // 3×n [m/s]
  Eigen::Vector3d Endpoint(int endpoint) const;          // m
  Eigen::Vector3d EndpointVelocity(int endpoint) const;  // m/s
  double GapAt(int point) const;                         // m, over all pairs there
  Gap LargestGap(ThreadTeam* team = nullptr) const;      // over all pairs at all points
  Gap LargestGapRate() const;
  bool IsAtRest() const;
  double KineticEnergy() const;  // ½ Σ m v² + J ω² [J]

  // 1 Forces. Each endpoint takes an equal share of its point's force; a segment's centre feels the
  // whole of what its endpoints take and its axis their torque. (The source lets a portion of the
  // force act at the centre; any portion but 1 breaks Newton's law.)
  void ClearForces();
  void AddPointForces(double factor, const PointsRef& forces);  // 3×n [N]
  void AddGravity(const Eigen::Vector3d& gravity);              // m g at each centre
  bool HasForces() const;
  // What they give the points, as they give it to the endpoints: 3×n [m/s²].
  void PointAccelerations(MutablePointsRef accelerations) const;

  // 2 Dynamics: every segment moves freely (A.1)–(A.8).
  void Dynamics(double step);
  // 4 Velocities: takes up the displacement since the end of Dynamics().
  void UpdateVelocities(double step);
  // The motion on which the impulse of a correction works in the step, after UpdateVelocities():
  // that of the endpoint, where the free motion left it, without forces and with half of what all
  // corrections gave [m/s].
  Eigen::Vector3d MeanMotion(int endpoint) const;
  // And the work that impulses do beyond because their arms have turned, times the step [J s].
  double WorkOfTurnedArms() const { return turned_arms.cwiseProduct(mean_spins_).sum(); }
  const Eigen::Matrix3Xd& free_axes() const { return free_axes_; }
  Eigen::Vector3d MeanMotionOfPoint(
      int point) const;  // the mean of its endpoints', of which it has
  // What the printed rule leaves of them: (x_new − x_old)/h in place of v' + c/h takes half of what
  // the forces gave.
  void HalveAccelerations(double step);

 private:
  void Place(const PointsRef& points, int s);

  SegmentNet net_;
  SegmentGeometry geometry_;
  VelocityUpdate update_;
  Eigen::Matrix3Xd forces_, torques_;          // 3×S [N], [N m] about the centre
  Eigen::VectorXd pulls_;                      // S, Σ arm u·F of the forces [N m]
  Eigen::Matrix3Xd free_centres_, free_axes_;  // at the end of Dynamics()
  // Of the centre [m/s] and of the turning [rad/s], for MeanMotion().
  Eigen::Matrix3Xd mean_velocities_, mean_spins_;
};

}  // namespace pliant::displacement_constraints

#endif  // PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_SEGMENT_SYSTEM_H_
