// The family's modern descendant [Müller et al. 2007, Macklin et al. 2016]: not segments whose ends
// shall meet but points whose distances shall be kept. A point is a mass, an edge a constraint
// C = |x_b − x_a| − ℓ, and one correction of an edge displaces both ends along it:
//
//   Δλ = (−C − α̃ λ) / (1/m_a + 1/m_b + α̃),   α̃ = α/h²,   Δx_a = −Δλ n/m_a,   Δx_b = Δλ n/m_b
//
// with n the unit vector from a to b, compliance α [m/N] and λ the sum of the Δλ of the step [kg
// m]. With α = 0 this is the displacement constraint of the segment itself: lumped masses at the
// ends of a rigid rod. Linear momentum is conserved to rounding.
//
// Points lie in memory so that edges which share no point are next to each other: a "run" is a
// number of such edges, from slots a, a + 1, … to slots b, b + 1, …, relaxed as vectors. Each row
// of a grid has its even points first, then its odd ones; its even edges are one run, its odd edges
// another, all edges from one row to the next a third. Edges of other bodies are runs of one. All
// processors compute the same bytes. 40 bytes a point and 8 an edge of a grid, 24 of others; 8 more
// where λ is remembered.
//
// Edges have numbers here: the order in which a sweep takes them.

#ifndef PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_LENGTH_SOLVER_H_
#define PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_LENGTH_SOLVER_H_

#include <Eigen/Core>
#include <vector>

#include "models/displacement_constraints/segment_net.h"
#include "models/geometry/grid_hierarchy.h"
#include "models/scene/forces.h"
#include "solvers/displacement_constraints/ordering.h"
#include "solvers/displacement_constraints/point_mover.h"

namespace pliant::displacement_constraints {

// A grid whose points are numbered row by row from `offset`.
struct GridPatch {
  int offset = 0;
  GridSize grid;
};

struct LengthSolverOptions {
  SweepOrder order = SweepOrder::kSequential;  // of the runs; coloured: of grids, in four colours
  double relaxation = 1.0;                     // ω
  double compliance = 0.0;                     // α [m/N]
  bool forces = false;                         // remember λ also where α = 0
};

class LengthSolver final : public PointMover {
 public:
  // Edges along the lines of `patches` become long runs; every edge has a length [m] > 0, every
  // point a mass [kg].
  LengthSolver(const std::vector<SegmentNet::Edge>& edges, const Eigen::VectorXd& lengths,
               const Eigen::VectorXd& masses, const std::vector<GridPatch>& patches,
               const LengthSolverOptions& options);

  // Where the points are, 3×n [m].
  void Load(const PointsRef& points);
  void Store(MutablePointsRef points) const;
  // Where nothing moves the point but SetPoint(): as if it had infinite mass.
  void Hold(int point) { inverse_masses_[slots_[point]] = 0.0; }
  void Release(int point, double mass) { inverse_masses_[slots_[point]] = 1.0 / mass; }
  bool IsHeld(int point) const { return inverse_masses_[slots_[point]] == 0.0; }
  void SetPoint(int point, const Eigen::Vector3d& position) {
    const int slot = slots_[point];
    x_[slot] = position.x();
    y_[slot] = position.y();
    z_[slot] = position.z();
  }
  Eigen::Vector3d At(int point) const {
    const int slot = slots_[point];
    return {x_[slot], y_[slot], z_[slot]};
  }

  // A step of h [s] begins: λ = 0.
  void Begin(double step);
  // From the next Begin() on it is remembered what edges give points that are held.
  void WatchHeldPoints() { watches_held_ = true; }
  // That since Begin(), 3×n [kg m]. An edge between two of them gives what its λ says, nothing
  // where that is not remembered: rigid, it may bear any force. O(n + edges).
  Eigen::Matrix3Xd GivenToHeldPoints() const;
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

  int edges() const { return static_cast<int>(lengths_.size()); }
  SegmentNet::Edge Ends(int edge) const;                        // points; O(log runs)
  double RestLength(int edge) const { return lengths_[edge]; }  // m
  // Calls visit(edge, a, b) with the points of every edge that is not broken.
  template <typename Visit>
  void ForEachEdge(const Visit& visit) const {
    for (const Run& run : runs_) {
      for (int k = 0; k < run.count; ++k) {
        visit(run.first + k, points_[run.a + k], points_[run.b + k]);
      }
    }
  }

  // Takes an edge out: what it held together is free. O(runs). Mend() puts all back.
  void Break(int edge);
  void Mend();
  // Edges that have pulled their ends together by more than this impulse [kg m] since Begin().
  std::vector<int> EdgesBeyond(double impulse) const;

  Eigen::Vector3d Point(const WeightedPoint& point) const override;
  Eigen::Matrix3d Mobility(const WeightedPoint& point) const override;
  double LargestMobility(const WeightedPoint& point) const override;
  Eigen::Matrix3d Coupling(int p, int q) const override;
  void Push(const WeightedPoint& point, const Eigen::Vector3d& impulse) override;

 private:
  struct Run {
    int a, b;   // slots of the ends of the first edge
    int count;  // edges
    int first;  // number of the first edge
  };
  // The ends of an edge of which one is held; slots.
  struct HeldEdge {
    int held, free;
    Eigen::Vector3d before = Eigen::Vector3d::Zero();  // where the free one was [m]
  };
  void FindHeldEdges();
  void Relax(const Run& run, double* worst);
  void RelaxWatched(size_t run, double* worst);
  Eigen::Vector3d AtSlot(int slot) const { return {x_[slot], y_[slot], z_[slot]}; }
  void AddPatch(const GridPatch& patch, class EdgeIndex* edges);
  void AddRun(int a, int b, int count, class EdgeIndex* edges);
  double Stretch(const Run& run, int k) const;  // C of edge k of the run
  Misfit LargestStretch() const;
  template <typename Visit>
  void ForEachStretch(const Visit& visit) const;  // visit(edge, C)

  LengthSolverOptions options_;
  double soft_ = 0.0;                           // α̃ [1/kg]
  std::vector<int> slots_;                      // of each point
  std::vector<int> points_;                     // of each slot
  std::vector<Run> runs_;                       // of edges that are whole
  std::vector<Run> whole_runs_;                 // of all; empty until one breaks
  std::vector<double> lengths_, impulses_;      // by edge: ℓ, λ (empty when not remembered)
  Eigen::VectorXd x_, y_, z_, inverse_masses_;  // by slot
  bool watches_held_ = false;
  std::vector<HeldEdge> held_edges_;  // run by run; empty unless watched
  std::vector<size_t> first_held_;    // of them, of each run
  Eigen::Matrix3Xd given_;            // to those that are held, by slot [kg m]
};

}  // namespace pliant::displacement_constraints

#endif  // PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_LENGTH_SOLVER_H_
