// Equilibrium under dead loads: Newton's iteration in whole steps, and where they fail with a line search on the potential energy
// Π(q) = E(q) + springs + contact − f · q, in load steps that are halved where an iteration fails.
//
// Friction resists what moves from where the load step (or the part of it that is taken at once) began [Li et al. 2020, Eq. 16]:
//
//   D(q) = Σ μ λ f₀(|u|, ε)     u the way of a place along the surface that it touches, ε = friction_length
//
// with the push λ and the surface's normal of the latest iterate, which a search keeps. Each iteration renews them, and the
// solution is one where they are its own. What sticks creeps by less than ε in each load step.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_STATICS_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_STATICS_H_

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "solvers/finite_elements/contact.h"
#include "solvers/finite_elements/discretisation.h"
#include "solvers/finite_elements/krylov_subspace.h"
#include "solvers/finite_elements/point_forces.h"
#include "solvers/finite_elements/reduced_matrix.h"
#include "solvers/finite_elements/reduction.h"

namespace pliant::finite_elements {

// Where the present load step began: friction resists the way from there.
struct LoadStepStart {
  Eigen::Matrix3Xd q;  // 3×m [m]
  double time = 0.0;   // s, of the places of obstacles
};

struct StaticLoad {
  Eigen::Matrix3Xd force;          // 3×m on the nodes [N], dead, of which a part acts
  Eigen::Matrix3Xd constant = {};  // the same, of which all acts; empty: none
  std::vector<LinearRow> rows;     // constraints on the unknowns 3 node + axis
  Eigen::VectorXd begin, end;      // of the rows, at no and at full load [m]
  std::vector<int> zero = {};      // unknowns that stay 0
  // What stores energy beside the bodies, at full strength in all load steps; null: nothing.
  const PointForces* springs = nullptr;
  Contact* contact = nullptr;
  double begin_time = 0.0, time = 0.0;  // s, of the places of obstacles before and now
  LoadStepStart* start = nullptr;       // where friction acts; null: nothing rubs
  NodeMotion MotionTo(const Eigen::Matrix3Xd& q) const {
    return start != nullptr ? NodeMotion{start->q, q, start->time, time}
                            : NodeMotion{q, q, time, time};
  }
};

struct StaticOptions {
  int load_steps = 1;
  double tolerance = 1e-10;  // of the largest unbalanced force, relative to the largest nodal force
  int most_iterations = 50;  // of each load step
  int most_halvings = 12;    // of a load step
};

struct StaticSolution {
  bool converged = false;
  bool slides_off = false;  // contact did not hold it while it moved by many times its size
  int iterations = 0;
  double unbalanced = 0.0;  // N, largest force that is left
  // Work of friction, and of obstacles that move, pushing and rubbing [J]: by the mean of the push at both ends of a
  // load step.
  double friction_work = 0.0, obstacle_work = 0.0;
};

// What is left unbalanced at q under this part of the load, 3×m [N]: ∂Π/∂q.
Eigen::Matrix3Xd StaticGradient(const Discretisation& bodies, const StaticLoad& load, double part,
                                const Eigen::Matrix3Xd& q);

// Equilibria under parts of the load, one after the other. Each iteration assembles and factorises once.
class Equilibrium {
 public:
  // All references must outlive it.
  Equilibrium(const Discretisation& bodies, const Reduction& reduction, const StaticLoad& load,
              const StaticOptions& options);
  // From q, an equilibrium under the part `from` of the load, to one under the part `to`, in as many
  // smaller steps as it takes. Counts into `solution`; where it fails, q is the last equilibrium.
  bool Reach(double from, double to, Eigen::Matrix3Xd* q, StaticSolution* solution);

 private:
  enum class Steps { kWhole, kSearched };
  bool Solve(double part, Eigen::Matrix3Xd* q, StaticSolution* solution);
  bool Iterate(double part, Steps steps, Eigen::Matrix3Xd* q, StaticSolution* solution);
  bool IsNearby(const Eigen::Matrix3Xd& q, const Eigen::Matrix3Xd& before, double part,
                bool led) const;
  int MostIterations(Steps steps) const;
  Eigen::VectorXd Particular(const Eigen::Matrix3Xd& q) const;
  // With the friction of rubs_.
  double Potential(const Eigen::Matrix3Xd& q, double part) const;
  void BookContact(const Eigen::Matrix3Xd& q, StaticSolution* solution) const;
  // Since contact first pushed, by so many times the extent of the scene.
  bool HasMoved(const Eigen::Matrix3Xd& q, double extents) const;
  // The step of Newton's iteration, 3m, by the matrix that was assembled last. False: it has none.
  bool WholeStep(const Eigen::VectorXd& residual, Eigen::VectorXd* step);
  // One that leads downwards, by no more than `extent` [m].
  bool StepDownwards(const Eigen::VectorXd& residual, double extent, Eigen::VectorXd* step);
  bool Accelerate(const Eigen::VectorXd& residual, double extent, Eigen::VectorXd* step);
  // The part of the step that it takes; 0 where none is better.
  double Search(const Eigen::VectorXd& step, const Eigen::Matrix3Xd& unbalanced, double largest,
                double part, Eigen::Matrix3Xd* q) const;
  void Assemble(const Eigen::Matrix3Xd& q);
  bool has_springs() const { return load_.springs != nullptr && !load_.springs->empty(); }
  bool has_contact() const { return load_.contact != nullptr && !load_.contact->empty(); }

  const Discretisation& bodies_;
  const Reduction& reduction_;
  const StaticLoad& load_;
  const StaticOptions& options_;
  std::vector<NodeCombination> links_;
  std::unique_ptr<ReducedMatrix> matrix_;
  bool near_contact_ = false;  // in the matrix that was assembled last
  KrylovSubspace subspace_;
  std::vector<Rub> rubs_;          // of the latest iterate
  Eigen::Matrix3Xd first_met_;     // q when contact first pushed in this iteration; empty before
  Eigen::VectorXd y_;              // of the last step downwards
  double largest_diagonal_ = 0.0;  // of the matrix that was assembled last [N/m]
};

// Starts from q, which satisfies the rows at `begin`, and ends with q under the full load, or the
// last part of it that was reached.
StaticSolution SolveStatics(const Discretisation& bodies, const StaticLoad& load,
                            const StaticOptions& options, Eigen::Matrix3Xd* q);

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_STATICS_H_
