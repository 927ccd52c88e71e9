// Corrections of position-based dynamics [Müller 2007, Sec. 3.3; Macklin 2016, Alg. 1], one edge
// after another (Gauss–Seidel). One correction of the constraint C (distance_constraint.h) of an
// edge moves both of its ends along it:
//
//   Δλ = (−C − α̃ λ)/(w_a + w_b + α̃)                  [Macklin 2016, Eq. 18, |∇_a C| = |∇_b C| = 1]
//   Δx_a = w_a Δλ ∇_a C = −w_a Δλ n,   Δx_b = w_b Δλ n    [Macklin 2016, Eq. 17]
//
// with w = 1/m the inverse masses [1/kg] (0 for a held point), α̃ = α/h² [1/kg] the compliance α
// [m/N] over the square of the step, and λ the sum of the Δλ of the step [kg m]: λ/h² is the force
// of the edge, > 0 where it pushes. With α = 0 that is [Müller 2007, Eqs. 10, 11], and λ is not
// needed. Every Δλ is multiplied by a factor ω of over-relaxation. An edge gives its ends opposite
// impulses: linear momentum is conserved to rounding. Their sum over the sweeps of a step,
// P = Σ Δλ n [kg m], on b and −P on a, is kept for the ledger.
//
// The edges of a strip (edge_strips.h) share no point and are corrected as vectors. All processors
// compute the same bytes. 32 bytes a point, 24 an edge, and 8 an edge where λ is remembered.

#ifndef PLIANT_SOLVERS_POSITION_BASED_DISTANCE_SOLVER_H_
#define PLIANT_SOLVERS_POSITION_BASED_DISTANCE_SOLVER_H_

#include <Eigen/Core>
#include <array>
#include <vector>

#include "models/position_based/edge_strips.h"
#include "models/scene/forces.h"
#include "solvers/holds/point_mover.h"
#include "solvers/projection/sweep_order.h"

namespace pliant::position_based {

struct DistanceSolverOptions {
  SweepOrder order = SweepOrder::kSequential;
  double relaxation = 1.0;  // ω
  double compliance = 0.0;  // α [m/N]
  bool forces = false;      // remember λ also where α = 0
};

class DistanceSolver final : public PointMover {
 public:
  // Edges along the lines of `patches` become long strips; every edge has a length [m] > 0, every
  // point a mass [kg].
  DistanceSolver(const std::vector<Edge>& edges, const Eigen::VectorXd& lengths,
                 const Eigen::VectorXd& masses, const std::vector<GridPatch>& patches,
                 const DistanceSolverOptions& options);

  // Positions of the points, 3×n [m].
  void Load(const PointsRef& points);
  void Store(MutablePointsRef points) const;
  // Only SetPoint() moves these points, as if they had infinite mass.
  void Hold(int point) { SetInverseMass(point, 0.0); }
  void Release(int point, double mass) { SetInverseMass(point, 1.0 / mass); }
  bool IsHeld(int point) const { return inverse_masses_[strips_.slot(point)] == 0.0; }
  void SetPoint(int point, const Eigen::Vector3d& position) {
    const int slot = strips_.slot(point);
    x_[slot] = position.x();
    y_[slot] = position.y();
    z_[slot] = position.z();
  }
  Eigen::Vector3d At(int point) const {
    const int slot = strips_.slot(point);
    return {x_[slot], y_[slot], z_[slot]};
  }

  // A step of h [s] begins: λ = 0.
  void Begin(double step);
  // Calls visit(point, impulse [kg m]) with what each edge has given a held point since Begin(). An
  // edge between two of them gives what its λ says, nothing where that is not remembered: rigid, it
  // may bear any force. O(edges at held points).
  template <typename Visit>
  void ForEachGivenToHeld(const Visit& visit) const {
    for (const HeldEnd& end : held_ends_) {
      visit(end.point, Eigen::Vector3d(end.sign * given_.row(end.edge).transpose()));
    }
  }
  // Σ P·(w_b − w_a) since Begin(), with w = motion(point) [m/s] the motion on which they work
  // [kg m²/s]: over h that is the work of the edges. O(edges).
  template <typename Motion>
  double Work(const Motion& motion) const {
    double sum = 0.0;
    strips_.ForEachEdge([&](int e, int a, int b) {
      sum += given_.row(e).dot((motion(b) - motion(a)).transpose());
    });
    return sum;
  }
  // Relaxes every edge once; `number` counts the sweeps of a step from 0. Returns the largest
  // |C + α̃ λ| [m] that it met on its way. O(edges).
  double Sweep(int number);
  // That of the present state, and which edge has it.
  struct Misfit {
    double size = 0.0;
    int edge = 0;
  };
  Misfit LargestMisfit() const;
  double ElasticEnergy() const;  // Σ ½ C²/α [J]; 0 without compliance
  // λ of each edge since Begin() [kg m]; empty where it is not remembered.
  const std::vector<double>& impulses() const { return impulses_; }

  const EdgeStrips& strips() const { return strips_; }
  // Removes an edge: the points it connected are free. O(strips). Mend() restores all edges.
  void Break(int edge) {
    strips_.Break(edge);
    knows_held_ = false;
  }
  void Mend() {
    strips_.Mend();
    knows_held_ = false;
  }
  // Edges that have pulled their ends together by more than this impulse [kg m] since Begin().
  std::vector<int> EdgesBeyond(double impulse) const;

  Eigen::Vector3d Point(const WeightedPoint& point) const override;
  Eigen::Matrix3d Mobility(const WeightedPoint& point) const override;
  double LargestMobility(const WeightedPoint& point) const override;
  Eigen::Matrix3d Coupling(int p, int q) const override;
  void Push(const WeightedPoint& point, const Eigen::Vector3d& impulse) override;

 private:
  // An end of an edge that is held, and the sign of P there.
  struct HeldEnd {
    int edge, point;
    double sign;
  };
  void SetInverseMass(int point, double inverse) {
    double& present = inverse_masses_[strips_.slot(point)];
    if (present != inverse) knows_held_ = false;
    present = inverse;
  }
  void FindHeldEnds();
  void Relax(const Strip& strip, double* worst);
  double StretchOf(const Strip& strip, int k) const;  // C of edge k of the strip
  Misfit LargestStretch() const;
  template <typename Visit>
  void ForEachStretch(const Visit& visit) const;  // visit(edge, C)

  DistanceSolverOptions options_;
  double soft_ = 0.0;  // α̃ [1/kg]
  EdgeStrips strips_;
  std::vector<double> impulses_;                // λ by edge; empty where it is not remembered
  Eigen::MatrixX3d given_;                      // P by edge [kg m]
  Eigen::VectorXd x_, y_, z_, inverse_masses_;  // by slot
  bool knows_held_ = false;                     // are these of the present strips and masses?
  std::vector<HeldEnd> held_ends_;              // edge by edge
};

}  // namespace pliant::position_based

#endif  // PLIANT_SOLVERS_POSITION_BASED_DISTANCE_SOLVER_H_
